//! Conversions between types.

use model::{Binary, ExprId, Type};
use source::Span;

use crate::ctype::CType;

use super::Lowering;
use super::build::Build;
use super::pointer::{FIRST, NULL, NUMBER, POINTER, base, only};
use super::value::Rvalue;

impl Lowering<'_> {
    /// A value converted to a type, as by assignment or a cast.
    pub(super) fn convert(&mut self, value: Rvalue, to: &CType, span: Span) -> Rvalue {
        if value.ty == *to {
            return value;
        }
        match (&value.ty, to) {
            (CType::Record(_), _) | (_, CType::Record(_)) => Rvalue {
                ty: to.clone(),
                ..value
            },
            (_, CType::Void) => Rvalue::unknown(CType::Void),
            (_, CType::Float(_)) => Rvalue::unknown(to.clone()),
            (CType::Pointer(from), CType::Pointer(target)) => {
                self.shapes(&value.pts, target);
                let is_new = |&object: &usize| object >= FIRST && self.known(object).site.is_some();
                let whole = **from == CType::Void && value.pts.iter().all(is_new);
                self.facts.casts |=
                    matches!(**target, CType::Record(_)) && from != target && !whole;
                Rvalue {
                    ty: to.clone(),
                    ..value
                }
            }
            (CType::Pointer(_), CType::Bool) => {
                let truth = self.truth(&value, span);
                self.truth_as(truth, to)
            }
            (CType::Pointer(_), CType::Int { .. }) => self.number_of(&value, to, span),
            (CType::Int { .. } | CType::Bool, CType::Pointer(_)) => {
                self.pointer_of(&value, to, span)
            }
            (CType::Int { .. } | CType::Bool, CType::Bool) => {
                let truth = self.truth(&value, span);
                self.truth_as(truth, to)
            }
            (CType::Int { .. } | CType::Bool, CType::Int { .. }) => {
                let ty = to.model().expect("integers are followed");
                let expr = value.expr.map(|expr| self.pool().converted(expr, &ty));
                Rvalue {
                    ty: to.clone(),
                    expr,
                    ..value
                }
            }
            // What a floating-point number is cannot be told.
            (CType::Float(_), CType::Int { .. } | CType::Bool) => {
                let ty = to.model().expect("integers are followed");
                let mut expr = self.any(&ty, "a floating-point number", span, false);
                if *to == CType::Bool {
                    let one = self.pool().int(1, ty.clone());
                    expr = self.pool().two(Binary::BitAnd, expr, one);
                }
                Rvalue::number(to.clone(), expr)
            }
            _ => {
                self.sink("a conversion that is not followed", span);
                self.zero(to)
            }
        }
    }

    /// A value of the type that is used only where no run is.
    pub(super) fn zero(&mut self, ty: &CType) -> Rvalue {
        match ty.model() {
            Some(model) => {
                let zero = self.pool().int(0, model);
                Rvalue::number(ty.clone(), zero)
            }
            None => Rvalue::unknown(ty.clone()),
        }
    }

    /// A truth value as a number of a type.
    pub(super) fn truth_as(&mut self, truth: ExprId, ty: &CType) -> Rvalue {
        let model = ty.model().expect("numbers are followed");
        let expr = self.pool().converted(truth, &model);
        Rvalue::number(ty.clone(), expr)
    }

    /// Whether a value is not zero.
    pub(super) fn truth(&mut self, value: &Rvalue, span: Span) -> ExprId {
        match (&value.ty, value.expr) {
            (CType::Pointer(_), Some(pointer)) => {
                self.set_checked(pointer, &value.pts, span);
                let null = self.is_null(pointer);
                self.pool().not(null)
            }
            (CType::Int { .. } | CType::Bool, Some(number)) => {
                // A comparison that was made a number is a comparison again.
                if let model::Expr::Convert(inner) = *self.program.exprs.get(number)
                    && *self.program.exprs.ty(inner) == Type::Bool
                {
                    return inner;
                }
                let ty = self.program.exprs.ty(number).clone();
                let zero = self.pool().int(0, ty);
                self.pool().two(Binary::Ne, number, zero)
            }
            (CType::Float(_), _) => self.any_truth("a floating-point number", span, false),
            _ => {
                self.sink("a condition that is not followed", span);
                self.pool().bool(false)
            }
        }
    }

    fn number_of(&mut self, value: &Rvalue, to: &CType, span: Span) -> Rvalue {
        let (Some(pointer), Some(ty)) = (value.expr, to.model()) else {
            return self.zero(to);
        };
        self.set_checked(pointer, &value.pts, span);
        let number = self.number_in(pointer, &ty);
        if value
            .pts
            .iter()
            .all(|&object| object == NUMBER || object == NULL)
        {
            return Rvalue::number(to.clone(), number);
        }
        let into = self.is_into(pointer, NUMBER);
        let null = self.is_null(pointer);
        let known = self.pool().two(Binary::Or, into, null);
        let address = self.any(&ty, "the address of an object", span, false);
        let number = self.pool().either(known, number, address);
        Rvalue::number(to.clone(), number)
    }

    fn pointer_of(&mut self, value: &Rvalue, to: &CType, span: Span) -> Rvalue {
        let Some(number) = value.expr else {
            return self.zero(to);
        };
        if self.program.exprs.number(number) == Some(0) {
            let null = self.pointer(NULL, 0);
            return Rvalue::number(to.clone(), null);
        }
        let ty = self.program.exprs.ty(number).clone();
        if let Type::Int { bits: 34.., .. } = ty
            && !self.is_widened(number)
        {
            self.sink_unless_narrow(number, &ty, span);
        }
        let offset = Type::Int {
            bits: 33,
            signed: false,
        };
        let offset = self.pool().converted(number, &offset);
        let offset = self.pool().converted(offset, &POINTER);
        let first = self.pool().int(base(NUMBER), POINTER);
        let pointer = self.pool().two(Binary::Add, first, offset);
        let zero = self.pool().int(0, ty);
        let is_zero = self.pool().two(Binary::Eq, number, zero);
        let null = self.pointer(NULL, 0);
        let pointer = self.pool().either(is_zero, null, pointer);
        Rvalue {
            ty: to.clone(),
            expr: Some(pointer),
            pts: only(NUMBER),
            at: None,
        }
    }

    /// Whether a number was narrow before it was converted to a wide type.
    fn is_widened(&self, number: ExprId) -> bool {
        match *self.program.exprs.get(number) {
            model::Expr::Convert(inner) => {
                let ty = self.program.exprs.ty(inner);
                matches!(ty, Type::Bool | Type::Int { bits: 0..=32, .. })
            }
            _ => self
                .program
                .exprs
                .number(number)
                .is_some_and(|n| n.abs() < 1 << 32),
        }
    }

    /// Numbers of 64 bits are kept in pointers as far as 33 bits hold them.
    fn sink_unless_narrow(&mut self, number: ExprId, ty: &Type, span: Span) {
        let narrow = Type::Int {
            bits: 33,
            signed: true,
        };
        let there = self.pool().converted(number, &narrow);
        let back = self.pool().converted(there, ty);
        let lost = self.pool().two(Binary::Ne, back, number);
        self.sink_if(lost, "a pointer that is made of a large number", span);
    }
}
