//! From bytes to a program with its properties: the front end as one function.

use model::Program;
use policy::{Net, Policy};
use source::{Diagnostic, Diagnostics, SourceMap};

use crate::codes;
use crate::decode::{Refusal, decode};
use crate::link::Store;
use crate::listing::Listing;
use crate::lower::{Input, lower};

/// What the caller adds to a module.
#[derive(Clone, Default, Debug)]
pub struct Options {
    /// Policies: their names and texts.
    pub policies: Vec<(String, String)>,
    /// The location net: its name and text. Without one, every net is considered.
    pub net: Option<(String, String)>,
    /// How functions of the host are given texts.
    pub texts: Texts,
}

/// How functions of the host are given texts.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Texts {
    /// By an address and a length, or by the address of a text that ends with zero; where that
    /// makes a difference, nothing is known.
    #[default]
    Any,
    /// By an address, and a length in the argument behind it.
    Counted,
    /// By the address of a text that ends with zero.
    Terminated,
}

/// A module that has been read.
pub type Loaded = source::Loaded<Program>;

/// Reads a module or a component with its policy, and lowers it.
#[must_use]
pub fn load(name: &str, bytes: &[u8], options: &Options) -> Loaded {
    let mut diagnostics = Diagnostics::new();
    let mut sources = SourceMap::new();
    let (policy, net) = rules(options, &mut sources, &mut diagnostics);
    let unit = match decode(bytes) {
        Ok(unit) => unit,
        Err(refusal) => {
            sources.add(name, "");
            diagnostics.push(refused(&refusal));
            return Loaded::new(sources, diagnostics, None);
        }
    };
    let store = Store::of(&unit);
    let listing = Listing::of(&store, name, &mut sources);
    let mut program = None;
    if !diagnostics.has_errors() {
        let input = Input {
            name,
            store: &store,
            listing: &listing,
            sources: &sources,
            policy: &policy,
            net: net.as_ref(),
            texts: options.texts,
        };
        program = Some(lower(&input, &mut diagnostics));
    }
    Loaded::new(sources, diagnostics, program)
}

/// Reads the policies and the location net.
fn rules(
    options: &Options,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> (Policy, Option<Net>) {
    let policies: Vec<_> = options
        .policies
        .iter()
        .map(|(name, text)| sources.add(name.as_str(), text.as_str()))
        .collect();
    let policy = policy::parse(policies.iter().map(|&id| sources.file(id)), diagnostics);
    let net = options.net.as_ref().and_then(|(name, text)| {
        let id = sources.add(name.as_str(), text.as_str());
        let parsed = policy::parse_net(sources.file(id));
        parsed.map_err(|error| diagnostics.push(*error)).ok()
    });
    if let Some(net) = &net
        && let Some((function, _)) = net.threads.first()
    {
        let message = format!("the net speaks of threads of `{function}`");
        let error = Diagnostic::error(policy::NET_CODE, message);
        diagnostics.push(error.help(
            "a module is in one place and comes from one place: write `current execution \
             location:`, `codebase host:` and `code origin:`",
        ));
    }
    (policy, net)
}

pub(crate) fn refused(refusal: &Refusal) -> Diagnostic {
    match refusal {
        Refusal::Invalid { message, offset } => {
            let message = format!("not valid at offset 0x{offset:x}: {message}");
            Diagnostic::error(codes::INVALID, message)
        }
        Refusal::TooLarge(what) => Diagnostic::error(codes::TOO_LARGE, what.clone()),
    }
}
