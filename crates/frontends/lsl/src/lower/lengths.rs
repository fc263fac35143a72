//! The lengths of lists, each in a variable of its own.
//!
//! Many scripts ask how long a list is, and few of their verdicts depend on what is in it. So
//! wherever a length is asked for, it is put together from the lengths of the lists that it is made
//! of, and each variable whose length is so asked for gets a companion that holds it: whatever
//! stores a list there stores its length beside it. Engines that know nothing of lists then follow
//! lengths as numbers, and the others need not remember the lists where nobody reads them.
//!
//! A companion is -1 where not even the length is known.

use std::collections::{HashMap, HashSet};

use model::{
    Binary, Expr, ExprId, GlobalId, Place, Program, Root, Stmt, Type as ModelType, Value, ValueSet,
    Variable, VariableKind,
};
use source::Span;

use super::Lowered;
use super::build::Build;
use crate::library::{self, Asked, Length, STACK_HEAP};

/// The type of companions: wide enough for -1 and the longest list.
const COMPANION: ModelType = ModelType::Int {
    bits: 14,
    signed: true,
};

/// More elements than this do not fit into the memory of a script, whatever they are.
const MOST_ELEMENTS: i32 = 4096;

impl Build {
    /// The answer to a question about the lengths of lists. Where [`Build::length_is_known`] does not
    /// hold, it means nothing.
    pub(super) fn answer_about_lengths(&mut self, asked: Asked, lists: &[ExprId]) -> ExprId {
        let (first, sure) = self.length(lists[0]);
        let zero = self.int(0);
        match asked {
            Asked::Length if sure => first,
            Asked::Length => {
                let unknown = self.is_less(first, zero);
                self.choose_by(unknown, zero, first)
            }
            Asked::Truth => {
                let truth = self.is_less(zero, first);
                self.as_int(truth)
            }
            Asked::Equal => {
                let (second, _) = self.length(lists[1]);
                let equal = self.equal(first, second);
                self.as_int(equal)
            }
            Asked::Difference => {
                let (second, _) = self.length(lists[1]);
                self.arithmetic(Binary::Sub, first, second)
            }
        }
    }

    /// Whether the lengths of lists are known.
    pub(super) fn lengths_are_known(&mut self, lists: &[ExprId]) -> ExprId {
        let mut all = self.bool(true);
        for &list in lists {
            let (length, sure) = self.length(list);
            if !sure {
                let zero = self.int(0);
                let unknown = self.is_less(length, zero);
                let known = self.not(unknown);
                all = self.and(all, known);
            }
        }
        all
    }

    /// The length of a list, -1 if it is not known, and whether it is sure to be known.
    fn length(&mut self, list: ExprId) -> (ExprId, bool) {
        let mut needed = Vec::new();
        let mut open = vec![list];
        while let Some(id) = open.pop() {
            if !self.lengths.known.contains_key(&id) {
                needed.push(id);
                open.extend(self.parts(id));
            }
        }
        // Operands have smaller numbers than what they are operands of.
        needed.sort_unstable();
        for id in needed {
            let length = self.length_by_parts(id);
            self.lengths.known.insert(id, length);
        }
        self.lengths.known[&list]
    }

    /// The lists on whose lengths that of another depends.
    fn parts(&self, list: ExprId) -> Vec<ExprId> {
        match self.program.exprs.get(list) {
            Expr::Ite(_, then, otherwise) => vec![*then, *otherwise],
            Expr::Apply(function, args) => {
                let entry = self.lengths.operations.get(function);
                match entry.and_then(|entry| library::length_of(entry)) {
                    Some(Length::Same | Length::Part | Length::Rest) => vec![args[0]],
                    Some(Length::Replaced) => vec![args[0], args[1]],
                    Some(Length::Sum { left, right }) => [(args[0], left), (args[1], right)]
                        .into_iter()
                        .filter_map(|(arg, is_list)| is_list.then_some(arg))
                        .collect(),
                    Some(Length::Arguments) | None => Vec::new(),
                }
            }
            _ => Vec::new(),
        }
    }

