//! Verification beside the concrete world: no run there may break a property that is said to hold.
//!
//! Random scripts, each around library functions that it has to use, and the scripts of the examples
//! are verified, and then run many times. A fixed slice of seeds runs here; `PROBITY_CONFORM_SCRIPTS`,
//! `PROBITY_CONFORM_RUNS` and `PROBITY_CONFORM_SEED` choose others, as `cargo xtask conform lsl` does.

#![expect(clippy::print_stdout, reason = "a run says what it covered")]

mod directed;
mod generate;
mod judge;
mod shops;
mod shrink;
mod spread;
mod subjects;
mod tills;
mod written;

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use judge::{Finding, Said};
use spread::Spread;

/// Whether something is broken: then the slice of the test suite need not go on.
static BROKEN: AtomicBool = AtomicBool::new(false);

/// How many functions each script is made around.
const FOCUS: usize = 5;

/// How many findings are made smaller.
const MADE_SMALLER: usize = 12;

struct Size {
    scripts: usize,
    runs: usize,
    seed: u64,
    /// Whether this is the slice of the test suite.
    slice: bool,
}

fn size() -> Size {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let scripts = number("PROBITY_CONFORM_SCRIPTS");
    Size {
        slice: scripts.is_none(),
        scripts: scripts.unwrap_or(40),
        runs: number("PROBITY_CONFORM_RUNS").unwrap_or(50),
        seed: number("PROBITY_CONFORM_SEED").map_or(1, |seed| seed as u64),
    }
}

/// The functions of the script of this number: all take their turns.
fn focus(
    functions: &[&'static lsl::facts::Function],
    number: usize,
) -> Vec<&'static lsl::facts::Function> {
    // A stride that has no divisor in common with the count brings others together each time round.
    let stride = [97, 101, 103, 107]
        .into_iter()
        .find(|stride| !functions.len().is_multiple_of(*stride))
        .unwrap_or(1);
    (0..FOCUS)
        .map(|index| functions[(number * FOCUS + index) * stride % functions.len()])
        .collect()
}

/// Verifies and runs so many scripts, each made from its number and a seed; gives what runs break.
fn search(
    all: usize,
    size: &Size,
    spread: &Mutex<Spread>,
    make: &(dyn Fn(usize, u64) -> generate::Script + Sync),
) -> Vec<(usize, Finding)> {
    let findings: Mutex<Vec<(usize, Finding)>> = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let enough = size.slice && BROKEN.load(Ordering::Relaxed);
            if number >= all || enough {
                return;
            }
            let seed = size
                .seed
                .wrapping_mul(1_000_003)
                .wrapping_add(number as u64);
            let script = make(number, seed);
            let text = script.text();
            let verdicts = match judge::verify(&text, judge::TIMEOUT) {
                Ok(verdicts) => verdicts,
                Err(errors) => panic!("script {number} is refused: {errors:?}\n{text}"),
            };
            let (counts, finding) = judge::runs(&text, &verdicts, seed, size.runs);
            spread
                .lock()
                .expect("no panic")
                .add(&text, &verdicts, &counts);
            if let Some(finding) = finding {
                BROKEN.store(true, Ordering::Relaxed);
                // The first few are made smaller; the rest may well be more of the same.
                let found = findings.lock().expect("no panic").len();
                let shown = if found < MADE_SMALLER {
                    shrink::shrink(&script, &finding)
                } else {
                    finding
                };
                findings.lock().expect("no panic").push((number, shown));
            }
        }
    };
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism()
            .map_or(1, usize::from)
            .min(2);
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    findings.into_inner().expect("no panic")
}

/// Prints what runs break, and asserts that there is nothing.
fn report(mut findings: Vec<(usize, Finding)>) {
    findings.sort_by_key(|(number, _)| *number);
    for (number, finding) in &findings {
        println!("script {number}:\n{finding}");
    }
    assert!(
        findings.is_empty(),
        "{} scripts have runs that break what is said to hold",
        findings.len()
    );
}

