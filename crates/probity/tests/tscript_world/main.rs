//! Random Tscripts beside a small concrete world: the bus in Java and its tools, played with values
//! that are drawn at random. What a concrete run prints, ours can print; and nothing that is said to hold
//! is broken by one.
//!
//! `PROBITY_RANDOM_COUNT` says how many scripts are tried. `PROBITY_TOOLBUS` may name the class path of
//! the bus in Java: then scripts without tools run there, too.

#![expect(clippy::unwrap_used, reason = "a test may panic")]
#![expect(clippy::print_stdout, reason = "what was found is for people to read")]

mod bus;
mod ours;
mod rest;
mod script;
mod value;
mod world;

use std::collections::{BTreeMap, BTreeSet};

use ours::Ours;
use script::{Proc, Random, Script};
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
    acts: BTreeMap<&'static str, usize>,
}

/// Compares a script with its concrete runs; what is wrong, if anything is.
fn compare(script: &Script, seed: u64, spread: &mut Spread) -> Result<(), String> {
    let text = script.text("");
    let mut random = Random(seed);
    let mut shown: BTreeSet<Vec<usize>> = BTreeSet::new();
    let mut broken: BTreeSet<String> = BTreeSet::new();
    for _ in 0..RUNS {
        let run = world::run(script, &mut random, STEPS);
        spread.runs += 1;
        let ending = format!("{:?}", run.ending);
        *spread.endings.entry(ending).or_default() += 1;
        broken.extend(run.labels.iter().map(|label| format!("label{label}")));
        match run.ending {
            Ending::Stuck => broken.insert("deadlock".to_owned()),
            Ending::Halted => broken.insert("expressions".to_owned()),
            Ending::Open | Ending::Done => false,
        };
        shown.insert(run.labels);
    }
    holds_against(&text, &shown, &broken, spread)
}

/// Whether all that was shown is among what ours can do, and nothing is broken that holds.
fn holds_against(
    text: &str,
    shown: &BTreeSet<Vec<usize>>,
    broken: &BTreeSet<String>,
    spread: &mut Spread,
) -> Result<(), String> {
    let loaded = tscript::load("random.tb", text, &tscript::Options::default());
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

/// Scripts that are a little smaller.
fn smaller(script: &Script) -> Vec<Script> {
    fn parts(part: &Proc) -> Vec<Proc> {
        let inside = |all: &[Proc], make: &dyn Fn(Vec<Proc>) -> Proc| {
            let mut out = Vec::new();
            for at in 0..all.len() {
                if all.len() > 1 {
                    let mut fewer = all.to_vec();
                    fewer.remove(at);
                    out.push(make(fewer));
                }
                for less in parts(&all[at]) {
                    let mut changed = all.to_vec();
                    changed[at] = less;
                    out.push(make(changed));
                }
            }
            out
        };
        match part {
            Proc::Act(_) | Proc::Delta => Vec::new(),
            Proc::Seq(all) => inside(all, &Proc::Seq),
            Proc::Choice(all) => inside(all, &Proc::Choice),
            Proc::Loop(a, b) | Proc::Side(a, b) => vec![(**a).clone(), (**b).clone()],
            Proc::If(_, then, other) => {
                let mut out = vec![(**then).clone()];
                out.extend(other.iter().map(|other| (**other).clone()));
                out
            }
        }
    }
    let mut all = Vec::new();
    for at in 0..script.processes.len() {
        if script.processes.len() > 1 {
            let mut fewer = script.clone();
            fewer.processes.remove(at);
            all.push(fewer);
        }
        for less in parts(&script.processes[at]) {
            let mut changed = script.clone();
            changed.processes[at] = less;
            all.push(changed);
        }
    }
    all
}

/// The smallest script found that is still wrong, and how.
fn shrunk(
    mut script: Script,
    mut wrong: String,
    is_wrong: &dyn Fn(&Script) -> Option<String>,
) -> String {
    let mut tries = 0;
    'again: loop {
        for candidate in smaller(&script) {
            tries += 1;
            if tries > 400 {
                break 'again;
            }
            if let Some(still) = is_wrong(&candidate) {
                (script, wrong) = (candidate, still);
                continue 'again;
            }
        }
        break;
    }
    format!("{wrong}\n{}", script.text(""))
}

fn count() -> usize {
    let stated = std::env::var("PROBITY_RANDOM_COUNT").ok();
    stated.and_then(|count| count.parse().ok()).unwrap_or(12)
}

#[test]
fn no_concrete_run_breaks_what_holds() {
    let mut spread = Spread::default();
    let count = count();
    for number in 0..count {
        let seed = 0x5eed_0000 + 7919 * number as u64;
        let mut random = Random(seed);
        let script = script::script(&mut random, number % 4 != 0);
        spread.scripts += 1;
        let words: BTreeSet<&str> = script.acts().iter().map(|act| act.word()).collect();
        for word in words {
            *spread.acts.entry(word).or_default() += 1;
        }
        if let Err(wrong) = compare(&script, seed, &mut spread) {
            let is_wrong = |script: &Script| {
                let found = compare(script, seed, &mut Spread::default());
                found
                    .err()
                    .filter(|wrong| !wrong.starts_with("not accepted"))
            };
            panic!("script {number}: {}", shrunk(script, wrong, &is_wrong));
        }
    }
    let all: usize = spread.verdicts.values().sum();
    let fail = spread.verdicts.get("fails").copied().unwrap_or(0);
    println!(
        "{} scripts, {} concrete runs, {} of them followed in {} scripts of which nothing is left out",
        spread.scripts, spread.runs, spread.followed, spread.whole
    );
    println!("runs: {:?}", spread.endings);
    println!("properties: {:?}", spread.verdicts);
    println!("scripts with each action: {:?}", spread.acts);
    // A few scripts have no spread.
    if count >= 200 {
        assert!(
            fail * 10 >= all * 3,
            "too few properties fail: {fail} of {all}"
        );
        assert!(spread.whole * 4 >= spread.scripts, "too much is left out");
        for (word, scripts) in &spread.acts {
            assert!(*scripts >= 20, "{word} is in {scripts} scripts only");
        }
    }
}

/// The concrete world itself: what the bus in Java prints of a script without tools, ours can print.
#[test]
fn the_bus_in_java_shows_nothing_else() {
    let Some(bus) = bus::Bus::named() else {
        println!("skipped: PROBITY_TOOLBUS does not say where the bus in Java is");
        return;
    };
    let mut spread = Spread::default();
    let mut prints = 0;
    let count = count();
    for number in 0..count {
        let seed = 0xb05_0000 + 7919 * number as u64;
        let script = script::script(&mut Random(seed), false);
        spread.scripts += 1;
        let (labels, halted) = bus.run(&script);
        prints += usize::from(!labels.is_empty());
        let mut broken: BTreeSet<String> =
            labels.iter().map(|label| format!("label{label}")).collect();
        if halted {
            broken.insert("expressions".to_owned());
        }
        let shown = BTreeSet::from([labels]);
        if let Err(wrong) = holds_against(&script.text(""), &shown, &broken, &mut spread) {
            panic!("script {number}: {wrong}\n{}", script.text(""));
        }
    }
    println!(
        "{} scripts beside the bus in Java, {prints} of which print something; {} followed",
        spread.scripts, spread.followed
    );
    assert!(
        prints * 2 >= spread.scripts,
        "too few scripts print anything"
    );
}
