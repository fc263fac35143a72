//! NuSMV's static checks: what is assigned fits its variable.
//!
//! They are about all values that variables may have, under the conditions of the `case` branches
//! around, whether they are ever reached or not.

use std::collections::HashMap;

use model::{Expr, ExprId, Type};
use source::{Diagnostic, Span};

use super::declare::Values;
use super::fold::{self, Leaf};
use super::value::{Choices, Ty, Val};
use super::{Lowered, Lowering};
use crate::codes::rules;

/// So many branches of a value are looked at.
const MOST_BRANCHES: usize = 1000;

/// So many values of a range are looked at one by one.
const FEW: i128 = 4096;

/// What came of looking for a value.
pub(super) enum Search {
    Found(String),
    Nowhere,
    /// There are too many combinations.
    TooMany,
}

impl Lowering<'_, '_> {
    /// Looks for values of the variables for which all `conditions` hold and `wanted` says yes to
    /// the value of `root`; describes them.
    fn search(&self, root: ExprId, conditions: &[ExprId], wanted: &dyn Fn(i128) -> bool) -> Search {
        let domains = |variable: usize| self.domains.get(variable)?.clone();
        let exprs = &self.program.exprs;
        // Where it is nowhere even if what is compared could be anything, it is nowhere.
        for fine in [false, true] {
            let cuts = fold::cuts(exprs, &[&[root], conditions].concat(), &domains, fine);
            if !cuts.is_empty() {
                let found = fold::find(exprs, root, conditions, &domains, &cuts, wanted);
                if found == Some(None) {
                    return Search::Nowhere;
                }
            }
        }
        match fold::find(
            exprs,
            root,
            conditions,
            &domains,
            &fold::Cuts::new(),
            wanted,
        ) {
            None => Search::TooMany,
            Some(Some(at)) => Search::Found(self.describe(&at)),
            Some(None) => Search::Nowhere,
        }
    }

    /// The same with as many of the conditions as can be looked at.
    pub(super) fn search_under(
        &self,
        root: ExprId,
        conditions: &[ExprId],
        wanted: &dyn Fn(i128) -> bool,
    ) -> Search {
        let own = fold::support(&self.program.exprs, &[root]);
        // Of `state = go & i < 3` the second part alone may decide.
        let mut parts = Vec::new();
        for &condition in conditions {
            self.conjuncts(condition, &mut parts);
        }
        let conditions = parts.as_slice();
        let near: Vec<ExprId> = conditions
            .iter()
            .copied()
            .filter(|c| {
                let support = fold::support(&self.program.exprs, &[*c]);
                support.iter().any(|leaf| own.contains(leaf))
            })
            .collect();
        let inside: Vec<ExprId> = near
            .iter()
            .copied()
            .filter(|c| {
                let support = fold::support(&self.program.exprs, &[*c]);
                support.iter().all(|leaf| own.contains(leaf))
            })
            .collect();
        let mut last = Search::TooMany;
        for conditions in [inside.as_slice(), near.as_slice(), conditions] {
            match self.search(root, conditions, wanted) {
                Search::Nowhere => return Search::Nowhere,
                Search::TooMany => {}
                found @ Search::Found(_) => last = found,
            }
        }
        last
    }

    /// The same, with each branch of the value looked at by itself, under what leads to it.
    fn search_branches(
        &mut self,
        root: ExprId,
        conditions: &mut Vec<ExprId>,
        wanted: &dyn Fn(i128) -> bool,
    ) -> Search {
        let mut waiting = vec![(root, conditions.len(), None)];
        for _ in 0..MOST_BRANCHES {
            source::limits::check();
            let Some((value, depth, condition)) = waiting.pop() else {
                return Search::Nowhere;
            };
            conditions.truncate(depth);
            conditions.extend(condition);
            if let Expr::Ite(condition, then, otherwise) = *self.program.exprs.get(value) {
                let (depth, against) = (conditions.len(), self.not(condition));
                waiting.push((otherwise, depth, Some(against)));
                waiting.push((then, depth, Some(condition)));
                continue;
            }
            let range = self.range_of(value);
            if range.is_some_and(|(least, most)| {
                most - least < FEW && (least..=most).all(|value| !wanted(value))
            }) {
                continue;
            }
            match self.search_under(value, conditions, wanted) {
                Search::Nowhere => {}
                other => return other,
            }
        }
        Search::TooMany
    }

    fn describe(&self, at: &HashMap<Leaf, i128>) -> String {
        let mut parts: Vec<(Leaf, i128)> = at.iter().map(|(leaf, value)| (*leaf, *value)).collect();
        parts.sort_unstable();
        let texts = parts.iter().take(6).map(|((variable, next), value)| {
            let global = &self.program.globals[*variable];
            let value = self.show(&global.ty, *value);
            if *next {
                format!("next({}) = {value}", global.name)
            } else {
                format!("{} = {value}", global.name)
            }
        });
        texts.collect::<Vec<_>>().join(", ")
    }

