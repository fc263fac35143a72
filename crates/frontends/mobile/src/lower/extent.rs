//! How many bytes are behind a pointer.

use model::{Binary, ExprId};
use source::Span;

use crate::ctype::CType;
use crate::layout::Span as Bits;

use super::Lowering;
use super::build::Build;
use super::checks::Kind;
use super::pointer::{FIRST, POINTER, Pts, base};

/// In memory of several types, a pointer that is not known may be to one of so many scalars.
const MOST_CELLS: usize = 64;

/// Where in an object a pointer is, in bytes.
pub(super) struct Extent {
    /// Whether the pointer is to a scalar of the object, or right behind the last one.
    pub(super) here: ExprId,
    /// The bytes before it.
    pub(super) before: ExprId,
    /// The bytes of the object.
    pub(super) total: ExprId,
    /// Where each of the scalars begins.
    pub(super) starts: Vec<u64>,
    /// The last byte of each of them.
    pub(super) lasts: Vec<u64>,
}

impl Lowering<'_> {
    /// Where in an object a pointer is; none if that is not followed.
    pub(super) fn extent(&mut self, object: usize, pointer: ExprId) -> Option<Extent> {
        let known = self.known(object).clone();
        let long = CType::LONG.model().expect("integers are followed");
        let count = known.cells.len();
        let cell = known.cells.first()?;
        let (size, _) = self.records.size(cell)?;
        let here = self.within(pointer, object, count + 1);
        let tiles: Vec<u64> = (0..count as u64).map(|at| at * size).collect();
        let spans = self.records.spans(&known.ty)?;
        let (whole, _) = self.records.size(&known.ty)?;
        let is_tiled = whole == count as u64 * size
            && spans
                .iter()
                .map(|span| span.start / 8)
                .eq(tiles.iter().copied());
        // A computed size is known in cells, and in bytes where all cells are alike.
        if self.has_size(object) && !is_tiled {
            return None;
        }
        let total = match self.has_size(object) {
            true => {
                let cells = self.size_in_cells(object);
                let cells = self.pool().converted(cells, &long);
                let size = self.pool().int(i128::from(size), long.clone());
                self.pool().two(Binary::Mul, cells, size)
            }
            false => self.pool().int(i128::from(whole), long.clone()),
        };
        let (starts, lasts): (Vec<u64>, Vec<u64>) = match self.has_size(object) {
            true => tiles.iter().map(|&at| (at, at + size - 1)).unzip(),
            false => {
                let bytes = |span: Bits| (span.start / 8, span.end().saturating_sub(1) / 8);
                spans.into_iter().map(bytes).unzip()
            }
        };
        if starts.len() != count {
            return None;
        }
        let first = self.pool().int(base(object), POINTER);
        let before = if starts == tiles {
            let cells = self.pool().two(Binary::Sub, pointer, first);
            let cells = self.pool().converted(cells, &long);
            let size = self.pool().int(i128::from(size), long);
            self.pool().two(Binary::Mul, cells, size)
        } else {
            self.start_of(&starts, total, pointer, first)?
        };
        Some(Extent {
            here,
            before,
            total,
            starts,
            lasts,
        })
    }

    /// Where the scalar begins that a pointer is to, or where the last one ends.
    fn start_of(
        &mut self,
        starts: &[u64],
        total: ExprId,
        pointer: ExprId,
        first: ExprId,
    ) -> Option<ExprId> {
        let long = CType::LONG.model().expect("integers are followed");
        let first = self.pool().number(first).expect("it is a number");
        if let Some(number) = self.pool().number(pointer) {
            let at = usize::try_from(number - first).ok();
            return Some(match at.and_then(|at| starts.get(at)) {
                Some(&start) => self.pool().int(i128::from(start), long),
                None => total,
            });
        }
        if starts.len() > MOST_CELLS {
            return None;
        }
        let mut before = total;
        for (at, &start) in starts.iter().enumerate().rev() {
            let at = self.pool().int(first + at as i128, POINTER);
            let same = self.pool().two(Binary::Eq, pointer, at);
            let start = self.pool().int(i128::from(start), long.clone());
            before = self.pool().either(same, start, before);
        }
        Some(before)
    }

    /// The bytes that are used behind a pointer are there.
    pub(super) fn bytes_checked(&mut self, pointer: ExprId, pts: &Pts, bytes: ExprId, span: Span) {
        let mut bad = self.pool().bool(false);
        for &object in pts.iter().filter(|&&object| object >= FIRST) {
            if let Some(over) = self.exceeds(object, pointer, bytes) {
                bad = self.pool().two(Binary::Or, bad, over);
                continue;
            }
            let into = self.is_into(pointer, object);
            self.sink_if(into, "the use of memory whose layout is not followed", span);
        }
        self.fail_if(bad, Kind::Index, span);
    }

    /// Whether a pointer is to an object in which fewer bytes follow; none if that is not followed.
    pub(super) fn exceeds(
        &mut self,
        object: usize,
        pointer: ExprId,
        bytes: ExprId,
    ) -> Option<ExprId> {
        let extent = self.extent(object, pointer)?;
        let long = CType::LONG.model().expect("integers are followed");
        let left = self.pool().two(Binary::Sub, extent.total, extent.before);
        let zero = self.pool().int(0, long);
        // Counts have no sign: what is below zero is large.
        let negative = self.pool().two(Binary::Lt, bytes, zero);
        let more = self.pool().two(Binary::Lt, left, bytes);
        let over = self.pool().two(Binary::Or, negative, more);
        Some(self.pool().two(Binary::And, extent.here, over))
    }
}
