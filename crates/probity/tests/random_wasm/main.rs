//! Random small modules of WebAssembly: what `check` says against runs on an interpreter.
//!
//! Each module is checked against a policy, and run with random arguments, random results of imports
//! and random calls of exports while an import is called. A monitor in the imports watches for
//! violations. No run violates what is said to hold. `PROBITY_WASM_CASES` says how many modules there
//! are.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test may panic, and says what it covered"
)]

mod concrete;
mod generate;

use std::collections::BTreeMap;

use fastrand::Rng;
use probity::{InMemory, run};

/// The rules: a call with a text, a call with one of others, any call of a function.
const POLICY: &str = "deny to public { permission function connect arg 1 bad }
deny to public { permission function connect arg 1 except good \"bad\"* fine }
deny to public { permission function wipe }
";
/// How many properties the policy has.
const RULES: usize = 3;
/// How many modules are in the suite.
const SOME: usize = 24;
/// The seed of the first. From here on so many properties fail that their share does not depend on how
/// many others are decided in time.
const FIRST: u64 = 67;
/// How often each module is run.
const RUNS: usize = 150;

/// The verdict of each rule.
fn verdicts(binary: Vec<u8>) -> (Vec<String>, String) {
    let line = "probity check t.wasm --policy t.policy --format json --timeout 3s";
    let system = InMemory::default()
        .with_file("t.wasm", binary)
        .with_file("t.policy", POLICY);
    let words: Vec<&str> = line.split_whitespace().collect();
    run(&words, &system);
    let said = format!("{}{}", system.out(), system.err());
    let report: serde_json::Value = serde_json::from_str(&system.out()).expect(&said);
    let properties = report["files"][0]["properties"].as_array().expect(&said);
    let verdict = |property: &serde_json::Value| property["verdict"].as_str().unwrap().to_owned();
    (properties.iter().map(verdict).collect(), said)
}

#[test]
fn no_run_violates_what_holds() {
    let cases = std::env::var("PROBITY_WASM_CASES").ok();
    let cases = cases.map_or(SOME, |cases| cases.parse().unwrap());
    let mut spread: BTreeMap<String, usize> = BTreeMap::new();
    let (mut broken, mut confirmed) = (0, 0);
    for seed in FIRST..FIRST + cases as u64 {
        let mut rng = Rng::with_seed(seed);
        let text = generate::module(&mut rng);
        let binary = wat::parse_str(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let (verdicts, said) = verdicts(binary);
        assert_eq!(verdicts.len(), RULES, "{said}");
        // The monitor reads memory from outside; nothing is written so.
        let open = text.replace("(memory 1)", "(memory (export \"memory\") 1)");
        let open = wat::parse_str(&open).unwrap();
        let violated = concrete::violated(&open, RUNS, &mut rng);
        for (rule, verdict) in verdicts.iter().enumerate() {
            *spread.entry(verdict.clone()).or_default() += 1;
            assert!(
                !(violated[rule] && verdict == "holds"),
                "seed {seed}: a run violates rule-{}\n{text}\n{said}",
                rule + 1
            );
            broken += usize::from(violated[rule]);
            confirmed += usize::from(violated[rule] && verdict == "fails");
        }
    }
    println!("{cases} modules: {spread:?}; {broken} violated in runs, {confirmed} of them fail");
    let all = cases * RULES;
    let count = |verdict: &str| spread.get(verdict).copied().unwrap_or(0);
    let decided = count("fails") + count("holds");
    assert!(count("fails") * 10 >= decided * 3, "{spread:?} of {all}");
    assert!(count("holds") * 10 >= all, "{spread:?} of {all}");
    assert!(broken * 10 >= all, "{broken} of {all}");
}
