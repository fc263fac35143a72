//! Random programs in C: what is said to hold, no compiled run violates.
//!
//! Programs are compiled with a monitor and the sanitizers of the compiler, and run on random inputs
//! and schedules. A few seeds run here, where there is a compiler; `PROBITY_RANDOM_FROM` and
//! `PROBITY_RANDOM_COUNT` choose others, as many as one likes; with 40 or more, what they cover is
//! asserted as well. Where `PROBITY_ESBMC` names the program of ESBMC, its verdicts are compared, too.

#![expect(clippy::print_stdout, reason = "a run says what it covered")]

mod compiled;
mod esbmc;
mod generate;
#[path = "../random_promela/random.rs"]
mod random;
mod rules;
mod write;

use std::collections::BTreeMap;

use probity::InMemory;

use crate::compiled::{Found, is_fatal};
use crate::generate::{PRELUDE, Sample};

/// How many programs are compiled together.
const BATCH: usize = 40;
/// How often each is run.
const RUNS: usize = 300;
/// What must be among the programs.
const FEATURES: &[&str] = &[
    "any net",
    "array",
    "assert",
    "buffer",
    "call",
    "call through pointer",
    "cast",
    "code base",
    "code origin",
    "compound assignment",
    "copied structure",
    "do",
    "for",
    "function pointer",
    "goto",
    "link",
    "matrix",
    "move",
    "mutex",
    "net",
    "nothing undefined",
    "pointer",
    "recursion",
    "strcmp",
    "structure",
    "union",
    "subject",
    "switch",
    "text",
    "thread",
    "unsigned",
    "while",
    "writer outside",
];

/// What the programs of a run covered.
#[derive(Default)]
struct Spread {
    programs: usize,
    refused: usize,
    unanswered: usize,
    verdicts: BTreeMap<String, usize>,
    /// Why verdicts are not known.
    reasons: BTreeMap<String, usize>,
    violated: usize,
    /// Properties that fail, as a run shows.
    confirmed: usize,
    features: BTreeMap<&'static str, usize>,
    wrong: Vec<String>,
}

/// A verdict, and why it is not known.
type Verdicts = BTreeMap<String, (String, String)>;

/// The verdicts on a program by property; none if it is refused.
fn verdicts(sample: &Sample, timeout: &str) -> Result<Verdicts, String> {
    let text = format!("{PRELUDE}{}", sample.text);
    let mut system = InMemory::default()
        .with_file("t.c", text)
        .with_file("t.policy", sample.policy.clone());
    let mut line = format!("probity check t.c --policy t.policy --format json --timeout {timeout}");
    if let Some(net) = &sample.net {
        system = system.with_file("t.locnet", net.clone());
        line.push_str(" --net t.locnet");
    }
    let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    probity::run(&words, &system);
    let told = system.out();
    let json: serde_json::Value =
        serde_json::from_str(&told).map_err(|error| format!("{error}: {told}{}", system.err()))?;
    let file = &json["files"][0];
    if file["refused"] == true {
        return Err(format!("{:#}", file["diagnostics"]));
    }
    let properties = file["properties"].as_array().ok_or("no properties")?;
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    Ok(properties
        .iter()
        .map(|property| {
            let verdict = (text(&property["verdict"]), text(&property["why"]));
            (text(&property["name"]), verdict)
        })
        .collect())
}

/// What a run shows and a verdict denies.
fn contradictions(verdicts: &Verdicts, found: &Found) -> Vec<String> {
    let mut all = Vec::new();
    for (what, run) in found {
        let verdict = verdicts.get(what).map_or("holds", |known| known.0.as_str());
        if verdict == "holds" && what != "crash" {
            all.push(format!("run {run} violates {what}"));
        }
    }
    // After undefined behaviour, anything may happen.
    if let Some((what, run)) = found.iter().find(|(what, _)| is_fatal(what)) {
        for (name, (verdict, _)) in verdicts {
            if verdict == "holds" {
                all.push(format!(
                    "{name} is said to hold, but run {run} comes to {what}"
                ));
            }
        }
    }
    all
}

fn compare(seed: u64, sample: &Sample, found: &Found, timeout: &str, spread: &mut Spread) {
    let whole = || {
        let net = sample.net.as_deref().unwrap_or("(no net)");
        format!("{PRELUDE}{}\n{}\n{net}", sample.text, sample.policy)
    };
    let verdicts = match verdicts(sample, timeout) {
        Ok(verdicts) => verdicts,
        Err(why) => {
            spread.refused += 1;
            spread
                .wrong
                .push(format!("seed {seed} is refused: {why}\n{}", whole()));
            return;
        }
    };
    // Where the time does not even suffice for reading, nothing is said.
    if verdicts.is_empty() {
        spread.unanswered += 1;
        return;
    }
    spread.programs += 1;
    for feature in &sample.features {
        *spread.features.entry(feature).or_default() += 1;
    }
    for (verdict, why) in verdicts.values() {
        *spread.verdicts.entry(verdict.clone()).or_default() += 1;
        if matches!(verdict.as_str(), "possible" | "not-known") {
            let digits = |c: char| c.is_ascii_digit() || c == '.';
            let why = why.replace(digits, "");
            *spread.reasons.entry(why).or_default() += 1;
        }
    }
    spread.violated += usize::from(!found.is_empty());
    spread.confirmed += found
        .keys()
        .filter(|what| {
            verdicts
                .get(*what)
                .is_some_and(|(verdict, _)| verdict == "fails")
        })
        .count();
    let wrong = contradictions(&verdicts, found);
    if !wrong.is_empty() {
        let wrong = wrong.join("\n");
        spread
            .wrong
            .push(format!("seed {seed}: {wrong}\n{verdicts:?}\n{}", whole()));
    }
}

