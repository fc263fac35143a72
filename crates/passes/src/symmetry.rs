//! Symmetry: templates whose instances can be exchanged without anybody noticing.
//!
//! If no step, no property and no other instance can tell two instances of a template apart, the
//! state in which they have changed places has the same future as the state itself: the exchange
//! is an automorphism of the state graph (Emerson and Sistla 1996; Ip and Dill 1996), and one state
//! can stand for all that differ by exchanges. An engine stores it by sorting the instances, and
//! tells runs as they really are: each step is found again from the state that the run has come to,
//! not from the one that stands for it.
//!
//! An instance is known by its number. So the instances of a template are interchangeable if
//! - they never learn their numbers: they do not evaluate `Me`, and nobody keeps the number that
//!   starting one gives;
//! - nobody looks at one of them by number: at its variables, at where it is, at whether it can
//!   move; nor counts instances, nor asks for the first of a template, nor is told who moved last;
//! - they take no number with them into other names: they make no channels of their own, own no
//!   element of an array that has one for each instance, and share no frame.
//!
//! Where instances go away youngest first, exchanging one that has ended with a younger one that
//! has not lets the first go sooner or later than it would have. If nobody can see whether an
//! instance has ended or is gone (nobody looks at any instance by number, no channel goes away with
//! one, and nobody is started, who would get a number that is free), all that have ended count as
//! gone. Else templates whose instances end are left alone there.
//!
//! Parameters and first values may differ: they are part of what changes places.
//!
//! Preserves what can be reached. What is said of whole runs, and fairness to single instances, it
//! does not.

use std::collections::HashSet;

use model::{Composition, Expr, ExprId, IdPolicy, Process, ProcessId, Program, Root, Stmt, Target};

use crate::access::{Accesses, Frames, Var};
use crate::cone;
use crate::observed::{Observed, QueryKind};
use crate::rewrite::{Replace, is_disabled};

/// What may be exchanged.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Interchangeable {
    /// The templates whose instances are interchangeable.
    pub templates: Vec<ProcessId>,
    /// Whether instances that have ended have to count as gone.
    pub ended_are_gone: bool,
    /// Whether what the program says is [alike](model::Alike) may be exchanged. Passes keep what is:
    /// they treat all instances of a template and all elements of an array in the same way.
    pub alike: bool,
}

/// The templates whose instances are interchangeable, for all that is observed.
#[must_use]
pub fn interchangeable(program: &Program, observed: &Observed) -> Interchangeable {
    let nothing = Interchangeable {
        alike: program.alike.is_some() && observed.kind == QueryKind::Safety,
        ..Interchangeable::default()
    };
    let several = templates_of_several(program);
    let interleaving = matches!(program.composition, Composition::Interleaving { .. });
    if several.is_empty()
        || !interleaving
        || observed.kind > QueryKind::Safety
        || program.leaver.is_some()
        || !program.per_instance.is_empty()
        || !program.barriers.is_empty()
    {
        return nothing;
    }
    let Some(frames) = Frames::of(program) else {
        return nothing;
    };
    let mut accesses = Accesses::default();
    let mut cone = cone::of_program(program, &mut accesses, &frames);
    cone.join(cone::of_observed(program, &mut accesses, observed));
    let looked_at = |id: ProcessId| {
        let remote = |var: &Var| matches!(var, Var::Own(process, _) if *process == id);
        cone.at.iter().any(|&(process, _)| process == id) || cone.remote.iter().any(remote)
    };
    let mut uses = Uses::new(program);
    for process in &program.processes {
        uses.process(&mut alive(program, process));
    }
    for observer in &program.observers {
        uses.body(&mut observer.body.clone());
    }
    uses.all(&mut observed.exprs.clone());
    if cone.count || uses.asks_by_number || uses.shares_frames {
        return nothing;
    }
    let learned = std::mem::take(&mut uses.learned);
    // Whoever emits an event evaluates what observers do.
    let mut observers = Uses::new(program);
    for observer in &program.observers {
        observers.body(&mut observer.body.clone());
    }
    if observers.me || observers.makes_channels {
        return nothing;
    }
    let stack = matches!(
        program.composition,
        Composition::Interleaving {
            ids: IdPolicy::Stack
        }
    );
    let ends = |id: ProcessId| {
        let process = &program.processes[id.index()];
        let mut steps = process.steps.iter();
        process.starts_ended
            || steps.any(|s| !is_disabled(program, s) && matches!(s.target, Target::End))
    };
    let nobody_sees_who_is_gone = stack
        && uses.spawned.is_empty()
        && !uses.makes_channels
        && cone.at.is_empty()
        && cone.remote.is_empty()
        && program
            .channels
            .iter()
            .all(|channel| channel.owner.is_none());
    let templates: Vec<ProcessId> = several
        .into_iter()
        .filter(|&id| {
            let mut own = Uses::new(program);
            own.process(&mut alive(program, &program.processes[id.index()]));
            !own.me && !own.makes_channels && !learned.contains(&id) && !looked_at(id)
        })
        .filter(|&id| nobody_sees_who_is_gone || !ends(id))
        .collect();
    Interchangeable {
        ended_are_gone: templates.iter().any(|&id| ends(id)),
        templates,
        alike: nothing.alike,
    }
}

