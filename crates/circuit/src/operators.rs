//! The model's operators on words: the same results as `model::arithmetic`, bit by bit.

use model::{Binary, Type, Unary};

use crate::aig::{Aig, Lit};
use crate::words::Word;

/// The widest exact number: the interpreter has 128 bits and gives up beyond them.
const MAX_WIDTH: usize = 127;

impl Aig {
    /// An operator on one number, in a type.
    pub fn unary(&mut self, op: Unary, a: &Word, ty: &Type) -> Word {
        match (op, machine(ty)) {
            (Unary::Not, _) => {
                let zero = self.eq(a, &Word::constant(0));
                Word::truth(zero)
            }
            (Unary::Neg, Some((bits, signed))) => {
                let low = self.sub_low(&Word::constant(0), a, bits);
                Word::new(low, signed)
            }
            (Unary::Neg, None) => self.sub(&Word::constant(0), a),
            (Unary::BitNot, machine) => {
                // One bit more, so that the complement of what is not negative is.
                let width = a.width() + usize::from(!a.is_signed());
                let bits = a.low(width).into_iter().map(|bit| !bit).collect();
                let word = Word::new(bits, true);
                match machine {
                    Some((bits, signed)) => word.wrapped(bits, signed),
                    None => word.trimmed(),
                }
            }
        }
    }

    /// An operator on two numbers, in a type; comparisons give one bit. The divisor must not be
    /// zero. `None` where an exact result may leave the interpreter's 128 bits, or it is no
    /// operator on numbers.
    pub fn binary(&mut self, op: Binary, a: &Word, b: &Word, ty: &Type) -> Option<Word> {
        let machine = machine(ty);
        if let Some((bits, signed)) = machine {
            let low = match op {
                Binary::Add => Some(self.add_low(a, b, bits)),
                Binary::Sub => Some(self.sub_low(a, b, bits)),
                Binary::Mul => Some(self.mul_low(a, b, bits)),
                _ => None,
            };
            if let Some(low) = low {
                return Some(Word::new(low, signed));
            }
        }
        let exact = match op {
            Binary::Add => self.add(a, b),
            Binary::Sub => self.sub(a, b),
            Binary::Mul if a.width() + b.width() >= MAX_WIDTH => return None,
            Binary::Mul => self.mul(a, b),
            Binary::Div => self.div_rem(a, b).0,
            Binary::Rem => self.div_rem(a, b).1,
            Binary::BitAnd => self.bitwise(a, b, Aig::and),
            Binary::BitOr => self.bitwise(a, b, Aig::or),
            Binary::BitXor => self.bitwise(a, b, Aig::xor),
            Binary::Shl | Binary::Shr => {
                let (bits, _) = machine?;
                let count = self.modulo(b, u32::try_from(bits).ok()?);
                if op == Binary::Shl {
                    let low = self.shift_left(&a.low(bits), count.bits());
                    Word::new(low, false)
                } else {
                    let width = a.width().max(bits);
                    let moved = self.shift_right(&a.low(width), count.bits(), a.sign());
                    Word::new(moved, a.is_signed())
                }
            }
            Binary::Eq => Word::truth(self.eq(a, b)),
            Binary::Ne => Word::truth(!self.eq(a, b)),
            Binary::Lt => Word::truth(self.lt(a, b)),
            Binary::Le => Word::truth(self.le(a, b)),
            Binary::And | Binary::Or => {
                let (p, q) = (self.nonzero(a), self.nonzero(b));
                Word::truth(match op {
                    Binary::And => self.and(p, q),
                    _ => self.or(p, q),
                })
            }
            Binary::Offset => return None,
        };
        match machine {
            Some((bits, signed)) if !is_truth(op) => Some(exact.wrapped(bits, signed)),
            _ if exact.width() > MAX_WIDTH => None,
            _ => Some(exact),
        }
    }

    /// Whether a number is not zero.
    pub fn nonzero(&mut self, a: &Word) -> Lit {
        self.any(a.bits())
    }
}

fn is_truth(op: Binary) -> bool {
    matches!(
        op,
        Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::And | Binary::Or
    )
}

/// Width and sign of a machine integer.
fn machine(ty: &Type) -> Option<(usize, bool)> {
    match *ty {
        Type::Int { bits, signed } => Some((usize::from(bits), signed)),
        _ => None,
    }
}
