//! Remembers what the moves of an instance led to.
//!
//! The moves that an instance can make at a location touch a part of the state, and that part takes
//! few values compared with the states it occurs in. What came out for one of them is written down:
//! the bits that each move left behind, to be laid over the rest of any state that agrees on the
//! part (Blom, van de Pol, Weber: LTSmin: Distributed and symbolic reachability, CAV 2010, there
//! called transition caching). Each location has a hash table, from what it looks at to what came out;
//! one that seldom knows the answer is given up. Failed assertions and faults are told each time anew.

mod decision_tree;
mod groups;
mod prefetching;
#[cfg(test)]
mod tests;
mod touched;

use std::cell::Cell;
use std::sync::Arc;

use crate::ir::instruction::Slot;
use crate::ir::state_width::{Any, FEW, Width};
use crate::store::hash::FACTOR;
use crate::successors::read_write_sets::Footprints;
use crate::vm::dependencies::{Dependencies, Tracking};
use touched::Touched;
pub(crate) use touched::{Deciding, Moves};

/// Slots of a table at first: two to this power. At most half of them are used.
const SLOTS: u8 = 6;
/// Entries of a table at most, and words of the entries of all;
const MANY: u32 = 1 << 14;
const WORDS: u64 = 1 << 23;
/// they take no more than this share of the memory that there is.
const SHARE: u64 = 256;
/// A list is split into groups where more than this part of the look-ups are in vain.
const SPLIT_SHARE: u64 = 8;
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
    /// How many tables there were at first: those that everybody has.
    common: usize,
    /// What decides beside what moves touch.
    deciding: Deciding,
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
    /// How many tell something, in it and where its branches lead.
    held: u32,
    /// Where of its list the moves are that it is about.
    moves: (u32, u32),
    /// What is to be written down when they run, since it is not known beforehand what they touch.
    tracking: Tracking,
    /// With how many entries its moves are split into groups if they are not found often enough; zero
    /// for never.
    split_from: u32,
    /// Whether it has been given up for those.
    is_split: bool,
    /// The tables of the groups.
    groups: Vec<u32>,
    /// The tables that branches lead to, of those that are first asked.
    refinements: Vec<u32>,
}

/// The head of an entry: its table, whether a move is possible, and how many ends there are; or that
/// another table decides.
#[derive(Clone, Copy)]
struct Head(u64);

/// See [`Head::is_branch`].
const IS_BRANCH: u64 = 1 << 17;

impl Head {
    fn new(table: usize, is_possible: bool, ends: usize) -> Head {
        Head((table as u64) << 32 | u64::from(is_possible) << 16 | ends as u64)
    }

    /// Of an entry that leads to another table.
    fn branch(table: usize) -> Head {
        Head((table as u64) << 32 | IS_BRANCH)
    }

    /// Whether what is asked for stands in another table, whose number stands in the place of the
    /// fairness sets.
    fn is_branch(self) -> bool {
        self.0 & IS_BRANCH != 0
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
    /// Whether these bits always suffice.
    pub(crate) exact: bool,
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
    /// The bits that were touched beside those that are known beforehand, and those of them written.
    touched: Vec<u64>,
    written: Vec<u64>,
}

impl Recording {
    /// Begins anew, if it is worth it.
    pub(crate) fn begin(&mut self, on: bool) {
        self.on = on;
        self.ends.clear();
        self.touched.clear();
        self.written.clear();
    }

