//! Security policies for code that comes from elsewhere, and what they depend on: which code they are
//! about, by where it is and where it comes from.
//!
//! The languages of policies and of location nets are those of Braghin, Sharygina and Barone-Adesi
//! (*A model checking-based approach for security policy verification of mobile systems*) with the
//! extensions of `docs/mobile.md`. Front ends for code of different kinds read them here; what a call
//! and its arguments are is theirs.
//!
//! ```
//! use source::{Diagnostics, SourceMap};
//!
//! let mut sources = SourceMap::new();
//! let file = sources.add("p.policy", "deny to public { permission function send \"bad\" }");
//! let mut diagnostics = Diagnostics::new();
//! let policy = policy::parse([sources.file(file)], &mut diagnostics);
//! assert_eq!(policy.rules[0].permissions[0].functions, ["send"]);
//! assert!(diagnostics.is_empty());
//! ```

mod codes;
mod names;
mod net;
mod parser;
mod rules;
mod standing;
mod words;

pub use names::Names;
pub use net::{Net, Provenance, parse as parse_net};
pub use parser::parse;
pub use rules::{Arguments, Before, Order, Origin, Permission, Policy, Rule, Subject, Variable};
pub use standing::{Chooser, POSITION, Standing};

/// The explanations of the codes of policies and nets.
pub const CODES: &[source::CodeDoc] = codes::DOCS;
/// The code of nets that are not understood, or do not fit the code that they are about.
pub const NET_CODE: &str = codes::NET;
/// The code of variables that a policy names and the program does not have.
pub const VARIABLE: &str = codes::VARIABLE;
