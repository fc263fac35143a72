//! Expressions of properties: no effects, and names that only properties have.

use model::{ExprId, Program};

use super::Lowered;
use super::code::{Coder, Unit};
use super::{Input, survey::Survey};
use crate::ast;
use crate::check::Checked;
use crate::watch::{Bounds, Watch};

/// What a property's expression may name beside the script's own.
///
/// Numbers are those of [`Resolution::Extra`](crate::check::Resolution::Extra).
pub trait Extras {
    /// What stands for a script variable, such as its value before the event; `None` for the
    /// variable itself.
    fn global(&self, program: &mut Program, global: ast::GlobalId) -> Option<ExprId> {
        let _ = (program, global);
        None
    }

    /// The value of an extra variable or of a word applied to a name, in the model type of its
    /// LSL type: 32-bit integers for `integer`, rich values for all others. A truth value of the
    /// model may stand for an `integer`.
    fn variable(&self, program: &mut Program, number: u32) -> Option<ExprId>;

    /// The value of a call of an extra function.
    fn call(
        &self,
        pure: &mut Pure<'_, '_>,
        number: u32,
        arguments: &[ast::ExprId],
    ) -> Option<ExprId>;
}

/// Lowers parts of an expression for an [`Extras::call`].
pub struct Pure<'p, 'c> {
    pub(crate) coder: &'p mut Coder<'c>,
}

impl Pure<'_, '_> {
    /// The value of an argument, as the call wants it.
    pub fn value(&mut self, argument: ast::ExprId) -> ExprId {
        let value = self.coder.value(argument);
        match self.coder.seen_type(argument) {
            crate::Type::Integer => self.coder.build.as_int(value),
            _ => value,
        }
    }

    /// The truth of an argument.
    pub fn truth(&mut self, argument: ast::ExprId) -> ExprId {
        self.coder.condition(argument)
    }

    /// The program.
    pub fn program(&mut self) -> &mut Program {
        &mut self.coder.build.program
    }

    /// The value of an argument, with other extras.
    pub fn value_with(&mut self, argument: ast::ExprId, extras: &dyn Extras) -> ExprId {
        let mut coder = Coder::new(
            self.coder.input,
            self.coder.build,
            self.coder.procedures,
            Unit::Pure,
        );
        coder.extras = Some(extras);
        let value = coder.value(argument);
        match coder.seen_type(argument) {
            crate::Type::Integer => coder.build.as_int(value),
            _ => value,
        }
    }
}

/// What is wanted of an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Value,
    Stored(crate::Type),
    Truth,
}

impl Lowered {
    /// A checked expression without effects as a value: a 32-bit integer for `integer`, a rich
    /// value for all other types; as the place around it sees it (converted if need be).
    ///
    /// Calls of library functions that read facts about the world (`llGetInventoryType`,
    /// `llGetOwner`) read those that [`Watch`] or the script asked for. What cannot be lowered,
    /// effects among it, is reported in [`Lowered::diagnostics`].
    pub fn pure(&mut self, checked: &Checked, expr: ast::ExprId, extras: &dyn Extras) -> ExprId {
        self.lower_pure(checked, expr, extras, Wanted::Value)
    }

    /// The same, as it is stored in a variable of type `ty`.
    pub fn pure_stored(
        &mut self,
        checked: &Checked,
        expr: ast::ExprId,
        ty: crate::Type,
        extras: &dyn Extras,
    ) -> ExprId {
        self.lower_pure(checked, expr, extras, Wanted::Stored(ty))
    }

    /// The truth of a checked expression without effects, of any type, as a truth value.
    pub fn truth(&mut self, checked: &Checked, expr: ast::ExprId, extras: &dyn Extras) -> ExprId {
        self.lower_pure(checked, expr, extras, Wanted::Truth)
    }

    fn lower_pure(
        &mut self,
        checked: &Checked,
        expr: ast::ExprId,
        extras: &dyn Extras,
        wanted: Wanted,
    ) -> ExprId {
        std::mem::swap(&mut self.build.program, &mut self.program);
        let survey = Survey::of(checked);
        let (watch, bounds) = (Watch::default(), Bounds::default());
        let input = Input {
            checked,
            watch: &watch,
            bounds: &bounds,
            survey: &survey,
            delivery: super::Delivery::Lazy,
            member: None,
        };
        let mut coder = Coder::new(input, &mut self.build, &[], Unit::Pure);
        coder.extras = Some(extras);
        if survey.needs_control(expr) || assigns(checked, expr) {
            coder.complain(expr, "an expression of a property must not have effects");
        }
        let value = match wanted {
            Wanted::Value => {
                let value = coder.value(expr);
                match coder.seen_type(expr) {
                    crate::Type::Integer => coder.build.as_int(value),
                    _ => value,
                }
            }
            Wanted::Stored(ty) => coder.stored_value(expr, ty),
            Wanted::Truth => coder.condition(expr),
        };
        std::mem::swap(&mut self.build.program, &mut self.program);
        self.diagnostics.append(&mut self.build.diagnostics);
        value
    }
}

/// Whether something is assigned to in the expression.
fn assigns(checked: &Checked, expr: ast::ExprId) -> bool {
    let mut pending = vec![expr];
    while let Some(id) = pending.pop() {
        if matches!(
            checked.ast.expr(id).kind,
            ast::ExprKind::Assign { .. } | ast::ExprKind::Step { .. }
        ) {
            return true;
        }
        super::parts::for_each_operand(&checked.ast, id, |operand| pending.push(operand));
    }
    false
}
