//! Runs of programs over structures that never end: lassos, and how they are replayed.

use logic::Buchi;

use super::PredicateProgram;
use super::concrete::{Concrete, Taken};
use super::formula::{Formula, Kleene};
use super::run::{PredicateRun, RunError};
use super::structure::Structure;
use crate::trace::Trace;

/// A run that never ends, replayed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EndlessRun {
    /// Where it begins.
    pub initial: Structure,
    /// What its individuals are called there.
    pub names: Vec<String>,
    /// Its steps.
    pub steps: Vec<Taken>,
    /// The steps from this position on repeat for ever; behind the last one nothing changes any more.
    pub repeats_from: usize,
}

impl EndlessRun {
    /// Replays a trace on the [interpreter](Concrete).
    ///
    /// # Errors
    /// If it is no run of the program that an automaton accepts, or passes over a thread for ever where
    /// the program says that none is.
    pub fn replay(
        program: &PredicateProgram,
        trace: &Trace,
        automaton: &Buchi<Formula>,
    ) -> Result<EndlessRun, RunError> {
        let (initial, names, steps) = PredicateRun::steps_of(program, trace)?;
        let repeats_from = trace.loop_start.unwrap_or(steps.len());
        let run = EndlessRun {
            initial,
            names,
            steps,
            repeats_from,
        };
        let observers = run.steps.iter();
        let mut observers = observers.map(|taken| &program.actions[taken.action]);
        if observers.any(|action| program.is_observer(action)) || !run.closes(program) {
            return Err(RunError::Open);
        }
        if program.fair && !run.is_fair(program) {
            return Err(RunError::Unfair);
        }
        let letters = run.steps.len().max(repeats_from + 1);
        let accepted = automaton.accepts_lasso(repeats_from, letters, |at, atom| {
            let mut assignment = vec![0; atom.slots()];
            run.state(at).value(atom, &mut assignment) == Kleene::True
        });
        match accepted {
            true => Ok(run),
            false => Err(RunError::Silent),
        }
    }

    /// Where the run is after so many steps.
    #[must_use]
    pub fn state(&self, after: usize) -> &Structure {
        match after.checked_sub(1) {
            None => &self.initial,
            Some(last) => &self.steps[last].state,
        }
    }

    /// Whether it goes on for ever.
    fn closes(&self, program: &PredicateProgram) -> bool {
        let end = self.state(self.steps.len());
        if self.repeats_from == self.steps.len() {
            return Concrete::new(program).has_ended(end);
        }
        self.repeats_from < self.steps.len() && self.state(self.repeats_from) == end
    }

    /// Whether no thread that can always go on is passed over for ever.
    fn is_fair(&self, program: &PredicateProgram) -> bool {
        if self.repeats_from == self.steps.len() {
            return true;
        }
        let concrete = Concrete::new(program);
        let rest = self.repeats_from..self.steps.len();
        let mut all = 0..self.state(self.repeats_from).size();
        // Who vanishes on the way is another one when it comes again.
        let lasting = |at: usize| {
            let origins = self.steps[at].origins.iter();
            origins.copied().eq(0..self.state(at).size())
        };
        rest.clone().all(lasting)
            && all.all(|one| {
                rest.clone().any(|at| {
                    self.steps[at].mover(program) == Some(one)
                        || !concrete.can_go_on(self.state(at), one)
                })
            })
    }
}

impl Taken {
    /// The individual that moves, if one does.
    #[must_use]
    pub fn mover(&self, program: &PredicateProgram) -> Option<usize> {
        let variable = program.actions[self.action].scheduled?;
        self.assignment.get(variable).copied()
    }
}

impl Concrete<'_> {
    /// Whether nobody can go on, whosever turn it is. Where that is not known, it says no.
    #[must_use]
    pub fn has_ended(&self, state: &Structure) -> bool {
        let turns = (0..state.size()).map(Some).chain([None]);
        turns
            .map(|whose| self.with_turn(state, whose))
            .all(|state| {
                let moves = self.successors(&state);
                moves.is_some_and(|all| {
                    let mut all = all.iter().map(|taken| &self.program.actions[taken.action]);
                    all.all(|action| self.program.is_observer(action))
                })
            })
    }

    /// Whether an individual is a thread that can go on if it is its turn. Where that is not known, it
    /// says yes.
    #[must_use]
    pub fn can_go_on(&self, state: &Structure, one: usize) -> bool {
        let all = self.successors(&self.with_turn(state, Some(one)));
        all.is_none_or(|all| {
            all.iter()
                .any(|taken| taken.mover(self.program) == Some(one))
        })
    }

    /// The same where it is somebody's turn who can have it, or nobody's.
    fn with_turn(&self, state: &Structure, whose: Option<usize>) -> Structure {
        let mut state = state.clone();
        let Some(turn) = self.program.turn else {
            return state;
        };
        state.values[turn.index()].fill(Kleene::False);
        let can = whose.filter(|&one| {
            self.program.schedulable.as_ref().is_none_or(|formula| {
                let mut assignment = vec![0; formula.slots().max(1)];
                assignment[0] = one;
                state.value(formula, &mut assignment) == Kleene::True
            })
        });
        if let Some(one) = can {
            state.set(turn, &[one], Kleene::True);
        }
        // What is defined may read whose turn it is.
        state.define(self.program);
        state
    }
}
