//! Words of more than 64 bits: what the engines say of them.

#[path = "../../../frontends/smv/tests/wide_words/generate.rs"]
mod generate;

use crate::{check, read_verdicts, says};

/// Each engine says of random expressions what a twin on lists of bits does.
#[test]
fn engines_agree_with_lists_of_bits() {
    for seed in 1000..1006 {
        let text = generate::model(seed);
        for engine in ["explicit", "sat"] {
            let (_, out, err) = check(&text, &format!("--engine {engine}"));
            let found = read_verdicts(&out);
            assert_eq!(found.len(), 3, "{seed} {engine}: {err}\n{text}");
            for (name, word) in found {
                let expected = if name.starts_with("yes") {
                    "holds"
                } else {
                    "fails"
                };
                assert_eq!(word, expected, "{seed} {engine} {name}\n{text}");
            }
        }
    }
}

const SUM: &str = "MODULE main
    VAR x : word[80]; s : signed word[70]; b : boolean;
    ASSIGN init(x) := 0ud80_18446744073709551615; next(x) := b ? x + 0ud80_1 : x;
    init(s) := {0sd70_0, 0sd70_1}; next(s) := b ? s - 0sd70_2 : s;
    INVARSPEC NAME bounded := x <= 0ud80_18446744073709551617;";

#[test]
fn a_wide_word_is_told_as_one_number() {
    let (_, out, _) = check(SUM, "--verbose");
    for told in [
        "x 18446744073709551615 -> 18446744073709551616",
        "with x = 18446744073709551618",
    ] {
        assert!(out.contains(told), "{told}\n{out}");
    }
    assert!(out.contains("s = 0") || out.contains("s = 1"), "{out}");
    assert!(!out.contains("[31:0]"), "{out}");
}

#[test]
fn wide_words_are_variables_in_every_logic() {
    let text = "MODULE main
        VAR x : word[100]; b : boolean;
        ASSIGN init(x) := 0ud100_1; next(x) := x << 33;
        LTLSPEC F x = 0ud100_0
        LTLSPEC G x != 0uh100_20000_0000000000000000
        LTLSPEC X X x = 0uh100_4_0000000000000000
        CTLSPEC AF AG x = 0ud100_0
        INVARSPEC x > 0ud100_0";
    says(text, &["holds", "holds", "holds", "holds", "fails"]);
}

#[test]
fn more_states_than_64_bits_count_are_told_as_such() {
    let text = "MODULE main
        VAR a : word[33]; b : word[33]; t : boolean;
        INVARSPEC t | (a & b) = (b | a)";
    let (_, out, _) = check(text, "--engine symbolic");
    assert!(out.contains("more than 10^19 states"), "{out}");
}
