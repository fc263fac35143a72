//! Real files: every one of a folder loads or is refused with a reason.
//!
//! `cargo xtask conform nodegraph DIR` runs this on a folder of files from elsewhere; without one, the
//! examples of this project are read, all of which must load.

#![expect(clippy::print_stdout, reason = "the counts are what the chore is for")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use nodegraph::formats::{read, unpack};
use source::{Diagnostics, Severity, SourceMap};

/// Extensions of files that may hold a graph.
const EXTENSIONS: &[&str] = &[
    "scriptcanvas",
    "json",
    "gltf",
    "glb",
    "t3d",
    "asset",
    "torch",
    "os",
    "js",
    "html",
    "txt",
];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, found);
            continue;
        }
        let extension = path.extension().and_then(|one| one.to_str());
        if extension.is_some_and(|one| EXTENSIONS.contains(&one)) {
            found.push(path);
        }
    }
    found.sort();
}

/// What came of a file: the format and counts, or the reasons for refusing it.
fn outcome(path: &Path) -> Result<(String, [usize; 5], Vec<String>), Vec<String>> {
    let name = path.to_string_lossy().into_owned();
    let bytes = std::fs::read(path).map_err(|error| vec![error.to_string()])?;
    let bytes = unpack(&name, bytes).map_err(|found| vec![found.message.replace(&name, "it")])?;
    let mut sources = SourceMap::new();
    let file = sources.add_bytes(&name, bytes);
    let file = file.map_err(|found| vec![found.message.replace(&name, "it")])?;
    let mut diagnostics = Diagnostics::new();
    let project = read(sources.file(file), &mut diagnostics);
    let project = project.map(|project| nodegraph::flatten(&project, &mut diagnostics));
    let mut reasons: Vec<String> = Vec::new();
    let mut said: Vec<String> = Vec::new();
    for diagnostic in diagnostics {
        let text = format!("{}: {}", diagnostic.code, diagnostic.message);
        match diagnostic.severity {
            Severity::Error => reasons.push(text),
            Severity::Warning | Severity::Note => said.push(diagnostic.code.to_owned()),
        }
    }
    match project {
        Some(project) => {
            assert!(reasons.is_empty(), "{name}: loaded with errors {reasons:?}");
            let mut counts = [project.graphs.len(), 0, 0, 0, project.flags.len()];
            for graph in &project.graphs {
                counts[1] += graph.nodes.len();
                counts[2] += graph.signals.len();
                counts[3] += graph.wires.len();
            }
            Ok((project.graphs[0].origin.title().to_owned(), counts, said))
        }
        None => {
            assert!(!reasons.is_empty(), "{name}: refused without a reason");
            Err(reasons)
        }
    }
}

#[test]
fn every_file_loads_or_is_refused_with_a_reason() {
    let folder = std::env::var_os("PROBITY_GRAPHS");
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/nodegraph");
    let root = folder.as_ref().map_or(own, PathBuf::from);
    let mut found = Vec::new();
    files(&root, &mut found);
    let mut loaded: BTreeMap<String, (usize, [usize; 5])> = BTreeMap::new();
    let mut refused: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    let mut warnings: BTreeMap<String, usize> = BTreeMap::new();
    for path in &found {
        match outcome(path) {
            Ok((format, counts, said)) => {
                let entry = loaded.entry(format).or_default();
                entry.0 += 1;
                for (sum, count) in entry.1.iter_mut().zip(counts) {
                    *sum += count;
                }
                for code in said {
                    *warnings.entry(code).or_default() += 1;
                }
            }
            Err(reasons) => refused
                .entry(reasons[0].clone())
                .or_default()
                .push(path.clone()),
        }
    }
    for (format, (files, [graphs, nodes, signals, wires, flags])) in &loaded {
        println!(
            "{format}: {files} files loaded: {graphs} graphs, {nodes} nodes, {signals} signals, \
             {wires} wires, {flags} variables"
        );
    }
    for (reason, paths) in &refused {
        println!("refused, {} files: {reason}", paths.len());
        for path in paths.iter().take(3) {
            println!("    {}", path.strip_prefix(&root).unwrap_or(path).display());
        }
    }
    for (code, count) in &warnings {
        println!("{code}: said {count} times");
    }
    if folder.is_none() {
        assert!(refused.is_empty(), "an example is refused");
    }
}
