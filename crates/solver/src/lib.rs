//! What the engines ask of a satisfiability solver, and the solvers that answer.
//!
//! One trait, [`Solver`], stands before our own [`Cdcl`], which is built for the load that IC3
//! makes (hundreds of thousands of small questions, each with a clause of its own), and, as
//! features, BatSat and CaDiCaL. `cargo xtask bench sat solvers` compares them.
//!
//! Our own also writes a [`proof`] of what it says cannot be satisfied, if asked to be a
//! `Cdcl<Lines>`. It is checked in the audit, by code that is not here.
//!
//! ```
//! use model::Budget;
//! use solver::{Cdcl, Clauses, Limits, Outcome, Solver};
//!
//! // Either one, and not both.
//! let mut solver = Cdcl::new();
//! let [a, b] = [(), ()].map(|()| solver.new_var().literal(true));
//! solver.add_clause(&[a, b]);
//! solver.add_clause(&[!a, !b]);
//!
//! let budget = Budget::default();
//! let limits = Limits::new(&budget);
//! assert_eq!(solver.solve(&[a], None, &limits), Outcome::Satisfiable);
//! assert_eq!(solver.value(b), Some(false));
//! assert_eq!(solver.solve(&[a, b], None, &limits), Outcome::Unsatisfiable);
//! ```

#[cfg(feature = "batsat")]
mod bat;
#[cfg(feature = "cadical")]
mod cadi;
mod cdcl;
mod order;
pub mod proof;

use std::fmt;
use std::ops::Not;
use std::sync::atomic::{AtomicBool, Ordering};

use model::{Budget, UnknownReason};

#[cfg(feature = "batsat")]
pub use bat::Bat;
#[cfg(feature = "cadical")]
pub use cadi::Cadi;
pub use cdcl::Cdcl;

/// A variable of a solver.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Var(pub u32);

impl Var {
    /// The variable as an index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The literal that says the variable has this value.
    #[must_use]
    pub fn literal(self, value: bool) -> Literal {
        Literal(self.0 << 1 | u32::from(!value))
    }
}

/// A variable or its negation: twice the variable's number, plus one if negated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal(pub u32);

impl Literal {
    /// Its variable.
    #[must_use]
    pub fn var(self) -> Var {
        Var(self.0 >> 1)
    }

    /// Whether it is the variable itself.
    #[must_use]
    pub fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    /// The literal as an index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The same literal, negated if `negate`.
    #[must_use]
    pub fn negated_if(self, negate: bool) -> Literal {
        Literal(self.0 ^ u32::from(negate))
    }

    /// The number that DIMACS gives it: from 1, negative if negated.
    #[must_use]
    pub fn dimacs(self) -> i32 {
        let number = self.var().0 as i32 + 1;
        if self.is_positive() { number } else { -number }
    }
}

impl Not for Literal {
    type Output = Literal;
    fn not(self) -> Literal {
        Literal(self.0 ^ 1)
    }
}

impl fmt::Debug for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.dimacs())
    }
}

/// What a solver says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// There is an assignment; [`Solver::value`] tells it.
    Satisfiable,
    /// There is none; [`Solver::in_core`] tells which assumptions that took.
    Unsatisfiable,
    /// A limit was reached.
    Unknown,
}

/// When to give up one question.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// Time and the flag that stops from outside.
    pub budget: &'a Budget,
    /// How many conflicts one question may take.
    pub conflicts: u64,
    /// Set when another engine has the answer.
    pub cancelled: Option<&'a AtomicBool>,
}

impl<'a> Limits<'a> {
    /// As long as the budget lasts.
    #[must_use]
    pub fn new(budget: &'a Budget) -> Self {
        Limits {
            budget,
            conflicts: u64::MAX,
            cancelled: None,
        }
    }

    /// At most so many conflicts a question.
    #[must_use]
    pub fn conflicts(self, conflicts: u64) -> Self {
        Limits { conflicts, ..self }
    }

    /// Why to stop now, if there is a reason; so much memory is in use.
    #[must_use]
    pub fn exhausted(&self, memory: u64) -> Option<UnknownReason> {
        if self
            .cancelled
            .is_some_and(|flag| flag.load(Ordering::Relaxed))
        {
            return Some(UnknownReason::Interrupted);
        }
        self.budget.exhausted(memory)
    }

    /// Whether time is over or somebody asks to stop.
    #[must_use]
    pub fn expired(&self) -> bool {
        self.exhausted(0).is_some()
    }
}

/// Something that clauses can be written into.
pub trait Clauses {
    /// A new variable.
    fn new_var(&mut self) -> Var;

    /// Adds a clause for ever.
    fn add_clause(&mut self, clause: &[Literal]);
}

/// An incremental solver for clauses.
pub trait Solver: Clauses {
    /// Whether all clauses hold under the assumptions, and under the clause `extra`, which counts
    /// for this question only and has to be non-empty.
    fn solve(
        &mut self,
        assumptions: &[Literal],
        extra: Option<&[Literal]>,
        limits: &Limits<'_>,
    ) -> Outcome;

    /// The value in the assignment just found; none if it does not matter. Meaningful until the
    /// next call that changes the solver.
    fn value(&self, literal: Literal) -> Option<bool>;

    /// Whether this assumption was used to show that there is no assignment.
    fn in_core(&self, assumption: Literal) -> bool;

    /// Decide on these variables only, from now on; on all if none. The caller sees to it that
    /// whatever remains can be completed, as the output of a gate whose inputs are known can.
    fn restrict(&mut self, domain: Option<&[Var]>) {
        let _ = domain;
    }

    /// Bytes in use, roughly.
    fn memory(&self) -> u64 {
        0
    }

    /// Why an answer was taken back, if one was: a fault of the solver's, which says
    /// [`Outcome::Unknown`] from then on.
    fn flaw(&self) -> Option<String> {
        None
    }

    /// Conflicts so far.
    fn conflicts(&self) -> u64 {
        0
    }
}

/// Makes solvers.
pub trait MakeSolver: Clone {
    /// What it makes.
    type Solver: Solver + Send;
    /// A solver without variables.
    fn make(&self) -> Self::Solver;
}

/// Makes [`Cdcl`] solvers.
#[derive(Clone, Copy, Default, Debug)]
pub struct Own;

impl MakeSolver for Own {
    type Solver = Cdcl;
    fn make(&self) -> Cdcl {
        Cdcl::new()
    }
}

/// Makes [`Bat`] solvers.
#[cfg(feature = "batsat")]
#[derive(Clone, Copy, Default, Debug)]
pub struct UseBat;

#[cfg(feature = "batsat")]
impl MakeSolver for UseBat {
    type Solver = Bat;
    fn make(&self) -> Bat {
        Bat::new()
    }
}

/// Makes [`Cadi`] solvers.
#[cfg(feature = "cadical")]
#[derive(Clone, Copy, Default, Debug)]
pub struct UseCadi;

#[cfg(feature = "cadical")]
impl MakeSolver for UseCadi {
    type Solver = Cadi;
    fn make(&self) -> Cadi {
        Cadi::new()
    }
}

#[cfg(test)]
mod tests;
