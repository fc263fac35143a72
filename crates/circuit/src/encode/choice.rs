//! Choices: inputs that say which member of a set is taken.
//!
//! One row of input bits serves a whole set: a union spends as many as it takes to number its
//! parts, and the parts, of which one is taken, share those that follow; so do the two sides of a
//! condition. A code beyond the last part means the last part. So every value of the inputs means
//! some member, and a constraint is needed only where a set may be empty.

use model::{Type, ValueSet};

use super::bits::Bits;
use super::evaluate::{Evaluated, Memo, Scope};
use super::layout::number_bounds;
use super::trouble::Trouble;
use super::{Encoding, Unsupported};
use crate::aig::Lit;
use crate::words::Word;

/// The inputs of a choice, made as they are asked for.
#[derive(Default, Debug)]
pub(crate) struct Row {
    name: String,
    bits: Vec<Lit>,
    /// How many bits have been asked for since this was last set.
    pub(crate) used: usize,
}

impl Row {
    /// Whether a literal is one of the inputs.
    pub(crate) fn holds(&self, lit: Lit) -> bool {
        self.bits.contains(&lit)
    }

    pub(crate) fn new(name: impl Into<String>) -> Row {
        Row {
            name: name.into(),
            bits: Vec::new(),
            used: 0,
        }
    }
}

/// A choice that has been made.
pub(crate) struct Chosen {
    pub(crate) value: Bits,
    /// Whether it is a member of the set: the set is not empty.
    pub(crate) possible: Lit,
    /// What goes wrong where the set is listed.
    pub(crate) trouble: Trouble,
}

