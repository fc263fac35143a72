//! Where values are kept: how many bits a type takes, and which of them ever change.
//!
//! A number of a range is kept as it is, in two's complement, not as a distance from the lower
//! end: comparisons and sums then need no correction. Bits that are the same for all numbers of
//! the range are constants.

use model::{Expr, ExprId, Program, Type};

use super::bits::Bits;
use super::{Encoding, Unsupported};
use crate::aig::{Aig, Lit};
use crate::words::Word;

/// Bits of the number of a rich value.
pub(super) const RICH_WIDTH: usize = 8;

/// Bits of a mathematical integer that is remembered. One that needs more is a limit of the
/// circuit, not a fault of the program.
pub(super) const MATHINT_WIDTH: usize = 48;

/// Whether values of a type may be wider than what is kept of them.
pub(super) fn is_cut(program: &Program, ty: &Type) -> bool {
    match ty {
        Type::Mathint | Type::Channel | Type::Instance | Type::Procedure => true,
        // Members come from constants and copies, unless a number is made one.
        Type::Enum(_) => {
            let mut all = (0..program.exprs.len()).map(ExprId::new);
            all.any(|id| {
                matches!(program.exprs.get(id), Expr::Convert(_)) && program.exprs.ty(id) == ty
            })
        }
        Type::Array(item, _) => is_cut(program, item),
        Type::Record(id) => {
            let fields = &program.records[id.index()].fields;
            fields.iter().any(|(_, ty)| is_cut(program, ty))
        }
        _ => false,
    }
}

impl Encoding<'_> {
    /// A value of a type with a fresh bit from `fresh` wherever values differ.
    pub(super) fn fresh(
        &mut self,
        ty: &Type,
        name: &str,
        fresh: &mut impl FnMut(&mut Self, String) -> Lit,
    ) -> Result<Bits, Unsupported> {
        if let Type::Array(item, length) = ty {
            let items = (0..*length).map(|i| self.fresh(item, &format!("{name}[{i}]"), fresh));
            return Ok(Bits::Tuple(items.collect::<Result<_, _>>()?));
        }
        if let Type::Record(id) = ty {
            let program = self.program;
            let fields = program.records[id.index()].fields.iter();
            let items = fields.map(|(field, ty)| self.fresh(ty, &format!("{name}.{field}"), fresh));
            return Ok(Bits::Tuple(items.collect::<Result<_, _>>()?));
        }
        if *ty == Type::Bool {
            return Ok(Bits::Bool(fresh(self, name.to_owned())));
        }
        if *ty == Type::Rich {
            let bits = (0..RICH_WIDTH).map(|bit| fresh(self, format!("{name}.{bit}")));
            return Ok(Bits::Rich(Word::new(bits.collect(), false)));
        }
        let Some((low, high)) = number_bounds(self.program, ty) else {
            return Err(Unsupported::new(format!("`{name}`, {}", described(ty))));
        };
        let signed = low < 0;
        let width = width_for(low, high);
        // Above the highest place in which the ends differ, all numbers between are alike.
        let open = 128 - (low ^ high).leading_zeros() as usize;
        let bits = (0..width).map(|place| {
            if place < open {
                fresh(self, format!("{name}.{place}"))
            } else {
                Lit::constant(low >> place & 1 == 1)
            }
        });
        Ok(Bits::Word(Word::new(bits.collect(), signed)))
    }

    /// Whether bits that a type's value was given are one of its values.
    pub(super) fn is_valid(&mut self, ty: &Type, bits: &Bits) -> Lit {
        match (ty, bits) {
            (Type::Array(item, _), Bits::Tuple(items)) => {
                let valid: Vec<Lit> = items.iter().map(|i| self.is_valid(item, i)).collect();
                self.circuit.aig.all(&valid)
            }
            (Type::Record(id), Bits::Tuple(items)) => {
                let program = self.program;
                let fields = program.records[id.index()].fields.iter().zip(items);
                let valid: Vec<Lit> = fields.map(|((_, ty), i)| self.is_valid(ty, i)).collect();
                self.circuit.aig.all(&valid)
            }
            (_, Bits::Word(word)) => match number_bounds(self.program, ty) {
                Some((low, high)) => is_within(&mut self.circuit.aig, low, word, high),
                None => Lit::TRUE,
            },
            _ => Lit::TRUE,
        }
    }
}

/// Whether a number lies between constants; nothing is built where its width says so.
pub(super) fn is_within(aig: &mut Aig, low: i128, word: &Word, high: i128) -> Lit {
    let width = word.width();
    let (least, most) = match (word.is_signed(), width) {
        (_, 100..) => (i128::MIN, i128::MAX),
        (false, _) => (0, (1i128 << width) - 1),
        (true, _) => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
    };
    let above = match low <= least {
        true => Lit::TRUE,
        false => aig.le(&Word::constant(low), word),
    };
    let below = match most <= high {
        true => Lit::TRUE,
        false => aig.le(word, &Word::constant(high)),
    };
    aig.and(above, below)
}

/// The least and greatest number of a type.
pub(super) fn number_bounds(program: &Program, ty: &Type) -> Option<(i128, i128)> {
    match ty {
        Type::Enum(id) => {
            let members = program.enums[id.index()].members.len();
            Some((0, (members as i128 - 1).max(0)))
        }
        Type::Channel => Some((0, program.channels.len() as i128)),
        Type::Instance => Some((-1, program.start.len() as i128)),
        Type::Procedure => {
            let processes = program.processes.iter();
            let most = processes.map(|process| process.procedures.len()).max();
            Some((0, most.unwrap_or(0) as i128))
        }
        Type::Mathint => Some((-(1 << (MATHINT_WIDTH - 1)), (1 << (MATHINT_WIDTH - 1)) - 1)),
        _ => ty.bounds(),
    }
}

/// The bits that numbers between two take, with a sign if the lower is negative.
fn width_for(low: i128, high: i128) -> usize {
    let ends = [Word::constant(low), Word::constant(high)];
    let signed = low < 0;
    let width = |end: &Word| end.width() + usize::from(signed && !end.is_signed());
    ends.iter().map(width).max().unwrap_or(0)
}

fn described(ty: &Type) -> &'static str {
    match ty {
        Type::Pointer(_) => "a pointer",
        _ => "a value of this type",
    }
}
