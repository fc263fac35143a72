//! Calls that read the inventory, and those that take something out of it.
//!
//! Which of the items are there that the script or a property can name is kept by the environment
//! (see [`inventory`](super::inventory)); everything else in the inventory is a value from outside.

use std::collections::BTreeSet;

use model::{Binary, Choice, ExprId, Lifetime, Place, Stmt, Type as ModelType, ValueSet};

use super::code::Coder;
use super::effects;
use super::outside::NULL_KEY;
use crate::ast;
use crate::check::Resolution;
use crate::environment::sample;
use crate::facts;
use crate::library;
use crate::types::Type;

/// The type of an item that nobody has named the type of.
const INVENTORY_OBJECT: i32 = 6;

/// The inventory of an object holds fewer items than this.
const MOST_ITEMS: i32 = 1 << 20;

/// The types of items there are; -1 for none.
const KINDS: [i32; 13] = [-1, 0, 1, 3, 5, 6, 7, 10, 13, 20, 21, 56, 57];

impl Coder<'_> {
    pub(super) fn inventory_name(&mut self, id: ast::ExprId, args: &[ExprId]) -> ExprId {
        let nothing = self.build.text("");
        let constant = |expr: ExprId, coder: &Self| match coder.build.program.exprs.constant(expr) {
            Some(model::Value::Int(n)) => i32::try_from(*n).ok(),
            _ => None,
        };
        let numbered = match (constant(args[0], self), constant(args[1], self)) {
            (Some(kind), Some(index)) => self.build.world.numbered_items.get(&(kind, index)),
            _ => None,
        };
        if let Some(items) = numbered.cloned() {
            return self.numbered(id, &items);
        }
        if !self.temporaries.allowed() {
            self.complain(id, "which item this is cannot be told");
            return nothing;
        }
        // Any item that is there, or another one, or none.
        let class = self.build.flow.of_expr(id);
        let others = self.build.range(class, "the name of another item");
        let mut members = vec![ValueSet::One(nothing)];
        members.extend(others.into_iter().map(ValueSet::One));
        for index in 0..self.build.world.items.len() {
            let item = self.build.world.items[index].clone();
            let present = self.build.read(item.present);
            members.push(ValueSet::Ite(
                present,
                Box::new(ValueSet::One(item.name)),
                Box::new(ValueSet::One(nothing)),
            ));
        }
        let place = self.temporary(&ModelType::Rich);
        self.emit(Stmt::Choose(Choice {
            place: place.clone(),
            set: ValueSet::Union(members),
            sample: None,
            what: "which item".to_owned(),
            outside: None,
        }));
        self.build.program.exprs.load(place, ModelType::Rich)
    }

    /// The name of an item by number: one of those that may stand there, or one of those that
    /// the script can compare it with.
    fn numbered(&mut self, id: ast::ExprId, items: &[usize]) -> ExprId {
        let nothing = self.build.text("");
        let items: Vec<_> = items
            .iter()
            .map(|&item| self.build.world.items[item].clone())
            .collect();
        let mut found = nothing;
        for item in items.iter().rev() {
            let present = self.build.read(item.present);
            found = self.build.choose_by(present, item.name, found);
        }
        let class = self.build.flow.of_expr(id);
        let literals: Vec<String> = match class.map(|class| self.build.flow.get(class)) {
            Some(class) if class.asked => class.literals.iter().cloned().collect(),
            _ => Vec::new(),
        };
        let literals: Vec<String> = literals
            .into_iter()
            .filter(|text| !text.is_empty() && text != NULL_KEY)
            .collect();
        if items.len() == 1 && literals.is_empty() || !self.temporaries.allowed() {
            return found;
        }
        // Any of those that are there.
        let mut members = vec![ValueSet::One(found)];
        let mut offer = |coder: &mut Self, name, present| {
            let present = coder.build.read(present);
            members.push(ValueSet::Ite(
                present,
                Box::new(ValueSet::One(name)),
                Box::new(ValueSet::One(found)),
            ));
        };
        for item in items.iter().skip(1) {
            offer(self, item.name, item.present);
        }
        let mut free = Vec::new();
        for text in &literals {
            let name = self.build.text(text);
            let known = self.build.world.items.iter().find(|item| item.name == name);
            match known.map(|item| item.present) {
                Some(present) => offer(self, name, present),
                None => free.push(ValueSet::One(name)),
            }
        }
        members.extend(free);
        let what = "the name of an item";
        let span = self.input.checked.ast.expr(id).span;
        let outside = self.build.outside(what, span, Lifetime::Reading, true);
        let place = self.temporary(&ModelType::Rich);
        self.emit(Stmt::Choose(Choice {
            place: place.clone(),
            set: ValueSet::Union(members),
            sample: None,
            what: what.to_owned(),
            outside: Some(outside),
        }));
        self.build.program.exprs.load(place, ModelType::Rich)
    }

    /// The type of the item of a name. Of an item that is not kept it is not known whether it is
    /// there, and of one that is named only, of which type it is.
    pub(super) fn inventory_type(&mut self, id: ast::ExprId, name: ExprId) -> ExprId {
        let span = self.input.checked.ast.expr(id).span;
        let items = self.build.world.items.clone();
        let none = self.build.int(-1);
        let empty = self.build.text("");
        let mut known = self.same_name(id, name, empty);
        let mut found = none;
        let mut kind_of_named = None;
        for item in items {
            let kind = match item.kind {
                Some(kind) => self.build.int(kind),
                None => *kind_of_named.get_or_insert_with(|| self.some_kind(span)),
            };
            let present = self.build.read(item.present);
            let of_item = self.build.choose_by(present, kind, none);
            let this = self.same_name(id, name, item.name);
            found = self.build.choose_by(this, of_item, found);
            known = self.build.or(known, this);
        }
        if let Some(model::Value::Bool(true)) = self.build.program.exprs.constant(known) {
            return found;
        }
        let what = "the type of an item";
        if !self.temporaries.allowed() {
            let guess = self.build.guess(what.to_owned(), span, known, -1, 57);
            return self.build.choose_by(known, found, guess);
        }
        let known = self.save(known);
        let outside = self.build.outside(what, span, Lifetime::Reading, false);
        let place = self.temporary(&ModelType::INT32);
        let members = KINDS.iter().map(|&kind| self.build.int(kind)).collect();
        let choice = self.build.chosen(place.clone(), what, members, outside);
        let target = place.clone();
        self.straight_if(
            known,
            |coder| coder.emit(Stmt::Assign(target, found)),
            |coder| coder.emit(Stmt::Choose(choice)),
        );
        self.build.program.exprs.load(place, ModelType::INT32)
    }

    /// The type of an item that is only named: one of those that the script asks for.
    fn some_kind(&mut self, span: source::Span) -> ExprId {
        // What there is, as far as the script names it, by a constant or by its number.
        let survey = self.input.survey;
        let kinds: BTreeSet<i32> = facts::constants()
            .iter()
            .filter(|constant| constant.name.starts_with("INVENTORY_"))
            .filter_map(|constant| match constant.value {
                facts::Value::Integer(kind)
                    if kind >= 0
                        && (survey.constants.contains(constant.name)
                            || survey.integers.contains(&kind)) =>
                {
                    Some(kind)
                }
                _ => None,
            })
            .collect();
        if kinds.is_empty()
            || kinds == BTreeSet::from([INVENTORY_OBJECT])
            || !self.temporaries.allowed()
        {
            return self.build.int(INVENTORY_OBJECT);
        }
        let what = "the type of an item";
        let outside = self.build.outside(what, span, Lifetime::Reading, true);
        let place = self.temporary(&ModelType::INT32);
        let mut members: Vec<ExprId> = kinds.iter().map(|&kind| self.build.int(kind)).collect();
        if !kinds.contains(&INVENTORY_OBJECT) {
            members.push(self.build.int(INVENTORY_OBJECT));
        }
        let choice = self.build.chosen(place.clone(), what, members, outside);
        self.emit(Stmt::Choose(choice));
        self.build.program.exprs.load(place, ModelType::INT32)
    }

    /// Whether a name is that of an item.
    pub(super) fn same_name(&mut self, id: ast::ExprId, name: ExprId, item: ExprId) -> ExprId {
        let checked = self.input.checked;
        let position = match checked.exprs.resolution(id) {
            Some(Resolution::Library(function)) => effects::ITEM_ARGUMENTS
                .iter()
                .find(|(name, _)| *name == function.name)
                .map_or(0, |(_, position)| *position),
            _ => 0,
        };
        let argument = match &checked.ast.expr(id).kind {
            ast::ExprKind::Call { arguments, .. } => arguments.get(position).copied(),
            _ => None,
        };
        self.about(argument.as_slice());
        self.same_text(name, item)
    }

    /// Whether two texts are the same, of which the subject at hand is one.
    pub(super) fn same_text(&mut self, one: ExprId, other: ExprId) -> ExprId {
        match library::binary("==", Type::String, Type::String) {
            Some(entry) if !self.is_plain() => {
                let same = self.operation(entry, &[one, other], &[Type::String; 2]);
                self.build.as_bool(same)
            }
            _ => self.build.equal(one, other),
        }
    }

    /// How many of the items that can be named are there. `None` if that says nothing.
    pub(super) fn inventory_number(&mut self, kind: ExprId) -> Option<ExprId> {
        let items = self.build.world.items.clone();
        if items.is_empty() {
            return None;
        }
        let mut sum = self.build.int(0);
        for item in items {
            let own = self.build.int(item.kind.unwrap_or(INVENTORY_OBJECT));
            let every = self.build.int(-1);
            let same = self.build.equal(kind, own);
            let all = self.build.equal(kind, every);
            let wanted = self.build.or(same, all);
            let present = self.build.read(item.present);
            let counts = self.build.and(wanted, present);
            let one = self.build.as_int(counts);
            sum = self.build.arithmetic(Binary::Add, sum, one);
        }
        if !self.temporaries.allowed() {
            return Some(sum);
        }
        // There may be others; how many of which type is not kept.
        let what = "whether there are other items";
        let span = self.subject_span();
        let outside = self.build.outside(what, span, Lifetime::Reading, true);
        let (no, yes) = (self.build.bool(false), self.build.bool(true));
        let place = self.temporary(&ModelType::Bool);
        let choice = self
            .build
            .chosen(place.clone(), what, vec![no, yes], outside);
        self.emit(Stmt::Choose(choice));
        let others = self.build.program.exprs.load(place, ModelType::Bool);
        let what = "how many other items there are";
        let place = self.temporary(&ModelType::INT32);
        let mut choice = sample::integer_choice(
            self.build,
            self.input.survey,
            place.clone(),
            what,
            1,
            MOST_ITEMS,
        );
        choice.outside = Some(self.build.outside(what, span, Lifetime::Reading, false));
        let none = self.build.int(0);
        let target = place.clone();
        self.straight_if(
            others,
            |coder| coder.emit(Stmt::Choose(choice)),
            |coder| coder.emit(Stmt::Assign(target, none)),
        );
        let count = self.build.program.exprs.load(place, ModelType::INT32);
        Some(self.build.arithmetic(Binary::Add, sum, count))
    }

    /// An item leaves the inventory: for certain, or only if it cannot be copied.
    pub(super) fn take_item(&mut self, id: ast::ExprId, name: ExprId, perhaps: bool) {
        if !self.inventory_matters() {
            return;
        }
        for index in 0..self.build.world.items.len() {
            let item = self.build.world.items[index].clone();
            let this = self.same_name(id, name, item.name);
            let present = self.build.read(item.present);
            let there = self.build.and(this, present);
            let gone = self.build.bool(false);
            self.straight_if(
                there,
                |coder| {
                    let place = Place::global(item.present);
                    if perhaps {
                        coder.emit(Stmt::Choose(super::Build::one_of(
                            place,
                            "whether the item can be copied",
                            vec![present, gone],
                        )));
                    } else {
                        coder.emit(Stmt::Assign(place, gone));
                    }
                },
                |_| {},
            );
        }
    }
}