    fn length_by_parts(&mut self, list: ExprId) -> (ExprId, bool) {
        let known = |build: &Build, id: ExprId| build.lengths.known[&id];
        match self.program.exprs.get(list).clone() {
            Expr::Load(place) if place.path.is_empty() => match place.root {
                Root::Global(global) => self.companion(global, list),
                _ => self.measured(list),
            },
            Expr::Ite(condition, then, otherwise) => {
                let ((then, a), (otherwise, b)) = (known(self, then), known(self, otherwise));
                (self.choose_by(condition, then, otherwise), a && b)
            }
            Expr::Apply(function, args) => {
                let entry = self.lengths.operations.get(&function);
                match entry.and_then(|entry| library::length_of(entry)) {
                    Some(rule) => self.by_rule_of_lengths(rule, &args),
                    None => self.measured(list),
                }
            }
            _ => self.measured(list),
        }
    }

    /// The length as a matter of the list itself.
    fn measured(&mut self, list: ExprId) -> (ExprId, bool) {
        let length = self.apply(library::known_length(), &[list]);
        let constant = self.program.exprs.constant(length);
        let sure = constant.is_some_and(|length| length.number() >= 0);
        (length, sure)
    }

    fn by_rule_of_lengths(&mut self, rule: Length, args: &[ExprId]) -> (ExprId, bool) {
        let of = |build: &Build, arg: usize| build.lengths.known[&args[arg]];
        match rule {
            Length::Arguments => (
                self.int(i32::try_from(args.len()).unwrap_or(i32::MAX)),
                true,
            ),
            Length::Same => of(self, 0),
            Length::Sum { left, right } => {
                let one = (self.int(1), true);
                let left = if left { of(self, 0) } else { one };
                let right = if right { of(self, 1) } else { one };
                let sum = self.arithmetic(Binary::Add, left.0, right.0);
                self.where_known(&[left, right], sum)
            }
            Length::Part => {
                let whole = of(self, 0);
                let part = self.part_between(whole.0, args[1], args[2]);
                self.where_known(&[whole], part)
            }
            Length::Rest => {
                let whole = of(self, 0);
                let part = self.part_between(whole.0, args[1], args[2]);
                let rest = self.arithmetic(Binary::Sub, whole.0, part);
                self.where_known(&[whole], rest)
            }
            Length::Replaced => {
                let (whole, new) = (of(self, 0), of(self, 1));
                let part = self.part_between(whole.0, args[2], args[3]);
                let rest = self.arithmetic(Binary::Sub, whole.0, part);
                let (zero, start) = (self.int(0), self.offset(whole.0, args[2]));
                let in_front = self.is_less(start, zero);
                let put = self.choose_by(in_front, zero, new.0);
                let sum = self.arithmetic(Binary::Add, rest, put);
                self.where_known(&[whole, new], sum)
            }
        }
    }

    /// A length that is known where those of its parts are.
    fn where_known(&mut self, parts: &[(ExprId, bool)], length: ExprId) -> (ExprId, bool) {
        let (zero, unknown) = (self.int(0), self.int(-1));
        let mut whole = length;
        for &(part, sure) in parts {
            if !sure {
                let is_unknown = self.is_less(part, zero);
                whole = self.choose_by(is_unknown, unknown, whole);
            }
        }
        (whole, parts.iter().all(|(_, sure)| *sure))
    }

    /// How many elements lie between two positions, as the library's ranges count them: both ends
    /// included, negative ones from the end, and a start behind the end leaves out what is between.
    fn part_between(&mut self, length: ExprId, start: ExprId, end: ExprId) -> ExprId {
        let (start, end) = (self.offset(length, start), self.offset(length, end));
        let zero = self.int(0);
        let first = {
            let negative = self.is_less(start, zero);
            let beyond = self.is_less(length, start);
            let inside = self.choose_by(beyond, length, start);
            self.choose_by(negative, zero, inside)
        };
        let after = {
            let negative = self.is_less(end, zero);
            let inside = self.is_less(end, length);
            let one = self.int(1);
            let next = self.arithmetic(Binary::Add, end, one);
            let next = self.choose_by(inside, next, length);
            self.choose_by(negative, zero, next)
        };
        let between = self.arithmetic(Binary::Sub, after, first);
        let around = self.arithmetic(Binary::Add, between, length);
        let empty = self.is_less(after, first);
        let between = self.choose_by(empty, zero, between);
        let excludes = self.is_less(end, start);
        self.choose_by(excludes, around, between)
    }

