//! The door through which a language comes in.
//!
//! A language is a value of a type that implements [`FrontEnd`]: it says what it is called, which
//! files are written in it, and which options mean something for it, and makes a
//! [`Program`](model::Program) with properties of a text. The command line has a list of them, and
//! knows none by name.
//!
//! # Example
//!
//! ```
//! use language::{FrontEnd, Language, Read, Request};
//! use source::{CodeDoc, Diagnostics, SourceMap};
//!
//! struct Nothing;
//!
//! impl FrontEnd for Nothing {
//!     fn language(&self) -> &'static Language {
//!         &Language {
//!             name: "nothing",
//!             title: "Nothing",
//!             extensions: &["nil"],
//!             shared_extensions: &[],
//!             options: &[],
//!             targets: &[],
//!         }
//!     }
//!
//!     fn codes(&self) -> &'static [&'static [CodeDoc]] {
//!         &[]
//!     }
//!
//!     fn load(&self, request: &Request<'_>) -> Read {
//!         let mut sources = SourceMap::new();
//!         sources.add(&request.name(), "");
//!         let program = model::Program::new("nothing", "nothing");
//!         source::Loaded::new(sources, Diagnostics::new(), Some(program)).into()
//!     }
//! }
//!
//! assert_eq!(Nothing.language().extensions, ["nil"]);
//! ```

mod concrete;
mod front_end;
mod lexis;
mod lines;
mod option;
mod outline;
mod request;
mod settings;

pub use concrete::{ConcretePlan, ConcreteRun, ConcreteWorld};
pub use front_end::{FrontEnd, Interface, Language, NoWhole, Part, Read, Whole};
pub use lexis::{Lexis, Statements};
pub use lines::{begins_with_word, has_line};
pub use option::{
    AUDIT, BOUND, CERTIFY, CHECK, DEFINE, DIFF_POLICY, EVERYWHERE, FAIR, INCLUDE, NET, OptionSpec,
    POLICY, SIMULATE, TRANSLATE,
};
pub use outline::{Definition, Kind, Mention, Outline, Word};
pub use request::{Decision, Entry, Request};
pub use settings::Settings;
