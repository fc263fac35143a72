//! The front end for TVM, the language of 3VMC: concurrent programs with any number of threads and
//! objects, described by predicates and actions.
//!
//! E. Yahav, *3VMC User's Manual* (2001). [`load`] turns a model into a program over logical
//! structures ([`model::predicates`]). Each message of an action that is used, and each assertion, is
//! a property: that no configuration gives the message.
//!
//! ```
//! let model = "
//!     %p busy(t)
//!     %%
//!     %action work() { { busy(v) = busy(v) | v == tr } }
//!     %action look() { %message (E(t) busy(t)) -> \"somebody is busy\" }
//!     %%
//!     %thread main { begin work() done }
//!     %%
//!     look()
//!     %initial { %t = { t(main) } %n = {} %p = { sm = {t:1/2} ready = {t} } }
//! ";
//! let loaded = tvm::load("busy.tvm", model, &[], &|_| None);
//! let program = loaded.program.expect("it has no errors");
//! assert_eq!(program.properties[0].name, "look");
//! assert_eq!(program.properties[0].text, "never \"somebody is busy\"");
//! ```

mod codes;
mod door;
mod formula;
mod lex;
mod lower;
mod parse;
mod parse_action;
mod tree;

use model::Program;
use source::{Diagnostic, Diagnostics, FileId, Preprocessor, SourceMap, Token};

pub use codes::TABLES as CODES;
pub use door::Tvm;

/// Gives the text of a file by its name, if there is one.
pub type ReadFile<'a> = &'a dyn Fn(&str) -> Option<String>;

/// A model that has been read.
pub type Loaded = source::Loaded<Program>;

/// Reads a model and lowers it. Properties from outside are refused.
#[must_use]
pub fn load(name: &str, text: &str, extra_properties: &[String], read: ReadFile<'_>) -> Loaded {
    let mut diagnostics = Diagnostics::new();
    let mut sources = SourceMap::new();
    for extra in extra_properties {
        let message = format!("`{extra}` is no property of this model");
        let refused = Diagnostic::error(codes::PROPERTY, message);
        diagnostics.push(refused.help("a model states its properties itself; choose by name"));
    }
    let id = sources.add(name, text);
    let tokens = preprocessed(id, read, &mut sources, &mut diagnostics);
    let mut parser = parse::Parser::new(tokens);
    let mut file = parser.file();
    diagnostics.append(parser.diagnostics);
    if file.initial.is_empty() && !diagnostics.has_errors() {
        let stem = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let beside = format!("{}.tvs", stem.strip_suffix(".tvm").unwrap_or(stem));
        if let Some(text) = read(&beside) {
            let id = sources.add(&beside, &text);
            let tokens = preprocessed(id, read, &mut sources, &mut diagnostics);
            let mut parser = parse::Parser::new(tokens);
            file.initial = parser.structures();
            diagnostics.append(parser.diagnostics);
        }
        if file.initial.is_empty() && !diagnostics.has_errors() {
            let message = "no initial configuration is stated";
            let missing = Diagnostic::error(codes::INITIAL, message);
            diagnostics.push(missing.help(format!("write it into `{beside}`, or as `%initial`")));
        }
    }
    let mut program = None;
    if !diagnostics.has_errors() {
        program = Some(lower::lower(name, &file, &mut diagnostics));
    }
    Loaded::new(sources, diagnostics, program)
}

fn preprocessed(
    file: FileId,
    read: ReadFile<'_>,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Vec<Token> {
    let mut preprocessor = Preprocessor::new(lex::DIALECT, read, sources, diagnostics);
    preprocessor.read(file);
    preprocessor.finish(file)
}
