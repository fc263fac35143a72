//! Declarations: variables, their first values, functions.

use std::rc::Rc;

use lang_c::ast::{
    CompoundLiteral, Declaration, Declarator, DeclaratorKind, DerivedDeclarator, Designator,
    Expression, ExternalDeclaration, FunctionDefinition, InitDeclarator, Initializer,
    InitializerListItem, TranslationUnit,
};
use lang_c::span::Node;
use model::{ExprId, Place, Projection, Type, ValueSet};
use source::Span;

use crate::ctype::{CType, Field};
use crate::layout::MAX_CELLS;

use super::memory::{Object, Storage};
use super::pointer::{UNSET, only};
use super::types::Storage as Specified;
use super::value::{Lvalue, Rvalue};
use super::{Function, Key, Lowering, Symbol};

impl<'a> Lowering<'a> {
    /// Declares all names of the file, in its order; first values are set where a run begins.
    pub(super) fn globals(&mut self, unit: &'a TranslationUnit) {
        for external in &unit.0 {
            match &external.node {
                ExternalDeclaration::Declaration(declaration) => {
                    self.declaration(&declaration.node);
                }
                ExternalDeclaration::FunctionDefinition(definition) => {
                    self.define(definition);
                }
                ExternalDeclaration::StaticAssert(_) => {}
            }
        }
    }

    fn define(&mut self, definition: &'a Node<FunctionDefinition>) {
        let (base, _) = self.specified(&definition.node.specifiers);
        let (name, ty) = self.declared(base, &definition.node.declarator.node);
        let (Some(name), CType::Function(signature)) = (name, ty) else {
            return;
        };
        let span = self.span(definition.node.declarator.span);
        if !definition.node.declarations.is_empty() {
            self.refuse(
                "parameters that are declared behind the head of a function",
                span,
            );
        }
        let function = self.function(&name, &signature);
        self.functions[function].signature = signature;
        self.functions[function].definition = Some(definition);
    }

    /// The function of a name, known or new.
    pub(super) fn function(
        &mut self,
        name: &str,
        signature: &Rc<crate::ctype::Signature>,
    ) -> usize {
        if let Some(at) = self
            .functions
            .iter()
            .position(|function| function.name == name)
        {
            self.declare(name.to_owned(), Symbol::Function(at));
            return at;
        }
        self.functions.push(Function {
            name: name.to_owned(),
            signature: Rc::clone(signature),
            definition: None,
        });
        let at = self.functions.len() - 1;
        self.declare(name.to_owned(), Symbol::Function(at));
        at
    }

    /// Declares what a declaration declares, and sets first values.
    pub(super) fn declaration(&mut self, declaration: &Declaration) {
        let (base, storage) = self.specified(&declaration.specifiers);
        for declarator in &declaration.declarators {
            self.declarator(&base, storage, declarator);
        }
    }

    fn declarator(&mut self, base: &CType, storage: Specified, declarator: &Node<InitDeclarator>) {
        let (name, mut ty) = self.declared(base.clone(), &declarator.node.declarator.node);
        let Some(name) = name else {
            return;
        };
        let span = self.span(declarator.span);
        let behind = is_behind_pointer(&declarator.node.declarator.node);
        if storage.typedef {
            if storage.volatile && !behind {
                self.refuse("a type of what is volatile", span);
            }
            self.declare(name, Symbol::Type(ty));
            return;
        }
        if let CType::Function(signature) = &ty {
            let signature = Rc::clone(signature);
            self.function(&name, &signature);
            return;
        }
        if let (CType::Array(element, None), Some(initial)) = (&ty, &declarator.node.initializer) {
            let length = self.initial_length(element, &initial.node);
            ty = CType::Array(Rc::clone(element), length);
        }
        let lasts = storage.lasting || self.is_global_scope() || storage.external;
        if storage.external && declarator.node.initializer.is_none() {
            self.external(name.clone(), &ty, span);
            if storage.volatile && !behind {
                self.is_volatile(&name);
            }
            return;
        }
        let Some(object) = self.new_variable(&name, &ty, lasts, declarator.span.start, span) else {
            return;
        };
        if storage.volatile && !behind {
            self.facts.volatile.insert(object);
        }
        self.declare(name, Symbol::Object(object));
        match (&declarator.node.initializer, lasts) {
            (Some(initial), true) => {
                self.initialised.insert(object);
                self.lasting_initial(object, &initial.node, span);
            }
            // A variable of the file may be declared again.
            (None, true) => {
                if self.initialised.insert(object) {
                    let zeros = self.zeros(object);
                    self.set_initial(object, &zeros);
                }
            }
            (Some(initial), false) => {
                self.begins(object);
                let at = self.whole(object);
                self.initialise(&at, &initial.node, span);
            }
            (None, false) => {
                self.begins(object);
                self.unset(object, span);
            }
        }
    }

