//! The index of a store: from hashes to row numbers, open addressing with linear probing.
//!
//! An entry is a row number plus one in as many bits as the numbers at this capacity need, and
//! above it as much of the hash as there is room for, so that a probe rarely looks at a row that
//! is not the one; zero is empty. The place comes from the upper bits of the hash by a
//! multiplication, so a capacity need not be a power of two: near a memory limit the index grows
//! in small steps. Probing begins at groups of four entries, which are looked at together: which of
//! them to stop at cannot be foretold, and each wrong guess of the processor costs as much as
//! looking at several. Entries are only ever set, by compare-and-exchange (Laarman, van de Pol,
//! Weber: Boosting multi-core reachability performance with shared hash tables, FMCAD 2010).

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use super::pages::{PAGE, zeros};
use super::prefetch::prefetch_to_write;
use super::probe4::stops;
use super::rows::Rows;

/// The index.
pub(crate) struct Index {
    groups: Box<[[AtomicU32; GROUP]]>,
    /// Bits of a row number plus one.
    number_bits: u32,
    /// The bits of an entry that are of the hash.
    tag_mask: u32,
}

/// Entries of a group.
const GROUP: usize = 4;

/// The size of a page where there are no large ones.
const SMALL_PAGE: usize = 1 << 12;

/// The greatest share of entries in use: this of 20.
const FULL: u64 = 16;
/// Rows whose entries are asked for together when many are entered.
const TOGETHER: usize = 64;

/// How many rows an index of this capacity takes.
pub(crate) fn most_rows(capacity: u64) -> u64 {
    (capacity * FULL / 20).min(u64::from(u32::MAX) - 1)
}

/// The capacity that so many rows need.
pub(crate) fn capacity_for(rows: u64) -> u64 {
    rows * 20 / FULL + 2
}

/// What a look at an entry says.
pub(crate) enum Probe {
    /// Nothing is here.
    Empty,
    /// This row may be the one.
    Candidate(u32),
    /// Something else is here.
    Other,
}

impl Index {
    /// An empty index, if there is memory for it.
    pub(crate) fn new(capacity: u64) -> Option<Index> {
        let size = usize::try_from(capacity).ok()?.div_ceil(GROUP);
        let groups = zeros(size)?;
        let number_bits = 64 - most_rows(capacity).leading_zeros();
        Some(Index {
            groups,
            number_bits,
            tag_mask: u32::MAX.checked_shl(number_bits).unwrap_or(0),
        })
    }

    pub(crate) fn capacity(&self) -> u64 {
        (self.groups.len() * GROUP) as u64
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.capacity() * 4
    }

    /// Its large pages, or less.
    pub(crate) fn pages(&self) -> usize {
        self.groups
            .len()
            .div_ceil(PAGE / size_of::<[AtomicU32; GROUP]>())
    }

    /// Has the system find memory for one of its pages, in which nothing is yet.
    pub(crate) fn touch(&self, page: usize) {
        let groups = PAGE / size_of::<[AtomicU32; GROUP]>();
        let page = self.groups.iter().skip(page * groups).take(groups);
        for [first, ..] in page.step_by(SMALL_PAGE / size_of::<[AtomicU32; GROUP]>()) {
            first.store(0, Ordering::Relaxed);
        }
    }

    /// Where probing begins.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "less than the capacity")]
    pub(crate) fn place(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.groups.len() as u128) >> 64) as usize * GROUP
    }

    /// The next place.
    #[inline(always)]
    pub(crate) fn after(&self, place: usize) -> usize {
        if place + 1 == self.groups.as_flattened().len() {
            0
        } else {
            place + 1
        }
    }

    /// The first place from the beginning of a group on that is empty or whose row may be the one.
    #[inline(always)]
    pub(crate) fn stop(&self, place: usize, tag: u32) -> usize {
        let mut group = place / GROUP;
        loop {
            let entries = self.groups[group].each_ref();
            let entries = entries.map(|entry| entry.load(Ordering::Relaxed));
            let stops = stops(entries, tag, self.tag_mask);
            if stops != 0 {
                return group * GROUP + stops.trailing_zeros() as usize;
            }
            group += 1;
            if group == self.groups.len() {
                group = 0;
            }
        }
    }

    #[inline(always)]
    fn entry(&self, place: usize) -> &AtomicU32 {
        &self.groups.as_flattened()[place]
    }

    /// Asks for an entry ahead of its use, in which something may be put.
    #[inline(always)]
    pub(crate) fn prefetch(&self, place: usize) {
        prefetch_to_write(self.entry(place));
    }

    /// The bits of a hash that stand in entries.
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the bits that there is room for"
    )]
    pub(crate) fn tag(&self, hash: u64) -> u32 {
        (hash << self.number_bits) as u32 & self.tag_mask
    }

    /// Looks at an entry.
    #[inline(always)]
    pub(crate) fn look(&self, place: usize, tag: u32) -> Probe {
        let entry = self.entry(place).load(Ordering::Acquire);
        if entry == 0 {
            return Probe::Empty;
        }
        let other = entry ^ tag;
        if other & self.tag_mask == 0 {
            Probe::Candidate(other - 1)
        } else {
            Probe::Other
        }
    }

    /// The row that may be the one at a [stop](Index::stop), or 0 if nothing is there.
    #[inline(always)]
    pub(crate) fn row(&self, place: usize, tag: u32) -> u32 {
        let number = self.entry(place).load(Ordering::Relaxed) ^ tag;
        (number & !self.tag_mask).max(1) - 1
    }

    /// Puts a row into an empty entry, unless somebody else has been faster.
    #[inline(always)]
    pub(crate) fn claim(&self, place: usize, tag: u32, row: u32) -> bool {
        self.entry(place)
            .compare_exchange(0, tag | (row + 1), Ordering::Release, Ordering::Relaxed)
            .is_ok()
    }

    /// The same while no other thread puts anything into the index.
    #[inline(always)]
    pub(crate) fn set(&self, place: usize, tag: u32, row: u32) {
        self.entry(place).store(tag | (row + 1), Ordering::Release);
    }

    /// Enters rows that are known to be new, together with other threads that do the same unless
    /// this one is alone.
    #[inline(always)]
    pub(crate) fn enter(&self, rows: Range<u32>, keys: &impl Rows, alone: bool) {
        let mut room = vec![0; TOGETHER * keys.words()];
        // While some are entered, the entries of the next are on their way from memory.
        let mut asked = [0; TOGETHER];
        let mut count = 0;
        let mut row = rows.start;
        let mut next = rows;
        loop {
            let mut hashes = [0; TOGETHER];
            let more = next.len().min(TOGETHER);
            if more > 0 {
                let room = &mut room[..more * keys.words()];
                keys.hashes(next.start, room, &mut hashes[..more]);
            }
            for &hash in &hashes[..more] {
                self.prefetch(self.place(hash));
            }
            for &hash in &asked[..count] {
                self.add(hash, row, alone);
                row += 1;
            }
            if more == 0 {
                return;
            }
            next.start += u32::try_from(more).expect("a few rows");
            (asked, count) = (hashes, more);
        }
    }

    #[inline(always)]
    fn add(&self, hash: u64, row: u32, alone: bool) {
        let (mut place, tag) = (self.place(hash), self.tag(hash));
        loop {
            if self.entry(place).load(Ordering::Relaxed) == 0 {
                if alone {
                    self.set(place, tag, row);
                    return;
                }
                if self.claim(place, tag, row) {
                    return;
                }
            }
            place = self.after(place);
        }
    }
}
