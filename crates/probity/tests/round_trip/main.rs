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

/// How many properties went one way.
#[derive(Default)]
struct Trips {
    holds: usize,
    fails: usize,
    refused: usize,
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
    let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
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
    let program = load(name, text);
    let language = name.rsplit('.').next().unwrap();
    for (property, fails) in verdicts(&program) {
        for Target {
            name: target,
            extension,
            added,
        } in TARGETS
        {
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
    let from = number("PROBITY_RANDOM_FROM", 1);
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
    for (name, _) in SOURCES {
        let language = name.rsplit('.').next().unwrap();
        let some = trips
            .iter()
            .any(|((from, _), all)| from == language && all.holds > 0 && all.fails > 0);
        assert!(some, "nothing was compared of {language}");
    }
    assert!(
        failing * 10 >= went * 3,
        "only {failing} of {went} verdicts fail"
    );
}
