//! From a cube that is unreachable to a larger one.
//!
//! Literals are dropped one by one; if that lets a predecessor in, the predecessor, a
//! *counterexample to generalisation*, may itself be unreachable, and blocking it first makes
//! better clauses (Hassan, Bradley, Somenzi: *Better generalization in IC3*, 2013). Bits go first
//! and predicates last, so that what can be said in words is.

use model::UnknownReason;

use solver::MakeSolver;

use super::Ic3;
use super::cube::{Cube, SignalValue};
use super::frames::Relative;

/// How many counterexamples to one generalisation are blocked.
const TRIES: usize = 3;
/// A literal that takes more conflicts to drop than this stays.
pub(super) const EFFORT: u64 = 1000;
/// How deep they nest.
const DEPTH: usize = 1;
/// After so many literals that could not be dropped in a row, the rest stays.
const STUBBORN: usize = 40;

impl<M: MakeSolver> Ic3<'_, M> {
    /// The literals, those likely to matter first: predicates, then the most active.
    pub(super) fn ordered(&self, cube: &Cube) -> Vec<SignalValue> {
        let mut literals = cube.literals.clone();
        let rank = |l: &SignalValue| self.system.signals[l.signal()].rank;
        literals.sort_by(|a, b| {
            let active = self.activity[b.signal()].total_cmp(&self.activity[a.signal()]);
            rank(a).cmp(&rank(b)).then(active).then(a.cmp(b))
        });
        literals
    }

    /// Blocks a cube for which `core` was inductive; the level up to which it is blocked now.
    pub(super) fn learn(
        &mut self,
        level: usize,
        cube: &Cube,
        core: &[SignalValue],
    ) -> Result<usize, UnknownReason> {
        let mut core = Cube::new(core.to_vec());
        let words = self.lifter.implied_predicates(cube);
        if !words.is_empty() {
            // The same states, said in more words: perhaps fewer of them suffice.
            let mut wider = core.literals.clone();
            wider.extend(words);
            let wider = Cube::new(wider);
            let ordered = self.ordered(&wider);
            if let Relative::Inductive(said) =
                self.frames.relative(level, &ordered, true, EFFORT)?
            {
                core = Cube::new(said);
            }
        }
        let cube = self.generalise(level, core, 0)?;
        self.add_and_push(level, cube)
    }

    pub(super) fn add_and_push(
        &mut self,
        mut level: usize,
        mut cube: Cube,
    ) -> Result<usize, UnknownReason> {
        self.bump(&cube);
        while level < self.frames.top() {
            let ordered = self.ordered(&cube);
            match self.frames.relative(level + 1, &ordered, true, EFFORT)? {
                Relative::Inductive(core) => cube = Cube::new(core),
                Relative::Predecessor { .. } | Relative::TooHard => break,
            }
            level += 1;
        }
        self.frames.add(level, cube);
        Ok(level)
    }

    /// Drops what can be dropped of a cube that is inductive relative to the frame before.
    pub(super) fn generalise(
        &mut self,
        level: usize,
        mut cube: Cube,
        depth: usize,
    ) -> Result<Cube, UnknownReason> {
        let mut candidates = self.ordered(&cube);
        candidates.reverse();
        let mut stubborn = 0;
        for literal in candidates {
            if cube.literals.len() < 2 || stubborn > STUBBORN {
                break;
            }
            if !cube.literals.contains(&literal) {
                continue;
            }
            let rest = cube.literals.iter().copied();
            let smaller = Cube::new(rest.filter(|l| *l != literal).collect());
            match self.shrink(level, smaller, depth)? {
                Some(smaller) => {
                    cube = smaller;
                    stubborn = 0;
                }
                None => stubborn += 1,
            }
        }
        Ok(cube)
    }

    /// An inductive part of a cube.
    fn shrink(
        &mut self,
        level: usize,
        mut cube: Cube,
        depth: usize,
    ) -> Result<Option<Cube>, UnknownReason> {
        let mut tries = 0;
        loop {
            if self.frames.intersects_initial(&cube)? {
                return Ok(None);
            }
            let ordered = self.ordered(&cube);
            let (state, inputs) = match self.frames.relative(level, &ordered, true, EFFORT)? {
                Relative::Inductive(core) => return Ok(Some(Cube::new(core))),
                Relative::Predecessor { state, inputs } => (state, inputs),
                Relative::TooHard => return Ok(None),
            };
            if depth >= DEPTH {
                return Ok(None);
            }
            if tries < TRIES && level > 1 {
                let targets = self.lifter.targets(&cube);
                let before = self.lifter.lift(&targets, &state, &inputs);
                if !self.frames.intersects_initial(&before)? {
                    let ordered = self.ordered(&before);
                    if let Relative::Inductive(core) =
                        self.frames.relative(level - 1, &ordered, true, EFFORT)?
                    {
                        tries += 1;
                        let core = Cube::new(core);
                        let core = self.generalise(level - 1, core, depth + 1)?;
                        self.add_and_push(level - 1, core)?;
                        continue;
                    }
                }
            }
            tries = 0;
            // Keep what the predecessor has in common with it.
            let values = self.system.signal_values(&state);
            let common: Vec<SignalValue> = cube
                .literals
                .iter()
                .copied()
                .filter(|l| values[l.signal()] == l.value())
                .collect();
            if common.len() == cube.literals.len() || common.is_empty() {
                return Ok(None);
            }
            cube = Cube::new(common);
        }
    }
}
