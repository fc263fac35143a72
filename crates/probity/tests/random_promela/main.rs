//! Random Promela models: states, transitions and verdicts are those of SPIN.
//!
//! A fixed slice of seeds runs here, where SPIN is installed; `PROBITY_RANDOM_FROM` and
//! `PROBITY_RANDOM_COUNT` choose others, as many as one likes (`cargo xtask conform spin --random
//! COUNT` does).

#![expect(clippy::print_stdout, reason = "a run says what it covered")]

mod expression;
mod generate;
mod oracle;
mod random;
mod spin;
mod statement;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use logic::Ltl;
use model::interp::Violation;
use model::{Claim, Program};

use crate::generate::Model;

/// Models with more states than this are left out: the interpreter is slow.
const MOST_STATES: usize = 6_000;

/// Models with fewer states than this are left out: little can go wrong in them.
const FEWEST_STATES: usize = 60;

/// Models on which we and SPIN differ and nobody has found out why.
const UNEXPLAINED: &[u64] = &[78, 164];

/// What SPIN refuses although it should not, as far as we see.
const KNOWN_REFUSALS: &[&str] = &["jump into d_step sequence"];

/// What the models of a run covered.
#[derive(Default)]
struct Spread {
    models: usize,
    too_large: usize,
    too_small: usize,
    refused: usize,
    states: Vec<usize>,
    verdicts: usize,
    fails: usize,
    features: BTreeMap<&'static str, usize>,
    differences: Vec<String>,
}

impl Spread {
    fn median_states(&self) -> usize {
        let mut states = self.states.clone();
        states.sort_unstable();
        states.get(states.len() / 2).copied().unwrap_or(0)
    }
}

/// What we say of a model.
struct Ours {
    states: usize,
    transitions: usize,
    assertion_fails: bool,
    invalid_end: bool,
    faults: bool,
    liveness: BTreeMap<String, bool>,
}

/// What is to be compared, or why nothing is.
enum Explored {
    TooLarge,
    TooSmall,
    All(Ours),
}

fn load(seed: u64, model: &Model) -> promela::Loaded {
    let loaded = promela::load("random.pml", &model.text, &promela::Options::default());
    let errors: Vec<_> = loaded
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.is_error())
        .map(|diagnostic| {
            let place = loaded.sources.location(diagnostic.span);
            format!("{}: {}", place.unwrap_or_default(), diagnostic.message)
        })
        .collect();
    assert!(
        loaded.program.is_some(),
        "seed {seed} is refused: {errors:?}\n{}",
        model.text
    );
    loaded
}

/// The interpreter's answers.
fn explore(program: &Program) -> Explored {
    let Some(graph) = oracle::Graph::explore(program, MOST_STATES) else {
        return Explored::TooLarge;
    };
    if graph.len() < FEWEST_STATES {
        return Explored::TooSmall;
    }
    let violates = |wanted: &dyn Fn(&Violation) -> bool| graph.violations.iter().any(wanted);
    let mut ours = Ours {
        states: graph.len(),
        transitions: graph.transitions,
        assertion_fails: violates(&|violation| matches!(violation, Violation::Check(_))),
        faults: violates(&|violation| matches!(violation, Violation::Fault(_))),
        invalid_end: graph.invalid_end,
        liveness: BTreeMap::new(),
    };
    for property in &program.properties {
        let automaton = match &property.claim {
            Claim::Ltl(formula) => logic::translate(&Ltl::not(formula.clone())).ok(),
            Claim::Never(automaton) => Some(automaton.clone()),
            _ => None,
        };
        if let Some(automaton) = automaton {
            let fails = graph.accepts(&automaton);
            ours.liveness.insert(property.name.clone(), fails);
        }
    }
    Explored::All(ours)
}

/// Where we and SPIN differ.
fn differences(ours: &Ours, theirs: &spin::Answers) -> Vec<String> {
    let mut found = Vec::new();
    let mut equal = |what: &str, ours: String, theirs: String| {
        if ours != theirs {
            found.push(format!("{what}: {ours} (SPIN: {theirs})"));
        }
    };
    let counts = |states, transitions| format!("{states} states, {transitions} transitions");
    equal(
        "counts",
        counts(ours.states, ours.transitions),
        counts(theirs.states, theirs.transitions),
    );
    equal(
        "an assertion fails",
        (ours.assertion_fails || ours.faults).to_string(),
        theirs.assertion_fails.to_string(),
    );
    equal(
        "an invalid end state",
        ours.invalid_end.to_string(),
        theirs.invalid_end.to_string(),
    );
    for (name, fails) in &theirs.liveness {
        let mine = ours.liveness.get(name).map(ToString::to_string);
        equal(name, mine.unwrap_or_default(), fails.to_string());
    }
    found
}

