//! The front end for WebAssembly: modules and components that come from elsewhere, checked against a
//! security policy.
//!
//! [`load`] turns a binary module or component and a policy into a [`model::Program`] with a property
//! for each rule of the policy. Functions that a policy names are those that the module imports. The
//! semantics is that of A. Haas et al., *Bringing the Web up to Speed with WebAssembly* (PLDI 2017),
//! and of the specification that follows it; `docs/wasm.md` says what is followed, and how far.
//!
//! ```
//! use wasm::{Options, load};
//!
//! let binary = wat::parse_str(
//!     r#"(module
//!          (import "env" "connect" (func $connect (param i32)))
//!          (memory 1)
//!          (data (i32.const 16) "bad\00")
//!          (func (export "run") (call $connect (i32.const 16))))"#,
//! )?;
//! let policy = "deny to public { permission function connect bad }";
//! let options = Options {
//!     policies: vec![("p.policy".to_owned(), policy.to_owned())],
//!     ..Options::default()
//! };
//! let loaded = load("plugin.wasm", &binary, &options);
//! let program = loaded.program.expect("it has no errors");
//! assert_eq!(program.properties[0].name, "rule-1");
//! # Ok::<(), wat::Error>(())
//! ```

mod codes;
mod decode;
mod door;
mod image;
mod interface;
mod link;
mod listing;
mod load;
mod lower;
mod wasi;

pub use codes::TABLES as CODES;
pub use door::Wasm;
pub use load::{Loaded, Options, Texts, load};
