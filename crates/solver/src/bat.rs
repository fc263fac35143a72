//! BatSat (MiniSat rewritten in Rust) behind our trait.

use batsat::{BasicSolver, Callbacks, Lit, SolverInterface, lbool};

use model::Budget;

use crate::{Clauses, Limits, Literal, Outcome, Solver, Var};

/// When BatSat should stop.
#[derive(Default)]
struct Stop(Option<Budget>);

impl Callbacks for Stop {
    fn stop(&self) -> bool {
        let budget = self.0.as_ref();
        budget.is_some_and(|budget| budget.exhausted(0).is_some())
    }
}

/// BatSat.
pub struct Bat {
    solver: batsat::Solver<Stop>,
    vars: Vec<batsat::Var>,
    assumptions: Vec<Lit>,
}

impl Default for Bat {
    fn default() -> Self {
        Bat::new()
    }
}

impl Bat {
    /// A solver without variables.
    #[must_use]
    pub fn new() -> Self {
        let _ = BasicSolver::default;
        Bat {
            solver: batsat::Solver::new(batsat::SolverOpts::default(), Stop::default()),
            vars: Vec::new(),
            assumptions: Vec::new(),
        }
    }

    fn theirs(&self, literal: Literal) -> Lit {
        Lit::new(self.vars[literal.var().index()], literal.is_positive())
    }
}

impl Clauses for Bat {
    fn new_var(&mut self) -> Var {
        let var = Var(self.vars.len() as u32);
        self.vars.push(self.solver.new_var_default());
        var
    }

    fn add_clause(&mut self, clause: &[Literal]) {
        let mut clause = clause.iter().map(|&l| self.theirs(l)).collect();
        self.solver.add_clause_reuse(&mut clause);
    }
}

impl Solver for Bat {
    fn solve(
        &mut self,
        assumptions: &[Literal],
        extra: Option<&[Literal]>,
        limits: &Limits<'_>,
    ) -> Outcome {
        *self.solver.cb_mut() = Stop(Some(limits.budget.clone()));
        let mut given: Vec<Lit> = assumptions.iter().map(|&l| self.theirs(l)).collect();
        let guard = extra.map(|extra| {
            let guard = self.new_var().literal(true);
            let mut clause = extra.to_vec();
            clause.push(!guard);
            self.add_clause(&clause);
            guard
        });
        given.extend(guard.map(|guard| self.theirs(guard)));
        self.assumptions.clone_from(&given);
        let answer = self.solver.solve_limited(&given);
        // The clause dies with its guard. The assignment found stays readable.
        if let Some(guard) = guard {
            self.add_clause(&[!guard]);
        }
        if answer == lbool::TRUE {
            Outcome::Satisfiable
        } else if answer == lbool::FALSE {
            Outcome::Unsatisfiable
        } else {
            Outcome::Unknown
        }
    }

    fn value(&self, literal: Literal) -> Option<bool> {
        let value = self.solver.value_lit(self.theirs(literal));
        (value == lbool::TRUE || value == lbool::FALSE).then_some(value == lbool::TRUE)
    }

    fn in_core(&self, assumption: Literal) -> bool {
        self.solver
            .unsat_core_contains_var(self.vars[assumption.var().index()])
    }

    fn conflicts(&self) -> u64 {
        self.solver.num_conflicts()
    }
}
