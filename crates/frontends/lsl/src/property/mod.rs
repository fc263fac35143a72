//! Properties in the script: `//@` comments with claims, ghosts, assumptions and bounds.
//!
//! The comments are cut into [directives] and read into a [tree](syntax); names get
//! their meanings, from which follows what lowering must show of the script
//! ([`Watch`](crate::watch::Watch)); and when the script has become a program, the properties are
//! woven into it as observers, checks and formulas. `docs/properties.md` tells users the grammar
//! and what it means.

mod assume;
pub mod bounds;
mod claims;
pub mod directives;
mod expression;
mod formula;
mod inspect;
pub(crate) mod near_miss;
mod patterns;
mod prepare;
mod resolve;
mod standing;
pub mod syntax;
mod validate;
mod weave;

pub use prepare::{Prepared, prepare};
