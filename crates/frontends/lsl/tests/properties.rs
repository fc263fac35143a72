//! Scripts with properties, explored on the reference interpreter.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::path::Path;

use lsl::{Options, load};
use model::interp::{Interp, State, Violation};
use model::{Claim, Program};

fn program(name: &str, text: &str, bounds: &[(&str, &str)]) -> Program {
    let options = Options {
        bounds: bounds
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect(),
        ..Options::default()
    };
    let loaded = load(name, text, &options);
    let errors: Vec<String> = loaded
        .diagnostics
        .iter()
        .filter(|d| d.is_error())
        .map(|d| source::render(d, &loaded.sources, false))
        .collect();
    assert!(errors.is_empty(), "{name}: {}", errors.join("\n"));
    loaded.program.unwrap()
}

/// The safety properties and whether they hold; all others are left out.
fn safety(program: &Program) -> (BTreeMap<String, bool>, usize) {
    let interp = Interp::new(program);
    let mut verdicts = BTreeMap::new();
    for property in &program.properties {
        if matches!(property.claim, Claim::Check(_) | Claim::Always(_)) {
            verdicts.insert(property.name.clone(), true);
        }
    }
    let mut seen: HashSet<State> = HashSet::new();
    let mut waiting = VecDeque::new();
    let look = |state: &State, verdicts: &mut BTreeMap<String, bool>| {
        for property in &program.properties {
            if let Claim::Always(holds) = property.claim
                && !interp.holds(state, holds).unwrap()
            {
                verdicts.insert(property.name.clone(), false);
            }
        }
    };
    for (_, state) in interp.initial().unwrap() {
        look(&state, &mut verdicts);
        if seen.insert(interp.stored(&state)) {
            waiting.push_back(state);
        }
    }
    while let Some(state) = waiting.pop_front() {
        let expansion = interp.expand(&state).unwrap();
        for (violation, _) in &expansion.violations {
            for property in &program.properties {
                if let (Claim::Check(check), Violation::Check(failed)) =
                    (&property.claim, violation)
                    && check == failed
                {
                    verdicts.insert(property.name.clone(), false);
                }
            }
        }
        for successor in expansion.successors {
            look(&successor.state, &mut verdicts);
            if seen.insert(interp.stored(&successor.state)) {
                waiting.push_back(successor.state);
            }
        }
        assert!(seen.len() < 200_000, "too many states for a test");
    }
    (verdicts, seen.len())
}

fn example(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/lsl");
    std::fs::read_to_string(folder.join(name)).unwrap()
}

const TINY: &[(&str, &str)] = &[
    ("amount", "0..2"),
    ("bidders", "2"),
    ("events-per-timer", "3"),
];

#[test]
fn the_paper_script_keeps_its_safety_properties() {
    let program = program("paper.lsl", &example("auction/paper.lsl"), TINY);
    let (verdicts, states) = safety(&program);
    eprintln!("{states} states, {verdicts:?}");
    assert_eq!(verdicts.len(), 5);
    assert!(verdicts.values().all(|holds| *holds), "{verdicts:?}");
}
