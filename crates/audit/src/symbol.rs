//! Values that are not known: truth values as literals, numbers as bits, arrays and records as
//! their parts.

use model::{Program, Type, Value};
use solver::Literal;

use crate::Rejected;
use crate::gates::Gates;
use crate::number::Number;

/// How wide mathematical integers of a state are taken to be. That none leaves them is checked
/// wherever one is stored.
pub const MATHINT: usize = 96;

/// Interned values stand for their numbers in the table.
const RICH: usize = 33;

/// A value that may not be known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Symbol {
    Bool(Literal),
    Number(Number),
    Tuple(Vec<Symbol>),
}

impl Symbol {
    pub(crate) fn truth(&self) -> Literal {
        match self {
            Symbol::Bool(literal) => *literal,
            other => panic!("internal error: {other:?} is not a truth value"),
        }
    }
}

impl Gates {
    /// A value of the program.
    pub(crate) fn value(&self, value: &Value) -> Result<Symbol, Rejected> {
        Ok(match value {
            Value::Bool(b) => Symbol::Bool(self.constant(*b)),
            Value::Int(n) => Symbol::Number(self.number(*n)),
            Value::Rich(id) => Symbol::Number(self.number(id.0.into())),
            Value::Tuple(items) => Symbol::Tuple(
                items
                    .iter()
                    .map(|item| self.value(item))
                    .collect::<Result<_, _>>()?,
            ),
            Value::Pointer(_) | Value::Procedure(_) => {
                return Err(Rejected::unsupported("pointers"));
            }
        })
    }

    /// The value that a symbol of a type stands for, if it is known.
    pub(crate) fn known_value(&self, symbol: &Symbol, ty: &Type) -> Option<Value> {
        Some(match (symbol, ty) {
            (Symbol::Bool(literal), _) => Value::Bool(self.known(*literal)?),
            (Symbol::Number(number), Type::Rich) => {
                let id = u32::try_from(self.known_number(number)?).ok()?;
                Value::Rich(model::RichId(id))
            }
            (Symbol::Number(number), _) => Value::Int(self.known_number(number)?),
            (Symbol::Tuple(_), _) => return None,
        })
    }

    /// The type's zero.
    pub(crate) fn zero(&self, program: &Program, ty: &Type) -> Result<Symbol, Rejected> {
        let zero = program.zero(ty);
        self.value(&zero)
    }

    /// Any value of a type.
    pub(crate) fn any_of(&mut self, program: &Program, ty: &Type) -> Result<Symbol, Rejected> {
        let between = |gates: &mut Self, lo: i128, hi: i128| {
            let width = gates.number(lo).width().max(gates.number(hi).width());
            let number = gates.fresh_number(width);
            let within = gates.within(&number, lo, hi);
            gates.clause(&[within]);
            Symbol::Number(number)
        };
        Ok(match ty {
            Type::Bool => Symbol::Bool(self.fresh()),
            Type::Int { bits, .. } => {
                let number = self.fresh_number(usize::from(*bits));
                Symbol::Number(self.wrap(&number, ty))
            }
            Type::Range { lo, hi } => between(self, (*lo).into(), (*hi).into()),
            Type::Mathint => Symbol::Number(self.fresh_number(MATHINT)),
            Type::Enum(id) => {
                let count = program.enums[id.index()].members.len();
                between(self, 0, count as i128 - 1)
            }
            Type::Rich => {
                let mut number = self.fresh_number(RICH);
                number.0[RICH - 1] = self.constant(false);
                Symbol::Number(number)
            }
            Type::Array(element, length) => Symbol::Tuple(
                (0..*length)
                    .map(|_| self.any_of(program, element))
                    .collect::<Result<_, _>>()?,
            ),
            Type::Record(id) => Symbol::Tuple(
                program.records[id.index()]
                    .fields
                    .iter()
                    .map(|(_, ty)| self.any_of(program, ty))
                    .collect::<Result<_, _>>()?,
            ),
            Type::Channel | Type::Instance => {
                let bits = Type::Int {
                    bits: 32,
                    signed: true,
                };
                return self.any_of(program, &bits);
            }
            Type::Pointer(_) | Type::Procedure => {
                return Err(Rejected::unsupported("pointers"));
            }
        })
    }

    /// A number, or a truth value as one.
    pub(crate) fn as_number(&self, symbol: &Symbol) -> Number {
        match symbol {
            Symbol::Bool(literal) => Number(vec![*literal, self.constant(false)]),
            Symbol::Number(number) => number.clone(),
            Symbol::Tuple(_) => panic!("internal error: {symbol:?} is not a number"),
        }
    }

    pub(crate) fn same(&mut self, a: &Symbol, b: &Symbol) -> Literal {
        match (a, b) {
            (Symbol::Bool(a), Symbol::Bool(b)) => self.iff(*a, *b),
            (Symbol::Tuple(a), Symbol::Tuple(b)) if a.len() == b.len() => {
                let mut same = self.constant(true);
                for (a, b) in a.iter().zip(b) {
                    let part = self.same(a, b);
                    same = self.and(same, part);
                }
                same
            }
            (Symbol::Tuple(_), _) | (_, Symbol::Tuple(_)) => self.constant(false),
            _ => {
                let (a, b) = (self.as_number(a), self.as_number(b));
                self.equal(&a, &b)
            }
        }
    }

    pub(crate) fn choose(&mut self, cond: Literal, a: &Symbol, b: &Symbol) -> Symbol {
        match (a, b) {
            (Symbol::Bool(a), Symbol::Bool(b)) => Symbol::Bool(self.ite(cond, *a, *b)),
            (Symbol::Tuple(a), Symbol::Tuple(b)) => Symbol::Tuple(
                a.iter()
                    .zip(b)
                    .map(|(a, b)| self.choose(cond, a, b))
                    .collect(),
            ),
            _ => {
                let (a, b) = (self.as_number(a), self.as_number(b));
                Symbol::Number(self.choose_number(cond, &a, &b))
            }
        }
    }
}