    fn is_volatile(&mut self, name: &str) {
        if let Some(&Symbol::Object(object)) = self.lookup(name) {
            self.facts.volatile.insert(object);
        }
    }

    /// The object of a variable.
    pub(super) fn new_variable(
        &mut self,
        name: &str,
        ty: &CType,
        lasts: bool,
        at: usize,
        span: Span,
    ) -> Option<usize> {
        let cells = match self.records.cells(ty) {
            Some(cells) if !cells.is_empty() && cells.len() <= MAX_CELLS => cells,
            _ => {
                self.note(
                    "a variable of a type that is not followed, or too large",
                    span,
                );
                Vec::new()
            }
        };
        if !self.has_room() {
            self.sink("more variables than are followed", span);
            return None;
        }
        let key = match (lasts, self.is_global_scope()) {
            (true, true) => Key::global(name),
            (true, false) => Key::variable("", at, name),
            (false, _) => Key::variable(&self.path, at, name),
        };
        let owner = (!lasts).then_some(self.role);
        // The block of `main` itself is the third scope.
        let inner = self.frames.len() > 1 || self.scopes.len() > 3;
        let id = self.object(key, || Object {
            name: name.to_owned(),
            ty: ty.clone(),
            cells: Rc::new(cells),
            literal: None,
            owner,
            inner,
            site: None,
        });
        if !lasts {
            if let Some(frame) = self.frames.last_mut() {
                frame.locals.push(id);
            }
            if let Some(scope) = self.scopes.last_mut() {
                scope.objects.push(id);
            }
        }
        Some(id)
    }

    /// A variable that is defined elsewhere.
    fn external(&mut self, name: String, ty: &CType, span: Span) {
        let Some(object) = self.new_variable(&name, ty, true, 0, span) else {
            return;
        };
        self.declare(name, Symbol::Object(object));
        if self.initialised.contains(&object) {
            return;
        }
        self.holds(object, &only(super::pointer::OUTSIDE));
        let pts = self.contents(object);
        let places = self.places(object);
        for (place, cell) in places {
            if let model::Root::Global(global) = place.root
                && place.path.is_empty()
            {
                let set = match cell {
                    CType::Pointer(_) => self.all_pointers(&pts),
                    _ => ValueSet::All(cell.model().unwrap_or(Type::Bool)),
                };
                self.program.globals[global.index()].init = Some(set);
            } else {
                self.note("an array that is defined elsewhere", span);
                self.program.cut(model::Cut {
                    text: "arrays that are defined elsewhere begin with zeros".to_owned(),
                    by: model::CutBy::Default,
                    span,
                    properties: None,
                });
                return;
            }
        }
    }

    /// Zeros for all cells.
    fn zeros(&mut self, object: usize) -> Vec<Option<ExprId>> {
        let cells = Rc::clone(&self.known(object).cells);
        let zero = |cell: &CType| cell.model().map(|ty| self.program.exprs.int(0, ty));
        cells.iter().map(zero).collect()
    }

