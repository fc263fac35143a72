//! Objects and their memory: where values are kept, and how they are read and written.
//!
//! A structure or an array is split into its scalars, its *cells*. Cells that are all of one type
//! are one array of the model; others are a variable each. An access through a pointer looks at
//! every object that the pointer may be to (found by lowering the program again until nothing is
//! added); where it is to none of them, the access fails a check, and what follows is not known.

use std::collections::BTreeSet;
use std::rc::Rc;

use model::{Binary, ExprId, Place, Projection, Stmt, Type, ValueSet, Variable};
use source::Span;

use crate::ctype::CType;

use super::build::Build;
use super::checks::Kind;
use super::pointer::{
    self, FIRST, FUNCTION, MAX_OBJECTS, NULL, NUMBER, OUTSIDE, POINTER, Pts, UNSET,
};
use super::value::{Lvalue, Rvalue};
use super::{Key, Lowering};

/// How many cells an object may have whose values are kept.
const MAX_KEPT: usize = 4096;

/// What is known of an object in every pass.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Object {
    /// Its name, for people.
    pub(super) name: String,
    /// Its type.
    pub(super) ty: CType,
    /// Its scalars.
    pub(super) cells: Rc<Vec<CType>>,
    /// The contents of a literal, which cannot be written.
    pub(super) literal: Option<Rc<Vec<u8>>>,
    /// Who made it, if it lives within a function; none: it lives for ever.
    pub(super) owner: Option<usize>,
    /// Whether it may be gone before the program ends.
    pub(super) inner: bool,
    /// The place that allocates it, among those of the program.
    pub(super) site: Option<usize>,
}

/// The name of the object that holds the arguments of the program.
pub(super) const ARGUMENTS: &str = "the arguments";

impl Object {
    /// Whether its scalars are kept one by one, so that those which nothing reads can be left out:
    /// the arguments of the program.
    fn is_apart(&self) -> bool {
        self.name == ARGUMENTS
    }
}

/// Where the cells of an object are in this pass.
#[derive(Clone, Debug)]
pub(super) enum Storage {
    /// An array of the model.
    Array(Place, Type),
    /// A variable each; none for values that are not followed.
    Cells(Vec<Option<Place>>),
    /// A literal.
    Literal(Rc<Vec<u8>>),
    /// Numbers that are too many to be kept.
    Vague,
}

/// A cell that an access may be to.
pub(super) struct Hit {
    /// When it is.
    cond: ExprId,
    /// Which object.
    object: usize,
    /// Where; none: a value that the world decides.
    at: At,
}

enum At {
    Place(Place, Type),
    Byte(ExprId),
    Anything,
}