    /// Notes what runs have touched beside what is known beforehand, of a state of so many words that
    /// begins at an address.
    pub(crate) fn touched_by(
        &mut self,
        dependencies: &Dependencies,
        footprints: &Footprints,
        (words, first): (usize, usize),
    ) {
        for mask in [&mut self.touched, &mut self.written] {
            mask.clear();
            mask.resize(words, 0);
        }
        let state = |slot: &Slot| usize::from(*slot).checked_sub(first);
        for slot in dependencies.read.iter().filter_map(state) {
            footprints.cover(slot, &mut self.touched);
        }
        for slot in dependencies.written.iter().filter_map(state) {
            footprints.cover(slot, &mut self.written);
        }
        for &pc in &dependencies.instructions {
            footprints.cover_instruction(pc, &mut self.touched, &mut self.written);
        }
        // What stays as it is on some ways has to be known, too.
        for (touched, written) in self.touched.iter_mut().zip(&self.written) {
            *touched |= written;
        }
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

impl TransitionCache {
    /// Empty tables for the locations where what happens depends on a known part of the state. Where
    /// what is asked for at the ends of macro steps can change, the bits that tell it, if they are
    /// given, count among those that decide: then it is the same whenever an end is told again.
    pub(crate) fn new(
        footprints: &Footprints,
        deciding: Deciding,
        memory: Option<u64>,
    ) -> TransitionCache {
        let most = memory.map_or(WORDS, |bytes| WORDS.min(bytes / SHARE / 8));
        let mut transition_cache = TransitionCache::empty(most);
        transition_cache.deciding = deciding;
        for &class in &footprints.classes {
            for (location_lists, all) in footprints.priority_lists() {
                let moves = Moves {
                    footprints,
                    location_lists,
                    class,
                    all,
                };
                transition_cache.add_moves(moves, (0, small(all.len())));
            }
        }
        transition_cache.common = transition_cache.tables.len();
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

    /// Adds an empty table for some of the moves at a location.
    fn add_moves(&mut self, moves: Moves<'_>, places: (u32, u32)) -> usize {
        let touched = Touched::by(moves, places, &self.deciding);
        let number = self.add(&touched);
        let table = &mut self.tables[number];
        table.moves = places;
        if moves.can_split(places) {
            table.split_from = self.deciding.split_from;
            table.is_split = table.given_up && table.split_from > 0;
        }
        number
    }

    /// Adds an empty table for what is touched, and gives its number.
    fn add(&mut self, touched: &Touched) -> usize {
        let words = touched.bits.len();
        let is_about =
            |word: &usize| words <= FEW || touched.bits[*word] != 0 || touched.written[*word] != 0;
        let picked: Vec<usize> = (0..words).filter(is_about).collect();
        let known = touched.known && (words <= FEW || picked.len() <= WIDEST);
        let number = self.tables.len();
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
            held: 0,
            moves: (0, 0),
            tracking: touched.tracking,
            split_from: 0,
            is_split: false,
            groups: Vec::new(),
            refinements: Vec::new(),
        });
        let short = |&word: &usize| u16::try_from(word).expect("states are not that long");
        self.words.extend(picked.iter().map(short));
        for masks in [&touched.bits, &touched.read] {
            self.masks.extend(picked.iter().map(|&word| masks[word]));
        }
        let keep = picked.iter().map(|&word| !touched.written[word]);
        self.masks.extend(keep);
        number
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
        Some(View {
            picked,
            exact: table.is_exact(),
            bits,
            read,
        })
    }

    /// Where to find what is known of the moves of one class at a location in this state; nothing if
    /// that is nothing.
    #[inline(always)]
    pub(crate) fn look_up<W: Width>(
        &self,
        view: View<'_, W>,
        table: usize,
        state: &[u64],
    ) -> Option<u32> {
        let table = self.tables.get(table)?;
        table.look_ups.set(table.look_ups.get() + 1);
        let place = self.seek(view, table, state)?;
        if view.exact {
            return Some(place);
        }
        self.descend(view.picked.width, place, state)
    }

    /// Where a table has an entry for a state.
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "entries have places in memory"
    )]
    fn seek<W: Width>(&self, view: View<'_, W>, table: &Table, state: &[u64]) -> Option<u32> {
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

    /// From an entry that was found in a table on to the one that tells what is asked for.
    #[inline(always)]
    fn descend<W: Width>(&self, width: W, mut place: u32, state: &[u64]) -> Option<u32> {
        while let Some(next) = self.target(place) {
            let view = self.view(width, next)?;
            place = self.seek(view, self.tables.get(next)?, state)?;
        }
        Some(place)
    }

    /// The table that an entry leads to.
    #[inline(always)]
    fn target(&self, place: u32) -> Option<usize> {
        let entry = self.entries.get(place as usize..)?;
        let (head, next) = (entry.first()?, entry.get(1)?);
        Head(*head)
            .is_branch()
            .then(|| usize::try_from(*next).ok())?
    }

    /// What the table is about that tells what was found at a place.
    #[inline(always)]
    pub(crate) fn view_at<W: Width>(&self, width: W, place: u32) -> Option<View<'_, W>> {
        self.view(width, Head(self.entries[place as usize]).table())
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

    /// Whether there is room for more in a table that is not given up.
    pub(crate) fn learns(&self, number: usize) -> bool {
        let table = self.tables.get(number);
        table.is_some_and(|table| !table.given_up && !self.is_full(table))
    }

    fn is_full(&self, table: &Table) -> bool {
        table.is_full() || self.entries.len() >= self.most
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
        let full = table.is_full() || self.entries.len() >= self.most;
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
        let Some(decides) = self.deciding_table(number, state, &recording.touched) else {
            return;
        };
        let Some(place) = self.place_for(decides) else {
            return;
        };
        let table = &self.tables[decides];
        let count = table.count as usize;
        let words = &self.words[table.first as usize..][..count];
        let masks = &self.masks[3 * table.first as usize..][..3 * count];
        let (read, keep) = masks[count..].split_at(count);
        let ends = recording.ends.chunks_exact(state.len() + 1);
        let entries = &mut self.entries;
        let of = |state: &[u64], place: usize| state[usize::from(words[place])];
        let written = |place: usize| {
            let more = recording.written.get(usize::from(words[place]));
            !keep[place] | more.unwrap_or(&0)
        };
        entries.push(Head::new(decides, possible, ends.len()).0);
        entries.push(enabled);
        entries.extend((0..count).map(|place| of(state, place) & read[place]));
        entries.extend((0..count).map(|place| !written(place)));
        for end in ends {
            entries.push(end[0]);
            entries.extend((0..count).map(|place| of(&end[1..], place) & written(place)));
        }
        self.note(decides, place);
        self.tables[number].held += 1;
    }

    /// Where another entry of a table would be, if there is room for one.
    fn place_for(&mut self, number: usize) -> Option<u32> {
        let place = u32::try_from(self.entries.len()).ok()?;
        self.make_room(number).then_some(place)
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
            let news: Arc<[u64]> = Arc::from(teller.news_for_all());
            teller.given = teller.entries.len();
            for (to, listener) in all.iter_mut().enumerate() {
                if to != from {
                    listener.news.push(Arc::clone(&news));
                }
            }
        }
    }