    /// The first values of a variable that lasts: constants.
    fn lasting_initial(&mut self, object: usize, initial: &Initializer, span: Span) {
        let ty = self.known(object).ty.clone();
        let mut values = self.zeros(object);
        let mut items = Vec::new();
        if !self.items(&ty, 0, initial, &mut items) {
            self.refuse("an initializer of this form", span);
            return;
        }
        let given: Vec<usize> = items.iter().map(Item::offset).collect();
        for item in items {
            match item {
                Item::Byte(offset, byte) => {
                    let ty = CType::CHAR.model().expect("integers are followed");
                    let value = self.program.exprs.int(i128::from(byte.cast_signed()), ty);
                    if let Some(cell) = values.get_mut(offset) {
                        *cell = Some(value);
                    }
                }
                Item::Value(offset, cell, node) => {
                    let value = self.unevaluated(|this| {
                        let value = this.rvalue(node);
                        let value = this.decay(value);
                        this.convert(value, &cell, span)
                    });
                    self.holds(object, &value.pts);
                    let constant = value
                        .expr
                        .filter(|&expr| self.program.exprs.constant(expr).is_some());
                    if constant.is_none() && !matches!(cell, CType::Float(_)) {
                        self.refuse("a first value that is no constant", span);
                    }
                    if let Some(place) = values.get_mut(offset) {
                        *place = constant;
                    }
                }
            }
        }
        let any = self.carry_constants(object, &mut values, &given);
        self.set_initial(object, &values);
        self.any_initial(object, &any, span);
    }

    /// First values of members of unions that are not followed.
    fn any_initial(&mut self, object: usize, cells: &[usize], span: Span) {
        for (at, place, cell) in self.numbered_places(object) {
            if let (true, Some(ty)) = (cells.contains(&at), cell.model())
                && let model::Root::Global(global) = place.root
            {
                self.note("how a union begins", span);
                self.program.globals[global.index()].init = Some(ValueSet::All(ty));
            }
        }
    }

    /// Sets the first values of a variable that lasts.
    fn set_initial(&mut self, object: usize, values: &[Option<ExprId>]) {
        match self.storage(object) {
            Storage::Array(place, _) => {
                let values: Option<Vec<ExprId>> = values.iter().copied().collect();
                if let (Some(values), model::Root::Global(global)) = (values, place.root) {
                    let ty = self.program.globals[global.index()].ty.clone();
                    let value = self.pool().add(model::Expr::Tuple(values), ty);
                    self.program.globals[global.index()].init = Some(ValueSet::One(value));
                }
            }
            Storage::Cells(places) => {
                for (place, value) in places.iter().zip(values) {
                    if let (Some(place), Some(value)) = (place, value)
                        && let model::Root::Global(global) = place.root
                    {
                        self.program.globals[global.index()].init = Some(ValueSet::One(*value));
                    }
                }
            }
            Storage::Literal(_) | Storage::Vague => {}
        }
    }

    /// The places of all cells, and their types.
    pub(super) fn places(&mut self, object: usize) -> Vec<(Place, CType)> {
        let all = self.numbered_places(object).into_iter();
        all.map(|(_, place, cell)| (place, cell)).collect()
    }

    /// The same with their positions; those that are not kept are left out.
    pub(super) fn numbered_places(&mut self, object: usize) -> Vec<(usize, Place, CType)> {
        let cells = Rc::clone(&self.known(object).cells);
        match self.storage(object) {
            Storage::Array(place, _) => {
                let mut all = Vec::new();
                for (at, cell) in cells.iter().enumerate() {
                    let index = self.pool().int(at as i128, Type::INT32);
                    let mut place = place.clone();
                    place.path.push(Projection::Index(index));
                    all.push((at, place, cell.clone()));
                }
                all
            }
            Storage::Cells(places) => places
                .into_iter()
                .zip(cells.iter())
                .enumerate()
                .filter_map(|(at, (place, cell))| Some((at, place?, cell.clone())))
                .collect(),
            Storage::Literal(_) | Storage::Vague => Vec::new(),
        }
    }

    /// A variable of a function is there from here on.
    pub(super) fn begins(&mut self, object: usize) {
        if self.facts.mortal.contains(&object) {
            let alive = self.alive(object);
            let yes = self.pool().bool(true);
            self.assign(alive, yes);
        }
    }

    /// A variable of a function holds anything until it is set.
    pub(super) fn unset(&mut self, object: usize, span: Span) {
        self.wrote(object);
        let fact = format!("what `{}` holds before it is set", self.known(object).name);
        for (place, cell) in self.places(object) {
            let Some(ty) = cell.model() else {
                continue;
            };
            if let CType::Pointer(_) = cell {
                let unset = self.pointer(UNSET, 0);
                self.holds(object, &only(UNSET));
                self.assign(place, unset);
                continue;
            }
            let outside = self.outside(&fact, span, true);
            self.unrelated(outside);
            let sample = self.samples(&ty);
            self.choose(place, ValueSet::All(ty), Some(sample), &fact, outside);
        }
    }

