//! Translations keep verdicts: small random models of every language, each property through every
//! target of `probity translate` that takes it, and back through our own reader of that target.
//!
//! A fixed slice of seeds runs here; `PROBITY_RANDOM_FROM` and `PROBITY_RANDOM_COUNT` choose others.

#![expect(clippy::unwrap_used, reason = "a test may panic")]
#![expect(clippy::print_stdout, reason = "a run says what it covered")]

#[expect(dead_code, reason = "nothing is weighted here")]
#[path = "../random_promela/random.rs"]
mod random;
mod sources;

use std::collections::BTreeMap;
use std::time::Duration;

use model::{Program, Silent, Verdict};
use probity::{InMemory, run};
use random::Random;
use sources::SOURCES;

/// A target with a reader of ours: the extension of its files, and what a translation or its reader
/// adds, which says that the translation is sound, not what was asked.
struct Target {
    name: &'static str,
    extension: &'static str,
    added: &'static [&'static str],
}

const TARGETS: [Target; 3] = [
    Target {
        name: "promela",
        extension: "pml",
        added: &["deadlock", "faults", "assertions"],
    },
    Target {
        name: "smv",
        extension: "smv",
        added: &["limits"],
    },
    Target {
        name: "aiger",
        extension: "aag",
        added: &[],
    },
];

/// Which languages targets take. Neither circuits nor SMV become Promela, where one process moves after the
/// other; the terms of a Tscript do not become bits.
const TAKEN: &[(&str, &[&str])] = &[
    ("lsl", &["promela", "smv", "aiger"]),
    ("pml", &["promela", "smv", "aiger"]),
    ("json", &["promela", "smv", "aiger"]),
    ("smv", &["smv", "aiger"]),
    ("aag", &["smv", "aiger"]),
    ("tb", &["promela"]),
];

/// How many properties went one way.
#[derive(Default)]
struct Trips {
    holds: usize,
    fails: usize,
    refused: usize,
}

/// What a target writes: of node graphs SMV has the timing of the paper, one step along an edge.
fn load_for(target: &str, name: &str, text: &str) -> Program {
    if !(name.ends_with(".json") && target == "smv") {
        return load(name, text);
    }
    let options = nodegraph::Options {
        timing: nodegraph::Timing::Edges,
        ..nodegraph::Options::default()
    };
    nodegraph::load(name, text, &options).program.unwrap()
}

fn load(name: &str, text: &str) -> Program {
    let loaded = match name.rsplit('.').next().unwrap() {
        "lsl" => lsl::load(name, text, &lsl::Options::default()),
        "pml" => promela::load(name, text, &promela::Options::default()),
        "smv" => smv::load(name, text, &smv::Options::default()),
        "tb" => tscript::load(name, text, &tscript::Options::default()),
        "json" => nodegraph::load(name, text, &nodegraph::Options::default()),
        _ => aiger::load(name, text.as_bytes(), &aiger::Options::default()),
    };
    let errors: Vec<_> = loaded.diagnostics.iter().map(|d| &d.message).collect();
    loaded
        .program
        .unwrap_or_else(|| panic!("{name}: {errors:?}\n{text}"))
}

/// Whether each property fails, by name; properties that are not known are left out.
fn verdicts(program: &Program) -> BTreeMap<String, bool> {
    let options = verify::Options {
        jobs: 1,
        timeout: Some(Duration::from_secs(20)),
        ..verify::Options::default()
    };
    verify::check(program, &options, &Silent)
        .into_iter()
        .filter_map(|outcome| {
            let name = program.properties[outcome.property.index()].name.clone();
            match outcome.verdict {
                Verdict::Fails { .. } => Some((name, true)),
                Verdict::Holds { .. } | Verdict::Vacuous { .. } => Some((name, false)),
                Verdict::Measured { .. } | Verdict::Unknown { .. } => None,
            }
        })
        .collect()
}

/// The model that says the same for another tool; none if the target does not take it.
fn translated(name: &str, text: &str, property: &str, target: &str) -> Option<String> {
    let system = InMemory::default().with_file(name, text);
    let words = [
        "probity",
        "translate",
        name,
        "--to",
        target,
        "--property",
        property,
    ];
    // The command line would take some scripts for parts of a system.
    let closed = name.ends_with(".tb").then_some("--closed");
    let words = words.into_iter().chain(closed);
    let words: Vec<String> = words.map(str::to_owned).collect();
    match run(&words, &system) {
        0 => Some(system.out()),
        2 | 3 => None,
        status => panic!(
            "{name}: {property} to {target}: status {status}\n{}",
            system.err()
        ),
    }
}

/// Sends each property of a model to each target and back.
fn compare(label: &str, name: &str, text: &str, trips: &mut BTreeMap<(String, &str), Trips>) {
    let language = name.rsplit('.').next().unwrap();
    for Target {
        name: target,
        extension,
        added,
    } in TARGETS
    {
        let program = load_for(target, name, text);
        for (property, fails) in verdicts(&program) {
            let all = trips.entry((language.to_owned(), target)).or_default();
            let Some(model) = translated(name, text, &property, target) else {
                all.refused += 1;
                continue;
            };
            let back = load(&format!("back.{extension}"), &model);
            let mut said = verdicts(&back);
            for name in added {
                let fails = said.remove(*name).unwrap_or(false);
                assert!(
                    !fails,
                    "{label}: {property} to {target}: {name} fails\n{text}\n{model}"
                );
            }
            if said.is_empty() {
                // What the target has no word for is left out, with a note.
                all.refused += 1;
                continue;
            }
            let said = said.into_values().any(|fails| fails);
            assert_eq!(
                said, fails,
                "{label}: {property} to {target} (left: fails there, right: here)\n{text}\n{model}"
            );
            match fails {
                true => all.fails += 1,
                false => all.holds += 1,
            }
        }
    }
}

#[test]
fn verdicts_survive_every_translation() {
    let number = |name: &str, otherwise: u64| {
        let given = std::env::var(name).ok();
        given.map_or(otherwise, |text| text.parse().unwrap())
    };
    let from = number("PROBITY_RANDOM_FROM", 10);
    let count = number("PROBITY_RANDOM_COUNT", 4);
    let mut trips = BTreeMap::new();
    for seed in from..from + count {
        for (name, generate) in SOURCES {
            for text in generate(&mut Random::new(seed)) {
                compare(&format!("{name}, seed {seed}"), name, &text, &mut trips);
            }
        }
    }
    let (mut went, mut failing) = (0, 0);
    for ((language, target), all) in &trips {
        let Trips {
            holds,
            fails,
            refused,
        } = all;
        println!("{language} to {target}: {holds} hold, {fails} fail, {refused} refused");
        went += holds + fails;
        failing += fails;
    }
    for (language, targets) in TAKEN {
        for target in *targets {
            let all = &trips[&((*language).to_owned(), *target)];
            let (holds, fails) = (all.holds, all.fails);
            assert!(holds > 0, "nothing holds of {language} to {target}");
            assert!(
                fails * 10 >= (holds + fails) * 3,
                "of {language} to {target} only {fails} fail, {holds} hold"
            );
        }
    }
    println!("{went} verdicts, {failing} fail");
}
