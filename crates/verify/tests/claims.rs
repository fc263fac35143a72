//! What is said of never claims, labels and formulas of Promela models, with all passes and with
//! none. The verdicts are those of SPIN 6.5.2 (`spin -a`, `-DNOREDUCE`, `./pan -a`; `-DNP` and
//! `-l` for progress), but for the ends of runs where SPIN stops at the first error.

use model::{Silent, Verdict};
use passes::Selection;

/// A model, one of its properties, and whether it fails.
const CASES: &[(&str, &str, bool)] = &[
    // What cannot be evaluated does not hold, and neither does its negation.
    (
        "byte a[3]; byte n = 3; init { skip } ltl p { [] (a[n] == 0) }",
        "p",
        true,
    ),
    (
        "byte a[3]; byte n = 3; init { skip } ltl p { [] !(a[n] == 0) }",
        "p",
        true,
    ),
    (
        "chan q; init { skip } ltl p { [] (len(q) < 2 -> len(q) > 0) }",
        "p",
        true,
    ),
    (
        "byte a[3]; byte n = 3; init { skip } ltl p { [] (n < 3 -> a[n] == 1) }",
        "p",
        false,
    ),
    (
        "byte a[3]; byte n = 3; init { skip } never { do :: !(a[n] == 0) -> break :: else od }",
        "never",
        true,
    ),
    (
        "byte a[3]; byte n = 3; init { skip } never { do :: a[n] == 0 -> break :: else od }",
        "never",
        true,
    ),
    (
        "byte a[3]; byte n = 2; init { skip } never { do :: !(a[n] == 0) -> break :: else od }",
        "never",
        false,
    ),
    (
        "chan q; init { skip } never { do :: len(q) > 5 -> break :: else od }",
        "never",
        true,
    ),
    (
        "byte x; init { x = 1 } never { do :: 2 / x == 5 -> break :: else od }",
        "never",
        true,
    ),
    // What is within an atomic block is not seen.
    (
        "byte x; active proctype P() { atomic { x = 1; x = 0 } }
         never { do :: x == 1 -> break :: else od }",
        "never",
        false,
    ),
    (
        "byte x; active proctype P() { x = 1; x = 0 }
         never { do :: x == 1 -> break :: else od }",
        "never",
        true,
    ),
    // Where a claim cannot go on, nothing is wrong.
    (
        "byte x; active proctype P() { do :: x < 3 -> x++ :: else -> break od }
         never { do :: x < 2 od; accept: do :: true od }",
        "never",
        false,
    ),
    // The last state repeats, also where a run is stuck.
    (
        "byte x; active proctype P() { x = 1; x == 2; x = 3 }
         never { do :: true :: x == 1 -> break od; accept: do :: x == 1 od }",
        "never",
        true,
    ),
    // A claim that counts steps: the third state is not the second.
    (
        "byte x; active proctype P() { x = 1; x = 2 }
         never { true; x == 1 -> x == 2 }",
        "never",
        true,
    ),
    (
        "byte x; byte y; active proctype P() { x = 1; y = 1; x = 2 }
         never { true; x == 1 -> x == 2 }",
        "never",
        false,
    ),
    // Variables of processes that do not run are zero.
    (
        "proctype Q(byte v) { byte w = v + 1; w = 0 } init { run Q(4) }
         never { do :: Q:v == 4 && Q:w == 0 -> break :: else od }",
        "never",
        true,
    ),
    (
        "proctype Q(byte v) { byte w = v + 1; w = 0 } init { run Q(4) }
         never { do :: Q:v == 0 && Q:w > 0 -> break :: else od }",
        "never",
        false,
    ),
    // A reference without a number means the first of its kind: also one that comes later, when
    // those before it have gone.
    (
        "proctype Q(byte v) { here: v = v + 2; skip } init { run Q(1); run Q(2) }
         ltl never_four { [] !(Q:v == 4) }",
        "never_four",
        true,
    ),
    (
        "proctype Q(byte v) { v = v + 2; false } init { run Q(1); run Q(2) }
         ltl never_four { [] !(Q:v == 4) }",
        "never_four",
        false,
    ),
    (
        "proctype Q(byte v) { here: v = v + 2; skip } init { run Q(1); run Q(2) }
         ltl leaves { <> (Q:v == 3 && !Q@here) }",
        "leaves",
        false,
    ),
    // A value that is set and overwritten before anybody but the property reads it.
    (
        "byte out; active proctype P() { byte a; byte up; do :: a = 3; up = 1; up = 0; out = 1 - out od }
         ltl high { [] !(P:up && P:a == 3) }",
        "high",
        true,
    ),
    // What must hold everywhere, of several parts.
    (
        "byte x; byte y; active proctype P() { do :: x < 3 -> x++ :: y < 2 -> y++ od }
         ltl low { [] (x < 3 || y < 2) }",
        "low",
        true,
    ),
    (
        "byte x; byte y; active proctype P() { do :: x < 3 -> x++ :: y < 2 -> y++ od }
         ltl low { [] (x < 4 && y < 3) }",
        "low",
        false,
    ),
    (
        "byte x; active proctype P() { do :: x < 3 -> x++ od }
         ltl high { [] (x > 5) }",
        "high",
        true,
    ),
    // To go away is a move too: after it, the one that went was the last.
    (
        "byte x; active proctype A() { x = 1 } active proctype B() { x == 1 -> x = 2 }
         never { do :: x == 2 && _last == 0 -> break :: else od }",
        "never",
        true,
    ),
    // Labels.
    (
        "byte x; active proctype P() { do :: x = 1 - x :: x == 1 -> progress: skip od }",
        "progress",
        true,
    ),
    (
        "byte x; active proctype P() { progress: do :: x = 1 - x od }",
        "progress",
        false,
    ),
    (
        "byte x; active proctype P() { again: x = 1 - x; progress: goto again }",
        "progress",
        false,
    ),
    (
        "byte x; active proctype P() { do :: x = 1 - x :: x == 1 -> accept: skip od }",
        "acceptance",
        true,
    ),
    (
        "byte x; active proctype P() { accept: x = 1; do :: x = 3 - x od }",
        "acceptance",
        false,
    ),
];

