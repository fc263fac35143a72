//! What watches a program whose instances take turns, move by move.
//!
//! A letter is read where a macro step ends, which is where the next one begins. Fairness of steps
//! asks which steps are taken and which could be. What could be is under-approximated: a step of
//! which that is hard to see counts as one that cannot be taken, which makes more runs fair. The same
//! goes for where nobody can move.

use model::{Comm, FairnessKind, Pattern, Process, ProcessId, Step, StepId};
use solver::Literal;

use crate::Rejected;
use crate::expression::Evaluator;
use crate::gates::Gates;
use crate::interleaving::enabled;
use crate::liveness::{Edges, Often, Watching, truth};
use crate::state::{Scope, State};
use crate::symbol::Symbol;
use crate::symbolic_execution::Path;
use crate::symbolic_execution::Runner;

/// What is seen of a state before a move.
pub(crate) struct Read {
    edges: Edges,
    /// By fairness constraint: whether its condition holds, or the two of compassion.
    conditions: Vec<Vec<Literal>>,
    stable: bool,
}

/// That, and what could be done there.
pub(crate) struct Reading {
    read: Read,
    /// By fairness constraint: whether one of its steps could be taken.
    can: Vec<Literal>,
    /// By fairness constraint: what its guess becomes, if it has one.
    never: Vec<Option<Literal>>,
}

impl<'a> Watching<'a> {
    /// Where it begins.
    pub(crate) fn begin(&self, gates: &Gates, state: &mut State) {
        let first = self.places.states[self.monitor.automaton.initial.index()];
        state.globals[first.index()] = Symbol::Bool(gates.constant(true));
    }

    /// Whether enough has been seen.
    pub(crate) fn enough(&self, gates: &mut Gates, state: &State) -> Literal {
        match self.places.counts.last() {
            Some(last) => truth(&state.globals, *last),
            None => gates.constant(true),
        }
    }

    /// Reads a letter where a macro step begins.
    pub(crate) fn read_letter(
        &self,
        run: &mut Runner<'_>,
        state: &State,
        stable: bool,
    ) -> Result<Read, Rejected> {
        let program = run.program;
        let edges = if stable {
            self.read(&mut run.gates, program, state)?
        } else {
            let states = self.places.states.iter();
            let into: Vec<Literal> = states.map(|&id| truth(&state.globals, id)).collect();
            // Where it reads, it has an edge from some state; here it stays in one.
            run.gates.clause(&into);
            Edges {
                accepted: run.gates.constant(false),
                into,
            }
        };
        let mut conditions = Vec::new();
        for fairness in &self.program.fairness {
            let spoken = match fairness.kind {
                FairnessKind::Justice(condition) => vec![condition],
                FairnessKind::Compassion(first, second) => vec![first, second],
                _ => Vec::new(),
            };
            let mut held = Vec::new();
            for condition in spoken {
                held.push(if stable {
                    run.gates.holds(program, Scope::outside(state), condition)?
                } else {
                    run.gates.constant(false)
                });
            }
            conditions.push(held);
        }
        Ok(Read {
            edges,
            conditions,
            stable,
        })
    }

    /// Sees what could be done in the state in which a move begins.
    pub(crate) fn look_around(
        &self,
        run: &mut Runner<'_>,
        state: &State,
        read: Read,
    ) -> Result<Reading, Rejected> {
        let mut can = Vec::new();
        let mut never = Vec::new();
        for (number, fairness) in self.program.fairness.iter().enumerate() {
            let possible = match &fairness.kind {
                FairnessKind::Weak(steps) | FairnessKind::Strong(steps) if read.stable => {
                    self.one_of(run, state, steps)?
                }
                _ => run.gates.constant(false),
            };
            can.push(possible);
            never.push(match self.places.never[number] {
                None => None,
                Some(place) => {
                    let was = truth(&state.globals, place);
                    let again = match fairness.kind {
                        FairnessKind::Strong(_) => possible,
                        _ => read.conditions[number][0],
                    };
                    let is = run.gates.fresh();
                    run.gates.clause(&[!was, !again]);
                    run.gates.clause(&[!was, is]);
                    Some(is)
                }
            });
        }
        Ok(Reading { read, can, never })
    }

