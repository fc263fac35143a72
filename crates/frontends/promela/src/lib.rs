//! The front end for Promela, SPIN's modelling language.
//!
//! [`load`] turns a model's text into a [`model::Program`] with its properties:
//!
//! - `trace` or `notrace`, the event trace;
//! - `assertions`, if there are any;
//! - `deadlock`: no run ends where it may not;
//! - `faults`: no division by zero, no index outside of its array, no use of a channel that does
//!   not exist, no blocked `d_step`;
//! - `progress` and `acceptance`, where labels ask for them;
//! - each `ltl` formula and each never claim by its name, or as `ltl_0`, `never_0`, ...: a single
//!   nameless claim is `never`;
//! - those of the caller: `property`, `property_2`, ...
//!
//! Each is judged on its own: a never claim does not switch the others off. With no reduction at
//! all the program has the states and transitions that SPIN's verifier stores.
//!
//! The way of a text: [`preprocess`] (macros, files, conditions), [`parser`] (a tree, [`ast`],
//! inline definitions replaced), [`flow`] (control states and transitions as SPIN cuts them), and
//! lowering.
//!
//! ```
//! use model::interp::Interp;
//! use promela::{Options, load};
//!
//! let text = "
//!     byte x;
//!     active proctype up() { do :: x < 3 -> x++ :: else -> break od }
//!     ltl grows { <> (x == 3) }
//! ";
//! let loaded = load("up.pml", text, &Options::default());
//! assert!(loaded.diagnostics.is_empty());
//!
//! let program = loaded.program.expect("it has no errors");
//! assert_eq!(program.properties.last().expect("it has some").name, "grows");
//!
//! let interp = Interp::new(&program);
//! let (_, mut state) = interp.initial().expect("nothing overflows").remove(0);
//! let mut steps = 0;
//! while let Some(next) = interp.expand(&state).expect("nothing overflows").successors.pop() {
//!     state = next.state;
//!     steps += 1;
//! }
//! // Three times the guard and the assignment, `else`, and the process goes away; the `break`
//! // is no step of its own.
//! assert_eq!(steps, 8);
//! ```

pub mod ast;
mod codes;
mod door;
pub mod flow;
pub mod lexer;
mod load;
mod lower;
mod outline;
pub mod parser;
pub mod preprocess;
pub mod token;

pub use codes::TABLES as CODES;
pub use door::Promela;
pub use load::{Loaded, Options, load};
