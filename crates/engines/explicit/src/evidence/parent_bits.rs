//! Who found whom: from each state back to the one in whose expansion it was found.
//!
//! No parent is stored. A worker finds states in the order in which it expands others, so a string
//! of bits per worker says it all: a one for each state added, a zero for each beginning of an
//! expansion. The zeros before a state's one tell the expansion. That is two bits a state; the
//! ones are counted every few thousand bits so that a state's one is found quickly.

use std::io;
use std::ops::Range;

use crate::checkpoint::file::{Reading, Writing, damaged};
use crate::store::StateId;

/// Words of bits between two counts.
const STRIDE: usize = 64;

/// What one worker has found, and from where.
#[derive(Clone, Default, Debug)]
pub(crate) struct WorkerParentBits {
    bits: Vec<u64>,
    ones: u64,
    /// The ones before each stride.
    counts: Vec<u64>,
    /// Runs of states expanded one after the other: the first, and the number of its expansion.
    expanded: Vec<(StateId, u32)>,
    expansions: u32,
    next: u32,
    /// The states added, in order, and how many were added before each run.
    added: Vec<(Range<u32>, u64)>,
}

impl WorkerParentBits {
    /// States are going to be expanded, in order; gives the number of the first one's expansion,
    /// which those of the others follow. Expansion 0 is no expansion: what is found there is
    /// initial.
    pub(crate) fn expand(&mut self, states: Range<u32>) -> u32 {
        let first = self.expansions + 1;
        if states.start != self.next || first == 1 {
            self.expanded.push((StateId(states.start), first));
        }
        self.expansions += states.end - states.start;
        self.next = states.end;
        first
    }

    /// An initial state has been found.
    pub(crate) fn found_initial(&mut self) {
        self.found([(0, true)].into_iter());
    }

    /// States have been found, each in an expansion not before that of the last; it is said whether
    /// they are new. Since nobody can foretell which are, that does not decide what is done.
    #[inline(always)]
    pub(crate) fn found(&mut self, states: impl Iterator<Item = (u32, bool)>) {
        // The word that is written to is at hand.
        let (mut at, mut bits) = (usize::MAX, 0);
        let mut ones = self.ones;
        for (expansion, new) in states {
            let place = u64::from(expansion) + ones;
            let word = (place / 64) as usize;
            if word != at {
                self.put(at, bits);
                if word >= self.bits.len() {
                    self.ones = ones;
                    self.lengthen(word);
                }
                (at, bits) = (word, self.bits[word]);
            }
            bits |= u64::from(new) << (place % 64);
            ones += u64::from(new);
        }
        self.put(at, bits);
        self.ones = ones;
    }

    #[inline(always)]
    fn put(&mut self, word: usize, bits: u64) {
        if let Some(before) = self.bits.get_mut(word) {
            *before = bits;
        }
    }

    /// Adds words of bits up to this one.
    #[cold]
    fn lengthen(&mut self, word: usize) {
        while self.bits.len() <= word {
            if self.bits.len().is_multiple_of(STRIDE) {
                self.counts.push(self.ones);
            }
            self.bits.push(0);
        }
    }

    /// These were the states found, so far and since this was last said.
    pub(crate) fn add(&mut self, states: &[Range<u32>]) {
        for run in states {
            let before = match self.added.last_mut() {
                Some((last, _)) if last.end == run.start => {
                    last.end = run.end;
                    continue;
                }
                Some((last, before)) => *before + u64::from(last.end - last.start),
                None => 0,
            };
            self.added.push((run.clone(), before));
        }
    }

    /// The runs of states added.
    pub(crate) fn added(&self) -> impl Iterator<Item = Range<u32>> {
        self.added.iter().map(|(run, _)| run.clone())
    }

    /// Writes it, with other numbers for the states.
    pub(crate) fn write(
        &self,
        to: &mut Writing<'_>,
        pair: impl Fn(&Range<u32>) -> [u64; 2],
    ) -> io::Result<()> {
        to.list(self.bits.iter().map(|&bits| [bits]))?;
        to.list(self.counts.iter().map(|&count| [count]))?;
        to.words(&[self.ones, self.expansions.into()])?;
        to.list(self.expanded.iter().map(|(state, first)| {
            let [state, _] = pair(&(state.0..state.0));
            [state, u64::from(*first)]
        }))?;
        to.list(self.added.iter().map(|(run, before)| {
            let [start, end] = pair(run);
            [start, end, *before]
        }))
    }

