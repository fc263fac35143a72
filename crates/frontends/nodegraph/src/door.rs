//! The door of the language: what it says of itself, and how it is read.

use language::{
    FAIR, FrontEnd, Language, NoWhole, OptionSpec, Part, Read, Request, TRANSLATE, Whole,
};
use model::{Program, Trace};
use source::{CodeDoc, Diagnostic, Diagnostics, Loaded, SourceMap, decode};

use crate::formats::beside::Beside;
use crate::load::{Options, Script, Timing, load_beside};
use crate::smv::{Smv, to_smv_beside};
use crate::{codes, formats, is_graph, whole};

/// Scripts of nodes, in the formats of several engines.
pub struct Nodegraph;

/// A model for NuSMV, in the structure of the graph.
const SMV: &str = "smv";

const TIMING: OptionSpec = OptionSpec {
    name: "timing",
    value: Some("TIMING"),
    choices: &["completion", "edges"],
    default: "completion",
    help: "How signals travel in a node graph: in no time until they come to rest (completion), \
           as engines do, or one step along an edge and one through a node (edges)",
    ..OptionSpec::SWITCH
};

const NODES: OptionSpec = OptionSpec {
    name: "nodes",
    value: Some("FILE"),
    default: "the kinds that docs/nodegraph.md lists",
    repeatable: true,
    help: "Read what kinds of nodes do from this table too",
    ..OptionSpec::SWITCH
};

const OPTIMIZE: OptionSpec = OptionSpec {
    name: "optimize",
    value: Some("WHAT"),
    choices: &["none", "cosmetic", "state", "all"],
    default: "none",
    commands: &[TRANSLATE],
    help: "Of a node graph that is written as SMV: leave out nodes without side effects \
           (cosmetic), say the state of a node by its output variable (state), or both",
    ..OptionSpec::SWITCH
};

impl FrontEnd for Nodegraph {
    fn language(&self) -> &'static Language {
        &Language {
            name: "nodegraph",
            title: "node graphs",
            extensions: &[
                "json",
                "scriptcanvas",
                "gltf",
                "glb",
                "t3d",
                "asset",
                "torch",
            ],
            shared_extensions: &["json", "asset"],
            options: &[&FAIR, &TIMING, &NODES, &OPTIMIZE],
            targets: &[(SMV, "a node graph as a model for NuSMV")],
        }
    }

    fn codes(&self) -> &'static [&'static [CodeDoc]] {
        codes::TABLES
    }

    fn recognises(&self, contents: &[u8]) -> bool {
        is_graph(&String::from_utf8_lossy(contents))
    }

    fn load(&self, request: &Request<'_>) -> Read {
        let (text, options) = match read(request) {
            Ok(read) => read,
            Err(refused) => return Loaded::refused(*refused).into(),
        };
        let (loaded, script) = load_beside((&request.name(), &text), &options, &beside(request));
        Read {
            loaded,
            part: script.map(|script| Box::new(script) as Box<dyn Part>),
        }
    }

    fn translate(&self, target: &str, request: &Request<'_>) -> Option<Loaded<String>> {
        if target != SMV {
            return None;
        }
        let (text, options) = match read(request) {
            Ok(read) => read,
            Err(refused) => return Some(Loaded::refused(*refused)),
        };
        let asked = request.settings.value(OPTIMIZE.name).unwrap_or("none");
        let form = Smv {
            drop_cosmetic: matches!(asked, "cosmetic" | "all"),
            encode_state: matches!(asked, "state" | "all"),
        };
        let mut sources = SourceMap::new();
        let mut diagnostics = Diagnostics::new();
        let model = to_smv_beside(
            (&request.name(), &text),
            &options,
            form,
            &beside(request),
            &mut sources,
            &mut diagnostics,
        );
        Some(Loaded::new(sources, diagnostics, model))
    }
}

/// The files beside a script.
fn beside<'r>(request: &Request<'r>) -> Beside<'r> {
    Beside {
        path: request.path,
        read: request.read,
        entries: request.entries,
    }
}

/// A script as text, and how it is read.
fn read(request: &Request<'_>) -> Result<(String, Options), Box<Diagnostic>> {
    let name = request.name();
    let contents = formats::unpack(&name, request.contents.to_vec())?;
    let text = decode(contents).map_err(|not_text| Box::new(not_text.diagnostic(&name)))?;
    let tables = request.settings.paths(NODES.name);
    let tables = tables.iter().map(|path| request.file(path));
    let options = Options {
        timing: match request.settings.value(TIMING.name) {
            Some("edges") => Timing::Edges,
            _ => Timing::Completion,
        },
        tables: tables.collect::<Result<_, _>>()?,
        extra_properties: request.extra_properties.to_vec(),
        whole: request.whole,
    };
    Ok((text, options))
}

impl Part for Script {
    fn whole(self: Box<Self>) -> Result<Box<dyn Whole>, NoWhole> {
        Ok(Box::new(Script::whole(*self)?))
    }
}

impl Whole for whole::Whole {
    fn program(&self) -> &Program {
        whole::Whole::program(self)
    }

    fn program_mut(&mut self) -> &mut Program {
        whole::Whole::program_mut(self)
    }

    fn run(&self, trace: &Trace) -> Option<Trace> {
        whole::Whole::run(self, trace)
    }
}
