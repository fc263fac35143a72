//! Arrays that words index: what the engines say of them.

#[path = "../../../frontends/smv/tests/word_arrays/generate.rs"]
mod generate;

use crate::{check, read_verdicts, says};

/// Each engine says of random expressions what a twin on lists does.
#[test]
fn engines_agree_with_lists() {
    for seed in 1000..1006 {
        let text = generate::model(seed);
        for engine in ["explicit", "sat"] {
            let (_, out, err) = check(&text, &format!("--engine {engine}"));
            let found = read_verdicts(&out);
            assert_eq!(found.len(), 10, "{seed} {engine}: {err}\n{text}");
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

/// A memory that is written as its inputs say, and told element by element.
#[test]
fn a_memory_keeps_what_is_not_written() {
    let text = "MODULE main
        IVAR at : word[3]; value : word[4]; write : boolean;
        VAR memory : array word[3] of word[4]; seen : boolean;
        INIT memory = CONSTARRAY(typeof(memory), 0ud4_0)
        TRANS next(memory) = (write ? WRITE(memory, at, value) : memory)
        ASSIGN init(seen) := FALSE; next(seen) := seen | write & at = 0ud3_5 & value != 0ud4_0;
        INVARSPEC seen | READ(memory, 0ud3_5) = 0ud4_0
        INVARSPEC READ(memory, 0ud3_5) = 0ud4_0
        LTLSPEC G (write & at = 0ud3_1 & value = 0ud4_9 -> X READ(memory, 0ud3_1) = 0ud4_9)
        CTLSPEC AG EF READ(memory, 0ud3_2) = 0ud4_3";
    says(text, &["holds", "fails", "holds", "holds"]);
    let (_, out, _) = check(text, "--verbose");
    assert!(out.contains("memory[5] 0 -> "), "{out}");
}
