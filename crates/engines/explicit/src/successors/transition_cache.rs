//! Remembers what the moves of an instance led to.
//!
//! The moves that an instance can make at a location touch a part of the state, and that part takes
//! few values compared with the states it occurs in. What came out for one of them is written down:
//! the bits that each move left behind, to be laid over the rest of any state that agrees on the
//! part (Blom, van de Pol, Weber: LTSmin: Distributed and symbolic reachability, CAV 2010, there
//! called transition caching). Each location has a hash table, from what it looks at to what came
//! out; one that seldom knows the answer is given up.

use std::cell::Cell;
use std::sync::Arc;

use crate::ir::state_width::{Any, FEW, Width};
use crate::store::hash::FACTOR;
use crate::successors::read_write_sets::{Footprints, GuardedMove, LocationLists};

/// Slots of a table at first: two to this power. At most half of them are used.
const SLOTS: u8 = 6;
/// Entries of a table at most, and words of the entries of all;
const MANY: u32 = 1 << 14;
const WORDS: u64 = 1 << 23;
/// they take no more than this share of the memory that there is.
const SHARE: u64 = 256;
/// Ends of macro steps that an entry can hold.
const MOST: usize = 64;
/// Look-ups after which a table has to have proved itself,
const TRIAL: u64 = 1 << 13;
/// and one where more decides than what moves look at.
const SHORT_TRIAL: u64 = 1 << 10;
/// Where more words of a state decide or can change, nothing is remembered.
const WIDEST: usize = 16;
/// Where slots are of which there are none: behind all others.
const NOWHERE: u32 = u32::MAX;

/// The tables of all locations, for each priority class of moves.
#[derive(Clone, Debug, Default)]
pub(crate) struct TransitionCache {
    tables: Vec<Table>,
    /// The words of a state that each table is about: all, if there are few.
    words: Vec<u16>,
    /// And bits of these words, for each table those that decide or tell the location, then those
    /// that decide, then those that stay as they are.
    masks: Vec<u64>,
    /// The slots of all tables: where entries are, or zero.
    slots: Vec<u32>,
    /// The entries of all tables. One is its [head](Head); the fairness sets of which some step is
    /// enabled; of each word that it is about the bits that decide; of each those that stay as they
    /// are; and for each end the fairness sets of which a step was taken, and the bits written.
    entries: Vec<u64>,
    /// Words of them at most.
    most: usize,
    /// Words of them that others have been told of, or have told of.
    given: usize,
    /// What others have learnt, entry after entry.
    news: Vec<Arc<[u64]>>,
}

/// What the moves at one location led to.
#[derive(Clone, Debug)]
struct Table {
    /// Where its words are among all, and how many.
    first: u32,
    count: u32,
    /// Where its slots begin.
    base: u32,
    /// How many of them there are: two to the power of 64 less this.
    shift: u8,
    /// Whether what is asked for at the ends of macro steps depends on more than what decides.
    outcomes: bool,
    /// Whether more decides than what moves look at.
    wider: bool,
    /// Whether nothing is remembered, or nothing any more.
    given_up: bool,
    /// Look-ups, and those in vain, since it last had to prove itself.
    look_ups: Cell<u64>,
    misses: u64,
    /// How many entries there are.
    entries: u32,
}

/// The head of an entry: its table, whether a move is possible, and how many ends there are.
#[derive(Clone, Copy)]
struct Head(u64);

impl Head {
    fn new(table: usize, is_possible: bool, ends: usize) -> Head {
        Head((table as u64) << 32 | u64::from(is_possible) << 16 | ends as u64)
    }

    fn table(self) -> usize {
        (self.0 >> 32) as usize
    }

    fn is_possible(self) -> bool {
        self.0 >> 16 & 1 != 0
    }

    fn ends(self) -> usize {
        (self.0 & 0xffff) as usize
    }
}

/// The words of a state that a table is about: where their number is known to the compiler, all.
#[derive(Clone, Copy)]
struct Picked<'r, W> {
    width: W,
    words: &'r [u16],
}

