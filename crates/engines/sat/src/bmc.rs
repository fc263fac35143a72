//! Bounded model checking: is there a run of so many steps?
//!
//! Biere, Cimatti, Clarke, Zhu: *Symbolic Model Checking without BDDs* (1999), step by step in one
//! solver (Eén, Sörensson: *Temporal induction by incremental SAT solving*, 2003).

use model::UnknownReason;

use crate::system::System;
use crate::unroll::Unrolling;
use solver::{Clauses, Limits, MakeSolver, Outcome, Solver};

/// How far a search for short runs came.
pub(crate) enum Found {
    /// A run.
    Run {
        initial: Vec<bool>,
        inputs: Vec<Vec<bool>>,
    },
    /// None of so many steps.
    None,
    /// There are no runs of so many steps at all.
    Exhausted,
}

/// A search that can be gone on with.
pub(crate) struct Bmc<'s, M: MakeSolver> {
    system: &'s System,
    unrolling: Unrolling<'s>,
    solver: M::Solver,
    /// How many lengths have been looked at.
    pub(crate) done: usize,
}

impl<'s, M: MakeSolver> Bmc<'s, M> {
    pub(crate) fn new(system: &'s System, make: &M) -> Self {
        Bmc {
            system,
            unrolling: Unrolling::new(system, false),
            solver: make.make(),
            done: 0,
        }
    }

    /// Looks at runs of one more step.
    ///
    /// # Errors
    /// If a limit was reached.
    pub(crate) fn step(&mut self, limits: &Limits<'_>) -> Result<Found, UnknownReason> {
        if let Some(reason) = limits.exhausted(self.memory()) {
            return Err(reason);
        }
        let depth = self.done;
        if self.unrolling.moments.len() == depth {
            self.unrolling.extend(&mut self.solver);
            let may_end = !self.system.step.is_empty();
            // Each time this takes a whole assignment.
            if depth.is_power_of_two()
                && may_end
                && self.solver.solve(&[], None, limits) == Outcome::Unsatisfiable
            {
                return Ok(Found::Exhausted);
            }
        }
        let bad = self.unrolling.all_at(depth, &self.system.bad);
        if bad.as_constant() != Some(false) {
            let literal = self.unrolling.asked(bad, &mut self.solver);
            match self.solver.solve(&[literal], None, limits) {
                Outcome::Satisfiable => {
                    return Ok(Found::Run {
                        initial: self.unrolling.first_state(&self.solver),
                        inputs: self.unrolling.inputs(depth, &self.solver),
                    });
                }
                Outcome::Unsatisfiable => self.solver.add_clause(&[!literal]),
                Outcome::Unknown => {
                    let reason = limits.exhausted(self.memory());
                    return Err(reason.unwrap_or(UnknownReason::Bound(depth as u32)));
                }
            }
        }
        self.done += 1;
        Ok(Found::None)
    }

    pub(crate) fn memory(&self) -> u64 {
        self.solver.memory() + self.unrolling.memory()
    }
}
