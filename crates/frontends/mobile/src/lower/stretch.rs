//! Where in an object elements of a type follow each other.
//!
//! A pointer moves within an array, and an array may be a part of a larger object: a row of a
//! matrix, a member of a structure. C leaves it undefined to move from one part into the next, even
//! where both are in one object. The offsets of pointers count scalars, not bytes, so that memory
//! that is looked at as another type has to be refused as well.

use model::{Binary, ExprId};
use source::Span;

use crate::ctype::CType;
use crate::layout::Records;

use super::Lowering;
use super::build::Build;
use super::checks::Kind;
use super::pointer::{FIRST, OUTSIDE, POINTER, base};
use super::value::{Lvalue, Rvalue};

/// How many stretches an object may have in which pointers move.
const MAX_STRETCHES: usize = 16;

/// Elements that follow each other: the first cell, and the cells of all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Stretch {
    first: usize,
    cells: usize,
}

/// The stretches of a type that are found while it is walked through.
struct Walk<'r> {
    records: &'r Records,
    element: &'r CType,
    found: Vec<Stretch>,
    /// Where the last one ends, in cells and in bytes.
    end: (usize, u64),
}

impl Walk<'_> {
    /// Looks at a part at a cell and a byte. It gives none if the stretches are too many, or if two
    /// of them touch as cells but not as bytes.
    fn part(&mut self, ty: &CType, cell: usize, byte: u64) -> Option<()> {
        source::limits::check();
        if is_alike(ty, self.element) {
            return self.add(ty, 1, cell, byte);
        }
        match ty {
            CType::Array(inner, Some(length)) => {
                let length = usize::try_from(*length).ok()?;
                if is_alike(inner, self.element) {
                    return self.add(inner, length, cell, byte);
                }
                let (cells, (bytes, _)) = (self.records.count(inner)?, self.records.size(inner)?);
                for at in 0..length {
                    let before = self.found.len();
                    self.part(inner, cell + at * cells, byte + at as u64 * bytes)?;
                    if self.found.len() == before {
                        break;
                    }
                }
                Some(())
            }
            CType::Record(id) => {
                let mut cell = cell;
                for placed in self.records.placed(*id)? {
                    if let Some(ty) = placed.ty {
                        self.part(ty, cell, byte + placed.byte)?;
                    }
                    cell += placed.cells;
                }
                Some(())
            }
            _ => Some(()),
        }
    }

    fn add(&mut self, element: &CType, length: usize, cell: usize, byte: u64) -> Option<()> {
        let cells = self.records.count(element)? * length;
        let (bytes, _) = self.records.size(element)?;
        let touches = !self.found.is_empty() && self.end.0 == cell;
        if touches && self.end.1 != byte || self.found.len() == MAX_STRETCHES {
            return None;
        }
        self.found.push(Stretch { first: cell, cells });
        self.end = (cell + cells, byte + bytes * length as u64);
        Some(())
    }
}

/// Whether a pointer to one type moves over elements of the other.
fn is_alike(a: &CType, b: &CType) -> bool {
    match (a, b) {
        (CType::Int { bits: a, .. }, CType::Int { bits: b, .. }) => a == b,
        (CType::Pointer(_), CType::Pointer(_)) => true,
        _ => a == b,
    }
}