impl Lowering<'_> {
    /// The object for a key, new or known from an earlier pass.
    pub(super) fn object(&mut self, key: Key, make: impl FnOnce() -> Object) -> usize {
        if let Some(&id) = self.facts.ids.get(&key) {
            return id;
        }
        let id = FIRST + self.facts.objects.len();
        self.facts.objects.push(make());
        self.facts.ids.insert(key, id);
        id
    }

    pub(super) fn known(&self, object: usize) -> &Object {
        &self.facts.objects[object - FIRST]
    }

    /// How many cells an object has.
    pub(super) fn count(&self, object: usize) -> usize {
        match object < FIRST {
            true => 1,
            false => self.known(object).cells.len(),
        }
    }

    /// The literal with these contents; its cells end with a zero.
    pub(super) fn literal(&mut self, contents: &[u8]) -> usize {
        self.add_text(contents);
        let key = Key::literal(contents);
        let mut bytes = contents.to_vec();
        bytes.push(0);
        self.object(key, || Object {
            name: crate::literal::quoted(contents),
            ty: CType::Array(Rc::new(CType::CHAR), Some(bytes.len() as u64)),
            cells: Rc::new(vec![CType::CHAR; bytes.len()]),
            literal: Some(Rc::new(bytes)),
            owner: None,
            inner: false,
            site: None,
        })
    }

    /// A text among those that are told apart.
    pub(super) fn add_text(&mut self, contents: &[u8]) {
        // What stands behind a zero is not seen by functions on texts.
        let end = contents.iter().position(|&byte| byte == 0);
        let text = contents[..end.unwrap_or(contents.len())].to_vec();
        if !self.facts.texts.contains(&text) {
            self.facts.texts.push(text);
        }
    }

    /// Where an object is kept.
    pub(super) fn storage(&mut self, object: usize) -> Storage {
        if let Some(storage) = self.storage.get(&object) {
            return storage.clone();
        }
        let known = self.known(object).clone();
        let storage = match &known.literal {
            Some(bytes) => Storage::Literal(Rc::clone(bytes)),
            None => self.new_storage(&known),
        };
        self.remember_unions(object, &storage);
        self.storage.insert(object, storage.clone());
        storage
    }

    fn new_storage(&mut self, known: &Object) -> Storage {
        let first = known.cells.first().and_then(CType::model);
        if let Some(ty) = first
            && known.cells.len() > 1
            && !known.is_apart()
            && known.cells.iter().all(|cell| *cell == known.cells[0])
        {
            if known.cells.len() > MAX_KEPT {
                return Storage::Vague;
            }
            let length = u32::try_from(known.cells.len()).expect("at most MAX_CELLS");
            let array = Type::Array(Box::new(ty.clone()), length);
            return Storage::Array(self.variable(&known.name, array, known.owner), ty);
        }
        let single = known.cells.len() == 1;
        let mut places = Vec::new();
        for (number, cell) in known.cells.iter().enumerate() {
            let name = match single {
                true => known.name.clone(),
                false => format!("{}.{number}", known.name),
            };
            let ty = cell.model();
            places.push(ty.map(|ty| self.variable(&name, ty, known.owner)));
        }
        Storage::Cells(places)
    }

    fn variable(&mut self, name: &str, ty: Type, owner: Option<usize>) -> Place {
        match owner {
            // There is one process: an array may as well be global, where more is known of it.
            Some(_) if !matches!(ty, Type::Array(..)) => {
                let index = self.process.locals.len();
                self.process.locals.push(Variable::new(name, ty));
                Place::own(index)
            }
            _ => Place::global(self.program.add_global(Variable::new(name, ty))),
        }
    }

    /// Whether an object that may be gone is there.
    pub(super) fn alive(&mut self, object: usize) -> Place {
        if let Some(place) = self.alive.get(&object) {
            return place.clone();
        }
        let name = format!("{} exists", self.known(object).name);
        let place = self.variable(&name, Type::Bool, self.known(object).owner);
        self.alive.insert(object, place.clone());
        place
    }

    /// What the pointers in an object may be to.
    pub(super) fn contents(&self, object: usize) -> Pts {
        let found = self.facts.contents.get(&object);
        found.map_or_else(Pts::default, Rc::clone)
    }

    /// An object may hold pointers to these.
    pub(super) fn holds(&mut self, object: usize, pts: &Pts) {
        let old = self.contents(object);
        if !pts.is_subset(&old) {
            self.facts
                .contents
                .insert(object, pointer::union(&old, pts));
        }
    }

    /// Reads a value; that of a structure stays where it is.
    pub(super) fn load(&mut self, from: &Lvalue, span: Span) -> Rvalue {
        match &from.ty {
            CType::Float(_) => {
                self.accessed(from, span);
                Rvalue::unknown(from.ty.clone())
            }
            CType::Array(element, _) => {
                let first = Rvalue {
                    ty: CType::Pointer(Rc::clone(element)),
                    expr: Some(from.pointer),
                    pts: Rc::clone(&from.pts),
                    at: None,
                };
                self.inside_of_outside(&first, span)
            }
            CType::Function(_) => Rvalue {
                ty: from.ty.clone().decayed(),
                expr: Some(from.pointer),
                pts: Rc::clone(&from.pts),
                at: None,
            },
            CType::Record(_) => Rvalue {
                ty: from.ty.clone(),
                expr: None,
                pts: Pts::default(),
                at: Some(from.clone()),
            },
            _ => self.load_scalar(from, span),
        }
    }

    fn load_scalar(&mut self, from: &Lvalue, span: Span) -> Rvalue {
        let Some(ty) = from.ty.model() else {
            self.sink("the use of a value of a type that is not followed", span);
            return Rvalue::unknown(from.ty.clone());
        };
        let hits = self.hits(from, &ty, span);
        let mut shared = false;
        for hit in &hits {
            if hit.object >= FIRST {
                shared |= self.interference(hit.object, span);
            }
        }
        let mut pts = Pts::default();
        if matches!(from.ty, CType::Pointer(_)) {
            for hit in &hits {
                let held = self.contents(hit.object);
                pts = pointer::union(&pts, &held);
            }
        }
        for hit in &hits {
            self.read_for_orders(hit.object, hit.cond);
        }
        let mut value = None;
        for hit in hits.into_iter().rev() {
            let here = match hit.at {
                At::Place(place, cell) => {
                    let load = self.pool().load(place, cell);
                    self.pool().converted(load, &ty)
                }
                At::Byte(byte) => self.pool().converted(byte, &ty),
                At::Anything if matches!(from.ty, CType::Pointer(_)) => {
                    let fact = "what is behind a pointer from outside";
                    let behind = pointer::only(OUTSIDE);
                    pts = pointer::union(&pts, &behind);
                    self.any_pointer(&behind, fact, span, false)
                }
                At::Anything if hit.object >= FIRST => {
                    let fact = "what is in a large array";
                    self.any(&ty, fact, span, false)
                }
                At::Anything => {
                    let fact = "what is behind a pointer from outside";
                    self.any(&ty, fact, span, false)
                }
            };
            value = Some(match value {
                None => here,
                Some(other) => self.pool().either(hit.cond, here, other),
            });
        }
        let mut value = value.unwrap_or_else(|| self.pool().int(0, ty.clone()));
        if shared {
            value = self.kept(value);
        }
        Rvalue {
            ty: from.ty.clone(),
            expr: Some(value),
            pts,
            at: None,
        }
    }

    /// A value as it is now.
    pub(super) fn kept(&mut self, value: ExprId) -> ExprId {
        if self.program.exprs.constant(value).is_some() || self.is_kept(value) {
            return value;
        }
        let ty = self.program.exprs.ty(value).clone();
        let place = self.temporary("value", ty.clone());
        self.assign(place.clone(), value);
        self.pool().load(place, ty)
    }

    /// Whether it is what a variable of the lowering holds, which is set once for each evaluation.
    fn is_kept(&self, value: ExprId) -> bool {
        match self.program.exprs.get(value) {
            model::Expr::Load(Place {
                root: model::Root::Own(local),
                path,
            }) => path.is_empty() && self.temporaries.contains(local),
            _ => false,
        }
    }

    /// Any value of a type.
    pub(super) fn any(&mut self, ty: &Type, fact: &str, span: Span, exact: bool) -> ExprId {
        let place = self.temporary(fact, ty.clone());
        let outside = self.outside(fact, span, exact);
        let sample = self.samples(ty);
        self.choose(
            place.clone(),
            ValueSet::All(ty.clone()),
            Some(sample),
            fact,
            outside,
        );
        self.pool().load(place, ty.clone())
    }

    /// Values of a type for engines that try some.
    pub(super) fn samples(&mut self, ty: &Type) -> Vec<ExprId> {
        let mut numbers: BTreeSet<i128> = [0, 1, -1, i128::from(i32::MAX)].into();
        for &constant in &self.facts.constants {
            numbers.extend([constant - 1, constant, constant + 1]);
        }
        let wrapped: BTreeSet<i128> = numbers.into_iter().map(|number| ty.wrap(number)).collect();
        wrapped
            .into_iter()
            .map(|number| self.pool().int(number, ty.clone()))
            .collect()
    }

    /// A value that is not followed is read or written at a place that is there.
    fn accessed(&mut self, at: &Lvalue, span: Span) {
        self.null_checked(at.pointer, &at.pts, span);
        let mut inside = self.pool().bool(false);
        for &object in at.pts.iter() {
            let within = match object {
                NULL | UNSET => continue,
                NUMBER | FUNCTION | OUTSIDE => self.is_into(at.pointer, object),
                _ if self.is_unknown(object) => {
                    let into = self.is_into(at.pointer, object);
                    self.sink_if(into, "the use of a variable that is not followed", span);
                    into
                }
                _ => {
                    let count = self.count(object);
                    let within = self.within(at.pointer, object, count);
                    self.alive_checked(object, within, span);
                    within
                }
            };
            inside = self.pool().two(Binary::Or, inside, within);
            if object < FIRST {
                self.sink_if(within, "the use of memory from outside", span);
            }
        }
        let outside = self.pool().not(inside);
        self.fail_if(outside, Kind::Index, span);
    }

    /// Any pointer to objects, null included.
    pub(super) fn any_pointer(&mut self, pts: &Pts, fact: &str, span: Span, exact: bool) -> ExprId {
        let place = self.temporary(fact, POINTER);
        let outside = self.outside(fact, span, exact);
        let set = self.all_pointers(pts);
        self.choose(place.clone(), set, None, fact, outside);
        self.pool().load(place, POINTER)
    }

    /// Writes a value of the place's type.
    pub(super) fn store(&mut self, to: &Lvalue, value: &Rvalue, span: Span) {
        if let CType::Record(_) = to.ty {
            self.copy(to, value, span);
            return;
        }
        self.assigned(to, value, span);
        if matches!(to.ty, CType::Float(_)) {
            self.accessed(to, span);
            self.float_written(to);
            return;
        }
        let Some(ty) = to.ty.model() else {
            self.sink("the use of a value of a type that is not followed", span);
            return;
        };
        let Some(value_expr) = value.expr else {
            return;
        };
        let hits = self.hits(to, &ty, span);
        let mut all = Vec::new();
        for hit in hits {
            match hit.at {
                At::Place(place, cell) => {
                    if matches!(to.ty, CType::Pointer(_)) {
                        self.holds(hit.object, &value.pts);
                        self.escapes_to(hit.object, &value.pts, span);
                    }
                    self.wrote(hit.object);
                    let converted = self.pool().converted(value_expr, &cell);
                    all.push((hit.cond, Stmt::Assign(place, converted)));
                }
                At::Byte(_) => self.sink_if(hit.cond, "a write into a string literal", span),
                // What is there is any value again when it is read.
                At::Anything if hit.object >= FIRST => {}
                At::Anything => self.sink_if(hit.cond, "a write into memory from outside", span),
            }
        }
        let mut rest = Vec::new();
        for (cond, stmt) in all.into_iter().rev() {
            rest = match self.is_true(cond) {
                true => vec![stmt],
                false => vec![Stmt::If(cond, vec![stmt], rest)],
            };
        }
        for stmt in rest {
            self.emit(stmt);
        }
    }

    /// Copies a structure, cell by cell.
    fn copy(&mut self, to: &Lvalue, value: &Rvalue, span: Span) {
        let Some(from) = value.at.clone() else {
            self.sink("a structure that a function outside gives", span);
            return;
        };
        let Some(cells) = self.records.cells(&to.ty) else {
            self.sink("the use of a structure or union that is not followed", span);
            return;
        };
        for side in [&from, to] {
            self.structure_checked(side, span);
        }
        let mut values = Vec::new();
        // Where a member of a union ends, nothing is copied.
        let is_value = |(_, cell): &(usize, CType)| *cell != CType::Void;
        let count = cells.len();
        let cells: Vec<_> = cells.into_iter().enumerate().filter(is_value).collect();
        for (offset, cell) in &cells {
            let part = self.part(&from, *offset, cell.clone());
            let mut value = self.load(&part, span);
            value.expr = value.expr.map(|expr| self.kept(expr));
            values.push(value);
        }
        for ((offset, cell), value) in cells.into_iter().zip(values) {
            let part = self.part(to, offset, cell);
            self.copying(offset, count, |this| this.store(&part, &value, span));
        }
    }

    /// A part of a place, so many cells behind its beginning.
    pub(super) fn part(&mut self, whole: &Lvalue, offset: usize, ty: CType) -> Lvalue {
        let by = self.pool().int(offset as i128, POINTER);
        Lvalue {
            pointer: self.pool().two(Binary::Add, whole.pointer, by),
            pts: Rc::clone(&whole.pts),
            ty,
        }
    }

    /// The cells that an access may be to; what else it may be to fails a check first.
    fn hits(&mut self, to: &Lvalue, ty: &Type, span: Span) -> Vec<Hit> {
        let pointer = to.pointer;
        self.null_checked(pointer, &to.pts, span);
        let mut hits = Vec::new();
        let mut inside = self.pool().bool(false);
        let mut strange = self.pool().bool(false);
        for &object in to.pts.iter() {
            match object {
                NULL | UNSET => {}
                NUMBER | FUNCTION => {
                    let into = self.is_into(pointer, object);
                    strange = self.pool().two(Binary::Or, strange, into);
                }
                OUTSIDE => {
                    let cond = self.is_into(pointer, OUTSIDE);
                    inside = self.pool().two(Binary::Or, inside, cond);
                    hits.push(Hit {
                        cond,
                        object,
                        at: At::Anything,
                    });
                }
                _ if self.is_unknown(object) => {
                    let into = self.is_into(pointer, object);
                    strange = self.pool().two(Binary::Or, strange, into);
                }
                _ => {
                    let count = self.count(object);
                    let within = self.within(pointer, object, count);
                    if self.is_false(within) {
                        continue;
                    }
                    inside = self.pool().two(Binary::Or, inside, within);
                    self.alive_checked(object, within, span);
                    self.owner_checked(object, within, span);
                    let other = self.cell_hits(object, within, pointer, ty, &mut hits);
                    strange = self.pool().two(Binary::Or, strange, other);
                }
            }
        }
        self.sink_if(strange, "the use of memory as of another type", span);
        let outside = self.pool().not(inside);
        let both = self.pool().not(strange);
        let outside = self.pool().two(Binary::And, outside, both);
        self.fail_if(outside, Kind::Index, span);
        hits
    }

    /// The cells of one object that an access may be to, and when it is to one of another type.
    fn cell_hits(
        &mut self,
        object: usize,
        within: ExprId,
        pointer: ExprId,
        ty: &Type,
        hits: &mut Vec<Hit>,
    ) -> ExprId {
        let first = self.pointer(object, 0);
        match self.storage(object) {
            Storage::Array(place, cell) => {
                if !is_alike(&cell, ty) {
                    return within;
                }
                let offset = self.pool().two(Binary::Sub, pointer, first);
                let index = self.pool().converted(offset, &Type::INT32);
                let mut place = place;
                place.path.push(Projection::Index(index));
                hits.push(Hit {
                    cond: within,
                    object,
                    at: At::Place(place, cell),
                });
                self.pool().bool(false)
            }
            Storage::Cells(places) => {
                let cells = Rc::clone(&self.known(object).cells);
                let mut strange = self.pool().bool(false);
                for (offset, (place, cell)) in places.into_iter().zip(cells.iter()).enumerate() {
                    let here = self.pointer(object, offset);
                    let cond = self.pool().two(Binary::Eq, pointer, here);
                    if self.is_false(cond) {
                        continue;
                    }
                    match (place, cell.model()) {
                        (Some(place), Some(cell)) if is_alike(&cell, ty) => hits.push(Hit {
                            cond,
                            object,
                            at: At::Place(place, cell),
                        }),
                        _ => strange = self.pool().two(Binary::Or, strange, cond),
                    }
                }
                strange
            }
            Storage::Vague => {
                let number = !matches!(self.known(object).cells.first(), Some(CType::Pointer(_)));
                let cell = self.known(object).cells.first().and_then(CType::model);
                if !number || !cell.is_some_and(|cell| is_alike(&cell, ty)) {
                    return within;
                }
                hits.push(Hit {
                    cond: within,
                    object,
                    at: At::Anything,
                });
                self.pool().bool(false)
            }
            Storage::Literal(bytes) => {
                if !is_alike(
                    &Type::Int {
                        bits: 8,
                        signed: true,
                    },
                    ty,
                ) {
                    return within;
                }
                let byte = self.byte_at(&bytes, first, pointer);
                hits.push(Hit {
                    cond: within,
                    object,
                    at: At::Byte(byte),
                });
                self.pool().bool(false)
            }
        }
    }

    /// The byte of a literal at a pointer.
    fn byte_at(&mut self, bytes: &[u8], first: ExprId, pointer: ExprId) -> ExprId {
        let char_type = Type::Int {
            bits: 8,
            signed: true,
        };
        let offset = self.pool().two(Binary::Sub, pointer, first);
        let mut value = self.pool().int(0, char_type.clone());
        for (at, &byte) in bytes.iter().enumerate().rev() {
            let at = self.pool().int(at as i128, POINTER);
            let here = self.pool().two(Binary::Eq, offset, at);
            let byte = self
                .pool()
                .int(i128::from(byte.cast_signed()), char_type.clone());
            value = self.pool().either(here, byte, value);
        }
        value
    }

    /// A null pointer, or one that was never set, is not followed.
    pub(super) fn null_checked(&mut self, pointer: ExprId, pts: &Pts, span: Span) {
        self.set_checked(pointer, pts, span);
        let null = self.is_null(pointer);
        self.fail_if(null, Kind::Null, span);
    }

    /// A pointer that was never set is not used.
    pub(super) fn set_checked(&mut self, pointer: ExprId, pts: &Pts, span: Span) {
        if pts.contains(&UNSET) {
            let unset = self.pointer(UNSET, 0);
            let unset = self.pool().two(Binary::Eq, pointer, unset);
            self.undefined_if(unset, "the use of a pointer that was never set", span);
        }
    }

    /// What is gone is not used.
    pub(super) fn alive_checked(&mut self, object: usize, within: ExprId, span: Span) {
        if self.facts.mortal.contains(&object) {
            let alive = self.alive(object);
            let alive = self.pool().load(alive, Type::Bool);
            let gone = self.pool().not(alive);
            let gone = self.pool().two(Binary::And, within, gone);
            self.fail_if(gone, Kind::Dangling, span);
        }
    }

    /// A variable of another thread may be gone at any time, unless it is `main`'s own.
    pub(super) fn owner_checked(&mut self, object: usize, within: ExprId, span: Span) {
        let known = self.known(object);
        if known.owner.is_some_and(|owner| owner != self.role)
            && (known.inner || known.owner != Some(0))
        {
            self.sink_if(
                within,
                "the use of a variable of another thread that may be gone",
                span,
            );
        }
    }

    /// Whether the memory of an object is not followed.
    fn is_unknown(&self, object: usize) -> bool {
        let known = self.known(object);
        known.cells.is_empty() && known.literal.is_none() && !is_empty(&known.ty)
    }

    /// Whether there is room for one object more.
    pub(super) fn has_room(&self) -> bool {
        FIRST + self.facts.objects.len() < MAX_OBJECTS - 2
    }
}

fn is_empty(ty: &CType) -> bool {
    matches!(ty, CType::Array(_, Some(0)))
}

/// Whether memory that was written as one type can be read as the other: integers of one width, or
/// pointers.
fn is_alike(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Int { bits: a, .. }, Type::Int { bits: b, .. }) => a == b,
        _ => a == b,
    }
}
