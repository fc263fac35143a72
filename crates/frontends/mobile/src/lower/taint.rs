//! Whether an argument carries what a variable holds.
//!
//! It does where the variable itself is passed. Whether its value comes there by another way is not
//! followed, so that such a rule never holds.

use model::{Expr, ExprId};
use source::Span;

use crate::policy::{Arguments, Variable};

use super::memory::Storage;
use super::value::Rvalue;
use super::{Key, Lowering};

impl Lowering<'_> {
    /// Whether one of the arguments carries a secret.
    pub(super) fn is_tainted(
        &mut self,
        of: &Arguments,
        arguments: &[&Rvalue],
        span: Span,
    ) -> ExprId {
        let policy = self.policy;
        let variables: &[Variable] = match of {
            Arguments::Of(variables) => variables,
            _ => &policy.high,
        };
        let direct = variables.iter().any(|variable| {
            arguments
                .iter()
                .any(|value| self.is_read_of(variable, value))
        });
        match arguments.is_empty() {
            true => self.pool().bool(false),
            false if direct => self.pool().bool(true),
            false => self.any_truth("whether an argument carries a secret", span, false),
        }
    }

    /// Whether a value is what a variable of the file holds.
    fn is_read_of(&mut self, variable: &Variable, value: &Rvalue) -> bool {
        let object = match variable.function {
            None => self.facts.ids.get(&Key::global(&variable.name)).copied(),
            Some(_) => None,
        };
        let (Some(object), Some(expr)) = (object, value.expr) else {
            return false;
        };
        let Expr::Load(from) = self.program.exprs.get(expr).clone() else {
            return false;
        };
        match self.storage(object) {
            Storage::Cells(places) => places.into_iter().flatten().any(|place| place == from),
            Storage::Array(place, _) => place.root == from.root,
            Storage::Literal(_) => false,
        }
    }
}
