//! The front end for Tscript, the scripts of the ToolBus.
//!
//! [`load`] turns a script into a [`model::Program`]: each process becomes one finite automaton, calls
//! inlined, and one template of which instances run; messages are joint moves of two instances; notes
//! wait in a queue of each instance that has subscribed; tools are played by small automata, one for
//! each, whose values and events are samples of the types that the script reads. What a script can do
//! wrong without saying so (waiting for ever, notes that pile up, ...) is checked without a formula.
//!
//! The semantics is that of the two implementations (Bergstra and Klint, *The discrete time ToolBus*,
//! Science of Computer Programming 31, 1998, and the sources of the Meta-Environment); where they
//! differ, a [`Dialect`] says which is meant.
//!
//! ```
//! use tscript::{Options, load};
//!
//! let text = "
//!     process Ping is snd-msg(ping) . rec-msg(pong)
//!     process Pong is rec-msg(ping) . snd-msg(pong)
//!     toolbus(Ping, Pong)
//! ";
//! let loaded = load("ping.tb", text, &Options::default());
//! assert!(loaded.diagnostics.is_empty());
//! let program = loaded.program.expect("it has no errors");
//! assert!(program.properties.iter().any(|property| property.name == "deadlock"));
//! ```

mod ages;
mod annotations;
mod ast;
mod automaton;
mod behaviour;
mod bounds;
mod codes;
mod constants;
mod door;
mod inline;
mod lexer;
mod library;
mod load;
mod lower;
mod outline;
mod parser;
mod part;
mod term;
mod types;

pub use codes::TABLES as CODES;
pub use codes::checks::ALL as CHECKS;
pub use door::Tscript;
pub use load::{Dialect, Extent, Loaded, Options, Schedule, Time, load, to_mcrl2};
