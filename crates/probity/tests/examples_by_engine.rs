//! Every engine on every shipped example. An engine that cannot follow an operation says so; no engine
//! reports a failure that cannot be replayed or an invariant that the audit rejects.
//!
//! Each has little time here; `PROBITY_ENGINE_LIMIT` gives it more (`cargo xtask engines`).

#![expect(clippy::unwrap_used, reason = "a test may panic")]
#![expect(clippy::print_stdout, reason = "a run says what it covered")]

use std::path::{Path, PathBuf};

use probity::{InMemory, run};

const ENGINES: [&str; 4] = ["explicit", "sat", "symbolic", "games"];

const EXTENSIONS: [&str; 11] = [
    "lsl",
    "pml",
    "smv",
    "aag",
    "aig",
    "tb",
    "scriptcanvas",
    "gltf",
    "t3d",
    "asset",
    "torch",
];

/// The examples below a folder: what is known by its extension, and graphs of nodes.
fn examples(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        let extension = path.extension().unwrap_or_default().to_str().unwrap();
        if path.is_dir() {
            examples(&path, found);
        } else if EXTENSIONS.contains(&extension)
            || extension == "json" && path.to_string_lossy().contains("nodegraph")
        {
            found.push(path);
        }
    }
}

/// What no engine may say of an example.
fn defects(out: &str) -> Vec<&str> {
    out.lines()
        .filter(|line| line.contains("defect of Probity") || line.contains("contradict each other"))
        .collect()
}

#[test]
fn no_engine_is_wrong_about_an_example() {
    let limit = std::env::var("PROBITY_ENGINE_LIMIT").unwrap_or_else(|_| "200ms".to_owned());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut all = Vec::new();
    examples(&folder, &mut all);
    assert!(all.len() >= 40, "the examples are found");
    let (mut said, mut verdicts) = (Vec::new(), 0);
    for path in &all {
        let name = path.strip_prefix(&folder).unwrap().to_string_lossy();
        let bytes = std::fs::read(path).unwrap();
        for engine in ENGINES {
            let system = InMemory::default().with_file(&*name, bytes.as_slice());
            let mut words = vec![
                "probity",
                "check",
                &*name,
                "--engine",
                engine,
                "--timeout",
                &*limit,
                "--jobs",
                "1",
            ];
            if name.ends_with(".tb") {
                words.extend(["--readings", "one"]);
            }
            let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
            let status = run(&words, &system);
            assert!(status != 2, "{name} by {engine}: {}", system.err());
            let out = system.out();
            verdicts += out
                .lines()
                .filter(|line| line.starts_with("  holds"))
                .count();
            verdicts += out
                .lines()
                .filter(|line| line.starts_with("  fails"))
                .count();
            let found = defects(&out);
            if !found.is_empty() {
                said.push(format!("{name} by {engine}: {found:?}\n{out}"));
            }
        }
    }
    println!("{} examples, {verdicts} verdicts", all.len());
    assert!(said.is_empty(), "{}", said.join("\n"));
    assert!(verdicts >= 200, "only {verdicts} verdicts");
}
