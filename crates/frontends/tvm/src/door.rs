//! The door of the language: what it says of itself, and how it is read.

use language::{FAIR, FrontEnd, INCLUDE, Language, Read, Request, Word, has_line};
use source::{CodeDoc, Loaded};

use crate::words::words;
use crate::{Options, codes, load_with};

/// Models of 3VMC.
pub struct Tvm;

impl FrontEnd for Tvm {
    fn language(&self) -> &'static Language {
        &Language {
            name: "tvm",
            title: "TVM",
            extensions: &["tvm", "tvp"],
            shared_extensions: &[],
            options: &[&FAIR, &INCLUDE],
            targets: &[],
        }
    }

    fn codes(&self) -> &'static [&'static [CodeDoc]] {
        codes::TABLES
    }

    fn recognises(&self, contents: &[u8]) -> bool {
        has_line(contents, |line| {
            line.starts_with("%p ") || line.starts_with("%s ") || line.starts_with("%action ")
        })
    }

    fn words(&self) -> &'static [Word] {
        words()
    }

    fn load(&self, request: &Request<'_>) -> Read {
        let text = match request.text() {
            Ok(text) => text,
            Err(refused) => return Loaded::refused(*refused).into(),
        };
        let read = |file: &str| request.include(file);
        let options = Options {
            properties: request.extra_properties,
            fair: request.settings.value(FAIR.name) == Some("weak"),
        };
        load_with(&request.name(), &text, &options, &read).into()
    }
}
