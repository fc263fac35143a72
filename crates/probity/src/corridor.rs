//! The way through the rooms: text to program, program to verdicts.
//!
//! This is the only file that knows which front ends there are.

use std::path::Path;

use model::Program;
use source::{CodeDoc, Diagnostic, SourceMap, decode};

use crate::command_line::Input;
use crate::system::System;

/// The languages: name and file extensions.
const LANGUAGES: &[(&str, &[&str])] = &[
    ("lsl", &["lsl"]),
    ("promela", &["pml", "prom", "promela", "spin"]),
    ("smv", &["smv"]),
    ("aiger", &["aag", "aig"]),
    ("tscript", &["tb"]),
    ("nodegraph", &["json", "scriptcanvas", "gltf", "glb", "t3d"]),
];

/// What was read from a file.
pub(crate) type Loaded = source::Loaded<Program>;

/// The language of a file by its extension.
pub(crate) fn language_of(path: &Path) -> Option<&'static str> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    LANGUAGES
        .iter()
        .find(|(_, extensions)| extensions.contains(&extension.as_str()))
        .map(|(name, _)| *name)
}

/// Reads a file's bytes as a program. `extra` are texts of properties beyond the file's own; they
/// come last in the program, in this order. Files that it includes are read through `system`. Of a
/// script of nodes it also keeps what is needed to tell runs on the whole.
pub(crate) fn load(
    path: &Path,
    bytes: Vec<u8>,
    input: &Input,
    extra: &[String],
    system: &dyn System,
) -> (Loaded, Option<nodegraph::Script>) {
    let name = path.to_string_lossy().into_owned();
    let refused = |diagnostic| (Loaded::refused(diagnostic), None);
    let Some(language) = input.language.as_deref().or_else(|| language_of(path)) else {
        let mut diagnostic =
            Diagnostic::error("CLI0001", format!("the language of `{name}` is not known"))
                .help("name it with --language");
        if path
            .extension()
            .is_some_and(|extension| extension == "trail")
        {
            diagnostic = diagnostic.help(
                "if this is a run that SPIN found: its steps are numbers of one particular \
                 verifier; check the model instead, and keep the run with --trace",
            );
        }
        return refused(diagnostic);
    };
    if bytes.len() > SourceMap::MAX_LEN {
        return refused(Diagnostic::error(
            "SRC0002",
            format!("`{name}` is too long"),
        ));
    }
    if language == "aiger" {
        let options = aiger::Options {
            extra_properties: extra.to_vec(),
        };
        return (aiger::load(&name, &bytes, &options), None);
    }
    let bytes = match language {
        "nodegraph" => match nodegraph::formats::unpack(&name, bytes) {
            Ok(bytes) => bytes,
            Err(diagnostic) => return refused(*diagnostic),
        },
        _ => bytes,
    };
    let text = match decode(bytes) {
        Ok(text) => text,
        Err(not_text) => return refused(not_text.diagnostic(&name)),
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    let include = |file: &str| {
        let bytes = system.read(&folder.join(file)).ok()?;
        decode(bytes).ok()
    };
    let extra_properties = extra.to_vec();
    let mut kept = None;
    let mut loaded = match language {
        "promela" => {
            let options = promela::Options {
                defines: input.defines.clone(),
                include: &include,
                ignore_c: input.ignore_c,
                extra_properties,
            };
            promela::load(&name, &text, &options)
        }
        "smv" => {
            let options = smv::Options {
                defines: input.defines.clone(),
                include: &include,
                extra_properties,
            };
            smv::load(&name, &text, &options)
        }
        "tscript" => {
            let options = tscript_options(input, &include, extra_properties);
            tscript::load(&name, &text, &options)
        }
        "nodegraph" => match node_options(input, extra_properties, system) {
            Ok(options) => {
                let (loaded, script) = nodegraph::load_script(&name, &text, &options);
                kept = script;
                loaded
            }
            Err(diagnostic) => return refused(*diagnostic),
        },
        _ => {
            let options = lsl::Options {
                bounds: input.bounds.clone(),
                extra_properties,
            };
            lsl::load(&name, &text, &options)
        }
    };
    if let Some(program) = loaded.program.as_mut().filter(|_| input.weakly_fair) {
        program.assume_weak_fairness();
    }
    (loaded, kept)
}

/// How a Tscript is read.
fn tscript_options<'i>(
    input: &Input,
    include: &'i dyn Fn(&str) -> Option<String>,
    extra_properties: Vec<String>,
) -> tscript::Options<'i> {
    tscript::Options {
        defines: input.defines.clone(),
        include,
        bounds: input.bounds.clone(),
        extra_properties,
        dialect: input.dialect,
        schedule: input.schedule,
        time: input.time,
        polite_tools: input.polite_tools,
        plain: false,
    }
}

