//! Branching time on explored graphs: CTL over fair paths, and the modal mu-calculus.
//!
//! A graph comes from whoever explores ([`model::StateSpace`]); [`Walked`] makes one with the
//! reference interpreter. A [`Checker`] decides formulas on it, any number on one graph, and gives a
//! run as evidence where one run can be. What it finds out about formulas of the mu-calculus is
//! audited before it is believed.
//!
//! ```
//! use std::sync::Arc;
//!
//! use games::{Answer, Checker, Walked};
//! use logic::{Ctl, Quantifier};
//! use model::{Budget, Composition, Expr, FiniteRuns, Place, Program, SyncAssign, Type, ValueSet, Variable};
//!
//! // A light that goes on some time, and then stays on.
//! let mut program = Program::new("light", "by hand");
//! let on = program.add_global(Variable::new("on", Type::Bool));
//! let is_on = program.exprs.load(Place::global(on), Type::Bool);
//! let yes = program.exprs.bool(true);
//! program.composition = Composition::Synchronous(vec![SyncAssign {
//!     global: on,
//!     next: ValueSet::Union(vec![ValueSet::One(is_on), ValueSet::One(yes)]),
//! }]);
//! program.finite_runs = FiniteRuns::InfiniteOnly;
//!
//! let walked = Walked::explore(&program, &[is_on], &Budget::default(), &model::Silent).unwrap();
//! let checker = Checker::new(&program, &walked);
//! let possible = Ctl::Eventually(Quantifier::Some, Arc::new(Ctl::Atom(is_on)));
//! let certain = Ctl::Eventually(Quantifier::All, Arc::new(Ctl::Atom(is_on)));
//! let check = |formula| checker.ctl(formula, &[]).answer;
//! assert_eq!(check(&possible), Answer::Clear);
//! assert!(matches!(check(&certain), Answer::Violated(run) if run.loop_start == Some(0)));
//! ```

mod audit;
mod check;
mod components;
mod evidence;
#[cfg(test)]
mod forged;
mod graph;
mod growth;
mod linear;
mod near;
#[cfg(test)]
mod oracle;
mod parity;
mod satisfy;
#[cfg(test)]
mod silent;
mod solve;
mod walked;
mod witness;

pub use check::Checker;
pub use walked::Walked;

use model::{Statistics, Trace, UnknownReason};

/// An answer.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// Every initial state satisfies the formula.
    Clear,
    /// One does not, and this run begins there. As far as one run can show it, it shows why.
    Violated(Trace),
    /// This run is suspicious, but shows nothing for certain.
    Possible(Trace),
    /// Not known.
    Unknown(UnknownReason),
}

/// What came of a check.
pub struct Outcome {
    /// The answer.
    pub answer: Answer,
    /// Whether any fair run begins in an initial state. If not, the answer says nothing.
    pub some_fair_run: bool,
    /// Whether samples stood for wide choices, so that transitions may be missing.
    pub sampled: bool,
    /// Whether a run that was found refutes the formula on its own, whatever transitions are missing.
    pub refuted_by_run: bool,
    /// What was done.
    pub statistics: Statistics,
}
