//! Words of more than 64 bits: random expressions, compared with a twin that works on lists of bits.

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

#[test]
fn words_of_any_width_are_what_a_list_of_bits_says() {
    for seed in 0..400 {
        let text = model(seed);
        let program = program(&text);
        let interp = Interp::new(&program);
        let initial = interp.initial().unwrap();
        assert_eq!(initial.len(), 1);
        for property in &program.properties {
            let Claim::Always(condition) = property.claim else {
                panic!("these are invariants");
            };
            let holds = interp.holds(&initial[0].1, condition).unwrap();
            assert_eq!(
                holds,
                property.name.starts_with("yes"),
                "{seed} {}\n{text}",
                property.name
            );
        }
    }
}

/// The states that can be reached, by the values of the program's words.
fn reachable(text: &str) -> BTreeSet<Vec<u128>> {
    let program = program(text);
    let interp = Interp::new(&program);
    let mut waiting = interp.initial().unwrap();
    let (mut seen, mut passed) = (BTreeSet::new(), Vec::new());
    while let Some((_, state)) = waiting.pop() {
        if passed.contains(&state) {
            continue;
        }
        passed.push(state.clone());
        let word = |number: &model::Number| {
            let digits =
                number.digits.iter().enumerate().map(|(at, digit)| {
                    (state.globals[digit.index()].number() as u128) << (32 * at)
                });
            digits.sum()
        };
        let words: Vec<u128> = program.display.numbers.iter().map(word).collect();
        seen.insert(words);
        let successors = interp.expand(&state).unwrap().successors;
        waiting.extend(successors.into_iter().map(|s| (Vec::new(), s.state)));
    }
    seen
}

#[test]
fn a_wide_word_is_one_of_the_values_of_a_set() {
    let (low, high) = (1u128, 1u128 << 100);
    let text = "MODULE main VAR x : word[101]; y : word[101]; b : boolean;
        DEFINE one := 0ud101_1; far := one << 100;
        ASSIGN init(x) := {one, far}; next(x) := b ? {x, one + far} : x; y := x;";
    let expected = [low, high, low + high].map(|n| vec![n, n]);
    assert_eq!(reachable(text), BTreeSet::from(expected));
}

#[test]
fn frozen_words_are_kept_and_processes_assign_wide_words() {
    let text = "MODULE main FROZENVAR f : word[70]; VAR p : process add(f); q : process add(f);
        ASSIGN init(f) := 0ud70_590295810358705651712;
        MODULE add(by) VAR sum : word[70]; ASSIGN init(sum) := 0ud70_0; next(sum) := sum + by;";
    let half = 1u128 << 69;
    let expected = [(0, 0), (0, half), (half, 0), (half, half)];
    let expected = expected.map(|(p, q)| vec![half, p, q]);
    assert_eq!(reachable(text), BTreeSet::from(expected));
}

/// The codes of what is wrong with a model, and its first message.
fn refusal(text: &str) -> (Vec<&'static str>, String) {
    let loaded = load("t.smv", text, &Options::default());
    let message = loaded.diagnostics.first().map(|d| d.message.clone());
    let codes = loaded.diagnostics.iter().map(|d| d.code).collect();
    (codes, message.unwrap_or_default())
}

#[test]
fn what_wide_words_cannot_do_is_named() {
    let model = |rest: &str| format!("MODULE main VAR x : word[100]; y : word[100]; {rest}");
    for (rest, code, message) in [
        (
            "INVARSPEC x / y = x",
            "SMV0313",
            "a word of 100 bits is divided by one that may be 2^32 or more",
        ),
        (
            "INVARSPEC toint(x) = 0",
            "SMV0313",
            "`toint` of a word of 100 bits",
        ),
        (
            "VAR z : word[4097];",
            "SMV0313",
            "a word of 4097 bits; 1 to 4096 are possible",
        ),
        (
            "INVARSPEC x = 0ud99_0",
            "SMV0301",
            "`=` between unsigned word[100] and unsigned word[99]",
        ),
        (
            "ASSIGN next(x) := 0ud99_0;",
            "SMV0301",
            "`x` is unsigned word[100], but is assigned",
        ),
        (
            "ASSIGN x := y; y := x;",
            "SMV0305",
            "assignments that depend on themselves",
        ),
        (
            "ASSIGN x := y; init(x) := y;",
            "SMV0304",
            "`x` is assigned a second time",
        ),
        (
            "INVARSPEC x << y = x",
            "SMV0306",
            "the word can be shifted by a number outside of 0..100",
        ),
        (
            "INVARSPEC x = 0ud100_1267650600228229401496703205376",
            "SMV0104",
            "does not fit its 100 bits",
        ),
    ] {
        let (codes, said) = refusal(&model(rest));
        assert_eq!(
            (codes.first(), said.contains(message)),
            (Some(&code), true),
            "{rest}: {codes:?} {said}"
        );
    }
}

#[test]
fn a_wide_word_may_be_an_index_or_a_count_where_it_is_small() {
    let text = "MODULE main VAR i : 0..0; x : word[2]; a : array 0..3 of 0..3;
        ASSIGN init(i) := 0; x := 0ud2_2; a[0] := 1; a[1] := 2; a[2] := 3; a[3] := 0;
        INVARSPEC NAME yes_1 := a[extend(x, 90)] = 3
        INVARSPEC NAME no_1 := a[extend(x, 90)] = 2
        INVARSPEC NAME yes_2 := 0ud70_1 << extend(x, 90) = 0ud70_4";
    let program = program(text);
    let interp = Interp::new(&program);
    let state = interp.initial().unwrap().remove(0).1;
    for property in &program.properties {
        let Claim::Always(condition) = property.claim else {
            panic!("these are invariants");
        };
        let holds = interp.holds(&state, condition).unwrap();
        assert_eq!(holds, property.name.starts_with("yes"), "{}", property.name);
    }
}
