//! What models mean: properties and faults. What is wrong with a model is in `rules`.

#![expect(
    clippy::unwrap_used,
    reason = "a test may stop at what it does not expect"
)]

use logic::Ltl;
use model::interp::{Interp, Violation};
use model::{Claim, Program};
use promela::{Loaded, Options, load};

fn read(text: &str) -> Loaded {
    load("t.pml", text, &Options::default())
}

fn program(text: &str) -> Program {
    let loaded = read(text);
    let found: Vec<String> = loaded
        .diagnostics
        .iter()
        .map(|d| format!("{} {}", d.code, d.message))
        .collect();
    loaded.program.unwrap_or_else(|| panic!("{found:?}"))
}

/// The names of the faults that can be raised, in order of discovery.
fn faults(text: &str) -> Vec<String> {
    let program = program(text);
    let interp = Interp::new(&program);
    let (_, first) = interp.initial().unwrap().remove(0);
    let mut waiting = vec![first];
    let mut found = Vec::new();
    while let Some(state) = waiting.pop() {
        let expansion = interp.expand(&state).unwrap();
        for (violation, _) in expansion.violations {
            if let Violation::Fault(fault) = violation {
                found.push(program.faults[fault.index()].name.clone());
            }
        }
        waiting.extend(expansion.successors.into_iter().map(|s| s.state));
    }
    found
}

#[test]
fn claims_of_files_are_read_behind_the_model() {
    let options = Options {
        claims: vec![
            ("a.ltl".to_owned(), "ltl up { <> high }".to_owned()),
            (
                "b.never".to_owned(),
                "never { do :: high -> break :: else od }".to_owned(),
            ),
        ],
        ..Options::default()
    };
    let text = "#define high (x > 2)\nbyte x; active proctype P() { x = 3 }";
    let loaded = load("t.pml", text, &options);
    let program = loaded.program.unwrap();
    let names: Vec<&str> = program.properties.iter().map(|p| &*p.name).collect();
    assert_eq!(names, ["deadlock", "faults", "up", "never"]);

    let wrong = Options {
        claims: vec![("c.ltl".to_owned(), "ltl up {\n <> low }".to_owned())],
        ..Options::default()
    };
    let loaded = load("t.pml", text, &wrong);
    let place = loaded.sources.location(loaded.diagnostics[0].span);
    assert_eq!(place.unwrap(), "c.ltl:2:5");
}

#[test]
fn a_name_like_the_one_that_is_missing_is_suggested() {
    for (text, near) in [
        ("byte counter; init { count3r = 1 }", "counter"),
        (
            "mtype = { request }; mtype m; init { m = requst }",
            "request",
        ),
        ("init { byte level; levle = 1 }", "level"),
    ] {
        let loaded = read(text);
        let fixes = &loaded.diagnostics[0].fix_its;
        assert_eq!(fixes[0].replacement, near, "{text}");
    }
}

#[test]
fn a_trace_of_what_may_be_lost_is_refused() {
    let options = Options {
        lossy: true,
        ..Options::default()
    };
    let text = "chan c = [1] of { byte }; trace { do :: c!1 od } active proctype P() { c!1 }";
    let loaded = load("t.pml", text, &options);
    let messages: Vec<&str> = loaded.diagnostics.iter().map(|d| &*d.message).collect();
    assert!(messages[0].contains("lose messages"), "{messages:?}");
}

#[test]
fn properties_are_those_of_the_model() {
    let program = program(
        "byte x; active proctype P() { progress: x = 1; assert(x == 1); accept: skip }
         ltl live { [] (x == 0 -> <> x == 1) } ltl { X (x > 0) U (P@progress) }",
    );
    let names: Vec<&str> = program.properties.iter().map(|p| &*p.name).collect();
    let expected = [
        "assertions",
        "deadlock",
        "faults",
        "progress",
        "acceptance",
        "live",
        "ltl_0",
    ];
    assert_eq!(names, expected);
    assert_eq!(program.properties[5].text, "[] (x == 0 -> <> x == 1)");
    let Claim::Ltl(formula) = &program.properties[6].claim else {
        panic!("an ltl block is a formula");
    };
    assert!(matches!(formula, Ltl::Until(left, _) if matches!(**left, Ltl::Next(_))));
}

#[test]
fn never_claims_are_automata() {
    let loaded = read(
        "byte x; active proctype P() { x = 1 }
         never { T0: do :: x == 1 -> goto accept_S :: true od; accept_S: do :: x == 1 od }
         never end { do :: x == 2 -> break :: else od }",
    );
    let program = loaded.program.unwrap();
    let claims: Vec<_> = program
        .properties
        .iter()
        .filter_map(|property| match &property.claim {
            Claim::Never(automaton) => Some((&*property.name, automaton)),
            _ => None,
        })
        .collect();
    assert_eq!(claims.len(), 2);
    let (name, stays) = claims[0];
    assert_eq!(name, "never_0");
    // The word of the letter `x == 1` at each position, from the second on.
    let letter = |position: usize, _: &model::ExprId| position > 0;
    assert!(stays.accepts_lasso(1, 2, letter));
    assert!(!stays.accepts_lasso(1, 2, |_, _| false));
    let (name, ends) = claims[1];
    assert_eq!(name, "end");
    assert!(
        ends.accepts_lasso(1, 2, |position, _| position == 1),
        "its end is a violation"
    );
    assert!(!ends.accepts_lasso(1, 2, |_, _| false));
}

