//! Remembers what the moves of an instance led to.
//!
//! The moves that an instance can make at a location touch a part of the state, and that part takes
//! few values compared with the states it occurs in. What came out for one of them is written down:
//! the bits that each move left behind, to be laid over the rest of any state that agrees on the
//! part (Blom, van de Pol, Weber: LTSmin: Distributed and symbolic reachability, CAV 2010, there
//! called transition caching). Each location has a hash table, from what it looks at to what came
//! out; one that seldom knows the answer is given up.

use std::ops::ControlFlow;

use crate::expand::Sink;
use crate::footprint::{Footprints, Rung, Station};
use crate::found::Place;
use crate::hash::FACTOR;

/// Slots of a table at first: two to this power. At most half of them are used.
const SLOTS: u8 = 6;
/// Entries of a table at most, and words of the entries of all.
const MANY: u32 = 1 << 14;
const WORDS: usize = 1 << 23;
/// Ends of macro steps that an entry can hold.
const MOST: usize = 64;
/// Look-ups after which a table has to have proved itself.
const TRIAL: u64 = 1 << 13;
/// Where more words of a state decide or can change, nothing is remembered.
const WIDEST: usize = 16;
/// Where slots are of which there are none: behind all others.
const NOWHERE: u32 = u32::MAX;

/// The tables of all locations, for each priority class of moves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recall {
    tables: Vec<Table>,
    /// What is seldom needed of each.
    asides: Vec<Aside>,
    /// For each table the bits of a state that decide, with those that tell the location.
    bits: Vec<u64>,
    /// The slots of all tables: where entries are, or zero.
    slots: Vec<u32>,
    /// The entries of all tables. One is the bits that decide, of the first two words of those; its
    /// head; the fairness sets of which some step is enabled; for each end, one at least, the
    /// fairness sets of which a step was taken and the bits written, of two words at least; and the
    /// rest of the bits that decide.
    entries: Vec<u64>,
}

/// Some bits of two words of a state.
#[derive(Clone, Copy, Default, Debug)]
struct Two {
    masks: [u64; 2],
    words: [u16; 2],
}

impl Two {
    #[inline(always)]
    fn of(self, state: &[u64]) -> [u64; 2] {
        let [a, b] = self.words.map(usize::from);
        [state[a] & self.masks[0], state[b] & self.masks[1]]
    }

    #[inline(always)]
    fn replace(self, state: &mut [u64], bits: [u64; 2]) {
        for ((word, mask), bits) in self.words.into_iter().zip(self.masks).zip(bits) {
            let word = &mut state[usize::from(word)];
            *word = *word & !mask | bits;
        }
    }
}

/// Some bits of a word of a state.
#[derive(Clone, Copy, Debug)]
struct Bits {
    word: usize,
    mask: u64,
}

impl Bits {
    fn of(self, state: &[u64]) -> u64 {
        state[self.word] & self.mask
    }
}

/// Some bits of a state, given by masks for its words: the first two words of which there are some,
/// and the others.
fn part(masks: &[u64]) -> (Two, Box<[Bits]>) {
    let bits = masks.iter().enumerate();
    let mut bits = bits
        .map(|(word, &mask)| Bits { word, mask })
        .filter(|bits| bits.mask != 0);
    let mut two = Two::default();
    for (number, bits) in bits.by_ref().take(2).enumerate() {
        two.masks[number] = bits.mask;
        two.words[number] = u16::try_from(bits.word).expect("states are not that long");
    }
    (two, bits.collect())
}

/// What the moves at one location led to.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct Table {
    /// The bits that decide what happens, and those that can change: two words of each.
    read: Two,
    written: Two,
    /// Where its slots begin.
    base: u32,
    /// How many of them there are: two to the power of 64 less this.
    shift: u8,
    /// Whether there are more words of those that decide, and of those that can change.
    reads_more: bool,
    writes_more: bool,
    /// Look-ups since the table last had to prove itself.
    lookups: u64,
}