#[test]
fn verdicts_are_those_of_spin_with_and_without_passes() {
    for (text, property, fails) in CASES {
        let loaded = promela::load("t.pml", text, &promela::Options::default());
        let program = loaded
            .program
            .unwrap_or_else(|| panic!("{text}: {:?}", loaded.diagnostics));
        for passes in [Selection::all(), Selection::none()] {
            let options = verify::Options {
                only: Some(vec![(*property).to_owned()]),
                jobs: 1,
                passes,
                ..verify::Options::default()
            };
            let outcomes = verify::check(&program, &options, &Silent);
            let [outcome] = outcomes.as_slice() else {
                panic!("{text}: one property is called {property}");
            };
            match &outcome.verdict {
                Verdict::Fails { .. } => assert!(fails, "{text}: {property} fails"),
                Verdict::Holds { .. } => assert!(!fails, "{text}: {property} holds"),
                other => panic!("{text}: {property}: {other:?}"),
            }
        }
    }
}

/// A claim does not switch the other properties off.
#[test]
fn each_property_is_judged_on_its_own() {
    let text = "byte x; active proctype P() { x = 1; assert(x == 0); x == 2; x = 1 / (x - 2) }
                never { do :: x > 1 -> break :: else od }";
    let program = promela::load("t.pml", text, &promela::Options::default())
        .program
        .unwrap();
    let outcomes = verify::check(&program, &verify::Options::default(), &Silent);
    let fails: Vec<(&str, bool)> = outcomes
        .iter()
        .map(|outcome| {
            let name = &*program.properties[outcome.property.index()].name;
            (name, matches!(outcome.verdict, Verdict::Fails { .. }))
        })
        .collect();
    assert_eq!(
        fails,
        [
            ("assertions", true),
            ("deadlock", true),
            ("faults", false),
            ("never", false),
        ]
    );
}
