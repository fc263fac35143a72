//! The door of the language: what it says of itself, and how it is read.

use std::sync::OnceLock;

use language::{FrontEnd, Kind, Language, Lexis, Read, Request, Word, has_line};
use source::{CodeDoc, Loaded};

use crate::{codes, load, translate};

/// Concurrent programs in Java.
pub struct Java;

impl FrontEnd for Java {
    fn language(&self) -> &'static Language {
        &Language {
            name: "java",
            title: "Java",
            extensions: &["java"],
            shared_extensions: &[],
            options: &[],
            targets: &[("tvm", "a Java program as a model in TVM")],
        }
    }

    fn codes(&self) -> &'static [&'static [CodeDoc]] {
        codes::TABLES
    }

    fn recognises(&self, contents: &[u8]) -> bool {
        let is_class = |line: &str| line.split_whitespace().any(|word| word == "class");
        let is_run = |line: &str| line.contains("static void main(String");
        has_line(contents, is_class) && has_line(contents, is_run)
    }

    fn words(&self) -> &'static [Word] {
        static ALL: OnceLock<[Word; 1]> = OnceLock::new();
        ALL.get_or_init(|| {
            let text = "Objects of a class with this annotation are never lost: a property of each such class.";
            [Word::new("NeverLost", Kind::PropertyWord, "@NeverLost class NAME { ... }", text)]
        })
    }

    fn lexis(&self) -> Option<&'static Lexis> {
        Some(&Lexis::OF_C)
    }

    fn load(&self, request: &Request<'_>) -> Read {
        match request.text() {
            Ok(text) => load(&request.name(), &text).into(),
            Err(refused) => Loaded::refused(*refused).into(),
        }
    }

    fn translate(&self, target: &str, request: &Request<'_>) -> Option<Loaded<String>> {
        if target != "tvm" {
            return None;
        }
        Some(match request.text() {
            Ok(text) => translate(&request.name(), &text),
            Err(refused) => Loaded::refused(*refused),
        })
    }
}
