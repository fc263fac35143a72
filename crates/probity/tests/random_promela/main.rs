//! Random Promela models: states, transitions and verdicts are those of SPIN.
//!
//! A fixed slice of seeds runs here, where SPIN is installed; `PROBITY_RANDOM_FROM` and
//! `PROBITY_RANDOM_COUNT` choose others, as many as one likes (`cargo xtask conform spin --random
//! COUNT` does). `PROBITY_RANDOM_MODEL` names a file to compare instead.
//!
//! Three things of ours are compared: the reference interpreter, which knows all states; the engine
//! without passes, which has to store as many; and the verdicts with no passes and with all.

#![expect(clippy::print_stdout, reason = "a run says what it covered")]

mod expression;
mod generate;
mod oracle;
mod ours;
mod random;
mod spin;
mod statement;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::generate::{Liveness, Model};
use crate::ours::{Explored, Ours};

/// Random models with fewer states are left out, since little can go wrong in them, and those with
/// more, since the interpreter is slow.
const SIZES: RangeInclusive<usize> = 60..=6_000;

/// What SPIN refuses although it should not, as far as we see.
const KNOWN_REFUSALS: &[&str] = &["jump into d_step sequence"];

/// What the models of a run covered.
#[derive(Default)]
struct Spread {
    models: usize,
    too_large: usize,
    too_small: usize,
    refused: usize,
    /// Cycles that SPIN finds with a short cut, and does not find without.
    taken_back: usize,
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

/// Where we and SPIN differ.
fn differences(
    model: &Model,
    ours: &Ours,
    transitions: usize,
    theirs: &spin::Answers,
) -> Vec<String> {
    let mut found = Vec::new();
    let mut equal = |what: &str, ours: String, theirs: String| {
        if ours != theirs {
            found.push(format!("{what}: {ours} (SPIN: {theirs})"));
        }
    };
    let counts = |states, transitions| format!("{states} states, {transitions} transitions");
    equal(
        "counts",
        counts(ours.states, transitions),
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
    // SPIN takes what has ended for progress.
    let vague = ours.ends && model.features.contains("np_");
    for (name, fails) in theirs.liveness.iter().filter(|_| !vague) {
        let mine = ours.liveness.get(name).map(ToString::to_string);
        equal(name, mine.unwrap_or_default(), fails.to_string());
    }
    found
}

/// Compares one model, unless it is too large or too small.
fn compare(
    name: &str,
    model: &Model,
    sizes: &RangeInclusive<usize>,
    folder: &Path,
    spread: &Mutex<Spread>,
) {
    let program = match ours::load(model) {
        Ok(program) => program,
        Err(why) => {
            let text = &model.text;
            let difference = format!("{name} is refused: {why}\n{text}");
            let mut spread = spread.lock().expect("nobody panics");
            spread.differences.push(difference);
            return;
        }
    };
    let ours = match ours::explore(&program, sizes) {
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
    let mut found = ours::disagreements(&program, &ours);
    let mut theirs = spin::ask(folder, model);
    let mut taken_back = 0;
    for (name, fails) in theirs.iter_mut().flat_map(|theirs| &mut theirs.liveness) {
        if *fails && ours.liveness.get(name) == Some(&false) {
            *fails = spin::confirms(folder, &model.liveness, name).unwrap_or(true);
            taken_back += usize::from(!*fails);
        }
    }
    let mut spread = spread.lock().expect("nobody panics");
    spread.taken_back += taken_back;
    match &theirs {
        Ok(theirs) => found.extend(differences(
            model,
            &ours,
            ours::engine_counts(&program).1,
            theirs,
        )),
        Err(why) if KNOWN_REFUSALS.iter().any(|known| why.contains(known)) => spread.refused += 1,
        Err(why) => found.push(format!("SPIN gives no answer: {why}")),
    }
    for difference in found {
        let text = &model.text;
        spread
            .differences
            .push(format!("{name}: {difference}\n{text}"));
    }
    let Ok(theirs) = theirs else {
        return;
    };
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

/// The model in a file: what is asked of it follows from its text.
fn from_file(path: &str) -> Model {
    let text = std::fs::read_to_string(path).expect("the model can be read");
    let ltl = text.lines().filter_map(|line| line.strip_prefix("ltl "));
    let mut claims: Vec<String> = ltl
        .filter_map(|rest| rest.split_whitespace().next().map(str::to_owned))
        .collect();
    claims.extend(text.contains("never n ").then(|| "n".to_owned()));
    let liveness = if !claims.is_empty() {
        Liveness::Claims(claims)
    } else if text.contains("progress_") {
        Liveness::Progress
    } else if text.contains("accept_") {
        Liveness::Acceptance
    } else {
        Liveness::None
    };
    Model {
        asserts: text.contains("assert("),
        features: std::collections::BTreeSet::new(),
        liveness,
        text,
    }
}

#[test]
fn counts_and_verdicts_are_those_of_spin() {
    if let Some(what) = spin::missing() {
        println!("skipped: {what}");
        return;
    }
    if let Ok(path) = std::env::var("PROBITY_RANDOM_MODEL") {
        let spread = Mutex::new(Spread::default());
        let folder = std::env::temp_dir().join(format!("probity-model-{}", std::process::id()));
        compare(&path, &from_file(&path), &(0..=1_000_000), &folder, &spread);
        drop(std::fs::remove_dir_all(&folder));
        let differences = spread.into_inner().expect("nobody panics").differences;
        assert!(differences.is_empty(), "{}", differences.join("\n"));
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
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    let model = generate::model(seed);
                    compare(&format!("seed {seed}"), &model, &SIZES, &folder, spread);
                }
                // What stays behind in a temporary folder harms nobody.
                drop(std::fs::remove_dir_all(&folder));
            });
        }
    });
    let spread = spread.into_inner().expect("nobody panics");
    println!(
        "{} models ({} too large, {} too small, {} refused), {} verdicts, {} fail, {} taken back by SPIN, \
         states: median {}",
        spread.models,
        spread.too_large,
        spread.too_small,
        spread.refused,
        spread.verdicts,
        spread.fails,
        spread.taken_back,
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
    // The second thread may bring one more than is asked for.
    for feature in generate::FEATURES {
        let used = spread.features.get(feature).copied().unwrap_or(0);
        assert!(
            100 * used >= 5 * count,
            "{feature} is in fewer than 5 % of the models"
        );
    }
    assert!(
        100 * spread.fails >= 30 * spread.verdicts,
        "too few verdicts fail"
    );
    assert!(
        1_000 * spread.taken_back <= spread.verdicts.max(1_000),
        "too many verdicts of SPIN are not confirmed by itself"
    );
    assert!(spread.median_states() >= 200, "the models are too small");
}
