//! Scripts made up at random.

use super::script::{Act, CALLED, Kind, Proc, Script, Term, VARIABLES, kind};

/// A small generator of random numbers (xorshift).
pub(crate) struct Random(pub(crate) fastrand::Rng);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0.usize(..limit.max(1))
    }

    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

pub(crate) const INTS: [i32; 6] = [0, 1, 2, 7, 100, i32::MAX];
pub(crate) const TEXTS: [&str; 6] = ["go", "stop", "g", "o!", "x", "Q0"];
pub(crate) const REALS: [f64; 4] = [0.0, 1.0, 2.5, -1.0];

/// What a script is made for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wish {
    /// Whether there are tools.
    pub(crate) tools: bool,
    /// Whether the bus in Java can run it, and is to be like ours: see `docs/tscript.md`.
    pub(crate) java: bool,
}

/// Makes up scripts.
struct Maker<'r> {
    random: &'r mut Random,
    labels: usize,
    wish: Wish,
    /// Whether nobody else is there to talk to.
    alone: bool,
    ticks: bool,
    /// Whether the process that is made sends messages, and whether it takes some. In the bus in Java one that
    /// can do both in one state sends to itself.
    sends: bool,
    takes: bool,
    /// The process that is made, if it is one that is called: it calls nobody, and keeps its parameter.
    within: Option<usize>,
    /// Processes may be started only outside of loops, so that there is an end of them.
    looping: usize,
}

/// A script.
pub(crate) fn script(random: &mut Random, wish: Wish) -> Script {
    let count = match random.below(3) {
        0 => 1,
        1 => 2,
        _ => 1 + usize::from(!wish.tools),
    };
    let mut maker = Maker {
        ticks: !wish.java && random.chance(35),
        random,
        labels: 0,
        wish,
        alone: count == 1,
        sends: true,
        takes: true,
        within: None,
        looping: 0,
    };
    let mut process = |number: usize| {
        maker.sends = !wish.java || number == 0;
        maker.takes = !wish.java || number == 1;
        maker.process()
    };
    let processes = (0..count).map(&mut process).collect();
    (maker.sends, maker.takes) = (!wish.java, !wish.java);
    let called = (0..CALLED.len()).map(|q| maker.called(q)).collect();
    let (labels, ticks) = (maker.labels, maker.ticks);
    let polite = maker.random.chance(25);
    Script {
        processes,
        called,
        polite,
        ticks,
        labels,
    }
}

const N: usize = 0;
const X: usize = 2;
const R: usize = 4;
const B: usize = 5;
const Z: usize = 6;
const L: usize = 7;
const K: usize = 8;
const T: usize = 9;
const U: usize = 10;
const C: usize = 11;

/// Variables that hold something from the start, and what.
fn first_values() -> [(usize, Term); 9] {
    [
        (N, Term::Int(1)),
        (N + 1, Term::Int(2)),
        (X, Term::Str("x")),
        (X + 1, Term::Str("Q0")),
        (R, Term::Real(1.0)),
        (B, Term::Bool(true)),
        (Z, Term::Word("w", Vec::new())),
        (L, Term::List(vec![Term::Int(1), Term::Int(2)])),
        (K, Term::List(Vec::new())),
    ]
}

/// Whether the bus in Java takes a part for one, not for several that each have a state.
fn is_one(part: &Proc) -> bool {
    let several = matches!(
        part,
        Proc::Side(..) | Proc::Biased(..) | Proc::Disrupt(..) | Proc::Call(..) | Proc::CallNamed(_)
    );
    !several && part.parts().into_iter().all(is_one)
}

