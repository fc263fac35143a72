//! CaDiCaL behind our trait.

use model::Budget;

use crate::{Clauses, Limits, Literal, Outcome, Solver, Var};

/// When CaDiCaL should stop.
struct Stop(Budget);

impl cadical::Callbacks for Stop {
    fn terminate(&mut self) -> bool {
        self.0.exhausted(0).is_some()
    }
}

/// CaDiCaL.
pub struct Cadi {
    solver: cadical::Solver<Stop>,
    vars: u32,
}

impl Default for Cadi {
    fn default() -> Self {
        Cadi::new()
    }
}

impl Cadi {
    /// A solver without variables.
    #[must_use]
    pub fn new() -> Self {
        Cadi {
            solver: cadical::Solver::new(),
            vars: 0,
        }
    }
}

impl Clauses for Cadi {
    fn new_var(&mut self) -> Var {
        self.vars += 1;
        Var(self.vars - 1)
    }

    fn add_clause(&mut self, clause: &[Literal]) {
        self.solver
            .add_clause(clause.iter().map(|literal| literal.dimacs()));
    }
}

impl Solver for Cadi {
    fn solve(
        &mut self,
        assumptions: &[Literal],
        extra: Option<&[Literal]>,
        limits: &Limits<'_>,
    ) -> Outcome {
        let mut given: Vec<i32> = assumptions.iter().map(|l| l.dimacs()).collect();
        if let Some(extra) = extra {
            // The binding has no `constrain`; a clause dies when nobody assumes its guard.
            let guard = self.new_var().literal(true);
            let mut clause = extra.to_vec();
            clause.push(!guard);
            self.add_clause(&clause);
            given.push(guard.dimacs());
        }
        self.solver.set_callbacks(Some(Stop(limits.budget.clone())));
        if limits.conflicts < i32::MAX as u64 {
            // A limit that it refuses is no limit: slower, not wrong.
            let _ = self.solver.set_limit("conflicts", limits.conflicts as i32);
        }
        match self.solver.solve_with(given.into_iter()) {
            Some(true) => Outcome::Satisfiable,
            Some(false) => Outcome::Unsatisfiable,
            None => Outcome::Unknown,
        }
    }

    fn value(&self, literal: Literal) -> Option<bool> {
        self.solver.value(literal.dimacs())
    }

    fn in_core(&self, assumption: Literal) -> bool {
        self.solver.failed(assumption.dimacs())
    }
}
