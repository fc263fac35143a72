//! The front end for AIGER, the format in which tools for hardware exchange circuits.
//!
//! A. Biere, K. Heljanko, S. Wieringa, *AIGER 1.9 And Beyond* (2011). [`load`] turns a file, text or
//! binary, into a [`model::Program`]: inputs and latches are variables of one bit that all move at
//! once, constraints hold in every state, and fairness is what happens again and again in the runs
//! that count. What is bad never happens: a property each, by its name in the file or as `b0`, `b1`,
//! ... Justice properties (`j0`, ...) say that not all of their signals come again and again for ever.
//! Where a file states neither, as those of the format's first version, its outputs are bad.
//!
//! ```
//! use aiger::{Options, load};
//! use model::interp::Interp;
//!
//! // A latch that turns over at each moment, and is never 1.
//! let loaded = load("toggle.aag", b"aag 1 0 1 1 0\n2 3\n2\n", &Options::default());
//! let program = loaded.program.expect("it has no errors");
//! assert_eq!(program.properties[0].text, "never o0");
//!
//! let interp = Interp::new(&program);
//! let (_, first) = interp.initial().expect("nothing overflows").remove(0);
//! let second = &interp.expand(&first).expect("nothing overflows").successors[0].state;
//! assert!(second.globals[0].truth());
//! ```

mod codes;
mod door;
mod lower;
mod netlist;
mod read;

use model::Program;
use source::{Diagnostic, Diagnostics, SourceFile, SourceMap};

pub use codes::TABLES as CODES;
pub use door::Aiger;
pub use netlist::{Latch, Named, Netlist, Reset, Signal};
pub use read::{Malformed, read};

/// What the caller adds to a circuit.
#[derive(Clone, Default, Debug)]
pub struct Options {
    /// Texts of more properties; all of them are refused.
    pub extra_properties: Vec<String>,
}

/// A circuit that has been read.
pub type Loaded = source::Loaded<Program>;

/// Reads a circuit and lowers it.
#[must_use]
pub fn load(name: &str, bytes: &[u8], options: &Options) -> Loaded {
    let mut diagnostics = Diagnostics::new();
    let mut sources = SourceMap::new();
    let file = sources.add(name, readable(bytes));
    for text in &options.extra_properties {
        let message = format!("`{text}` is no property of this circuit");
        let refused = Diagnostic::error(codes::PROPERTY, message);
        diagnostics.push(refused.help("a circuit states its properties itself; choose by name"));
    }
    let mut program = None;
    match read(bytes) {
        Ok(netlist) => program = Some(lower::lower(name, &netlist, sources.file(file))),
        Err(malformed) => diagnostics.push(diagnostic(&malformed, sources.file(file))),
    }
    Loaded::new(sources, diagnostics, program)
}

/// The lines at the beginning of a file that are text: all of them, or all up to the gates.
fn readable(bytes: &[u8]) -> &str {
    let text = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let text = text.split('\0').next().unwrap_or_default();
    if text.len() == bytes.len() {
        return text;
    }
    text.rfind('\n').map_or("", |end| &text[..=end])
}

fn diagnostic(malformed: &Malformed, file: &SourceFile) -> Diagnostic {
    let (code, line) = match malformed {
        Malformed::Header | Malformed::Counts => (codes::HEADER, Some(1)),
        Malformed::Truncated(line) | Malformed::Line(line, _) => (codes::LINE, Some(*line)),
        Malformed::Cycle(_) => (codes::CYCLE, None),
        Malformed::Undefined(_) => (codes::UNDEFINED, None),
    };
    let diagnostic = Diagnostic::error(code, malformed.to_string());
    let line = line.and_then(|line| u32::try_from(line).ok());
    match line {
        Some(line) if !file.is_empty() => {
            diagnostic.at(file.line_span(line.clamp(1, file.line_count())))
        }
        _ => diagnostic,
    }
}
