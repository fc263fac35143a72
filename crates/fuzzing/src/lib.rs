//! Inputs that nobody thought of: every reader of a text that comes from outside, with all that
//! follows it, on changed examples.
//!
//! A [`Target`] takes bytes and reads them as one kind of input. A [`Campaign`] changes inputs that
//! were accepted before, so that most of what it tries is accepted too and goes on into lowering,
//! passes and engines; what shows something new (a diagnostic or a shape of program not seen before)
//! is kept to be changed further, as in the grey-box fuzzers after AFL (Zalewski, 2013; Böhme,
//! Pham and Roychoudhury, "Coverage-based greybox fuzzing as Markov chain", 2016), but with the
//! reader's own answers in place of coverage, which needs no instrumented build. Changes are made to
//! tokens, not bytes ([`Mutator`]). What panics is made small ([`minimise`]).
//!
//! ```
//! use fuzzing::{Campaign, Target};
//!
//! let target = Target::named("promela").expect("it is one of the targets");
//! let seed = b"active proctype p() { skip }".to_vec();
//! let mut campaign = Campaign::new(target, vec![seed], 1);
//! campaign.run(50, &mut |_| {});
//! assert_eq!(campaign.statistics().executions, 51, "the seed, and what was made of it");
//! assert!(campaign.findings().is_empty());
//! ```

mod campaign;
mod minimise;
mod mutate;
mod panics;
mod random;
mod target;
mod tokens;

pub use campaign::{Campaign, Finding, Statistics};
pub use minimise::minimise;
pub use mutate::Mutator;
pub use panics::{Panicked, watch};
pub use random::Random;
pub use target::{Depth, Seen, Target};