/// What is seldom needed of a table.
#[derive(Clone, Debug)]
struct Aside {
    /// The bits that decide and those that can change, of further words.
    read: Box<[Bits]>,
    written: Box<[Bits]>,
    /// Whether what is asked for at the ends of macro steps can change.
    outcomes: bool,
    /// Whether nothing is remembered, or nothing any more.
    given_up: bool,
    /// Look-ups in vain since it last had to prove itself.
    misses: u64,
    /// How many entries there are.
    entries: u32,
}

/// The head of an entry where a move is possible, and the number of ends in it.
const POSSIBLE: u64 = 1 << 63;
const ENDS: u64 = 0xffff;
/// Words of an entry before its ends, the head's place there, and words of an end beside those that
/// further words need.
const BEFORE: usize = 4;
const HEAD: usize = 2;
const END: usize = 3;
/// Words of the shortest entries.
const NARROW: usize = BEFORE + END;

/// The ends of macro steps at a location whose table has no answer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recording {
    pub(crate) on: bool,
    /// For each end the fairness sets of which a step was taken, or what happened on the way if that
    /// is asked for; then the state.
    ends: Vec<u64>,
}

impl Recording {
    /// Begins anew, if it is worth it.
    pub(crate) fn begin(&mut self, on: bool) {
        self.on = on;
        self.ends.clear();
    }

    /// Another end.
    #[inline]
    pub(crate) fn end(&mut self, taken: u64, state: &[u64]) {
        if self.ends.len() >= MOST * (state.len() + 1) {
            self.on = false;
            return;
        }
        self.ends.push(taken);
        self.ends.extend_from_slice(state);
    }
}

impl Place {
    /// Whether a move is possible.
    #[inline(always)]
    pub(crate) fn is_possible(&self) -> bool {
        self.head & POSSIBLE != 0
    }

    /// How many ends there are.
    #[inline(always)]
    pub(crate) fn count(&self) -> u64 {
        self.head & ENDS
    }
}

/// What was written.
pub(crate) struct Written<'r> {
    two: Two,
    bits: [u64; 2],
    rest: (&'r [Bits], &'r [u64]),
}

impl Written<'_> {
    /// Lays it over a state.
    #[inline(always)]
    pub(crate) fn lay_over(&self, state: &mut [u64]) {
        self.two.replace(state, self.bits);
        for (written, bits) in self.rest.0.iter().zip(self.rest.1) {
            let word = &mut state[written.word];
            *word = *word & !written.mask | bits;
        }
    }
}

