//! The lines of the proof: from which clauses a clause follows, in which order.
//!
//! Whoever checks a line denies the clause and follows the hints. What is fixed for ever comes
//! first, each by a unit clause of its own; then the reasons of what the clause does not name, in
//! the order of the trail; the clause that became false comes last. CaDiCaL writes its lines in the
//! same way (Pollitt, Fleury, Biere: *Faster LRAT checking than solving with CaDiCaL*, 2023).

use super::{Cdcl, Clause, FALSE};
use crate::Literal;
use crate::proof::{Number, Proof};

impl<P: Proof> Cdcl<P> {
    /// The number that the next clause gets that is added.
    #[must_use]
    pub fn next_number(&self) -> Number {
        self.number + 1
    }

    /// The lines written since they were last taken.
    pub fn take_proof(&mut self) -> P {
        std::mem::take(&mut self.proof)
    }

    /// Writes a clause with the hints collected; its number.
    pub(super) fn derive(&mut self, clause: &[Literal]) -> Number {
        if !P::WANTED {
            return 0;
        }
        let next = self.number.checked_add(1);
        self.number = next.expect("a proof has fewer lines than 32 bits count");
        self.proof.derive(self.number, clause, &self.hints);
        self.number
    }

    /// A literal holds for ever, by a clause of its own.
    pub(super) fn fixed(&mut self, literal: Literal, number: Number) {
        if P::WANTED {
            self.fixed_by[literal.var().index()] = number;
        }
    }

    /// A literal holds for ever because a clause has nothing else left.
    pub(super) fn fix(&mut self, literal: Literal, reason: Clause) {
        self.explain(&[reason]);
        let number = self.derive(&[literal]);
        self.fixed(literal, number);
    }

    /// The clauses contradict each other: this one has nothing left.
    pub(super) fn refute(&mut self, conflict: Clause) {
        self.broken = true;
        if P::WANTED {
            self.explain(&[conflict]);
            self.derive(&[]);
        }
    }

    /// Takes out of a clause that was added what is false for ever; the number of what remains.
    pub(super) fn without_false(&mut self, clause: &mut Vec<Literal>, given: Number) -> Number {
        let (values, fixed_by) = (&self.values, &self.fixed_by);
        self.hints.clear();
        let hints = &mut self.hints;
        let before = clause.len();
        clause.retain(|literal| {
            let is_false = values[literal.index()] == FALSE;
            if P::WANTED && is_false {
                hints.push(fixed_by[literal.var().index()]);
            }
            !is_false
        });
        if !P::WANTED || clause.len() == before {
            return given;
        }
        self.hints.push(given);
        let number = self.derive(clause);
        self.proof.delete(given);
        number
    }

    /// Hints for a clause that is learnt. The variables that were looked at and that it does not
    /// name are those whose reasons it takes.
    pub(super) fn explain_learnt(&mut self, learnt: &[Literal], conflict: Clause) {
        for literal in learnt {
            self.seen[literal.var().index()] = false;
        }
        let looked_at = self.touched.iter().map(|var| var.index());
        let mut implied: Vec<usize> = looked_at.filter(|&var| self.seen[var]).collect();
        implied.sort_unstable_by_key(|&var| self.place[var]);
        let reasons = implied.iter().map(|&var| self.reason[var]);
        let chain: Vec<Clause> = reasons.chain([conflict]).collect();
        for var in implied {
            self.seen[var] = false;
        }
        self.explain(&chain);
    }

    /// The last line of an answer: not all assumptions of the core hold.
    pub(super) fn explain_core(&mut self, failed: Literal, reasons: &[Clause]) {
        self.explain(reasons);
        if self.level[failed.var().index()] == 0 {
            self.hints.push(self.fixed_by[failed.var().index()]);
        }
        let denied: Vec<Literal> = self.core.iter().map(|&literal| !literal).collect();
        let number = self.derive(&denied);
        self.proof.delete(number);
    }

    /// Collects hints: what is fixed for ever and false in these clauses, and then the
    /// clauses.
    fn explain(&mut self, chain: &[Clause]) {
        self.hints.clear();
        for &clause in chain {
            for position in 0..self.size(clause) {
                let literal = self.literal(clause, position);
                let var = literal.var().index();
                if self.level[var] == 0 && self.values[literal.index()] == FALSE {
                    self.hints.push(self.fixed_by[var]);
                }
            }
        }
        self.hints.sort_unstable();
        self.hints.dedup();
        let numbers = chain.iter().map(|&clause| self.number(clause));
        self.hints.extend(numbers.collect::<Vec<_>>());
    }
}
