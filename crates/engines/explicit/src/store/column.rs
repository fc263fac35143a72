//! A column: cells for numbered rows, beside a [store](crate::store) or on its own, that several
//! threads read and write while it grows.
//!
//! As in the store's arena, the segments of an octave have equal length, so that at most an eighth
//! is not in use. A segment is made by whoever first needs one of its rows, and never moved.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::store::state_id::Full;

/// Rows of the first segments: two to this power in eight segments.
const FIRST: u32 = 12;
/// Segments of an octave: two to this power.
const SPLIT: u32 = 3;
/// Octaves up to 2^32 rows.
const OCTAVES: usize = 21;

/// Rows `n * SHORTEST .. (n + 1) * SHORTEST` lie in one segment, one behind the other.
pub(crate) const SHORTEST: u32 = 1 << (FIRST - SPLIT);

/// A column.
pub(crate) struct Column<C> {
    /// Cells of a row.
    width: usize,
    segments: Box<[OnceLock<Box<[C]>>]>,
    bytes: AtomicU64,
}

/// The segment of a row, and its place there.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "rows are fewer than 2^33")]
fn locate(row: u32) -> (usize, usize) {
    let shifted = u64::from(row) + (1 << FIRST);
    let octave = 63 - shifted.leading_zeros();
    let above = octave - SPLIT;
    let segment = (u64::from(octave - FIRST) << SPLIT) + (shifted >> above) - (1 << SPLIT);
    let place = shifted & ((1 << above) - 1);
    (segment as usize, place as usize)
}

impl<C: Default> Column<C> {
    /// An empty column whose rows have so many cells.
    pub(crate) fn new(width: usize) -> Self {
        Column {
            width,
            segments: (0..OCTAVES << SPLIT).map(|_| OnceLock::new()).collect(),
            bytes: AtomicU64::new(0),
        }
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// The cells of a row and those behind it in its segment, if there are any yet.
    #[inline]
    pub(crate) fn tail(&self, row: u32) -> Option<&[C]> {
        let (segment, place) = locate(row);
        Some(&self.segments[segment].get()?[place * self.width..])
    }

    /// The cells of a row, if there are any yet.
    #[inline]
    pub(crate) fn row(&self, row: u32) -> Option<&[C]> {
        Some(&self.tail(row)?[..self.width])
    }

    /// The cells of all rows, segment by segment.
    pub(crate) fn segments(&self) -> impl Iterator<Item = &[C]> {
        self.segments
            .iter()
            .filter_map(|cells| Some(&**cells.get()?))
    }

    /// A view for rows near each other.
    pub(crate) fn near(&self) -> Near<'_, C> {
        Near {
            column: self,
            width: self.width,
            first: 0,
            rows: 0,
            cells: &[],
        }
    }

    /// The cells of a row and those behind it in its segment; makes them if need be.
    ///
    /// # Errors
    /// If there is no memory for them.
    #[inline]
    pub(crate) fn make_tail(&self, row: u32) -> Result<&[C], Full> {
        let (segment, place) = locate(row);
        let cells = match self.segments[segment].get() {
            Some(cells) => cells,
            None => self.segment(segment)?,
        };
        Ok(&cells[place * self.width..])
    }

    #[cold]
    fn segment(&self, segment: usize) -> Result<&[C], Full> {
        let rows = (SHORTEST as usize) << (segment >> SPLIT);
        let mut cells = Vec::new();
        cells
            .try_reserve_exact(rows * self.width)
            .map_err(|_| Full)?;
        cells.resize_with(rows * self.width, C::default);
        if self.segments[segment].set(cells.into_boxed_slice()).is_ok() {
            let bytes = (rows * self.width * size_of::<C>()) as u64;
            self.bytes.fetch_add(bytes, Ordering::Relaxed);
        }
        Ok(self.segments[segment].get().ok_or(Full)?)
    }
}

/// Remembers the segment that was looked at last.
pub(crate) struct Near<'c, C> {
    column: &'c Column<C>,
    width: usize,
    /// Its first row, and how many it has.
    first: u32,
    rows: u32,
    cells: &'c [C],
}

impl<'c, C: Default> Near<'c, C> {
    /// The cells of a row and those behind it in its segment, if there are any yet.
    #[inline(always)]
    pub(crate) fn tail(&mut self, row: u32) -> Option<&'c [C]> {
        let place = row.wrapping_sub(self.first);
        if place < self.rows {
            return Some(&self.cells[place as usize * self.width..]);
        }
        self.look(row)
    }

    /// The same; makes them if need be.
    ///
    /// # Errors
    /// If there is no memory for them.
    #[inline(always)]
    pub(crate) fn make(&mut self, row: u32) -> Result<&'c [C], Full> {
        match self.tail(row) {
            Some(cells) => Ok(cells),
            None => self.column.make_tail(row),
        }
    }

    #[cold]
    fn look(&mut self, row: u32) -> Option<&'c [C]> {
        let (segment, place) = locate(row);
        self.cells = self.column.segments[segment].get()?;
        self.first = row - u32::try_from(place).expect("a place among rows");
        self.rows = SHORTEST << (segment >> SPLIT);
        Some(&self.cells[place * self.column.width..])
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU32;

    use super::*;

    #[test]
    fn rows_keep_what_is_written_while_threads_make_more() {
        let column = Column::<AtomicU32>::new(2);
        assert!(column.row(0).is_none());
        std::thread::scope(|threads| {
            for thread in 0..4u32 {
                let column = &column;
                threads.spawn(move || {
                    for row in (thread..40_000).step_by(4) {
                        let cells = column.make_tail(row).unwrap();
                        cells[0].store(row, Ordering::Relaxed);
                        cells[1].store(row + 1, Ordering::Relaxed);
                    }
                });
            }
        });
        for row in 0..40_000 {
            let cells = column.row(row).unwrap();
            assert_eq!(cells[0].load(Ordering::Relaxed), row);
            assert_eq!(cells[1].load(Ordering::Relaxed), row + 1);
        }
        let mut near = column.near();
        for row in (0..40_000).map(|n| n * 7 % 40_000) {
            let tail = near.tail(row).unwrap();
            assert_eq!(tail[1].load(Ordering::Relaxed), row + 1);
        }
        assert!(column.bytes() <= 40_000 * 8 * 9 / 8 + 8 * 512);
    }

    #[test]
    fn short_runs_lie_in_one_segment() {
        for run in 0..100_000u32 {
            let first = locate(run * SHORTEST);
            let last = locate(run * SHORTEST + SHORTEST - 1);
            assert_eq!(first.0, last.0);
            assert_eq!(first.1 + SHORTEST as usize - 1, last.1);
        }
    }
}
