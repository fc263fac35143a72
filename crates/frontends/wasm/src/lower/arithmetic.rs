//! Instructions on numbers that always give a result, as expressions. Arithmetic wraps around; numbers
//! of both widths are kept as signed ones.

use model::{Binary, Expr, ExprId, ExprPool, Type, Unary, Value};
use wasmparser::Operator;

pub(super) const I32: Type = Type::INT32;
pub(super) const I64: Type = Type::Int {
    bits: 64,
    signed: true,
};
const U32: Type = Type::Int {
    bits: 32,
    signed: false,
};
const U64: Type = Type::Int {
    bits: 64,
    signed: false,
};

/// The number, if it is one.
pub(super) fn number(pool: &ExprPool, id: ExprId) -> Option<i128> {
    match pool.constant(id)? {
        Value::Int(value) => Some(*value),
        Value::Bool(value) => Some(i128::from(*value)),
        _ => None,
    }
}

/// Two operands, of constants at once.
pub(super) fn two(pool: &mut ExprPool, op: Binary, left: ExprId, right: ExprId) -> ExprId {
    match op {
        Binary::And => return pool.and(left, right),
        Binary::Or => return pool.or(left, right),
        Binary::Add | Binary::Sub if number(pool, right) == Some(0) => return left,
        _ => {}
    }
    let ty = pool.ty(left).clone();
    if let (Some(a), Some(b)) = (pool.constant(left), pool.constant(right))
        && let Some(value) = op.apply(a, b, &ty)
    {
        let ty = match value {
            Value::Bool(_) => Type::Bool,
            _ => ty,
        };
        return pool.value(value, ty);
    }
    pool.binary(op, left, right)
}

/// A value converted to a type.
pub(super) fn converted(pool: &mut ExprPool, value: ExprId, ty: &Type) -> ExprId {
    if pool.ty(value) == ty {
        return value;
    }
    match pool.constant(value) {
        Some(constant) => {
            let constant = constant.converted(ty);
            pool.value(constant, ty.clone())
        }
        None => pool.add(Expr::Convert(value), ty.clone()),
    }
}

/// One value or the other.
pub(super) fn either(pool: &mut ExprPool, cond: ExprId, then: ExprId, other: ExprId) -> ExprId {
    match pool.constant(cond) {
        Some(Value::Bool(true)) => then,
        Some(Value::Bool(false)) => other,
        _ if then == other => then,
        _ => {
            let ty = pool.ty(then).clone();
            pool.add(Expr::Ite(cond, then, other), ty)
        }
    }
}

/// Whether a number is not zero.
pub(super) fn truth(pool: &mut ExprPool, value: ExprId) -> ExprId {
    if let Expr::Convert(inner) = *pool.get(value)
        && *pool.ty(inner) == Type::Bool
    {
        return inner;
    }
    let ty = pool.ty(value).clone();
    let zero = pool.int(0, ty);
    two(pool, Binary::Ne, value, zero)
}

/// A 32-bit number as an address.
pub(super) fn address(pool: &mut ExprPool, value: ExprId) -> ExprId {
    let unsigned = converted(pool, value, &U32);
    converted(pool, unsigned, &I64)
}

/// The same bits without a sign.
pub(super) fn unsigned(pool: &mut ExprPool, value: ExprId) -> ExprId {
    let ty = match pool.ty(value) {
        Type::Int { bits: 64, .. } => U64,
        _ => U32,
    };
    converted(pool, value, &ty)
}

/// What an instruction gives; none if it is not one of these.
pub(super) fn result(
    pool: &mut ExprPool,
    operator: &Operator<'_>,
    args: &[ExprId],
) -> Option<ExprId> {
    if let [value] = *args {
        return one_operand(pool, operator, value);
    }
    let [left, right] = *args else {
        return None;
    };
    if let Some((op, swapped, is_unsigned)) = comparison(operator) {
        let (mut a, mut b) = match swapped {
            true => (right, left),
            false => (left, right),
        };
        if is_unsigned {
            (a, b) = (unsigned(pool, a), unsigned(pool, b));
        }
        let truth = two(pool, op, a, b);
        return Some(converted(pool, truth, &I32));
    }
    let op = match operator {
        Operator::I32Add | Operator::I64Add => Binary::Add,
        Operator::I32Sub | Operator::I64Sub => Binary::Sub,
        Operator::I32Mul | Operator::I64Mul => Binary::Mul,
        Operator::I32And | Operator::I64And => Binary::BitAnd,
        Operator::I32Or | Operator::I64Or => Binary::BitOr,
        Operator::I32Xor | Operator::I64Xor => Binary::BitXor,
        Operator::I32Shl | Operator::I64Shl => Binary::Shl,
        Operator::I32ShrS | Operator::I64ShrS => Binary::Shr,
        Operator::I32ShrU | Operator::I64ShrU => return Some(shift_right(pool, left, right)),
        Operator::I32Rotl | Operator::I64Rotl => return Some(rotated(pool, left, right, true)),
        Operator::I32Rotr | Operator::I64Rotr => return Some(rotated(pool, left, right, false)),
        _ => return None,
    };
    Some(match op {
        Binary::Shl | Binary::Shr => {
            let count = masked(pool, right);
            two(pool, op, left, count)
        }
        _ => two(pool, op, left, right),
    })
}

