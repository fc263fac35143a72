//! Random Tscripts beside a small concrete world: the bus in Java and its tools, played with values
//! that are drawn at random. What a concrete run prints, ours can print; and nothing that is said to hold
//! is broken by one.
//!
//! `PROBITY_RANDOM_COUNT` says how many scripts are tried. `PROBITY_TOOLBUS` may name the class path of
//! the bus in Java: then scripts without tools run there, too.

#![expect(clippy::unwrap_used, reason = "a test may panic")]
#![expect(clippy::print_stdout, reason = "what was found is for people to read")]

mod bus;
mod maker;
mod ours;
mod rest;
mod script;
mod smaller;
mod unfold;
mod value;
mod world;

use std::collections::{BTreeMap, BTreeSet};

use maker::{Random, Wish};
use ours::Ours;
use script::Script;
use world::Ending;

/// Concrete runs of each script, and how long they are.
const RUNS: usize = 150;
const STEPS: usize = 45;

/// What was found, all scripts together.
#[derive(Default)]
struct Spread {
    scripts: usize,
    runs: usize,
    /// Scripts of which nothing is left out, so that each run has to be one of ours.
    whole: usize,
    /// Runs that were looked for among ours.
    followed: usize,
    endings: BTreeMap<String, usize>,
    verdicts: BTreeMap<&'static str, usize>,
    /// In how many scripts each thing of the language is.
    features: BTreeMap<&'static str, usize>,
}

impl Spread {
    fn counts(&mut self, script: &Script) {
        self.scripts += 1;
        for feature in script.features() {
            *self.features.entry(feature).or_default() += 1;
        }
    }
}

/// The properties of labels that a run breaks.
fn broken_by(labels: &[usize]) -> impl Iterator<Item = String> + '_ {
    labels.iter().enumerate().flat_map(|(at, label)| {
        let before = &labels[..at];
        let mut broken = vec![format!("label{label}")];
        if before.contains(label) {
            broken.push(format!("twice{label}"));
        }
        if *label > 0 && !before.contains(&(label - 1)) {
            broken.push(format!("after{label}"));
        }
        broken
    })
}

/// Compares a script with its concrete runs; what is wrong, if anything is.
fn compare(script: &Script, seed: u64, spread: &mut Spread) -> Result<(), String> {
    let text = script.text("");
    let mut random = Random(fastrand::Rng::with_seed(seed));
    let mut shown: BTreeSet<Vec<usize>> = BTreeSet::new();
    let mut broken: BTreeSet<String> = BTreeSet::new();
    for _ in 0..RUNS {
        let run = world::run(script, &mut random, STEPS);
        spread.runs += 1;
        let ending = format!("{:?}", run.ending);
        *spread.endings.entry(ending).or_default() += 1;
        broken.extend(broken_by(&run.labels));
        broken.extend(run.wedged.iter().map(|who| format!("wedge-P{who}")));
        broken.extend(run.subscribed.then(|| "unsubscribed".to_owned()));
        match run.ending {
            Ending::Stuck => broken.insert("deadlock".to_owned()),
            Ending::Halted => broken.insert("expressions".to_owned()),
            Ending::Open | Ending::Done | Ending::Down => false,
        };
        shown.insert(run.labels);
    }
    holds_against(&text, script.ticks, &shown, &broken, spread)
}

/// Whether all that was shown is among what ours can do, and nothing is broken that holds.
fn holds_against(
    text: &str,
    ticks: bool,
    shown: &BTreeSet<Vec<usize>>,
    broken: &BTreeSet<String>,
    spread: &mut Spread,
) -> Result<(), String> {
    let options = tscript::Options {
        time: match ticks {
            true => tscript::Time::Discrete,
            false => tscript::Time::Untimed,
        },
        ..tscript::Options::default()
    };
    let loaded = tscript::load("random.tb", text, &options);
    let errors: Vec<String> = loaded
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.is_error())
        .map(|diagnostic| diagnostic.message.clone())
        .collect();
    let program = loaded
        .program
        .ok_or_else(|| format!("not accepted: {errors:?}"))?;
    for (name, verdict) in ours::verdicts(&program) {
        *spread.verdicts.entry(verdict).or_default() += 1;
        if verdict == "holds" && broken.contains(&name) {
            return Err(format!(
                "`{name}` is said to hold, and a concrete run breaks it"
            ));
        }
    }
    let mut ours = Ours::new(&program);
    if ours.leaves_something_out() {
        return Ok(());
    }
    spread.whole += 1;
    for labels in shown {
        match ours.can_show(labels) {
            Some(true) => spread.followed += 1,
            Some(false) => return Err(format!("ours cannot show {labels:?}")),
            None => break,
        }
    }
    Ok(())
}

