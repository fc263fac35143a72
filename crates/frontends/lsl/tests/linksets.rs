//! What the scripts of linksets do: each snippet of `semantics/linksets.md`, `orders.md` and `chat.md` is run on the reference
//! interpreter, in all orders, and the values of variables at the end are compared with those below it.
//!
//! Blocks `lsl menu.lsl` are scripts, a `toml` block behind them is the linkset file. An `expect` block
//! lists values in all states in which the scripts have come to rest: `menu.x = 1 | 2`; several
//! variables at once are written `menu.x, till.y = 1, 2 | 2, 1`. A first line `after menu touch_start`
//! sends events, each followed by whatever the scripts do.

mod linkset;

use std::collections::BTreeSet;
use std::fmt::Write;

use linkset::{Walk, load, loaded};
use model::interp::State;

#[derive(Default)]
struct Case {
    line: usize,
    scripts: Vec<(String, String)>,
    toml: String,
    expect: Vec<String>,
}

fn cases(text: &str) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut case = Case::default();
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let Some(kind) = line.strip_prefix("```") else {
            continue;
        };
        let body: Vec<&str> = lines
            .by_ref()
            .map(|(_, line)| line)
            .take_while(|line| *line != "```")
            .collect();
        match kind.split_once(' ').unwrap_or((kind, "")) {
            ("lsl", name) => {
                if case.scripts.is_empty() {
                    case.line = number + 1;
                }
                case.scripts.push((name.to_owned(), body.join("\n")));
            }
            ("toml", "") => case.toml = body.join("\n"),
            ("expect", "") => {
                case.expect = body.iter().map(|&line| line.to_owned()).collect();
                cases.push(std::mem::take(&mut case));
            }
            other => panic!("unknown block {other:?}"),
        }
    }
    cases
}

/// What differs from the expectation.
fn run(case: &Case) -> String {
    let program = match load(&case.toml, &case.scripts) {
        Ok(program) => program,
        Err(why) => return why,
    };
    program.validate().expect("the program is well formed");
    let walk = Walk::new(&program);
    let mut states = walk.settle(walk.initial());
    let mut expect = case.expect.as_slice();
    if let Some(events) = expect.first().and_then(|line| line.strip_prefix("after ")) {
        expect = &expect[1..];
        for event in events.split(", ") {
            let (script, event) = event.split_once(' ').expect("`SCRIPT EVENT`");
            states = walk.event(&states, script, event);
            if states.is_empty() {
                return format!("{event} cannot happen in {script}\n");
            }
            states = walk.settle(states);
        }
    }
    let mut problems = String::new();
    for line in expect.iter().filter(|line| !line.is_empty()) {
        let (names, wanted) = line.split_once(" = ").expect("`name = value`");
        let values = |state: &State| -> String {
            let values: Vec<String> = names
                .split(", ")
                .map(|name| {
                    walk.value(state, name)
                        .unwrap_or_else(|| format!("no {name}"))
                })
                .collect();
            values.join(", ")
        };
        let found: BTreeSet<String> = states.iter().map(values).collect();
        let wanted: BTreeSet<String> = wanted.split(" | ").map(str::to_owned).collect();
        if wanted != found {
            let _ = writeln!(problems, "{names} is {found:?}, expected {wanted:?}");
        }
    }
    problems
}

#[test]
fn scripts_of_a_linkset() {
    as_expected("linksets.md", include_str!("semantics/linksets.md"), 12);
}

#[test]
fn objects_that_hear_each_other() {
    as_expected("chat.md", include_str!("semantics/chat.md"), 9);
}

#[test]
fn scripts_that_halt_each_other() {
    as_expected("orders.md", include_str!("semantics/orders.md"), 34);
}

/// Runs the cases of a document, of which there are at least so many.
fn as_expected(document: &str, text: &str, least: usize) {
    let cases = cases(text);
    assert!(cases.len() >= least, "{} cases", cases.len());
    let mut report = String::new();
    for case in &cases {
        let problems = run(case);
        if !problems.is_empty() {
            let _ = writeln!(report, "{document}:{}\n{problems}", case.line);
        }
    }
    assert!(report.is_empty(), "{report}");
}

#[test]
fn a_wrong_expectation_is_noticed() {
    let text = "```lsl a.lsl\ninteger n;\ndefault { state_entry() { n = 1; } }\n```\n\
                ```toml\n[[prim]]\nscripts = [\"a.lsl\"]\n```\n```expect\na.n = 2\na.m = 1\n```\n";
    let problems = run(&cases(text)[0]);
    assert_eq!(problems.lines().count(), 2, "{problems}");
}

#[test]
fn examples_of_codes_show_what_they_explain() {
    let scripts = [
        (
            "menu.lsl",
            "integer other; default { touch_start(integer n) { ++other; } }",
        ),
        ("till.lsl", "default { money(key id, integer amount) { } }"),
        (
            "bank.lsl",
            "default { link_message(integer sender, integer n, string s, key id) { llGiveMoney(id, n); } }",
        ),
    ];
    let scripts = scripts.map(|(name, text)| (name.to_owned(), text.to_owned()));
    let mut seen = 0;
    for doc in lsl::CODES.iter().flat_map(|table| table.iter()) {
        if doc.code.starts_with("LSL08") {
            let example = doc.example("lsl").expect("each code has an example");
            let loaded = loaded(example, &scripts);
            let found: Vec<&str> = loaded.diagnostics.iter().map(|d| d.code).collect();
            assert!(found.contains(&doc.code), "{}: {found:?}", doc.code);
            seen += 1;
        }
    }
    assert_eq!(seen, 4);
}

#[test]
fn what_belongs_to_one_script_is_not_asked_of_all() {
    let text = "integer x; default { touch_start(integer n) { ++x; } }";
    let scripts = [("menu.lsl".to_owned(), text.to_owned())];
    for (property, wanted) in [
        ("always menu.x >= 0", ""),
        ("always menu.y >= 0", "there is no variable `menu.y`"),
        ("always x >= 0", "LSL02"),
        (
            "when touch_start(n) require menu.x > 0",
            "the event `touch_start`",
        ),
        ("never in default", "states are those of a script"),
        ("always granted(PERMISSION_DEBIT)", "belong to one script"),
        ("always llGetOwner() != NULL_KEY", "belong to one script"),
    ] {
        let toml = format!("properties = ['{property}']\n[[prim]]\nscripts = [\"menu.lsl\"]\n");
        let found = load(&toml, &scripts).map(|_| String::new());
        let found = found.unwrap_or_else(|why| why);
        assert!(found.contains(wanted), "{property}: {found}");
        assert_eq!(found.is_empty(), wanted.is_empty(), "{property}: {found}");
    }
}