/// A comparison, whether its operands change places, and whether they are without a sign.
fn comparison(operator: &Operator<'_>) -> Option<(Binary, bool, bool)> {
    Some(match operator {
        Operator::I32Eq | Operator::I64Eq => (Binary::Eq, false, false),
        Operator::I32Ne | Operator::I64Ne => (Binary::Ne, false, false),
        Operator::I32LtS | Operator::I64LtS => (Binary::Lt, false, false),
        Operator::I32LtU | Operator::I64LtU => (Binary::Lt, false, true),
        Operator::I32GtS | Operator::I64GtS => (Binary::Lt, true, false),
        Operator::I32GtU | Operator::I64GtU => (Binary::Lt, true, true),
        Operator::I32LeS | Operator::I64LeS => (Binary::Le, false, false),
        Operator::I32LeU | Operator::I64LeU => (Binary::Le, false, true),
        Operator::I32GeS | Operator::I64GeS => (Binary::Le, true, false),
        Operator::I32GeU | Operator::I64GeU => (Binary::Le, true, true),
        _ => return None,
    })
}

fn one_operand(pool: &mut ExprPool, operator: &Operator<'_>, value: ExprId) -> Option<ExprId> {
    let narrow = |bits: u8| Type::Int { bits, signed: true };
    Some(match operator {
        Operator::I32Eqz | Operator::I64Eqz => {
            let truth = truth(pool, value);
            let not = pool.not(truth);
            converted(pool, not, &I32)
        }
        Operator::I32WrapI64 => converted(pool, value, &I32),
        Operator::I64ExtendI32S => converted(pool, value, &I64),
        Operator::I64ExtendI32U => address(pool, value),
        Operator::I32Extend8S | Operator::I64Extend8S => extended(pool, value, &narrow(8)),
        Operator::I32Extend16S | Operator::I64Extend16S => extended(pool, value, &narrow(16)),
        Operator::I64Extend32S => extended(pool, value, &narrow(32)),
        Operator::I32Popcnt | Operator::I64Popcnt => population(pool, value),
        Operator::I32Ctz | Operator::I64Ctz => {
            // The bits below the lowest that is set.
            let ty = pool.ty(value).clone();
            let one = pool.int(1, ty.clone());
            let less = two(pool, Binary::Sub, value, one);
            let ones = pool.int(-1, ty);
            let not = two(pool, Binary::BitXor, value, ones);
            let below = two(pool, Binary::BitAnd, not, less);
            population(pool, below)
        }
        Operator::I32Clz | Operator::I64Clz => leading_zeros(pool, value),
        _ => return None,
    })
}

fn extended(pool: &mut ExprPool, value: ExprId, narrow: &Type) -> ExprId {
    let ty = pool.ty(value).clone();
    let value = converted(pool, value, narrow);
    converted(pool, value, &ty)
}

fn width(pool: &ExprPool, value: ExprId) -> i128 {
    match pool.ty(value) {
        Type::Int { bits, .. } => i128::from(*bits),
        _ => 32,
    }
}

/// A count of a shift modulo the width.
fn masked(pool: &mut ExprPool, count: ExprId) -> ExprId {
    let mask = width(pool, count) - 1;
    let ty = pool.ty(count).clone();
    let mask = pool.int(mask, ty);
    two(pool, Binary::BitAnd, count, mask)
}

fn shift_right(pool: &mut ExprPool, value: ExprId, count: ExprId) -> ExprId {
    let ty = pool.ty(value).clone();
    let count = masked(pool, count);
    let (value, count) = (unsigned(pool, value), unsigned(pool, count));
    let shifted = two(pool, Binary::Shr, value, count);
    converted(pool, shifted, &ty)
}

