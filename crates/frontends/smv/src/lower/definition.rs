//! Definitions and arguments: what they are worth, once for each time they may speak of.
//!
//! Definitions may stand on each other's shoulders, thousands high where a circuit was written as
//! one for each gate. So those that a definition needs are lowered before it, without recursion.

use std::collections::HashSet;

use source::Span;

use super::declare::Entity;
use super::doubt::Doubt;
use super::value::Choices;
use super::{Context, Lowered, Lowering};
use crate::ast::{Expr, ExprKind, Item};
use crate::codes::rules;

/// A definition or argument: where its names are looked up, and whether it speaks of the next
/// state.
pub(super) type Key = (usize, *const Expr, bool);

/// What is known of a definition.
#[derive(Clone)]
pub(super) struct Known {
    choices: Choices,
    /// What may go wrong in it, depending on where it is used.
    doubts: Vec<Doubt>,
}

impl<'t> Lowering<'t, '_> {
    /// What a definition is worth that is used at a place.
    pub(super) fn definition(
        &mut self,
        value: &'t Expr,
        context: Context,
        used: Span,
    ) -> Lowered<Choices> {
        let key = (context.scope, std::ptr::from_ref(value), context.next);
        if !self.known.contains_key(&key) {
            self.lower_needed(value, context)?;
            self.lower_definition(value, context)?;
        }
        match self.known.get(&key) {
            Some(Some(known)) => {
                let choices = known.choices.clone();
                if !known.doubts.is_empty() {
                    let doubts = known.doubts.clone();
                    self.doubts_of_used(&doubts);
                }
                Ok(choices)
            }
            _ => {
                let message = format!("`{}` is defined by itself", self.text(used));
                Err(self.error(rules::CIRCULAR, used, message))
            }
        }
    }

    fn lower_definition(&mut self, value: &'t Expr, context: Context) -> Lowered<()> {
        let key = (context.scope, std::ptr::from_ref(value), context.next);
        self.known.insert(key, None);
        // Where it is used is looked at there.
        let path = std::mem::take(&mut self.path);
        let since = self.doubts.len();
        let choices = self.choices(value, context);
        self.path = path;
        let doubts = self.take_doubts(since);
        match choices {
            Ok(choices) => {
                self.known.insert(key, Some(Known { choices, doubts }));
                Ok(())
            }
            Err(failed) => {
                self.known.remove(&key);
                Err(failed)
            }
        }
    }

    /// Lowers what a definition needs, and what that needs.
    fn lower_needed(&mut self, value: &'t Expr, context: Context) -> Lowered<()> {
        let mut way = self.needed(value, context);
        let mut begun = HashSet::new();
        while let Some(&(value, context)) = way.last() {
            source::limits::check();
            let key = (context.scope, std::ptr::from_ref(value), context.next);
            if self.known.contains_key(&key) {
                way.pop();
            } else if begun.insert(key) {
                // One that needs itself is found when it is lowered.
                let below = self.needed(value, context);
                let is_new = |(value, context): &(&Expr, Context)| {
                    !begun.contains(&(context.scope, std::ptr::from_ref(*value), context.next))
                };
                way.extend(below.into_iter().filter(is_new));
            } else {
                way.pop();
                self.lower_definition(value, context)?;
            }
        }
        Ok(())
    }

    /// The definitions that an expression names, as far as that is easily told, and that are not
    /// known yet.
    fn needed(&self, value: &'t Expr, context: Context) -> Vec<(&'t Expr, Context)> {
        let mut found = Vec::new();
        let mut waiting = vec![(value, context.next)];
        while let Some((expr, next)) = waiting.pop() {
            source::limits::check();
            match &expr.kind {
                ExprKind::Name(_) | ExprKind::Field(..) => {
                    let Some((value, scope)) = self.defined_as(expr, context.scope) else {
                        continue;
                    };
                    let key = (scope, std::ptr::from_ref(value), next);
                    if !self.known.contains_key(&key) {
                        found.push((value, Context { scope, next }));
                    }
                }
                ExprKind::Next(inner) => waiting.push((inner, true)),
                // What is picked from an array may be none of its elements' values.
                ExprKind::Index(_, index) => waiting.push((index, next)),
                _ => waiting.extend(expr.children().into_iter().map(|child| (child, next))),
            }
        }
        found
    }

    /// The expression behind a name, if there is one with a value of its own.
    fn defined_as(&self, name: &'t Expr, scope: usize) -> Option<(&'t Expr, usize)> {
        let mut entity = self.named(name, scope)?;
        // Names of names; they may go round in a circle.
        let mut seen = HashSet::new();
        while let Entity::Value(value, inner) = entity {
            match &value.kind {
                ExprKind::Name(_) | ExprKind::Field(..) => entity = self.named(value, *inner)?,
                ExprKind::Index(..) | ExprKind::Array(_) | ExprKind::SelfRef => return None,
                _ => return Some((value, *inner)),
            }
            if !seen.insert((*inner, std::ptr::from_ref(*value))) {
                return None;
            }
        }
        None
    }

    /// What a name stands for; nothing is said if it stands for nothing.
    pub(super) fn named(&self, name: &Expr, scope: usize) -> Option<&Entity<'t>> {
        if self.instances[scope].names_have_parts
            && let Some(name) = name.name_of_parts()
            && let Some(entity) = self.instances[scope].names.get(name.as_str())
        {
            return Some(entity);
        }
        match &name.kind {
            ExprKind::Name(name) => self.instances[scope].names.get(name),
            ExprKind::Field(base, field) => {
                let inner = self.instance_named(base, scope)?;
                self.instances[inner].names.get(&field.name)
            }
            _ => None,
        }
    }

    /// The module instance that a name or an argument stands for; nothing is said if it is none.
    pub(super) fn instance_named(&self, name: &Expr, scope: usize) -> Option<usize> {
        if let ExprKind::SelfRef = name.kind {
            return Some(scope);
        }
        let mut entity = self.named(name, scope)?;
        let mut seen = HashSet::new();
        loop {
            source::limits::check();
            match entity {
                Entity::Instance(instance) => return Some(*instance),
                Entity::Value(value, inner)
                    if seen.insert((*inner, std::ptr::from_ref(*value))) =>
                {
                    if let ExprKind::SelfRef = value.kind {
                        return Some(*inner);
                    }
                    entity = self.named(value, *inner)?;
                }
                _ => return None,
            }
        }
    }

    /// Looks at definitions that nothing uses: they have to make sense all the same.
    pub(super) fn unused_definitions(&mut self) {
        for (scope, item) in self.items() {
            if let Item::Define(_, value) | Item::DefineIn(_, value) = item {
                // What is wrong with one says nothing about the others.
                let _ = self.unused_definition(scope, value);
            }
        }
        // What may go wrong counts only where it is used.
        self.doubts.clear();
    }

    fn unused_definition(&mut self, scope: usize, value: &'t Expr) -> Lowered<()> {
        match &value.kind {
            ExprKind::Array(items) => {
                for item in items {
                    self.unused_definition(scope, item)?;
                }
                Ok(())
            }
            ExprKind::Name(_) | ExprKind::Field(..) | ExprKind::SelfRef | ExprKind::Index(..) => {
                self.entity(value, scope).map(|_| ())
            }
            _ => {
                self.depth += 1;
                let made = self.definition(value, Context::of(scope), value.span);
                self.depth -= 1;
                made.map(|_| ())
            }
        }
    }
}
