//! The door of the language: what it says of itself, and how it is read.

use language::{DEFINE, FrontEnd, Language, OptionSpec, Read, Request};
use source::{CodeDoc, Loaded};

use crate::codes;
use crate::load::{Options, load};

/// Mobile code in C.
pub struct Mobile;

const POLICY: OptionSpec = OptionSpec {
    name: "policy",
    value: Some("FILE"),
    repeatable: true,
    help: "Check C against a security policy: which calls are denied to which code; the rules of \
           several files add up",
    ..OptionSpec::SWITCH
};

const NET: OptionSpec = OptionSpec {
    name: "net",
    value: Some("FILE"),
    help: "Read the locations, where C code runs and where it comes from in FILE (.locnet); \
           without it, anywhere",
    ..OptionSpec::SWITCH
};

impl FrontEnd for Mobile {
    fn language(&self) -> &'static Language {
        &Language {
            name: "mobile",
            title: "C",
            extensions: &["c"],
            shared_extensions: &[],
            options: &[&DEFINE, &POLICY, &NET],
            targets: &[],
        }
    }

    fn codes(&self) -> &'static [&'static [CodeDoc]] {
        codes::TABLES
    }

    fn load(&self, request: &Request<'_>) -> Read {
        let settings = request.settings;
        let mut policies = Vec::new();
        for path in settings.paths(POLICY.name) {
            match request.file(&path) {
                Ok(file) => policies.push(file),
                Err(refused) => return Loaded::refused(*refused).into(),
            }
        }
        let net = match settings.paths(NET.name).last() {
            None => None,
            Some(path) => match request.file(path) {
                Ok(file) => Some(file),
                Err(refused) => return Loaded::refused(*refused).into(),
            },
        };
        let options = Options {
            defines: settings.pairs(DEFINE.name),
            include: &|file| request.include(file),
            policies,
            net,
        };
        let read = |text: &str| load(&request.name(), text, &options);
        request.read_text(read).into()
    }
}
