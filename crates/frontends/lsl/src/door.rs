//! The door of the language: what it says of itself, and how it is read.

use language::{BOUND, CHECK, FAIR, FrontEnd, Language, OptionSpec, Read, Request};
use source::CodeDoc;

use crate::codes;
use crate::load::{Options, load};

/// Second Life's scripts.
pub struct Lsl;

/// Checks that nobody has to write.
const CHECKS: OptionSpec = OptionSpec {
    name: "checks",
    commands: &[CHECK],
    help: "Check a script that states no properties for what goes wrong with money in many: payments \
           that are kept for nothing or lost, payments without the owner's leave or of nothing, goods \
           that are not there",
    ..OptionSpec::SWITCH
};

impl FrontEnd for Lsl {
    fn language(&self) -> &'static Language {
        &Language {
            name: "lsl",
            title: "LSL",
            extensions: &["lsl"],
            shared_extensions: &[],
            options: &[&BOUND, &FAIR, &CHECKS],
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
            checks: request.settings.has(CHECKS.name),
        };
        let read = |text: &str| load(&request.name(), text, &options);
        request.read_text(read).into()
    }
}