    /// What the variables that watch are after a move.
    pub(crate) fn watch(
        &self,
        gates: &mut Gates,
        reading: &Reading,
        path: &mut Path,
    ) -> Result<(), Rejected> {
        let Reading { read, can, never } = reading;
        // Moves leave them as they were.
        let now = path.state.globals.clone();
        let fairness = self.program.fairness.iter().enumerate();
        let fair: Vec<Literal> = fairness
            .map(|(number, fairness)| {
                let was = |place| truth(&now, place);
                let never = self.places.never[number].map(was);
                match &fairness.kind {
                    FairnessKind::Weak(steps) => {
                        let took = path.taken.iter().any(|step| steps.contains(step));
                        let took = gates.constant(took);
                        let stable = gates.constant(read.stable);
                        let cannot = gates.and(stable, !can[number]);
                        gates.or(took, cannot)
                    }
                    FairnessKind::Strong(steps) => {
                        let took = path.taken.iter().any(|step| steps.contains(step));
                        let took = gates.constant(took);
                        gates.or(took, never.unwrap_or(took))
                    }
                    FairnessKind::Compassion(..) => {
                        let second = read.conditions[number][1];
                        gates.or(second, never.unwrap_or(second))
                    }
                    FairnessKind::Justice(_) => read.conditions[number][0],
                    FairnessKind::WeakInstances => gates.constant(true),
                }
            })
            .collect();
        let mut often = Vec::new();
        for what in self.monitor.often {
            often.push(match what {
                Often::Accepted => read.edges.accepted,
                Often::Fair(number) => *fair.get(*number).ok_or(Rejected::Malformed)?,
                Often::Stable => gates.constant(read.stable),
            });
        }
        let mut values = self.count(gates, &now, &often);
        let states = self.places.states.iter().copied();
        values.extend(states.zip(read.edges.into.iter().copied()));
        for (place, value) in self.places.never.iter().zip(never) {
            values.extend(place.zip(*value));
        }
        for (place, value) in values {
            path.state.globals[place.index()] = Symbol::Bool(value);
        }
        Ok(())
    }

    /// Where some step is enabled, as far as that is plain to see: then the run does not end here.
    pub(crate) fn certainly_moves(
        &self,
        run: &mut Runner<'_>,
        state: &State,
    ) -> Result<Literal, Rejected> {
        let mut some = run.gates.constant(false);
        for me in 0..state.instances.len() {
            let process = run.process(state, me);
            for (number, step) in process.steps.iter().enumerate() {
                // What receives is seen where it is sent.
                let receives = matches!(step.comm, Some(Comm::Receive { .. }));
                if !receives && !is_escape(process, StepId::new(number)) {
                    let can = can_move(run, state, me, step)?;
                    some = run.gates.or(some, can);
                }
            }
        }
        Ok(some)
    }

    /// Where one of some steps can certainly be taken.
    fn one_of(
        &self,
        run: &mut Runner<'_>,
        state: &State,
        steps: &[(ProcessId, StepId)],
    ) -> Result<Literal, Rejected> {
        let mut some = run.gates.constant(false);
        let processes = &run.program.processes;
        if processes.iter().any(|process| process.priority.is_some()) {
            return Ok(some);
        }
        for me in 0..state.instances.len() {
            let id = state.instances[me].process;
            let process = run.process(state, me);
            for &(_, number) in steps.iter().filter(|(of, _)| *of == id) {
                let step = &process.steps[number.index()];
                let precedes = |other: &Step| other.from == step.from && other.rank < step.rank;
                if !process.escapes.is_empty() || process.steps.iter().any(precedes) {
                    continue;
                }
                let can = can_move(run, state, me, step)?;
                let urgent = something_above(run, state, step.class)?;
                let can = run.gates.and(can, !urgent);
                some = run.gates.or(some, can);
            }
        }
        Ok(some)
    }
}

fn is_escape(process: &Process, step: StepId) -> bool {
    process.escapes.iter().any(|e| e.steps.contains(&step))
}

