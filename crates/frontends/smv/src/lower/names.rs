//! What references stand for.

use std::collections::HashSet;

use source::{Diagnostic, suggest};

use super::declare::Entity;
use super::{Context, Lowered, Lowering, MAX_DEPTH};
use crate::ast::{Expr, ExprKind, Ident};
use crate::codes::{names, rules, syntax};

impl<'t> Lowering<'t, '_> {
    /// What an expression refers to; one that refers to nothing is a value.
    pub(super) fn entity(&mut self, expr: &'t Expr, scope: usize) -> Lowered<Entity<'t>> {
        if self.depth > MAX_DEPTH {
            let message = format!("more than {MAX_DEPTH} levels of definitions and parameters");
            return Err(self.error(syntax::TOO_DEEP, expr.span, message));
        }
        self.depth += 1;
        let found = self.entity_here(expr, scope);
        self.depth -= 1;
        found
    }

    fn entity_here(&mut self, expr: &'t Expr, scope: usize) -> Lowered<Entity<'t>> {
        if self.instances[scope].names_have_parts
            && let ExprKind::Field(..) | ExprKind::Index(..) = expr.kind
            && let Some(name) = expr.name_of_parts()
        {
            let name = Ident {
                name: name.into(),
                span: expr.span,
            };
            if let Some(entity) = self.look_up(&name, scope)? {
                return Ok(entity);
            }
        }
        match &expr.kind {
            ExprKind::SelfRef => Ok(Entity::Instance(scope)),
            ExprKind::Name(name) => {
                let ident = Ident {
                    name: name.clone(),
                    span: expr.span,
                };
                if let Some(entity) = self.look_up(&ident, scope)? {
                    return Ok(entity);
                }
                if self.symbols.contains(name) {
                    return Ok(Entity::Symbol(name.clone()));
                }
                Err(self.undeclared(&ident, scope))
            }
            ExprKind::Field(base, field) => match self.entity(base, scope)? {
                Entity::Instance(inner) => match self.look_up(field, inner)? {
                    Some(entity) => Ok(entity),
                    None => Err(self.undeclared(field, inner)),
                },
                _ => {
                    let message = format!("`{}` is no module instance", self.text(base.span));
                    Err(self.error(names::NOT_A_VALUE, base.span, message))
                }
            },
            ExprKind::Index(base, index) => {
                let base = self.entity(base, scope)?;
                // Else it is a bit of a word, or a mistake that is found where its value is needed.
                let element = self.indexed(base, index, scope)?;
                Ok(element.unwrap_or(Entity::Value(expr, scope)))
            }
            _ => Ok(Entity::Value(expr, scope)),
        }
    }

    /// An element of what something stands for; `None` if that is no array.
    fn indexed(
        &mut self,
        base: Entity<'t>,
        index: &'t Expr,
        scope: usize,
    ) -> Lowered<Option<Entity<'t>>> {
        let element = match base {
            Entity::Array(low, elements) => self.element(low, &elements, index, scope)?,
            Entity::Value(
                Expr {
                    kind: ExprKind::Array(items),
                    ..
                },
                inner,
            ) => {
                let elements = items.iter().map(|item| Entity::Value(item, inner));
                let elements: Vec<_> = elements.collect();
                self.element(0, &elements.into(), index, scope)?
            }
            // An element of a row that is picked: it is picked among those of all rows.
            Entity::Pick(rows, low, row, outer) => {
                let mut elements = Vec::with_capacity(rows.len());
                for row in rows.iter() {
                    let row = match *row {
                        Entity::Value(value, inner) => self.entity(value, inner)?,
                        ref row => row.clone(),
                    };
                    let Some(element) = self.indexed(row, index, scope)? else {
                        return Ok(None);
                    };
                    elements.push(element);
                }
                Entity::Pick(elements.into(), low, row, outer)
            }
            _ => return Ok(None),
        };
        Ok(Some(element))
    }

    fn element(
        &mut self,
        low: i64,
        elements: &std::rc::Rc<[Entity<'t>]>,
        index: &'t Expr,
        scope: usize,
    ) -> Lowered<Entity<'t>> {
        let value = self.value(index, Context::of(scope))?;
        let Some(at) = self.program.exprs.constant(value.id) else {
            return Ok(Entity::Pick(elements.clone(), low, index, scope));
        };
        let at = at.number() - i128::from(low);
        match usize::try_from(at).ok().and_then(|at| elements.get(at)) {
            Some(Entity::Value(value, inner)) => self.entity(value, *inner),
            Some(entity) => Ok(entity.clone()),
            None => {
                let message = format!(
                    "index {} is outside of the array's {low}..{}",
                    at + i128::from(low),
                    low + elements.len() as i64 - 1
                );
                Err(self.error(rules::INDEX, index.span, message))
            }
        }
    }

    /// What a name stands for in an instance.
    fn look_up(&mut self, name: &Ident, scope: usize) -> Lowered<Option<Entity<'t>>> {
        match self.instances[scope].names.get(&name.name) {
            // Names of names: what is assigned to a parameter is assigned to the actual.
            Some(&Entity::Value(value, inner)) => match value.kind {
                ExprKind::Name(_) => self.behind_names(value, inner).map(Some),
                ExprKind::Field(..) | ExprKind::Index(..) | ExprKind::SelfRef => {
                    let key = (inner, std::ptr::from_ref(value));
                    if self.looking.contains(&key) {
                        return Err(self.circular_name(value));
                    }
                    self.looking.push(key);
                    let entity = self.entity(value, inner);
                    self.looking.pop();
                    entity.map(Some)
                }
                _ => Ok(Some(Entity::Value(value, inner))),
            },
            Some(entity) => Ok(Some(entity.clone())),
            None if &*name.name == "running" && !self.processes.is_empty() => {
                Ok(Some(Entity::Running(self.instances[scope].process)))
            }
            None => Ok(None),
        }
    }

    /// What a name stands for that stands for a name, and so on.
    fn behind_names(&mut self, mut value: &'t Expr, mut scope: usize) -> Lowered<Entity<'t>> {
        let mut passed = HashSet::new();
        let entity = loop {
            source::limits::check();
            let key = (scope, std::ptr::from_ref(value));
            if let Some(known) = self.behind.get(&key) {
                break known.clone();
            }
            if !passed.insert(key) {
                return Err(self.circular_name(value));
            }
            let ExprKind::Name(name) = &value.kind else {
                break self.entity(value, scope)?;
            };
            match self.instances[scope].names.get(name) {
                Some(&Entity::Value(next, inner)) if matches!(next.kind, ExprKind::Name(_)) => {
                    (value, scope) = (next, inner);
                }
                _ => break self.entity(value, scope)?,
            }
        };
        // A symbol may be hidden by what is declared later.
        if !matches!(entity, Entity::Symbol(_)) {
            let passed = passed.into_iter().map(|key| (key, entity.clone()));
            self.behind.extend(passed);
        }
        Ok(entity)
    }

    fn circular_name(&mut self, value: &Expr) -> super::Failed {
        let message = format!("`{}` is defined by itself", self.text(value.span));
        self.error(rules::CIRCULAR, value.span, message)
    }

    fn undeclared(&mut self, name: &Ident, scope: usize) -> super::Failed {
        let module = &self.instances[scope].module.name.name;
        let message = format!("`{}` is not declared in module `{module}`", name.name);
        let mut diagnostic = Diagnostic::error(names::UNDECLARED, message).at(name.span);
        if let Some((left, right)) = name.name.split_once('-')
            && !left.is_empty()
            && !right.is_empty()
        {
            diagnostic = diagnostic
                .help("a minus sign without blanks around it is part of a name")
                .fix_it(name.span, format!("{left} - {right}"), "write blanks");
        } else if matches!(&*name.name, "0" | "1" | "true" | "false") {
            diagnostic = diagnostic.help("truth values are written `TRUE` and `FALSE`");
        } else {
            let known = self.instances[scope].names.keys();
            let mut known: Vec<&str> = known.map(|name| &**name).collect();
            known.sort_unstable();
            if let Some(near) = suggest(&name.name, known) {
                diagnostic = diagnostic.fix_it(name.span, near, "write the name that is declared");
            }
        }
        self.report(diagnostic)
    }
}
