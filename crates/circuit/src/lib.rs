//! Programs as bits: circuits of And gates, inverters, inputs and latches.
//!
//! A [`Circuit`] is what the engines that reason about bits share: the SAT engine unrolls it, the
//! decision diagrams are built from it, other tools read it as AIGER. A state is a value for each
//! latch; a step is a value for each input. **It knows no engine.**
//!
//! ```
//! use circuit::{Bad, Circuit, Reset};
//!
//! // A counter modulo four that counts when told to; three is bad.
//! let mut circuit = Circuit::default();
//! let count = circuit.input("count");
//! let low = circuit.latch("low", Reset::Zero);
//! let high = circuit.latch("high", Reset::Zero);
//! let aig = &mut circuit.aig;
//! let next_low = aig.xor(low, count);
//! let carry = aig.and(low, count);
//! let next_high = aig.xor(high, carry);
//! let three = aig.and(low, high);
//! circuit.set_next(low, next_low);
//! circuit.set_next(high, next_high);
//! circuit.bads.push(Bad { name: "three".into(), lit: three });
//!
//! let mut state = circuit.reset_state();
//! for _ in 0..3 {
//!     assert!(!circuit.evaluate(&state, &[true]).holds(three));
//!     state = circuit.evaluate(&state, &[true]).next_state();
//! }
//! assert!(circuit.evaluate(&state, &[true]).holds(three));
//! ```

mod aig;
mod aiger;
mod append;
mod circuit;
mod cone;
mod encode;
mod operators;
mod run;
mod simulate;
mod words;

pub use aig::{Aig, InputId, LatchId, Lit, Node, NodeId};
pub use aiger::Aiger;
pub use append::LitMap;
pub use circuit::{Bad, Circuit, Input, Latch, Reset};
pub use cone::{Cone, Restricted};
pub use encode::{Bits, Encoding, Meaning, Owner, Slot, Unsupported, encode, encode_whole_steps};
pub use run::{NoRun, Run};
pub use simulate::{Values, Words};
pub use words::Word;