#[test]
fn no_run_violates_what_holds() {
    if let Some(what) = compiled::missing() {
        println!("skipped: {what}");
        return;
    }
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let first: u64 = number("PROBITY_RANDOM_FROM").unwrap_or(1);
    let count = number("PROBITY_RANDOM_COUNT").unwrap_or(8);
    let timeout = std::env::var("PROBITY_RANDOM_TIMEOUT").unwrap_or_else(|_| "1s".to_owned());
    let folder = std::env::temp_dir().join(format!("probity-mobile-{}", std::process::id()));
    let mut spread = Spread::default();
    let seeds: Vec<u64> = (first..first + count).collect();
    for seeds in seeds.chunks(BATCH) {
        let make = |(tag, &seed): (usize, &u64)| generate::make(seed, tag);
        let samples: Vec<Sample> = seeds.iter().enumerate().map(make).collect();
        let found = compiled::run(&samples, RUNS, &folder);
        for ((&seed, sample), found) in seeds.iter().zip(&samples).zip(&found) {
            let before = spread.wrong.len();
            compare(seed, sample, found, &timeout, &mut spread);
            for wrong in &spread.wrong[before..] {
                println!("{wrong}");
            }
        }
    }
    drop(std::fs::remove_dir_all(&folder));
    let Spread {
        programs,
        refused,
        unanswered,
        verdicts,
        reasons,
        violated,
        confirmed,
        features,
        wrong,
    } = &spread;
    println!(
        "{programs} programs ({refused} refused, {unanswered} without an answer), {verdicts:?}; runs violate something in \
         {violated}, {confirmed} failing properties are confirmed; not known: {reasons:?}; {features:?}"
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    // A few programs say nothing of all.
    if count < BATCH as u64 {
        return;
    }
    let all: usize = verdicts.values().sum();
    let of = |name| verdicts.get(name).copied().unwrap_or(0);
    let decided = of("fails") + of("holds");
    assert!(of("fails") * 5 >= decided, "few properties fail");
    assert!(of("holds") * 7 >= all, "few properties hold");
    assert!(violated * 10 >= programs * 3, "few runs go wrong");
    for feature in FEATURES {
        assert!(features.contains_key(feature), "no program has: {feature}");
    }
}

/// What is said of all properties of a program together.
fn together(verdicts: &Verdicts) -> &'static str {
    let has = |wanted| verdicts.values().any(|(verdict, _)| verdict == wanted);
    match () {
        () if has("fails") => "fails",
        () if has("not-known") || has("possible") => "not known",
        () => "holds",
    }
}

#[test]
fn verdicts_are_those_of_esbmc() {
    let Ok(program) = std::env::var("PROBITY_ESBMC") else {
        println!("skipped: PROBITY_ESBMC does not name ESBMC");
        return;
    };
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let first: u64 = number("PROBITY_RANDOM_FROM").unwrap_or(1);
    let count = number("PROBITY_RANDOM_COUNT").unwrap_or(8);
    let folder = std::env::temp_dir().join(format!("probity-esbmc-{}", std::process::id()));
    let mut table: BTreeMap<String, usize> = BTreeMap::new();
    let mut differ = Vec::new();
    for seed in first..first + count {
        let sample = generate::make(seed, 0);
        if !esbmc::is_suited(&sample) {
            continue;
        }
        let Some((theirs, told)) = esbmc::ask(&program, &sample, &folder, 10) else {
            continue;
        };
        if theirs == esbmc::Said::Nothing {
            *table.entry("ESBMC says nothing".to_owned()).or_default() += 1;
            continue;
        }
        let verdicts = verdicts(&sample, "10s").expect("the sample is read");
        let ours = together(&verdicts);
        *table
            .entry(format!("{ours}, ESBMC {theirs:?}"))
            .or_default() += 1;
        let equal = matches!(
            (ours, theirs),
            ("not known", _) | ("holds", esbmc::Said::Holds) | ("fails", esbmc::Said::Fails)
        );
        if !equal {
            let Sample { text, policy, .. } = &sample;
            let shown = told.lines().rev().take(30).collect::<Vec<_>>();
            let shown = shown.into_iter().rev().collect::<Vec<_>>().join("\n");
            println!(
                "seed {seed}: {ours}, ESBMC {theirs:?}\n{verdicts:?}\n{PRELUDE}{text}\n{policy}\n{shown}"
            );
            differ.push(seed);
        }
    }
    drop(std::fs::remove_dir_all(&folder));
    println!("{table:?}");
    assert!(differ.is_empty(), "verdicts differ: {differ:?}");
}
