//! Calls are unfolded: what is called stands where the call stood, with variables of its own. An argument
//! stands wherever the parameter stood.

use super::script::{Act, CALLED, Proc, Script, Term, VARIABLES};

/// A process in which nothing is called, and how many variables it has.
pub(crate) struct Unfolded {
    pub(crate) body: Proc,
    pub(crate) variables: usize,
}

/// Whose variables stand for those that are written.
#[derive(Clone)]
struct Frame {
    /// For each variable the one it is.
    slots: Vec<usize>,
    /// A parameter, and what has been given for it.
    given: Option<(usize, Term)>,
}

struct Unfolding<'s> {
    script: &'s Script,
    /// How many frames there are.
    frames: usize,
}

/// A process of the script, or one that it starts later.
pub(crate) fn unfold(script: &Script, body: &Proc) -> Unfolded {
    let mut unfolding = Unfolding { script, frames: 0 };
    let frame = unfolding.frame(None);
    let body = unfolding.part(body, &frame);
    Unfolded {
        body,
        variables: unfolding.frames * VARIABLES.len(),
    }
}

impl Unfolding<'_> {
    fn frame(&mut self, given: Option<(usize, Term)>) -> Frame {
        let first = self.frames * VARIABLES.len();
        self.frames += 1;
        Frame {
            slots: (first..first + VARIABLES.len()).collect(),
            given,
        }
    }

    fn all(&mut self, parts: &[Proc], frame: &Frame) -> Vec<Proc> {
        parts.iter().map(|part| self.part(part, frame)).collect()
    }

    fn part(&mut self, part: &Proc, frame: &Frame) -> Proc {
        let mut boxed = |part: &Proc| Box::new(self.part(part, frame));
        match part {
            Proc::Act(act) => Proc::Act(acted(act, frame)),
            Proc::Timed(act, delay, timeout) => Proc::Timed(acted(act, frame), *delay, *timeout),
            Proc::Seq(parts) => Proc::Seq(self.all(parts, frame)),
            Proc::Choice(parts) => Proc::Choice(self.all(parts, frame)),
            Proc::Biased(a, b) => Proc::Biased(boxed(a), boxed(b)),
            Proc::Loop(a, b) => Proc::Loop(boxed(a), boxed(b)),
            Proc::Side(a, b) => Proc::Side(boxed(a), boxed(b)),
            Proc::Disrupt(a, b) => Proc::Disrupt(boxed(a), boxed(b)),
            Proc::If(test, then, other) => Proc::If(
                renamed(test, frame),
                boxed(then),
                other.as_ref().map(|other| boxed(other)),
            ),
            Proc::Let(var, inner) => {
                let own = self.frame(None);
                let mut frame = frame.clone();
                frame.slots[*var] = own.slots[*var];
                if frame.given.as_ref().is_some_and(|(given, _)| given == var) {
                    frame.given = None;
                }
                self.part(inner, &frame)
            }
            Proc::Call(called, arg) => {
                let given = arg.as_ref().map(|arg| renamed(arg, frame));
                self.call(*called, given)
            }
            Proc::CallNamed(var) => {
                let name = Term::Var(frame.slots[*var]);
                let without = CALLED.iter().enumerate();
                let without = without.filter(|(_, (_, parameter))| parameter.is_none());
                let ways = without.map(|(called, (wanted, _))| {
                    let wanted = Term::Str(wanted);
                    let test = Term::Call("equal", vec![name.clone(), wanted]);
                    Proc::If(test, Box::new(self.call(called, None)), None)
                });
                Proc::Choice(ways.collect())
            }
            Proc::Delta => Proc::Delta,
        }
    }

    fn call(&mut self, called: usize, arg: Option<Term>) -> Proc {
        let frame = self.frame(CALLED[called].1.zip(arg));
        let body = self.script.called[called].clone();
        self.part(&body, &frame)
    }
}

fn acted(act: &Act, frame: &Frame) -> Act {
    let slot = |var: &usize| frame.slots[*var];
    let term = |of: &Term| renamed(of, frame);
    match act {
        Act::Assign(var, of) => Act::Assign(slot(var), term(of)),
        Act::SndMsg(of) => Act::SndMsg(term(of)),
        Act::RecMsg(of) => Act::RecMsg(term(of)),
        Act::SndNote(of) => Act::SndNote(term(of)),
        Act::RecNote(of) => Act::RecNote(term(of)),
        Act::NoNote(of) => Act::NoNote(term(of)),
        Act::Execute(var) => Act::Execute(slot(var)),
        Act::Connect(var) => Act::Connect(slot(var)),
        Act::Disconnect(var) => Act::Disconnect(slot(var)),
        Act::Eval(var, of) => Act::Eval(slot(var), term(of)),
        Act::Value(var, of) => Act::Value(slot(var), term(of)),
        Act::Event(var, of) => Act::Event(slot(var), term(of)),
        Act::Ack(var, of) => Act::Ack(slot(var), term(of)),
        Act::Do(var, of) => Act::Do(slot(var), term(of)),
        Act::Terminate(var) => Act::Terminate(slot(var)),
        Act::Create(called, arg, var) => Act::Create(*called, arg.as_ref().map(term), slot(var)),
        Act::CreateNamed(of, var) => Act::CreateNamed(slot(of), slot(var)),
        Act::Say(_) | Act::Tau | Act::Subscribe(_) | Act::Unsubscribe(_) | Act::Shutdown => {
            act.clone()
        }
    }
}

fn renamed(term: &Term, frame: &Frame) -> Term {
    let all = |parts: &[Term]| parts.iter().map(|part| renamed(part, frame)).collect();
    match term {
        Term::Var(var) => match &frame.given {
            Some((parameter, given)) if parameter == var => given.clone(),
            _ => Term::Var(frame.slots[*var]),
        },
        Term::Fill(var) => Term::Fill(frame.slots[*var]),
        Term::Word(word, parts) => Term::Word(word, all(parts)),
        Term::List(parts) => Term::List(all(parts)),
        Term::Call(name, parts) => Term::Call(name, all(parts)),
        Term::Int(_) | Term::Real(_) | Term::Str(_) | Term::Bool(_) => term.clone(),
    }
}