impl Lowering<'_> {
    /// The stretches of elements in an object; none if that is not followed.
    fn stretches(&self, object: usize, element: &CType) -> Option<Vec<Stretch>> {
        let mut walk = Walk {
            records: &self.records,
            element,
            found: Vec::new(),
            end: (0, 0),
        };
        walk.part(&self.known(object).ty, 0, 0)?;
        Some(walk.found)
    }

    /// Whether two pointers are into the same stretch of an object, the second so far behind its
    /// last cell at most. Where its memory is of another form, nothing is known of the run.
    pub(super) fn stays(
        &mut self,
        object: usize,
        element: &CType,
        (from, to): (ExprId, ExprId),
        behind: usize,
        span: Span,
    ) -> ExprId {
        let Some(stretches) = self
            .stretches(object, element)
            .filter(|all| !all.is_empty())
        else {
            let into = self.is_into(from, object);
            self.sink_if(
                into,
                "a pointer that is moved over memory of another form",
                span,
            );
            return self.pool().bool(false);
        };
        let mut inside = self.pool().bool(false);
        for stretch in stretches {
            let was = self.in_stretch(from, object, stretch, 1);
            let is = self.in_stretch(to, object, stretch, behind);
            let both = self.pool().two(Binary::And, was, is);
            inside = self.pool().two(Binary::Or, inside, both);
        }
        inside
    }

    fn in_stretch(
        &mut self,
        pointer: ExprId,
        object: usize,
        stretch: Stretch,
        behind: usize,
    ) -> ExprId {
        let first = base(object) + stretch.first as i128;
        let (first, last) = (
            self.pool().int(first, POINTER),
            self.pool()
                .int(first + (stretch.cells + behind) as i128, POINTER),
        );
        let from = self.pool().two(Binary::Le, first, pointer);
        let to = self.pool().two(Binary::Lt, pointer, last);
        let both = self.pool().two(Binary::And, from, to);
        let inside = self.is_before_end(pointer, object, behind);
        self.pool().two(Binary::And, both, inside)
    }

    /// A pointer moved by a number of elements; it stays within its array, or is just behind it.
    pub(super) fn moved(&mut self, pointer: &Rvalue, by: Rvalue, back: bool, span: Span) -> Rvalue {
        let moved = self.moved_freely(pointer, by, back, span);
        let (Some(from), Some(to), CType::Pointer(element)) =
            (pointer.expr, moved.expr, &pointer.ty)
        else {
            return moved;
        };
        self.null_checked(from, &pointer.pts, span);
        let mut inside = self.pool().bool(false);
        let mut vague = self.pool().bool(false);
        for &object in pointer.pts.iter() {
            let cond = match object {
                OUTSIDE => self.is_into(from, object),
                _ if object < FIRST => {
                    let cond = self.is_into(from, object);
                    vague = self.pool().two(Binary::Or, vague, cond);
                    continue;
                }
                _ => self.stays(object, element, (from, to), 1, span),
            };
            inside = self.pool().two(Binary::Or, inside, cond);
        }
        self.sink_if(vague, "a pointer that is no address and is moved", span);
        let outside = self.pool().not(inside);
        let clear = self.pool().not(vague);
        let outside = self.pool().two(Binary::And, outside, clear);
        self.fail_if(outside, Kind::Index, span);
        self.inside_of_outside(&moved, span)
    }

    /// An element of an array, or one just behind it if only its address is asked for.
    pub(super) fn element(
        &mut self,
        pointer: &Rvalue,
        by: Rvalue,
        length: Option<u64>,
        address: bool,
        span: Span,
    ) -> Rvalue {
        let by = self.convert(by, &CType::LONG, span);
        match (length, by.expr) {
            (Some(length), Some(index)) => {
                let long = CType::LONG.model().expect("integers are followed");
                let zero = self.pool().int(0, long.clone());
                let end = self
                    .pool()
                    .int(i128::from(length) + i128::from(address), long);
                let below = self.pool().two(Binary::Lt, index, zero);
                let above = self.pool().two(Binary::Le, end, index);
                let bad = self.pool().two(Binary::Or, below, above);
                self.fail_if(bad, Kind::Index, span);
                self.moved_freely(pointer, by, false, span)
            }
            _ if address => self.moved(pointer, by, false, span),
            _ => {
                let moved = self.moved_freely(pointer, by, false, span);
                self.parts_checked(pointer, &moved, span);
                moved
            }
        }
    }

    /// An element behind a pointer is in the same array; that it is in the object at all, the access
    /// says.
    fn parts_checked(&mut self, pointer: &Rvalue, moved: &Rvalue, span: Span) {
        let (Some(from), Some(to), CType::Pointer(element)) =
            (pointer.expr, moved.expr, &pointer.ty)
        else {
            return;
        };
        if from == to {
            return;
        }
        for &object in pointer.pts.iter().filter(|&&object| object >= FIRST) {
            let whole = Stretch {
                first: 0,
                cells: self.count(object),
            };
            if self
                .stretches(object, element)
                .is_some_and(|all| all == [whole])
            {
                continue;
            }
            let into = self.is_into(from, object);
            let stays = self.stays(object, element, (from, to), 0, span);
            let leaves = self.pool().not(stays);
            let bad = self.pool().two(Binary::And, into, leaves);
            self.fail_if(bad, Kind::Index, span);
        }
    }

    /// What is somewhere inside of memory from outside: it may hold any text.
    pub(super) fn inside_of_outside(&mut self, value: &Rvalue, span: Span) -> Rvalue {
        let Some(pointer) = value.expr.filter(|_| value.pts.contains(&OUTSIDE)) else {
            return value.clone();
        };
        let into = self.is_into(pointer, OUTSIDE);
        if self.is_false(into) {
            return value.clone();
        }
        let fact = "what is inside of memory from outside";
        let place = self.temporary(fact, POINTER);
        let outside = self.outside(fact, span, false);
        let (first, last) = (
            self.pointer(OUTSIDE, 0),
            self.pointer(OUTSIDE, self.facts.texts.len()),
        );
        let set = model::ValueSet::Between(first, last);
        self.choose(place.clone(), set, None, fact, outside);
        let any = self.pool().load(place, POINTER);
        Rvalue {
            expr: Some(self.pool().either(into, any, pointer)),
            ..value.clone()
        }
    }

    /// A structure is looked at where one of its type is: the offsets of its members count scalars.
    pub(super) fn structure_checked(&mut self, at: &Lvalue, span: Span) {
        let mut strange = self.pool().bool(false);
        for &object in at.pts.iter().filter(|&&object| object >= FIRST) {
            if self.known(object).ty == at.ty {
                continue;
            }
            let cells = self.records.count(&at.ty).unwrap_or(1);
            let into = self.is_into(at.pointer, object);
            let mut there = self.pool().bool(false);
            for stretch in self.stretches(object, &at.ty).unwrap_or_default() {
                let within = self.in_stretch(at.pointer, object, stretch, 0);
                let aligned = self.is_aligned(at.pointer, object, stretch, cells);
                let here = self.pool().two(Binary::And, within, aligned);
                there = self.pool().two(Binary::Or, there, here);
            }
            let not = self.pool().not(there);
            let bad = self.pool().two(Binary::And, into, not);
            strange = self.pool().two(Binary::Or, strange, bad);
        }
        self.sink_if(
            strange,
            "memory that is looked at as another structure",
            span,
        );
    }

    /// Whether a pointer is to the beginning of an element; known unless pointers are cast.
    fn is_aligned(
        &mut self,
        pointer: ExprId,
        object: usize,
        stretch: Stretch,
        cells: usize,
    ) -> ExprId {
        if cells <= 1 || !self.facts.casts {
            return self.pool().bool(true);
        }
        let first = self
            .pool()
            .int(base(object) + stretch.first as i128, POINTER);
        let offset = self.pool().two(Binary::Sub, pointer, first);
        let cells = self.pool().int(cells as i128, POINTER);
        let rest = self.pool().two(Binary::Rem, offset, cells);
        let zero = self.pool().int(0, POINTER);
        self.pool().two(Binary::Eq, rest, zero)
    }
}
