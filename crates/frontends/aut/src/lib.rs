//! The front end for labelled graphs in Aldebaran's format, in which CADP, mCRL2 and other tools exchange
//! them, with formulas of the mu-calculus as mCRL2 writes them.
//!
//! H. Garavel, *CADP* (the manual page `aut`); J. F. Groote, M. R. Mousavi, *Modeling and Analysis of
//! Communicating Systems* (2014). [`load`] turns a graph into a [`model::Program`]: one process whose
//! locations are the states, and which tells the actions of a label as it passes a transition.
//!
//! ```
//! use aut::{Options, load};
//!
//! let options = Options {
//!     extra_properties: vec!["[true*]<true>true".to_owned()],
//!     ..Options::default()
//! };
//! let loaded = load("g.aut", "des (0, 1, 2)\n(0, \"pay(3)\", 1)\n", &options);
//! let program = loaded.program.expect("it has no errors");
//! assert_eq!(program.events[0].name, "pay");
//! assert_eq!(program.properties.len(), 1);
//! ```

mod codes;
mod door;
mod formula;
mod label;
mod lower;
mod read;

use model::{Assumption, AssumptionId, Claim, EventId, Origin, Program, Property};
use source::{Diagnostic, Diagnostics, FileId, SourceMap, Span, command_line_title};

use crate::formula::Wrong;
use crate::lower::Alphabet;

pub use codes::TABLES as CODES;
pub use door::Aut;
pub use read::{Lts, Malformed, Transition, read};

/// How a graph is read, and what is asked of it.
#[derive(Clone, Debug)]
pub struct Options {
    /// Names and texts of files with formulas.
    pub formulas: Vec<(String, String)>,
    /// Texts of formulas from the command line.
    pub extra_properties: Vec<String>,
    /// Labels that nobody sees.
    pub silent: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            formulas: Vec::new(),
            extra_properties: Vec::new(),
            silent: vec!["tau".to_owned(), "i".to_owned()],
        }
    }
}

/// A graph that has been read.
pub type Loaded = source::Loaded<Program>;

/// Reads a graph and its formulas. Without a formula, it is asked whether a run ends.
#[must_use]
pub fn load(name: &str, text: &str, options: &Options) -> Loaded {
    let mut diagnostics = Diagnostics::new();
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let lts = match read(text) {
        Ok(lts) => lts,
        Err(malformed) => {
            let code = match malformed {
                Malformed::Line(_) | Malformed::State(..) => codes::LINE,
                _ => codes::HEADER,
            };
            let mut diagnostic = Diagnostic::error(code, malformed.to_string());
            let file = sources.file(file);
            if let Some(line) = malformed.line().filter(|line| *line <= file.line_count()) {
                diagnostic = diagnostic.at(file.line_span(line));
            }
            diagnostics.push(diagnostic);
            return Loaded::new(sources, diagnostics, None);
        }
    };
    let (mut program, alphabet) = lower::lower(name, &lts, sources.file(file), &options.silent);
    // For CADP it is silent; in mCRL2 an action may have this name.
    if lts.labels.contains(&"i") && options.silent.iter().any(|name| name == "i") {
        program.assumptions.push(Assumption {
            text: "steps with the label `i` are silent (--tau)".to_owned(),
            origin: Origin::Semantics,
            properties: None,
            span: Span::NONE,
        });
    }
    for (name, text) in &options.formulas {
        let file = sources.add(name.as_str(), text.as_str());
        let stem = std::path::Path::new(name).file_stem();
        let stem = stem.map(|stem| stem.to_string_lossy().into_owned());
        let stem = stem.unwrap_or_else(|| name.clone());
        let written = Written {
            name: stem,
            text,
            file,
        };
        state(&written, &alphabet, &mut program, &mut diagnostics);
    }
    for (number, text) in (1..).zip(&options.extra_properties) {
        let file = sources.add(command_line_title(number), text.as_str());
        let name = match number {
            1 => "property".to_owned(),
            _ => format!("property_{number}"),
        };
        let written = Written { name, text, file };
        state(&written, &alphabet, &mut program, &mut diagnostics);
    }
    if program.properties.is_empty() && !diagnostics.has_errors() {
        let text = "no run ends".to_owned();
        let claim = Claim::NoDeadlock;
        program.add_property(property("deadlock".to_owned(), text, Span::NONE, claim));
    }
    let program = (!diagnostics.has_errors()).then_some(program);
    Loaded::new(sources, diagnostics, program)
}

/// A formula's text.
struct Written<'t> {
    /// What the property is called.
    name: String,
    text: &'t str,
    file: FileId,
}

/// Adds the formula of a text.
fn state(
    written: &Written<'_>,
    alphabet: &Alphabet,
    program: &mut Program,
    diagnostics: &mut Diagnostics,
) {
    let &Written {
        ref name,
        text,
        file,
    } = written;
    let span = |range: std::ops::Range<usize>| {
        let [start, end] = [range.start, range.end].map(|at| u32::try_from(at).unwrap_or(u32::MAX));
        Span::new(file, start, end)
    };
    let stated = match formula::read(text, program, alphabet) {
        Ok(stated) => stated,
        Err(Wrong::Section(section, range)) => {
            let message = format!("`{section}` is not read: it decides what the formula means");
            let refused = Diagnostic::error(codes::SECTION, message).at(span(range));
            diagnostics.push(refused.help("write the formula without it"));
            return;
        }
        Err(Wrong::Formula(why, range)) => {
            diagnostics.push(Diagnostic::error(codes::FORMULA, why).at(span(range)));
            return;
        }
    };
    for (what, range) in stated.never {
        diagnostics.push(Diagnostic::warning(codes::NEVER, what).at(span(range)));
    }
    let mut unique = name.clone();
    let mut number = 1;
    while program
        .properties
        .iter()
        .any(|property| property.name == unique)
    {
        number += 1;
        unique = format!("{name}_{number}");
    }
    let whole = 0..text.len();
    let never = |event: &EventId| event.index() >= alphabet.events;
    let vacuous = stated.formula.truth_if_never(&|_| false).is_none()
        && stated.formula.truth_if_never(&|(event, _)| never(event)) == Some(true);
    let claim = Claim::Mu(stated.formula);
    let mut property = property(unique, stated.text, span(whole), claim);
    if vacuous {
        property.trigger = Some(program.exprs.bool(false));
    }
    for sort in stated.open_sorts {
        property
            .assumptions
            .push(AssumptionId::new(program.assumptions.len()));
        program.assumptions.push(Assumption {
            text: format!("the values of `{sort}` are those that stand in labels"),
            origin: Origin::Semantics,
            properties: None,
            span: Span::NONE,
        });
    }
    program.add_property(property);
}

fn property(name: String, text: String, span: Span, claim: Claim) -> Property {
    Property {
        name,
        text,
        span,
        claim,
        trigger: None,
        observers: Vec::new(),
        assumptions: Vec::new(),
    }
}