/// Where a step of a higher class may be enabled.
fn something_above(run: &mut Runner<'_>, state: &State, class: u8) -> Result<Literal, Rejected> {
    let mut some = run.gates.constant(false);
    for me in 0..state.instances.len() {
        let process = run.process(state, me);
        for step in process.steps.iter().filter(|step| step.class > class) {
            let here = state.instances[me].is_at(&run.gates, step.from);
            let may = match step.guard {
                // It speaks of what is chosen, or has a fault where it does not hold.
                Some(guard) if step.binds.is_empty() => {
                    let mut evaluator = Evaluator::new(&mut run.gates, run.program);
                    let mut may = evaluator.truth(Scope::of(state, me), guard)?;
                    for faulty in std::mem::take(&mut evaluator.faults) {
                        may = run.gates.or(may, faulty.when);
                    }
                    may
                }
                _ => run.gates.constant(true),
            };
            let both = run.gates.and(here, may);
            some = run.gates.or(some, both);
        }
    }
    Ok(some)
}

/// Where the guard of a step and what it communicates let it be taken; nowhere, if that is hard to
/// see.
fn can_move(
    run: &mut Runner<'_>,
    state: &State,
    me: usize,
    step: &Step,
) -> Result<Literal, Rejected> {
    let no = run.gates.constant(false);
    if !step.binds.is_empty() {
        return Ok(no);
    }
    let alone = ready(run, state, me, step)?;
    let sends = match step.comm {
        None => return Ok(alone),
        Some(Comm::Send { .. }) => true,
        Some(Comm::Receive { .. }) => false,
        Some(Comm::Barrier(_)) => return Ok(no),
    };
    let mut some = no;
    for other in 0..state.instances.len() {
        let process = run.process(state, other);
        if other == me || !process.escapes.is_empty() {
            continue;
        }
        for partner in &process.steps {
            let precedes = |s: &Step| s.from == partner.from && s.rank < partner.rank;
            if !partner.binds.is_empty() || process.steps.iter().any(precedes) {
                continue;
            }
            let (sender, receiver) = if sends {
                ((me, step), (other, partner))
            } else {
                ((other, partner), (me, step))
            };
            if let Some(meet) = meet(run, state, sender, receiver)? {
                let both = ready(run, state, other, partner)?;
                let both = run.gates.and(alone, both);
                let meets = run.gates.and(both, meet);
                some = run.gates.or(some, meets);
            }
        }
    }
    Ok(some)
}

/// Where a message of one step is one that the other takes, if they are such steps.
fn meet(
    run: &mut Runner<'_>,
    state: &State,
    (sender, send): (usize, &Step),
    (receiver, receive): (usize, &Step),
) -> Result<Option<Literal>, Rejected> {
    let (
        Some(Comm::Send {
            channel, message, ..
        }),
        Some(Comm::Receive {
            channel: from,
            patterns,
            ..
        }),
    ) = (&send.comm, &receive.comm)
    else {
        return Ok(None);
    };
    let mut pairs = vec![(*channel, *from)];
    for (pattern, &field) in patterns.iter().zip(message) {
        if let Pattern::Match(wanted) = pattern {
            pairs.push((field, *wanted));
        }
    }
    let mut meets = run.gates.constant(true);
    for (mine, theirs) in pairs {
        let mine = surely(run, state, sender, mine, &mut meets)?;
        let theirs = surely(run, state, receiver, theirs, &mut meets)?;
        let same = run.gates.same(&mine, &theirs);
        meets = run.gates.and(meets, same);
    }
    Ok(Some(meets))
}

/// Whether an instance stands where a step begins, and the guard holds.
fn ready(run: &mut Runner<'_>, state: &State, me: usize, step: &Step) -> Result<Literal, Rejected> {
    let here = state.instances[me].is_at(&run.gates, step.from);
    let mut ready = enabled(run, state, me, step)?;
    let process = run.process(state, me);
    if let Some(provided) = process.provided_for(step) {
        let scope = Scope::of(state, me);
        let holds = run.gates.holds(run.program, scope, provided)?;
        ready = run.gates.and(ready, holds);
    }
    Ok(run.gates.and(here, ready))
}

/// A value; `if_right` holds only where it has no fault.
fn surely(
    run: &mut Runner<'_>,
    state: &State,
    me: usize,
    expr: model::ExprId,
    if_right: &mut Literal,
) -> Result<Symbol, Rejected> {
    let mut evaluator = Evaluator::new(&mut run.gates, run.program);
    let value = evaluator.eval(Scope::of(state, me), expr)?;
    for faulty in std::mem::take(&mut evaluator.faults) {
        *if_right = run.gates.and(*if_right, !faulty.when);
    }
    Ok(value)
}
