//! Remembers what the moves of an instance led to.
//!
//! The moves that an instance can make at a location touch a part of the state, and that part takes
//! few values compared with the states it occurs in. What came out for one of them is written down:
//! the bits that each move left behind, to be laid over the rest of any state that agrees on the
//! part (Blom, van de Pol, Weber: LTSmin: Distributed and symbolic reachability, CAV 2010, there
//! called transition caching). Each location has a small table, in which the later of two that want
//! the same place replaces the earlier; a table that seldom knows the answer is given up.

use crate::footprint::{Footprints, Rung};
use crate::hash::FACTOR;

/// Entries of a table, at first and at most: two to these powers.
const SMALL: u32 = 7;
const LARGE: u32 = 10;
/// Ends of macro steps that an entry can hold.
const MOST: usize = 3;
/// Look-ups after which a table has to have proved itself.
const TRIAL: u32 = 1 << 13;
/// Where more words of a state decide or can change, nothing is remembered.
const WIDEST: usize = 16;

/// The tables of all locations, for each priority class of moves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recall {
    tables: Vec<Option<Table>>,
}

/// Some bits of a word of a state.
#[derive(Clone, Copy, Debug)]
struct Bits {
    word: usize,
    mask: u64,
}

impl Bits {
    /// All words of which there are some.
    fn all(masks: &[u64]) -> Box<[Bits]> {
        let bits = masks.iter().enumerate();
        bits.map(|(word, &mask)| Bits { word, mask })
            .filter(|bits| bits.mask != 0)
            .collect()
    }

    #[inline]
    fn of(self, state: &[u64]) -> u64 {
        state[self.word] & self.mask
    }
}

/// What the moves at one location led to.
#[derive(Clone, Debug)]
struct Table {
    /// The bits that decide what happens, and those that can change.
    read: Box<[Bits]>,
    written: Box<[Bits]>,
    /// Words of an entry.
    stride: usize,
    /// Whether what is asked for at the ends of macro steps can change.
    outcomes: bool,
    /// An entry is the words of bits that decide, its head, the fairness sets of which some step is
    /// enabled, and for each end the fairness sets of which one was taken and the bits written.
    entries: Vec<u64>,
    /// How many there are: two to this power.
    size: u32,
    lookups: u32,
    hits: u32,
    given_up: bool,
}

/// The head of an entry that holds something, of one where a move is possible, and the number of
/// ends.
const USED: u64 = 1 << 63;
const POSSIBLE: u64 = 1 << 62;
const ENDS: u64 = 3;

/// The ends of macro steps at a location whose table has no answer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recording {
    pub(crate) on: bool,
    /// For each end the fairness sets of which a step was taken, or what happened on the way if that
    /// is asked for; then the state.
    ends: Vec<u64>,
}

impl Recording {
    /// Another end.
    #[inline]
    pub(crate) fn end(&mut self, taken: u64, state: &[u64]) {
        self.ends.push(taken);
        self.ends.extend_from_slice(state);
    }
}

/// What is known of a location in a state.
pub(crate) struct Known<'r> {
    written: &'r [Bits],
    /// The entry from its head on.
    entry: &'r [u64],
}

impl Known<'_> {
    /// Whether a move is possible.
    #[inline]
    pub(crate) fn is_possible(&self) -> bool {
        self.entry[0] & POSSIBLE != 0
    }

    /// The fairness sets of which some step is enabled.
    #[inline]
    pub(crate) fn enabled(&self) -> u64 {
        self.entry[1]
    }

    /// The ends: the fairness sets of which a step was taken, and the bits written.
    #[inline]
    pub(crate) fn ends(&self) -> impl Iterator<Item = (u64, &[u64])> {
        let count = (self.entry[0] & ENDS) as usize;
        let stride = self.written.len() + 1;
        (0..count).map(move |end| {
            let taken = 2 + end * stride;
            (self.entry[taken], &self.entry[taken + 1..taken + stride])
        })
    }

    /// Lays what was written over a state.
    #[inline]
    pub(crate) fn lay_over(&self, bits: &[u64], from: &[u64], to: &mut [u64]) {
        copy_words(to, from);
        for (written, bits) in self.written.iter().zip(bits) {
            let word = &mut to[written.word];
            *word = *word & !written.mask | bits;
        }
    }
}

/// Copies a stored state; most are too short for a call.
#[inline]
pub(crate) fn copy_words(to: &mut [u64], from: &[u64]) {
    match (to, from) {
        ([a], [x]) => *a = *x,
        ([a, b], [x, y]) => (*a, *b) = (*x, *y),
        ([a, b, c], [x, y, z]) => (*a, *b, *c) = (*x, *y, *z),
        (to, from) => to.copy_from_slice(from),
    }
}