    /// Reads what has been written; nothing more is added to it.
    pub(crate) fn read(
        from: &mut Reading,
        range: &impl Fn([u64; 2]) -> io::Result<Range<u32>>,
    ) -> io::Result<WorkerParentBits> {
        let bits: Vec<u64> = from.list()?.into_iter().map(|[bits]| bits).collect();
        let counts: Vec<u64> = from.list()?.into_iter().map(|[count]| count).collect();
        let mut parent_bits = WorkerParentBits {
            ones: from.word()?,
            expansions: from.number()?,
            ..WorkerParentBits::default()
        };
        let mut ones = 0;
        for (place, bits) in bits.iter().enumerate() {
            if place.is_multiple_of(STRIDE) && counts.get(place / STRIDE) != Some(&ones) {
                return Err(damaged());
            }
            ones += u64::from(bits.count_ones());
        }
        if ones != parent_bits.ones || counts.len() != bits.len().div_ceil(STRIDE) {
            return Err(damaged());
        }
        parent_bits.bits = bits;
        parent_bits.counts = counts;
        for [state, first] in from.list()? {
            let state = range([state, state + 1])?;
            let first = u32::try_from(first).map_err(|_| damaged())?;
            parent_bits.expanded.push((StateId(state.start), first));
        }
        let mut added = 0;
        for [start, end, before] in from.list()? {
            let run = range([start, end])?;
            if before != added {
                return Err(damaged());
            }
            added += run.len() as u64;
            parent_bits.added.push((run, before));
        }
        if added != ones {
            return Err(damaged());
        }
        Ok(parent_bits)
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> u64 {
        let entries = self.expanded.capacity() * size_of::<(StateId, u32)>()
            + self.added.capacity() * size_of::<(Range<u32>, u64)>();
        ((self.bits.capacity() + self.counts.capacity()) * 8 + entries) as u64
    }

    /// The expansion in which the state was found that was added after so many others.
    fn expansion(&self, number: u64) -> u32 {
        let stride = self.counts.partition_point(|&ones| ones <= number) - 1;
        let mut left = number - self.counts[stride];
        let mut word = stride * STRIDE;
        loop {
            let here = u64::from(self.bits[word].count_ones());
            if left < here {
                break;
            }
            left -= here;
            word += 1;
        }
        let mut bits = self.bits[word];
        for _ in 0..left {
            bits &= bits - 1;
        }
        let place = word as u64 * 64 + u64::from(bits.trailing_zeros());
        u32::try_from(place - number).expect("expansions are counted in 32 bits")
    }

    /// The state of an expansion; none for expansion 0.
    fn state(&self, expansion: u32) -> Option<StateId> {
        let run = self
            .expanded
            .partition_point(|(_, first)| *first <= expansion)
            .checked_sub(1)?;
        let (state, first) = self.expanded[run];
        Some(StateId(state.0 + (expansion - first)))
    }
}

/// All parent bits together.
pub(crate) struct ParentBits<'l> {
    parent_bits: Vec<&'l WorkerParentBits>,
    /// Runs of states, in order: whose they are, and how many that one added before.
    runs: Vec<(Range<u32>, usize, u64)>,
}

impl<'l> ParentBits<'l> {
    pub(crate) fn new(parent_bits: Vec<&'l WorkerParentBits>) -> Self {
        let mut runs: Vec<(Range<u32>, usize, u64)> = Vec::new();
        for (number, parent_bits) in parent_bits.iter().enumerate() {
            let added = parent_bits.added.iter();
            runs.extend(added.map(|(run, before)| (run.clone(), number, *before)));
        }
        runs.sort_unstable_by_key(|(run, ..)| run.start);
        ParentBits { parent_bits, runs }
    }

    /// The state in whose expansion this one was found; none for an initial one.
    pub(crate) fn parent(&self, state: StateId) -> Option<StateId> {
        let place = self
            .runs
            .partition_point(|(run, ..)| run.start <= state.0)
            .checked_sub(1)?;
        let (run, number, before) = &self.runs[place];
        debug_assert!(run.contains(&state.0), "every state was added by somebody");
        let parent_bits = self.parent_bits[*number];
        parent_bits.state(parent_bits.expansion(before + u64::from(state.0 - run.start)))
    }

    /// The states from an initial one to this one.
    pub(crate) fn path(&self, state: StateId) -> Vec<StateId> {
        let mut path = vec![state];
        let mut at = state;
        while let Some(parent) = self.parent(at) {
            path.push(parent);
            at = parent;
        }
        path.reverse();
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_are_found_again() {
        // Two workers; states are added in runs that alternate.
        let mut parent_bits = [WorkerParentBits::default(), WorkerParentBits::default()];
        let mut parents: Vec<Option<u32>> = Vec::new();
        let mut seed = 7u64;
        let mut expanded = 0u32;
        parent_bits[0].found_initial();
        parent_bits[0].found_initial();
        parent_bits[0].add(&[0..1, 1..2]);
        parents.extend([None, None]);
        while parents.len() < 30_000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let worker = usize::from(seed >> 40 & 1 == 1);
            let block = u32::try_from(seed >> 41 & 7).unwrap() + 1;
            let first = u32::try_from(parents.len()).unwrap();
            let states = expanded..(expanded + block).min(first);
            expanded = states.end;
            let first_expansion = parent_bits[worker].expand(states.clone());
            for (expansion, state) in (first_expansion..).zip(states) {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let count = if seed >> 60 == 0 { 100 } else { seed >> 62 };
                let states = (0..count).map(|number| (expansion, number % 3 != 1));
                parent_bits[worker].found(states.clone());
                let new = states.filter(|(_, new)| *new);
                parents.extend(new.map(|_| Some(state)));
            }
            let end = u32::try_from(parents.len()).unwrap();
            assert!(end > expanded, "the seed is a good one");
            if end > first {
                let run = first..end;
                parent_bits[worker].add(std::slice::from_ref(&run));
            }
        }
        let parent_bits = ParentBits::new(parent_bits.iter().collect());
        for (state, parent) in (0..).zip(&parents) {
            assert_eq!(parent_bits.parent(StateId(state)), parent.map(StateId));
        }
        let path = parent_bits.path(StateId(29_000));
        assert!(path.len() > 3 && path[0].0 < 2);
    }
}
