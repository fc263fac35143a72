//! The door of the language: what it says of itself, and how it is read.

use language::{BOUND, DEFINE, FAIR, FrontEnd, INCLUDE, Language, Read, Request};
use source::CodeDoc;

use crate::codes;
use crate::load::{Options, load_with};

/// Second Life's scripts.
pub struct Lsl;

impl FrontEnd for Lsl {
    fn language(&self) -> &'static Language {
        &Language {
            name: "lsl",
            title: "LSL",
            extensions: &["lsl"],
            shared_extensions: &[],
            options: &[&BOUND, &DEFINE, &FAIR, &INCLUDE],
            targets: &[],
        }
    }

    fn codes(&self) -> &'static [&'static [CodeDoc]] {
        codes::TABLES
    }

    fn load(&self, request: &Request<'_>) -> Read {
        let options = Options {
            bounds: request.settings.pairs(BOUND.name),
            extra_properties: request.extra_properties.to_vec(),
            defines: request.settings.pairs(DEFINE.name),
            checks: request.unasked,
        };
        // Viewers run on Windows, too.
        let include = |file: &str| request.include(&file.replace('\\', "/"));
        let read = |text: &str| load_with(&request.name(), text, &options, &include);
        request.read_text(read).into()
    }
}
