//! Members of a union share their memory.
//!
//! Each member has cells of its own, so that reading one is as simple as reading any variable. What
//! is written to a cell is carried over, at once, to all cells that stand at the same bits: whole
//! or in part to integers, the lowest byte first; to pointers only null, as the numbers of pointers
//! are not followed. A pointer of which other bits were written is as good as never set, and an
//! integer that shares its bits with a pointer or with a floating-point number is any value.

use std::rc::Rc;

use model::{Binary, Choice, ExprId, OutsideId, Place, Root, Stmt, Type, ValueSet};
use source::Span;

use crate::ctype::CType;
use crate::layout::Span as Bits;

use super::Lowering;
use super::build::Build;
use super::memory::Storage;
use super::pointer::{FIRST, UNSET, only};
use super::value::{Lvalue, Rvalue};

/// The objects that have unions in them.
#[derive(Default)]
pub(super) struct Unions {
    /// By variable of the model, the object and the cell that it is.
    cells: std::collections::HashMap<Root, (usize, usize)>,
    /// By object, where its cells stand.
    spans: std::collections::HashMap<usize, Rc<Vec<Bits>>>,
    /// By object, the choice of what is not followed in it.
    outside: std::collections::HashMap<usize, OutsideId>,
    /// While a structure is copied: the cell that is written, counted from the first one, and how
    /// many there are. Those are written one by one, from cells that agree already.
    copied: Option<(usize, usize)>,
}

/// A cell that shares bits with one that is written.
struct Sharing {
    cell: usize,
    bits: Bits,
}

