//! The door of the language: what it says of itself, and how it is read.

use language::{DEFINE, FAIR, FrontEnd, INCLUDE, Language, OptionSpec, Read, Request};
use source::CodeDoc;

use crate::codes;
use crate::load::{Options, load};

/// SPIN's models.
pub struct Promela;

const IGNORE_C: OptionSpec = OptionSpec {
    name: "ignore-c",
    help: "Pass over embedded C code that only prints or never runs",
    ..OptionSpec::SWITCH
};

impl FrontEnd for Promela {
    fn language(&self) -> &'static Language {
        &Language {
            name: "promela",
            title: "Promela",
            extensions: &["pml", "prom", "promela", "spin"],
            shared_extensions: &[],
            options: &[&DEFINE, &INCLUDE, &IGNORE_C, &FAIR],
            targets: &[],
        }
    }

    fn codes(&self) -> &'static [&'static [CodeDoc]] {
        codes::TABLES
    }

    fn load(&self, request: &Request<'_>) -> Read {
        let options = Options {
            defines: request.settings.pairs(DEFINE.name),
            include: &|file| request.include(file),
            ignore_c: request.settings.has(IGNORE_C.name),
            extra_properties: request.extra_properties.to_vec(),
        };
        let read = |text: &str| load(&request.name(), text, &options);
        request.read_text(read).into()
    }
}
