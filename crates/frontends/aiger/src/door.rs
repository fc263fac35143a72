//! The door of the language: what it says of itself, and how it is read.

use language::{FrontEnd, Language, Read, Request};
use source::CodeDoc;

use crate::{Options, codes, load};

/// And-inverter graphs.
pub struct Aiger;

impl FrontEnd for Aiger {
    fn language(&self) -> &'static Language {
        &Language {
            name: "aiger",
            title: "AIGER",
            extensions: &["aag", "aig"],
            shared_extensions: &[],
            options: &[],
            targets: &[],
        }
    }

    fn codes(&self) -> &'static [&'static [CodeDoc]] {
        codes::TABLES
    }

    fn recognises(&self, contents: &[u8]) -> bool {
        contents.starts_with(b"aag ") || contents.starts_with(b"aig ")
    }

    fn load(&self, request: &Request<'_>) -> Read {
        let options = Options {
            extra_properties: request.extra_properties.to_vec(),
        };
        load(&request.name(), request.contents, &options).into()
    }
}
