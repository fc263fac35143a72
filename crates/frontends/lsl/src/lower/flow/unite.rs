//! The look over the script that puts what can meet into classes.

use std::collections::HashSet;

use super::text::{folded, is_written, reaches_all};
use super::{Flow, Holder, holds_text};
use crate::ast::{BinaryOp, ExprId, ExprKind, FunctionId, StmtId, StmtKind, UnaryOp};
use crate::check::{Checked, Resolution};
use crate::facts::{self, Class, Effect};
use crate::library;
use crate::lower::{Input, effects, for_each_operand, for_each_part, outside};
use crate::types::Type;
use crate::watch::{Fact, Notecard};

/// The key that belongs to nobody.
const NULL_KEY: &str = "00000000-0000-0000-0000-000000000000";

struct Look<'a> {
    input: Input<'a>,
    checked: &'a Checked,
    flow: Flow,
    /// The handler or function of each expression: handlers first. Properties have none.
    units: Vec<Option<usize>>,
    /// The class of each expression so far.
    values: Vec<Option<usize>>,
    /// Expressions in loops.
    looped: HashSet<ExprId>,
    /// Local variables that are assigned to, by unit.
    overwritten: HashSet<(usize, usize)>,
}

pub(super) fn unite(input: Input<'_>) -> Flow {
    let checked = input.checked;
    let count = checked.ast.expr_count();
    let mut look = Look {
        input,
        checked,
        flow: Flow::default(),
        units: vec![None; count],
        values: vec![None; count],
        looped: HashSet::new(),
        overwritten: HashSet::new(),
    };
    look.find_units();
    look.find_shown();
    for index in 0..count {
        let id = ExprId::new(index);
        if let Some(value) = look.value(id) {
            look.values[index] = Some(value);
            let own = look.flow.number(Holder::Expr(id));
            look.flow.unite(own, value);
        }
    }
    look.statements();
    look.variables();
    look.events();
    look.items();
    look.notecards();
    look.flow
}