#[test]
fn the_caller_may_ask_more() {
    let more = |texts: &[&str]| {
        let options = Options {
            extra_properties: texts.iter().map(|&t| t.to_owned()).collect(),
            ..Options::default()
        };
        load(
            "t.pml",
            "#define high (x > 2)
             byte x; active proctype P() { byte y; wait: x = 1 } ltl property { <> (x == 1) }",
            &options,
        )
    };
    let loaded = more(&[
        "[] !high && (P@wait U x == 1)",
        "<> (P:y == 0 && P[0]@wait)",
    ]);
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    let program = loaded.program.unwrap();
    let last: Vec<_> = program.properties[3..]
        .iter()
        .map(|p| (&*p.name, &*p.text))
        .collect();
    assert_eq!(
        last,
        [
            ("property_2", "[] !high && (P@wait U x == 1)"),
            ("property_3", "<> (P:y == 0 && P[0]@wait)"),
        ]
    );
    for wrong in [
        "",
        "[] (",
        "[] nothing",
        "x == 1 } byte z; ltl { x",
        "x x",
        "P@none",
    ] {
        let loaded = more(&[wrong]);
        assert!(loaded.program.is_none(), "{wrong}");
        let found = loaded.diagnostics.iter().find(|d| d.is_error()).unwrap();
        let at = loaded.sources.location(found.span);
        assert!(at.is_some_and(|at| at.starts_with("--property")), "{wrong}");
    }
}

#[test]
fn runtime_errors_are_faults() {
    assert_eq!(
        faults("active proctype P() { byte y; y = 5 / y }"),
        ["division"]
    );
    assert_eq!(
        faults("active proctype P() { byte y; y % y == 1 }"),
        ["division"]
    );
    assert_eq!(
        faults("byte a[3]; active proctype P() { byte i = 3; a[i] = 1 }"),
        ["index"]
    );
    assert_eq!(faults("active proctype P() { chan c; c!1 }"), ["channel"]);
    for (sent, received, expected) in [
        ("1, 2", "x, y", &[][..]),
        ("1", "x, y", &["fields"]),
        ("1, 2", "x", &["fields"]),
        ("1, 2", "eval(1)", &["fields"]),
        ("1, 2", "_", &["fields"]),
        ("1, 2", "?x", &["fields"]),
        // A message that stays where it is need not be taken apart.
        ("1, 2", "<x>", &[]),
        ("1, 2", "?<x>", &[]),
        // One that is never executed does no harm.
        ("1, 2", "3, y; c?x", &[]),
    ] {
        let text = format!(
            "chan c = [1] of {{ byte, byte }}; active proctype P() {{ byte x, y; c!{sent}; c?{received} }}"
        );
        assert_eq!(faults(&text), expected, "{text}");
    }
    assert_eq!(
        faults("byte x; active proctype P() { d_step { x = 1; x == 2; x = 3 } }"),
        ["d_step"]
    );
    let fine = "active proctype P() { byte a[2]; byte i = 1; a[i] = 4 / i; assert(a[1] == 4) }";
    assert!(faults(fine).is_empty());
}

#[test]
fn nothing_makes_the_front_end_panic() {
    let whole = include_str!("counts/models/unless_nested.pml").to_owned()
        + include_str!("counts/models/channels_sorted.pml")
        + include_str!("counts/models/structures.pml")
        + include_str!("counts/models/labels.pml")
        + include_str!("counts/models/traces.pml")
        + include_str!("counts/models/last.pml");
    let words: Vec<&str> = whole.split_inclusive(char::is_whitespace).collect();
    for skip in 0..words.len() {
        let mut some = words.clone();
        some.remove(skip);
        read(&some.concat());
        some.swap(skip % (words.len() - 1), (skip * 7 + 3) % (words.len() - 1));
        read(&some.concat());
    }
}

#[test]
fn a_timeout_that_goes_on_for_ever_is_no_end_of_the_run() {
    // Each round waits for the timeout and passes no progress label.
    let program = program(
        "byte x; active proctype P() { do :: x == 2 -> progress: x = 0 :: timeout -> x = 1 - x od }",
    );
    let progress = program.properties.iter().find(|p| p.name == "progress");
    let Claim::Ltl(formula) = &progress.unwrap().claim else {
        panic!("progress is a formula");
    };
    let atom = *formula.atoms()[0];
    let interp = Interp::new(&program);
    let (_, mut state) = interp.initial().unwrap().remove(0);
    for _ in 0..4 {
        assert!(!interp.holds(&state, atom).unwrap());
        state = interp.expand(&state).unwrap().successors.remove(0).state;
    }
}
