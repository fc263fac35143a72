//! Evaluation of a circuit: for one assignment, or for 64 at a time, one a bit of a word.

use crate::aig::{Aig, Lit, Node};
use crate::circuit::{Circuit, Reset};

/// The values of all nodes under 64 assignments.
#[derive(Clone, Debug)]
pub struct Words<'c> {
    circuit: &'c Circuit,
    values: Vec<u64>,
}

/// The values of all nodes under one assignment.
#[derive(Clone, Debug)]
pub struct Values<'c> {
    words: Words<'c>,
}

impl Aig {
    /// The values of all nodes under 64 assignments to latches and inputs. What is missing at the
    /// end of a row is 0.
    #[must_use]
    pub fn words(&self, latches: &[u64], inputs: &[u64]) -> Vec<u64> {
        let mut values: Vec<u64> = Vec::with_capacity(self.nodes().len());
        for node in self.nodes() {
            values.push(match *node {
                Node::False => 0,
                Node::Input(id) => inputs.get(id.index()).copied().unwrap_or(0),
                Node::Latch(id) => latches.get(id.index()).copied().unwrap_or(0),
                Node::And(a, b) => word(&values, a) & word(&values, b),
            });
        }
        values
    }
}

fn word(values: &[u64], lit: Lit) -> u64 {
    let value = values[lit.node().index()];
    if lit.is_inverted() { !value } else { value }
}

impl Circuit {
    /// The values of all nodes under 64 assignments.
    #[must_use]
    pub fn simulate(&self, latches: &[u64], inputs: &[u64]) -> Words<'_> {
        Words {
            circuit: self,
            values: self.aig.words(latches, inputs),
        }
    }

    /// The values of all nodes under one assignment.
    #[must_use]
    pub fn evaluate(&self, latches: &[bool], inputs: &[bool]) -> Values<'_> {
        let widen = |row: &[bool]| row.iter().map(|&bit| u64::from(bit)).collect::<Vec<_>>();
        Values {
            words: self.simulate(&widen(latches), &widen(inputs)),
        }
    }

    /// The latches after reset, those that are free being false. [`Circuit::initial`] may ask for
    /// more.
    #[must_use]
    pub fn reset_state(&self) -> Vec<bool> {
        self.latches
            .iter()
            .map(|latch| latch.reset == Reset::One)
            .collect()
    }
}

impl Words<'_> {
    /// A literal's values.
    #[must_use]
    pub fn word(&self, lit: Lit) -> u64 {
        word(&self.values, lit)
    }

    /// The latches after the step.
    #[must_use]
    pub fn next_state(&self) -> Vec<u64> {
        let latches = &self.circuit.latches;
        latches.iter().map(|latch| self.word(latch.next)).collect()
    }

    /// Where the latches make an initial state.
    #[must_use]
    pub fn initial(&self) -> u64 {
        let resets = self.circuit.latches.iter().map(|latch| {
            let value = self.word(latch.lit);
            match latch.reset {
                Reset::Zero => !value,
                Reset::One => value,
                Reset::Free => !0,
            }
        });
        resets.fold(
            self.state() & self.every(&self.circuit.initial),
            |all, one| all & one,
        )
    }

    /// Where the latches make a state at all.
    #[must_use]
    pub fn state(&self) -> u64 {
        self.every(&self.circuit.state_constraints)
    }

    /// Where latches and inputs make a step, if what it leads to is a state.
    #[must_use]
    pub fn step(&self) -> u64 {
        self.every(&self.circuit.step_constraints)
    }

    fn every(&self, lits: &[Lit]) -> u64 {
        lits.iter().fold(!0, |all, &lit| all & self.word(lit))
    }
}

impl Values<'_> {
    /// Whether a literal is true.
    #[must_use]
    pub fn holds(&self, lit: Lit) -> bool {
        self.words.word(lit) & 1 == 1
    }

    /// The latches after the step.
    #[must_use]
    pub fn next_state(&self) -> Vec<bool> {
        let next = self.words.next_state();
        next.iter().map(|word| word & 1 == 1).collect()
    }

    /// Whether the latches make an initial state.
    #[must_use]
    pub fn is_initial(&self) -> bool {
        self.words.initial() & 1 == 1
    }

    /// Whether the latches make a state at all.
    #[must_use]
    pub fn is_state(&self) -> bool {
        self.words.state() & 1 == 1
    }

    /// Whether latches and inputs make a step, if what it leads to is a state.
    #[must_use]
    pub fn is_step(&self) -> bool {
        self.words.step() & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bit_of_a_word_is_its_own_run() {
        let mut circuit = Circuit::default();
        let go = circuit.input("go");
        let bit = circuit.latch("bit", Reset::One);
        let other = circuit.latch("other", Reset::Free);
        let next = circuit.aig.xor(bit, go);
        circuit.set_next(bit, next);
        circuit.step_constraints.push(go);
        let either = circuit.aig.or(bit, other);
        circuit.state_constraints = vec![either];
        circuit.initial.push(!other);

        let words = circuit.simulate(&[0b0011, 0b0101], &[0b1111]);
        assert_eq!(words.next_state()[0] & 0xf, 0b1100);
        assert_eq!(words.next_state()[1] & 0xf, 0b0101);
        assert_eq!(words.state() & 0xf, 0b0111);
        assert_eq!(words.initial() & 0xf, 0b0010);
        assert_eq!(words.step() & 0xf, 0b1111);

        let values = circuit.evaluate(&[true, false], &[false]);
        assert!(values.is_initial() && values.is_state() && !values.is_step());
        assert_eq!(values.next_state(), [true, false]);
    }
}
