//! Where nobody can move any more is found by every engine, wherever control rests: diagrams once
//! took a process that waits for ever for one that goes on.

use model::{Program, Silent, Verdict};
use verify::Engine;

/// A model, and whether a run of it ends where it may not.
const MODELS: &[(&str, bool)] = &[
    ("byte x; active proctype P() { x == 3 }", true),
    ("byte x; active proctype P() { x = 1; x == 3 }", true),
    ("byte x; active proctype P() { x = 1; end: x == 3 }", false),
    ("byte x; active proctype P() { x = 1 }", false),
    ("byte x; active proctype P() { do :: x = 1 - x od }", false),
    (
        "byte x; active proctype P() { do :: x < 2 -> x++ od }",
        true,
    ),
    (
        "byte x; active proctype P() { atomic { x = 1; x == 3 } }",
        true,
    ),
    (
        "byte x; active proctype P() { d_step { x = 1; x = 2 }; end: x == 3 }",
        false,
    ),
    (
        "chan c = [1] of { byte }; active proctype P() { skip } active proctype Q() { c?_ }",
        true,
    ),
    // A fault stops the one for whom the other waits.
    (
        "byte z; chan c = [1] of { byte };
         active proctype P() { c!(1 / z) } active proctype Q() { c?_ }",
        true,
    ),
    ("byte z; active proctype P() { z = 1 / z }", false),
];

fn program(text: &str) -> Program {
    let loaded = promela::load("t.pml", text, &promela::Options::default());
    loaded
        .program
        .unwrap_or_else(|| panic!("{text}: {:?}", loaded.diagnostics))
}

#[test]
fn every_engine_sees_where_nobody_can_move() {
    for (text, fails) in MODELS {
        for engine in [Engine::Explicit, Engine::Dfs, Engine::Sat, Engine::Symbolic] {
            let options = verify::Options {
                only: Some(vec!["deadlock".to_owned()]),
                engine: Some(engine),
                jobs: 1,
                ..verify::Options::default()
            };
            let outcome = verify::check(&program(text), &options, &Silent).remove(0);
            let found = match outcome.verdict {
                Verdict::Fails { .. } => true,
                Verdict::Holds { .. } => false,
                other => panic!("{engine}, {text}: {other:?}"),
            };
            assert_eq!(found, *fails, "{engine}, {text}");
        }
    }
}
