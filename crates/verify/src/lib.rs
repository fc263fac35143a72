//! Which engine for which property, and what its answer is worth.
//!
//! Every counterexample is [confirmed](confirm()) on the reference interpreter before anyone sees
//! it.

mod confirm;
mod outcome;

pub use confirm::{ConfirmError, confirm};
pub use outcome::{Outcome, PassSizes, Sizes};
