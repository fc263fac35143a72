//! Source files, places in them, and what is wrong with them.
//!
//! Every front end reads its text through this crate and answers with
//! [`Diagnostic`]s that point back into it. Nothing here does I/O: the caller
//! hands over names and contents, and prints what [`render`] returns.
//!
//! ```
//! use source::{Diagnostic, SourceMap, render};
//!
//! let mut sources = SourceMap::new();
//! let file = sources.add("door.lsl", "default { touch_start(integer n) { opne(); } }");
//! let at = sources.file(file).span_of("opne").expect("it is in the text");
//!
//! let diagnostic = Diagnostic::error("LSL0204", "unknown function `opne`")
//!     .at(at)
//!     .help("a function with a similar name exists: `open`")
//!     .fix_it(at, "open", "call `open`");
//!
//! let text = render(&diagnostic, &sources, false);
//! assert!(text.contains("door.lsl:1:36"));
//! ```

mod decode;
mod diagnostic;
mod excerpt;
mod explain;
pub mod limits;
mod loaded;
mod map;
mod preprocess;
mod render;
mod scanner;
mod shown;
mod span;
mod stream;
mod suggest;
mod token;

pub use decode::{NotText, decode, has_foreign_bytes};
pub use diagnostic::{Diagnostic, Diagnostics, FixIt, Label, Severity};
pub use explain::{CodeDoc, find_code, incomplete};
pub use loaded::{Loaded, command_line_title};
pub use map::{LineCol, LineMarker, SourceFile, SourceMap};
pub use preprocess::{Dialect, Include, Preprocessor};
pub use render::{render, render_all};
pub use scanner::{Scanner, scan};
pub use shown::shown;
pub use span::{FileId, Span};
pub use stream::TokenStream;
pub use suggest::suggest;
pub use token::{Expansion, Token, TokenKind};
