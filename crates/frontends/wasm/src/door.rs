//! The door of the language: what it says of itself, and how it is read.

use language::{FrontEnd, Interface, Language, NET, OptionSpec, POLICY, Read, Request};
use source::{CodeDoc, Diagnostic, Loaded};

use crate::codes;
use crate::load::{Options, Texts, load};

/// WebAssembly.
pub struct Wasm;

const TEXTS: OptionSpec = OptionSpec {
    name: "texts",
    value: Some("KIND"),
    choices: &["any", "counted", "terminated"],
    default: "any",
    help: "How functions that a WebAssembly module imports are given texts: by an address and a \
           length (counted), by the address of a text that ends with zero (terminated), or either",
    ..OptionSpec::SWITCH
};

impl FrontEnd for Wasm {
    fn language(&self) -> &'static Language {
        &Language {
            name: "wasm",
            title: "WebAssembly",
            extensions: &["wasm"],
            shared_extensions: &[],
            options: &[&POLICY, &NET, &TEXTS],
            targets: &[],
        }
    }

    fn codes(&self) -> &'static [&'static [CodeDoc]] {
        codes::TABLES
    }

    fn interface(&self, request: &Request<'_>) -> Option<Loaded<Interface>> {
        Some(crate::interface::interface(
            &request.name(),
            request.contents,
        ))
    }

    fn recognises(&self, contents: &[u8]) -> bool {
        contents.starts_with(b"\0asm")
    }

    fn load(&self, request: &Request<'_>) -> Read {
        match options(request) {
            Ok(asked) => load(&request.name(), request.contents, &asked).into(),
            Err(refused) => Loaded::refused(*refused).into(),
        }
    }
}

/// What is asked beside the module.
fn options(request: &Request<'_>) -> Result<Options, Box<Diagnostic>> {
    let settings = request.settings;
    let policies = settings.paths(POLICY.name);
    let policies = policies.iter().map(|path| request.file(path));
    let net = settings.paths(NET.name);
    Ok(Options {
        policies: policies.collect::<Result<_, _>>()?,
        net: net.last().map(|path| request.file(path)).transpose()?,
        texts: match settings.value(TEXTS.name) {
            Some("counted") => Texts::Counted,
            Some("terminated") => Texts::Terminated,
            _ => Texts::Any,
        },
    })
}
