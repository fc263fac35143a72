//! Pointers as numbers: an object and a place among its cells.
//!
//! A pointer is `object << OFFSET_BITS | offset`, and null is 0. A few objects stand for what is no
//! memory of the program: numbers that were cast to pointers, texts and handles that come from
//! outside, functions, and pointers that were never set.

use std::collections::BTreeSet;
use std::rc::Rc;

use model::{Binary, ExprId, Type, ValueSet};

pub(super) use crate::ctype::POINTER;

use super::Lowering;
use super::build::Build;

/// The bits of a place among an object's cells.
pub(super) const OFFSET_BITS: u32 = 33;
/// How many objects can be told apart.
pub(super) const MAX_OBJECTS: usize = 1 << 12;

/// What may be pointed to: the numbers of objects.
pub(super) type Pts = Rc<BTreeSet<usize>>;

/// Null, as an object.
pub(super) const NULL: usize = 0;
/// Numbers that were cast to pointers; the offset is the number, in two's complement.
pub(super) const NUMBER: usize = 1;
/// What functions outside give: the offset is the position of its contents among the texts.
pub(super) const OUTSIDE: usize = 2;
/// Functions, by their position.
pub(super) const FUNCTION: usize = 3;
/// Pointers that were never set.
pub(super) const UNSET: usize = 4;
/// The first object that has memory.
pub(super) const FIRST: usize = 5;

/// The pointer to the first cell of an object.
pub(super) fn base(object: usize) -> i128 {
    (object as i128) << OFFSET_BITS
}

/// One object.
pub(super) fn only(object: usize) -> Pts {
    Rc::new(BTreeSet::from([object]))
}

/// All of both.
pub(super) fn union(a: &Pts, b: &Pts) -> Pts {
    match (a.is_empty(), b.is_empty()) {
        (true, _) => Rc::clone(b),
        (_, true) => Rc::clone(a),
        _ => Rc::new(a.union(b).copied().collect()),
    }
}

impl Lowering<'_> {
    /// A constant pointer.
    pub(super) fn pointer(&mut self, object: usize, offset: usize) -> ExprId {
        self.pool().int(base(object) + offset as i128, POINTER)
    }

    /// Whether a pointer is one of `count` cells of an object.
    pub(super) fn within(&mut self, pointer: ExprId, object: usize, count: usize) -> ExprId {
        let first = self.pointer(object, 0);
        let behind = count.saturating_sub(self.count(object));
        let inside = self.is_before_end(pointer, object, behind);
        if count == 1 {
            let same = self.pool().two(Binary::Eq, pointer, first);
            return self.pool().two(Binary::And, same, inside);
        }
        let last = self.pool().int(base(object) + count as i128, POINTER);
        let from = self.pool().two(Binary::Le, first, pointer);
        let to = self.pool().two(Binary::Lt, pointer, last);
        let both = self.pool().two(Binary::And, from, to);
        self.pool().two(Binary::And, both, inside)
    }

    /// Whether a pointer is into an object at all.
    pub(super) fn is_into(&mut self, pointer: ExprId, object: usize) -> ExprId {
        let first = self.pointer(object, 0);
        let last = self.pointer(object + 1, 0);
        let from = self.pool().two(Binary::Le, first, pointer);
        let to = self.pool().two(Binary::Lt, pointer, last);
        self.pool().two(Binary::And, from, to)
    }

    /// Whether a pointer is null.
    pub(super) fn is_null(&mut self, pointer: ExprId) -> ExprId {
        let null = self.pointer(NULL, 0);
        self.pool().two(Binary::Eq, pointer, null)
    }

    /// The number that was cast to a pointer, in an integer type.
    pub(super) fn number_in(&mut self, pointer: ExprId, ty: &Type) -> ExprId {
        let first = self.pointer(NUMBER, 0);
        let offset = self.pool().two(Binary::Sub, pointer, first);
        let narrow = Type::Int {
            bits: 33,
            signed: true,
        };
        let narrow = self.pool().converted(offset, &narrow);
        let number = self.pool().converted(narrow, ty);
        let null = self.is_null(pointer);
        let zero = self.pool().int(0, ty.clone());
        self.pool().either(null, zero, number)
    }

    /// All pointers to objects, null included.
    pub(super) fn all_pointers(&mut self, pts: &Pts) -> ValueSet {
        let null = self.pointer(NULL, 0);
        let mut sets = vec![ValueSet::One(null)];
        for &object in pts.iter() {
            let count = match object {
                NULL => continue,
                OUTSIDE => self.facts.texts.len() + 1,
                FUNCTION => self.functions.len(),
                UNSET => 1,
                NUMBER => 1 << OFFSET_BITS,
                _ => self.count(object) + 1,
            };
            let last = base(object) + count as i128 - 1;
            let (first, last) = (self.pointer(object, 0), self.pool().int(last, POINTER));
            sets.push(ValueSet::Between(first, last));
        }
        ValueSet::Union(sets)
    }
}
