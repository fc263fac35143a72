//! The door of the language: what it says of itself, and how it is read.

use language::{BOUND, FAIR, FrontEnd, Language, Read, Request};
use source::CodeDoc;

use crate::codes;
use crate::load::{Options, load};

/// Second Life's scripts.
pub struct Lsl;

impl FrontEnd for Lsl {
    fn language(&self) -> &'static Language {
        &Language {
            name: "lsl",
            title: "LSL",
            extensions: &["lsl"],
            shared_extensions: &[],
            options: &[&BOUND, &FAIR],
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
            checks: request.unasked,
        };
        let read = |text: &str| load(&request.name(), text, &options);
        request.read_text(read).into()
    }
}