impl Encoding<'_> {
    pub(super) fn row_bits(&mut self, row: &mut Row, from: usize, count: usize) -> Vec<Lit> {
        row.used = row.used.max(from + count);
        while row.bits.len() < from + count {
            let lit = self
                .circuit
                .input(format!("{}?{}", row.name, row.bits.len()));
            row.bits.push(lit);
        }
        row.bits[from..from + count].to_vec()
    }

    /// A member of a set.
    pub(super) fn choose(
        &mut self,
        scope: &Scope<'_>,
        memo: &mut Memo,
        set: &ValueSet,
        row: &mut Row,
        from: usize,
    ) -> Result<Chosen, Unsupported> {
        match set {
            ValueSet::One(expr) => {
                let Evaluated { value, trouble } = self.eval(scope, memo, *expr)?;
                Ok(Chosen {
                    value,
                    possible: Lit::TRUE,
                    trouble,
                })
            }
            ValueSet::Between(low, high) => {
                let (low, high) = (
                    self.eval(scope, memo, *low)?,
                    self.eval(scope, memo, *high)?,
                );
                let (a, b) = (low.value.word(), high.value.word());
                let trouble = low.trouble.then(&mut self.circuit.aig, &high.trouble);
                if let (Some(low), Some(high)) = (a.as_constant(), b.as_constant())
                    && low <= high
                {
                    return Ok(Chosen {
                        value: Bits::Word(self.any_number(low, high, row, from)),
                        possible: Lit::TRUE,
                        trouble,
                    });
                }
                // As many bits as the wider end has, and the lower end where they miss.
                let signed = a.is_signed() || b.is_signed();
                let width = a.width().max(b.width()) + usize::from(signed);
                let raw = Word::new(self.row_bits(row, from, width), signed);
                let aig = &mut self.circuit.aig;
                let hit = aig.between(&a, &raw, &b);
                let value = Bits::Word(aig.mux_word(hit, &raw, &a));
                let possible = aig.le(&a, &b);
                Ok(Chosen {
                    value,
                    possible,
                    trouble,
                })
            }
            ValueSet::Union(_) => {
                let mut parts = Vec::new();
                flatten(set, &mut parts);
                self.choose_part(scope, memo, &parts, row, from)
            }
            ValueSet::Ite(condition, then, otherwise) => {
                let condition = self.eval(scope, memo, *condition)?;
                let then = self.choose(scope, memo, then, row, from)?;
                let otherwise = self.choose(scope, memo, otherwise, row, from)?;
                let aig = &mut self.circuit.aig;
                let chosen = condition.value.truth(aig);
                let yes = then.trouble.under(aig, chosen);
                let no = otherwise.trouble.under(aig, !chosen);
                Ok(Chosen {
                    value: aig.mux_value(chosen, &then.value, &otherwise.value),
                    possible: aig.mux(chosen, then.possible, otherwise.possible),
                    trouble: condition.trouble.then(aig, &yes).then(aig, &no),
                })
            }
            ValueSet::All(ty) => Ok(Chosen {
                value: self.any_value(ty, row, from)?,
                possible: Lit::TRUE,
                trouble: Trouble::default(),
            }),
        }
    }

    fn choose_part(
        &mut self,
        scope: &Scope<'_>,
        memo: &mut Memo,
        parts: &[&ValueSet],
        row: &mut Row,
        from: usize,
    ) -> Result<Chosen, Unsupported> {
        let Some(last) = parts.len().checked_sub(1) else {
            return Ok(Chosen {
                value: Bits::Word(Word::constant(0)),
                possible: Lit::FALSE,
                trouble: Trouble::default(),
            });
        };
        let width = Word::constant(last as i128).width();
        let code = Word::new(self.row_bits(row, from, width), false);
        let mut values = Vec::new();
        let mut possible = Vec::new();
        let mut trouble = Trouble::default();
        for part in parts {
            let chosen = self.choose(scope, memo, part, row, from + width)?;
            values.push(chosen.value);
            possible.push(Bits::Bool(chosen.possible));
            trouble = trouble.then(&mut self.circuit.aig, &chosen.trouble);
        }
        // A code beyond the last part means the last part.
        let full = 1usize << width;
        while values.len() < full {
            values.push(values[last].clone());
            possible.push(possible[last].clone());
        }
        let aig = &mut self.circuit.aig;
        let possible = aig.pick(&possible, &code).truth(aig);
        Ok(Chosen {
            value: aig.pick(&values, &code),
            possible,
            trouble,
        })
    }

    /// Any number between constants.
    fn any_number(&mut self, low: i128, high: i128, row: &mut Row, from: usize) -> Word {
        let span = high - low;
        let width = Word::constant(span).width();
        let raw = Word::new(self.row_bits(row, from, width), false);
        let aig = &mut self.circuit.aig;
        let most = Word::constant(span);
        let within = super::layout::is_within(aig, 0, &raw, span);
        let clamped = aig.mux_word(within, &raw, &most);
        if span + 1 == 1 << width && low == -(1i128 << width) / 2 {
            // All numbers of so many bits: any bits are one.
            return Word::new(raw.bits().to_vec(), true);
        }
        aig.add(&clamped, &Word::constant(low))
    }

    /// Any value of a type.
    fn any_value(&mut self, ty: &Type, row: &mut Row, from: usize) -> Result<Bits, Unsupported> {
        if *ty == Type::Bool {
            return Ok(Bits::Bool(self.row_bits(row, from, 1)[0]));
        }
        match number_bounds(self.program, ty) {
            Some((low, high)) => Ok(Bits::Word(self.any_number(low, high, row, from))),
            None => Err(Unsupported::new("a choice from an unbounded type")),
        }
    }

    /// Whether a value is a member of a set, and listing the set does not fault.
    pub(super) fn is_member(
        &mut self,
        scope: &Scope<'_>,
        memo: &mut Memo,
        set: &ValueSet,
        value: &Bits,
    ) -> Result<Lit, Unsupported> {
        Ok(match set {
            ValueSet::One(expr) => {
                let one = self.eval(scope, memo, *expr)?;
                let aig = &mut self.circuit.aig;
                let same = aig.eq_value(&one.value, value);
                let trouble = one.trouble.any(aig);
                aig.and(same, !trouble)
            }
            ValueSet::Between(low, high) => {
                let (low, high) = (
                    self.eval(scope, memo, *low)?,
                    self.eval(scope, memo, *high)?,
                );
                let aig = &mut self.circuit.aig;
                let within = aig.between(&low.value.word(), &value.word(), &high.value.word());
                let trouble = low.trouble.then(aig, &high.trouble).any(aig);
                aig.and(within, !trouble)
            }
            ValueSet::Union(sets) => {
                let mut found = Vec::new();
                for set in sets {
                    found.push(self.is_member(scope, memo, set, value)?);
                }
                self.circuit.aig.any(&found)
            }
            ValueSet::Ite(condition, then, otherwise) => {
                let condition = self.eval(scope, memo, *condition)?;
                let then = self.is_member(scope, memo, then, value)?;
                let otherwise = self.is_member(scope, memo, otherwise, value)?;
                let aig = &mut self.circuit.aig;
                let chosen = condition.value.truth(aig);
                let member = aig.mux(chosen, then, otherwise);
                let trouble = condition.trouble.any(aig);
                aig.and(member, !trouble)
            }
            ValueSet::All(ty) => self.is_valid(ty, value),
        })
    }
}

fn flatten<'s>(set: &'s ValueSet, parts: &mut Vec<&'s ValueSet>) {
    match set {
        ValueSet::Union(sets) => sets.iter().for_each(|set| flatten(set, parts)),
        other => parts.push(other),
    }
}