    /// A position, counted from the start.
    fn offset(&mut self, length: ExprId, position: ExprId) -> ExprId {
        let zero = self.int(0);
        let negative = self.is_less(position, zero);
        let counted = self.arithmetic(Binary::Add, position, length);
        self.choose_by(negative, counted, position)
    }

    /// `left < right`, of constants at once.
    fn is_less(&mut self, left: ExprId, right: ExprId) -> ExprId {
        let exprs = &mut self.program.exprs;
        match (exprs.constant(left), exprs.constant(right)) {
            (Some(Value::Int(a)), Some(Value::Int(b))) => {
                let less = a < b;
                exprs.bool(less)
            }
            _ => exprs.binary(Binary::Lt, left, right),
        }
    }

    /// The length of the list that a variable holds, kept in a companion from now on.
    fn companion(&mut self, global: GlobalId, list: ExprId) -> (ExprId, bool) {
        let variable = &self.program.globals[global.index()];
        let first = match &variable.init {
            None => Some(self.program.zero(&ModelType::Rich)),
            Some(ValueSet::One(value)) => self.program.exprs.constant(*value).cloned(),
            Some(_) => None,
        };
        let unkept = self.lengths.unkept.contains(&global);
        let Some(first) = first.filter(|_| !unkept) else {
            return self.measured(list);
        };
        let sure = !self.lengths.may_be_unknown
            && matches!(variable.kind, VariableKind::State | VariableKind::Step);
        let (name, kind) = (variable.name.clone(), variable.kind);
        let first = (library::known_length().eval)(&self.program.rich, &[first]);
        let first = first.map_or(-1, |length| length.number());
        let first = self.program.exprs.int(first, COMPANION);
        let companion = self.program.add_global(Variable {
            name: format!("(length of {name})"),
            ty: COMPANION,
            init: Some(ValueSet::One(first)),
            kind,
            span: Span::NONE,
        });
        self.lengths.kept.push((global, companion));
        let kept = self.read(companion);
        let length = self
            .program
            .exprs
            .add(Expr::Convert(kept), ModelType::INT32);
        (length, sure)
    }

    /// Stores lengths wherever lists are stored of which somebody asks the length, and has not
    /// before. The processes stand in the program.
    pub(super) fn store_lengths(&mut self) {
        while self.lengths.written < self.lengths.kept.len() {
            let fresh = self.lengths.kept.split_off(self.lengths.written);
            self.lengths.kept.extend(&fresh);
            self.lengths.written = self.lengths.kept.len();
            let companions: HashMap<GlobalId, GlobalId> = fresh.into_iter().collect();
            for process in 0..self.program.processes.len() {
                self.store_lengths_of_steps(process, &companions);
            }
            for observer in 0..self.program.observers.len() {
                let body = std::mem::take(&mut self.program.observers[observer].body);
                self.program.observers[observer].body = self.with_lengths(body, &companions);
            }
        }
    }

    fn store_lengths_of_steps(&mut self, process: usize, companions: &HashMap<GlobalId, GlobalId>) {
        let mut steps = std::mem::take(&mut self.program.processes[process].steps);
        for step in &mut steps {
            let body = std::mem::take(&mut step.body);
            step.body = self.with_lengths(body, companions);
        }
        self.program.processes[process].steps = steps;
    }

    fn with_lengths(
        &mut self,
        body: Vec<Stmt>,
        companions: &HashMap<GlobalId, GlobalId>,
    ) -> Vec<Stmt> {
        let mut all = Vec::with_capacity(body.len());
        for stmt in body {
            match stmt {
                Stmt::Assign(place, list) => self.store_both(place, list, companions, &mut all),
                Stmt::Choose(choice) => {
                    let place = choice.place.clone();
                    all.push(Stmt::Choose(choice));
                    if let Some(companion) = companion_of(&place, companions) {
                        let stored = self.program.exprs.load(place, ModelType::Rich);
                        let (length, _) = self.measured(stored);
                        self.set_companion(companion, length, &mut all);
                    }
                }
                Stmt::If(condition, then, otherwise) => {
                    let then = self.with_lengths(then, companions);
                    let otherwise = self.with_lengths(otherwise, companions);
                    all.push(Stmt::If(condition, then, otherwise));
                }
                other => all.push(other),
            }
        }
        all
    }

