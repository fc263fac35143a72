//! Fairness of runs that repeat.

use std::collections::BTreeSet;

use super::state::State;
use super::{Interp, Replay, Stop};
use crate::ids::{ProcessId, StepId};
use crate::property::FairnessKind;
use crate::trace::{Action, Part, Trace};

type Steps = [(ProcessId, StepId)];

impl Interp<'_> {
    /// The position, in [`Program::fairness`](crate::Program::fairness), of a constraint that
    /// the run violates by repeating its loop for ever; `None` if it is fair.
    ///
    /// # Errors
    /// If a mathematical integer leaves 128 bits.
    pub fn unfairness(&self, trace: &Trace, replay: &Replay) -> Result<Option<usize>, Stop> {
        let Some(start) = trace.loop_start else {
            return Ok(None);
        };
        for (position, fairness) in self.program().fairness.iter().enumerate() {
            let fair = match &fairness.kind {
                FairnessKind::Justice(condition) => {
                    self.recurs(trace, replay, start, |state| self.holds(state, *condition))?
                }
                FairnessKind::Compassion(premise, conclusion) => {
                    !self.recurs(trace, replay, start, |state| self.holds(state, *premise))?
                        || self
                            .recurs(trace, replay, start, |state| self.holds(state, *conclusion))?
                }
                FairnessKind::Weak(steps) => {
                    self.taken(trace, replay, start, steps)
                        || self.enabled(trace, replay, start, steps, false)
                }
                FairnessKind::Strong(steps) => {
                    self.taken(trace, replay, start, steps)
                        || !self.enabled(trace, replay, start, steps, true)
                }
                FairnessKind::WeakInstances => self.passes_nobody_over(trace, replay, start),
            };
            if !fair {
                return Ok(Some(position));
            }
        }
        Ok(None)
    }

    /// Whether a condition holds somewhere in the loop.
    fn recurs(
        &self,
        trace: &Trace,
        replay: &Replay,
        start: usize,
        condition: impl Fn(&State) -> Result<bool, Stop>,
    ) -> Result<bool, Stop> {
        if start == trace.steps.len() {
            return condition(&self.stored(replay.state(start)));
        }
        for position in start + 1..=trace.steps.len() {
            if condition(replay.state(position))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether one of the steps is taken in the loop.
    fn taken(&self, trace: &Trace, replay: &Replay, start: usize, steps: &Steps) -> bool {
        (start..trace.steps.len()).any(|position| {
            replay.steps[position].occurrences.iter().any(|occurrence| {
                matches!(occurrence, super::Occurrence::Step { part, .. }
                    if self.is_one_of(replay.state(position), *part, steps))
            })
        })
    }

    /// Whether each instance takes part in the loop or somewhere in it cannot move.
    fn passes_nobody_over(&self, trace: &Trace, replay: &Replay, start: usize) -> bool {
        let mut passed_over: Option<BTreeSet<u32>> = None;
        for position in start..trace.steps.len().max(start + 1) {
            let state = self.stored(replay.state(position));
            let parts = self.moves(&state).into_iter().flatten();
            let can: BTreeSet<u32> = parts.map(|part| part.instance).collect();
            passed_over = Some(match passed_over {
                None => can,
                Some(before) => before.intersection(&can).copied().collect(),
            });
        }
        let moving: BTreeSet<u32> = trace.steps[start..]
            .iter()
            .flat_map(|step| &step.moves)
            .flat_map(|made| &made.parts)
            .map(|part| part.instance)
            .collect();
        passed_over.unwrap_or_default().is_subset(&moving)
    }

    /// Whether somewhere in the loop one of the steps is enabled (`wanted`), or none is.
    fn enabled(
        &self,
        trace: &Trace,
        replay: &Replay,
        start: usize,
        steps: &Steps,
        wanted: bool,
    ) -> bool {
        (start..trace.steps.len().max(start + 1))
            .any(|position| self.any_enabled(&self.stored(replay.state(position)), steps) == wanted)
    }

    /// Whether one of the steps is part of an enabled move of a stable state.
    #[must_use]
    pub fn any_enabled(&self, state: &State, steps: &[(ProcessId, StepId)]) -> bool {
        self.moves(state)
            .iter()
            .flatten()
            .any(|&part| self.is_one_of(state, part, steps))
    }

    fn is_one_of(&self, state: &State, part: Part, steps: &Steps) -> bool {
        let Action::Step(step) = part.action else {
            return false;
        };
        state
            .instance(part.instance)
            .is_some_and(|instance| steps.contains(&(instance.process, step)))
    }
}
