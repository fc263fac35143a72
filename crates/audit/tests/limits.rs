//! An audit keeps to its limits while it writes clauses, not only while it asks the solver.

use std::time::{Duration, Instant};

use audit::{Invariant, Rejected, audit};
use model::{Bad, Budget, Program};

/// Numbers that are multiplied again and again: what the steps do is many clauses.
fn products() -> Program {
    let mut text = "MODULE main\n".to_owned();
    for n in 0..6 {
        let other = (n + 1) % 6;
        text += &format!(
            "VAR x{n} : unsigned word[64];
             ASSIGN next(x{n}) := (x{n} * x{other}) * (x{n} + x{other}) * (x{n} * x{n});\n"
        );
    }
    let loaded = smv::load("products.smv", &text, &smv::Options::default());
    loaded.program.expect("a model")
}

#[test]
fn what_takes_too_much_is_not_believed() {
    let mut program = products();
    let bad = Bad::State(program.exprs.bool(false));
    let nothing = Invariant::default();
    let ask = |budget: &Budget| audit(&program, &bad, &nothing, budget);
    assert_eq!(ask(&Budget::default()), Ok(()));
    let little = Budget {
        memory: Some(1 << 20),
        ..Budget::default()
    };
    assert_eq!(ask(&little), Err(Rejected::Limit));
    assert_eq!(
        little.exhausted(0),
        None,
        "nobody else is told that it was too much"
    );
    let begin = Instant::now();
    let soon = Budget::default().at_most(Duration::from_millis(5));
    assert_eq!(ask(&soon), Err(Rejected::Limit));
    assert!(begin.elapsed() < Duration::from_secs(5));
}
