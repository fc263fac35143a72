//! A solver whose *unsatisfiable* counts only after its proof has been checked.
//!
//! *Satisfiable* is taken as it comes: it has an invariant rejected or a path followed, and neither
//! makes a proof.

use solver::proof::{Lines, Number};
use solver::{Cdcl, Clauses, Limits, Literal, MakeSolver, Outcome, Solver, Var};

use crate::lrat::{Checker, Flaw};

/// Makes [`Rechecked`] solvers.
#[derive(Clone, Copy, Default, Debug)]
pub struct Recheck;

impl MakeSolver for Recheck {
    type Solver = Rechecked;
    fn make(&self) -> Rechecked {
        Rechecked::default()
    }
}

/// A solver, and a checker of what it writes.
#[derive(Clone, Default, Debug)]
pub struct Rechecked {
    solver: Cdcl<Lines>,
    checker: Checker,
    flaw: Option<Flaw>,
}

impl Rechecked {
    /// Follows the lines written so far.
    fn follow(&mut self) {
        for line in self.solver.take_proof() {
            let followed = self.checker.follow(&line);
            self.remember(followed);
        }
    }

    fn remember(&mut self, result: Result<(), Flaw>) {
        if self.flaw.is_none() {
            self.flaw = result.err();
        }
    }

    fn given(&mut self, number: Number, clause: &[Literal]) {
        let given = self.checker.given(number, clause);
        self.remember(given);
    }
}

impl Clauses for Rechecked {
    fn new_var(&mut self) -> Var {
        self.solver.new_var()
    }

    fn add_clause(&mut self, clause: &[Literal]) {
        self.given(self.solver.next_number(), clause);
        self.solver.add_clause(clause);
        self.follow();
    }
}

impl Solver for Rechecked {
    fn solve(
        &mut self,
        assumptions: &[Literal],
        extra: Option<&[Literal]>,
        limits: &Limits<'_>,
    ) -> Outcome {
        let mut assumptions = assumptions.to_vec();
        if let Some(extra) = extra {
            // It counts as long as its guard is assumed.
            let guard = self.new_var().literal(true);
            self.add_clause(&[extra, &[!guard]].concat());
            assumptions.push(guard);
        }
        let outcome = self.solver.solve(&assumptions, None, limits);
        self.follow();
        if outcome == Outcome::Unsatisfiable {
            let excluded = self.checker.excludes(&assumptions);
            self.remember(excluded);
        }
        match self.flaw {
            Some(_) => Outcome::Unknown,
            None => outcome,
        }
    }

    fn value(&self, literal: Literal) -> Option<bool> {
        self.solver.value(literal)
    }

    fn in_core(&self, assumption: Literal) -> bool {
        self.solver.in_core(assumption)
    }

    fn memory(&self) -> u64 {
        self.solver.memory() + self.checker.memory()
    }

    fn flaw(&self) -> Option<String> {
        self.flaw.map(|flaw| flaw.to_string())
    }

    fn conflicts(&self) -> u64 {
        self.solver.conflicts()
    }
}

#[cfg(test)]
mod tests {
    use model::Budget;

    use super::*;

    /// Clauses and questions in turns, some of them with a clause of their own.
    #[test]
    fn all_answers_are_proved() {
        let budget = Budget::default();
        let limits = Limits::new(&budget);
        let mut random = fastrand::Rng::with_seed(3);
        let mut unsatisfiable = 0;
        for _ in 0..400 {
            let vars = random.u32(4..14);
            let literals = |random: &mut fastrand::Rng, most| -> Vec<Literal> {
                let count = random.usize(1..=most);
                (0..count)
                    .map(|_| Literal(random.u32(..2 * vars)))
                    .collect()
            };
            let (mut trusted, mut proved) = (Cdcl::new(), Rechecked::default());
            for _ in 0..vars {
                trusted.new_var();
                proved.new_var();
            }
            for _ in 0..10 {
                for _ in 0..random.u32(..vars) {
                    let clause = literals(&mut random, 5);
                    trusted.add_clause(&clause);
                    proved.add_clause(&clause);
                }
                let assumptions = literals(&mut random, 4);
                let extra = random.bool().then(|| literals(&mut random, 3));
                let answer = proved.solve(&assumptions, extra.as_deref(), &limits);
                assert_eq!(proved.flaw(), None);
                let expected = trusted.solve(&assumptions, extra.as_deref(), &limits);
                assert_eq!(answer, expected);
                unsatisfiable += u32::from(answer == Outcome::Unsatisfiable);
            }
        }
        assert!(unsatisfiable > 400, "{unsatisfiable}");
    }

    /// More pigeons than holes: so many clauses are learnt that some are forgotten on the way.
    #[test]
    fn a_long_proof_holds() {
        const HOLES: u32 = 8;
        let budget = Budget::default();
        let mut solver = Rechecked::default();
        let sits = |pigeon: u32, hole: u32| Var(pigeon * HOLES + hole);
        for _ in 0..(HOLES + 1) * HOLES {
            solver.new_var();
        }
        for pigeon in 0..=HOLES {
            let somewhere: Vec<_> = (0..HOLES).map(|h| sits(pigeon, h).literal(true)).collect();
            solver.add_clause(&somewhere);
            for other in 0..pigeon {
                for hole in 0..HOLES {
                    let both = [pigeon, other].map(|pigeon| sits(pigeon, hole).literal(false));
                    solver.add_clause(&both);
                }
            }
        }
        let outcome = solver.solve(&[], None, &Limits::new(&budget));
        assert_eq!(solver.flaw(), None);
        assert_eq!(outcome, Outcome::Unsatisfiable);
        assert!(solver.conflicts() > 4000, "{}", solver.conflicts());
    }

    /// What the solver says without a proof is not believed.
    #[test]
    fn an_answer_without_its_lines_is_unknown() {
        let budget = Budget::default();
        let mut solver = Rechecked::default();
        let [a, b] = [(); 2].map(|()| solver.new_var().literal(true));
        solver.add_clause(&[a, b]);
        // The solver is told more than the checker.
        solver.solver.add_clause(&[!a]);
        let outcome = solver.solve(&[!b], None, &Limits::new(&budget));
        assert_eq!(outcome, Outcome::Unknown);
        assert!(solver.flaw().is_some());
    }
}
