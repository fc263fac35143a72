//! From texts to a program with its properties: the front end as one function.

use model::Program;
use policy::{Net, Policy};
use source::{Diagnostics, SourceMap};

use crate::lower::{Input, lower};
use crate::text;

/// What the caller adds to a program.
pub struct Options<'a> {
    /// Macros, as with `-D`: name and value.
    pub defines: Vec<(String, String)>,
    /// Gives the text of an included file.
    pub include: &'a dyn Fn(&str) -> Option<String>,
    /// Policies: their names and texts.
    pub policies: Vec<(String, String)>,
    /// The location net: its name and text. Without one, every net is considered.
    pub net: Option<(String, String)>,
}

impl Default for Options<'_> {
    /// No macros, no policy, any net; no file can be included.
    fn default() -> Self {
        Options {
            defines: Vec::new(),
            include: &|_| None,
            policies: Vec::new(),
            net: None,
        }
    }
}

/// A program that has been read.
pub type Loaded = source::Loaded<Program>;

/// Reads the policies and the location net.
pub(crate) fn rules(
    options: &Options<'_>,
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
    (policy, net)
}

/// Reads a program with its policy, and lowers it.
#[must_use]
pub fn load(name: &str, text: &str, options: &Options<'_>) -> Loaded {
    let mut diagnostics = Diagnostics::new();
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let (policy, net) = rules(options, &mut sources, &mut diagnostics);
    let parsed = text::parse(
        file,
        &options.defines,
        options.include,
        &mut sources,
        &mut diagnostics,
    );
    let program = parsed
        .filter(|_| !diagnostics.has_errors())
        .and_then(|(unit, origins)| {
            let input = Input {
                name,
                unit: &unit,
                origins: &origins,
                sources: &sources,
                policy: &policy,
                net: net.as_ref(),
            };
            lower(&input, &mut diagnostics)
        });
    Loaded::new(sources, diagnostics, program)
}
