//! `probity translate --to smv` and `--to aiger`: the models have the verdicts of what they were
//! made from. Probity reads its own SMV back; NuSMV, where `PROBITY_NUSMV` names it, must agree.

#![expect(clippy::print_stdout, reason = "a run says what it covered")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use aiger::{Netlist, Reset, Signal, read};
use probity::{InMemory, run};

const MODELS: &[(&str, &str)] = &[
    (
        "turns.pml",
        "byte x; bool b;
         active proctype p() { do :: x < 3 -> x++ :: x == 3 -> break od; b = true }
         active proctype q() { (b); assert(x == 3); x = 0 }
         ltl comes { <>b } ltl stays { [](b -> X b) } ltl low { [](x < 3) } ltl back { <>[](x == 0) }",
    ),
    (
        "met.pml",
        "chan c = [0] of { byte }; chan d = [1] of { byte }; byte got;
         active proctype p() { c!3; d!4; d!5 }
         active proctype q() { byte x; atomic { c?x; got = x; d?x; got = x }; assert(got == 3) }
         ltl five { [] (got != 5) } ltl four { <> (got == 4) }",
    ),
    (
        "shop.lsl",
        "integer total;
         default {
           money(key id, integer amount) {
             total += amount;
             if (total > 3) { llGiveMoney(id, amount); total -= amount; }
           }
         }
         //@ bound amount = 0..2;
         //@ property bounded: always total <= 3;
         //@ property empty: always total <= 1;
         //@ property returned: when call llGiveMoney(who, n) require n > 1;",
    ),
    (
        "light.smv",
        "MODULE main
         IVAR go : boolean;
         VAR light : {red, green, amber}; n : 0..5; w : unsigned word[3];
         ASSIGN init(light) := red; init(n) := 0; init(w) := 0ud3_6;
           next(light) := case light = red & go : green; light = green : {green, amber}; light = amber : red; TRUE : light; esac;
           next(n) := light = amber & n < 5 ? n + 1 : n;
           next(w) := w + 0ud3_1;
         FAIRNESS light = red
         INVARSPEC n < 6
         INVARSPEC n != 3
         CTLSPEC AG (light = green -> EF light = red)
         CTLSPEC EF AG n = 5
         CTLSPEC AF light = green
         LTLSPEC G (light = amber -> X light = red)
         LTLSPEC F light = green
         LTLSPEC G F w = 0ud3_0",
    ),
];

/// The output of a command over the files.
fn probity(system: &InMemory, line: &str) -> (u8, String) {
    let line = format!("probity {line}");
    let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    let status = run(&words, system);
    (status, system.out())
}

/// Each property with what is said of it.
fn verdicts(report: &str) -> BTreeMap<String, &'static str> {
    let mut found = BTreeMap::new();
    for line in report.lines() {
        for word in ["holds", "fails", "vacuous", "not known"] {
            if let Some(rest) = line
                .strip_prefix("  ")
                .and_then(|line| line.strip_prefix(word))
                && let Some(name) = rest.split_whitespace().next()
            {
                found.insert(name.to_owned(), word);
            }
        }
    }
    found
}

fn checked(name: &str, text: &str) -> BTreeMap<String, &'static str> {
    let system = InMemory::default().with_file(name, text);
    let (_, report) = probity(&system, &format!("check {name}"));
    verdicts(&report)
}

fn translated(name: &str, text: &str, options: &str) -> String {
    let system = InMemory::default().with_file(name, text);
    let (status, out) = probity(&system, &format!("translate {name} {options}"));
    assert_eq!(status, 0, "{name}: {}", system.err());
    out
}

