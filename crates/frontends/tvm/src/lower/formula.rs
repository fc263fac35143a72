//! Formulas with their variables numbered. Every quantifier gets a number of its own.

use model::PredicateId;
use model::predicates::{Formula, Kleene, Var};
use source::Span;

use super::{Lowering, Names, replaced};
use crate::codes;
use crate::tree::{self, Name};

/// The variables of an action, a rule or a definition.
#[derive(Default)]
pub(super) struct Scope {
    /// All that there are, by number.
    pub(super) variables: Vec<String>,
    /// Those that can be named here, innermost last.
    pub(super) visible: Vec<(String, Var)>,
    /// Whether a name that is none of them becomes one.
    pub(super) open: bool,
}

impl Scope {
    pub(super) fn add(&mut self, name: &str) -> Var {
        self.variables.push(name.to_owned());
        let variable = self.variables.len() - 1;
        self.visible.push((name.to_owned(), variable));
        variable
    }

    fn find(&self, name: &str) -> Option<Var> {
        let visible = self.visible.iter().rev();
        visible
            .clone()
            .find(|(known, _)| known == name)
            .map(|(_, variable)| *variable)
    }
}

/// Names of a formula's variables that nothing in it binds, each once.
pub(super) fn free(formula: &tree::Formula, bound: &mut Vec<String>, found: &mut Vec<String>) {
    let mut see = |name: &String, bound: &[String]| {
        if !bound.contains(name) && !found.contains(name) {
            found.push(name.clone());
        }
    };
    match formula {
        tree::Formula::Value(_) => {}
        tree::Formula::Holds(_, all) => all.iter().for_each(|name| see(name, bound)),
        tree::Formula::Way(_, ends, _) => ends.iter().for_each(|name| see(name, bound)),
        tree::Formula::Equal(a, b, _) => [a, b].into_iter().for_each(|name| see(name, bound)),
        tree::Formula::Not(inner) | tree::Formula::Over(_, _, _, inner) => {
            free(inner, bound, found);
        }
        tree::Formula::And(all) | tree::Formula::Or(all) => {
            all.iter().for_each(|one| free(one, bound, found));
        }
        tree::Formula::Same(all) => all.iter().for_each(|one| free(one, bound, found)),
        tree::Formula::If(all) => all.iter().for_each(|one| free(one, bound, found)),
        tree::Formula::Bound(_, names, inner) => {
            let before = bound.len();
            bound.extend(names.iter().cloned());
            free(inner, bound, found);
            bound.truncate(before);
        }
        tree::Formula::Closure(ends, step, inner, _) => {
            ends.iter().for_each(|name| see(name, bound));
            let before = bound.len();
            bound.extend(step.iter().cloned());
            free(inner, bound, found);
            bound.truncate(before);
        }
    }
}

impl Lowering<'_> {
    fn variable(&mut self, name: &str, span: Span, scope: &mut Scope) -> Var {
        if let Some(variable) = scope.find(name) {
            return variable;
        }
        if !scope.open {
            let message = format!("nothing binds the variable `{name}`");
            self.error(codes::VARIABLE, span, message);
        }
        scope.add(name)
    }

    fn holds(&mut self, name: &Name, arguments: Vec<Var>, names: &Names) -> Formula {
        let Some(predicate) = self.predicate(name, names) else {
            return Formula::Value(Kleene::Unknown);
        };
        self.fits(predicate, arguments.len(), name.span);
        Formula::Holds(predicate, arguments)
    }

    /// Says if a predicate has not so many arguments.
    pub(super) fn fits(&mut self, predicate: PredicateId, count: usize, span: Span) -> bool {
        let known = self.program.predicate(predicate);
        let (name, arity) = (known.name.clone(), known.arity);
        if arity != count {
            let message = format!("`{name}` has {arity} arguments, and not {count}");
            self.error(codes::ARITY, span, message);
        }
        arity == count
    }

    fn formulas(
        &mut self,
        all: &[tree::Formula],
        scope: &mut Scope,
        names: &Names,
    ) -> Vec<Formula> {
        let all = all.iter().map(|one| self.formula(one, scope, names));
        all.collect()
    }

    /// A formula.
    pub(super) fn formula(
        &mut self,
        formula: &tree::Formula,
        scope: &mut Scope,
        names: &Names,
    ) -> Formula {
        match formula {
            tree::Formula::Value(value) => Formula::Value(*value),
            tree::Formula::Holds(name, arguments) => {
                let arguments = arguments
                    .iter()
                    .map(|one| self.variable(one, name.span, scope))
                    .collect();
                self.holds(name, arguments, names)
            }
            tree::Formula::Way(name, ends, none) => {
                let ends = [0, 1].map(|end| self.variable(&ends[end], name.span, scope));
                let before = scope.visible.len();
                let step = [0, 1].map(|_| scope.add(""));
                scope.visible.truncate(before);
                let edge = Box::new(self.holds(name, step.to_vec(), names));
                let way = Formula::Closure { ends, step, edge };
                match none {
                    true => Formula::Or(vec![Formula::Equal(ends[0], ends[1]), way]),
                    false => way,
                }
            }
            tree::Formula::Equal(a, b, span) => {
                let [a, b] = [a, b].map(|name| self.variable(name, *span, scope));
                Formula::Equal(a, b)
            }
            tree::Formula::Not(inner) => Formula::not(self.formula(inner, scope, names)),
            tree::Formula::And(parts) => Formula::And(self.formulas(parts, scope, names)),
            tree::Formula::Or(parts) => Formula::Or(self.formulas(parts, scope, names)),
            tree::Formula::Same(parts) => {
                let mut parts = self.formulas(&**parts, scope, names);
                let second = parts.pop().unwrap_or(Formula::Value(Kleene::Unknown));
                let first = parts.pop().unwrap_or(Formula::Value(Kleene::Unknown));
                let not = Formula::not(second.clone());
                Formula::If(Box::new([first, second, not]))
            }
            tree::Formula::If(parts) => {
                let [test, then, otherwise] = &**parts;
                let parts = [test, then, otherwise].map(|part| self.formula(part, scope, names));
                Formula::If(Box::new(parts))
            }
            tree::Formula::Bound(some, variables, inner) => {
                let before = scope.visible.len();
                let bound: Vec<Var> = variables.iter().map(|name| scope.add(name)).collect();
                let inner = self.formula(inner, scope, names);
                scope.visible.truncate(before);
                bound
                    .into_iter()
                    .rev()
                    .fold(inner, |inner, variable| match some {
                        true => Formula::Exists(variable, Box::new(inner)),
                        false => Formula::Forall(variable, Box::new(inner)),
                    })
            }
            tree::Formula::Closure(ends, step, inner, span) => {
                let ends = [0, 1].map(|end| self.variable(&ends[end], *span, scope));
                let before = scope.visible.len();
                let step = [0, 1].map(|end| scope.add(&step[end]));
                let edge = Box::new(self.formula(inner, scope, names));
                scope.visible.truncate(before);
                Formula::Closure { ends, step, edge }
            }
            tree::Formula::Over(every, variable, set, inner) => {
                let parts: Vec<Formula> = self
                    .members(set, names)
                    .into_iter()
                    .map(|member| {
                        let mut names = names.clone();
                        names.insert(variable.clone(), replaced(&member, &names));
                        self.formula(inner, scope, &names)
                    })
                    .collect();
                match every {
                    true => Formula::And(parts),
                    false => Formula::Or(parts),
                }
            }
        }
    }
}
