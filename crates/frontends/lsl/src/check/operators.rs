//! Which types operators take, and what they yield.
//!
//! The rules are Linden Lab's, as tailslide's `types.cc` lists them; here they
//! are stated as cases instead of a table, and tested against the full product
//! of types and operators written out as a table.

use crate::ast::{BinaryOp, UnaryOp};
use crate::types::Type;

/// The types around a binary operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BinaryTypes {
    /// What the left operand is converted to.
    pub left: Type,
    /// What the right operand is converted to.
    pub right: Type,
    /// The result.
    pub result: Type,
}

/// Whether a value of type `from` may stand where `to` is wanted, without a cast.
#[must_use]
pub fn converts(from: Type, to: Type) -> bool {
    from == to || (from == Type::Integer && to == Type::Float) || (from.is_text() && to.is_text())
}

/// Whether `(to)value` exists for a value of type `from`.
#[must_use]
pub fn can_cast(from: Type, to: Type) -> bool {
    from == to
        || to == Type::String
        || to == Type::List
        || from == Type::String
        || (from.is_number() && to.is_number())
}

/// The type of `op operand`; `None` if the operator does not take the operand.
#[must_use]
pub fn unary(op: UnaryOp, operand: Type) -> Option<Type> {
    let taken = match op {
        UnaryOp::Negate => matches!(
            operand,
            Type::Integer | Type::Float | Type::Vector | Type::Rotation
        ),
        UnaryOp::Not | UnaryOp::BitNot => operand == Type::Integer,
    };
    taken.then_some(operand)
}

/// The types around `left op right`; `None` if the operator does not take them.
#[must_use]
pub fn binary(op: BinaryOp, left: Type, right: Type) -> Option<BinaryTypes> {
    use BinaryOp as O;
    use Type::{Float, Integer, Key, List, Rotation, String, Vector};
    let keep = |result| {
        Some(BinaryTypes {
            left,
            right,
            result,
        })
    };
    let convert = |left, right, result| {
        Some(BinaryTypes {
            left,
            right,
            result,
        })
    };
    let same = left == right;
    match op {
        O::Add if left == List || right == List => keep(List),
        O::Add | O::Subtract | O::Multiply | O::Divide | O::Remainder
            if left == Integer && right == Integer =>
        {
            keep(Integer)
        }
        O::Add | O::Subtract | O::Multiply | O::Divide if left.is_number() && right.is_number() => {
            convert(Float, Float, Float)
        }
        O::Add if same && left == String => keep(String),
        O::Add | O::Subtract if same && matches!(left, Vector | Rotation) => keep(left),
        O::Multiply if left.is_number() && right == Vector => convert(Float, Vector, Vector),
        O::Multiply | O::Divide if left == Vector && right.is_number() => {
            convert(Vector, Float, Vector)
        }
        O::Multiply if left == Vector && right == Vector => keep(Float),
        O::Multiply | O::Divide if left == Vector && right == Rotation => keep(Vector),
        O::Multiply | O::Divide if left == Rotation && right == Rotation => keep(Rotation),
        O::Remainder if left == Vector && right == Vector => keep(Vector),
        O::Less | O::LessEqual | O::Greater | O::GreaterEqual | O::Equal | O::NotEqual
            if left.is_number() && right.is_number() =>
        {
            let wider = if same { left } else { Float };
            convert(wider, wider, Integer)
        }
        O::Equal | O::NotEqual if same => keep(Integer),
        // A string compared with a key counts as a key: the texts are compared.
        O::Equal | O::NotEqual if left.is_text() && right.is_text() => convert(Key, Key, Integer),
        O::BitAnd | O::BitOr | O::BitXor | O::ShiftLeft | O::ShiftRight | O::And | O::Or
            if left == Integer && right == Integer =>
        {
            keep(Integer)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Letters of the types, in the order of [`Type::ALL`].
    const LETTERS: &str = "ifskvrl";

    fn letter(ty: Type) -> char {
        let index = Type::ALL.iter().position(|&other| other == ty).unwrap();
        LETTERS.chars().nth(index).unwrap()
    }

    const OPERATORS: [BinaryOp; 18] = [
        BinaryOp::Add,
        BinaryOp::Subtract,
        BinaryOp::Multiply,
        BinaryOp::Divide,
        BinaryOp::Remainder,
        BinaryOp::ShiftLeft,
        BinaryOp::ShiftRight,
        BinaryOp::Less,
        BinaryOp::LessEqual,
        BinaryOp::Greater,
        BinaryOp::GreaterEqual,
        BinaryOp::Equal,
        BinaryOp::NotEqual,
        BinaryOp::BitAnd,
        BinaryOp::BitXor,
        BinaryOp::BitOr,
        BinaryOp::And,
        BinaryOp::Or,
    ];

    /// All triples left, right, result that an operator has, as the source
    /// lists them.
    fn listed(op: BinaryOp) -> &'static str {
        match op.symbol() {
            "+" => {
                "iii iff fif fff sss vvv rrr lil lfl lsl lkl lvl lrl lll ill fll sll kll vll rll"
            }
            "-" => "iii iff fif fff vvv rrr",
            "*" => "iii iff ivv fif fff fvv viv vfv vvf vrv rrr",
            "/" => "iii iff fif fff viv vfv vrv rrr",
            "%" => "iii vvv",
            "<" | "<=" | ">" | ">=" => "iii ifi fii ffi",
            "==" | "!=" => "iii ifi fii ffi vvi rri ssi ski ksi kki lli",
            "<<" | ">>" | "&" | "^" | "|" | "&&" | "||" => "iii",
            other => panic!("no rules for {other}"),
        }
    }

    #[test]
    fn binary_operators_take_exactly_the_listed_types() {
        for op in OPERATORS {
            let mut found: Vec<String> = Vec::new();
            for left in Type::ALL {
                for right in Type::ALL {
                    if let Some(types) = binary(op, left, right) {
                        found.push([left, right, types.result].map(letter).iter().collect());
                        assert!(
                            left == types.left || converts(left, types.left),
                            "{op:?} {left} {right}"
                        );
                        assert!(
                            right == types.right || converts(right, types.right),
                            "{op:?} {left} {right}"
                        );
                    }
                }
            }
            found.sort();
            let mut expected: Vec<&str> = listed(op).split(' ').collect();
            expected.sort_unstable();
            assert_eq!(found, expected, "{}", op.symbol());
        }
    }

    #[test]
    fn casts_and_conversions_are_exactly_the_listed_ones() {
        let pairs = |allowed: fn(Type, Type) -> bool| -> Vec<String> {
            Type::ALL
                .iter()
                .flat_map(|&from| Type::ALL.map(|to| (from, to)))
                .filter(|&(from, to)| allowed(from, to))
                .map(|(from, to)| [from, to].map(letter).iter().collect())
                .collect()
        };
        assert_eq!(
            pairs(can_cast).join(" "),
            "ii if is il fi ff fs fl si sf ss sk sv sr sl ks kk kl vs vv vl rs rr rl ls ll"
        );
        assert_eq!(pairs(converts).join(" "), "ii if ff ss sk ks kk vv rr ll");
    }

    #[test]
    fn unary_operators_take_exactly_the_listed_types() {
        let taken = |op| -> String {
            Type::ALL
                .into_iter()
                .filter(|&ty| unary(op, ty).is_some())
                .map(letter)
                .collect()
        };
        assert_eq!(taken(UnaryOp::Negate), "ifvr");
        assert_eq!(taken(UnaryOp::Not), "i");
        assert_eq!(taken(UnaryOp::BitNot), "i");
    }
}