    /// A value as it is written.
    fn show(&self, ty: &Type, value: i128) -> String {
        let member = usize::try_from(value).ok();
        match ty {
            Type::Bool => if value == 0 { "FALSE" } else { "TRUE" }.to_owned(),
            Type::Enum(id) => member
                .and_then(|at| self.members(*id).get(at).cloned())
                .unwrap_or_else(|| value.to_string()),
            _ => value.to_string(),
        }
    }

    /// The least and greatest value that a number can have, as far as that is easily told.
    pub(super) fn range_of(&self, id: ExprId) -> Option<(i128, i128)> {
        let bounds = |variable: usize| self.bounds.get(variable).copied().flatten();
        fold::interval(&self.program.exprs, id, &bounds)
    }

    /// Whether a variable can have what it is assigned.
    pub(super) fn check_assigned(
        &mut self,
        variable: usize,
        choices: &Choices,
        span: Span,
    ) -> Lowered<()> {
        match choices {
            Choices::If(condition, a, b) => {
                self.path.push(*condition);
                let first = self.check_assigned(variable, a, span);
                self.path.pop();
                let against = self.not(*condition);
                self.path.push(against);
                let second = self.check_assigned(variable, b, span);
                self.path.pop();
                first.and(second)
            }
            Choices::Union(parts) => {
                for part in parts {
                    self.check_assigned(variable, part, span)?;
                }
                Ok(())
            }
            Choices::Between(low, high) => {
                self.check_value(variable, *low, span)?;
                self.check_value(variable, *high, span)
            }
            Choices::One(value) => self.check_value(variable, *value, span),
        }
    }

    fn check_value(&mut self, variable: usize, value: Val, span: Span) -> Lowered<()> {
        let (ty, values) = {
            let declared = &self.variables[variable];
            (declared.ty, declared.values.clone())
        };
        let name = self.variables[variable].name.clone();
        let wrong = |lowering: &mut Self| {
            let message = format!(
                "`{name}` is {}, but is assigned a value that is {}",
                lowering.type_name(ty),
                lowering.type_name(value.ty)
            );
            let diagnostic = Diagnostic::error(rules::TYPES, message).at(span);
            let declared = lowering.variables[variable].span;
            Err(lowering.report(diagnostic.label(declared, "declared here")))
        };
        let outside = |lowering: &mut Self, shown: String, at: String| {
            let at = if at.is_empty() {
                at
            } else {
                format!(", where {at}")
            };
            let message = format!("`{name}` can be assigned {shown}, which it cannot hold{at}");
            let diagnostic = Diagnostic::error(rules::RANGE, message).at(span);
            let declared = lowering.variables[variable].span;
            Err(lowering.report(diagnostic.label(declared, "declared here")))
        };
        match (ty, value.ty) {
            (Ty::Bool, Ty::Bool) => Ok(()),
            (Ty::Word { .. }, other) if ty == other => Ok(()),
            (Ty::Int, Ty::Int) => {
                let inside: Box<dyn Fn(i128) -> bool> = match values {
                    Values::Range(low, high) => {
                        let (low, high) = (i128::from(low), i128::from(high));
                        let range = self.range_of(value.id);
                        if range.is_some_and(|(least, most)| least >= low && most <= high) {
                            return Ok(());
                        }
                        Box::new(move |n| (low..=high).contains(&n))
                    }
                    Values::List(list) => {
                        Box::new(move |n| list.iter().any(|m| i128::from(*m) == n))
                    }
                    Values::All => return Ok(()),
                };
                let mut path = self.path.clone();
                let mut found = self.search_under(value.id, &path, &|n| !inside(n));
                if let Search::TooMany = found {
                    found = self.search_branches(value.id, &mut path, &|n| !inside(n));
                }
                match found {
                    Search::Nowhere => Ok(()),
                    Search::Found(at) => {
                        let shown = match self.program.exprs.constant(value.id) {
                            Some(constant) => constant.number().to_string(),
                            None => "a number".to_owned(),
                        };
                        outside(self, shown, at)
                    }
                    Search::TooMany => {
                        let at = "there are too many values to exclude it".to_owned();
                        outside(self, "a number".to_owned(), at)
                    }
                }
            }
            (Ty::Symbol(target), Ty::Symbol(_) | Ty::Int) => {
                let none = self.members(target).len() as i128;
                let member = self.as_member(value, target);
                if member == value.id {
                    return Ok(());
                }
                let path = self.path.clone();
                match self.search_under(member, &path, &|n| n == none) {
                    Search::Nowhere => Ok(()),
                    Search::Found(at) => {
                        let source = Self::model_type(value.ty);
                        let shown = match self.program.exprs.constant(value.id) {
                            Some(constant) => {
                                format!("`{}`", self.show(&source, constant.number()))
                            }
                            None => "a value".to_owned(),
                        };
                        outside(self, shown, at)
                    }
                    Search::TooMany => {
                        let at = "there are too many values to exclude it".to_owned();
                        outside(self, "a value".to_owned(), at)
                    }
                }
            }
            (Ty::Int, Ty::Symbol(source)) => {
                let shown = self.type_name(Ty::Symbol(source));
                outside(self, shown, String::new())
            }
            _ => wrong(self),
        }
    }
}