/// Copies a stored state; most are too short for a call.
#[inline(always)]
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
        let of_class = |rungs: &[Rung], class: u8, station: Station| {
            let (mut read, mut written) = (vec![0; words], vec![0; words]);
            let (mut outcomes, mut known) = (false, true);
            let belongs = |rung: &&Rung| rung.class == class && !rung.waits;
            for rung in rungs.iter().filter(belongs) {
                let Some(footprint) = rung.footprint.as_ref() else {
                    known = false;
                    continue;
                };
                for field in footprints.fetched(footprint) {
                    field.cover(&mut read);
                }
                for field in footprints.written(footprint) {
                    field.cover(&mut written);
                }
                outcomes |= footprint.outcomes;
            }
            let mut bits = read.clone();
            station.cover(&mut bits);
            let ((read, more_read), (written, more)) = (part(&read), part(&written));
            let fits = more_read.len().max(more.len()) <= WIDEST - 2;
            let table = Table {
                read,
                written,
                base: NOWHERE,
                shift: 64 - SLOTS,
                reads_more: !more_read.is_empty(),
                writes_more: !more.is_empty(),
                lookups: 0,
            };
            let aside = Aside {
                read: more_read,
                written: more,
                outcomes,
                given_up: !(known && fits),
                misses: 0,
                entries: 0,
            };
            (table, aside, bits)
        };
        let classes = footprints.classes.iter();
        let tables = classes.flat_map(|&class| {
            let ladders = footprints.ladders();
            ladders.map(move |(station, rungs)| of_class(rungs, class, station))
        });
        let mut recall = Recall {
            // Where none is.
            entries: vec![0; NARROW],
            ..Recall::default()
        };
        for (table, aside, bits) in tables {
            recall.tables.push(table);
            recall.asides.push(aside);
            recall.bits.extend(bits);
        }
        recall
    }

    /// Where to find what is known of the moves of one class at a location in this state; nothing if
    /// that is nothing.
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "entries have places in memory"
    )]
    pub(crate) fn look_up(&mut self, number: usize, state: &[u64]) -> Option<u32> {
        let table = self.tables.get_mut(number)?;
        let key = table.read.of(state);
        let mut mixed = mix(mix(0, key[0]), key[1]);
        if table.reads_more {
            mixed = self.asides[number].mix_rest(mixed, state);
        }
        let mut slot = mixed >> table.shift;
        loop {
            let place = *self.slots.get(table.base as usize + slot as usize)?;
            if place == 0 {
                return None;
            }
            let entry: &[u64; NARROW] = self.entries[place as usize..].first_chunk()?;
            let other = (entry[0] ^ key[0]) | (entry[1] ^ key[1]);
            if other == 0
                && (!table.reads_more
                    || self.asides[number].rest_agrees(&self.entries[place as usize..], state))
            {
                table.lookups += 1;
                return Some(place);
            }
            slot = (slot + 1) & (u64::MAX >> table.shift);
        }
    }

    /// The same with what the entry says at once.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "tables are few")]
    pub(crate) fn find(&mut self, number: usize, state: &[u64]) -> Option<Place> {
        let place = self.look_up(number, state)?;
        let entry: &[u64; NARROW] = self.entries[place as usize..].first_chunk()?;
        Some(Place {
            table: number as u32,
            entry: place,
            head: entry[HEAD],
            enabled: entry[HEAD + 1],
        })
    }

    /// The bits of a state that tell the place, and the location.
    #[inline(always)]
    pub(crate) fn bits(&self, place: &Place, words: usize) -> &[u64] {
        &self.bits[place.table as usize * words..][..words]
    }

    /// The only end at a place that was found, if there is one only and two words tell it: the
    /// fairness sets of which a step was taken, and what was written.
    #[inline(always)]
    pub(crate) fn only_end(&self, place: &Place) -> Option<(u64, Written<'_>)> {
        let table = self.tables.get(place.table as usize)?;
        let entry: &[u64; NARROW] = self.entries.get(place.entry as usize..)?.first_chunk()?;
        let [.., taken, v, w] = *entry;
        let written = Written {
            two: table.written,
            bits: [v, w],
            rest: (&[], &[]),
        };
        (place.count() == 1 && !table.writes_more).then_some((taken, written))
    }

    /// What is known at a place: whether a move is possible, and the fairness sets of which some
    /// step is enabled.
    pub(crate) fn known(&self, place: u32) -> (bool, u64) {
        let entry = &self.entries[place as usize..];
        (entry[HEAD] & POSSIBLE != 0, entry[HEAD + 1])
    }

    /// All ends at a place.
    pub(crate) fn ends(
        &self,
        number: usize,
        place: u32,
    ) -> impl Iterator<Item = (u64, Written<'_>)> {
        let (table, aside) = (&self.tables[number], &self.asides[number]);
        let entry = &self.entries[place as usize..];
        let count = (entry[HEAD] & ENDS) as usize;
        let ends = entry[BEFORE..].chunks_exact(END + aside.written.len());
        ends.take(count).map(|end| {
            let written = Written {
                two: table.written,
                bits: [end[1], end[2]],
                rest: (&aside.written, &end[END..]),
            };
            (end[0], written)
        })
    }

    /// Tells of all ends at a place, which are nothing but states.
    #[inline(always)]
    pub(crate) fn tell(
        &self,
        place: &Place,
        from: &[u64],
        to: &mut [u64],
        sink: &mut impl Sink,
    ) -> ControlFlow<()> {
        for (taken, written) in self.ends(place.table as usize, place.entry) {
            sink.remembered(from, (taken, &written), to)?;
        }
        ControlFlow::Continue(())
    }

    /// Whether at this location what is asked for at the ends of macro steps can change.
    pub(crate) fn is_observed(&self, number: usize) -> bool {
        self.asides.get(number).is_some_and(|aside| aside.outcomes)
    }

    /// Notes that a look-up was in vain; says whether what happens is worth recording.
    #[cold]
    pub(crate) fn miss(&mut self, number: usize) -> bool {
        let Some(aside) = self.asides.get_mut(number) else {
            return false;
        };
        if aside.given_up {
            return false;
        }
        let full = aside.entries >= MANY || self.entries.len() >= WORDS;
        aside.weigh(&mut self.tables[number], full);
        !full
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> u64 {
        let slots = self.slots.capacity() * size_of::<u32>();
        (slots + self.entries.capacity() * size_of::<u64>()) as u64
    }

    /// Writes down what has happened at a location in a state.
    pub(crate) fn learn(
        &mut self,
        number: usize,
        state: &[u64],
        (possible, enabled): (bool, u64),
        recording: &Recording,
    ) {
        let aside = &mut self.asides[number];
        let table = &mut self.tables[number];
        let slots = 1u64 << ((64 - table.shift) & 63);
        if table.base == NOWHERE || u64::from(aside.entries) * 2 >= slots {
            let old = match table.base {
                NOWHERE => 0..0,
                base => base as usize..base as usize + slots as usize,
            };
            let Ok(base) = u32::try_from(self.slots.len()) else {
                return;
            };
            table.shift -= u8::from(!old.is_empty());
            table.base = base;
            self.slots
                .resize(base as usize + (1 << (64 - table.shift)), 0);
            let (before, slots) = self.slots.split_at_mut(base as usize);
            for &place in before[old].iter().filter(|&&place| place != 0) {
                let entry = &self.entries[place as usize..];
                enter(slots, table.shift, aside.mix_entry(entry), place);
            }
        }
        let Ok(place) = u32::try_from(self.entries.len()) else {
            return;
        };
        let ends = recording.ends.chunks_exact(state.len() + 1);
        let head = if possible { POSSIBLE } else { 0 } | ends.len() as u64;
        self.entries.extend(table.read.of(state));
        self.entries.extend([head, enabled]);
        let count = ends.len();
        for end in ends {
            let (taken, state) = (end[0], &end[1..]);
            self.entries.push(taken);
            self.entries.extend(table.written.of(state));
            self.entries
                .extend(aside.written.iter().map(|bits| bits.of(state)));
        }
        if count == 0 {
            let end = self.entries.len() + END + aside.written.len();
            self.entries.resize(end, 0);
        }
        self.entries
            .extend(aside.read.iter().map(|bits| bits.of(state)));
        let mixed = aside.mix_entry(&self.entries[place as usize..]);
        let slots = &mut self.slots[table.base as usize..];
        enter(slots, table.shift, mixed, place);
        aside.entries += 1;
    }
}

