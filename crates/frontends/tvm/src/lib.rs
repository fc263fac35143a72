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
mod stated;
mod tree;
mod words;

use model::Program;
use source::{Diagnostic, Diagnostics, FileId, Preprocessor, SourceMap, Token};

pub use codes::TABLES as CODES;
pub use door::Tvm;

/// Gives the text of a file by its name, if there is one.
pub type ReadFile<'a> = &'a dyn Fn(&str) -> Option<String>;

/// A model that has been read.
pub type Loaded = source::Loaded<Program>;

/// What a model is read with.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// Properties beyond those of the model: formulas of linear time, perhaps with a name and a colon.
    pub properties: &'a [String],
    /// Whether no thread that can always go on is passed over for ever.
    pub fair: bool,
}

/// Reads a model and lowers it.
#[must_use]
pub fn load(name: &str, text: &str, extra_properties: &[String], read: ReadFile<'_>) -> Loaded {
    let options = Options {
        properties: extra_properties,
        fair: false,
    };
    load_with(name, text, &options, read)
}

/// The same with options.
#[must_use]
pub fn load_with(name: &str, text: &str, options: &Options<'_>, read: ReadFile<'_>) -> Loaded {
    let mut diagnostics = Diagnostics::new();
    let mut sources = SourceMap::new();
    let id = sources.add(name, text);
    let tokens = preprocessed(id, read, &mut sources, &mut diagnostics);
    let mut parser = parse::Parser::new(tokens);
    let (stem, sequential) = stem(name);
    let mut file = match sequential {
        true => parser.sequential_file(),
        false => parser.file(),
    };
    diagnostics.append(parser.diagnostics);
    file.fair = options.fair;
    file.stated = stated::in_comments(id, &sources, &mut diagnostics);
    if !diagnostics.has_errors() {
        if file.initial.is_empty() {
            let beside = format!("{stem}.tvs");
            begin(&beside, &mut file, read, &mut sources, &mut diagnostics);
        }
        let beside = format!("{stem}.buc");
        if let Some(text) = read(&beside) {
            let id = sources.add(&beside, &text);
            let tokens = preprocessed(id, read, &mut sources, &mut diagnostics);
            let mut parser = parse::Parser::new(tokens);
            let (declarations, automata) = parser.automata();
            file.declarations.extend(declarations);
            file.stated.extend(automata);
            diagnostics.append(parser.diagnostics);
        }
    }
    for (number, extra) in options.properties.iter().enumerate() {
        let given = stated::given(extra, number + 1, &mut sources, &mut diagnostics);
        file.stated.extend(given);
    }
    let mut program = None;
    if !diagnostics.has_errors() {
        program = Some(lower::lower(name, &file, &mut diagnostics));
    }
    Loaded::new(sources, diagnostics, program)
}

/// The name of a file without folders and suffix, and whether it is a sequential program.
fn stem(name: &str) -> (&str, bool) {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    match file.strip_suffix(".tvp") {
        Some(stem) => (stem, true),
        None => (file.strip_suffix(".tvm").unwrap_or(file), false),
    }
}

/// Reads initial configurations from a file beside the model.
fn begin(
    beside: &str,
    file: &mut tree::File,
    read: ReadFile<'_>,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) {
    if let Some(text) = read(beside) {
        let id = sources.add(beside, &text);
        let tokens = preprocessed(id, read, sources, diagnostics);
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

fn preprocessed(
    file: FileId,
    read: ReadFile<'_>,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Vec<Token> {
    // Models that were written on Windows separate folders as it does.
    let read = |name: &str| read(&name.replace('\\', "/"));
    let mut preprocessor = Preprocessor::new(lex::DIALECT, &read, sources, diagnostics);
    preprocessor.read(file);
    preprocessor.finish(file)
}
