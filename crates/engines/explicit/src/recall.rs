//! Remembers what the moves of an instance led to.
//!
//! The moves that an instance can make at a location touch a part of the state, and that part takes
//! few values compared with the states it occurs in. What came out for one of them is written down:
//! the bits that each move left behind, to be laid over the rest of any state that agrees on the
//! part (Blom, van de Pol, Weber: LTSmin: Distributed and symbolic reachability, CAV 2010, there
//! called transition caching). Each location has a small table, in which the later of two that want
//! the same place replaces the earlier; a table that seldom knows the answer is given up.

use crate::footprint::{Footprints, Rung};

/// Entries of a table, at first and at most: two to these powers.
const SMALL: u32 = 7;
const LARGE: u32 = 10;
/// Ends of macro steps that an entry can hold.
const MOST: usize = 3;
/// Look-ups after which a table has to have proved itself.
const TRIAL: u32 = 1 << 13;
/// For mixing: odd, with bits all over.
const FACTOR: u64 = 0xd6e8_feb8_6659_fd93;
/// States of more words are not remembered.
const WIDEST: usize = 16;

/// The tables of all locations, for each priority class of moves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recall {
    /// Words of a state, and of an entry.
    words: usize,
    stride: usize,
    tables: Vec<Option<Table>>,
}

/// What the moves at one location led to.
#[derive(Clone, Debug)]
struct Table {
    /// The bits that decide what happens, and those that can change.
    read: Box<[u64]>,
    written: Box<[u64]>,
    /// Whether what is asked for at the ends of macro steps can change.
    outcomes: bool,
    /// An entry is the bits that decide, its head, the fairness sets of which some step is
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
    words: usize,
    written: &'r [u64],
    entry: &'r [u64],
}

impl Known<'_> {
    /// Whether a move is possible.
    #[inline]
    pub(crate) fn is_possible(&self) -> bool {
        self.entry[self.words] & POSSIBLE != 0
    }

    /// The fairness sets of which some step is enabled.
    #[inline]
    pub(crate) fn enabled(&self) -> u64 {
        self.entry[self.words + 1]
    }

    /// The ends: the fairness sets of which a step was taken, and the bits written.
    #[inline]
    pub(crate) fn ends(&self) -> impl Iterator<Item = (u64, &[u64])> {
        let count = (self.entry[self.words] & ENDS) as usize;
        (0..count).map(|end| {
            let taken = self.words + 2 + end * (self.words + 1);
            let end = &self.entry[taken..=taken + self.words];
            (end[0], &end[1..])
        })
    }

    /// Lays what was written over a state.
    #[inline]
    pub(crate) fn lay_over(&self, bits: &[u64], from: &[u64], to: &mut [u64]) {
        let over = |from: u64, written: u64, bits: u64| from & !written | bits;
        match (to, from, self.written, bits) {
            ([to], [from], [written], [bits]) => *to = over(*from, *written, *bits),
            ([a, b], [x, y], [v, w], [p, q]) => (*a, *b) = (over(*x, *v, *p), over(*y, *w, *q)),
            (to, ..) => {
                for (word, to) in to.iter_mut().enumerate() {
                    *to = over(from[word], self.written[word], bits[word]);
                }
            }
        }
    }
}

impl Recall {
    /// Empty tables for the locations where what happens depends on a known part of the state.
    pub(crate) fn new(footprints: &Footprints, words: usize) -> Recall {
        if words > WIDEST {
            return Recall::default();
        }
        let of_class = |rungs: &[Rung], class: u8| {
            let mut table = Table {
                read: vec![0; words].into(),
                written: vec![0; words].into(),
                outcomes: false,
                entries: Vec::new(),
                size: SMALL,
                lookups: 0,
                hits: 0,
                given_up: false,
            };
            let mut any = false;
            let belongs = |rung: &&Rung| rung.class == class && !rung.waits;
            for rung in rungs.iter().filter(belongs) {
                any = true;
                let footprint = rung.footprint.as_ref()?;
                for field in footprints.fetched(footprint) {
                    field.cover(&mut table.read);
                }
                for field in footprints.written(footprint) {
                    field.cover(&mut table.written);
                }
                table.outcomes |= footprint.outcomes;
            }
            any.then_some(table)
        };
        let classes = footprints.classes.iter();
        let tables = classes.flat_map(|&class| {
            let ladders = footprints.ladders();
            ladders.map(move |rungs| of_class(rungs, class))
        });
        Recall {
            words,
            stride: words + 2 + MOST * (words + 1),
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
        let (words, stride) = (self.words, self.stride);
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
        if table.entries.is_empty() {
            table.entries = vec![0; stride << table.size];
        }
        let first = table.place(state) * stride;
        let entry = &table.entries[first..first + stride];
        let other = match (entry, state, &*table.read) {
            ([a, b, ..], [x, y], [v, w]) => (a ^ (x & v)) | (b ^ (y & w)),
            (entry, state, read) => {
                let key = entry.iter().zip(state.iter().zip(read));
                key.fold(0, |other, (word, (state, read))| {
                    other | (word ^ (state & read))
                })
            }
        };
        if other != 0 || entry[words] == 0 {
            recording.on = true;
            recording.ends.clear();
            return None;
        }
        table.hits += 1;
        Some(Known {
            words,
            written: &table.written,
            entry,
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
        let (words, stride) = (self.words, self.stride);
        let Some(Some(table)) = self.tables.get_mut(table) else {
            return;
        };
        let ends = recording.ends.chunks_exact(words + 1);
        if ends.len() > MOST {
            return;
        }
        let first = table.place(state) * stride;
        let entry = &mut table.entries[first..first + stride];
        for (word, key) in entry[..words].iter_mut().enumerate() {
            *key = state[word] & table.read[word];
        }
        entry[words] = USED | if possible { POSSIBLE } else { 0 } | ends.len() as u64;
        entry[words + 1] = enabled;
        let places = entry[words + 2..].chunks_exact_mut(words + 1);
        for (place, end) in places.zip(ends) {
            place[0] = end[0];
            for (word, bits) in place[1..].iter_mut().enumerate() {
                *bits = end[word + 1] & table.written[word];
            }
        }
    }
}

impl Table {
    #[inline]
    fn place(&self, state: &[u64]) -> usize {
        let mix = |sum: u64, bits: u64| (sum.rotate_left(29) ^ bits).wrapping_mul(FACTOR);
        let mixed = match (state, &*self.read) {
            ([x, y], [v, w]) => mix(mix(0, x & v), y & w),
            (state, read) => {
                let bits = state.iter().zip(read).map(|(state, read)| state & read);
                bits.fold(0, mix)
            }
        };
        (mixed >> (64 - self.size)) as usize
    }
}
