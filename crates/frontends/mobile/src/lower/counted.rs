//! Functions of the library that are told how many bytes they may write or read.

use model::{Binary, ExprId};
use source::Span;

use crate::ctype::CType;

use super::Lowering;
use super::build::Build;
use super::value::Rvalue;

/// Functions that use all bytes that they are told of, with the positions of a pointer and of the
/// numbers whose product is that of the bytes.
const COUNTED: &[(&str, usize, &[usize])] = &[
    ("bzero", 0, &[1]),
    ("fwrite", 0, &[1, 2]),
    ("memcmp", 0, &[2]),
    ("memcmp", 1, &[2]),
    ("memcpy", 0, &[2]),
    ("memcpy", 1, &[2]),
    ("memmove", 0, &[2]),
    ("memmove", 1, &[2]),
    ("memset", 0, &[2]),
    ("send", 1, &[2]),
    ("sendto", 1, &[2]),
    ("strncpy", 0, &[2]),
    ("write", 1, &[2]),
];

/// Sizes that are multiplied are not larger than this, so that the product has 64 bits.
const MOST_FACTOR: i128 = 1 << 31;

impl Lowering<'_> {
    /// The bytes that a function is told of are there.
    pub(super) fn counted(&mut self, name: &str, arguments: &[Rvalue], span: Span) {
        for (_, at, counts) in COUNTED.iter().filter(|(known, ..)| *known == name) {
            let Some(bytes) = self.bytes(arguments, counts, span) else {
                continue;
            };
            if let Some((pointer, pts)) = arguments
                .get(*at)
                .and_then(|pointer| Some((pointer.expr?, pointer.pts.clone())))
            {
                self.bytes_checked(pointer, &pts, bytes, span);
            }
        }
    }

    /// The product of the arguments at these positions, as a number of 64 bits with a sign.
    pub(super) fn bytes(
        &mut self,
        arguments: &[Rvalue],
        counts: &[usize],
        span: Span,
    ) -> Option<ExprId> {
        let mut bytes = None;
        for &at in counts {
            let count = self.convert(arguments.get(at)?.clone(), &CType::LONG, span);
            let count = count.expr?;
            bytes = Some(match bytes {
                None => count,
                Some(other) => self.product(other, count, span),
            });
        }
        bytes
    }

    /// The product of two sizes.
    pub(super) fn product(&mut self, count: ExprId, size: ExprId, span: Span) -> ExprId {
        let ty = self.program.exprs.ty(count).clone();
        let (zero, most) = (
            self.pool().int(0, ty.clone()),
            self.pool().int(MOST_FACTOR, ty),
        );
        for factor in [count, size] {
            let low = self.pool().two(Binary::Lt, factor, zero);
            let high = self.pool().two(Binary::Lt, most, factor);
            let large = self.pool().two(Binary::Or, low, high);
            self.sink_if(large, "a large size that is computed", span);
        }
        self.pool().two(Binary::Mul, count, size)
    }
}
