//! Values on the operand stack, and the variables that keep them.

use std::collections::HashSet;

use model::{Expr, ExprId, Place, Type};
use wasmparser::ValType;

use super::Lowering;
use super::arithmetic::{I32, I64};

/// A value: its type, and the number if it is one that is followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Val {
    pub(super) ty: ValType,
    pub(super) expr: Option<ExprId>,
}

impl Val {
    /// A value of which nothing is known, and that is no number.
    pub(super) fn opaque(ty: ValType) -> Val {
        Val { ty, expr: None }
    }

    pub(super) fn number(ty: ValType, expr: ExprId) -> Val {
        Val {
            ty,
            expr: Some(expr),
        }
    }
}

/// The type of numbers that are followed.
pub(super) fn numeric(ty: ValType) -> Option<Type> {
    match ty {
        ValType::I32 => Some(I32),
        ValType::I64 => Some(I64),
        _ => None,
    }
}

/// Variables for values of types.
pub(super) type Places = Vec<(ValType, Option<Place>)>;

impl Lowering<'_> {
    /// A variable for a value.
    pub(super) fn place_for(&mut self, name: &str, ty: ValType) -> Option<Place> {
        Some(self.variable(name, numeric(ty)?))
    }

    pub(super) fn places_for(&mut self, name: &str, types: &[ValType]) -> Places {
        let places = types.iter().map(|&ty| (ty, self.place_for(name, ty)));
        places.collect()
    }

    /// What variables hold.
    pub(super) fn loads(&mut self, places: &Places) -> Vec<Val> {
        let mut values = Vec::new();
        for (ty, place) in places {
            values.push(match (place, numeric(*ty)) {
                (Some(place), Some(model)) => {
                    Val::number(*ty, self.pool().load(place.clone(), model))
                }
                _ => Val::opaque(*ty),
            });
        }
        values
    }

    /// A value of a type that may be anything.
    pub(super) fn any_value(&mut self, ty: ValType, fact: &str, exact: bool) -> Val {
        match numeric(ty) {
            Some(model) => Val::number(ty, self.any(&model, fact, exact)),
            None => Val::opaque(ty),
        }
    }

    /// Gives variables their values, all at once.
    pub(super) fn assign_all(&mut self, places: &Places, values: &[Val]) {
        let mut pairs = Vec::new();
        for ((ty, place), value) in places.iter().zip(values) {
            let Some(place) = place else {
                continue;
            };
            let expr = match value.expr {
                Some(expr) => expr,
                None => match self
                    .any_value(*ty, "a value that is not followed", false)
                    .expr
                {
                    Some(expr) => expr,
                    None => continue,
                },
            };
            if *self.program.exprs.get(expr) != Expr::Load(place.clone()) {
                pairs.push((place.clone(), expr));
            }
        }
        let targets: Vec<Place> = pairs.iter().map(|(place, _)| place.clone()).collect();
        let clash = pairs.len() > 1 && pairs.iter().any(|(_, expr)| self.mentions(*expr, &targets));
        if clash {
            for (_, expr) in &mut pairs {
                *expr = self.kept(*expr);
            }
        }
        for (place, expr) in pairs {
            self.assign(place, expr);
        }
    }

    /// The value as it is now, in a variable of its own.
    pub(super) fn kept(&mut self, expr: ExprId) -> ExprId {
        if self.program.exprs.constant(expr).is_some() {
            return expr;
        }
        let ty = self.program.exprs.ty(expr).clone();
        let place = self.variable("operand", ty.clone());
        self.assign(place.clone(), expr);
        self.pool().load(place, ty)
    }

    /// Keeps what operands are now.
    pub(super) fn keep_all(&mut self, stack: &mut [Val]) {
        if self.is_live() {
            for value in stack {
                value.expr = value.expr.map(|expr| self.kept(expr));
            }
        }
    }

    /// Keeps those operands that read a variable which is about to change.
    pub(super) fn keep_readers(&mut self, stack: &mut [Val], place: &Place) {
        for value in stack {
            if let Some(expr) = value.expr
                && self.mentions(expr, std::slice::from_ref(place))
            {
                value.expr = Some(self.kept(expr));
            }
        }
    }

    /// Whether an expression reads one of these places.
    fn mentions(&self, expr: ExprId, places: &[Place]) -> bool {
        let mut seen = HashSet::new();
        let mut waiting = vec![expr];
        while let Some(id) = waiting.pop() {
            if !seen.insert(id) {
                continue;
            }
            if let Expr::Load(place) = self.program.exprs.get(id)
                && places.contains(place)
            {
                return true;
            }
            self.program
                .exprs
                .operands(id, |operand| waiting.push(operand));
        }
        false
    }
}
