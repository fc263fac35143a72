//! The door of the language: what it says of itself, and how it is read.

use language::{
    DEFINE, FAIR, FrontEnd, INCLUDE, Language, Lexis, OptionSpec, Outline, Read, Request,
    Statements, Word, begins_with_word, has_line,
};
use source::{CodeDoc, Diagnostic};

use crate::codes;
use crate::load::{Loaded, Options, load};
use crate::outline;

/// SPIN's models.
pub struct Promela;

const IGNORE_C: OptionSpec = OptionSpec {
    name: "ignore-c",
    help: "Pass over embedded C code that only prints or never runs",
    ..OptionSpec::SWITCH
};

const LOSSY: OptionSpec = OptionSpec {
    name: "lossy",
    help: "A message that is sent to a full channel is lost; without it, who sends waits until there \
           is room (as with and without -m of SPIN)",
    ..OptionSpec::SWITCH
};

const CLAIM: OptionSpec = OptionSpec {
    name: "claim",
    value: Some("FILE"),
    repeatable: true,
    help: "Read never claims or ltl formulas in FILE behind the model, whose macros are known there",
    ..OptionSpec::SWITCH
};

/// The words and signs of Promela.
const LEXIS: Lexis = Lexis {
    statements: Some(Statements {
        after: &[";", "->", "::", "{", "}", "do", "if", "fi", "od"],
        before: &[";", "->", "::", "}", "fi", "od"],
        nothing: "skip",
        assertions: &["assert"],
    }),
    ..Lexis::OF_C
};

impl FrontEnd for Promela {
    fn language(&self) -> &'static Language {
        &Language {
            name: "promela",
            title: "Promela",
            extensions: &["pm", "pml", "pr", "prm", "prom", "promela", "spin"],
            shared_extensions: &["pm", "pr", "prm"],
            options: &[&DEFINE, &INCLUDE, &IGNORE_C, &LOSSY, &CLAIM, &FAIR],
            targets: &[],
        }
    }

    fn codes(&self) -> &'static [&'static [CodeDoc]] {
        codes::TABLES
    }

    fn recognises(&self, contents: &[u8]) -> bool {
        has_line(contents, |line| {
            let active = line.strip_prefix("active").unwrap_or(line).trim_start();
            let begins = |word| begins_with_word(active, word);
            begins("proctype")
                || active.starts_with('[') && active.contains("proctype")
                || begins("init") && active["init".len()..].trim_start().starts_with('{')
        })
    }

    fn lexis(&self) -> Option<&'static Lexis> {
        Some(&LEXIS)
    }

    fn load(&self, request: &Request<'_>) -> Read {
        let include = |file: &str| request.include(file);
        let options = match options(request, &include) {
            Ok(options) => options,
            Err(refused) => return Loaded::refused(*refused).into(),
        };
        let read = |text: &str| load(&request.name(), text, &options);
        request.read_text(read).into()
    }

    fn outline(&self, request: &Request<'_>) -> Option<Outline> {
        let include = |file: &str| request.include(file);
        let options = options(request, &include).ok()?;
        Some(outline::outline(
            &request.name(),
            &request.text().ok()?,
            &options,
        ))
    }

    fn words(&self) -> &'static [Word] {
        outline::words()
    }
}

/// How a model is read.
fn options<'i>(
    request: &Request<'_>,
    include: &'i dyn Fn(&str) -> Option<String>,
) -> Result<Options<'i>, Box<Diagnostic>> {
    let claims = request.settings.paths(CLAIM.name);
    let claims = claims.iter().map(|path| request.file(path));
    Ok(Options {
        defines: request.settings.pairs(DEFINE.name),
        include,
        ignore_c: request.settings.has(IGNORE_C.name),
        lossy: request.settings.has(LOSSY.name),
        claims: claims.collect::<Result<_, _>>()?,
        extra_properties: request.extra_properties.to_vec(),
    })
}
