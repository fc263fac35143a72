//! Engines over a satisfiability solver: what cannot be enumerated is proved or refuted on bits.
//!
//! [`check`] asks whether something bad is reachable in a [`circuit::Circuit`]. Bounded model
//! checking finds short runs, k-induction proves what is nearly inductive, and IC3 proves or refutes
//! the rest. A run is simulated and an invariant re-checked by code of its own before it is
//! handed out; what the solver says in that check, it has to prove ([`audit::Recheck`]).
//!
//! [`check_fair`] asks whether there is a fair run for ever, one that a Büchi automaton accepts if
//! there is one, by turning the question into one of safety.
//!
//! ```
//! use circuit::{Circuit, Reset};
//! use model::{Budget, Silent};
//! use sat::{Answer, Options, check};
//!
//! // A counter of three bits that goes round from five.
//! let mut circuit = Circuit::default();
//! let bits: Vec<_> = (0..3).map(|bit| circuit.latch(format!("n{bit}"), Reset::Zero)).collect();
//! let low = circuit.aig.and(!bits[1], bits[0]);
//! let five = circuit.aig.and(low, bits[2]);
//! let mut carry = circuit::Lit::TRUE;
//! for &bit in &bits {
//!     let sum = circuit.aig.xor(bit, carry);
//!     let next = circuit.aig.and(sum, !five);
//!     carry = circuit.aig.and(carry, bit);
//!     circuit.set_next(bit, next);
//! }
//! let high = circuit.aig.and(bits[1], bits[2]);
//! let seven = circuit.aig.and(bits[0], high);
//!
//! let ask = |bad| check(&circuit, bad, &Options::default(), &Budget::default(), &Silent);
//! assert!(matches!(ask(seven), Answer::Proved { .. }));
//! assert!(matches!(ask(five), Answer::Refuted { run, .. } if run.steps.len() == 5));
//! ```

mod bmc;
mod certificate;
mod check;
mod cnf;
mod fair;
mod ic3;
mod induction;
mod liveness;
pub mod predicates;
mod product;
mod relations;
mod semiformal;
mod signal_correspondence;
mod system;
mod trace;
mod tuning;
mod unroll;
mod unwinding;
mod weakest;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use certificate::{Invariant, Rejection, check_invariant};
pub use check::{Answer, Options, check, check_with};
pub use fair::{FairAnswer, ReducedRuns, check_fair, check_fair_invariant, reduced_runs};
pub use liveness::{Reduction, Watched};
pub use product::Often;
pub use trace::reaches;
pub use tuning::{Technique, Tuning};
pub use unwinding::Control;
