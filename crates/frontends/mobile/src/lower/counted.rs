//! Functions of the library that are told how many bytes they may write or read.

use model::{Binary, ExprId};
use source::Span;

use crate::ctype::CType;

use super::Lowering;
use super::build::Build;
use super::checks::Kind;
use super::pointer::{FIRST, POINTER, base};
use super::value::Rvalue;

/// Functions, with the positions of a pointer and of the number of bytes behind it.
const COUNTED: &[(&str, usize, usize)] = &[
    ("fgets", 0, 1),
    ("memcmp", 0, 2),
    ("memcmp", 1, 2),
    ("memcpy", 0, 2),
    ("memcpy", 1, 2),
    ("memmove", 0, 2),
    ("memmove", 1, 2),
    ("memset", 0, 2),
    ("read", 1, 2),
    ("recv", 1, 2),
    ("recvfrom", 1, 2),
    ("send", 1, 2),
    ("strncpy", 0, 2),
    ("write", 1, 2),
];

impl Lowering<'_> {
    /// The bytes that a function is told of are there.
    pub(super) fn counted(&mut self, name: &str, arguments: &[Rvalue], span: Span) {
        for (_, at, count) in COUNTED.iter().filter(|(known, ..)| *known == name) {
            let (Some(pointer), Some(count)) = (arguments.get(*at), arguments.get(*count)) else {
                continue;
            };
            let count = self.convert(count.clone(), &CType::LONG, span);
            let (Some(to), Some(count)) = (pointer.expr, count.expr) else {
                continue;
            };
            let mut bad = self.pool().bool(false);
            for &object in pointer.pts.iter().filter(|&&object| object >= FIRST) {
                let over = self.exceeds(object, to, count);
                bad = self.pool().two(Binary::Or, bad, over);
            }
            self.fail_if(bad, Kind::Index, span);
        }
    }

    /// Whether a pointer is to an object in which fewer bytes follow. In memory of several types
    /// only its beginning is looked at.
    fn exceeds(&mut self, object: usize, pointer: ExprId, count: ExprId) -> ExprId {
        let known = self.known(object).clone();
        let long = CType::LONG.model().expect("integers are followed");
        let Some(cell) = known.cells.first() else {
            return self.pool().bool(false);
        };
        let alike = known.cells.iter().all(|other| other == cell);
        let (here, bytes) = match (alike, self.records.size(cell), self.records.size(&known.ty)) {
            (true, Some((size, _)), Some((total, _)))
                if size * known.cells.len() as u64 == total =>
            {
                let all = known.cells.len() + 1;
                let here = self.within(pointer, object, all);
                let end = self.end_of(object);
                let left = self.pool().two(Binary::Sub, end, pointer);
                let left = self.pool().converted(left, &long);
                let size = self.pool().int(i128::from(size), long.clone());
                (here, self.pool().two(Binary::Mul, left, size))
            }
            (_, _, Some((total, _))) if !self.has_size(object) => {
                let first = self.pointer(object, 0);
                let here = self.pool().two(Binary::Eq, pointer, first);
                (here, self.pool().int(i128::from(total), long.clone()))
            }
            _ => return self.pool().bool(false),
        };
        let zero = self.pool().int(0, long);
        // Counts have no sign: what is below zero is large.
        let negative = self.pool().two(Binary::Lt, count, zero);
        let more = self.pool().two(Binary::Lt, bytes, count);
        let over = self.pool().two(Binary::Or, negative, more);
        self.pool().two(Binary::And, here, over)
    }

    /// The pointer behind the last cell of an object.
    fn end_of(&mut self, object: usize) -> ExprId {
        if !self.has_size(object) {
            let count = self.count(object);
            return self.pointer(object, count);
        }
        let length = self.size_in_cells(object);
        let first = self.pool().int(base(object), POINTER);
        self.pool().two(Binary::Add, first, length)
    }
}
