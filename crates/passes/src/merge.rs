//! Merge: private steps need no state of their own.
//!
//! A step that touches only what its own process sees, is always possible and always ends well
//! commutes with everything others do; so the state before it tells nothing that the states
//! around do not (Holzmann 1999, "The engineering of a model checker", statement merging; it is
//! the simplest case of partial-order reduction). Such a step is made the last part of the macro
//! step that leads to it: its location becomes a region.
//!
//! A location qualifies if control stays there only to take one step, and that step has no
//! choice, guard, communication or fault, starts nothing and emits nothing that is observed,
//! reads and writes only variables that no other instance mentions, changes nothing that an
//! observed expression can [see](crate::views), and leads to a stable location. One location stays
//! stable on every loop, and so does the entry. Nothing is merged where precedence, the
//! enabledness of single instances, atomic hand-over or fairness of steps could tell the
//! difference: a process that for ever does *not* take its private step looks, to a fairness
//! constraint, unlike one that has taken it. (That *nobody* is enabled, `timeout`, is false where
//! a private step is due, and so are lower priority classes.)
//!
//! What can fault is never merged: it would take with it the state before it, in which what came
//! before can be seen. A step that faults does not come to those that are merged behind it.
//!
//! Preserves reachability of states, failures, faults, divergence and deadlock, and linear time
//! without `X`, unless an observed variable lives within macro steps.

use std::collections::HashSet;

use model::{
    Composition, Expr, FairnessKind, LocId, Mode, ProcessId, Program, Root, Step, Stmt, Target,
    VariableKind,
};

use crate::access::{Accesses, Frames, Scope, Var, outgoing, resolve, singles, written};
use crate::collapse::reads_step_variable;
use crate::cone::{self, Cone};
use crate::constants::shares_frames;
use crate::faults::Faults;
use crate::liveness::emitted;
use crate::observed::{Observed, QueryKind};
use crate::rewrite::live_steps;
use crate::views::Views;

/// The program with private steps merged into those before them.
#[must_use]
pub fn merge(program: &Program, observed: &Observed) -> Program {
    let mut merged = program.clone();
    let interleaving = matches!(program.composition, Composition::Interleaving { .. });
    let Some(frames) = Frames::of(program).filter(|_| interleaving) else {
        return merged;
    };
    let mut accesses = Accesses::default();
    let seen = cone::of_observed(program, &mut accesses, observed);
    if !allows(program, observed, &seen) {
        return merged;
    }
    let shared = Shared::of(program, &frames, &mut accesses);
    let mut views = Views::new(program, &frames, observed);
    let has_atomic = program
        .processes
        .iter()
        .flat_map(|process| &process.locations)
        .any(|location| location.mode == Mode::Atomic);
    let highest = program
        .processes
        .iter()
        .flat_map(|process| &process.steps)
        .map(|step| step.class)
        .max();
    let read = cone::of_program(program, &mut accesses, &frames);
    let mut faults = Faults::default();
    for (index, process) in program.processes.iter().enumerate() {
        let id = ProcessId::new(index);
        let outgoing = outgoing(process);
        // Where a rendezvous ends, its partner may have to go on first.
        let handed_over: HashSet<LocId> = process
            .steps
            .iter()
            .filter(|step| has_atomic && step.comm.is_some())
            .filter_map(|step| match step.target {
                Target::Goto(to) => Some(to),
                _ => None,
            })
            .collect();
        // Where the one step of each qualifying location leads.
        let mut leads_to: Vec<Option<LocId>> = vec![None; process.locations.len()];
        for at in (0..process.locations.len()).map(LocId::new) {
            let covered = process.escapes.iter().any(|e| e.covers.contains(&at));
            let named = read.at.contains(&(id, at)) || views.names_anyone_at(id, at);
            if at == process.entry
                || covered
                || named
                || handed_over.contains(&at)
                || process.locations[at.index()].mode != Mode::Open
            {
                continue;
            }
            let live = live_steps(program, process, &outgoing[at.index()]);
            let &[step] = live.as_slice() else { continue };
            let scope = frames.step(program, id, step);
            let number = step;
            let step = &process.steps[step];
            if let Target::Goto(to) = step.target
                && process.locations[to.index()].mode == Mode::Open
                && Some(step.class) == highest
                && is_plain(program, &mut faults, scope, step)
                && shared.is_private(program, &mut accesses, &seen, &views, scope, step)
                && !views.names_anyone_at(id, to)
                && views.is_invisible(id, at, number)
            {
                leads_to[at.index()] = Some(to);
            }
        }
        break_loops(&mut leads_to);
        for (location, _) in merged.processes[index]
            .locations
            .iter_mut()
            .zip(&leads_to)
            .filter(|(_, to)| to.is_some())
        {
            location.mode = Mode::Region;
        }
    }
    merged
}

/// Whether nothing in the program or the query can tell merged steps from single ones.
fn allows(program: &Program, observed: &Observed, seen: &Cone) -> bool {
    let fair_steps = program.fairness.iter().any(|fairness| {
        matches!(
            fairness.kind,
            FairnessKind::Weak(_) | FairnessKind::Strong(_) | FairnessKind::WeakInstances
        )
    });
    let counts_steps = match observed.kind {
        QueryKind::Safety => false,
        QueryKind::StutterInvariant => fair_steps,
        QueryKind::Linear => true,
    };
    !counts_steps
        && !reads_step_variable(program, seen)
        && !seen.enabledness
        && !asks_who_is_enabled(program)
        && program.state_constraint.is_empty()
        && program
            .processes
            .iter()
            .all(|process| process.provided.is_none() && process.priority.is_none())
}