/// Enters a place into slots.
fn enter(slots: &mut [u32], shift: u8, mixed: u64, place: u32) {
    let mut slot = mixed >> shift;
    while slots[slot as usize] != 0 {
        slot = (slot + 1) & (u64::MAX >> shift);
    }
    slots[slot as usize] = place;
}

#[inline(always)]
fn mix(sum: u64, bits: u64) -> u64 {
    (sum.rotate_left(29) ^ bits).wrapping_mul(FACTOR)
}

impl Aside {
    /// Mixes in the bits of further words.
    #[inline(never)]
    fn mix_rest(&self, mixed: u64, state: &[u64]) -> u64 {
        let rest = self.read.iter();
        rest.fold(mixed, |mixed, bits| mix(mixed, bits.of(state)))
    }

    /// What the bits of an entry are mixed to.
    fn mix_entry(&self, entry: &[u64]) -> u64 {
        let keys = entry[..HEAD].iter().chain(self.rest(entry));
        keys.fold(0, |mixed, &bits| mix(mixed, bits))
    }

    /// Those bits of an entry.
    fn rest<'e>(&self, entry: &'e [u64]) -> &'e [u64] {
        let ends = ((entry[HEAD] & ENDS) as usize).max(1);
        &entry[BEFORE + ends * (END + self.written.len())..][..self.read.len()]
    }

    /// Whether those bits of a state are the ones of an entry.
    #[inline(never)]
    fn rest_agrees(&self, entry: &[u64], state: &[u64]) -> bool {
        let mut both = self.read.iter().zip(self.rest(entry));
        both.all(|(bits, key)| bits.of(state) == *key)
    }

    /// After a look-up in vain: gives the table up if too many are and nothing more can be learnt.
    fn weigh(&mut self, table: &mut Table, full: bool) {
        self.misses += 1;
        table.lookups += 1;
        if table.lookups < TRIAL {
            return;
        }
        if full && self.misses > table.lookups / 2 {
            table.base = NOWHERE;
            self.given_up = true;
        }
        (table.lookups, self.misses) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One table, for moves that read and write these bits.
    fn one_table(read: &[u64], written: &[u64]) -> Recall {
        let ((two_read, more_read), (two_written, more)) = (part(read), part(written));
        Recall {
            tables: vec![Table {
                read: two_read,
                written: two_written,
                base: NOWHERE,
                shift: 64 - SLOTS,
                reads_more: !more_read.is_empty(),
                writes_more: !more.is_empty(),
                lookups: 0,
            }],
            asides: vec![Aside {
                read: more_read,
                written: more,
                outcomes: false,
                given_up: false,
                misses: 0,
                entries: 0,
            }],
            bits: read.to_vec(),
            slots: Vec::new(),
            entries: vec![0; NARROW],
        }
    }

    #[test]
    fn what_is_remembered_is_what_came_out() {
        let few = [0xf, 0xf0, 0, 0];
        let many = [0x3, 0x30, 0x3, 0x300];
        for (read, written) in [(few, few), (few, many), (many, few), (many, many)] {
            let mut recall = one_table(&read, &written);
            let mut recording = Recording::default();
            let mut seed = 5u64;
            let mut hits = 0;
            for _ in 0..20_000 {
                let state: [u64; 4] = std::array::from_fn(|_| {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    seed >> 32
                });
                // What comes out depends on what is read, and takes the place of what was there.
                let key = state.iter().zip(&read).map(|(word, mask)| word & mask);
                let key = key.fold(0, mix);
                let count = key >> 62;
                let end = |number: u64| {
                    let new = mix(key, number);
                    let mut end = state;
                    for (word, mask) in end.iter_mut().zip(&written) {
                        *word = *word & !mask | new & mask;
                    }
                    end
                };
                let Some(place) = recall.find(0, &state) else {
                    assert!(recall.miss(0));
                    recording.begin(true);
                    (0..count).for_each(|number| recording.end(number, &end(number)));
                    recall.learn(0, &state, (count > 1, key), &recording);
                    continue;
                };
                hits += 1;
                assert_eq!(place.count(), count);
                assert_eq!((place.is_possible(), place.enabled), (count > 1, key));
                let told: Vec<(u64, [u64; 4])> = recall
                    .ends(0, place.entry)
                    .map(|(taken, written)| {
                        let mut state = state;
                        written.lay_over(&mut state);
                        (taken, state)
                    })
                    .collect();
                let all: Vec<_> = (0..count).map(|number| (number, end(number))).collect();
                assert_eq!(told, all);
            }
            assert!(hits > 18_000, "there are 256 parts that decide: {hits}");
        }
    }
}
