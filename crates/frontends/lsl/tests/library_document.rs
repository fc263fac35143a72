//! `docs/lsl-library.md` says what the table of roles says.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::fmt::Write;
use std::path::Path;

use lsl::facts::{self, Class, Effect, Role};
use model::Lifetime;

#[test]
fn the_document_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/lsl-library.md");
    let expected = document();
    if std::env::var_os("PROBITY_BLESS").is_some() {
        std::fs::write(&path, &expected).unwrap();
    }
    assert!(
        std::fs::read_to_string(&path).unwrap() == expected,
        "docs/lsl-library.md is not current: run the tests with PROBITY_BLESS=1"
    );
}

fn document() -> String {
    let mut text = String::from(INTRODUCTION);
    for (class, title, about) in SECTIONS {
        let roles: Vec<&Role> = facts::roles()
            .iter()
            .filter(|role| role.class_name() == class)
            .collect();
        writeln!(text, "\n## {title}\n\n{about} {} functions.\n", roles.len()).unwrap();
        if class == "exact" {
            let names: Vec<String> = roles
                .iter()
                .map(|role| format!("`{}`", role.name))
                .collect();
            writeln!(text, "{}", names.join(", ")).unwrap();
            continue;
        }
        let head = match class {
            "reads" => "| function | fact | stays for | who else may change it, and when |",
            "causes" => "| function | what | when, and how it may fail |",
            "fresh" => "| function | what | |",
            _ => "| function | why no script can see it |",
        };
        let columns = head.matches('|').count() - 1;
        writeln!(text, "{head}\n|{}", "---|".repeat(columns)).unwrap();
        for role in roles {
            writeln!(text, "{}", row(role)).unwrap();
        }
    }
    text
}

fn row(role: &Role) -> String {
    let name = role.name;
    let note = role.note;
    match &role.class {
        Class::Reads { fact, somebody } => {
            let whose = if *somebody { " (somebody's key)" } else { "" };
            let stays = match role.lifetime {
                None => "a reading; never goes back",
                Some(Lifetime::Reading) => "a reading",
                Some(Lifetime::Step) => "an event",
                Some(Lifetime::Event) => "until something changes it",
                Some(Lifetime::Run) => "ever",
            };
            format!("| `{name}` | {fact}{whose} | {stays} | {note} |")
        }
        Class::Causes(effects) => {
            let effects: Vec<String> = effects.iter().map(effect).collect();
            format!("| `{name}` | {} | {note} |", effects.join("; "))
        }
        Class::Fresh(what) => format!("| `{name}` | {what} | {note} |"),
        Class::Nothing | Class::Exact => format!("| `{name}` | {note} |"),
    }
}

fn effect(effect: &Effect) -> String {
    match effect {
        Effect::Answer(event) => format!("a request, answered by `{event}`"),
        Effect::Event(event) => format!("may lead to `{event}`"),
        Effect::On(what) => format!("turns on: {what}"),
        Effect::Off(what) => format!("turns off: {what}"),
        Effect::Sets(fact, argument) => format!("sets the {fact} to argument {}", argument + 1),
        Effect::Writes(fact) => format!("sets the {fact} of argument 1 to argument 2"),
        Effect::Changes(fact) => format!("may change: {fact}"),
        Effect::Clears(what) => format!("begins again: {what}"),
        Effect::Ends => "ends the handler".to_owned(),
        Effect::Rule(what) => match *what {
            "pays" => "pays the owner's money".to_owned(),
            "timer" => "sets the timer: `timer` comes while it is set".to_owned(),
            _ => "opens, closes or changes a listen: `listen` comes while one is open".to_owned(),
        },
        Effect::Gives(what) => match *what {
            "somebody" => "gives somebody's key".to_owned(),
            "key" => "gives a key".to_owned(),
            _ => "gives a result that the world decides".to_owned(),
        },
    }
}

const INTRODUCTION: &str = "\
# What each library function is to a script

Made from `crates/frontends/lsl/tables/functions.tsv` by a test; do not edit.

Each of the 526 functions of the language stands in exactly one class.
[World](world.md) says how values from outside are modelled, and why that loses nothing.
What stays for *an event* may be another at the next event, and after every call that sleeps.
";

const SECTIONS: [(&str, &str, &str); 5] = [
    (
        "exact",
        "Exact",
        "The value is computed from the arguments. What the world decides of these it decides of the value.",
    ),
    (
        "reads",
        "Reads a fact",
        "The world decides the value, and when it changes.",
    ),
    (
        "causes",
        "Causes",
        "The call sets a fact, leads to events, or both. What it gives beside that is decided by the world.",
    ),
    ("fresh", "Fresh", "A new value at each call."),
    (
        "none",
        "No effect that a script can see",
        "With the reason.",
    ),
];