    /// A list is stored, and its length.
    fn store_both(
        &mut self,
        place: Place,
        list: ExprId,
        companions: &HashMap<GlobalId, GlobalId>,
        all: &mut Vec<Stmt>,
    ) {
        let Some(companion) = companion_of(&place, companions) else {
            all.push(Stmt::Assign(place, list));
            return;
        };
        let (length, _) = self.length(list);
        // A length that is a matter of what the variable has held is asked for behind the storing.
        if reads(&self.program, length, &place) {
            all.push(Stmt::Assign(place.clone(), list));
            let stored = self.program.exprs.load(place, ModelType::Rich);
            let (length, _) = self.measured(stored);
            self.set_companion(companion, length, all);
            return;
        }
        let most = self.int(MOST_ELEMENTS);
        let too_long = self.is_less(most, length);
        if self.program.exprs.constant(too_long) != Some(&Value::Bool(false)) {
            let raise = vec![Stmt::Raise(STACK_HEAP)];
            all.push(Stmt::If(too_long, raise, Vec::new()));
        }
        all.push(Stmt::Assign(place, list));
        self.set_companion(companion, length, all);
    }

    fn set_companion(&mut self, companion: GlobalId, length: ExprId, all: &mut Vec<Stmt>) {
        let narrow = self.program.exprs.add(Expr::Convert(length), COMPANION);
        all.push(self.set(companion, narrow));
    }
}

impl Lowered {
    /// Stores the lengths of lists that properties ask for.
    pub(crate) fn store_lengths(&mut self) {
        std::mem::swap(&mut self.build.program, &mut self.program);
        self.build.store_lengths();
        std::mem::swap(&mut self.build.program, &mut self.program);
    }
}

fn companion_of(place: &Place, companions: &HashMap<GlobalId, GlobalId>) -> Option<GlobalId> {
    match place.root {
        Root::Global(global) if place.path.is_empty() => companions.get(&global).copied(),
        _ => None,
    }
}

