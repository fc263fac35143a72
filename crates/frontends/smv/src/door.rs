//! The door of the language: what it says of itself, and how it is read.

use language::{DEFINE, FrontEnd, INCLUDE, Language, Read, Request, begins_with_word, has_line};
use source::CodeDoc;

use crate::codes;
use crate::load::{Options, load};

/// NuSMV's models.
pub struct Smv;

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

    fn load(&self, request: &Request<'_>) -> Read {
        let options = Options {
            defines: request.settings.pairs(DEFINE.name),
            include: &|file| request.include(file),
            extra_properties: request.extra_properties.to_vec(),
        };
        let read = |text: &str| load(&request.name(), text, &options);
        request.read_text(read).into()
    }
}
