//! Which engine answers which query, and what the answers mean together.

mod outcome;

pub use outcome::{Outcome, PassSizes, Sizes};
