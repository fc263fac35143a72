//! Variables of a claim. A claim is an automaton, which has no variables: its states are the places
//! where control stands, each with the values that the variables have there.
//!
//! While a state is lowered, the names of the variables mean their values. What an assignment sets a
//! variable to has to be known then, or be one of a few values: there is an edge for each.

use std::rc::Rc;

use model::ExprId;
use source::Span;

use super::types::Ty;
use super::{Lowering, Place, unsupported};
use crate::ast::{Expr, Init, Reference};
use crate::flow::Body;

/// A variable whose value is not known when it is set has at most so many bits.
const FEW: u8 = 5;

/// The variables of a claim.
#[derive(Default)]
pub(super) struct ClaimVariables {
    variables: Vec<(Rc<str>, u8, bool)>,
}

/// The values of the variables.
pub(super) type Values = Vec<i64>;

/// What a variable is set to: a value, if a condition holds.
pub(super) type Ways = Vec<(Option<ExprId>, Values)>;

impl ClaimVariables {
    /// The variables of a claim and their first values; reports those that it cannot have.
    pub(super) fn of(lowering: &mut Lowering<'_>, body: &Body) -> Option<(Self, Values)> {
        let mut known = ClaimVariables::default();
        let mut values = Values::new();
        for local in &body.locals {
            let declarator = &local.declarator;
            let mut refuse = |what: &str, span: Span| {
                lowering.diagnostics.push(unsupported(what, span));
            };
            let span = declarator.name.span;
            if declarator.length.is_some() {
                refuse("an array of a claim", span);
                return None;
            }
            if known.place(&declarator.name.name).is_some() {
                refuse("two variables of a claim with the same name", span);
                return None;
            }
            let ty = lowering.ty(&local.ty, declarator.width.as_ref());
            let Ty::Int { bits, signed } = ty else {
                let message = "a variable of a claim that is no number";
                lowering.diagnostics.push(unsupported(message, span));
                return None;
            };
            let name = Rc::clone(&declarator.name.name);
            known.variables.push((name, bits, signed));
            let mut first = 0;
            if local.at_start
                && let Some(Init::Value(e)) = &declarator.init
            {
                known.mean(lowering, &values);
                let Some(value) = lowering.constant(e) else {
                    let message = "a variable of a claim that does not begin with a constant";
                    lowering.diagnostics.push(unsupported(message, e.span));
                    return None;
                };
                first = cut_off(value, bits, signed);
            }
            values.push(first);
        }
        Some((known, values))
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.variables
            .iter()
            .position(|(known, ..)| **known == *name)
    }

    /// Lets the names mean these values, as far as there are any.
    pub(super) fn mean(&self, lowering: &mut Lowering<'_>, values: &[i64]) {
        let names = self.variables.iter().map(|(name, ..)| Rc::clone(name));
        lowering.claim_values = names.zip(values.iter().copied()).collect();
    }

    /// Which of the variables a reference means.
    pub(super) fn named(&self, reference: &Reference) -> Option<usize> {
        match reference.parts.as_slice() {
            [(ident, None)] => self.place(&ident.name),
            _ => None,
        }
    }

    /// Adds to a variable.
    pub(super) fn step_by(&self, place: usize, by: i64, values: &Values) -> Ways {
        let (_, bits, signed) = self.variables[place];
        let mut after = values.clone();
        after[place] = cut_off(values[place] + by, bits, signed);
        vec![(None, after)]
    }

    /// Sets a variable to what an expression is; reports what is too wide.
    pub(super) fn set(
        &self,
        lowering: &mut Lowering<'_>,
        place: usize,
        e: &Expr,
        values: &Values,
    ) -> Option<Ways> {
        let (_, bits, signed) = self.variables[place];
        let with = |value| {
            let mut after = values.clone();
            after[place] = value;
            after
        };
        if let Some(value) = lowering.constant(e) {
            return Some(vec![(None, with(cut_off(value, bits, signed)))]);
        }
        if bits > FEW {
            let message = "a wide variable of a claim that is set to what is not constant";
            lowering.diagnostics.push(unsupported(message, e.span));
            return None;
        }
        let value = lowering.number(e, Place::OUTSIDE);
        let ty = lowering.model_type(Ty::Int { bits, signed }, None);
        let value = lowering.convert(value, ty);
        let value = lowering.convert(value, super::INT);
        let ways = (0..1i64 << bits).map(|number| {
            let number = cut_off(number, bits, signed);
            let here = lowering.int(number);
            let is = lowering
                .program
                .exprs
                .binary(model::Binary::Eq, value, here);
            (Some(is), with(number))
        });
        Some(ways.collect())
    }
}

/// A number in so many bits.
fn cut_off(value: i64, bits: u8, signed: bool) -> i64 {
    let unused = 64 - u32::from(bits);
    if signed {
        value << unused >> unused
    } else {
        (value.cast_unsigned() << unused >> unused).cast_signed()
    }
}