    /// Sets the first values of a variable of a function.
    pub(super) fn initialise(&mut self, at: &Lvalue, initial: &Initializer, span: Span) {
        if let Initializer::Expression(node) = initial
            && !matches!(at.ty, CType::Array(..))
        {
            let value = self.rvalue(node);
            let value = self.decay(value);
            let value = self.convert(value, &at.ty, span);
            self.store(at, &value, span);
            return;
        }
        let mut items = Vec::new();
        if !self.items(&at.ty, 0, initial, &mut items) {
            self.sink("an initializer of a form that is not followed", span);
            return;
        }
        let cells = self.records.cells(&at.ty).unwrap_or_default();
        let set: Vec<usize> = items.iter().map(Item::offset).collect();
        for (offset, cell) in cells.into_iter().enumerate() {
            // Of a floating-point number nothing is known anyway.
            let kept = !matches!(cell, CType::Void | CType::Float(_));
            if kept && !set.contains(&offset) {
                let zero = self.zero(&cell);
                let part = self.part(at, offset, cell);
                self.store(&part, &zero, span);
            }
        }
        for item in items {
            let (offset, cell, value) = match item {
                Item::Byte(offset, byte) => {
                    let ty = CType::CHAR.model().expect("integers are followed");
                    let value = self.pool().int(i128::from(byte.cast_signed()), ty);
                    (offset, CType::CHAR, Rvalue::number(CType::CHAR, value))
                }
                Item::Value(offset, cell, node) => {
                    let value = self.rvalue(node);
                    let value = self.decay(value);
                    let value = self.convert(value, &cell, span);
                    (offset, cell, value)
                }
            };
            let part = self.part(at, offset, cell);
            self.store(&part, &value, span);
        }
    }

    pub(super) fn compound_literal(
        &mut self,
        literal: &CompoundLiteral,
        span: Span,
    ) -> Option<Lvalue> {
        let ty = self.type_name(&literal.type_name.node);
        let at = literal.type_name.span.start;
        let object = self.new_variable("(literal)", &ty, false, at, span)?;
        self.begins(object);
        let whole = self.whole(object);
        let mut items = Vec::new();
        let initial = &literal.initializer_list;
        if !self.list_items(&ty, 0, initial, &mut items) {
            self.sink("an initializer of a form that is not followed", span);
            return None;
        }
        let list = Initializer::List(initial.clone());
        self.initialise(&whole, &list, span);
        Some(whole)
    }

    /// The length of an array that its first value gives.
    fn initial_length(&mut self, element: &CType, initial: &Initializer) -> Option<u64> {
        if let Some(bytes) = text_of(element, initial) {
            return Some(bytes.len() as u64);
        }
        let Initializer::List(list) = initial else {
            return None;
        };
        let (mut next, mut length) = (0u64, 0);
        for item in list {
            if let [designator] = item.node.designation.as_slice() {
                let Designator::Index(index) = &designator.node else {
                    return None;
                };
                next = u64::try_from(self.constant_value(index)?).ok()?;
            }
            next += 1;
            length = length.max(next);
        }
        Some(length)
    }

