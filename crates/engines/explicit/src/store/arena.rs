//! An arena of rows of equal width, which are never moved.
//!
//! A row's number says where it lies: the rows of an octave (the numbers between two powers of two,
//! the first rows aside) lie one behind the other, and finding a row takes a count of leading
//! zeros and a shift. Addresses are taken for an octave at once, so that it can lie in large pages;
//! its rows are let for use a 32nd at a time, a segment, and take memory when they are written. Cells
//! are atomic because threads write rows
//! while others read rows beside them; a row is published by whoever puts its number where others
//! find it.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};

use super::pages::{Zero, give_back, zeros};

/// A cell of a row.
pub(crate) trait Cell: Zero + Send + Sync {
    fn get(&self) -> u64;
    fn put(&self, value: u64);
}

impl Cell for AtomicU32 {
    #[inline]
    fn get(&self) -> u64 {
        self.load(Ordering::Relaxed).into()
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "cells keep their own bits")]
    fn put(&self, value: u64) {
        self.store(value as u32, Ordering::Relaxed);
    }
}

impl Cell for AtomicU8 {
    #[inline]
    fn get(&self) -> u64 {
        self.load(Ordering::Relaxed).into()
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "cells keep their own bits")]
    fn put(&self, value: u64) {
        self.store(value as u8, Ordering::Relaxed);
    }
}

/// Rows of the first octave: two to this power.
const FIRST: u32 = 12;
/// Segments of an octave: two to this power.
const SPLIT: u32 = 5;

/// The arena.
pub(crate) struct Arena<C> {
    /// Cells of a row.
    width: usize,
    /// Each with room for all its rows.
    octaves: Vec<Box<[C]>>,
    /// The rows in use.
    rows: u64,
}

/// The octave of a row, and its place there.
#[inline(always)]
fn locate(row: u32) -> (usize, usize) {
    let shifted = u64::from(row) + (1 << FIRST);
    let octave = 63 - shifted.leading_zeros();
    let place = shifted - (1 << octave);
    #[expect(clippy::cast_possible_truncation, reason = "rows are fewer than 2^33")]
    ((octave - FIRST) as usize, place as usize)
}

impl<C: Cell> Arena<C> {
    pub(crate) fn new(width: usize) -> Self {
        Arena {
            width,
            octaves: Vec::new(),
            rows: 0,
        }
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// How many rows there is room for.
    pub(crate) fn rows(&self) -> u64 {
        self.rows
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> u64 {
        self.rows * (self.width * size_of::<C>()) as u64
    }

    /// The rows of the next segment.
    fn next_rows(&self) -> u64 {
        1 << ((self.rows + (1 << FIRST)).ilog2() - SPLIT)
    }

    /// Bytes of the next segment.
    pub(crate) fn next_bytes(&self) -> u64 {
        self.next_rows() * (self.width * size_of::<C>()) as u64
    }

    /// Makes room for another segment; says whether there was memory for it.
    pub(crate) fn extend(&mut self) -> bool {
        let rows = self.next_rows();
        let first = self.rows + (1 << FIRST);
        let Ok(all) = usize::try_from(rows << SPLIT) else {
            return false;
        };
        if first.is_power_of_two() {
            let Some(octave) = zeros(all * self.width) else {
                return false;
            };
            self.octaves.push(octave);
        }
        self.rows += rows;
        true
    }

    /// The cells of a row and of some that follow, if a row has so many; the caller may know how
    /// many.
    #[inline(always)]
    pub(crate) fn rows_from(&self, row: u32, width: usize) -> &[C] {
        debug_assert_eq!(width, self.width);
        let (octave, place) = locate(row);
        &self.octaves[octave][place * width..]
    }

    /// The cells of a row.
    #[inline(always)]
    pub(crate) fn row(&self, row: u32, width: usize) -> &[C] {
        &self.rows_from(row, width)[..width]
    }

    /// The rows of the last segment, if there is one.
    pub(crate) fn last_segment(&self) -> Option<Range<u64>> {
        let rows = self.rows.checked_sub(1)?;
        let length = 1 << ((rows + (1 << FIRST)).ilog2() - SPLIT);
        Some(self.rows - length..self.rows)
    }

    /// Frees the last segment, whose rows are not asked for any more.
    pub(crate) fn free_last(&mut self) {
        let (Some(rows), Some(last)) = (self.last_segment(), self.octaves.last_mut()) else {
            return;
        };
        if (rows.start + (1 << FIRST)).is_power_of_two() {
            self.octaves.pop();
        } else {
            let (_, place) = locate(u32::try_from(rows.start).unwrap_or(u32::MAX));
            give_back(&mut last[place * self.width..]);
        }
        self.rows = rows.start;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_follow_each_other_without_gaps() {
        let mut octave = 0;
        let mut next = 0;
        for row in 0..1 << 20 {
            let at = locate(row);
            if at.0 != octave {
                (octave, next) = (octave + 1, 0);
            }
            assert_eq!(at, (octave, next), "row {row}");
            next += 1;
        }
        assert_eq!(locate(u32::MAX), (20, (1 << FIRST) - 1));
    }

    #[test]
    fn segments_are_freed_as_they_were_made() {
        let mut arena = Arena::<AtomicU8>::new(1);
        let mut made = vec![0];
        while arena.rows() < 5_000_000 {
            assert!(arena.extend());
            made.push(arena.rows());
        }
        for row in [0, 4_096, 1_000_000, 2_000_000] {
            arena.row(row, 1)[0].put(7);
        }
        while let Some(end) = made.pop() {
            let Some(last) = arena.last_segment() else {
                assert_eq!((arena.rows(), made.len()), (0, 0));
                break;
            };
            assert_eq!(last, made[made.len() - 1]..end);
            arena.free_last();
            for row in [0, 4_096, 1_000_000, 2_000_000] {
                if u64::from(row) < arena.rows() {
                    assert_eq!(arena.row(row, 1)[0].get(), 7);
                }
            }
        }
        assert!(arena.extend());
        assert_eq!(arena.row(0, 1)[0].get(), 0);
    }

    #[test]
    fn rows_keep_what_is_written_while_the_arena_grows() {
        let mut arena = Arena::<AtomicU32>::new(3);
        for row in 0..20_000u32 {
            while arena.rows() <= row.into() {
                assert!(arena.extend());
            }
            for (place, cell) in (0..).zip(arena.row(row, 3)) {
                cell.put(u64::from(row) * 3 + place);
            }
        }
        for row in 0..20_000u32 {
            for (place, cell) in (0..).zip(arena.row(row, 3)) {
                assert_eq!(cell.get(), u64::from(row) * 3 + place);
            }
        }
        assert!(arena.rows() < 20_000 + 20_000 / 8);
    }
}
