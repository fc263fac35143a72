//! A circuit laid out in time: one copy a step, in one graph that folds what is constant.

use circuit::{Circuit, Lit, LitMap, Reset};

use crate::cnf::{Encoder, Polarity};
use crate::system::System;
use solver::{Clauses, Literal, Solver};

/// One position in time.
pub(crate) struct Moment {
    /// The system's literals at this position, in the unrolled graph.
    map: LitMap,
    /// The latches.
    pub(crate) state: Vec<Lit>,
    /// The inputs.
    inputs: Vec<Lit>,
}

/// Copies of a system's circuit, each fed by the one before.
pub(crate) struct Unrolling<'s> {
    system: &'s System,
    graph: Circuit,
    pub(crate) moments: Vec<Moment>,
    encoder: Encoder,
    from_anywhere: bool,
}

impl<'s> Unrolling<'s> {
    /// From the initial states, or from any.
    pub(crate) fn new(system: &'s System, from_anywhere: bool) -> Self {
        Unrolling {
            system,
            graph: Circuit::default(),
            moments: Vec::new(),
            encoder: Encoder::new(),
            from_anywhere,
        }
    }

    /// One more copy. What makes the first state initial, each state a state, and each step but
    /// the last a step, is added to the solver for ever.
    pub(crate) fn extend(&mut self, solver: &mut impl Solver) {
        let circuit = &self.system.circuit;
        let state: Vec<Lit> = if self.moments.is_empty() {
            let from_anywhere = self.from_anywhere;
            let latches = circuit.latches.iter();
            latches
                .map(|latch| match latch.reset {
                    Reset::Zero if !from_anywhere => Lit::FALSE,
                    Reset::One if !from_anywhere => Lit::TRUE,
                    _ => self.graph.input(""),
                })
                .collect()
        } else {
            let last = self.moments.len() - 1;
            for constraint in &circuit.step_constraints {
                self.require(last, *constraint, solver);
            }
            let before = &self.moments[last];
            circuit
                .latches
                .iter()
                .map(|l| before.map.lit(l.next))
                .collect()
        };
        let inputs: Vec<Lit> = circuit
            .inputs
            .iter()
            .map(|_| self.graph.input(""))
            .collect();
        let mut leaves = vec![None; circuit.aig.nodes().len()];
        for (latch, &lit) in circuit.latches.iter().zip(&state) {
            leaves[latch.lit.node().index()] = Some(lit);
        }
        for (input, &lit) in circuit.inputs.iter().zip(&inputs) {
            leaves[input.lit.node().index()] = Some(lit);
        }
        let mut roots: Vec<Lit> = circuit.latches.iter().map(|latch| latch.next).collect();
        roots.extend(circuit.latches.iter().map(|latch| latch.lit));
        roots.extend(&self.system.bad);
        roots.extend(&self.system.initial);
        roots.extend(&self.system.state);
        roots.extend(&circuit.step_constraints);
        roots.extend(self.system.facts.iter().flat_map(|(fact, _)| fact));
        let map = self.graph.aig.copy(&circuit.aig, leaves, &roots);
        self.moments.push(Moment { map, state, inputs });
        let now = self.moments.len() - 1;
        let always = if now == 0 && !self.from_anywhere {
            &self.system.initial
        } else {
            &self.system.state
        };
        for &constraint in always {
            self.require(now, constraint, solver);
        }
        if self.from_anywhere {
            for (fact, _) in &self.system.facts {
                let lits = self.moments[now].map.row(fact);
                let clause: Vec<Literal> =
                    lits.iter().map(|&lit| self.asked(lit, solver)).collect();
                solver.add_clause(&clause);
            }
        }
    }

    /// Bytes that the copies take, roughly.
    pub(crate) fn memory(&self) -> u64 {
        let copies = self.moments.len() * self.system.circuit.aig.nodes().len() * 8;
        (copies + self.graph.aig.nodes().len() * 40) as u64
    }

    /// A system's literal at a position.
    pub(crate) fn at(&self, position: usize, lit: Lit) -> Lit {
        self.moments[position].map.lit(lit)
    }

    /// All of a system's literals at a position, as one.
    pub(crate) fn all_at(&mut self, position: usize, lits: &[Lit]) -> Lit {
        let lits = self.moments[position].map.row(lits);
        self.graph.aig.all(&lits)
    }

    /// Whether the states at two positions are the same, as a literal.
    pub(crate) fn same(&mut self, a: usize, b: usize) -> Lit {
        let pairs: Vec<(Lit, Lit)> = self.moments[a]
            .state
            .iter()
            .copied()
            .zip(self.moments[b].state.iter().copied())
            .collect();
        let equal: Vec<Lit> = pairs
            .into_iter()
            .map(|(a, b)| self.graph.aig.iff(a, b))
            .collect();
        self.graph.aig.all(&equal)
    }

    fn require(&mut self, position: usize, lit: Lit, solver: &mut impl Clauses) {
        let lit = self.at(position, lit);
        let literal = self.asked(lit, solver);
        solver.add_clause(&[literal]);
    }

    /// The solver's literal of something that is asked to be true.
    pub(crate) fn asked(&mut self, lit: Lit, solver: &mut impl Clauses) -> Literal {
        self.encoder
            .literal(&self.graph.aig, lit, Polarity::TRUE, solver)
    }

    fn value(&self, lit: Lit, solver: &impl Solver) -> bool {
        if let Some(value) = lit.as_constant() {
            return value;
        }
        let literal = self.encoder.get(lit);
        literal.and_then(|l| solver.value(l)).unwrap_or(false)
    }

    /// The inputs of the assignment just found, up to a position.
    pub(crate) fn inputs(&self, last: usize, solver: &impl Solver) -> Vec<Vec<bool>> {
        let moments = self.moments[..=last].iter();
        moments
            .map(|moment| {
                let inputs = moment.inputs.iter();
                inputs.map(|&lit| self.value(lit, solver)).collect()
            })
            .collect()
    }

    /// The first state of the assignment just found. Those after it follow by evaluation: their
    /// gates may have been given one direction only, and their variables no value.
    pub(crate) fn first_state(&self, solver: &impl Solver) -> Vec<bool> {
        let state = self.moments[0].state.iter();
        state.map(|&lit| self.value(lit, solver)).collect()
    }
}
