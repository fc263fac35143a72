//! Assignments: which values variables have first and next.
//!
//! `x := e` is an assignment of the first and of each next value. In a model with processes a
//! next value is assigned only while the process runs that assigns it, and stays as it is else.

use std::collections::{BTreeMap, HashMap};

use model::{Composition, ExprId, Place, SyncAssign, Type, ValueSet};
use source::{Diagnostic, Span};

use super::declare::Entity;
use super::value::{Choices, Ty, Val};
use super::{Context, Lowered, Lowering, Placed, fold};
use crate::ast::{Assignment, AssignmentSort, ExprKind, Item, VariableSort};
use crate::codes::rules;

/// What a variable is assigned.
#[derive(Default)]
struct Assigned {
    init: Option<(Choices, Span)>,
    /// By process.
    next: BTreeMap<usize, (Choices, Span)>,
    /// At all times; the choices are those of the first and of the next value.
    now: Option<(Choices, Choices, Span)>,
}

impl<'t> Lowering<'t, '_> {
    /// Lowers all assignments; gives the order of variables in which first values can be given.
    pub(super) fn assignments(&mut self, items: &[Placed<'t>]) -> Option<Vec<usize>> {
        let mut assigned: HashMap<usize, Assigned> = HashMap::new();
        for (scope, item) in items {
            if let Item::Assign(assignment) = item {
                // What is wrong with one says nothing about the others.
                let _ = self.assignment(*scope, assignment, &mut assigned);
            }
        }
        if self.diagnostics.has_errors() {
            return None;
        }
        let mut first: Vec<Option<(ValueSet, Span)>> = Vec::new();
        let mut next: Vec<Option<(ValueSet, Span)>> = Vec::new();
        for variable in 0..self.variables.len() {
            let of = assigned.remove(&variable).unwrap_or_default();
            let frozen = self.variables[variable].sort == VariableSort::Frozen;
            let (init, following) = match of.now {
                Some((now, later, span)) => (Some((now, span)), Some((later, span))),
                None => (of.init, self.interleaved(variable, of.next)),
            };
            let init = init.map(|(choices, span)| (self.value_set(variable, choices), span));
            let following =
                following.map(|(choices, span)| (self.value_set(variable, choices), span));
            first.push(init);
            next.push(following.filter(|_| !frozen));
        }
        let initial = self.order(&first, false)?;
        for (variable, init) in first.into_iter().enumerate() {
            let set = match init {
                Some((set, _)) => set,
                None => self.all_values(variable),
            };
            let global = self.global(variable);
            self.program.globals[global.index()].init = Some(set);
        }
        let mut steps = Vec::new();
        for variable in self.order(&next, true)? {
            if self.variables[variable].sort == VariableSort::Frozen {
                continue;
            }
            let set = match next[variable].take() {
                Some((set, _)) => set,
                None => self.all_values(variable),
            };
            let global = self.global(variable);
            steps.push(SyncAssign { global, next: set });
        }
        self.program.composition = Composition::Synchronous(steps);
        Some(initial)
    }

    fn assignment(
        &mut self,
        scope: usize,
        assignment: &'t Assignment,
        assigned: &mut HashMap<usize, Assigned>,
    ) -> Lowered<()> {
        let target = &assignment.target;
        let entity = match &target.kind {
            // A definition that stands for a variable is no variable.
            ExprKind::Name(name) if self.is_definition(scope, name) => Entity::Value(target, scope),
            _ => self.entity(target, scope)?,
        };
        let variable = match &entity {
            Entity::Variable(variable) => *variable,
            Entity::Compound(_, parts) => parts[0],
            _ => {
                let message = format!("`{}` is no variable", self.text(target.span));
                return Err(self.error(rules::TARGET, target.span, message));
            }
        };
        let sort = self.variables[variable].sort;
        let forbidden = match (sort, assignment.sort) {
            (VariableSort::Input, _) => Some("an input is not assigned"),
            (VariableSort::Frozen, AssignmentSort::Next | AssignmentSort::Now) => {
                Some("a frozen variable keeps its first value")
            }
            _ => None,
        };
        if let Some(message) = forbidden {
            return Err(self.error(rules::TARGET, target.span, message));
        }
        let span = assignment.value.span;
        let context = Context::of(scope);
        let choices = self.choices(&assignment.value, context)?;
        if let Entity::Compound(ty, _) = entity {
            let name = self.text(target.span).to_owned();
            self.check_compound(&name, ty, &choices, span)?;
        } else {
            self.check_assigned(variable, &choices, span)?;
        }
        if assignment.sort != AssignmentSort::Next {
            self.no_next(&choices, span)?;
            if assignment.sort == AssignmentSort::Init {
                self.no_inputs(&choices, span)?;
            }
        }
        let later = match assignment.sort {
            AssignmentSort::Now => {
                let next = Context {
                    next: true,
                    ..context
                };
                Some(self.choices(&assignment.value, next)?)
            }
            AssignmentSort::Init | AssignmentSort::Next => None,
        };
        let process = match self.processes.is_empty() {
            true => 0,
            false => self.instances[scope].process,
        };
        let mut before = None;
        let is_array = matches!(entity, Entity::Compound(Ty::Array(_), _));
        for (variable, choices, later) in self.targets(&entity, assignment.sort, choices, later)? {
            if is_array {
                self.check_assigned(variable, &choices, span)?;
            }
            let of = assigned.entry(variable).or_default();
            before = match (assignment.sort, later) {
                (AssignmentSort::Init, _) => {
                    let before = of.now.as_ref().map(|n| n.2);
                    before.or(of.init.replace((choices, span)).map(|(_, s)| s))
                }
                (AssignmentSort::Now, Some(later)) => {
                    let before = of.init.as_ref().map(|(_, s)| *s);
                    let before = before.or(of.next.values().next().map(|(_, s)| *s));
                    before.or(of.now.replace((choices, later, span)).map(|n| n.2))
                }
                _ => {
                    let before = of.now.as_ref().map(|n| n.2);
                    before.or(of.next.insert(process, (choices, span)).map(|(_, s)| s))
                }
            };
        }
        if let Some(before) = before {
            let name = match entity {
                Entity::Variable(variable) => self.variables[variable].name.clone(),
                _ => self.text(target.span).to_owned(),
            };
            let message = format!("`{name}` is assigned a second time");
            let diagnostic = Diagnostic::error(rules::TWICE, message).at(target.span);
            return Err(self.report(diagnostic.label(before, "the other assignment")));
        }
        Ok(())
    }

    fn is_definition(&self, scope: usize, name: &str) -> bool {
        // The names in an argument are those of another instance.
        let entity = self.instances[scope].names.get(name);
        matches!(entity, Some(Entity::Value(_, of)) if *of == scope)
    }

    fn expressions_of(choices: &Choices) -> Vec<ExprId> {
        let mut found = Vec::new();
        let mut waiting = vec![choices];
        while let Some(choices) = waiting.pop() {
            source::limits::check();
            match choices {
                Choices::One(value) => found.push(value.id),
                Choices::Between(a, b) => found.extend([a.id, b.id]),
                Choices::Union(parts) => waiting.extend(parts),
                Choices::If(condition, a, b) => {
                    found.push(*condition);
                    waiting.extend([&**a, &**b]);
                }
            }
        }
        found
    }

    /// Reports `next` where it may not be.
    pub(super) fn no_next(&mut self, choices: &Choices, span: Span) -> Lowered<()> {
        let support = fold::support(&self.program.exprs, &Self::expressions_of(choices));
        if support.iter().any(|(_, next)| *next) {
            return Err(self.error(rules::NEXT, span, "`next` may not stand here"));
        }
        Ok(())
    }

    /// Reports inputs where they may not be.
    pub(super) fn no_inputs(&mut self, choices: &Choices, span: Span) -> Lowered<()> {
        let support = fold::support(&self.program.exprs, &Self::expressions_of(choices));
        let input = support.iter().find_map(|(variable, _)| {
            let global = &self.program.globals[*variable];
            (global.kind == model::VariableKind::Input).then(|| global.name.clone())
        });
        if let Some(name) = input {
            let message = format!("the input `{name}` may not stand here");
            return Err(self.error(rules::INPUT, span, message));
        }
        Ok(())
    }

    /// Next values that are assigned by processes.
    fn interleaved(
        &mut self,
        variable: usize,
        by_process: BTreeMap<usize, (Choices, Span)>,
    ) -> Option<(Choices, Span)> {
        let (_, &(_, span)) = by_process.iter().next()?;
        let Some(selector) = self.selector else {
            return by_process.into_values().next();
        };
        let ty = self.variables[variable].ty;
        let model_type = self.variables[variable].model_type();
        let global = self.global(variable);
        let id = self.program.exprs.load(Place::global(global), model_type);
        let mut result = Choices::One(Val { id, ty });
        for (process, (choices, _)) in by_process {
            let runs = self.runs(selector, process);
            result = self.choose(runs.id, choices, result);
        }
        Some((result, span))
    }

    /// Choices as the model has them, in a variable's type.
    pub(super) fn value_set(&mut self, variable: usize, choices: Choices) -> ValueSet {
        let ty = self.variables[variable].ty;
        match choices {
            Choices::One(value) => ValueSet::One(match ty {
                Ty::Symbol(target) => self.as_member(value, target),
                _ => value.id,
            }),
            Choices::Between(low, high) => ValueSet::Between(low.id, high.id),
            Choices::Union(parts) => {
                let parts = parts
                    .into_iter()
                    .map(|part| self.value_set(variable, part))
                    .collect();
                ValueSet::Union(parts)
            }
            Choices::If(condition, a, b) => {
                let a = self.value_set(variable, *a);
                let b = self.value_set(variable, *b);
                match (a, b) {
                    (ValueSet::One(a), ValueSet::One(b)) => {
                        let ty = match ty {
                            Ty::Symbol(id) => Type::Enum(id),
                            _ => Self::model_type(ty),
                        };
                        ValueSet::One(self.if_then_else(condition, a, b, ty))
                    }
                    (a, b) => ValueSet::Ite(condition, Box::new(a), Box::new(b)),
                }
            }
        }
    }

    /// An order in which each variable comes behind those that its value depends on at the same
    /// time; those without a value of their own come first.
    fn order(&mut self, sets: &[Option<(ValueSet, Span)>], next: bool) -> Option<Vec<usize>> {
        let mut of_global = vec![0; self.place.len()];
        for (variable, place) in self.place.iter().enumerate() {
            of_global[*place] = variable;
        }
        let needs: Vec<Vec<usize>> = sets
            .iter()
            .map(|set| {
                let mut roots = Vec::new();
                if let Some((set, _)) = set {
                    set.operands(&mut |id| roots.push(id));
                }
                let support = fold::support(&self.program.exprs, &roots);
                let same_time = support.into_iter().filter(|(_, n)| *n == next);
                same_time.map(|(global, _)| of_global[global]).collect()
            })
            .collect();
        let mut state = vec![0u8; sets.len()];
        let mut order = Vec::new();
        for start in 0..sets.len() {
            // Depth first, without recursion: 1 is on the way, 2 is done.
            let mut way = vec![(start, 0)];
            while let Some((variable, at)) = way.pop() {
                source::limits::check();
                if at == 0 {
                    match state[variable] {
                        0 => state[variable] = 1,
                        _ => continue,
                    }
                }
                let Some(&needed) = needs[variable].get(at) else {
                    state[variable] = 2;
                    order.push(variable);
                    continue;
                };
                way.push((variable, at + 1));
                match state[needed] {
                    0 => way.push((needed, 0)),
                    1 => {
                        let begin = way.iter().position(|(v, _)| *v == needed).unwrap_or(0);
                        let mut cycle: Vec<usize> = way[begin..].iter().map(|(v, _)| *v).collect();
                        cycle.push(needed);
                        self.circular(&cycle, sets, next);
                        return None;
                    }
                    _ => {}
                }
            }
        }
        Some(order)
    }

    fn circular(&mut self, cycle: &[usize], sets: &[Option<(ValueSet, Span)>], next: bool) {
        let names = cycle.iter().map(|&variable| {
            let name = &self.variables[variable].name;
            if next {
                format!("next({name})")
            } else {
                name.clone()
            }
        });
        let message = format!(
            "assignments that depend on themselves: {}",
            names.collect::<Vec<_>>().join(" needs ")
        );
        let spans: Vec<Span> = cycle
            .iter()
            .filter_map(|&variable| sets[variable].as_ref().map(|(_, span)| *span))
            .collect();
        let mut diagnostic = Diagnostic::error(rules::CIRCULAR, message)
            .at(spans.first().copied().unwrap_or(Span::NONE));
        for span in spans.iter().skip(1).take(cycle.len().saturating_sub(2)) {
            diagnostic = diagnostic.label(*span, "and this");
        }
        self.report(diagnostic);
    }
}
