//! Branching time on explored graphs.
//!
//! [`Explored::explore`] makes the graph of all reachable states with the reference interpreter,
//! so it is as slow as that, and right where that is; [`Explored::check`] decides formulas of CTL
//! on it, over fair paths, and gives a run as evidence where one run can be.
//!
//! ```
//! use std::sync::Arc;
//!
//! use games::{Answer, Explored};
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
//! let explored = Explored::explore(&program, &Budget::default(), &model::Silent).unwrap();
//! let possible = Ctl::Eventually(Quantifier::Some, Arc::new(Ctl::Atom(is_on)));
//! let certain = Ctl::Eventually(Quantifier::All, Arc::new(Ctl::Atom(is_on)));
//! let check = |formula| explored.check(formula, &[]).answer;
//! assert_eq!(check(&possible), Answer::Clear);
//! assert!(matches!(check(&certain), Answer::Violated(run) if run.loop_start == Some(0)));
//! ```

mod components;
mod evidence;
mod explored;
mod graph;
mod satisfy;

pub use explored::{Explored, Outcome};
use model::{Trace, UnknownReason};

/// An answer.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// Every fair initial state satisfies the formula.
    Clear,
    /// One does not, and this run begins there. As far as one run can show it, it shows why.
    Violated(Trace),
    /// Not known.
    Unknown(UnknownReason),
}