    /// The values that an initializer gives to cells; whether its form is followed.
    fn items<'i>(
        &mut self,
        ty: &CType,
        base: usize,
        initial: &'i Initializer,
        out: &mut Vec<Item<'i>>,
    ) -> bool {
        match (ty, initial) {
            (CType::Array(element, Some(length)), _) => {
                if let Some(bytes) = text_of(element, initial) {
                    for (at, byte) in bytes.into_iter().enumerate().take(len(*length)) {
                        out.push(Item::Byte(base + at, byte));
                    }
                    return true;
                }
                match initial {
                    Initializer::List(list) => self.list_items(ty, base, list, out),
                    Initializer::Expression(_) => false,
                }
            }
            (CType::Record(_), Initializer::List(list)) => self.list_items(ty, base, list, out),
            (CType::Record(_) | CType::Array(..), _) => false,
            (_, Initializer::Expression(node)) => {
                out.push(Item::Value(base, ty.clone(), node));
                true
            }
            (_, Initializer::List(list)) => match list.as_slice() {
                [only] => self.items(ty, base, &only.node.initializer.node, out),
                _ => false,
            },
        }
    }

    /// The members of a structure or union that a list of first values has room for.
    fn named_fields(&self, id: usize) -> impl Iterator<Item = &Field> {
        let fields = self.records.0[id].fields.iter();
        fields.filter(|field| !field.is_padding())
    }

    fn list_items<'i>(
        &mut self,
        ty: &CType,
        base: usize,
        list: &'i [Node<InitializerListItem>],
        out: &mut Vec<Item<'i>>,
    ) -> bool {
        let fields: Vec<CType> = match ty {
            CType::Array(element, Some(length)) if len(*length) <= MAX_CELLS => {
                vec![(**element).clone(); len(*length)]
            }
            CType::Record(id) => {
                let fields = self.named_fields(*id);
                fields.map(|field| field.ty.clone()).collect()
            }
            _ => return false,
        };
        let union = matches!(ty, CType::Record(id) if self.records.0[*id].union);
        let gap = usize::from(union);
        let mut offsets = vec![base];
        for field in &fields {
            let Some(count) = self.records.count(field) else {
                return false;
            };
            offsets.push(offsets[offsets.len() - 1] + count + gap);
        }
        let mut next = 0;
        for item in list {
            match item.node.designation.as_slice() {
                [] => {}
                [designator] => {
                    let at = match (&designator.node, ty) {
                        (Designator::Index(index), CType::Array(..)) => self
                            .constant_value(index)
                            .and_then(|at| usize::try_from(at).ok()),
                        (Designator::Member(name), CType::Record(id)) => {
                            let name = Some(name.node.name.as_str());
                            let named = |field: &Field| field.name.as_deref() == name;
                            self.named_fields(*id).position(named)
                        }
                        _ => None,
                    };
                    match at {
                        Some(at) => next = at,
                        None => return false,
                    }
                }
                _ => return false,
            }
            // A list without designators is for the first member of a union.
            if union && next > 0 && item.node.designation.is_empty() {
                return false;
            }
            let Some(field) = fields.get(next) else {
                return false;
            };
            if !self.items(field, offsets[next], &item.node.initializer.node, out) {
                return false;
            }
            next += 1;
        }
        true
    }
}

/// A value that an initializer gives to a cell.
enum Item<'i> {
    /// A byte of a text.
    Byte(usize, u8),
    /// What an expression gives.
    Value(usize, CType, &'i Node<Expression>),
}

impl Item<'_> {
    fn offset(&self) -> usize {
        match self {
            Item::Byte(offset, _) | Item::Value(offset, ..) => *offset,
        }
    }
}

/// Whether what a declaration qualifies is behind a pointer.
fn is_behind_pointer(declarator: &Declarator) -> bool {
    let pointer = |derived: &Node<DerivedDeclarator>| {
        matches!(
            derived.node,
            DerivedDeclarator::Pointer(_) | DerivedDeclarator::Function(_)
        )
    };
    declarator.derived.iter().any(pointer)
        || matches!(&declarator.kind.node, DeclaratorKind::Declarator(inner) if is_behind_pointer(&inner.node))
}

fn len(length: u64) -> usize {
    usize::try_from(length).unwrap_or(usize::MAX)
}

/// The bytes of a text that sets an array of characters, with the zero at the end.
fn text_of(element: &CType, initial: &Initializer) -> Option<Vec<u8>> {
    if !matches!(element, CType::Int { bits: 8, .. }) {
        return None;
    }
    let node = match initial {
        Initializer::Expression(node) => node,
        Initializer::List(list) => match list.as_slice() {
            [only] => match &only.node.initializer.node {
                Initializer::Expression(node) => node,
                Initializer::List(_) => return None,
            },
            _ => return None,
        },
    };
    let Expression::StringLiteral(parts) = &node.node else {
        return None;
    };
    let mut bytes = super::constant::text(&parts.node)?;
    bytes.push(0);
    Some(bytes)
}