fn rotated(pool: &mut ExprPool, value: ExprId, count: ExprId, left: bool) -> ExprId {
    let ty = pool.ty(value).clone();
    let count = masked(pool, count);
    let zero = pool.int(0, ty);
    let back = two(pool, Binary::Sub, zero, count);
    // A count of zero comes back as zero.
    let back = masked(pool, back);
    let (up, down) = match left {
        true => (count, back),
        false => (back, count),
    };
    let high = two(pool, Binary::Shl, value, up);
    let low = shift_right(pool, value, down);
    two(pool, Binary::BitOr, high, low)
}

/// How many bits are set: sums of pairs, of fours, and so on (H. S. Warren, *Hacker's Delight*).
fn population(pool: &mut ExprPool, value: ExprId) -> ExprId {
    let signed = pool.ty(value).clone();
    let mut value = unsigned(pool, value);
    let ty = pool.ty(value).clone();
    let bits = width(pool, value);
    let mut group = 1;
    while group < bits {
        // `group` ones and as many zeros, again and again.
        let ones = (1i128 << group) - 1;
        let mask = (0..bits)
            .step_by(2 * group as usize)
            .fold(0, |mask, at| mask | ones << at);
        let mask = pool.int(mask, ty.clone());
        let count = pool.int(group, ty.clone());
        let low = two(pool, Binary::BitAnd, value, mask);
        let high = two(pool, Binary::Shr, value, count);
        let high = two(pool, Binary::BitAnd, high, mask);
        value = two(pool, Binary::Add, low, high);
        group *= 2;
    }
    converted(pool, value, &signed)
}

/// All bits below the highest that is set are set, too; those that are not are counted.
fn leading_zeros(pool: &mut ExprPool, value: ExprId) -> ExprId {
    let signed = pool.ty(value).clone();
    let mut value = unsigned(pool, value);
    let ty = pool.ty(value).clone();
    let bits = width(pool, value);
    let mut shift = 1;
    while shift < bits {
        let count = pool.int(shift, ty.clone());
        let moved = two(pool, Binary::Shr, value, count);
        value = two(pool, Binary::BitOr, value, moved);
        shift *= 2;
    }
    let not = match pool
        .constant(value)
        .and_then(|value| Unary::BitNot.apply(value, &ty))
    {
        Some(constant) => pool.value(constant, ty),
        None => pool.unary(Unary::BitNot, value),
    };
    let count = population(pool, not);
    converted(pool, count, &signed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn computed(operator: &Operator<'_>, args: &[i128], ty: &Type) -> i128 {
        let mut pool = ExprPool::default();
        let args: Vec<ExprId> = args.iter().map(|&arg| pool.int(arg, ty.clone())).collect();
        let result = result(&mut pool, operator, &args).expect("it is one of them");
        number(&pool, result).expect("it is computed")
    }

    #[test]
    fn instructions_compute_what_rust_computes() {
        let values = [0, 1, -1, 5, 31, 32, 33, 1 << 20, i32::MIN, i32::MAX, -12345];
        for a in values {
            let of = |operator| computed(&operator, &[i128::from(a)], &I32);
            assert_eq!(of(Operator::I32Popcnt), i128::from(a.count_ones()), "{a}");
            assert_eq!(of(Operator::I32Ctz), i128::from(a.trailing_zeros()), "{a}");
            assert_eq!(of(Operator::I32Clz), i128::from(a.leading_zeros()), "{a}");
            assert_eq!(of(Operator::I32Extend8S), i128::from(a as i8), "{a}");
            for b in values {
                let of = |operator| computed(&operator, &[i128::from(a), i128::from(b)], &I32);
                let count = b as u32 & 31;
                assert_eq!(of(Operator::I32Rotl), i128::from(a.rotate_left(count)));
                assert_eq!(of(Operator::I32Rotr), i128::from(a.rotate_right(count)));
                assert_eq!(of(Operator::I32Shl), i128::from(a.wrapping_shl(count)));
                assert_eq!(of(Operator::I32ShrS), i128::from(a.wrapping_shr(count)));
                let unsigned = (a as u32).wrapping_shr(count) as i32;
                assert_eq!(of(Operator::I32ShrU), i128::from(unsigned), "{a} >> {b}");
                assert_eq!(of(Operator::I32Mul), i128::from(a.wrapping_mul(b)));
                assert_eq!(of(Operator::I32LtU), i128::from((a as u32) < b as u32));
                assert_eq!(of(Operator::I32GeS), i128::from(a >= b));
            }
            let wide = i64::from(a) << 17 ^ 77;
            let of = |operator| computed(&operator, &[i128::from(wide)], &I64);
            assert_eq!(of(Operator::I64Clz), i128::from(wide.leading_zeros()));
            assert_eq!(of(Operator::I64Ctz), i128::from(wide.trailing_zeros()));
            assert_eq!(of(Operator::I32WrapI64), i128::from(wide as i32));
        }
    }
}