fn count() -> usize {
    let stated = std::env::var("PROBITY_RANDOM_COUNT").ok();
    stated.and_then(|count| count.parse().ok()).unwrap_or(12)
}

#[test]
fn no_concrete_run_breaks_what_holds() {
    let mut spread = Spread::default();
    let count = count();
    let begun = std::time::Instant::now();
    for number in 0..count {
        let seed = 0x5eed_0000 + 7919 * number as u64;
        let wish = Wish {
            tools: number % 4 != 0,
            java: false,
        };
        let script = maker::script(&mut Random(fastrand::Rng::with_seed(seed)), wish);
        spread.counts(&script);
        if let Err(wrong) = compare(&script, seed, &mut spread) {
            let is_wrong = |script: &Script| {
                let found = compare(script, seed, &mut Spread::default());
                found
                    .err()
                    .filter(|wrong| !wrong.starts_with("not accepted"))
            };
            panic!(
                "script {number}: {}",
                smaller::shrunk(script, wrong, &is_wrong)
            );
        }
    }
    let all: usize = spread.verdicts.values().sum();
    let fail = spread.verdicts.get("fails").copied().unwrap_or(0);
    println!(
        "{} scripts, {} concrete runs, {} of them followed in {} scripts of which nothing is left out, {:.0?}",
        spread.scripts,
        spread.runs,
        spread.followed,
        spread.whole,
        begun.elapsed()
    );
    println!("runs: {:?}", spread.endings);
    println!(
        "properties: {:?}, {} % fail",
        spread.verdicts,
        100 * fail / all.max(1)
    );
    println!("scripts with each thing: {:?}", spread.features);
    // A few scripts have no spread.
    if count >= 200 {
        assert!(
            fail * 10 >= all * 3,
            "too few properties fail: {fail} of {all}"
        );
        assert!(spread.whole * 4 >= spread.scripts, "too much is left out");
        for feature in script::FEATURES {
            let scripts = spread.features.get(feature).copied().unwrap_or(0);
            assert!(
                scripts * 25 >= count,
                "{feature} is in {scripts} scripts only"
            );
        }
    }
}

/// The concrete world itself: what the bus in Java prints, ours can print, and nothing that is said to hold is
/// broken there.
#[test]
fn the_bus_in_java_shows_nothing_else() {
    let Some(mut bus) = bus::Bus::named() else {
        println!("skipped: PROBITY_TOOLBUS does not say where the bus in Java is");
        return;
    };
    let mut spread = Spread::default();
    let (mut prints, mut refused) = (0, 0);
    let count = count();
    for number in 0..count {
        let seed = 0xb05_0000 + 7919 * number as u64;
        let wish = Wish {
            tools: number % 2 == 0,
            java: true,
        };
        let script = maker::script(&mut Random(fastrand::Rng::with_seed(seed)), wish);
        spread.counts(&script);
        let mut wrong = |script: &Script, spread: &mut Spread| -> Result<(usize, bool), String> {
            let (mut shown, mut broken) = (BTreeSet::new(), BTreeSet::new());
            let mut is_refused = false;
            for run in bus.run(script, seed) {
                spread.runs += 1;
                let ending = run.ending.split(' ').next().unwrap_or_default().to_owned();
                is_refused |= ending == "refused";
                broken.extend(broken_by(&run.labels));
                if ending == "halted" {
                    broken.insert("expressions".to_owned());
                }
                *spread.endings.entry(ending).or_default() += 1;
                shown.insert(run.labels);
            }
            let some = shown.iter().filter(|labels| !labels.is_empty()).count();
            holds_against(&script.text(""), script.ticks, &shown, &broken, spread)?;
            Ok((some, is_refused))
        };
        match wrong(&script, &mut spread) {
            Ok((some, is_refused)) => {
                prints += usize::from(some > 0);
                refused += usize::from(is_refused);
            }
            Err(first) => {
                let is_wrong = std::cell::RefCell::new(wrong);
                let still = |script: &Script| {
                    let found = (is_wrong.borrow_mut())(script, &mut Spread::default());
                    found
                        .err()
                        .filter(|wrong| !wrong.starts_with("not accepted"))
                };
                panic!(
                    "script {number}: {}",
                    smaller::shrunk(script, first, &still)
                );
            }
        }
    }
    println!(
        "{} scripts beside the bus in Java, {prints} of which print something, {refused} refused there; {} runs, \
         {} of what they print followed in {} scripts of which nothing is left out",
        spread.scripts, spread.runs, spread.followed, spread.whole
    );
    println!("runs: {:?}", spread.endings);
    println!("properties: {:?}", spread.verdicts);
    println!("scripts with each thing: {:?}", spread.features);
    assert!(
        prints * 2 >= spread.scripts,
        "too few scripts print anything"
    );
    assert!(refused * 10 <= spread.scripts, "too many are refused there");
}
