//! Small models with a trap each, and what SPIN 6.5.2 says of them.
//!
//! The models and SPIN's answers are reference material that is not part of the source tree:
//! `PROBITY_REFERENCE` says where it is. Without it the comparison is skipped; the traps themselves
//! are also tested with models of our own, in `promela_language.rs`.

#![expect(
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "a test may stop, and says what it skips"
)]

use std::path::PathBuf;

use probity::{InMemory, run};
use report::{Report, VerdictWord};

/// Where our answer is another than the verifier's, and why.
const DIFFERENT: &[(&str, &str)] = &[
    (
        "t03b_death",
        "a global called `done` does not compile as C; by another name SPIN fails it too",
    ),
    (
        "t04_255",
        "SPIN's state vector is too small for 255 processes; ours has no such limit",
    ),
    (
        "t09_div0",
        "the verifier dies of a signal; we report the division",
    ),
    (
        "t11_uninit",
        "SPIN refuses the text; we report the use of a channel that does not exist",
    ),
    ("t17_scope", "refused by both"),
];

/// Whether something fails that SPIN's default run looks at; `None` if the text is refused.
fn fails(name: &str, text: String) -> Option<bool> {
    let system = InMemory::default().with_file("model.pml", text);
    let words = ["probity", "check", "model.pml", "--format", "json"];
    run(&words.map(str::to_owned), &system);
    let report: Report = serde_json::from_str(&system.out()).unwrap();
    let file = &report.files[0];
    if file.refused {
        return None;
    }
    for property in &file.properties {
        let settled = matches!(property.verdict, VerdictWord::Holds | VerdictWord::Fails);
        assert!(settled, "{name}: {}: {:?}", property.name, property.why);
    }
    let safety = ["assertions", "deadlock", "faults"];
    // With a claim, SPIN does not look at end states.
    let claims = file
        .properties
        .iter()
        .any(|property| !safety.contains(&property.name.as_str()));
    Some(file.properties.iter().any(|property| {
        property.verdict == VerdictWord::Fails && !(claims && property.name == "deadlock")
    }))
}

#[test]
fn answers_are_those_of_spin() {
    let Some(reference) = std::env::var_os("PROBITY_REFERENCE") else {
        eprintln!("skipped: PROBITY_REFERENCE does not say where SPIN's answers are");
        return;
    };
    let folder = PathBuf::from(reference).join("spin/traps");
    let Ok(results) = std::fs::read_to_string(folder.join("results.txt")) else {
        eprintln!("skipped: there is no {}", folder.display());
        return;
    };
    let mut compared = 0;
    for section in results.split("### ").skip(1) {
        let name = section.split_whitespace().next().unwrap();
        let text = std::fs::read_to_string(folder.join(format!("{name}.pml"))).unwrap();
        let ours = fails(name, text);
        if let Some((_, why)) = DIFFERENT.iter().find(|(other, _)| *other == name) {
            let expected = match name {
                "t03b_death" | "t09_div0" | "t11_uninit" => Some(true),
                "t17_scope" => None,
                _ => Some(false),
            };
            assert_eq!(ours, expected, "{name}: {why}");
            continue;
        }
        let errors = section
            .split("errors: ")
            .nth(1)
            .and_then(|rest| rest.split_whitespace().next())
            .unwrap_or_else(|| panic!("{name}: SPIN gives no answer"));
        assert_eq!(ours, Some(errors != "0"), "{name}");
        compared += 1;
    }
    assert!(compared >= 20, "only {compared} models were compared");
}