/// A Tscript as processes of mCRL2; none if the file is in another language.
pub(crate) fn tscript_as_mcrl2(
    path: &Path,
    input: &Input,
    system: &dyn System,
) -> Option<source::Loaded<String>> {
    let language = input.language.as_deref().or_else(|| language_of(path));
    if language != Some("tscript") {
        return None;
    }
    let name = path.to_string_lossy().into_owned();
    let bytes = match system.read(path) {
        Ok(bytes) => bytes,
        Err(error) => {
            let message = format!("cannot read `{name}`: {error}");
            return Some(source::Loaded::refused(Diagnostic::error(
                "CLI0002", message,
            )));
        }
    };
    let text = match decode(bytes) {
        Ok(text) => text,
        Err(not_text) => return Some(source::Loaded::refused(not_text.diagnostic(&name))),
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    let include = |file: &str| decode(system.read(&folder.join(file)).ok()?).ok();
    let options = tscript_options(input, &include, Vec::new());
    Some(tscript::to_mcrl2(&name, &text, &options))
}

/// How a node graph is read.
fn node_options(
    input: &Input,
    extra_properties: Vec<String>,
    system: &dyn System,
) -> Result<nodegraph::Options, Box<Diagnostic>> {
    let mut tables = Vec::new();
    for path in &input.nodes {
        let name = path.to_string_lossy().into_owned();
        let read = system.read(path).map_err(|error| error.to_string());
        let text = read.and_then(|bytes| decode(bytes).map_err(|_| "it is no text".to_owned()));
        match text {
            Ok(text) => tables.push((name, text)),
            Err(why) => {
                let message = format!("cannot read `{name}`: {why}");
                return Err(Box::new(Diagnostic::error("CLI0002", message)));
            }
        }
    }
    Ok(nodegraph::Options {
        timing: input.timing,
        tables,
        extra_properties,
        whole: input.whole,
    })
}

/// A node graph as a text, and how it is read; none if the file is in another language.
fn node_graph(
    path: &Path,
    input: &Input,
    extra: &[String],
    system: &dyn System,
) -> Option<Result<(String, nodegraph::Options), Box<Diagnostic>>> {
    let language = input.language.as_deref().or_else(|| language_of(path));
    if language != Some("nodegraph") {
        return None;
    }
    let name = path.to_string_lossy().into_owned();
    let read = || {
        let bytes = system.read(path).map_err(|error| {
            let message = format!("cannot read `{name}`: {error}");
            Box::new(Diagnostic::error("CLI0002", message))
        })?;
        let bytes = nodegraph::formats::unpack(&name, bytes)?;
        let text = decode(bytes).map_err(|not_text| Box::new(not_text.diagnostic(&name)))?;
        Ok((text, node_options(input, extra.to_vec(), system)?))
    };
    Some(read())
}

/// The whole of a script of which only what bears on its properties was checked; `Same` for other
/// languages, which leave nothing out.
pub(crate) fn whole(
    script: Option<nodegraph::Script>,
    input: &Input,
) -> Result<nodegraph::Whole, nodegraph::NoWhole> {
    let mut whole = script.ok_or(nodegraph::NoWhole::Same)?.whole()?;
    if input.weakly_fair {
        whole.assume_weak_fairness();
    }
    Ok(whole)
}

/// A node graph as SMV, in its own structure; none if the file is in another language.
pub(crate) fn node_graph_as_smv(
    path: &Path,
    input: &Input,
    extra: &[String],
    form: nodegraph::Smv,
    system: &dyn System,
) -> Option<source::Loaded<String>> {
    let (text, options) = match node_graph(path, input, extra, system)? {
        Ok(read) => read,
        Err(diagnostic) => return Some(source::Loaded::refused(*diagnostic)),
    };
    let name = path.to_string_lossy();
    let mut sources = SourceMap::new();
    let mut diagnostics = source::Diagnostics::new();
    let model = nodegraph::to_smv(&name, &text, &options, form, &mut sources, &mut diagnostics);
    Some(source::Loaded::new(sources, diagnostics, model))
}

/// The documentation of every code there is.
pub(crate) fn codes() -> Vec<&'static [CodeDoc]> {
    let mut tables = vec![CodeDoc::SOURCE, COMMAND_LINE];
    tables.extend_from_slice(lsl::CODES);
    tables.extend_from_slice(promela::CODES);
    tables.extend_from_slice(smv::CODES);
    tables.extend_from_slice(aiger::CODES);
    tables.extend_from_slice(tscript::CODES);
    tables.extend_from_slice(nodegraph::CODES);
    tables.push(export::CODES);
    tables
}