/// Compares one model, unless it is too large or too small.
fn compare(seed: u64, folder: &std::path::Path, spread: &Mutex<Spread>) {
    let model = generate::model(seed);
    let loaded = load(seed, &model);
    let program = loaded.program.as_ref().expect("it is loaded");
    let ours = match explore(program) {
        Explored::TooLarge => {
            spread.lock().expect("nobody panics").too_large += 1;
            return;
        }
        Explored::TooSmall => {
            spread.lock().expect("nobody panics").too_small += 1;
            return;
        }
        Explored::All(ours) => ours,
    };
    let theirs = spin::ask(folder, &model);
    let mut spread = spread.lock().expect("nobody panics");
    let theirs = match theirs {
        Ok(theirs) => theirs,
        Err(why) => {
            spread.refused += 1;
            if KNOWN_REFUSALS.iter().any(|known| why.contains(known)) {
                return;
            }
            let text = &model.text;
            spread
                .differences
                .push(format!("seed {seed}: SPIN gives no answer: {why}\n{text}"));
            return;
        }
    };
    let found = differences(&ours, &theirs);
    if UNEXPLAINED.contains(&seed) {
        if found.is_empty() {
            let stale = format!("seed {seed} is equal now: strike it from the list");
            spread.differences.push(stale);
        }
        return;
    }
    for difference in found {
        let text = &model.text;
        spread
            .differences
            .push(format!("seed {seed}: {difference}\n{text}"));
    }
    spread.models += 1;
    spread.states.push(theirs.states);
    let mut verdicts = vec![theirs.invalid_end];
    verdicts.extend(model.asserts.then_some(theirs.assertion_fails));
    verdicts.extend(theirs.liveness.iter().map(|(_, fails)| *fails));
    spread.verdicts += verdicts.len();
    spread.fails += verdicts.iter().filter(|fails| **fails).count();
    for feature in &model.features {
        *spread.features.entry(feature).or_default() += 1;
    }
}

/// From which seed on, and how many models to compare.
fn range() -> (u64, usize) {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse().ok());
    (
        number("PROBITY_RANDOM_FROM").unwrap_or(1),
        number("PROBITY_RANDOM_COUNT").map_or(60, |count: u64| count as usize),
    )
}

#[test]
fn counts_and_verdicts_are_those_of_spin() {
    if let Some(what) = spin::missing() {
        println!("skipped: {what}");
        return;
    }
    let (first, count) = range();
    let spread = Mutex::new(Spread::default());
    let next = AtomicU64::new(first);
    let folder = |worker: usize| -> PathBuf {
        let name = format!("probity-random-{}-{worker}", std::process::id());
        std::env::temp_dir().join(name)
    };
    std::thread::scope(|scope| {
        for worker in 0..2 {
            let (spread, next) = (&spread, &next);
            scope.spawn(move || {
                let folder = folder(worker);
                while spread.lock().expect("nobody panics").models < count {
                    compare(next.fetch_add(1, Ordering::Relaxed), &folder, spread);
                }
                // What stays behind in a temporary folder harms nobody.
                drop(std::fs::remove_dir_all(&folder));
            });
        }
    });
    let spread = spread.into_inner().expect("nobody panics");
    println!(
        "{} models ({} too large, {} too small, {} refused), {} verdicts, {} fail, states: median {}",
        spread.models,
        spread.too_large,
        spread.too_small,
        spread.refused,
        spread.verdicts,
        spread.fails,
        spread.median_states()
    );
    for feature in generate::FEATURES {
        let used = spread.features.get(feature).copied().unwrap_or(0);
        println!("  {feature}: {} %", 100 * used / spread.models);
    }
    for difference in &spread.differences {
        println!("{difference}");
    }
    assert!(
        spread.differences.is_empty(),
        "{} differences",
        spread.differences.len()
    );
    for feature in generate::FEATURES {
        let used = spread.features.get(feature).copied().unwrap_or(0);
        assert!(
            100 * used >= 5 * spread.models,
            "{feature} is in fewer than 5 % of the models"
        );
    }
    assert!(
        100 * spread.fails >= 30 * spread.verdicts,
        "too few verdicts fail"
    );
    assert!(spread.median_states() >= 200, "the models are too small");
}
