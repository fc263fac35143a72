//! Objects that are made at run time.
//!
//! Each place of the program that allocates, with the calls that lead to it, has objects of its own:
//! one if no run comes there twice, and a few otherwise. An object is taken again when it has been
//! freed and no pointer of the program is to it any more, so that loops in which memory comes and
//! goes need no bound. A run that needs more objects at once is not followed. What type an object
//! has is what its pointer is cast to; a size that is computed is kept beside it.

use std::rc::Rc;

use model::{Binary, ExprId, LocId, Place, Projection, Stmt, Type};
use source::Span;

use crate::ctype::CType;
use crate::layout::{MAX_CELLS, Records};

use super::build::Build;
use super::checks::Kind;
use super::memory::Object;
use super::pointer::{FIRST, NULL, OUTSIDE, POINTER, Pts, base};
use super::value::Rvalue;
use super::{Key, Lowering};

/// How many objects of one place are told apart.
const INSTANCES: usize = 4;
/// How many cells an object has whose size is computed.
const COMPUTED_CELLS: usize = 64;
/// How many pointers are looked at before an object is taken again.
const MAX_POINTERS: usize = 400;

/// What is known of a place that allocates.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Site {
    /// The objects that are made there.
    pub(super) objects: Vec<usize>,
    /// What they are made of, if that is known.
    element: Option<CType>,
    /// How many bytes they have, if that is one number.
    bytes: Option<u64>,
    /// Whether the size is computed.
    computed: bool,
    /// Whether a run may come there more than once.
    again: bool,
}

impl Site {
    /// The type of the objects; none if it is not followed.
    fn ty(&self, records: &Records) -> Option<CType> {
        let element = self.element.clone().unwrap_or(CType::CHAR);
        let (size, _) = records.size(&element)?;
        let cells = records.count(&element).filter(|&cells| cells > 0)?;
        let count = match self.bytes {
            _ if self.computed => (COMPUTED_CELLS / cells).max(1) as u64,
            Some(bytes) if bytes % size == 0 => bytes / size,
            _ => return None,
        };
        match count {
            1 => Some(element),
            _ if usize::try_from(count).ok()?.checked_mul(cells)? > MAX_CELLS => None,
            _ => Some(CType::Array(Rc::new(element), Some(count))),
        }
    }
}

/// An allocation that takes one of several objects; which, is known at the end.
pub(super) struct Pick {
    from: LocId,
    ways: Vec<(usize, LocId)>,
    none: LocId,
    span: Span,
}

/// How memory is asked for.
pub(super) struct Request {
    /// The bytes.
    pub(super) bytes: ExprId,
    /// Whether it begins with zeros.
    pub(super) zeros: bool,
}

