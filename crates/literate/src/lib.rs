//! Literate tests: a Markdown file states the rules of a language, and its snippets show them.
//!
//! A front end keeps such files in `tests/rules`. Each rule has a heading with the code of the
//! diagnostic that reports it, some prose, and snippets in fenced blocks:
//!
//! ````text
//! ## PML0201: a variable is declared before it is used
//!
//! ```promela
//! init { x = 1 } //~ PML0201
//! ```
//!
//! A declaration is enough:
//!
//! ```promela
//! byte x; init { x = 1 }
//! ```
//! ````
//!
//! - A *marker* ([`Suite::marker`], here `//~`) at the end of a line names the codes that are expected
//!   at that line, and no others may come up. A snippet without a marker must load without a
//!   diagnostic. Behind a code may stand in double quotes what the message or its help says:
//!   `//~ PML0201 "is not declared"`.
//! - Where a comment cannot stand, the fence says the same: `expect=CODE@LINE,...`, or
//!   `CODE@FILE:LINE` for another file of the snippet. A code without a line is a diagnostic without a
//!   place, or with one outside of the snippet.
//! - A block with `file=NAME` is another file of the snippet that follows: an included one, a policy,
//!   a property of the command line (`file=--property`). It may have markers of its own.
//! - Other words of the fence are for the front end ([`Block::has`]).
//! - Below a heading that begins with a code, some snippet must raise that code.
//!
//! A test runs a [`Suite`], and another one asks whether every code of the front end has a snippet
//! ([`Suite::missing`]), or is one of the few that cannot have one ([`Elsewhere`]).

mod block;
mod compare;
mod coverage;
mod folder;
mod suite;

pub use block::{Attached, Block};
pub use compare::Found;
pub use coverage::Elsewhere;
pub use suite::Suite;