/// The codes of the command line itself.
const COMMAND_LINE: &[CodeDoc] = &[
    CodeDoc {
        code: "CLI0001",
        title: "language not known",
        body: "## What it does\n\
               Refuses a file whose language its extension does not tell.\n\n\
               ## Why is this bad\n\
               The same text means different things in different languages.\n\n\
               ## Example\n\
               `probity check door.txt`\n\n\
               ## How to fix\n\
               Name the language: `probity check door.txt --language lsl`.",
    },
    CodeDoc {
        code: "CLI0002",
        title: "file cannot be read",
        body: "## What it does\n\
               Reports a path that names no file, or a file that may not be read.\n\n\
               ## Why is this bad\n\
               Nothing can be said about a script that was not read.\n\n\
               ## Example\n\
               `probity check dor.lsl` where the script is `door.lsl`\n\n\
               ## How to fix\n\
               Check the path and who may read it.",
    },
    CodeDoc {
        code: "CLI0003",
        title: "no such property",
        body: "## What it does\n\
               Reports a `--property NAME` that no file has.\n\n\
               ## Why is this bad\n\
               A property that is not there cannot be checked, and leaving it out silently would \
               look like success.\n\n\
               ## Example\n\
               `probity check door.lsl --property shut` where the file has no `property shut`\n\n\
               ## How to fix\n\
               Use a name from the list that the message gives. A property that is not in the \
               file is given by its text: `--property 'always open == FALSE'`.",
    },
    CodeDoc {
        code: "CLI0004",
        title: "checkpoint cannot be used",
        body: "## What it does\n\
               Reports a `--resume FILE` that is no checkpoint, is damaged, or is about something \
               else.\n\n\
               ## Why is this bad\n\
               A search that goes on from something else would say things about another \
               script.\n\n\
               ## Example\n\
               `probity check door.lsl --resume door.checkpoint` after `door.lsl` has been \
               changed\n\n\
               ## How to fix\n\
               Give the file and the options with which the checkpoint was written (limits, \
               threads and storage may be others), or begin anew without `--resume`.",
    },
    CodeDoc {
        code: "CLI0005",
        title: "limit reached while reading",
        body: "## What it does\n\
               Reports a file that could not be read as a program within the time or the memory \
               that was given.\n\n\
               ## Why is this bad\n\
               Nothing can be said about a script that was not read to its end.\n\n\
               ## Example\n\
               `probity check model.pml --timeout 1s` where macros of the model stand for \
               millions of statements\n\n\
               ## How to fix\n\
               Give it more with `--timeout` or `--memory`, or make the model smaller.",
    },
    CodeDoc {
        code: "CLI0006",
        title: "option of another language",
        body: "## What it does\n\
               Refuses an option that means nothing for the language of any file given.\n\n\
               ## Why is this bad\n\
               It would be ignored, and the answer taken for one to another question.\n\n\
               ## Example\n\
               `probity check door.lsl --dialect c`\n\n\
               ## How to fix\n\
               Leave it out; `docs/cli.md` says which option is for which language.",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_tell_languages() {
        assert_eq!(language_of(Path::new("a/b.LSL")), Some("lsl"));
        assert_eq!(language_of(Path::new("a/b.pml")), Some("promela"));
        assert_eq!(language_of(Path::new("a/b.prom")), Some("promela"));
        assert_eq!(language_of(Path::new("a/b.spin")), Some("promela"));
        assert_eq!(language_of(Path::new("a/b.txt")), None);
        assert_eq!(language_of(Path::new("lsl")), None);
    }

    #[test]
    fn own_codes_are_fully_documented() {
        for doc in COMMAND_LINE {
            assert_eq!(doc.missing_headings(), Vec::<&str>::new(), "{}", doc.code);
        }
    }
}