    /// What has been learnt since others were told, as far as they have the tables: those that are added
    /// on the way are everybody's own.
    fn news_for_all(&self) -> Vec<u64> {
        let mut rest = &self.entries[self.given..];
        let mut news = Vec::new();
        while let Some((head, entry, after)) = self.first_of(rest) {
            rest = after;
            if head.table() < self.common && self.tables[head.table()].is_exact() {
                news.extend_from_slice(entry);
            }
        }
        news
    }

    /// The first of entries that stand one after the other, with its head, and those behind it.
    fn first_of<'r>(&self, entries: &'r [u64]) -> Option<(Head, &'r [u64], &'r [u64])> {
        let head = Head(*entries.first()?);
        let count = self.tables[head.table()].count as usize;
        let (entry, rest) = entries.split_at(2 + 2 * count + head.ends() * (1 + count));
        Some((head, entry, rest))
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
        while let Some((head, entry, after)) = self.first_of(rest) {
            rest = after;
            let table = &self.tables[head.table()];
            let count = table.count as usize;
            let full = table.is_full() || self.entries.len() >= self.most;
            if full || table.given_up || self.place_of(head.table(), &entry[2..][..count]).is_some()
            {
                continue;
            }
            if let Ok(place) = u32::try_from(self.entries.len())
                && self.make_room(head.table())
            {
                self.entries.extend_from_slice(entry);
                self.note(head.table(), place);
                self.tables[head.table()].held += 1;
            }
        }
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
    /// Whether it is known beforehand what the moves touch that it is about.
    #[inline(always)]
    fn is_exact(&self) -> bool {
        self.tracking == Tracking::Nothing
    }

    /// Whether it has as many entries as it may have.
    fn is_full(&self) -> bool {
        let most = match self.split_from {
            0 => MANY,
            number => number.min(MANY),
        };
        self.held >= most
    }

    /// After a look-up in vain: gives the table up if too many are and nothing more can be learnt, or
    /// is, or what would be is about few states each; for groups, if those may be found more often.
    fn weigh(&mut self, full: bool) {
        self.misses += 1;
        let trial = if self.wider { SHORT_TRIAL } else { TRIAL };
        let splits = self.split_from > 0;
        let trial = if splits {
            trial.min(self.split_from.into())
        } else {
            trial
        };
        if self.look_ups.get() < trial {
            return;
        }
        let many = self.look_ups.get() / if splits && full { SPLIT_SHARE } else { 2 };
        let learns = u64::from(self.held) >= self.misses / 2;
        if (full || self.wider || !learns) && self.misses > many {
            self.base = NOWHERE;
            self.given_up = true;
            self.is_split = splits;
        }
        self.look_ups.set(0);
        self.misses = 0;
    }
}

fn small(number: usize) -> u32 {
    u32::try_from(number).expect("places are few")
}
