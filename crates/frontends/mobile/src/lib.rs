//! The front end for mobile code: C that comes from elsewhere, checked against a security policy.
//!
//! [`load`] turns a C program and a policy into a [`model::Program`] with a property for each rule
//! of the policy, and one for each kind of undefined behaviour that the program could have. The
//! policy, its location net and their meaning follow Braghin, Sharygina and Barone-Adesi (*A model
//! checking-based approach for security policy verification of mobile systems*); where that paper
//! is unclear or wrong, `docs/mobile.md` says what is meant here.
//!
//! ```
//! use mobile::{Options, load};
//!
//! let text = "#include <mobile.h>\nint main(void) { return connect_to_location(\"bad\"); }";
//! let policy = "deny to public { permission function connect_to_location bad }";
//! let options = Options {
//!     policies: vec![("p.policy".to_owned(), policy.to_owned())],
//!     ..Options::default()
//! };
//! let loaded = load("agent.c", text, &options);
//! assert!(loaded.diagnostics.is_empty());
//! let program = loaded.program.expect("it has no errors");
//! assert_eq!(program.properties[0].name, "rule-1");
//! ```

mod annotate;
mod codes;
mod ctype;
mod door;
mod headers;
mod interface;
mod layout;
mod lexer;
mod literal;
mod load;
mod lower;
mod text;

pub use codes::TABLES as CODES;
pub use door::Mobile;
pub use load::{Loaded, Options, load};
