//! Fairness of runs that repeat.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashSet};

use super::state::State;
use super::{Interp, Occurrence, Parts, Replay, Stop};
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
        let around = Around::new(self, trace, replay, start);
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
                FairnessKind::Weak(steps) => around.takes(steps) || around.disables(steps),
                FairnessKind::Strong(steps) => around.takes(steps) || !around.enables(steps),
                FairnessKind::WeakInstances => around.passes_nobody_over(trace, start),
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

    /// Whether one of the steps is part of an enabled move of a stable state.
    #[must_use]
    pub fn any_enabled(&self, state: &State, steps: &[(ProcessId, StepId)]) -> bool {
        let parts = self.moves(state).into_iter().flatten();
        let mut enabled = parts.filter_map(|part| self.step_named(state, part));
        enabled.any(|step| steps.contains(&step))
    }

    /// The step of a part, as constraints name it.
    fn step_named(&self, state: &State, part: Part) -> Option<(ProcessId, StepId)> {
        let Action::Step(step) = part.action else {
            return None;
        };
        Some((state.instance(part.instance)?.process, step))
    }
}

/// What happens, and what can, once around a loop. What can is looked for when it is asked for: there
/// may be many constraints, and mostly what they are about happens.
struct Around<'a> {
    interp: &'a Interp<'a>,
    /// The states where something could happen, as they are stored.
    states: Vec<State>,
    taken: HashSet<(ProcessId, StepId)>,
    possible: OnceCell<Vec<Vec<Parts>>>,
}

impl<'a> Around<'a> {
    fn new(interp: &'a Interp<'a>, trace: &Trace, replay: &Replay, start: usize) -> Self {
        let end = trace.steps.len();
        let mut taken = HashSet::new();
        for position in start..end {
            let parts = replay.steps[position].occurrences.iter();
            let parts = parts.filter_map(|occurrence| match occurrence {
                Occurrence::Step { part, .. } => Some(*part),
                _ => None,
            });
            let state = replay.state(position);
            taken.extend(parts.filter_map(|part| interp.step_named(state, part)));
        }
        let states = (start..end.max(start + 1)).map(|at| interp.stored(replay.state(at)));
        Around {
            interp,
            states: states.collect(),
            taken,
            possible: OnceCell::new(),
        }
    }

    fn takes(&self, steps: &Steps) -> bool {
        steps.iter().any(|step| self.taken.contains(step))
    }

    /// The moves that are possible in each of the states.
    fn possible(&self) -> &[Vec<Parts>] {
        self.possible.get_or_init(|| {
            let states = self.states.iter();
            states.map(|state| self.interp.moves(state)).collect()
        })
    }

    /// For each state, whether one of the steps is possible there.
    fn enabled<'s>(&'s self, steps: &'s Steps) -> impl Iterator<Item = bool> + 's {
        let states = self.states.iter().zip(self.possible());
        states.map(|(state, moves)| {
            let parts = moves.iter().flatten();
            let mut enabled = parts.filter_map(|&part| self.interp.step_named(state, part));
            enabled.any(|step| steps.contains(&step))
        })
    }

    fn enables(&self, steps: &Steps) -> bool {
        self.enabled(steps).any(|enabled| enabled)
    }

    fn disables(&self, steps: &Steps) -> bool {
        self.enabled(steps).any(|enabled| !enabled)
    }

    /// Whether each instance takes part in the loop or somewhere in it cannot move.
    fn passes_nobody_over(&self, trace: &Trace, start: usize) -> bool {
        let mut passed_over: Option<BTreeSet<u32>> = None;
        for moves in self.possible() {
            let can: BTreeSet<u32> = moves.iter().flatten().map(|part| part.instance).collect();
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
}
