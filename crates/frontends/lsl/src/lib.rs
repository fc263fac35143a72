//! The front end for LSL, the scripting language of Second Life.
//!
//! A script's text becomes tokens ([`lexer`]), a tree ([`parser`], [`ast`]) and
//! a tree with names and types ([`check`]). What Second Life itself brings in
//! (library functions, events, constants) stands in [`facts`].
//!
//! ```
//! use source::SourceMap;
//!
//! let mut sources = SourceMap::new();
//! let file = sources.add(
//!     "door.lsl",
//!     "default { touch_start(integer n) { llOwnerSay(string(llDetectedKey(0))); } }",
//! );
//! let (script, diagnostics) = lsl::analyze(sources.file(file));
//!
//! // The cast is written as in C++; the tree has it all the same.
//! let found = diagnostics.iter().next().expect("one finding");
//! assert_eq!(found.code, "LSL0114");
//! assert_eq!(found.fix_its[0].replacement, "(string)llDetectedKey(0)");
//! assert_eq!(script.ast.states.len(), 1);
//! ```

mod abstraction;
pub mod ast;
pub mod check;
pub mod checks;
mod codes;
mod door;
mod environment;
pub mod facts;
mod habits;
pub mod lexer;
pub mod library;
mod linkset;
mod load;
pub mod lower;
mod outline;
pub mod parser;
mod preprocess;
pub mod property;
pub mod token;
mod types;
pub mod watch;

pub use check::{Checked, analyze};
pub use codes::TABLES as CODES;
pub use door::{Lsl, notecards};
pub use load::{Loaded, Options, load, load_with, tree};
pub use types::Type;
