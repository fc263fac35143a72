//! Excluding a state in words: by predicates and latches that are no bits of numbers.
//!
//! The state is replaced by all states that look the same in words, as in implicit predicate
//! abstraction (Cimatti, Griggio, Mover, Tonetta: *IC3 modulo theories via implicit predicate
//! abstraction*, 2014), and so are their predecessors. Clauses that come of it are as good as any. If an
//! initial state looks the same, or if it takes too long, words do not suffice for this state,
//! and its bits are used.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use model::UnknownReason;

use crate::system::Rank;
use solver::MakeSolver;

use super::cube::{Cube, SignalValue};
use super::frames::Relative;
use super::generalise::EFFORT;
use super::{Ic3, Obligation};

/// Predecessors in words that are looked at for one state.
const ATTEMPTS: usize = 200;
/// So many failures that are not outnumbered by successes, and words are not tried any more.
const FAILURES: u32 = 40;

impl<M: MakeSolver> Ic3<'_, M> {
    /// Excludes an obligation's state up to a level; whether that was possible.
    pub(super) fn exclude_abstractly(
        &mut self,
        level: usize,
        obligation: &Obligation,
    ) -> Result<bool, UnknownReason> {
        let latches = self.system.circuit.latches.len();
        let (successes, failures) = self.said;
        let hopeless = failures > FAILURES && failures > successes;
        if self.system.signals.len() == latches || hopeless {
            return Ok(false);
        }
        let words = self.abstracted(&obligation.cube, &obligation.state);
        let done = self.exclude(level, words)?;
        if done {
            self.said.0 += 1;
        } else {
            self.said.1 += 1;
        }
        Ok(done)
    }

    fn exclude(&mut self, level: usize, words: Cube) -> Result<bool, UnknownReason> {
        let mut cubes = vec![words];
        let mut queue = BinaryHeap::from([(Reverse(level), 0)]);
        while let Some((Reverse(level), number)) = queue.pop() {
            let cube = cubes[number].clone();
            if level == 0 || self.frames.intersects_initial(&cube)? {
                return Ok(false);
            }
            if self.frames.is_blocked(&cube, level) {
                continue;
            }
            let ordered = self.ordered(&cube);
            match self.frames.relative(level, &ordered, true, 10 * EFFORT)? {
                Relative::Inductive(core) => {
                    let cube = self.generalise(level, Cube::new(core), 0)?;
                    self.add_and_push(level, cube)?;
                }
                Relative::TooHard => return Ok(false),
                Relative::Predecessor { state, inputs } => {
                    if cubes.len() > ATTEMPTS {
                        return Ok(false);
                    }
                    let targets = self.lifter.targets(&cube);
                    let before = self.lifter.lift(&targets, &state, &inputs);
                    cubes.push(self.abstracted(&before, &state));
                    queue.push((Reverse(level), number));
                    queue.push((Reverse(level - 1), cubes.len() - 1));
                }
            }
        }
        Ok(true)
    }

    /// A cube's latches that are no bits of numbers, and all predicates of one of its states.
    fn abstracted(&self, cube: &Cube, state: &[bool]) -> Cube {
        let values = self.system.signal_values(state);
        let mut literals = cube.literals.clone();
        literals.retain(|l| self.system.signals[l.signal()].rank == Rank::Control);
        let predicates = state.len()..self.system.signals.len();
        literals.extend(predicates.map(|signal| SignalValue::new(signal, values[signal])));
        Cube::new(literals)
    }
}