impl Maker<'_> {
    fn process(&mut self) -> Proc {
        let mut all = Vec::new();
        for (var, value) in first_values() {
            if self.random.chance(90) {
                all.push(Proc::Act(Act::Assign(var, value)));
            }
        }
        if self.wish.tools {
            all.push(Proc::Act(Act::Execute(T)));
            if self.random.chance(20) {
                all.push(Proc::Act(Act::Execute(U)));
            }
            if self.random.chance(25) {
                all.push(Proc::Act(Act::Connect(C)));
            }
        }
        if self.random.chance(40) {
            all.push(Proc::Act(Act::Subscribe("n")));
        }
        if self.random.chance(85) {
            all.push(self.say());
        }
        for _ in 0..self.random.below(4) {
            all.push(self.computed());
        }
        all.push(self.part(3));
        all.push(Proc::Delta);
        Proc::Seq(all)
    }

    /// Something that is computed and looked at.
    fn computed(&mut self) -> Proc {
        if self.random.chance(40) {
            let test = self.test(1);
            let (then, other) = (self.say(), Proc::Act(Act::Tau));
            return Proc::If(test, Box::new(then), Some(Box::new(other)));
        }
        let kinds = [Kind::Int, Kind::Real, Kind::List, Kind::Str, Kind::Term];
        let kind = *self.random.one(&kinds);
        Proc::Act(Act::Assign(self.settable(kind), self.expression(kind, 2)))
    }

    /// A process that is called or started by others.
    fn called(&mut self, number: usize) -> Proc {
        self.within = Some(number);
        let mut all = vec![Proc::Act(Act::Assign(N + 1, Term::Int(2)))];
        all.push(self.say());
        all.push(self.part(1));
        self.within = None;
        Proc::Seq(all)
    }

    fn say(&mut self) -> Proc {
        // Some labels stand in several places.
        let label = match self.labels {
            0 => 0,
            some if some >= 7 || self.random.chance(15) => self.random.below(some),
            some => some,
        };
        self.labels = self.labels.max(label + 1);
        Proc::Act(Act::Say(label))
    }

    fn part(&mut self, depth: usize) -> Proc {
        if depth == 0 {
            return self.told();
        }
        match self.random.below(19) {
            0..=5 => {
                let count = 2 + self.random.below(2);
                Proc::Seq((0..count).map(|_| self.part(depth - 1)).collect())
            }
            6 | 7 => Proc::Choice((0..2).map(|_| self.part(depth - 1)).collect()),
            8 | 9 => {
                self.looping += 1;
                let body = self.part(depth - 1);
                self.looping -= 1;
                let exit = match self.random.chance(15) {
                    true => Proc::Delta,
                    false => self.told(),
                };
                Proc::Loop(Box::new(body), Box::new(exit))
            }
            10 => {
                let (a, b) = (self.part(depth - 1), self.told());
                Proc::Side(Box::new(a), Box::new(b))
            }
            11 => {
                let (mut a, b) = (self.part(depth - 1), self.told());
                // There what has come to its end may be disrupted, too, and each of several parts by itself.
                if self.wish.java {
                    let first = if is_one(&a) { a } else { self.told() };
                    a = Proc::Seq(vec![first, Proc::Delta]);
                }
                Proc::Disrupt(Box::new(a), Box::new(b))
            }
            12 => {
                // What is preferred is known to be possible without asking others.
                let best = self.certain();
                let (a, b) = (self.told(), Proc::Seq(vec![best, self.say()]));
                Proc::Biased(Box::new(a), Box::new(b))
            }
            13 => {
                let var = *self.random.one(&[N + 1, X, R, Z]);
                let literal = self.literal(kind(var));
                let set = Proc::Act(Act::Assign(var, literal));
                let inner = Proc::Seq(vec![set, self.part(depth - 1)]);
                Proc::Let(var, Box::new(inner))
            }
            14 if self.within.is_none() => match self.random.below(3) {
                0 => Proc::Call(0, None),
                1 => Proc::Call(1, Some(self.plain(Kind::Int))),
                _ => Proc::CallNamed(X + 1),
            },
            15 | 16 if self.ticks => {
                let (delay, timeout) = match self.random.below(3) {
                    0 => (Some(self.seconds()), None),
                    1 => (None, Some(self.seconds())),
                    _ => (Some(self.seconds()), Some(self.seconds())),
                };
                let act = match self.act() {
                    // The grammar has no time for these.
                    Act::Create(..) | Act::CreateNamed(..) => Act::Tau,
                    act => act,
                };
                Proc::Seq(vec![Proc::Timed(act, delay, timeout), self.say()])
            }
            _ => {
                let test = self.test(1);
                let then = Box::new(self.told());
                let other = self.random.chance(60).then(|| Box::new(self.told()));
                Proc::If(test, then, other)
            }
        }
    }

    fn seconds(&mut self) -> u32 {
        *self.random.one(&[0, 1, 2])
    }

    /// An action, and often a label behind it.
    fn told(&mut self) -> Proc {
        let act = Proc::Act(self.act());
        if self.random.chance(85) {
            Proc::Seq(vec![act, self.say()])
        } else {
            act
        }
    }

    /// An action of which the process itself knows whether it is possible.
    fn certain(&mut self) -> Proc {
        Proc::Act(match self.random.below(4) {
            0 => Act::RecNote(Term::Word("n", vec![self.wanted(Kind::Int)])),
            1 => Act::NoNote(Term::Word("n", vec![self.plain(Kind::Int)])),
            _ => {
                let (test, act) = (self.test(0), Box::new(Proc::Act(Act::Tau)));
                return Proc::If(test, act, None);
            }
        })
    }

    /// A variable of a kind that may be set.
    fn settable(&mut self, kind: Kind) -> usize {
        let var = self.var(kind);
        // Parameters keep their values.
        match self.within.map(|number| CALLED[number].1) {
            Some(Some(parameter)) if parameter == var => N + 1,
            _ => var,
        }
    }

    fn act(&mut self) -> Act {
        let tool = |random: &mut Random| *random.one(&[T, T, T, T, T, T, U, C]);
        let tools = self.wish.tools && self.within.is_none();
        let mut what = self.random.below(if tools { 25 } else { 14 });
        if self.alone && matches!(what, 3..=6 | 8) && self.random.chance(80) {
            // Nobody would answer.
            what = if tools { 14 } else { 0 };
        }
        match what {
            0..=2 => {
                let kinds = [
                    Kind::Int,
                    Kind::Int,
                    Kind::Str,
                    Kind::Real,
                    Kind::Bool,
                    Kind::Term,
                    Kind::List,
                ];
                let kind = *self.random.one(&kinds);
                Act::Assign(self.settable(kind), self.expression(kind, 2))
            }
            3 | 4 if self.sends => Act::SndMsg(self.message(false)),
            3..=6 if self.takes => Act::RecMsg(self.message(true)),
            3..=6 => Act::Tau,
            7 => Act::SndNote(Term::Word("n", vec![self.plain(Kind::Int)])),
            8 => Act::RecNote(Term::Word("n", vec![self.wanted(Kind::Int)])),
            9 => Act::NoNote(Term::Word("n", vec![self.plain(Kind::Int)])),
            10 => match self.random.chance(50) {
                true => Act::Subscribe("n"),
                false => Act::Unsubscribe("n"),
            },
            11 if self.looping == 0 && self.within.is_none() => {
                let var = self.settable(Kind::Int);
                match self.random.below(if self.wish.java { 2 } else { 3 }) {
                    0 => Act::Create(0, None, var),
                    1 => Act::Create(1, Some(self.plain(Kind::Int)), var),
                    _ => Act::CreateNamed(X + 1, var),
                }
            }
            12 if self.random.chance(40) => Act::Shutdown,
            11..=13 => Act::Tau,
            14..=17 => {
                let (word, kind) = self.event();
                Act::Event(tool(self.random), Term::Word(word, vec![self.wanted(kind)]))
            }
            18 => {
                let (word, kind) = self.event();
                Act::Ack(tool(self.random), Term::Word(word, vec![self.plain(kind)]))
            }
            19 | 20 => Act::Eval(tool(self.random), Term::Word("q", Vec::new())),
            21 | 22 => {
                let (_, kind) = self.event();
                let what = match self.random.chance(25) {
                    true => self.wanted(kind),
                    false => Term::Word("v", vec![self.wanted(kind)]),
                };
                Act::Value(tool(self.random), what)
            }
            23 => match self.random.chance(75) {
                true => Act::Do(tool(self.random), Term::Word("show", Vec::new())),
                false => Act::Terminate(*self.random.one(&[T, U])),
            },
            _ => Act::Disconnect(C),
        }
    }

    fn event(&mut self) -> (&'static str, Kind) {
        *self.random.one(&[
            ("e", Kind::Int),
            ("e", Kind::Str),
            ("s", Kind::Str),
            ("r", Kind::Real),
            ("z", Kind::Term),
            ("b", Kind::Bool),
        ])
    }

    fn message(&mut self, wanted: bool) -> Term {
        let kinds = [Kind::Int, Kind::Int, Kind::Str, Kind::Term, Kind::List];
        let kind = *self.random.one(&kinds);
        let part = match wanted {
            true => self.wanted(kind),
            false => self.plain(kind),
        };
        Term::Word("m", vec![part])
    }

    fn var(&mut self, kind: Kind) -> usize {
        let all = (0..VARIABLES.len()).filter(|var| VARIABLES[*var].1 == kind);
        let of: Vec<usize> = all.collect();
        *self.random.one(&of)
    }

    fn literal(&mut self, kind: Kind) -> Term {
        match kind {
            Kind::Int => Term::Int(*self.random.one(&INTS)),
            Kind::Str => {
                let text: &&str = self.random.one(&TEXTS);
                Term::Str(text)
            }
            Kind::Real => Term::Real(self.random.one(&REALS).abs()),
            Kind::Bool => Term::Bool(self.random.chance(50)),
            Kind::List => match self.random.below(3) {
                0 => Term::List(Vec::new()),
                1 => Term::List(vec![self.literal(Kind::Int)]),
                _ => Term::List(vec![Term::Int(1), self.plain(Kind::Int)]),
            },
            _ => match self.random.below(4) {
                0 => Term::Int(7),
                1 => Term::Str("go"),
                2 => Term::Word("undefined", Vec::new()),
                _ => Term::Word("w", Vec::new()),
            },
        }
    }

    /// A variable or a literal.
    fn plain(&mut self, kind: Kind) -> Term {
        match self.random.chance(65) {
            true => Term::Var(self.var(kind)),
            false => self.literal(kind),
        }
    }

    /// The same, or a variable that is filled.
    fn wanted(&mut self, kind: Kind) -> Term {
        match self.random.chance(75) {
            true => Term::Fill(self.settable(kind)),
            false => self.plain(kind),
        }
    }

    fn call(&mut self, name: &'static str, kinds: &[Kind], depth: usize) -> Term {
        let parts = kinds.iter().map(|kind| self.expression(*kind, depth - 1));
        Term::Call(name, parts.collect())
    }

    fn expression(&mut self, kind: Kind, depth: usize) -> Term {
        if depth == 0 || self.random.chance(30) {
            return self.plain(kind);
        }
        let (int, real, list) = (Kind::Int, Kind::Real, Kind::List);
        match kind {
            Kind::Int => match self.random.below(10) {
                0 => self.call("size", &[list], depth),
                1 => self.call("abs", &[int], depth),
                2 => self.call("real-to-int", &[real], depth),
                3 => Term::Call("process-id", Vec::new()),
                _ => {
                    let name = *self.random.one(&["add", "add", "sub", "mul", "div", "mod"]);
                    self.call(name, &[int, int], depth)
                }
            },
            // Texts do not double.
            Kind::Str => match self.random.below(4) {
                0 => Term::Call("fun", vec![self.plain(Kind::Term)]),
                1 => Term::Call("concat", vec![self.plain(Kind::Term), self.literal(kind)]),
                _ => Term::Call("concat", vec![self.plain(kind), self.literal(kind)]),
            },
            Kind::Real => match self.random.below(6) {
                0 => self.call("rabs", &[real], depth),
                1 => self.call("int-to-real", &[int], depth),
                _ => {
                    let name = *self.random.one(&["radd", "rsub", "rmul", "rdiv"]);
                    self.call(name, &[real, real], depth)
                }
            },
            Kind::Bool => self.test(depth - 1),
            Kind::List => match self.random.below(9) {
                0 => self.call("next", &[list], depth),
                1 => Term::Call("join", vec![self.plain(int), self.literal(list)]),
                2 => Term::Call(
                    "replace",
                    vec![self.plain(list), self.plain(int), self.plain(int)],
                ),
                3 => Term::Call(
                    "put",
                    vec![Term::List(Vec::new()), self.plain(int), self.plain(int)],
                ),
                4 => self.call("diff", &[list, list], depth),
                5 => self.call("inter", &[list, list], depth),
                6 => Term::Call("args", vec![self.plain(Kind::Term)]),
                _ => self.plain(list),
            },
            _ => match self.random.below(5) {
                0 => Term::Call("first", vec![Term::List(Vec::new())]),
                1 => Term::Call("first", vec![self.plain(list)]),
                2 => Term::Call("index", vec![self.plain(list), self.plain(int)]),
                3 => {
                    let row = Term::List(vec![Term::Int(1), self.plain(int)]);
                    Term::Call("get", vec![Term::List(vec![row]), self.plain(int)])
                }
                _ => {
                    let kind = *self.random.one(&[int, real, Kind::Str, list]);
                    self.plain(kind)
                }
            },
        }
    }

    /// A truth value.
    fn test(&mut self, depth: usize) -> Term {
        if depth > 0 && self.random.chance(25) {
            let name = *self.random.one(&["and", "or"]);
            return Term::Call(name, vec![self.test(0), self.test(0)]);
        }
        match self.random.below(14) {
            0..=2 => {
                let name = *self
                    .random
                    .one(&["less", "less-equal", "greater", "greater-equal"]);
                let var = Term::Var(self.var(Kind::Int));
                let other = match self.random.chance(70) {
                    true => self.literal(Kind::Int),
                    false => Term::Var(self.var(Kind::Int)),
                };
                Term::Call(name, vec![var, other])
            }
            3 => {
                let names = ["rless", "rgreater-equal", "rless-equal", "rgreater"];
                let name = *self.random.one(&names);
                let var = Term::Var(self.var(Kind::Real));
                Term::Call(name, vec![var, self.literal(Kind::Real)])
            }
            4 | 12 => {
                let names = [
                    "is-int", "is-str", "is-real", "is-bool", "is-list", "is-appl",
                ];
                let name = *self.random.one(&names);
                Term::Call(name, vec![Term::Var(Z)])
            }
            5 => Term::Call("not", vec![Term::Var(B)]),
            6 | 13 => match self.random.below(3) {
                0 => Term::Call("is-empty", vec![self.plain(Kind::List)]),
                1 => Term::Call(
                    "member",
                    vec![self.plain(Kind::Int), self.plain(Kind::List)],
                ),
                _ => Term::Call(
                    "subset",
                    vec![self.plain(Kind::List), self.plain(Kind::List)],
                ),
            },
            _ => {
                let kinds = [
                    Kind::Int,
                    Kind::Str,
                    Kind::Str,
                    Kind::Real,
                    Kind::Term,
                    Kind::List,
                ];
                let kind = *self.random.one(&kinds);
                let var = Term::Var(self.var(kind));
                let name = *self.random.one(&["equal", "equal", "not-equal"]);
                let other = match (kind, self.random.chance(30)) {
                    (Kind::Str | Kind::Real, true) => self.expression(kind, 1),
                    _ => self.plain(kind),
                };
                Term::Call(name, vec![var, other])
            }
        }
    }
}
