//! k-induction: if nothing bad happens in `k` different states in a row, then not in the next.
//!
//! Sheeran, Singh, Stålmarck: *Checking safety properties using induction and a SAT-solver* (2000).
//! That the states differ is demanded only of pairs that were found equal. The base case is
//! [bounded model checking](crate::bmc) of the same depth.

use circuit::Lit;
use model::UnknownReason;

use crate::system::System;
use crate::unroll::Unrolling;
use solver::{Clauses, Limits, MakeSolver, Outcome, Solver};

/// The induction step, for growing depths.
pub(crate) struct Induction<'s, M: MakeSolver> {
    system: &'s System,
    unrolling: Unrolling<'s>,
    solver: M::Solver,
    /// The depth that is tried next.
    pub(crate) depth: usize,
}

impl<'s, M: MakeSolver> Induction<'s, M> {
    pub(crate) fn new(system: &'s System, make: &M) -> Self {
        Induction {
            system,
            unrolling: Unrolling::new(system, true),
            solver: make.make(),
            depth: 0,
        }
    }

    /// Whether the induction step holds at the next depth: then, if nothing bad is reached in fewer
    /// than so many steps, nothing ever is.
    ///
    /// # Errors
    /// If a limit was reached.
    pub(crate) fn step(&mut self, limits: &Limits<'_>) -> Result<bool, UnknownReason> {
        if let Some(reason) = limits.exhausted(self.memory()) {
            return Err(reason);
        }
        let depth = self.depth;
        if self.unrolling.moments.len() == depth {
            self.unrolling.extend(&mut self.solver);
        }
        let bad = self.unrolling.all_at(depth, &self.system.bad);
        if bad == Lit::FALSE {
            return Ok(true);
        }
        let literal = self.unrolling.asked(bad, &mut self.solver);
        loop {
            match self.solver.solve(&[literal], None, limits) {
                Outcome::Unsatisfiable => return Ok(true),
                Outcome::Unknown => {
                    let reason = limits.exhausted(self.memory());
                    return Err(reason.unwrap_or(UnknownReason::Bound(depth as u32)));
                }
                Outcome::Satisfiable => {
                    let Some((a, b)) = self.equal_pair() else {
                        break;
                    };
                    let same = self.unrolling.same(a, b);
                    let differ = self.unrolling.asked(!same, &mut self.solver);
                    self.solver.add_clause(&[differ]);
                }
            }
        }
        let good = self.unrolling.asked(!bad, &mut self.solver);
        self.solver.add_clause(&[good]);
        self.depth += 1;
        Ok(false)
    }

    fn memory(&self) -> u64 {
        self.solver.memory() + self.unrolling.memory()
    }

    /// Two positions with the same state in the assignment just found.
    fn equal_pair(&self) -> Option<(usize, usize)> {
        let mut state = self.unrolling.first_state(&self.solver);
        let inputs = self.unrolling.inputs(self.depth, &self.solver);
        let mut seen = std::collections::HashMap::new();
        for (position, inputs) in inputs.iter().enumerate() {
            if let Some(&first) = seen.get(&state) {
                return Some((first, position));
            }
            let next = self.system.circuit.evaluate(&state, inputs).next_state();
            seen.insert(std::mem::replace(&mut state, next), position);
        }
        None
    }
}
