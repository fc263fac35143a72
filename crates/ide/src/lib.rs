//! What an editor shows of a script: findings, what a name means, what may be written here, and the last
//! verdict of each property.
//!
//! All of it is plain data about byte offsets of a [`Document`]; the protocol that editors speak is the
//! business of `probity lsp`, and so is the work in the background.
//!
//! ```
//! use ide::{Document, Encoding, Position};
//!
//! let mut document = Document::new("a\u{1F600}b");
//! let b = document.offset(Position { line: 0, column: 3 }, Encoding::Utf16);
//! assert_eq!(&document.text()[b..], "b");
//! document.edit(b..b + 1, "c");
//! assert_eq!(document.text(), "a\u{1F600}c");
//! ```

mod document;
mod findings;
mod names;
mod verdicts;

pub use document::{Document, Edit, Encoding, Position};
pub use findings::{Finding, Fix, Level, Place, Related, findings};
pub use names::{Completion, Hover, Names, Vocabulary, word_at};
pub use verdicts::{PropertyAt, Verdict, verdict_of};