impl Lowering<'_> {
    /// The types of the objects that the last pass has found.
    pub(super) fn type_sites(&mut self) {
        for site in 0..self.facts.sites.len() {
            let known = self.facts.sites[site].clone();
            let ty = known.ty(&self.facts.records);
            let cells = ty.as_ref().and_then(|ty| self.facts.records.cells(ty));
            for object in known.objects {
                let freed = self.facts.freed.contains(&object);
                let object = &mut self.facts.objects[object - FIRST];
                object.ty = ty.clone().unwrap_or(CType::Unknown);
                object.cells = Rc::new(cells.clone().unwrap_or_default());
                object.inner = freed;
            }
        }
    }

    /// A pointer to new memory, or null.
    pub(super) fn allocate(&mut self, request: &Request, to: &CType, span: Span) -> Rvalue {
        let failed = self.any_truth("whether there is memory", span, true);
        let (none, some) = self.branch(failed, span);
        let place = self.temporary("memory", POINTER);
        let end = self.location(span);
        self.start(none);
        let null = self.pointer(NULL, 0);
        self.assign(place.clone(), null);
        self.jump(end, span);
        self.start(some);
        let objects = self.new_objects(request, &place, end, span);
        self.start(end);
        Rvalue {
            ty: to.clone(),
            expr: Some(self.pool().load(place, POINTER)),
            pts: objects,
            at: None,
        }
    }

    fn new_objects(&mut self, request: &Request, place: &Place, end: LocId, span: Span) -> Pts {
        let site = self.site_of(request);
        let known = self.facts.sites[site].clone();
        let wanted = if known.again { INSTANCES } else { 1 };
        for number in known.objects.len()..wanted {
            if !self.has_room() {
                self.sink("more variables than are followed", span);
                return Pts::default();
            }
            let object = self.new_object(site, number);
            self.facts.sites[site].objects.push(object);
        }
        let objects = self.facts.sites[site].objects.clone();
        if known.ty(self.layouts()).is_none() {
            let what = "memory whose size is no multiple of that of its parts, or too large";
            self.sink(what, span);
            return Rc::new(objects.into_iter().collect());
        }
        let length = self.length_in_cells(&known, request, span);
        let Some(from) = self.seal(span) else {
            return Pts::default();
        };
        self.allocations.push((from, site));
        self.here = None;
        let none = self.location(span);
        let mut ways = Vec::new();
        for &object in &objects {
            let way = self.location(span);
            ways.push((object, way));
            self.start(way);
            self.made(object, length, request.zeros, span);
            let pointer = self.pointer(object, 0);
            self.assign(place.clone(), pointer);
            self.jump(end, span);
        }
        self.start(none);
        let what = "more objects of one place at a time than are told apart";
        match known.again {
            true => self.sink(what, span),
            // No run comes here.
            false => self.undefined(what, span),
        }
        self.picks.push(Pick {
            from,
            ways,
            none,
            span,
        });
        Rc::new(objects.into_iter().collect())
    }

    /// The structures that are known, from this pass or the last.
    pub(super) fn layouts(&self) -> &Records {
        match self.facts.records.0.len() >= self.records.0.len() {
            true => &self.facts.records,
            false => &self.records,
        }
    }

    /// The place that allocates here, with what is now known of sizes.
    fn site_of(&mut self, request: &Request) -> usize {
        let key = (self.path.clone(), self.site);
        let next = self.facts.sites.len();
        let at = *self.facts.site_ids.entry(key).or_insert(next);
        if at == next {
            self.facts.sites.push(Site::default());
        }
        let bytes = self.program.exprs.number(request.bytes);
        let bytes = bytes.and_then(|bytes| u64::try_from(bytes).ok());
        let site = &mut self.facts.sites[at];
        match (bytes, site.bytes) {
            (Some(new), None) => site.bytes = Some(new),
            (Some(new), Some(old)) if new == old => {}
            _ => site.computed = true,
        }
        at
    }

    fn new_object(&mut self, site: usize, number: usize) -> usize {
        let ty = self.facts.sites[site].ty(self.layouts());
        let ty = ty.unwrap_or(CType::Unknown);
        let cells = self.layouts().cells(&ty).unwrap_or_default();
        let owner = Some(self.role);
        let key = Key::variable(&self.path, self.site, &format!("memory {number}"));
        let object = self.object(key, || Object {
            name: "allocated memory".to_owned(),
            ty,
            cells: Rc::new(cells),
            literal: None,
            owner,
            inner: false,
            site: Some(site),
        });
        self.facts.mortal.insert(object);
        object
    }

    /// How many cells there are, if that is computed. Larger memory than is kept is not followed.
    fn length_in_cells(&mut self, site: &Site, request: &Request, span: Span) -> Option<ExprId> {
        if !site.computed {
            return None;
        }
        let element = site.element.clone().unwrap_or(CType::CHAR);
        let (size, _) = self.layouts().size(&element)?;
        let cells = self.layouts().count(&element)?;
        let most = (COMPUTED_CELLS / cells).max(1) as u64 * size;
        let long = self.program.exprs.ty(request.bytes).clone();
        let (zero, most) = (
            self.pool().int(0, long.clone()),
            self.pool().int(i128::from(most), long.clone()),
        );
        let low = self.pool().two(Binary::Lt, request.bytes, zero);
        let high = self.pool().two(Binary::Lt, most, request.bytes);
        let large = self.pool().two(Binary::Or, low, high);
        self.sink_if(
            large,
            "an allocation of a large size that is computed",
            span,
        );
        let size = self.pool().int(i128::from(size), long.clone());
        let count = self.pool().two(Binary::Div, request.bytes, size);
        let cells = self.pool().int(cells as i128, long);
        let count = self.pool().two(Binary::Mul, count, cells);
        let count = self.pool().converted(count, &POINTER);
        Some(self.kept(count))
    }

    /// An object is there from here on.
    fn made(&mut self, object: usize, length: Option<ExprId>, zeros: bool, span: Span) {
        let yes = self.pool().bool(true);
        for place in [self.alive(object), self.taken(object)] {
            self.assign(place, yes);
        }
        if let Some(length) = length {
            let place = self.size_place(object);
            self.assign(place, length);
        }
        if !zeros {
            self.unset(object, span);
            return;
        }
        self.wrote(object);
        for (place, cell) in self.places(object) {
            if let Some(ty) = cell.model() {
                let zero = self.pool().int(0, ty);
                self.assign(place, zero);
            }
        }
    }

    /// Where the length of an object in cells is kept.
    fn size_place(&mut self, object: usize) -> Place {
        if let Some(place) = self.lengths.get(&object) {
            return place.clone();
        }
        let place = Place::own(self.process.locals.len());
        let variable = model::Variable::new("size of allocated memory", POINTER);
        self.process.locals.push(variable);
        self.lengths.insert(object, place.clone());
        place
    }

    /// Whether the size of an object is computed where it is made.
    pub(super) fn has_size(&self, object: usize) -> bool {
        let site = match object < FIRST {
            true => None,
            false => self.known(object).site,
        };
        site.is_some_and(|site| self.facts.sites[site].computed)
    }

    /// The computed size of an object, in cells.
    pub(super) fn size_in_cells(&mut self, object: usize) -> ExprId {
        let place = self.size_place(object);
        self.pool().load(place, POINTER)
    }

    /// Whether a pointer is before the end of an object, or so far behind it at most; true where
    /// the size is that of the type.
    pub(super) fn is_before_end(
        &mut self,
        pointer: ExprId,
        object: usize,
        behind: usize,
    ) -> ExprId {
        if !self.has_size(object) {
            return self.pool().bool(true);
        }
        let length = self.size_in_cells(object);
        let first = self.pool().int(base(object) + behind as i128, POINTER);
        let end = self.pool().two(Binary::Add, first, length);
        self.pool().two(Binary::Lt, pointer, end)
    }

    /// `free`: null, or what was allocated and is still there.
    pub(super) fn free(&mut self, value: &Rvalue, span: Span) {
        let Some(pointer) = value.expr else {
            return;
        };
        self.set_checked(pointer, &value.pts, span);
        let mut good = self.is_null(pointer);
        let objects: Vec<usize> = value.pts.iter().copied().collect();
        let mut freed = Vec::new();
        for object in objects {
            if object == OUTSIDE {
                let into = self.is_into(pointer, object);
                self.sink_if(into, "memory from outside that is freed", span);
            }
            if object < FIRST || self.known(object).site.is_none() {
                continue;
            }
            let first = self.pointer(object, 0);
            let here = self.pool().two(Binary::Eq, pointer, first);
            self.owner_checked(object, here, span);
            let alive = self.alive(object);
            let there = self.pool().load(alive.clone(), Type::Bool);
            let both = self.pool().two(Binary::And, here, there);
            good = self.pool().two(Binary::Or, good, both);
            freed.push((here, alive));
            self.facts.freed.insert(object);
        }
        let bad = self.pool().not(good);
        self.fail_if(bad, Kind::Free, span);
        let no = self.pool().bool(false);
        for (here, alive) in freed {
            let gone = vec![Stmt::Assign(alive, no)];
            self.emit(Stmt::If(here, gone, Vec::new()));
        }
    }

    /// `realloc`: new memory that holds anything, pointers of the old one among it.
    pub(super) fn reallocate(
        &mut self,
        old: &Rvalue,
        request: &Request,
        to: &CType,
        span: Span,
    ) -> Rvalue {
        let new = self.allocate(request, to, span);
        let Some(pointer) = new.expr else {
            return new;
        };
        let mut held = Pts::default();
        for &object in old.pts.iter().filter(|&&object| object >= FIRST) {
            held = super::pointer::union(&held, &self.contents(object));
        }
        let there = self.is_null(pointer);
        let there = self.pool().not(there);
        let there = self.kept(there);
        let (yes, no) = self.branch(there, span);
        self.start(yes);
        for &object in new.pts.iter() {
            let first = self.pointer(object, 0);
            let here = self.pool().two(Binary::Eq, pointer, first);
            self.havoc(
                object,
                Some(here),
                &held,
                ("what was in memory before", false),
                span,
            );
        }
        self.free(old, span);
        self.jump(no, span);
        self.start(no);
        new
    }

    /// A pointer is cast: what was allocated is of that type.
    pub(super) fn shapes(&mut self, pts: &Pts, target: &CType) {
        if *target == CType::Void {
            return;
        }
        for &object in pts.iter().filter(|&&object| object >= FIRST) {
            let Some(site) = self.known(object).site else {
                continue;
            };
            let is_byte = |ty: &CType| matches!(ty, CType::Int { bits: 8, .. });
            let element = &mut self.facts.sites[site].element;
            let open = element.as_ref().is_none_or(is_byte);
            let better = element.is_none() || !is_byte(target);
            if open && better && !matches!(target, CType::Function(_) | CType::Unknown) {
                *element = Some(target.clone());
            }
        }
    }

    /// Which object an allocation takes: the first that is free and that no pointer is to.
    pub(super) fn finish_picks(&mut self) {
        let pointers = self.pointers();
        for pick in std::mem::take(&mut self.picks) {
            source::limits::check();
            let mut rest = self.pool().bool(true);
            for (object, way) in pick.ways {
                let free = self.is_free(object, &pointers);
                let here = self.pool().two(Binary::And, rest, free);
                self.step(pick.from, Some(here), way, pick.span);
                let taken = self.pool().not(free);
                rest = self.pool().two(Binary::And, rest, taken);
            }
            self.step(pick.from, Some(rest), pick.none, pick.span);
        }
        self.find_loops();
    }

    /// Every place that holds a pointer.
    fn pointers(&mut self) -> Vec<Place> {
        let mut all = Vec::new();
        let globals = self.program.globals.iter().enumerate();
        let globals = globals
            .map(|(at, variable)| (Place::global(model::GlobalId::new(at)), variable.ty.clone()));
        let locals = self.process.locals.iter().enumerate();
        let locals = locals.map(|(at, variable)| (Place::own(at), variable.ty.clone()));
        for (place, ty) in globals.chain(locals).collect::<Vec<_>>() {
            match ty {
                Type::Array(item, length) if *item == POINTER => {
                    for at in 0..length {
                        let index = self.pool().int(i128::from(at), Type::INT32);
                        let mut place = place.clone();
                        place.path.push(Projection::Index(index));
                        all.push(place);
                    }
                }
                ty if ty == POINTER => all.push(place),
                _ => {}
            }
        }
        all
    }

    fn is_free(&mut self, object: usize, pointers: &[Place]) -> ExprId {
        let site = self.known(object).site;
        if !site.is_some_and(|site| self.facts.sites[site].again) {
            return self.pool().bool(true);
        }
        let taken = self.taken(object);
        let taken = self.pool().load(taken, Type::Bool);
        let new = self.pool().not(taken);
        let alive = self.alive(object);
        let alive = self.pool().load(alive, Type::Bool);
        let mut free = self.pool().not(alive);
        // Functions outside may have kept a pointer to what they were given.
        let ours = !self.facts.escaped.contains(&object);
        if ours && self.facts.freed.contains(&object) && pointers.len() <= MAX_POINTERS {
            for place in pointers {
                let pointer = self.pool().load(place.clone(), POINTER);
                let into = self.is_into(pointer, object);
                let other = self.pool().not(into);
                free = self.pool().two(Binary::And, free, other);
            }
            return self.pool().two(Binary::Or, new, free);
        }
        new
    }

    /// Whether an object has been made at all.
    fn taken(&mut self, object: usize) -> Place {
        if let Some(place) = self.taken.get(&object) {
            return place.clone();
        }
        let place = Place::own(self.process.locals.len());
        let variable = model::Variable::new("memory was allocated", Type::Bool);
        self.process.locals.push(variable);
        self.taken.insert(object, place.clone());
        place
    }

    /// Which places that allocate may be come to again.
    fn find_loops(&mut self) {
        let mut steps = vec![Vec::new(); self.process.locations.len()];
        for step in &self.process.steps {
            if let model::Target::Goto(to) = step.target {
                steps[step.from.index()].push(to);
            }
        }
        for (from, site) in std::mem::take(&mut self.allocations) {
            let mut seen = vec![false; steps.len()];
            let mut waiting = steps[from.index()].clone();
            while let Some(at) = waiting.pop() {
                source::limits::check();
                if !std::mem::replace(&mut seen[at.index()], true) {
                    waiting.extend(&steps[at.index()]);
                }
            }
            self.facts.sites[site].again |= seen[from.index()];
        }
    }
}