/// Whether the value of an expression depends on what stands in a place.
fn reads(program: &Program, expr: ExprId, place: &Place) -> bool {
    let mut open = vec![expr];
    let mut seen = HashSet::new();
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        if matches!(program.exprs.get(id), Expr::Load(other) if other == place) {
            return true;
        }
        program.exprs.operands(id, |operand| open.push(operand));
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Type;
    use crate::library::PureEntry;

    fn build() -> Build {
        let (_, script) = crate::lower::tests::lowered(
            "default { state_entry() {} }",
            &[],
            crate::lower::Delivery::Lazy,
        );
        let mut build = script.build;
        build.program = script.program;
        build
    }

    /// Every operation with a rule, on lists of all lengths up to five and positions around them:
    /// the rule says what the library does.
    #[test]
    fn lengths_are_those_of_the_lists_that_the_library_gives() {
        let mut build = build();
        let list_of = |build: &Build, length: i32| {
            let elements: Vec<Value> = (0..length).map(|n| Value::Int(n.into())).collect();
            library::list(&build.program.rich, elements)
        };
        let pure = |name: &str| library::pure(name).expect("a pure function");
        let sum = |left, right| library::binary("+", left, right).expect("a sum");
        let (list, number) = (Type::List, Type::Integer);
        let operations: [(&'static PureEntry, &[Type]); 11] = [
            (sum(list, list), &[list, list]),
            (sum(list, number), &[list, number]),
            (sum(number, list), &[number, list]),
            (library::list_literal(), &[number, number]),
            (pure("llListSort"), &[list, number, number]),
            (pure("llListSortStrided"), &[list, number, number, number]),
            (pure("llList2List"), &[list, number, number]),
            (pure("llDeleteSubList"), &[list, number, number]),
            (pure("llListInsertList"), &[list, list, number]),
            (pure("llListReplaceList"), &[list, list, number, number]),
            (library::cast(number, list).expect("a cast"), &[number]),
        ];
        let mut compared = 0;
        for (entry, types) in operations {
            let rule = library::length_of(entry).expect("it has a rule");
            let mut all: Vec<Vec<i32>> = vec![Vec::new()];
            for &ty in types {
                let values = if ty == list { 0..6 } else { -7..8 };
                all = all
                    .iter()
                    .flat_map(|args| values.clone().map(|next| [&args[..], &[next]].concat()))
                    .collect();
            }
            for numbers in all {
                let mut values = Vec::new();
                let mut args = Vec::new();
                for (&n, &ty) in numbers.iter().zip(types) {
                    let value = match ty {
                        Type::List => list_of(&build, n),
                        _ => Value::Int(n.into()),
                    };
                    let model_type = crate::lower::model_type(ty);
                    let arg = build.program.exprs.value(value.clone(), model_type);
                    if ty == list {
                        let length = build.int(n);
                        build.lengths.known.insert(arg, (length, true));
                    }
                    values.push(value);
                    args.push(arg);
                }
                let result = (entry.eval)(&build.program.rich, &values).expect("no fault");
                let elements = library::elements_of(&build.program.rich, &result);
                let expected = elements.expect("it is a list").len() as i128;
                let (length, sure) = build.by_rule_of_lengths(rule, &args);
                let found = build.program.exprs.constant(length);
                assert_eq!(
                    (found, sure),
                    (Some(&Value::Int(expected)), true),
                    "{} of {numbers:?}",
                    entry.name
                );
                compared += 1;
            }
        }
        assert!(compared > 15_000, "{compared} were compared");
    }

    /// Where a length is not known, neither is one that is made of it.
    #[test]
    fn an_unknown_length_makes_others_unknown() {
        let mut build = build();
        let unknown = library::unknown(&build.program.rich, "llGetAgentList", &[]);
        let unknown = build.rich(unknown);
        let one = library::list(&build.program.rich, vec![Value::Int(1)]);
        let one = build.rich(one);
        let entry = library::binary("+", Type::List, Type::List).expect("a sum");
        for args in [[unknown, one], [one, unknown], [unknown, unknown]] {
            let function = build.apply(entry, &args);
            let known = build.lengths_are_known(&[function]);
            assert_eq!(
                build.program.exprs.constant(known),
                Some(&Value::Bool(false))
            );
        }
    }

    /// Lists that are stored in all the ways there are: what is kept beside them is their length in
    /// every state.
    #[test]
    fn companions_hold_the_lengths_of_their_lists() {
        let script = "
            list all = [0, 0];
            list other;
            integer n;
            list twice(list some) { if (some) return some + some; return [0]; }
            list deep(integer k) { if (k < 1) return []; return deep(k - 1) + 0; }
            integer shorten(list some, integer to) {
                while (llGetListLength(some) > to) some = llDeleteSubList(some, -1, -1);
                other = some;
                return llGetListLength(some);
            }
            default {
                touch_start(integer touches) {
                    if (llGetListLength(all) < 4) all += 0;
                    else if (all == other) all = [];
                    else all = llList2List(all, n, -2);
                    n = (n + 1) % 3;
                }
                money(key who, integer amount) {
                    list mine = llListReplaceList(all, [0, 0], n, n);
                    if (mine != all) other = llListInsertList(other, mine, 1);
                    if (llGetListLength(other) > 5) other = llDeleteSubList(other, n, -2);
                    if (other == []) state aside;
                }
                timer() {
                    other = twice(llListSort(llList2List(other, 0, 1), 1, TRUE));
                    n = shorten(deep(n) + all, 3) % 3;
                    if (deep(n) == all) llResetScript();
                }
                state_entry() { llSetTimerEvent(1); }
            }
            state aside {
                touch_start(integer touches) {
                    all = (other = all) + (list)0;
                    if (llGetListLength(all) > 4) all = [0];
                    state default;
                }
                state_exit() { if (!(other == all)) other = []; }
            }";
        let bounds = [("amount", 1, 1)];
        let delivery = crate::lower::Delivery::Lazy;
        let (_, lowered) = crate::lower::tests::lowered(script, &bounds, delivery);
        let program = &lowered.program;
        let explored = crate::lower::tests::explore(program);
        let kept = &lowered.build.lengths.kept;
        let stored: Vec<_> = kept
            .iter()
            .filter(|(list, _)| program.globals[list.index()].kind == VariableKind::State)
            .collect();
        assert_eq!(stored.len(), 2, "those of `all` and `other`");
        let mut seen = HashSet::new();
        for state in &explored.states {
            for (list, companion) in &stored {
                let list = &state.globals[list.index()];
                let elements = library::elements_of(&program.rich, list).expect("a list");
                let length = Value::Int(elements.len() as i128);
                assert_eq!(state.globals[companion.index()], length);
                seen.insert(elements.len());
            }
        }
        assert!(seen.len() > 5, "{seen:?}");
    }
}
