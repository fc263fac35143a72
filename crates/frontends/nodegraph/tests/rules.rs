//! Runs the literate tests in `tests/rules/*.md`: which diagnostics graphs raise and where, and which
//! checks fail.

use std::io;
use std::path::Path;

use language::Entry;
use literate::{Block, Found, Suite};
use model::{Silent, UnknownReason, Verdict};
use nodegraph::formats::beside::Beside;
use nodegraph::formats::unpack;
use nodegraph::{Options, Smv, load_beside, to_smv};
use source::{CodeDoc, Diagnostic, Diagnostics, Loaded, SourceMap};

/// The other files of a snippet are tables, texts of properties, or files of its project. With `target=smv` it is
/// translated, with `run` its checks are made, and with `assumes` what they assume of the file is listed.
fn found(block: &Block) -> Vec<Found> {
    let tables = block.files_in("nodes");
    let properties = block.files_in("property").map(|file| file.text.clone());
    let options = Options {
        tables: tables
            .map(|file| (file.name.clone(), file.text.clone()))
            .collect(),
        extra_properties: properties.collect(),
        ..Options::default()
    };
    let text = match unpack(&block.name, block.text.clone().into_bytes()) {
        Ok(bytes) => String::from_utf8(bytes).expect("a snippet is text"),
        Err(refused) => return vec![Found::new(&refused, &SourceMap::new())],
    };
    if block.has("target=smv") {
        let mut sources = SourceMap::new();
        let mut diagnostics = Diagnostics::new();
        let form = Smv::default();
        let model = to_smv(
            &block.name,
            &text,
            &options,
            form,
            &mut sources,
            &mut diagnostics,
        );
        assert_eq!(model.is_none(), diagnostics.has_errors(), "{text}");
        return Found::all(&diagnostics, &sources);
    }
    let read = |path: &Path| {
        let name = path.to_string_lossy();
        let text = block.file(&name).ok_or(io::ErrorKind::NotFound)?;
        Ok(text.as_bytes().to_vec())
    };
    let entries = |folder: &Path| {
        let entry = |file: &literate::Attached| Entry {
            path: folder.join(&file.name),
            is_folder: false,
        };
        Ok(block.files_in("unity").map(entry).collect())
    };
    let beside = Beside {
        path: Path::new(&block.name),
        read: &read,
        entries: &entries,
    };
    let (loaded, _) = load_beside((&block.name, &text), &options, &beside);
    let failed = loaded.diagnostics.iter().any(Diagnostic::is_error);
    assert_eq!(loaded.program.is_none(), failed, "{text}");
    let mut found = Found::all(&loaded.diagnostics, &loaded.sources);
    if block.has("run") {
        found.extend(failing_checks(&loaded));
    }
    if block.has("assumes") {
        found.extend(assumed(&loaded));
    }
    found
}

/// What is assumed of the file, at the place that it is about.
fn assumed(loaded: &Loaded<model::Program>) -> Vec<Found> {
    let program = loaded.program.as_ref().expect("it has no errors");
    let stated = program.assumptions.iter().filter(|assumption| {
        assumption.origin == model::Origin::Stated && assumption.text.contains('`')
    });
    let note = |assumption: &model::Assumption| {
        let note = Diagnostic::note("assumed", &*assumption.text).at(assumption.span);
        Found::new(&note, &loaded.sources)
    };
    stated.map(note).collect()
}

/// The checks that fail, each at the place of its property, as `possible` if that rests on what is not followed.
/// Where something is left out, `left-out` is there. All others must hold.
fn failing_checks(loaded: &Loaded<model::Program>) -> Vec<Found> {
    let program = loaded.program.as_ref().expect("it has no errors");
    let options = verify::Options {
        jobs: 1,
        ..verify::Options::default()
    };
    let mut found = Vec::new();
    for outcome in verify::check(program, &options, &Silent) {
        let property = &program.properties[outcome.property.index()];
        match &outcome.verdict {
            Verdict::Holds { .. } => {}
            Verdict::Fails { .. } => {
                let failure = Diagnostic::error(check(&property.name).code, &*property.name);
                found.push(Found::new(&failure.at(property.span), &loaded.sources));
            }
            Verdict::Unknown {
                possible: Some(_), ..
            } => {
                let failure = Diagnostic::error("possible", &*property.name).at(property.span);
                found.push(Found::new(&failure, &loaded.sources));
            }
            Verdict::Unknown {
                reason: UnknownReason::LeftOut(assumptions),
                ..
            } => {
                for id in assumptions {
                    let assumption = &program.assumptions[id.index()];
                    let note = Diagnostic::note("left-out", &*assumption.text);
                    let note = Found::new(&note.at(assumption.span), &loaded.sources);
                    if !found.contains(&note) {
                        found.push(note);
                    }
                }
            }
            other => panic!("{}: {other:?}", property.name),
        }
    }
    found
}

/// The check that a property is of, whose name its own begins with.
fn check(property: &str) -> &'static CodeDoc {
    let name = property.split('.').next();
    let mut codes = nodegraph::CODES.iter().copied().flatten();
    codes
        .find(|doc| doc.title.split(':').next() == name)
        .expect("each property is of a check")
}

const SUITE: Suite<'_> = Suite {
    folder: concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rules"),
    language: "graph",
    name: "rule.json",
    marker: "#~",
    load: &found,
};

#[test]
fn graphs_raise_what_is_written() {
    let wrong = SUITE.run();
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn every_code_has_a_rule() {
    let missing = SUITE.missing(nodegraph::CODES, &[]);
    assert!(missing.is_empty(), "{missing:#?}");
}