#[test]
fn no_concrete_run_breaks_what_holds() {
    let size = size();
    let functions = subjects::functions();
    let spread = Mutex::new(Spread::default());
    // First all questions about each function, then scripts that mix them.
    let asked = functions.len() + directed::PAIRS;
    let findings = search(
        asked + size.scripts,
        &size,
        &spread,
        &|number, seed| match functions.get(number) {
            Some(function) => directed::directed(seed, function),
            None => directed::set_and_read(number - functions.len())
                .unwrap_or_else(|| generate::script(seed, focus(&functions, number - asked))),
        },
    );
    let spread = spread.into_inner().expect("no panic");
    println!("{spread}");
    report(findings);
    if BROKEN.load(Ordering::Relaxed) {
        // The other tests say what it is.
        return;
    }
    spread.check(&functions, size.slice);
}

#[test]
fn no_concrete_run_breaks_what_checks_prove() {
    let size = size();
    let spread = Mutex::new(Spread::default());
    let findings = search(size.scripts, &size, &spread, &|_, seed| shops::script(seed));
    let spread = spread.into_inner().expect("no panic");
    println!("{spread}");
    report(findings);
    spread.check_shops();
}

#[test]
fn no_concrete_run_pays_more_than_checks_prove() {
    let size = size();
    let spread = Mutex::new(Spread::default());
    // Of few, too few are decided to tell how many pay more.
    let scripts = size.scripts.max(100);
    let findings = search(scripts, &size, &spread, &|_, seed| tills::script(seed));
    let spread = spread.into_inner().expect("no panic");
    println!("{spread}");
    let said = |what| spread.said_of("pays-more", what);
    let (holds, fails) = (said("hold"), said("fail"));
    println!("pays-more: {holds} hold, {fails} fail");
    report(findings);
    spread.check_shops();
    let all = holds + fails;
    assert!(fails * 10 >= all * 3, "{fails} of {all} pay more");
    assert!(holds * 10 >= all * 3, "{holds} of {all} pay no more");
}

#[test]
fn what_happens_every_day_is_not_said_to_be_impossible() {
    const RUNS: usize = 1_000;
    // Each takes a moment; the limit is for busy machines, where a verdict must not be lost to time.
    const PATIENCE: Duration = Duration::from_secs(20);
    let mut defects = Vec::new();
    for (about, body) in written::SCRIPTS {
        let text = written::text(body);
        let verdicts = judge::verify(&text, PATIENCE)
            .unwrap_or_else(|errors| panic!("{about}: {errors:?}\n{text}"));
        let (counts, finding) = judge::runs(&text, &verdicts, 1, RUNS);
        match finding {
            Some(finding) => defects.push(format!("{about}:\n{finding}")),
            None if counts.reached == 0 => defects.push(format!("{about}: no run shows it")),
            None => {}
        }
    }
    if !defects.is_empty() {
        BROKEN.store(true, Ordering::Relaxed);
        panic!("{}", defects.join("\n"));
    }
}

#[test]
fn the_examples_keep_what_is_said_of_them() {
    let size = size();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/lsl");
    let mut scripts = Vec::new();
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the examples are there") {
            let path = entry.expect("it can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "lsl") {
                scripts.push(path);
            }
        }
    }
    scripts.sort();
    assert!(scripts.len() > 10, "{} examples", scripts.len());
    let mut judged = BTreeSet::new();
    for path in scripts {
        let text = std::fs::read_to_string(&path).expect("it can be read");
        // A script of the examples that shows a mistake in the text has no program.
        let Ok(verdicts) = judge::verify(&text, judge::TIMEOUT) else {
            continue;
        };
        let (counts, finding) = judge::runs(&text, &verdicts, size.seed, size.runs);
        if let Some(finding) = finding {
            panic!("{}:\n{finding}", path.display());
        }
        if counts.broken > 0 || verdicts.said.iter().any(|(_, said)| *said == Said::Holds) {
            judged.insert(path);
        }
    }
    assert!(
        judged.len() > 8,
        "little is said of the examples: {judged:?}"
    );
}