impl Look<'_> {
    fn bodies(&self) -> Vec<(StmtId, Option<FunctionId>)> {
        let ast = &self.checked.ast;
        let handlers = ast.handler_ids().map(|id| (ast.handler(id).body, None));
        let functions = ast
            .function_ids()
            .map(|id| (ast.function(id).body, Some(id)));
        handlers.chain(functions).collect()
    }

    /// The number of a function among handlers and functions.
    fn unit_of(&self, function: FunctionId) -> usize {
        self.checked.ast.handlers.len() + function.index()
    }

    /// Says of each expression where it stands, and whether in a loop. A function may be called in
    /// one, or call itself: what it reads counts as in a loop, unless it is called once.
    fn find_units(&mut self) {
        let ast = &self.checked.ast;
        let mut calls = vec![0_usize; ast.functions.len()];
        for (unit, (body, function)) in self.bodies().into_iter().enumerate() {
            let mut stmts = vec![(body, false)];
            let mut exprs = Vec::new();
            while let Some((id, looped)) = stmts.pop() {
                let kind = &ast.stmt(id).kind;
                let inside = looped
                    || matches!(
                        kind,
                        StmtKind::While { .. }
                            | StmtKind::DoWhile { .. }
                            | StmtKind::For { .. }
                            | StmtKind::Label(_)
                    );
                for_each_part(
                    kind,
                    |expr| exprs.push((expr, inside)),
                    |stmt| stmts.push((stmt, inside)),
                );
            }
            while let Some((id, looped)) = exprs.pop() {
                self.units[id.index()] = Some(unit);
                if let ExprKind::Assign { place, .. } = ast.expr(id).kind
                    && let Some(Resolution::Local(local)) = self.checked.exprs.resolution(place)
                {
                    self.overwritten.insert((unit, local.index()));
                }
                if looped {
                    self.looped.insert(id);
                }
                for_each_operand(ast, id, |operand| exprs.push((operand, looped)));
                if let Some(Resolution::Function(callee)) = self.checked.exprs.resolution(id) {
                    let own = function == Some(callee);
                    calls[callee.index()] += if looped || own || function.is_some() {
                        2
                    } else {
                        1
                    };
                }
            }
        }
        let first = ast.handlers.len();
        for index in 0..self.units.len() {
            if let Some(unit) = self.units[index]
                && unit >= first
                && calls[unit - first] > 1
            {
                self.looped.insert(ExprId::new(index));
            }
        }
    }

    /// Texts that are only shown to somebody: arguments of calls that keep nothing of them.
    fn find_shown(&mut self) {
        let ast = &self.checked.ast;
        for id in (0..ast.expr_count()).map(ExprId::new) {
            let ExprKind::Call { arguments, .. } = &ast.expr(id).kind else {
                continue;
            };
            let Some(Resolution::Library(function)) = self.checked.exprs.resolution(id) else {
                continue;
            };
            if self.input.watch.calls.contains(function.name) || !is_told_only(function.name) {
                continue;
            }
            let mut pending = arguments.to_vec();
            while let Some(id) = pending.pop() {
                self.flow.shown.insert(id);
                match &ast.expr(id).kind {
                    ExprKind::Binary { left, right, .. } => pending.extend([*left, *right]),
                    ExprKind::Parenthesized(inner) | ExprKind::Cast { operand: inner, .. } => {
                        pending.push(*inner);
                    }
                    ExprKind::List(elements) => pending.extend(elements.iter()),
                    _ => {}
                }
            }
        }
    }

    fn is_text(&self, id: ExprId) -> bool {
        self.checked.exprs.ty(id).value().is_some_and(holds_text)
    }

    fn of(&self, id: ExprId) -> Option<usize> {
        self.values[id.index()]
    }

    fn fresh(&mut self, id: ExprId) -> usize {
        self.flow.number(Holder::Expr(id))
    }

    /// The class of an expression's value, operands before it.
    fn value(&mut self, id: ExprId) -> Option<usize> {
        let kind = self.checked.ast.expr(id).kind.clone();
        if self.is_text(id)
            && let Some(text) = folded(self.checked, id)
        {
            return Some(self.written(id, text));
        }
        match &kind {
            ExprKind::Name(_) => self.name(id),
            ExprKind::Parenthesized(inner) => self.of(*inner),
            ExprKind::Undecided { ty, .. } if holds_text(*ty) => {
                let value = self.fresh(id);
                let class = self.flow.class_mut(value);
                (class.strange, class.computed, class.narrowed) = (true, true, true);
                Some(value)
            }
            ExprKind::Cast { to, operand } => {
                let value = self.of(*operand);
                if !holds_text(*to) {
                    // `(integer)` and `(float)` reach every number; the others do not.
                    if let Some(value) = value {
                        let class = self.flow.class_mut(value);
                        class.asked = true;
                        class.narrowed |= !matches!(to, Type::Integer | Type::Float);
                    }
                    return None;
                }
                if let Some(value) = value {
                    let from = self.checked.exprs.ty(*operand).value();
                    if from == Some(Type::List) && to.is_text() {
                        let class = self.flow.class_mut(value);
                        (class.computed, class.narrowed) = (true, true);
                    }
                    return Some(value);
                }
                let value = self.fresh(id);
                let class = self.flow.class_mut(value);
                class.computed = true;
                // Not every text is what a float looks like.
                class.narrowed |= self.checked.exprs.ty(*operand).value() != Some(Type::Integer);
                Some(value)
            }
            ExprKind::Unary {
                op: UnaryOp::Not,
                operand,
            } => {
                self.truth(*operand);
                None
            }
            ExprKind::Binary {
                op, left, right, ..
            } => self.binary(id, *op, *left, *right),
            ExprKind::Assign { op, place, value } => {
                let (place, value) = (self.of(*place)?, self.of(*value)?);
                if op.is_some() {
                    let class = self.flow.class_mut(place);
                    (class.computed, class.narrowed) = (true, true);
                }
                self.flow.unite(place, value);
                Some(place)
            }
            ExprKind::List(elements) => {
                let list = self.fresh(id);
                for &element in elements {
                    if let Some(value) = self.of(element) {
                        self.flow.unite(list, value);
                    }
                }
                Some(list)
            }
            ExprKind::Call { arguments, .. } => self.call(id, arguments),
            _ => None,
        }
    }

    /// A text that the script writes.
    fn written(&mut self, id: ExprId, text: String) -> usize {
        if library::is_identity(&text) {
            self.flow.uuids.insert(text.clone());
        }
        let value = self.fresh(id);
        self.flow.class_mut(value).literals.insert(text);
        value
    }

    fn name(&mut self, id: ExprId) -> Option<usize> {
        if !self.is_text(id) {
            return None;
        }
        let holder = match self.checked.exprs.resolution(id)? {
            Resolution::Global(global) => Holder::Global(global),
            Resolution::Local(local) => Holder::Local(self.units[id.index()]?, local.index()),
            Resolution::Extra(_) => {
                Holder::Extra(self.checked.exprs.ty(id).value() == Some(Type::Key))
            }
            _ => return None,
        };
        Some(self.flow.number(holder))
    }

    /// A condition: the empty text, and nobody's key, are false.
    fn truth(&mut self, id: ExprId) {
        if let Some(value) = self.of(id)
            && let Some(ty) = self.checked.exprs.ty(id).value()
            && ty.is_text()
        {
            let class = self.flow.class_mut(value);
            class.asked = true;
            class.literals.insert(String::new());
            if ty == Type::Key {
                class.literals.insert(NULL_KEY.to_owned());
            }
        }
    }

    /// Whether an expression is what an event brings, or a list of such: a parameter of a handler.
    fn is_brought(&self, id: ExprId) -> bool {
        let ast = &self.checked.ast;
        match &ast.expr(id).kind {
            ExprKind::Name(_) => match self.checked.exprs.resolution(id) {
                Some(Resolution::Local(local)) => self.units[id.index()].is_some_and(|unit| {
                    let handler = ast.handlers.get(unit);
                    handler.is_some_and(|handler| local.index() < handler.parameters.len())
                        && !self.overwritten.contains(&(unit, local.index()))
                }),
                _ => false,
            },
            ExprKind::Parenthesized(inner) | ExprKind::Cast { operand: inner, .. } => {
                self.is_brought(*inner)
            }
            ExprKind::List(parts) => parts.iter().all(|&part| self.is_brought(part)),
            _ => false,
        }
    }

    fn binary(&mut self, id: ExprId, op: BinaryOp, left: ExprId, right: ExprId) -> Option<usize> {
        if matches!(op, BinaryOp::And | BinaryOp::Or) {
            self.truth(left);
            self.truth(right);
            return None;
        }
        let sides = [left, right];
        let written = sides.map(|side| is_written(self.checked, side));
        match op {
            BinaryOp::Equal | BinaryOp::NotEqual => {
                let (a, b) = (self.of(left)?, self.of(right)?);
                self.flow.unite(a, b);
                self.flow.class_mut(a).asked = true;
                if !written[0]
                    && !written[1]
                    && self.checked.exprs.ty(left).value() != Some(Type::List)
                {
                    let brought = sides.iter().any(|&side| self.is_brought(side));
                    let class = self.flow.class_mut(a);
                    class.pairs = true;
                    class.kept_pairs |= !brought;
                }
                None
            }
            BinaryOp::Add if self.is_text(id) => {
                let sum = self.fresh(id);
                let is_list = self.checked.exprs.ty(id).value() == Some(Type::List);
                if !is_list {
                    let class = self.flow.class_mut(sum);
                    (class.computed, class.narrowed) = (true, true);
                }
                let shown = self.flow.shown.contains(&id);
                for (side, written) in sides.into_iter().zip(written) {
                    if let Some(value) = self.of(side)
                        && !shown
                        && (is_list || !written)
                    {
                        self.flow.unite(sum, value);
                    }
                }
                Some(sum)
            }
            _ => None,
        }
    }

    fn call(&mut self, id: ExprId, arguments: &[ExprId]) -> Option<usize> {
        match self.checked.exprs.resolution(id)? {
            Resolution::Function(function) => {
                let unit = self.unit_of(function);
                for (index, &argument) in arguments.iter().enumerate() {
                    if let Some(value) = self.of(argument) {
                        let parameter = self.flow.number(Holder::Local(unit, index));
                        self.flow.unite(parameter, value);
                    }
                }
                let name = self.checked.ast.function(function).name;
                self.watched(self.checked.ast.name_text(name), arguments);
                self.is_text(id)
                    .then(|| self.flow.number(Holder::Result(function)))
            }
            Resolution::Library(function) => self.library(id, function, arguments),
            // `old(x)`.
            Resolution::Extra(_) => arguments.first().and_then(|&argument| self.of(argument)),
            _ => None,
        }
    }

    /// Properties see the arguments of calls that they speak of.
    fn watched(&mut self, name: &str, arguments: &[ExprId]) {
        if !self.input.watch.calls.contains(name) {
            return;
        }
        for &argument in arguments {
            if let Some(value) = self.of(argument) {
                for is_key in [true, false] {
                    let extra = self.flow.number(Holder::Extra(is_key));
                    let wanted = match self.checked.exprs.used_as(argument) {
                        Type::Key => is_key,
                        _ => !is_key,
                    };
                    if wanted {
                        self.flow.unite(extra, value);
                    }
                }
            }
        }
    }

    fn library(
        &mut self,
        id: ExprId,
        function: &'static facts::Function,
        arguments: &[ExprId],
    ) -> Option<usize> {
        self.watched(function.name, arguments);
        let gives = self.is_text(id);
        if library::pure(function.name).is_some() {
            let mut all = gives.then(|| self.fresh(id));
            let (mut open, mut kept) = (0, 0);
            for &argument in arguments {
                let Some(value) = self.of(argument) else {
                    continue;
                };
                let is_open = !is_written(self.checked, argument);
                open += usize::from(is_open);
                kept += usize::from(is_open && !self.is_brought(argument));
                match all {
                    Some(all) => self.flow.unite(all, value),
                    None => all = Some(value),
                }
            }
            if let Some(all) = all {
                let class = self.flow.class_mut(all);
                class.asked = true;
                class.computed |= gives;
                class.pairs |= open > 1;
                class.kept_pairs |= kept > 1;
                class.narrowed |= !reaches_all(function.name);
            }
            return all.filter(|_| gives);
        }
        let role = facts::role(function.name)?;
        for effect in role.effects() {
            let (fact, argument) = match *effect {
                Effect::Sets(fact, argument) => (fact, argument),
                Effect::Writes(fact) => (fact, 1),
                _ => continue,
            };
            if let Some(value) = arguments.get(argument).and_then(|&a| self.of(a)) {
                let fact = self.flow.number(Holder::Fact(fact));
                self.flow.unite(fact, value);
            }
        }
        if function.name == "llRequestPermissions"
            && let Some(value) = self.of(arguments[0])
        {
            let granter = self.flow.number(Holder::Fact("who granted permissions"));
            self.flow.unite(granter, value);
        }
        if function.name == "llListen" {
            // What is listened for is what is heard.
            for (argument, parameter) in [(1, 1), (2, 2), (3, 3)] {
                if let Some(value) = self.of(arguments[argument]) {
                    let heard = self.flow.number(Holder::Parameter("listen", parameter));
                    self.flow.unite(heard, value);
                    self.flow.class_mut(heard).asked = true;
                    if !is_written(self.checked, arguments[argument]) {
                        self.flow.class_mut(heard).pairs = true;
                    }
                }
            }
        }
        if matches!(function.name, "llGetInventoryType" | "llGetInventoryKey")
            && !is_written(self.checked, arguments[0])
            && let Some(name) = self.of(arguments[0])
        {
            // Items are looked up by name.
            let names = self.flow.number(Holder::Fact("inventory names"));
            self.flow.unite(names, name);
            let class = self.flow.class_mut(names);
            (class.asked, class.pairs) = (true, true);
        }
        if !gives {
            return None;
        }
        let holder = match (&role.class, role.answer()) {
            (_, Some(event)) => Holder::Requests(event),
            (Class::Reads { fact, .. }, _) => Holder::Fact(fact),
            _ => Holder::Fact(function.name),
        };
        let value = self.flow.number(holder);
        if function.name == "llGetOwnerKey"
            && let Some(key) = self.of(arguments[0])
        {
            // Of what is no object, it is the key itself.
            self.flow.unite(value, key);
        }
        let looped = self.looped.contains(&id);
        let shown = self.flow.shown.contains(&id);
        let class = self.flow.class_mut(value);
        class.somebody |= role.gives_somebody();
        class.made |= role.answer().is_some() || function.name == "llGenerateKey";
        class.own |= role.answer().is_some()
            || matches!(
                function.name,
                "llGenerateKey" | "llGetInventoryName" | "llGetKey" | "llGetCreator"
            );
        class.strange |= !role.gives_somebody() && role.answer().is_none();
        if !shown {
            class.readings += 1;
            class.endless |= looped;
        }
        if matches!(function.name, "llListRandomize") {
            (class.computed, class.narrowed) = (true, true);
            if let Some(list) = arguments.first().and_then(|&a| self.of(a)) {
                self.flow.unite(value, list);
            }
        }
        if is_made_of_a_key(function.name) {
            // A name belongs to somebody; whether it is a given text is not kept.
            self.flow.class_mut(value).computed = true;
        }
        Some(value)
    }

    fn statements(&mut self) {
        let ast = &self.checked.ast;
        for (unit, (body, function)) in self.bodies().into_iter().enumerate() {
            let mut stmts = vec![body];
            while let Some(id) = stmts.pop() {
                let kind = ast.stmt(id).kind.clone();
                for_each_part(&kind, |_| {}, |stmt| stmts.push(stmt));
                match &kind {
                    StmtKind::Declare {
                        value: Some(value), ..
                    } => {
                        if let (Some(local), Some(value)) =
                            (self.checked.declared(id), self.of(*value))
                        {
                            let local = self.flow.number(Holder::Local(unit, local.index()));
                            self.flow.unite(local, value);
                        }
                    }
                    StmtKind::Return(Some(value)) => {
                        if let (Some(function), Some(value)) = (function, self.of(*value)) {
                            let result = self.flow.number(Holder::Result(function));
                            self.flow.unite(result, value);
                        }
                    }
                    StmtKind::If { arms, .. } => {
                        for &(condition, _) in arms {
                            self.truth(condition);
                        }
                    }
                    StmtKind::While { condition, .. }
                    | StmtKind::DoWhile { condition, .. }
                    | StmtKind::For { condition, .. } => self.truth(*condition),
                    _ => {}
                }
            }
        }
    }

    /// First values, and what variables can keep.
    fn variables(&mut self) {
        let ast = &self.checked.ast;
        for id in ast.global_ids() {
            let global = ast.global(id);
            if !holds_text(global.ty) {
                continue;
            }
            let number = self.flow.number(Holder::Global(id));
            if let Some(value) = global.value.and_then(|value| self.of(value)) {
                self.flow.unite(number, value);
            }
            let class = self.flow.class_mut(number);
            if global.value.is_none() && global.ty.is_text() {
                class.literals.insert(String::new());
            }
            class.kept += 1;
            class.endless |= global.ty == Type::List;
            if self.input.watch.changes.contains(&id) {
                // Properties may compare a value with the one before.
                let class = self.flow.class_mut(number);
                class.kept += 1;
                (class.asked, class.pairs, class.kept_pairs) = (true, true, true);
            }
        }
        self.flow.ghosts = self.input.watch.ghost_keys > 0;
        for is_key in [true, false] {
            let extra = self.flow.number(Holder::Extra(is_key));
            self.flow.class_mut(extra).kept += self.input.watch.ghost_keys;
            self.flow.class_mut(extra).literals.insert(String::new());
            self.flow.class_mut(extra).somebody |= is_key;
        }
    }

    /// Items are looked up by name: what a call names one by is compared with the names that the
    /// script and its properties write.
    fn items(&mut self) {
        let ast = &self.checked.ast;
        let watch = self.input.watch;
        if !self.input.survey.calls_any(effects::INVENTORY_READERS)
            && !watch.facts.contains(&Fact::Inventory)
        {
            return;
        }
        let mut written: Vec<String> = watch.items.iter().cloned().collect();
        let mut computed = Vec::new();
        for id in (0..ast.expr_count()).map(ExprId::new) {
            let ExprKind::Call { arguments, .. } = &ast.expr(id).kind else {
                continue;
            };
            let Some(Resolution::Library(function)) = self.checked.exprs.resolution(id) else {
                continue;
            };
            for &(name, position) in effects::ITEM_ARGUMENTS {
                if name != function.name {
                    continue;
                }
                match folded(self.checked, arguments[position]) {
                    Some(text) => written.push(text),
                    None => computed.extend(self.of(arguments[position])),
                }
            }
        }
        let names = self.flow.number(Holder::Fact("inventory names"));
        let numbered = |flow: &Flow, value: usize| flow.root(value) == flow.root(names);
        let elsewhere = computed.iter().any(|&value| !numbered(&self.flow, value));
        if computed.is_empty() || written.is_empty() && !elsewhere {
            return;
        }
        for value in computed {
            self.flow.unite(names, value);
        }
        let class = self.flow.class_mut(names);
        class.literals.extend(written);
        (class.asked, class.pairs) = (true, true);
    }

    /// Parameters of events: the world's values.
    fn events(&mut self) {
        let ast = &self.checked.ast;
        for (unit, handler) in ast.handler_ids().enumerate() {
            let Some(event) = self.checked.event(handler) else {
                continue;
            };
            for (index, parameter) in event.parameters.iter().enumerate() {
                if !holds_text(parameter.ty) {
                    continue;
                }
                let holder = match (event.name, index) {
                    ("dataserver" | "http_response" | "http_request" | "transaction_result", 0) => {
                        Holder::Requests(event.name)
                    }
                    _ => Holder::Parameter(event.name, index),
                };
                let value = self.flow.number(holder);
                let local = self.flow.number(Holder::Local(unit, index));
                self.flow.unite(value, local);
                if self.input.watch.during.contains(event.name) {
                    let extra = self.flow.number(Holder::Extra(parameter.ty == Type::Key));
                    self.flow.unite(value, extra);
                }
                let class = self.flow.class_mut(value);
                if (event.name, index) == ("dataserver", 1) {
                    class
                        .literals
                        .extend(Notecard::texts(&self.input.bounds.notecards));
                }
                class.readings += 1;
                if holder != Holder::Requests(event.name) {
                    class.somebody |= parameter.ty == Type::Key;
                    class.strange |= parameter.ty != Type::Key || outside::is_any_text(event.name);
                }
                if (event.name, index) == ("listen", 1) {
                    // The name of whoever speaks.
                    class.computed = true;
                }
            }
        }
    }
}

impl Look<'_> {
    /// The names of notecards that are known are among the names of items.
    fn notecards(&mut self) {
        let names = self
            .input
            .bounds
            .notecards
            .iter()
            .map(|card| card.name.clone());
        let names: Vec<String> = names.collect();
        if !names.is_empty() {
            let items = self.flow.number(Holder::Fact("inventory names"));
            self.flow.class_mut(items).literals.extend(names);
        }
    }
}

/// Whether what a function gives is made of a key: the name of somebody.
fn is_made_of_a_key(function: &str) -> bool {
    matches!(
        function,
        "llKey2Name" | "llDetectedName" | "llGetUsername" | "llGetDisplayName"
    )
}

/// Whether a call keeps nothing of its texts that a script could ask for.
fn is_told_only(function: &str) -> bool {
    facts::role(function).is_some_and(|role| {
        let keeps = |effect: &Effect| {
            matches!(
                effect,
                Effect::Sets(..) | Effect::Writes(_) | Effect::Rule("listen")
            )
        };
        match &role.class {
            Class::Nothing => true,
            Class::Causes(effects) => !effects.iter().any(keeps),
            _ => false,
        }
    })
}
