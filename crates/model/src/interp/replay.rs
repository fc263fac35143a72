//! Replay: turns a trace back into states and events, or says that there is no such run.

use std::ops::Range;

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
    /// The macro steps; without those of the [gap](Replay::gap).
    pub steps: Vec<ReplayedStep>,
    /// What is not kept of a long run of which [only the ends](Interp::replay_ends) were wanted.
    pub gap: Option<Gap>,
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

/// Macro steps in the middle of a run that were replayed and are not kept.
#[derive(Clone, Debug)]
pub struct Gap {
    /// How many come before.
    pub after: usize,
    /// How many they are; at least one.
    pub steps: usize,
    /// The state at the end of the last of them.
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
    /// How many macro steps the run has.
    #[must_use]
    pub fn length(&self) -> usize {
        self.steps.len() + self.gap.as_ref().map_or(0, |gap| gap.steps)
    }

    /// The state after so many macro steps.
    ///
    /// # Panics
    /// If it is inside the [gap](Replay::gap).
    #[must_use]
    pub fn state(&self, position: usize) -> &State {
        match &self.gap {
            _ if position == 0 => &self.initial,
            Some(gap) if position > gap.after => {
                let end = gap.after + gap.steps;
                assert!(
                    position >= end,
                    "internal error: what is in the gap of a run is asked for"
                );
                match position - end {
                    0 => &gap.state,
                    n => &self.steps[gap.after + n - 1].state,
                }
            }
            _ => &self.steps[position - 1].state,
        }
    }
}

impl Interp<'_> {
    /// Replays a trace.
    ///
    /// # Errors
    /// If the program has no such run.
    pub fn replay(&self, trace: &Trace) -> Result<Replay, ReplayError> {
        let mut replay = self.begin_replay(trace)?;
        self.replay_on(&mut replay, trace, 0..trace.steps.len())?;
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

    /// Replays a trace that does not repeat, and of a run of more macro steps than twice so many keeps
    /// so many at its beginning and at its end: a run of millions takes more memory than it is worth.
    ///
    /// # Errors
    /// If the program has no such run.
    pub fn replay_ends(&self, trace: &Trace, kept: usize) -> Result<Replay, ReplayError> {
        let length = trace.steps.len();
        if trace.loop_start.is_some() || length / 2 <= kept {
            return self.replay(trace);
        }
        let mut replay = self.begin_replay(trace)?;
        self.replay_on(&mut replay, trace, 0..kept)?;
        let mut state = replay.state(kept).clone();
        for (index, step) in trace.steps[..length - kept].iter().enumerate().skip(kept) {
            if !replay.complete {
                return Err(ReplayError::Boundary(index - 1));
            }
            let (replayed, complete) = self.replay_step(index, &state, step)?;
            state = replayed.state;
            replay.complete = complete;
        }
        replay.gap = Some(Gap {
            after: kept,
            steps: length - 2 * kept,
            state,
        });
        self.replay_on(&mut replay, trace, length - kept..length)?;
        Ok(replay)
    }

    /// A replay of which no step has been made.
    fn begin_replay(&self, trace: &Trace) -> Result<Replay, ReplayError> {
        let initial = self
            .initial_given(&trace.initial)
            .map_err(|halt| ReplayError::Initial(reason(halt)))?;
        Ok(Replay {
            initial,
            steps: Vec::new(),
            gap: None,
            complete: true,
        })
    }

    /// Replays these macro steps, and keeps them.
    fn replay_on(
        &self,
        replay: &mut Replay,
        trace: &Trace,
        steps: Range<usize>,
    ) -> Result<(), ReplayError> {
        for index in steps {
            if !replay.complete {
                return Err(ReplayError::Boundary(index - 1));
            }
            let step = &trace.steps[index];
            let (replayed, complete) = self.replay_step(index, replay.state(index), step)?;
            replay.steps.push(replayed);
            replay.complete = complete;
        }
        Ok(())
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
