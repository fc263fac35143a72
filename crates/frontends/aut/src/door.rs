//! The door of the language: what it says of itself, and how it is read.

use language::{CHECK, FrontEnd, Language, OptionSpec, Read, Request};
use source::{CodeDoc, Diagnostic, Loaded};

use crate::{Options, codes, load};

/// Labelled graphs.
pub struct Aut;

const FORMULAS: OptionSpec = OptionSpec {
    name: "formulas",
    value: Some("FILE"),
    repeatable: true,
    commands: &[CHECK],
    help: "Check the formula of the modal mu-calculus in FILE (.mcf), as mCRL2 writes them",
    ..OptionSpec::SWITCH
};

const TAU: OptionSpec = OptionSpec {
    name: "tau",
    value: Some("NAMES"),
    default: "tau,i",
    help: "Which labels of a graph nobody sees, with commas between them",
    ..OptionSpec::SWITCH
};

impl FrontEnd for Aut {
    fn language(&self) -> &'static Language {
        &Language {
            name: "aut",
            title: "labelled graph",
            extensions: &["aut"],
            shared_extensions: &[],
            options: &[&FORMULAS, &TAU],
            targets: &[],
        }
    }

    fn codes(&self) -> &'static [&'static [CodeDoc]] {
        codes::TABLES
    }

    fn recognises(&self, contents: &[u8]) -> bool {
        let begin = contents.trim_ascii_start().strip_prefix(b"des");
        begin.is_some_and(|rest| rest.trim_ascii_start().starts_with(b"("))
    }

    fn load(&self, request: &Request<'_>) -> Read {
        let options = match options(request) {
            Ok(options) => options,
            Err(refused) => return Loaded::refused(*refused).into(),
        };
        let read = |text: &str| load(&request.name(), text, &options);
        request.read_text(read).into()
    }
}

/// How a graph is read.
fn options(request: &Request<'_>) -> Result<Options, Box<Diagnostic>> {
    let settings = request.settings;
    let formulas = settings.paths(FORMULAS.name);
    let formulas = formulas.iter().map(|path| request.file(path));
    let silent = settings.value(TAU.name).unwrap_or(TAU.default);
    Ok(Options {
        formulas: formulas.collect::<Result<_, _>>()?,
        extra_properties: request.extra_properties.to_vec(),
        silent: silent
            .split(',')
            .map(|name| name.trim().to_owned())
            .collect(),
    })
}