/// Whether the program asks about the enabledness of single instances. That nobody is enabled is
/// no more often true where a private step is due than where it has been made.
fn asks_who_is_enabled(program: &Program) -> bool {
    (0..program.exprs.len()).any(|index| {
        matches!(
            program.exprs.get(model::ExprId::new(index)),
            Expr::Enabled(_)
        )
    })
}

/// Keeps one location stable on every loop: a chain that comes back to where it began, or to one
/// that this walk has made sure of, is cut there.
fn break_loops(leads_to: &mut [Option<LocId>]) {
    let mut done = vec![false; leads_to.len()];
    for start in 0..leads_to.len() {
        let mut on_path = HashSet::new();
        let mut at = start;
        while let Some(to) = leads_to[at] {
            source::limits::check();
            if done[at] {
                break;
            }
            if !on_path.insert(at) {
                leads_to[at] = None;
                break;
            }
            at = to.index();
        }
        for at in on_path {
            done[at] = true;
        }
    }
}

/// Whether the step is always possible, ends well, and is a plain change of variables.
fn is_plain(program: &Program, faults: &mut Faults, scope: Scope, step: &Step) -> bool {
    step.binds.is_empty()
        && step.guard.is_none()
        && step.comm.is_none()
        && !faults.block(program, scope, &step.body)
        && step.body.iter().all(|stmt| is_plain_stmt(program, stmt))
}

fn is_plain_stmt(program: &Program, stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Assign(place, _) => matches!(place.root, Root::Global(_) | Root::Own(_)),
        Stmt::If(_, then, otherwise) => then
            .iter()
            .chain(otherwise)
            .all(|stmt| is_plain_stmt(program, stmt)),
        Stmt::Emit { .. } => {
            let mut events = Vec::new();
            emitted(std::slice::from_ref(stmt), &mut events);
            program
                .observers
                .iter()
                .all(|o| !events.contains(&o.event) || o.body.is_empty())
        }
        _ => false,
    }
}

/// The variables that more than one instance mentions.
struct Shared {
    vars: HashSet<Var>,
}

impl Shared {
    fn of(program: &Program, frames: &Frames, accesses: &mut Accesses) -> Self {
        let mut owner = std::collections::HashMap::new();
        let mut vars = HashSet::new();
        let mut note = |var: Var, process: Option<ProcessId>| {
            let entry = *owner.entry(var).or_insert(process);
            if entry.is_none() || entry != process {
                vars.insert(var);
            }
        };
        let mut mentioned = HashSet::new();
        let singles = singles(program);
        for (index, process) in program.processes.iter().enumerate() {
            let id = ProcessId::new(index);
            // Locals are each instance's own; globals are shared among several instances.
            let alone = singles[index].then_some(id);
            for (position, step) in process.steps.iter().enumerate() {
                let scope = frames.step(program, id, position);
                mentioned.clear();
                mentions(program, accesses, scope, step, &mut mentioned);
                for &var in &mentioned {
                    match var {
                        Var::Own(process, _) if process == id => note(var, Some(id)),
                        _ => note(var, alone),
                    }
                }
            }
        }
        for observer in program.observers.iter().filter(|o| !o.body.is_empty()) {
            let scope = Scope::Observer(observer.event);
            let step = Step {
                body: observer.body.clone(),
                ..Step::new(LocId(0), LocId(0), source::Span::NONE)
            };
            mentioned.clear();
            mentions(program, accesses, scope, &step, &mut mentioned);
            for &var in &mentioned {
                note(var, None);
            }
        }
        // The program's own remote references reach any local; instances that share a frame, all.
        for var in cone::remote_reads(program, accesses, frames) {
            note(var, None);
        }
        if shares_frames(program) {
            for (index, process) in program.processes.iter().enumerate() {
                for local in 0..process.locals.len() {
                    note(Var::Own(ProcessId::new(index), local as u32), None);
                }
            }
        }
        Shared { vars }
    }

    /// Whether the step mentions only what is its process's own and unobserved.
    fn is_private(
        &self,
        program: &Program,
        accesses: &mut Accesses,
        seen: &Cone,
        views: &Views<'_>,
        scope: Scope,
        step: &Step,
    ) -> bool {
        let mut mentioned = HashSet::new();
        let plain = mentions(program, accesses, scope, step, &mut mentioned);
        plain
            && mentioned.iter().all(|var| {
                let lives_within_steps = matches!(var, Var::Global(id)
                    if program.globals[id.index()].kind == VariableKind::Step);
                let seen = seen.vars.contains(var) && !views.is_named(*var);
                !lives_within_steps && !self.vars.contains(var) && !seen
            })
    }
}

/// Collects the variables that a step reads or writes; says whether it reads nothing else
/// (where others are, how many, what is enabled, channels, objects).
fn mentions(
    program: &Program,
    accesses: &mut Accesses,
    scope: Scope,
    step: &Step,
    into: &mut HashSet<Var>,
) -> bool {
    use crate::access::Access;
    let mut plain = true;
    let mut collect = ExprsOf(Vec::new());
    let mut copy = step.clone();
    crate::rewrite::Replace::step(&mut collect, &mut copy);
    for id in collect.0 {
        for &access in accesses.of(program, id).iter() {
            plain &= matches!(
                access,
                Access::Global(_) | Access::Own(_) | Access::Frame(_)
            );
            resolve(program, scope, access, |var| {
                into.insert(var);
            });
        }
    }
    crate::rewrite::places_of_step(step, &mut |place| {
        into.extend(written(scope, place));
    });
    plain
}

/// Collects expressions by replacing each by itself.
struct ExprsOf(Vec<model::ExprId>);

impl crate::rewrite::Replace for ExprsOf {
    fn expr(&mut self, id: model::ExprId) -> model::ExprId {
        self.0.push(id);
        id
    }
}
