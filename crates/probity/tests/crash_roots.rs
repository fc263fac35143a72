//! Inputs that once ended in a panic, each in the smallest form that did.

use probity::{InMemory, run};

fn status(system: &InMemory, words: &[&str]) -> u8 {
    let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    run(&words, system)
}

#[test]
fn nobody_may_be_able_to_take_a_first_step() {
    let script = "process A is delta\ntoolbus(A)\n";
    for engine in ["auto", "explicit"] {
        let system = InMemory::default().with_file("stuck.tb", script);
        let words = ["probity", "check", "stuck.tb", "--engine", engine];
        assert_eq!(status(&system, &words), 1, "{engine}: {}", system.err());
        assert!(system.out().contains("fails      deadlock"), "{engine}");
    }
    let system = InMemory::default().with_file("stuck.pml", "active proctype p() { false }\n");
    assert_eq!(status(&system, &["probity", "check", "stuck.pml"]), 1);
}

#[test]
fn a_choice_may_be_too_wide_to_list() {
    let model = "MODULE main\nVAR x : 0..20000000;\nCTLSPEC EF x = 3\n";
    let wide = || InMemory::default().with_file("wide.smv", model);
    let system = wide();
    assert_eq!(status(&system, &["probity", "check", "wide.smv"]), 0);
    let system = wide();
    let words = ["probity", "check", "wide.smv", "--engine", "explicit"];
    assert_eq!(status(&system, &words), 3);
    assert!(system.out().contains("not known"), "{}", system.out());
    let system = wide();
    let words = ["probity", "simulate", "wide.smv", "--steps", "3"];
    assert_eq!(status(&system, &words), 0);
    assert!(
        system.out().contains("some of its values"),
        "{}",
        system.out()
    );
    assert!(system.out().contains("Stopped after 3"), "{}", system.out());
    let system = wide();
    let words = ["probity", "translate", "wide.smv", "--to", "aut"];
    assert_eq!(status(&system, &words), 3);
    assert!(system.err().contains("EXP0003"), "{}", system.err());
}

/// The sender does not know whether it sends to the channel of one field or to that of two.
const WIDTHS: &str = "\
chan narrow = [1] of { byte };
chan broad = [1] of { byte, byte };
byte got, also;
active proctype sender() {
    chan to;
    if
    :: to = narrow; to ! 7
    :: to = broad; to ! 7, 8
    fi
}
active proctype receiver() {
    if
    :: narrow ? got
    :: broad ? got, also
    fi;
    assert(got == 7 && (also == 0 || also == 8));
    assert(also != WRONG)
}
";

#[test]
fn channels_of_different_widths_may_be_meant() {
    for (wrong, expected) in [("9", 0), ("8", 1)] {
        let model = WIDTHS.replace("WRONG", wrong);
        // Diagrams do not follow references to channels; they must say so.
        for (engine, answers) in [("explicit", true), ("sat", true), ("symbolic", false)] {
            let system = InMemory::default().with_file("widths.pml", model.as_str());
            let words = ["probity", "check", "widths.pml", "--engine", engine];
            let expected = if answers { expected } else { 3 };
            let status = status(&system, &words);
            assert_eq!(status, expected, "{engine}: {}", system.out());
        }
    }
}

#[test]
fn a_kept_run_may_repeat_from_behind_its_end() {
    let model = "bit b;\nactive proctype p() { do :: b = 1 - b od }\nltl stays { [] !b }\n";
    let system = InMemory::default().with_file("turn.pml", model);
    let words = ["probity", "check", "turn.pml", "--trace", "run.json"];
    assert_eq!(status(&system, &words), 1);
    let kept = system.file("run.json").unwrap();
    let mut json: serde_json::Value = serde_json::from_str(&kept).unwrap();
    json["traces"][0]["repeats_from"] = 99.into();
    json["traces"][0]["seal"] = serde_json::Value::Null;
    let system = InMemory::default()
        .with_file("turn.pml", model)
        .with_file("run.json", json.to_string());
    let words = ["probity", "simulate", "turn.pml", "--replay", "run.json"];
    assert_eq!(status(&system, &words), 2);
}