impl<W: Width> Picked<'_, W> {
    /// How many there are.
    #[inline(always)]
    fn len(self) -> usize {
        if W::KNOWN {
            self.width.get()
        } else {
            self.words.len()
        }
    }

    /// The place in a state of one of them.
    #[inline(always)]
    fn place(self, number: usize) -> usize {
        if W::KNOWN {
            number
        } else {
            self.words[number].into()
        }
    }
}

/// What a table is about.
#[derive(Clone, Copy)]
pub(crate) struct View<'r, W> {
    picked: Picked<'r, W>,
    /// Of each word the bits that decide or tell the location, and those that decide.
    bits: &'r [u64],
    read: &'r [u64],
}

impl<W: Width> View<'_, W> {
    /// What the bits of a state that decide are mixed to.
    #[inline(always)]
    fn mix(self, state: &[u64]) -> u64 {
        let mut mixed = 0;
        for (number, mask) in self.read.iter().enumerate() {
            mixed = mix(mixed, state[self.picked.place(number)] & mask);
        }
        mixed
    }

    /// Whether the bits of a state that decide are these.
    #[inline(always)]
    fn is(self, state: &[u64], key: &[u64]) -> bool {
        let mut other = 0;
        for (number, (mask, key)) in self.read.iter().zip(key).enumerate() {
            other |= state[self.picked.place(number)] & mask ^ key;
        }
        other == 0
    }

    /// Whether two states agree in what tells the place where something is remembered.
    #[inline(always)]
    pub(crate) fn agree(self, one: &[u64], other: &[u64]) -> bool {
        let mut bits = 0;
        for (number, mask) in self.bits.iter().enumerate() {
            let place = self.picked.place(number);
            bits |= mask & (one[place] ^ other[place]);
        }
        bits == 0
    }
}

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

/// What is remembered at a place.
pub(crate) struct Entry<'r, W> {
    picked: Picked<'r, W>,
    /// Whether a move is possible.
    pub(crate) is_possible: bool,
    /// The fairness sets of which some step is enabled.
    pub(crate) enabled: u64,
    /// The bits that stay as they are.
    keep: &'r [u64],
    ends: &'r [u64],
}

/// An end of a macro step that is remembered.
pub(crate) struct Ended<'r, W> {
    picked: Picked<'r, W>,
    /// The fairness sets of which a step was taken, or what happened on the way.
    pub(crate) mark: u64,
    keep: &'r [u64],
    bits: &'r [u64],
}

impl<'r, W: Width> Entry<'r, W> {
    /// The ends of macro steps.
    #[inline(always)]
    pub(crate) fn ends(&self) -> impl Iterator<Item = Ended<'r, W>> {
        let (picked, keep) = (self.picked, self.keep);
        let mut ends = self.ends;
        std::iter::from_fn(move || {
            let (mark, rest) = ends.split_first()?;
            let (bits, rest) = rest.split_at_checked(picked.len())?;
            ends = rest;
            Some(Ended {
                picked,
                mark: *mark,
                keep,
                bits,
            })
        })
    }
}