/// What is said of the properties of an SMV model by their original names.
fn by_original(found: BTreeMap<String, &'static str>) -> BTreeMap<String, &'static str> {
    let renamed = found.into_iter().filter_map(|(name, verdict)| {
        let (name, _) = name.strip_prefix("v_")?.rsplit_once("_p")?;
        Some((name.to_owned(), verdict))
    });
    renamed.collect()
}

#[test]
fn models_in_smv_have_the_same_verdicts() {
    for (name, text) in MODELS {
        let expected = checked(name, text);
        let model = translated(name, text, "--to smv");
        let found = by_original(checked("m.smv", &model));
        assert!(found.len() >= 3, "{name}: {found:?}");
        for (property, verdict) in &found {
            assert_eq!(
                expected.get(property),
                Some(verdict),
                "{property} of {name}:\n{model}"
            );
        }
        println!("{name}: {found:?}");
        if let Some(said) = nusmv_says(name, &model) {
            for (property, holds) in said {
                let verdict = if holds { "holds" } else { "fails" };
                assert_eq!(
                    expected.get(&property),
                    Some(&verdict),
                    "{property} of {name}"
                );
            }
        }
    }
}

/// What NuSMV says of each property, if it is there.
fn nusmv_says(name: &str, model: &str) -> Option<BTreeMap<String, bool>> {
    let Some(program) = std::env::var_os("PROBITY_NUSMV") else {
        println!("{name}: NuSMV is skipped, for PROBITY_NUSMV is not set");
        return None;
    };
    let folder: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gates");
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let file = folder.join(format!("{name}.smv"));
    std::fs::write(&file, model).expect("a file can be written");
    let names: Vec<String> = model
        .lines()
        .filter_map(|line| {
            Some(
                line.split_once("SPEC NAME ")?
                    .1
                    .split_once(" :=")?
                    .0
                    .to_owned(),
            )
        })
        .collect();
    let mut said = BTreeMap::new();
    for full in names {
        let Some((original, _)) = full.strip_prefix("v_").and_then(|n| n.rsplit_once("_p")) else {
            continue;
        };
        // One at a time, so that what is said is said of it.
        let one: String = model
            .lines()
            .filter(|line| !line.contains("SPEC NAME ") || line.contains(&format!(" {full} ")))
            .map(|line| format!("{line}\n"))
            .collect();
        std::fs::write(&file, one).expect("a file can be written");
        let output = Command::new(&program)
            .arg(&file)
            .output()
            .expect("NuSMV runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let holds = text.contains(" is true");
        assert!(
            holds || text.contains(" is false"),
            "{name}, {full}: {text}"
        );
        said.insert(original.to_owned(), holds);
    }
    Some(said)
}

/// The names of what is bad in some state that can be reached, by the definition of the format, and how
/// many states there are.
fn seen_bad(netlist: &Netlist) -> (BTreeSet<String>, usize) {
    let rows = |width: usize| {
        let codes = 0u32..1 << width;
        codes.map(move |code| {
            (0..width)
                .map(|bit| code >> bit & 1 == 1)
                .collect::<Vec<bool>>()
        })
    };
    let free = netlist
        .latches
        .iter()
        .filter(|latch| latch.what.reset == Reset::Free);
    let first = rows(free.count()).map(|row| {
        let mut free = row.into_iter();
        let latches = netlist.latches.iter().map(|latch| match latch.what.reset {
            Reset::To(value) => Some(value),
            Reset::Free => free.next(),
        });
        latches
            .collect::<Option<Vec<bool>>>()
            .expect("a value for each that is free")
    });
    let mut open: Vec<Vec<bool>> = first.collect();
    let mut seen = BTreeSet::new();
    let mut bad = BTreeSet::new();
    while let Some(state) = open.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        for row in rows(netlist.inputs.len()) {
            let values = netlist.evaluate(&row, &state);
            let holds = |signal: Signal| signal.holds(&values);
            if !netlist.constraints.iter().all(|held| holds(held.what)) {
                continue;
            }
            let found = netlist.bads.iter().filter(|bad| holds(bad.what));
            bad.extend(found.map(|bad| bad.name.clone()));
            let latches = netlist.latches.iter();
            open.push(latches.map(|latch| holds(latch.what.next)).collect());
        }
    }
    (bad, seen.len())
}

#[test]
fn circuits_show_what_fails() {
    for (name, text) in MODELS {
        let expected = checked(name, text);
        let text = translated(name, text, "--to aiger");
        let netlist = read(text.as_bytes()).expect("what we write is well formed");
        assert!(!netlist.bads.is_empty());
        let (bad, states) = seen_bad(&netlist);
        let again = checked("circuit.aag", &text);
        for one in &netlist.bads {
            let verdict = if bad.contains(&one.name) {
                "fails"
            } else {
                "holds"
            };
            for found in [&expected, &again] {
                assert_eq!(
                    found.get(&one.name),
                    Some(&verdict),
                    "{} of {name}",
                    one.name
                );
            }
        }
        println!("{name}: {states} states, {bad:?} fail");
    }
}
