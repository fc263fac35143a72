//! Verifies programs over logical structures for any number of individuals.
//!
//! One three-valued structure stands for many configurations. [`explore`] finds all structures that
//! can be reached, by focus, update, coerce and blur: M. Sagiv, T. Reps, R. Wilhelm, *Parametric Shape
//! Analysis via 3-Valued Logic* (2002), with threads as E. Yahav, *Verifying Safety Properties of
//! Concurrent Java Programs Using 3-Valued Logic* (2001). What no structure reports is reported in no
//! configuration. Where one reports something, [`concretise`] looks for a run that really does.
//!
//! ```
//! use model::predicates::{Formula, Kleene, Message, PredicateAction, PredicateProgram};
//! use model::{Budget, MessageId, Silent};
//! use source::Span;
//!
//! // Nothing moves, and nothing is wrong.
//! let message = Message { text: "never".into(), span: Span::NONE };
//! let program = PredicateProgram {
//!     actions: vec![PredicateAction {
//!         name: "look".into(),
//!         span: Span::NONE,
//!         variables: Vec::new(),
//!         free: 0,
//!         scheduled: None,
//!         focus: Vec::new(),
//!         opens_turn: false,
//!         precondition: Formula::Value(Kleene::True),
//!         reports: vec![(MessageId::new(0), Formula::Value(Kleene::False))],
//!         creates: Vec::new(),
//!         updates: Vec::new(),
//!         retains: None,
//!         reports_after: Vec::new(),
//!     }],
//!     initial: vec![Default::default()],
//!     messages: vec![message],
//!     ..PredicateProgram::default()
//! };
//! let explored = shape::explore(&program, &Budget::default(), &Silent).unwrap();
//! assert_eq!(explored.structures.len(), 1);
//! assert!(explored.messages[0].possible && explored.messages[0].at.is_none());
//! ```

mod blur;
mod coerce;
mod compile;
mod concretise;
mod consequences;
mod creation;
mod differencing;
mod endless;
mod evaluate;
mod explore;
mod focus;
mod linear;
mod look;
mod matrix;
mod packed;
mod pairs;
mod pending;
mod reachability;
mod set;
mod sources;
mod step;
mod store;

pub use concretise::{concretise, concretise_along};
pub use endless::concretise_endless;
pub use explore::{Exploration, Explored, Join, Reported, explore, explore_with};
pub use linear::accepted;
use thiserror::Error;

/// What this engine has no form for.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Unsupported {
    /// A predicate of more than two individuals.
    #[error("the predicate `{0}` of more than two individuals")]
    Arity(String),
    /// A structure of more than 256 individuals.
    #[error("structures of more than 256 individuals")]
    Individuals,
}
