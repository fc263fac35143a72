//! An arena of rows of equal width, in segments that are never moved.
//!
//! A row's number says where it lies: the 32 segments of an octave (the numbers between two
//! powers of two, the first rows aside) have equal length, so that at most a 32nd of the
//! arena is not in use, and finding a row takes a count of leading zeros and two shifts. Cells are
//! atomic because threads write rows while others read rows beside them; a row is published by
//! whoever puts its number where others find it.

use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};

use super::pages::prefer_large;

/// A cell of a row.
pub(crate) trait Cell: Default + Send + Sync {
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

/// Rows of the first segments: two to this power in 32 segments.
const FIRST: u32 = 12;
/// Segments of an octave: two to this power.
const SPLIT: u32 = 5;

/// The arena.
pub(crate) struct Arena<C> {
    /// Cells of a row.
    width: usize,
    segments: Vec<Box<[C]>>,
    rows: u64,
}

/// The segment of a row, and its place there.
#[inline]
fn locate(row: u32) -> (usize, usize) {
    let shifted = u64::from(row) + (1 << FIRST);
    let octave = 63 - shifted.leading_zeros();
    let above = octave - SPLIT;
    // The leading one contributes 32, the octave 32 for each beyond the first.
    let segment = (u64::from(octave - FIRST) << SPLIT) + (shifted >> above) - (1 << SPLIT);
    let place = shifted & ((1 << above) - 1);
    #[expect(clippy::cast_possible_truncation, reason = "rows are fewer than 2^33")]
    (segment as usize, place as usize)
}

/// The rows of a segment.
fn length(segment: usize) -> usize {
    1 << (FIRST as usize - SPLIT as usize + (segment >> SPLIT))
}

impl<C: Cell> Arena<C> {
    pub(crate) fn new(width: usize) -> Self {
        Arena {
            width,
            segments: Vec::new(),
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

    pub(crate) fn segments(&self) -> usize {
        self.segments.len()
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> u64 {
        self.rows * (self.width * size_of::<C>()) as u64
    }

    /// Bytes of the next segment.
    pub(crate) fn next_bytes(&self) -> u64 {
        (length(self.segments.len()) * self.width * size_of::<C>()) as u64
    }

    /// Makes room for another segment; says whether there was memory for it.
    pub(crate) fn extend(&mut self) -> bool {
        let rows = length(self.segments.len());
        let mut segment = Vec::new();
        if segment.try_reserve_exact(rows * self.width).is_err() {
            return false;
        }
        prefer_large(segment.spare_capacity_mut());
        segment.resize_with(rows * self.width, C::default);
        self.segments.push(segment.into_boxed_slice());
        self.rows += rows as u64;
        true
    }

    /// The cells of a row.
    #[inline]
    pub(crate) fn row(&self, row: u32) -> &[C] {
        let (segment, place) = locate(row);
        &self.segments[segment][place * self.width..][..self.width]
    }

    /// Frees the rows of a segment, which are not asked for any more.
    pub(crate) fn free(&mut self, segment: usize) {
        self.segments[segment] = Box::default();
    }
}

/// The numbers of the rows of a segment.
pub(crate) fn rows_of(segment: usize) -> std::ops::Range<u64> {
    let below = segment & ((1 << SPLIT) - 1);
    let octave = segment >> SPLIT;
    let first =
        ((1u64 << (FIRST as usize + octave)) - (1 << FIRST)) + (below * length(segment)) as u64;
    first..first + length(segment) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_follow_each_other_without_gaps() {
        let mut next = 0;
        for segment in 0..300 {
            let rows = rows_of(segment);
            assert_eq!(rows.start, next, "segment {segment}");
            for row in [rows.start, rows.end - 1] {
                let Ok(number) = u32::try_from(row) else {
                    continue;
                };
                let place = usize::try_from(row - rows.start).unwrap();
                assert_eq!(locate(number), (segment, place));
            }
            next = rows.end;
        }
    }

    #[test]
    fn rows_keep_what_is_written_while_the_arena_grows() {
        let mut arena = Arena::<AtomicU32>::new(3);
        for row in 0..20_000u32 {
            while arena.rows() <= row.into() {
                assert!(arena.extend());
            }
            for (place, cell) in (0..).zip(arena.row(row)) {
                cell.put(u64::from(row) * 3 + place);
            }
        }
        for row in 0..20_000u32 {
            for (place, cell) in (0..).zip(arena.row(row)) {
                assert_eq!(cell.get(), u64::from(row) * 3 + place);
            }
        }
        assert!(arena.rows() < 20_000 + 20_000 / 8);
    }
}