/// Templates of which there may be more than one instance.
fn templates_of_several(program: &Program) -> Vec<ProcessId> {
    let mut uses = Uses::new(program);
    for process in &program.processes {
        uses.process(&mut alive(program, process));
    }
    let started = |id: ProcessId| program.start.iter().filter(|s| s.process == id).count();
    (0..program.processes.len())
        .map(ProcessId::new)
        .filter(|&id| started(id) > 1 || uses.spawned.contains(&id))
        .filter(|&id| !program.processes[id.index()].environment)
        .collect()
}

/// A template without the steps that are never taken.
fn alive(program: &Program, process: &Process) -> Process {
    let mut process = process.clone();
    process.steps.retain(|step| !is_disabled(program, step));
    process
}

/// What text does with the numbers of instances.
struct Uses<'p> {
    program: &'p Program,
    seen: HashSet<ExprId>,
    /// Evaluates its own number.
    me: bool,
    /// Asks about an instance by its number: whether it can move.
    asks_by_number: bool,
    shares_frames: bool,
    makes_channels: bool,
    spawned: HashSet<ProcessId>,
    /// Templates whose new instances' numbers are kept.
    learned: HashSet<ProcessId>,
}

impl<'p> Uses<'p> {
    fn new(program: &'p Program) -> Self {
        Uses {
            program,
            seen: HashSet::new(),
            me: false,
            asks_by_number: false,
            shares_frames: false,
            makes_channels: false,
            spawned: HashSet::new(),
            learned: HashSet::new(),
        }
    }
}

/// Looks, and replaces nothing.
impl Replace for Uses<'_> {
    fn expr(&mut self, id: ExprId) -> ExprId {
        let mut waiting = vec![id];
        while let Some(id) = waiting.pop() {
            source::limits::check();
            if !self.seen.insert(id) {
                continue;
            }
            match self.program.exprs.get(id) {
                Expr::Me => self.me = true,
                Expr::Enabled(_) => self.asks_by_number = true,
                Expr::Load(place) => self.me |= matches!(place.root, Root::Cell(_)),
                _ => {}
            }
            self.program
                .exprs
                .operands(id, |operand| waiting.push(operand));
        }
        id
    }

    fn body(&mut self, body: &mut [Stmt]) {
        for stmt in body {
            match stmt {
                Stmt::Spawn {
                    process,
                    args,
                    result,
                    share_frame,
                } => {
                    self.spawned.insert(*process);
                    self.shares_frames |= *share_frame;
                    if let Some(place) = result {
                        self.learned.insert(*process);
                        self.place(place);
                    }
                    self.all(args);
                }
                Stmt::NewChannel { result, .. } => {
                    self.makes_channels = true;
                    self.place(result);
                }
                Stmt::New { result, .. } => {
                    // Objects are named by when they were made; that is not looked into.
                    self.me = true;
                    self.place(result);
                }
                Stmt::If(cond, then, otherwise) => {
                    self.expr(*cond);
                    self.body(then);
                    self.body(otherwise);
                }
                Stmt::Assign(place, value) => {
                    self.place(place);
                    self.expr(*value);
                }
                Stmt::Choose(choice) => self.choice(choice),
                Stmt::Assert { cond, .. } | Stmt::Assume(cond) | Stmt::Free(cond) => {
                    self.expr(*cond);
                }
                Stmt::Emit { args, .. } => self.all(args),
                Stmt::Raise(_) => {}
            }
        }
    }
}
