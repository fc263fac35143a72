//! The door of the language: what it says of itself, and how it is read.

use language::{
    DEFINE, FrontEnd, INCLUDE, Language, Lexis, Outline, Read, Request, Word, begins_with_word,
    has_line,
};
use source::CodeDoc;

use crate::codes;
use crate::load::{Options, load};
use crate::outline;

/// NuSMV's models.
pub struct Smv;

/// The words and signs of SMV.
const LEXIS: Lexis = Lexis {
    line_comments: &["--"],
    block_comment: Some(("/--", "--/")),
    swaps: &[
        ("<", "<="),
        ("<=", "<"),
        (">", ">="),
        (">=", ">"),
        ("=", "!="),
        ("!=", "="),
        ("&", "|"),
        ("|", "&"),
        ("+", "-"),
        ("-", "+"),
        ("TRUE", "FALSE"),
        ("FALSE", "TRUE"),
    ],
    statements: None,
};

impl FrontEnd for Smv {
    fn language(&self) -> &'static Language {
        &Language {
            name: "smv",
            title: "SMV",
            extensions: &["smv"],
            shared_extensions: &[],
            options: &[&DEFINE, &INCLUDE],
            targets: &[],
        }
    }

    fn codes(&self) -> &'static [&'static [CodeDoc]] {
        codes::TABLES
    }

    fn recognises(&self, contents: &[u8]) -> bool {
        has_line(contents, |line| begins_with_word(line, "MODULE"))
    }

    fn lexis(&self) -> Option<&'static Lexis> {
        Some(&LEXIS)
    }

    fn load(&self, request: &Request<'_>) -> Read {
        let include = |file: &str| request.include(file);
        let options = options(request, &include);
        let read = |text: &str| load(&request.name(), text, &options);
        request.read_text(read).into()
    }

    fn outline(&self, request: &Request<'_>) -> Option<Outline> {
        let include = |file: &str| request.include(file);
        let options = options(request, &include);
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
fn options<'i>(request: &Request<'_>, include: &'i dyn Fn(&str) -> Option<String>) -> Options<'i> {
    Options {
        defines: request.settings.pairs(DEFINE.name),
        include,
        extra_properties: request.extra_properties.to_vec(),
    }
}
