//! The door of the language: what it says of itself, and how it is read.

use language::{DEFINE, FrontEnd, INCLUDE, Interface, Language, NET, POLICY, Read, Request};
use source::{CodeDoc, Diagnostic, Loaded};

use crate::annotate::annotate;
use crate::codes;
use crate::interface::interface;
use crate::load::{Options, load};

/// Mobile code in C.
pub struct Mobile;

/// The annotated program.
const ANNOTATED: &str = "c";

impl FrontEnd for Mobile {
    fn language(&self) -> &'static Language {
        &Language {
            name: "mobile",
            title: "C",
            extensions: &["c"],
            shared_extensions: &[],
            options: &[&DEFINE, &INCLUDE, &POLICY, &NET],
            targets: &[(
                ANNOTATED,
                "C with a wrapper around each function that the policy names",
            )],
        }
    }

    fn codes(&self) -> &'static [&'static [CodeDoc]] {
        codes::TABLES
    }

    fn load(&self, request: &Request<'_>) -> Read {
        let include = |file: &str| request.include(file);
        let asked = match options(request, &include) {
            Ok(asked) => asked,
            Err(refused) => return Loaded::refused(*refused).into(),
        };
        let read = |text: &str| load(&request.name(), text, &asked);
        request.read_text(read).into()
    }

    fn interface(&self, request: &Request<'_>) -> Option<Loaded<Interface>> {
        let include = |file: &str| request.include(file);
        let asked = match options(request, &include) {
            Ok(asked) => asked,
            Err(refused) => return Some(Loaded::refused(*refused)),
        };
        let read = |text: &str| interface(&request.name(), text, &asked);
        Some(request.read_text(read))
    }

    fn translate(&self, target: &str, request: &Request<'_>) -> Option<Loaded<String>> {
        if target != ANNOTATED {
            return None;
        }
        let include = |file: &str| request.include(file);
        let asked = match options(request, &include) {
            Ok(asked) => asked,
            Err(refused) => return Some(Loaded::refused(*refused)),
        };
        let write = |text: &str| annotate(&request.name(), text, &asked, request.decisions);
        Some(request.read_text(write))
    }
}

/// What is asked beside the program.
fn options<'a>(
    request: &Request<'_>,
    include: &'a dyn Fn(&str) -> Option<String>,
) -> Result<Options<'a>, Box<Diagnostic>> {
    let settings = request.settings;
    let policies = settings.paths(POLICY.name);
    let policies = policies.iter().map(|path| request.file(path));
    let net = settings.paths(NET.name);
    Ok(Options {
        defines: settings.pairs(DEFINE.name),
        include,
        policies: policies.collect::<Result<_, _>>()?,
        net: net.last().map(|path| request.file(path)).transpose()?,
    })
}