impl Recall {
    /// Empty tables for the locations where what happens depends on a known part of the state.
    pub(crate) fn new(footprints: &Footprints, words: usize) -> Recall {
        let of_class = |rungs: &[Rung], class: u8| {
            let (mut read, mut written) = (vec![0; words], vec![0; words]);
            let (mut any, mut outcomes) = (false, false);
            let belongs = |rung: &&Rung| rung.class == class && !rung.waits;
            for rung in rungs.iter().filter(belongs) {
                any = true;
                let footprint = rung.footprint.as_ref()?;
                for field in footprints.fetched(footprint) {
                    field.cover(&mut read);
                }
                for field in footprints.written(footprint) {
                    field.cover(&mut written);
                }
                outcomes |= footprint.outcomes;
            }
            let (read, written) = (Bits::all(&read), Bits::all(&written));
            let fits = read.len() <= WIDEST && written.len() <= WIDEST;
            (any && fits).then(|| Table {
                stride: read.len() + 2 + MOST * (written.len() + 1),
                read,
                written,
                outcomes,
                entries: Vec::new(),
                size: SMALL,
                lookups: 0,
                hits: 0,
                given_up: false,
            })
        };
        let classes = footprints.classes.iter();
        let tables = classes.flat_map(|&class| {
            let ladders = footprints.ladders();
            ladders.map(move |rungs| of_class(rungs, class))
        });
        Recall {
            tables: tables.collect(),
        }
    }

    /// What is known of the moves of one class at a location in this state. Sets whether what
    /// happens is to be recorded.
    #[inline]
    pub(crate) fn look_up(
        &mut self,
        table: usize,
        state: &[u64],
        curious: bool,
        recording: &mut Recording,
    ) -> Option<Known<'_>> {
        recording.on = false;
        let table = self.tables.get_mut(table)?.as_mut()?;
        if table.given_up || curious && table.outcomes {
            return None;
        }
        if table.lookups == TRIAL {
            if table.hits < TRIAL / 8 * 7 && table.size < LARGE {
                table.size = LARGE;
                table.entries = Vec::new();
            } else if table.hits < TRIAL / 2 {
                table.entries = Vec::new();
                table.given_up = true;
                return None;
            }
            (table.lookups, table.hits) = (0, 0);
        }
        table.lookups += 1;
        let stride = table.stride;
        if table.entries.is_empty() {
            table.entries = vec![0; stride << table.size];
        }
        let first = table.place(state) * stride;
        let entry = &table.entries[first..first + stride];
        let (key, rest) = entry.split_at(table.read.len());
        let other = |known: u64, bits: Bits| known ^ bits.of(state);
        let other = match (key, &*table.read) {
            ([a], [v]) => other(*a, *v),
            ([a, b], [v, w]) => other(*a, *v) | other(*b, *w),
            (key, read) => {
                let words = key.iter().zip(read);
                words.fold(0, |sum, (word, bits)| sum | other(*word, *bits))
            }
        };
        if other != 0 || rest[0] == 0 {
            recording.on = true;
            recording.ends.clear();
            return None;
        }
        table.hits += 1;
        Some(Known {
            written: &table.written,
            entry: rest,
        })
    }

    /// Writes down what has happened at a location in a state.
    pub(crate) fn learn(
        &mut self,
        table: usize,
        state: &[u64],
        (possible, enabled): (bool, u64),
        recording: &Recording,
    ) {
        let Some(Some(table)) = self.tables.get_mut(table) else {
            return;
        };
        let ends = recording.ends.chunks_exact(state.len() + 1);
        if ends.len() > MOST {
            return;
        }
        let first = table.place(state) * table.stride;
        let entry = &mut table.entries[first..first + table.stride];
        let (key, rest) = entry.split_at_mut(table.read.len());
        for (key, bits) in key.iter_mut().zip(&table.read) {
            *key = bits.of(state);
        }
        rest[0] = USED | if possible { POSSIBLE } else { 0 } | ends.len() as u64;
        rest[1] = enabled;
        let places = rest[2..].chunks_exact_mut(table.written.len() + 1);
        for (place, end) in places.zip(ends) {
            place[0] = end[0];
            for (word, bits) in place[1..].iter_mut().zip(&table.written) {
                *word = bits.of(&end[1..]);
            }
        }
    }
}

impl Table {
    #[inline]
    fn place(&self, state: &[u64]) -> usize {
        let mix =
            |sum: u64, bits: Bits| (sum.rotate_left(29) ^ bits.of(state)).wrapping_mul(FACTOR);
        let mixed = match *self.read {
            [v] => mix(0, v),
            [v, w] => mix(mix(0, v), w),
            ref read => read.iter().fold(0, |sum, bits| mix(sum, *bits)),
        };
        (mixed >> (64 - self.size)) as usize
    }
}
