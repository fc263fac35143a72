//! Expressions with their constants computed.

use model::{Binary, Expr, ExprId, ExprPool, Type, Value};

/// What is computed at once where the operands are known.
pub(super) trait Build {
    /// The number, if it is one.
    fn number(&self, id: ExprId) -> Option<i128>;
    /// Two operands of one type; comparisons give truth values.
    fn two(&mut self, op: Binary, left: ExprId, right: ExprId) -> ExprId;
    /// A value converted to a type.
    fn converted(&mut self, value: ExprId, ty: &Type) -> ExprId;
    /// One value or the other, of the same type.
    fn either(&mut self, cond: ExprId, then: ExprId, otherwise: ExprId) -> ExprId;
}

impl Build for ExprPool {
    fn number(&self, id: ExprId) -> Option<i128> {
        match self.constant(id)? {
            Value::Int(value) => Some(*value),
            Value::Bool(value) => Some(i128::from(*value)),
            _ => None,
        }
    }

    fn two(&mut self, op: Binary, left: ExprId, right: ExprId) -> ExprId {
        match op {
            // Nothing that is lowered faults, so that either side may be left out.
            Binary::And if self.number(right) == Some(0) => return right,
            Binary::Or if self.number(right) == Some(1) => return right,
            Binary::And => return self.and(left, right),
            Binary::Or => return self.or(left, right),
            _ => {}
        }
        let (Some(a), Some(b)) = (self.number(left), self.number(right)) else {
            return self.binary(op, left, right);
        };
        match op {
            Binary::Eq => self.bool(a == b),
            Binary::Ne => self.bool(a != b),
            Binary::Lt => self.bool(a < b),
            Binary::Le => self.bool(a <= b),
            _ => {
                let ty = self.ty(left).clone();
                let value = match op {
                    Binary::Add => a + b,
                    Binary::Sub => a - b,
                    // 64 bits times 64 bits fit.
                    Binary::Mul => a.wrapping_mul(b),
                    Binary::Div if b != 0 => a / b,
                    Binary::Rem if b != 0 => a % b,
                    Binary::BitAnd => a & b,
                    Binary::BitOr => a | b,
                    Binary::BitXor => a ^ b,
                    Binary::Shl if is_below_width(b, &ty) => a.wrapping_shl(low(b)),
                    Binary::Shr if is_below_width(b, &ty) => a.wrapping_shr(low(b)),
                    _ => return self.binary(op, left, right),
                };
                self.int(ty.wrap(value), ty)
            }
        }
    }

    fn converted(&mut self, value: ExprId, ty: &Type) -> ExprId {
        if self.ty(value) == ty {
            return value;
        }
        match (self.number(value), ty) {
            (Some(number), Type::Bool) => self.bool(number != 0),
            (Some(number), _) => self.int(ty.wrap(number), ty.clone()),
            _ => self.add(Expr::Convert(value), ty.clone()),
        }
    }

    fn either(&mut self, cond: ExprId, then: ExprId, otherwise: ExprId) -> ExprId {
        match self.constant(cond) {
            Some(Value::Bool(true)) => then,
            Some(Value::Bool(false)) => otherwise,
            _ if then == otherwise => then,
            _ => {
                let ty = self.ty(then).clone();
                self.add(Expr::Ite(cond, then, otherwise), ty)
            }
        }
    }
}

/// A count of a shift that is less than 64.
fn low(count: i128) -> u32 {
    u32::try_from(count).unwrap_or(0)
}

/// Whether a count is less than the width of a type, so that nothing is taken modulo it.
fn is_below_width(count: i128, ty: &Type) -> bool {
    matches!(ty, Type::Int { bits, .. } if (0..i128::from(*bits)).contains(&count))
}
