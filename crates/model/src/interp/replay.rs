//! Replay: turns a trace back into states and events, or says that there is no such run.

use thiserror::Error;

use super::oracle::{Given, Halt};
use super::state::State;
use super::{Interp, Occurrence};
use crate::program::Composition;
use crate::trace::{MacroStep, Move, Trace};

/// A run, replayed.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The initial state.
    pub initial: State,
    /// The macro steps.
    pub steps: Vec<ReplayedStep>,
    /// Whether the last macro step ends in a stable state. It may not where the run shows a
    /// failure on the way, or a macro step that never returns.
    pub complete: bool,
}

/// A macro step, replayed.
#[derive(Clone, Debug)]
pub struct ReplayedStep {
    /// What happened, in order.
    pub occurrences: Vec<Occurrence>,
    /// The state at its end, step variables as they are there.
    pub state: State,
}

/// Why a trace is no run.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ReplayError {
    /// There is no such initial state.
    #[error("replay the initial state: {0}")]
    Initial(String),
    /// A move is not possible.
    #[error("replay move {} of macro step {}: {reason}", made + 1, step + 1)]
    Move {
        /// Which macro step, from 0.
        step: usize,
        /// Which of its moves, from 0.
        made: usize,
        /// Why not.
        reason: String,
    },
    /// A macro step ends too early or too late.
    #[error("replay macro step {}: it does not end where the trace says", .0 + 1)]
    Boundary(usize),
    /// The loop does not close.
    #[error("replay the loop: the run does not come back to where it begins")]
    Loop,
}

impl Replay {
    /// The state after so many macro steps.
    #[must_use]
    pub fn state(&self, position: usize) -> &State {
        match position {
            0 => &self.initial,
            n => &self.steps[n - 1].state,
        }
    }
}

impl Interp<'_> {
    /// Replays a trace.
    ///
    /// # Errors
    /// If the program has no such run.
    pub fn replay(&self, trace: &Trace) -> Result<Replay, ReplayError> {
        let initial = self
            .initial_given(&trace.initial)
            .map_err(|halt| ReplayError::Initial(reason(halt)))?;
        let mut replay = Replay {
            initial,
            steps: Vec::new(),
            complete: true,
        };
        for (index, step) in trace.steps.iter().enumerate() {
            if !replay.complete {
                return Err(ReplayError::Boundary(index - 1));
            }
            let (replayed, complete) = self.replay_step(index, replay.state(index), step)?;
            replay.steps.push(replayed);
            replay.complete = complete;
        }
        if let Some(start) = trace.loop_start {
            if start > trace.steps.len() {
                return Err(ReplayError::Loop);
            }
            let stored = |position| self.stored(replay.state(position));
            let closes = replay.complete && stored(start) == stored(trace.steps.len());
            let goes_on = start < trace.steps.len() || self.moves(&stored(start)).is_empty();
            if !closes || !goes_on {
                return Err(ReplayError::Loop);
            }
        }
        Ok(replay)
    }

    /// Replays the macro step number `index` from a stable state; says whether it ends in one.
    ///
    /// # Errors
    /// If there is no such macro step.
    pub fn replay_step(
        &self,
        index: usize,
        from: &State,
        step: &MacroStep,
    ) -> Result<(ReplayedStep, bool), ReplayError> {
        let mut state = self.stored(from);
        let mut occurrences = Vec::new();
        let mut complete = false;
        for (place, made) in step.moves.iter().enumerate() {
            if complete {
                return Err(ReplayError::Boundary(index));
            }
            let refused = |reason: String| ReplayError::Move {
                step: index,
                made: place,
                reason,
            };
            if let Composition::Synchronous(assigns) = &self.program.composition {
                let mut oracle = Given {
                    values: &made.choices,
                    next: 0,
                };
                let (next, _) = self
                    .synchronous_step(&state, assigns, &mut oracle)
                    .map_err(|halt| refused(reason(halt)))?;
                state = next;
                complete = true;
                continue;
            }
            let (next, happened) = self.accept(&state, made).map_err(refused)?;
            state = next;
            occurrences.extend(happened);
            complete = self.stabilise(&mut state);
        }
        if complete && !self.meets_constraints(&state).unwrap_or(false) {
            return Err(ReplayError::Boundary(index));
        }
        Ok((ReplayedStep { occurrences, state }, complete))
    }

    /// The outcome of a given move with given choices.
    fn accept(&self, state: &State, made: &Move) -> Result<(State, Vec<Occurrence>), String> {
        if !self.moves(state).contains(&made.parts) {
            return Err("the step is not enabled".into());
        }
        let mut oracle = Given {
            values: &made.choices,
            next: 0,
        };
        let outcome = self
            .perform(state, &made.parts, &mut oracle)
            .map_err(reason)?;
        if oracle.next < made.choices.len() {
            return Err("more values are given than are chosen".into());
        }
        Ok((outcome.state, outcome.occurrences))
    }
}

fn reason(halt: Halt) -> String {
    match halt {
        Halt::Pruned { .. } => "a guard or an assumption does not hold".into(),
        Halt::Overflow => "a mathematical integer leaves 128 bits".into(),
        Halt::Refused(why) => why,
        Halt::TooWide => "a choice is among too many values".into(),
    }
}
