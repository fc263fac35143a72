//! The front end for SMV, the language of NuSMV.
//!
//! [`load`] turns a model's text into a [`model::Program`] in which all variables move at once:
//! an assignment gives the set of values to choose from, `TRANS` relates a state and the next,
//! `INIT` and `INVAR` say which states there are. Runs are infinite ones only. Properties are
//! those that the model states, by their names or as `ctl_1`, `ltl_1`, `invar_1`, ..., and those
//! of the caller: `property`, `property_2`, ...
//!
//! The way of a text: lexer, parser (a tree), and lowering, which makes instances of modules,
//! resolves names, checks types and NuSMV's other static rules, and builds the program. What a
//! formula says of the past becomes variables that remember.
//!
//! ```
//! use model::interp::Interp;
//! use smv::{Options, load};
//!
//! let text = "
//!     MODULE main
//!     VAR n : 0..3;
//!     ASSIGN init(n) := 0; next(n) := {n, (n + 1) mod 4};
//!     INVARSPEC n < 3
//! ";
//! let loaded = load("n.smv", text, &Options::default());
//! assert!(loaded.diagnostics.is_empty());
//!
//! let program = loaded.program.expect("it has no errors");
//! assert_eq!(program.properties[0].name, "invar_1");
//!
//! let interp = Interp::new(&program);
//! let (_, first) = interp.initial().expect("nothing overflows").remove(0);
//! assert_eq!(interp.expand(&first).expect("nothing overflows").successors.len(), 2);
//! ```

mod ast;
mod codes;
mod door;
mod lexer;
mod limbs;
mod load;
mod lower;
mod outline;
mod parser;
mod token;

pub use codes::TABLES as CODES;
pub use door::Smv;
pub use load::{Loaded, Options, load};
