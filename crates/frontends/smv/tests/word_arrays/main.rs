//! Arrays that words index: random expressions, compared with a twin that works on lists, and runs of models.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod generate;

use std::collections::BTreeSet;

use generate::model;
use model::interp::Interp;
use model::{Claim, Program};
use smv::{Options, load};

fn program(text: &str) -> Program {
    let loaded = load("t.smv", text, &Options::default());
    let messages: Vec<&String> = loaded.diagnostics.iter().map(|d| &d.message).collect();
    loaded
        .program
        .unwrap_or_else(|| panic!("{messages:?}\n{text}"))
}

/// Expects invariants to hold in the only initial state or not, as their names say.
fn as_named(text: &str) {
    let program = program(text);
    let interp = Interp::new(&program);
    let initial = interp.initial().unwrap();
    assert_eq!(initial.len(), 1, "{text}");
    for property in &program.properties {
        let Claim::Always(condition) = property.claim else {
            panic!("these are invariants");
        };
        let holds = interp.holds(&initial[0].1, condition).unwrap();
        let expected = property.name.starts_with("yes");
        assert_eq!(holds, expected, "{}\n{text}", property.name);
    }
}

#[test]
fn arrays_are_what_lists_say() {
    for seed in 0..300 {
        as_named(&model(seed));
    }
}

#[test]
fn elements_are_read_and_written() {
    as_named(
        "MODULE main
        FROZENVAR a : array word[2] of word[8]; b : array word[1] of boolean; w : array word[1] of word[70];
        i : word[2];
        DEFINE c := WRITE(a, 0ud2_2, 0ud8_7);
        INIT a = CONSTARRAY(typeof(a), 0ud8_5) & i = 0ud2_2
        INIT b = WRITE(CONSTARRAY(array word[1] of boolean, FALSE), 0ud1_1, TRUE)
        ASSIGN init(w) := WRITE(CONSTARRAY(typeof(w), 0ud70_0), 0ud1_1, 0ud70_1 << 69);
        INVARSPEC NAME yes_1 := READ(a, i) = 0ud8_5 & READ(c, i) = 0ud8_7 & c[i] = 0ud8_7
        INVARSPEC NAME yes_2 := READ(c, i + 0ud2_1) = 0ud8_5 & c[0ud2_1] = 0ud8_5
        INVARSPEC NAME yes_3 := c != a & WRITE(c, i, 0ud8_5) = a
        INVARSPEC NAME no_1 := WRITE(c, i, 0ud8_6) = a
        INVARSPEC NAME yes_4 := READ(b, 0ud1_1) & !READ(b, 0ud1_0)
        INVARSPEC NAME yes_5 := READ(w, 0ud1_1)[69:69] = 0ud1_1 & w[0ud1_0] = 0ud70_0
        INVARSPEC NAME yes_6 := (case i = 0ud2_2 : c; TRUE : a; esac) = c",
    );
}

#[test]
fn arrays_of_arrays_symbols_and_ranges_are_arrays_too() {
    as_named(
        "MODULE main
        FROZENVAR a : array word[1] of array word[1] of 0..3; s : array word[2] of {idle, busy, 3};
        ASSIGN init(a) := CONSTARRAY(typeof(a), CONSTARRAY(typeof(READ(a, 0ud1_0)), 2));
        init(s) := WRITE(CONSTARRAY(typeof(s), idle), 0ud2_3, busy);
        INVARSPEC NAME yes_1 := READ(READ(a, 0ud1_1), 0ud1_0) = 2 & a[0ud1_0][0ud1_1] = 2
        INVARSPEC NAME yes_2 := s[0ud2_3] = busy & s[0ud2_0] = idle
        INVARSPEC NAME no_1 := READ(s, 0ud2_3) = 3",
    );
}

#[test]
fn the_words_of_arrays_may_be_names_too() {
    as_named(
        "MODULE main VAR mode : {READ, WRITE, CONSTARRAY};
        ASSIGN init(mode) := READ; next(mode) := case mode = READ : WRITE; TRUE : CONSTARRAY; esac;
        INVARSPEC NAME yes_1 := mode = READ & mode != WRITE",
    );
}

/// The values of all variables in the states that can be reached.
fn reachable(text: &str) -> BTreeSet<Vec<i128>> {
    let program = program(text);
    let interp = Interp::new(&program);
    let mut waiting = interp.initial().unwrap();
    let mut seen = BTreeSet::new();
    while let Some((_, state)) = waiting.pop() {
        let values = state.globals.iter().map(model::Value::number).collect();
        if seen.insert(values) {
            let successors = interp.expand(&state).unwrap().successors;
            waiting.extend(successors.into_iter().map(|s| (Vec::new(), s.state)));
        }
    }
    seen
}

#[test]
fn a_memory_is_written_step_by_step() {
    let assigned = "MODULE main VAR m : array word[1] of 0..2; i : word[1];
        ASSIGN init(m) := CONSTARRAY(typeof(m), 0); next(m) := WRITE(m, i, 2); i := 0ud1_1;";
    let related = "MODULE main VAR m : array word[1] of 0..2; i : word[1];
        INIT m = CONSTARRAY(typeof(m), 0) INVAR i = 0ud1_1
        TRANS next(m) = WRITE(m, i, 2)";
    let expected = BTreeSet::from([vec![0, 0, 1], vec![0, 2, 1]]);
    assert_eq!(reachable(assigned), expected);
    assert_eq!(reachable(related), expected);
    // Without a first value there is any, and what is not written stays.
    let any = "MODULE main VAR m : array word[1] of 0..2; ASSIGN next(m) := WRITE(m, 0ud1_0, 0);";
    assert_eq!(reachable(any).len(), 9);
}
