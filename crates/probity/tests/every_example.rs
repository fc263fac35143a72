//! Every shipped example under every engine, and as every kind of model: whatever the answer is,
//! there is one.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::path::{Path, PathBuf};

use probity::{InMemory, run};

const ENGINES: &[&str] = &[
    "auto", "explicit", "dfs", "games", "symbolic", "sat", "shape",
];
const TARGETS: &[&str] = &[
    "promela",
    "smv",
    "mcrl2",
    "mcrl2-states",
    "aiger",
    "dot",
    "aut",
];

/// The scripts in `examples`, by language.
fn examples() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.extension().and_then(std::ffi::OsStr::to_str) {
                None if path.is_dir() => folders.push(path),
                // Texts beside scripts.
                Some("log" | "md" | "policy" | "locnet" | "tvs" | "wat" | "mcf") | None => {}
                Some(_) => found.push(path),
            }
        }
    }
    found.sort();
    assert!(found.len() > 30, "the examples are where they are");
    found
}

/// Runs a command on an example, which stands alone but for its structures (`.tvs`), or the scripts
/// that a linkset file names.
fn status(path: &Path, words: &[&str]) -> (u8, String) {
    let name = path.file_name().unwrap().to_str().unwrap();
    let mut system = InMemory::default().with_file(name, std::fs::read(path).unwrap());
    let structures = path.with_extension("tvs");
    if let Ok(contents) = std::fs::read(&structures) {
        let name = structures.file_name().unwrap().to_str().unwrap();
        system = system.with_file(name, contents);
    }
    if path
        .extension()
        .is_some_and(|extension| extension == "toml")
    {
        for entry in std::fs::read_dir(path.parent().unwrap()).unwrap() {
            let script = entry.unwrap().path();
            if script
                .extension()
                .is_some_and(|extension| extension == "lsl")
            {
                let name = script.file_name().unwrap().to_str().unwrap();
                system = system.with_file(name, std::fs::read(&script).unwrap());
            }
        }
    }
    let words: Vec<&str> = ["probity"]
        .iter()
        .chain(words)
        .chain(&[name])
        .copied()
        .collect();
    let status = run(&words, &system);
    let text = format!(
        "{} {words:?}\n{}{}",
        path.display(),
        system.out(),
        system.err()
    );
    assert!(!text.contains("internal error"), "{text}");
    (status, text)
}

#[test]
fn every_engine_answers() {
    for path in examples() {
        for engine in ENGINES {
            let words = [
                "check",
                "--engine",
                engine,
                "--timeout",
                "150ms",
                "--jobs",
                "1",
            ];
            let (status, text) = status(&path, &words);
            assert!(matches!(status, 0 | 1 | 3), "{status} {text}");
        }
    }
}

#[test]
fn every_translation_is_made_or_refused() {
    let mut made = 0;
    for path in examples() {
        for target in TARGETS {
            // Some have more states than can be written; then it is said that time was over.
            let words = [
                "translate",
                "--to",
                target,
                "--states",
                "100",
                "--timeout",
                "2s",
            ];
            let (status, text) = status(&path, &words);
            made += usize::from(status == 0);
            let refused = text.contains("error[") || text.contains("error:");
            let is_part = text.contains("warning[EXP0004]");
            assert!(
                status == 0 || (status == 2 || status == 3) && refused || status == 3 && is_part,
                "{status} {text}"
            );
        }
        let (status, text) = status(&path, &["simulate", "--steps", "10"]);
        assert_eq!(status, 0, "{text}");
    }
    assert!(made > 80, "only {made} translations");
}