impl Lowering<'_> {
    /// Remembers where the members of unions are kept.
    pub(super) fn remember_unions(&mut self, object: usize, storage: &Storage) {
        let known = self.known(object);
        let (ty, count) = (known.ty.clone(), known.cells.len());
        let records = self.layouts();
        let Storage::Cells(places) = storage else {
            return;
        };
        // Without cells, it is not followed.
        if count == 0 || !records.has_union(&ty) {
            return;
        }
        let spans = records.spans(&ty).filter(|spans| spans.len() == count);
        let spans = spans.expect("the cells of a followed type have places");
        for (cell, place) in places.iter().enumerate() {
            if let Some(place) = place {
                self.unions.cells.insert(place.root, (object, cell));
            }
        }
        self.unions.spans.insert(object, Rc::new(spans));
    }

    /// Whether members of a union are in an object.
    pub(super) fn has_unions(&mut self, object: usize) -> bool {
        if object < FIRST || self.unions_are_absent(object) {
            return false;
        }
        self.storage(object);
        self.unions.spans.contains_key(&object)
    }

    fn unions_are_absent(&self, object: usize) -> bool {
        !self.layouts().has_union(&self.known(object).ty)
    }

    /// The cells that share bits with one.
    fn sharing(&self, object: usize, cell: usize) -> Vec<Sharing> {
        let spans = &self.unions.spans[&object];
        let own = spans[cell];
        let copied = self.unions.copied.map(|(at, count)| {
            let first = cell - at;
            first..first + count
        });
        let all = spans.iter().enumerate();
        all.filter(|&(other, bits)| {
            other != cell
                && bits.start < own.end()
                && own.start < bits.end()
                && !copied
                    .as_ref()
                    .is_some_and(|copied| copied.contains(&other))
        })
        .map(|(cell, &bits)| Sharing { cell, bits })
        .collect()
    }

    /// A statement, and what carries over what it writes to members of unions.
    pub(super) fn carried_over(&mut self, stmt: Stmt) -> Vec<Stmt> {
        if self.unions.cells.is_empty() {
            return vec![stmt];
        }
        let (place, value) = match stmt {
            Stmt::If(cond, yes, no) => {
                let yes = self.all_carried_over(yes);
                let no = self.all_carried_over(no);
                return vec![Stmt::If(cond, yes, no)];
            }
            Stmt::Assign(ref place, value) => (place, Some(value)),
            Stmt::Choose(ref choice) => (&choice.place, None),
            _ => return vec![stmt],
        };
        let Some(&(object, cell)) = self.unions.cells.get(&place.root) else {
            return vec![stmt];
        };
        let from = self.known(object).cells[cell].clone();
        let known = value.filter(|&value| self.program.exprs.constant(value).is_some());
        let place = place.clone();
        let value = known.unwrap_or_else(|| {
            let ty = from.model().expect("what has a place has a type");
            self.pool().load(place, ty)
        });
        let mut all = vec![stmt];
        for sharing in self.sharing(object, cell) {
            all.extend(self.carried(object, (cell, &from, value), &sharing));
        }
        all
    }

    /// The same for the statements of a body.
    pub(super) fn all_carried_over(&mut self, body: Vec<Stmt>) -> Vec<Stmt> {
        let all = body.into_iter();
        all.flat_map(|stmt| self.carried_over(stmt)).collect()
    }

    /// What a write to a cell does to one that shares bits with it.
    fn carried(
        &mut self,
        object: usize,
        (cell, from, value): (usize, &CType, ExprId),
        to: &Sharing,
    ) -> Option<Stmt> {
        let target = self.known(object).cells[to.cell].clone();
        let (Some(ty), Storage::Cells(places)) = (target.model(), self.storage(object)) else {
            return None;
        };
        let place = places[to.cell].clone()?;
        let own = self.unions.spans[&object][cell];
        let is_pointer = |ty: &CType| matches!(ty, CType::Pointer(_));
        match (is_pointer(from), is_pointer(&target)) {
            (false, false) => {
                let bits = self.shared_bits(value, own, to.bits);
                let new = self.with_bits(&place, &ty, bits, own, to.bits);
                Some(Stmt::Assign(place, new))
            }
            (true, true) if own == to.bits => Some(Stmt::Assign(place, value)),
            (true, true) => {
                self.holds(object, &only(UNSET));
                let unset = self.pointer(UNSET, 0);
                Some(Stmt::Assign(place, unset))
            }
            (false, true) => {
                self.holds(object, &only(UNSET));
                let bits = self.shared_bits(value, own, to.bits);
                let zero = self.long(0);
                let mut null = self.pool().two(Binary::Eq, bits, zero);
                if own.start > to.bits.start || own.end() < to.bits.end() {
                    let old = self.pool().load(place.clone(), ty.clone());
                    let was = self.is_null(old);
                    null = self.pool().two(Binary::And, null, was);
                }
                let (none, unset) = (self.pool().int(0, ty), self.pointer(UNSET, 0));
                let new = self.pool().either(null, none, unset);
                Some(Stmt::Assign(place, new))
            }
            (true, false) => {
                let zero = self.long(0);
                let cleared = self.with_bits(&place, &ty, zero, own, to.bits);
                let null = self.is_null(value);
                let unset = self.pointer(UNSET, 0);
                let unset = self.pool().two(Binary::Eq, value, unset);
                let any = vec![self.any_shared(object, place.clone(), ty)];
                if self.is_true(unset) {
                    return None;
                }
                Some(Stmt::If(
                    null,
                    vec![Stmt::Assign(place, cleared)],
                    vec![Stmt::If(unset, Vec::new(), any)],
                ))
            }
        }
    }

    /// The bits of a number that it shares with another cell, the lowest first, as a number of 64
    /// bits.
    fn shared_bits(&mut self, value: ExprId, own: Bits, other: Bits) -> ExprId {
        let long = CType::LONG.model().expect("integers are followed");
        let start = own.start.max(other.start);
        let width = own.end().min(other.end()) - start;
        let value = self.pool().converted(value, &long);
        let by = self.long(i128::from(start - own.start));
        let moved = self.pool().two(Binary::Shr, value, by);
        match width {
            64 => moved,
            _ => {
                let mask = self.long((1 << width) - 1);
                self.pool().two(Binary::BitAnd, moved, mask)
            }
        }
    }

    /// What a cell holds once the bits that it shares with another are these.
    fn with_bits(
        &mut self,
        place: &Place,
        ty: &Type,
        bits: ExprId,
        other: Bits,
        own: Bits,
    ) -> ExprId {
        if other.start <= own.start && own.end() <= other.end() {
            return self.pool().converted(bits, ty);
        }
        let long = CType::LONG.model().expect("integers are followed");
        let start = own.start.max(other.start);
        let width = own.end().min(other.end()) - start;
        let old = self.pool().load(place.clone(), ty.clone());
        let old = self.pool().converted(old, &long);
        let by = start - own.start;
        let kept = long.wrap(!(((1i128 << width) - 1) << by));
        let kept = self.long(kept);
        let kept = self.pool().two(Binary::BitAnd, old, kept);
        let by = self.long(i128::from(by));
        let bits = self.pool().two(Binary::Shl, bits, by);
        let all = self.pool().two(Binary::BitOr, kept, bits);
        self.pool().converted(all, ty)
    }

    /// A cell that shares bits with what is not followed is any value.
    fn any_shared(&mut self, object: usize, place: Place, ty: Type) -> Stmt {
        let name = &self.known(object).name;
        let fact = format!("what a member of `{name}` holds after another was written");
        let outside = match self.unions.outside.get(&object) {
            Some(&outside) => outside,
            None => {
                let outside = self.outside(&fact, Span::NONE, false);
                self.unions.outside.insert(object, outside);
                outside
            }
        };
        let sample = self.samples(&ty);
        Stmt::Choose(Choice {
            place,
            set: ValueSet::All(ty),
            sample: Some(sample),
            what: fact,
            outside: Some(outside),
        })
    }

    /// A floating-point number is written, whose bits are not followed.
    pub(super) fn float_written(&mut self, to: &Lvalue) {
        for &object in to.pts.iter() {
            if !self.has_unions(object) {
                continue;
            }
            self.wrote(object);
            let cells = Rc::clone(&self.known(object).cells);
            for cell in (0..cells.len()).filter(|&cell| cells[cell] == to.ty) {
                let here = self.pointer(object, cell);
                let here = self.pool().two(Binary::Eq, to.pointer, here);
                let mut body = Vec::new();
                for sharing in self.sharing(object, cell) {
                    body.extend(self.unknown(object, &cells, sharing.cell));
                }
                match self.is_true(here) {
                    _ if body.is_empty() || self.is_false(here) => {}
                    true => body.into_iter().for_each(|stmt| self.emit(stmt)),
                    false => self.emit(Stmt::If(here, body, Vec::new())),
                }
            }
        }
    }

    /// What a cell holds is not known any more.
    fn unknown(&mut self, object: usize, cells: &[CType], cell: usize) -> Option<Stmt> {
        let (Some(ty), Storage::Cells(places)) = (cells[cell].model(), self.storage(object)) else {
            return None;
        };
        let place = places[cell].clone()?;
        Some(match cells[cell] {
            CType::Pointer(_) => {
                self.holds(object, &only(UNSET));
                let unset = self.pointer(UNSET, 0);
                Stmt::Assign(place, unset)
            }
            _ => self.any_shared(object, place, ty),
        })
    }

    /// Does something with one cell of a structure that is copied.
    pub(super) fn copying(&mut self, at: usize, of: usize, copy: impl FnOnce(&mut Self)) {
        let outer = self.unions.copied.replace((at, of));
        copy(self);
        self.unions.copied = outer;
    }

    /// First values of constants, carried over to members that share their bits with those that
    /// are given. Says which cells hold any value.
    pub(super) fn carry_constants(
        &mut self,
        object: usize,
        values: &mut [Option<ExprId>],
        given: &[usize],
    ) -> Vec<usize> {
        let mut any = Vec::new();
        if !self.has_unions(object) {
            return any;
        }
        let cells = Rc::clone(&self.known(object).cells);
        let spans = Rc::clone(&self.unions.spans[&object]);
        for &cell in given {
            for to in self.sharing(object, cell) {
                let Some(ty) = cells[to.cell].model() else {
                    continue;
                };
                let number = values[cell].and_then(|value| self.program.exprs.number(value));
                let plain = match cells[cell] {
                    CType::Pointer(_) => number == Some(0),
                    _ => number.is_some(),
                };
                let pointer = matches!(cells[to.cell], CType::Pointer(_));
                if pointer && number != Some(0) {
                    self.holds(object, &only(UNSET));
                    values[to.cell] = Some(self.pointer(UNSET, 0));
                } else if pointer {
                    // What is not written is zero from the beginning.
                } else if let (true, Some(number)) = (plain, number) {
                    let old = values[to.cell].and_then(|old| self.program.exprs.number(old));
                    let (from, own) = (spans[cell], to.bits);
                    let start = own.start.max(from.start);
                    let mask = (1i128 << (own.end().min(from.end()) - start)) - 1;
                    let bits = (number >> (start - from.start)) & mask;
                    let by = start - own.start;
                    let new = old.unwrap_or(0) & !(mask << by) | bits << by;
                    values[to.cell] = Some(self.pool().int(ty.wrap(new), ty));
                } else {
                    any.push(to.cell);
                }
            }
        }
        any
    }

    /// Two pointers into an object in which members share their memory: whether they are to one
    /// place is known within one member only.
    pub(super) fn shared_checked(&mut self, left: &Rvalue, right: &Rvalue, span: Span) {
        let (Some(a), Some(b)) = (left.expr, right.expr) else {
            return;
        };
        let CType::Pointer(element) = &left.ty else {
            return;
        };
        let both: Vec<usize> = left.pts.intersection(&right.pts).copied().collect();
        for object in both {
            if !self.has_unions(object) || self.count(object) == 0 {
                continue;
            }
            let (into, also) = (self.is_into(a, object), self.is_into(b, object));
            let mut apart = self.pool().two(Binary::And, into, also);
            let differ = self.pool().two(Binary::Ne, a, b);
            apart = self.pool().two(Binary::And, apart, differ);
            if self.is_false(apart) {
                continue;
            }
            for (from, to) in [(a, b), (b, a)] {
                let together = self.stays(object, element, (from, to), 1, span);
                let not = self.pool().not(together);
                apart = self.pool().two(Binary::And, apart, not);
            }
            self.sink_if(apart, "the comparison of pointers into a union", span);
        }
    }
}
