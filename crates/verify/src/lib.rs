//! Which engine for which property, and what its answer is worth.
//!
//! [`check`](check()) focuses the program on each property, lets the passes make it smaller, gives
//! it to an engine and makes a verdict of the answer. Every counterexample is
//! [confirmed](confirm()) on the reference interpreter before anyone sees it.

mod audits;
mod branching;
mod check;
mod confirm;
mod engine;
mod enumerate;
mod failures;
mod group;
mod joined;
mod options;
mod outcome;
mod predicates;
mod pressure;
mod proof;
mod question;
mod race;
mod rota;
mod sampled;
mod sections;
mod sets;
mod shorten;
mod stack;
mod strength;
mod terms;
mod tree_as_run;
mod turns;
mod undecided;
mod unreached;
mod walk;
mod watch_few;

pub use check::{check, check_with};
pub use confirm::{ConfirmError, confirm};
pub use engine::{Engine, UnknownEngine};
pub use explicit::{CheckpointError, CheckpointFile, Reduce};
pub use failures::Failure;
pub use options::{Options, Storage};
pub use outcome::{Audited, Outcome, PassSizes, Sizes};
pub use sampled::Sampled;
pub use unreached::{Unreached, unreached};