impl<W: Width> Ended<'_, W> {
    /// Writes the state at the end, for the one at the beginning.
    #[inline(always)]
    pub(crate) fn write(&self, from: &[u64], to: &mut [u64]) {
        if !W::KNOWN {
            copy_words(to, from);
        }
        for (number, (keep, bits)) in self.keep.iter().zip(self.bits).enumerate() {
            let place = self.picked.place(number);
            to[place] = from[place] & keep | bits;
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

/// What moves at a location touch, in masks for the words of a state.
struct Touched {
    /// What decides, with what tells the location; what decides; what is written.
    bits: Vec<u64>,
    read: Vec<u64>,
    written: Vec<u64>,
    /// Whether what is asked for at the ends of macro steps depends on more.
    outcomes: bool,
    /// Whether what is asked for is among what decides.
    wider: bool,
    /// Whether this is known.
    known: bool,
}

impl Touched {
    fn by(
        guarded_moves: &[GuardedMove],
        class: u8,
        location_lists: LocationLists,
        footprints: &Footprints,
        (words, observed): (usize, Option<&[u64]>),
    ) -> Touched {
        let mut touched = Touched {
            bits: Vec::new(),
            read: vec![0; words],
            written: vec![0; words],
            outcomes: false,
            wider: false,
            known: true,
        };
        let belongs =
            |guarded_move: &&GuardedMove| guarded_move.class == class && !guarded_move.waits;
        for guarded_move in guarded_moves.iter().filter(belongs) {
            let Some(footprint) = guarded_move.footprint.as_ref() else {
                touched.known = false;
                continue;
            };
            for field in footprints.fetched(footprint) {
                field.cover(&mut touched.read);
            }
            for field in footprints.written(footprint) {
                field.cover(&mut touched.written);
            }
            touched.outcomes |= footprint.outcomes;
        }
        if let (true, Some(observed)) = (touched.outcomes, observed) {
            for (read, observed) in touched.read.iter_mut().zip(observed) {
                *read |= observed;
            }
            touched.outcomes = false;
            touched.wider = true;
        }
        touched.bits.clone_from(&touched.read);
        location_lists.cover(&mut touched.bits);
        touched
    }
}

impl TransitionCache {
    /// Empty tables for the locations where what happens depends on a known part of the state. Where
    /// what is asked for at the ends of macro steps can change, the bits that tell it, if they are
    /// given, count among those that decide: then it is the same whenever an end is told again.
    pub(crate) fn new(
        footprints: &Footprints,
        deciding: (usize, Option<&[u64]>),
        memory: Option<u64>,
    ) -> TransitionCache {
        let most = memory.map_or(WORDS, |bytes| WORDS.min(bytes / SHARE / 8));
        let mut transition_cache = TransitionCache::empty(most);
        for &class in &footprints.classes {
            for (location_lists, guarded_moves) in footprints.priority_lists() {
                transition_cache.add(&Touched::by(
                    guarded_moves,
                    class,
                    location_lists,
                    footprints,
                    deciding,
                ));
            }
        }
        transition_cache
    }

    /// No tables; with so many words of entries at most.
    fn empty(most: u64) -> TransitionCache {
        TransitionCache {
            // Where none is.
            entries: vec![0],
            given: 1,
            most: usize::try_from(most).unwrap_or(usize::MAX),
            ..TransitionCache::default()
        }
    }

    /// Adds an empty table for what is touched.
    fn add(&mut self, touched: &Touched) {
        let words = touched.bits.len();
        let is_about =
            |word: &usize| words <= FEW || touched.bits[*word] != 0 || touched.written[*word] != 0;
        let picked: Vec<usize> = (0..words).filter(is_about).collect();
        let known = touched.known && (words <= FEW || picked.len() <= WIDEST);
        let small = |number: usize| u32::try_from(number).expect("places are few");
        self.tables.push(Table {
            first: small(self.words.len()),
            count: small(picked.len()),
            base: NOWHERE,
            shift: 64 - SLOTS,
            outcomes: touched.outcomes,
            wider: touched.wider,
            given_up: !known,
            look_ups: Cell::new(0),
            misses: 0,
            entries: 0,
        });
        let short = |&word: &usize| u16::try_from(word).expect("states are not that long");
        self.words.extend(picked.iter().map(short));
        for masks in [&touched.bits, &touched.read] {
            self.masks.extend(picked.iter().map(|&word| masks[word]));
        }
        let keep = picked.iter().map(|&word| !touched.written[word]);
        self.masks.extend(keep);
    }

    /// What a table is about.
    #[inline(always)]
    pub(crate) fn view<W: Width>(&self, width: W, table: usize) -> Option<View<'_, W>> {
        let table = self.tables.get(table)?;
        let words: &[u16] = if W::KNOWN {
            &[]
        } else {
            &self.words[table.first as usize..][..table.count as usize]
        };
        let picked = Picked { width, words };
        let masks = self.masks.get(3 * table.first as usize..)?;
        let (masks, _) = masks.split_at_checked(2 * picked.len())?;
        let (bits, read) = masks.split_at(picked.len());
        Some(View { picked, bits, read })
    }

    /// Where to find what is known of the moves of one class at a location in this state; nothing if
    /// that is nothing.
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "entries have places in memory"
    )]
    pub(crate) fn look_up<W: Width>(
        &self,
        view: View<'_, W>,
        table: usize,
        state: &[u64],
    ) -> Option<u32> {
        let table = self.tables.get(table)?;
        table.look_ups.set(table.look_ups.get() + 1);
        let mut slot = view.mix(state) >> (table.shift & 63);
        loop {
            let place = *self.slots.get(table.base as usize + slot as usize)?;
            if place == 0 {
                return None;
            }
            let entry = self.entries.get(place as usize..)?;
            let (start, _) = entry.split_at_checked(2 + view.read.len())?;
            if view.is(state, &start[2..]) {
                return Some(place);
            }
            slot = (slot + 1) & (u64::MAX >> (table.shift & 63));
        }
    }

    /// What is known at a place that was found.
    #[inline(always)]
    pub(crate) fn entry<W: Width>(&self, width: W, place: u32) -> Option<Entry<'_, W>> {
        let entry = self.entries.get(place as usize..)?;
        let head = Head(*entry.first()?);
        let words: &[u16] = if W::KNOWN {
            &[]
        } else {
            self.view(Any(0), head.table())?.picked.words
        };
        let picked = Picked { width, words };
        let (start, ends) = entry.split_at_checked(2 + 2 * picked.len())?;
        let (ends, _) = ends.split_at_checked(head.ends() * (1 + picked.len()))?;
        Some(Entry {
            picked,
            is_possible: head.is_possible(),
            enabled: start[1],
            keep: &start[2 + picked.len()..],
            ends,
        })
    }

    /// Whether a move is possible at a place that was found, and whether there is anything to tell.
    #[inline(always)]
    pub(crate) fn gist(&self, place: u32) -> (bool, bool) {
        let head = Head(self.entries[place as usize]);
        let tells = head.ends() > 0 || self.entries[place as usize + 1] != 0;
        (head.is_possible(), tells)
    }

    /// Whether what is asked for at the ends of macro steps from this location may be something else
    /// when they are told again.
    pub(crate) fn is_observed(&self, number: usize) -> bool {
        self.tables.get(number).is_some_and(|table| table.outcomes)
    }

    /// Notes that a look-up was in vain; says whether what happens is worth recording.
    #[cold]
    pub(crate) fn miss(&mut self, number: usize) -> bool {
        let Some(table) = self.tables.get_mut(number) else {
            return false;
        };
        if table.given_up {
            return false;
        }
        let full = table.entries >= MANY || self.entries.len() >= self.most;
        table.weigh(full);
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
        if !self.make_room(number) {
            return;
        }
        let Ok(place) = u32::try_from(self.entries.len()) else {
            return;
        };
        let table = &self.tables[number];
        let count = table.count as usize;
        let words = &self.words[table.first as usize..][..count];
        let masks = &self.masks[3 * table.first as usize..][..3 * count];
        let (read, keep) = masks[count..].split_at(count);
        let ends = recording.ends.chunks_exact(state.len() + 1);
        let entries = &mut self.entries;
        entries.push(Head::new(number, possible, ends.len()).0);
        entries.push(enabled);
        let of = |state: &[u64], place: usize| state[usize::from(words[place])];
        entries.extend((0..count).map(|place| of(state, place) & read[place]));
        entries.extend(keep);
        for end in ends {
            entries.push(end[0]);
            entries.extend((0..count).map(|place| of(&end[1..], place) & !keep[place]));
        }
        self.note(number, place);
    }

    /// Makes it so that an entry at this place is found in a table where there is room for it.
    fn note(&mut self, number: usize, place: u32) {
        let table = &mut self.tables[number];
        table.entries += 1;
        let mixed = mix_all(&self.entries[place as usize + 2..][..table.count as usize]);
        let slots = &mut self.slots[table.base as usize..];
        enter(slots, table.shift, mixed, place);
    }

    /// Tells each of several with the same tables what the others have learnt since the last time.
    pub(crate) fn tell_each_other(all: &mut [&mut TransitionCache]) {
        for from in 0..all.len() {
            let teller = &mut *all[from];
            let news: Arc<[u64]> = Arc::from(&teller.entries[teller.given..]);
            teller.given = teller.entries.len();
            for (to, listener) in all.iter_mut().enumerate() {
                if to != from {
                    listener.news.push(Arc::clone(&news));
                }
            }
        }
    }

    /// Learns what it has been told, as far as there is room.
    pub(crate) fn take_over(&mut self) {
        for news in std::mem::take(&mut self.news) {
            self.learn_all(&news);
        }
        // Those who told it know it.
        self.given = self.entries.len();
    }

    /// Learns what is not known yet of entries that stand one after the other.
    fn learn_all(&mut self, entries: &[u64]) {
        let mut rest = entries;
        while let Some(&head) = rest.first() {
            let head = Head(head);
            let table = &self.tables[head.table()];
            let count = table.count as usize;
            let (entry, after) = rest.split_at(2 + 2 * count + head.ends() * (1 + count));
            rest = after;
            let full = table.entries >= MANY || self.entries.len() >= self.most;
            if full || table.given_up || self.has(table, &entry[2..][..count]) {
                continue;
            }
            if let Ok(place) = u32::try_from(self.entries.len())
                && self.make_room(head.table())
            {
                self.entries.extend_from_slice(entry);
                self.note(head.table(), place);
            }
        }
    }

    /// Whether a table has an entry with this key.
    fn has(&self, table: &Table, key: &[u64]) -> bool {
        if table.base == NOWHERE {
            return false;
        }
        let slots = &self.slots[table.base as usize..];
        let mut slot = mix_all(key) >> table.shift;
        while let place @ 1.. = slots[slot as usize] {
            if self.entries[place as usize + 2..].starts_with(key) {
                return true;
            }
            slot = (slot + 1) & (u64::MAX >> table.shift);
        }
        false
    }

    /// Makes room for another entry of a table, if it can be had.
    fn make_room(&mut self, number: usize) -> bool {
        let table = &mut self.tables[number];
        let slots = 1u64 << ((64 - table.shift) & 63);
        if table.base != NOWHERE && u64::from(table.entries) * 2 < slots {
            return true;
        }
        let old = match table.base {
            NOWHERE => 0..0,
            base => base as usize..base as usize + slots as usize,
        };
        let Ok(base) = u32::try_from(self.slots.len()) else {
            return false;
        };
        table.shift -= u8::from(!old.is_empty());
        table.base = base;
        self.slots
            .resize(base as usize + (1 << (64 - table.shift)), 0);
        let (before, slots) = self.slots.split_at_mut(base as usize);
        for &place in before[old].iter().filter(|&&place| place != 0) {
            let key = &self.entries[place as usize + 2..][..table.count as usize];
            enter(slots, table.shift, mix_all(key), place);
        }
        true
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

fn mix_all(key: &[u64]) -> u64 {
    key.iter().fold(0, |mixed, &bits| mix(mixed, bits))
}

impl Table {
    /// After a look-up in vain: gives the table up if too many are and nothing more can be learnt, or
    /// what would be is about few states each.
    fn weigh(&mut self, full: bool) {
        self.misses += 1;
        let trial = if self.wider { SHORT_TRIAL } else { TRIAL };
        if self.look_ups.get() < trial {
            return;
        }
        if (full || self.wider) && self.misses > self.look_ups.get() / 2 {
            self.base = NOWHERE;
            self.given_up = true;
        }
        self.look_ups.set(0);
        self.misses = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::state_width::with_width;

    /// One table, for moves that read and write these bits.
    fn one_table(read: &[u64], written: &[u64]) -> TransitionCache {
        let mut transition_cache = TransitionCache::empty(WORDS);
        transition_cache.add(&Touched {
            bits: read.to_vec(),
            read: read.to_vec(),
            written: written.to_vec(),
            outcomes: false,
            wider: false,
            known: true,
        });
        transition_cache
    }

    #[test]
    fn what_one_has_learnt_all_know() {
        let mut all = [(); 3].map(|()| one_table(&[0xf, 0xf0], &[0xff, 0]));
        let mut recording = Recording::default();
        let mut seed = 5u64;
        let mut states = Vec::new();
        for round in 0..20 {
            for _ in 0..30 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let state = [seed >> 33 & 0xff, seed >> 41 & 0xff];
                let transition_cache = &mut all[usize::try_from(seed >> 60).unwrap() % 3];
                let view = transition_cache.view(Any(2), 0).unwrap();
                if transition_cache.look_up(view, 0, &state).is_some() {
                    continue;
                }
                recording.begin(true);
                for end in 0..state[0] & 3 {
                    recording.end(end, &[(state[0] + end) & 0xff, state[1]]);
                }
                let outcome = (state[0] & 3 > 0, state[1] & 0xf0);
                transition_cache.learn(0, &state, outcome, &recording);
                states.push(state);
            }
            if round % 2 == 0 {
                continue;
            }
            TransitionCache::tell_each_other(&mut all.each_mut());
            all.iter_mut().for_each(TransitionCache::take_over);
            for transition_cache in &all {
                for state in &states {
                    let view = transition_cache.view(Any(2), 0).unwrap();
                    let place = transition_cache
                        .look_up(view, 0, state)
                        .expect("all know it");
                    let entry = transition_cache.entry(Any(2), place).unwrap();
                    let marks: Vec<u64> = entry.ends().map(|end| end.mark).collect();
                    assert!(marks.into_iter().eq(0..state[0] & 3));
                    assert_eq!(entry.is_possible, state[0] & 3 > 0);
                    assert_eq!(entry.enabled, state[1] & 0xf0);
                }
            }
        }
        // Nothing is learnt twice.
        let keys = states.iter().map(|[a, b]| (a & 0xf, b & 0xf0));
        let keys: std::collections::HashSet<_> = keys.collect();
        for transition_cache in &all {
            assert_eq!(transition_cache.tables[0].entries as usize, keys.len());
        }
    }

    #[test]
    fn what_is_remembered_is_what_came_out() {
        let few = [0xf, 0xf0, 0, 0];
        let many = [0x3, 0x30, 0x3, 0x300];
        let spread = [0xf, 0, 0, 0, 0, 0, 0, 0xf];
        let other = [0, 0xf, 0, 0, 0x3, 0, 0, 0x3];
        let narrow: [[&[u64]; 2]; 4] = [[&few, &few], [&few, &many], [&many, &few], [&many, &many]];
        let wide: [[&[u64]; 2]; 2] = [[&spread, &other], [&spread, &spread]];
        for [read, written] in narrow.into_iter().chain(wide) {
            let words = read.len();
            let mut transition_cache = one_table(read, written);
            let mut recording = Recording::default();
            let mut seed = 5u64;
            let mut hits = 0;
            for _ in 0..20_000 {
                let state: Vec<u64> = std::iter::repeat_with(|| {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    seed >> 32
                })
                .take(words)
                .collect();
                // What comes out depends on what is read, and takes the place of what was there.
                let key = state.iter().zip(read).map(|(word, mask)| word & mask);
                let key = key.fold(0, mix);
                let count = key >> 62;
                let end = |number: u64| {
                    let new = mix(key, number);
                    let mut end = state.clone();
                    for (word, mask) in end.iter_mut().zip(written) {
                        *word = *word & !mask | new & mask;
                    }
                    end
                };
                let view = transition_cache.view(Any(words), 0).unwrap();
                let Some(place) = transition_cache.look_up(view, 0, &state) else {
                    assert!(transition_cache.miss(0));
                    recording.begin(true);
                    (0..count).for_each(|number| recording.end(number, &end(number)));
                    transition_cache.learn(0, &state, (count > 1, key), &recording);
                    continue;
                };
                hits += 1;
                let all: Vec<_> = (0..count).map(|number| (number, end(number))).collect();
                // Whether the compiler knows the width or not.
                with_width!(words, width => {
                    let view = transition_cache.view(width, 0).unwrap();
                    assert_eq!(transition_cache.look_up(view, 0, &state), Some(place));
                    let entry = transition_cache.entry(width, place).unwrap();
                    assert_eq!((entry.is_possible, entry.enabled), (count > 1, key));
                    let told = entry.ends().map(|ended| {
                        let mut to = vec![0; words];
                        ended.write(&state, &mut to);
                        (ended.mark, to)
                    });
                    assert_eq!(told.collect::<Vec<_>>(), all);
                });
            }
            assert!(hits > 18_000, "there are 256 parts that decide: {hits}");
        }
    }
}
