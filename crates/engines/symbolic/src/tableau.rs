//! Linear time without an automaton: the tableau of a formula as part of the circuit.
//!
//! An automaton has a label for each way in which atoms can matter, and may be exponentially larger than its
//! formula. The tableau (Clarke, Grumberg, Hamaguchi: *Another look at LTL model checking*, 1994) has a latch for each
//! temporal operator: what must hold from here on because it was promised a step ago. Inputs make the promises, and
//! nothing keeps a run from promising too little: in a formula with negations at its atoms only, that never makes it
//! true. A promise of `p U q` may not be passed on for ever, which is justice.

use std::collections::HashMap;

use circuit::{Circuit, Lit, Reset};
use logic::Ltl;

/// The circuit whose fair runs are those that satisfy the formula. Its first latches and inputs are those of the
/// circuit. Atoms are over latches and inputs.
pub(crate) fn tableau(circuit: &Circuit, formula: &Ltl<Lit>) -> Circuit {
    let mut tableau = Tableau {
        circuit: circuit.clone(),
        known: HashMap::new(),
        promises: HashMap::new(),
        waiting: Vec::new(),
    };
    let formula = formula.negation_normal_form();
    let holds = tableau.holds(&formula);
    let first = tableau.circuit.latch("formula.first", Reset::One);
    tableau.circuit.set_next(first, Lit::FALSE);
    tableau.ask(first, holds);
    while let Some((promised, formula)) = tableau.waiting.pop() {
        let holds = tableau.holds(&formula);
        tableau.ask(promised, holds);
    }
    tableau.circuit
}

struct Tableau {
    circuit: Circuit,
    /// What says that a formula holds, if promises are kept.
    known: HashMap<Ltl<Lit>, Lit>,
    /// The inputs that promise formulas for the next step.
    promises: HashMap<Ltl<Lit>, Lit>,
    /// Promised a step ago, and not asked for yet.
    waiting: Vec<(Lit, Ltl<Lit>)>,
}

impl Tableau {
    /// In each step, what was promised holds.
    fn ask(&mut self, promised: Lit, holds: Lit) {
        let kept = self.circuit.aig.or(!promised, holds);
        self.circuit.step_constraints.push(kept);
    }

    /// The promise that a formula holds in the next step.
    fn promise(&mut self, formula: &Ltl<Lit>) -> Lit {
        if let Some(&promise) = self.promises.get(formula) {
            return promise;
        }
        let number = self.promises.len();
        let promise = self.circuit.input(format!("formula.{number}'"));
        let promised = self.circuit.latch(format!("formula.{number}"), Reset::Zero);
        self.circuit.set_next(promised, promise);
        self.promises.insert(formula.clone(), promise);
        self.waiting.push((promised, formula.clone()));
        promise
    }

    fn holds(&mut self, formula: &Ltl<Lit>) -> Lit {
        if let Some(&known) = self.known.get(formula) {
            return known;
        }
        let lit = match formula {
            Ltl::True => Lit::TRUE,
            Ltl::False => Lit::FALSE,
            Ltl::Atom(lit) => *lit,
            Ltl::Not(atom) => !self.holds(atom),
            Ltl::And(all) => {
                let all: Vec<Lit> = all.iter().map(|p| self.holds(p)).collect();
                self.circuit.aig.all(&all)
            }
            Ltl::Or(any) => {
                let any: Vec<Lit> = any.iter().map(|p| self.holds(p)).collect();
                self.circuit.aig.any(&any)
            }
            Ltl::Next(p) => self.promise(p),
            Ltl::Eventually(q) => self.until(formula, &Ltl::True, q),
            Ltl::Until(p, q) => self.until(formula, p, q),
            Ltl::Always(q) => self.release(formula, &Ltl::False, q),
            Ltl::Release(p, q) => self.release(formula, p, q),
            Ltl::Implies(..) | Ltl::Iff(..) | Ltl::WeakUntil(..) => {
                unreachable!("normal forms do without")
            }
        };
        self.known.insert(formula.clone(), lit);
        lit
    }

    fn until(&mut self, whole: &Ltl<Lit>, p: &Ltl<Lit>, q: &Ltl<Lit>) -> Lit {
        let (p, q) = (self.holds(p), self.holds(q));
        let later = self.promise(whole);
        let aig = &mut self.circuit.aig;
        let settled = aig.or(!later, q);
        let goes_on = aig.and(p, later);
        let holds = aig.or(q, goes_on);
        // Justice is about states.
        let remembered = self.circuit.latch("formula.settled", Reset::Zero);
        self.circuit.set_next(remembered, settled);
        self.circuit.justice.push(remembered);
        holds
    }

    fn release(&mut self, whole: &Ltl<Lit>, p: &Ltl<Lit>, q: &Ltl<Lit>) -> Lit {
        let (p, q) = (self.holds(p), self.holds(q));
        let later = self.promise(whole);
        let aig = &mut self.circuit.aig;
        let either = aig.or(p, later);
        aig.and(q, either)
    }
}
