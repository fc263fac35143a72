//! Runs, found backwards.
//!
//! Nothing is kept of who led to whom. But the states of each level are there, so a predecessor of a state is found by
//! expanding those of the level before until one leads to it. All runs that are wanted are found in one go; that
//! takes no longer than the search has, and is only done for failures.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use model::{Budget, Pulse, UnknownReason};

use crate::disk::files::Room;
use crate::disk::level::Place;
use crate::disk::sorted::Sorted;
use crate::engine::Engine;
use crate::search::worker::explorer;
use crate::store::hash::FoldHasher;
use crate::successors::expander::{End, Halt, Sink};
use crate::vm::machine::Violation;

/// Expansions between two looks at the budget, at most.
const PULSE: u32 = 1 << 10;

/// For each place, the states from an initial one to it.
pub(crate) fn paths(
    engine: &Engine<'_>,
    levels: &[Arc<Sorted>],
    places: &[Option<Place>],
    (room, budget): (&Room<'_>, &Budget),
) -> Vec<Result<Vec<Vec<u64>>, UnknownReason>> {
    let mut paths: Vec<Vec<Vec<u64>>> = (places.iter())
        .map(|place| place.iter().map(|place| place.state.clone()).collect())
        .collect();
    let begins = |place: &Option<Place>| place.as_ref().map(|place| place.level);
    for level in (0..levels.len().saturating_sub(1)).rev() {
        let is_on = |place: &Option<Place>| begins(place).is_some_and(|begins| begins > level);
        let wanted = places.iter().zip(&paths).filter(|(place, _)| is_on(place));
        let wanted = wanted.filter_map(|(_, path)| Some((path.last()?.clone(), None)));
        let wanted: Before = wanted.collect();
        if wanted.is_empty() {
            continue;
        }
        let found = match predecessors(engine, &levels[level], wanted, budget) {
            Ok(Ok(found)) => found,
            Ok(Err(reason)) => return vec![Err(reason); places.len()],
            Err(error) => return vec![Err(room.reason(&error)); places.len()],
        };
        for (place, path) in places.iter().zip(&mut paths) {
            if is_on(place)
                && let Some(last) = path.last()
                && let Some(Some(before)) = found.get(last)
            {
                let before = before.clone();
                path.push(before);
            }
        }
    }
    let whole = |(place, mut path): (&Option<Place>, Vec<Vec<u64>>)| {
        let length = begins(place).map_or(0, |level| level + 1);
        if path.len() != length {
            let what = "the engine did not find its own run again";
            return Err(UnknownReason::NotReplayed(what.to_owned()));
        }
        path.reverse();
        Ok(path)
    };
    places.iter().zip(paths).map(whole).collect()
}

/// For each wanted state, one on the level before that leads to it.
type Before = HashMap<Vec<u64>, Option<Vec<u64>>, BuildHasherDefault<FoldHasher>>;

fn predecessors(
    engine: &Engine<'_>,
    level: &Sorted,
    wanted: Before,
    budget: &Budget,
) -> io::Result<Result<Before, UnknownReason>> {
    let mut driver = explorer(engine).without_reduction();
    driver.set_collects_outcomes(false);
    let words = engine.packing.words;
    let (mut bytes, mut states) = (Vec::new(), Vec::new());
    let mut seeking = Seeking {
        left: wanted.len(),
        wanted,
        from: Vec::new(),
    };
    let mut pulse = Pulse::new(PULSE);
    for block in 0..level.blocks() {
        level.read(block, &mut bytes, &mut states)?;
        for stored in states.chunks_exact(words) {
            seeking.from.clear();
            seeking.from.extend_from_slice(stored);
            match driver.expand(stored, &mut seeking) {
                Ok(_) => {}
                Err(Halt::Enough) => return Ok(Ok(seeking.wanted)),
                // What does not fit was not wanted.
                Err(Halt::FieldOverflow) => {}
                Err(Halt::Stop(reason)) => return Ok(Err(reason)),
            }
            if pulse.beat()
                && let Some(reason) = budget.exhausted(0)
            {
                return Ok(Err(reason));
            }
        }
    }
    Ok(Ok(seeking.wanted))
}

/// Seeks states among those that a state leads to.
struct Seeking {
    wanted: Before,
    left: usize,
    /// The state that is expanded.
    from: Vec<u64>,
}

impl Sink for Seeking {
    fn successor(&mut self, end: &End<'_>) -> ControlFlow<()> {
        if let Some(before) = self.wanted.get_mut(end.stored)
            && before.is_none()
        {
            *before = Some(self.from.clone());
            self.left -= 1;
            if self.left == 0 {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    fn violation(&mut self, _: Violation, _: u32) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
