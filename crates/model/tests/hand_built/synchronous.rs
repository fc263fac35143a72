//! Simultaneous assignment: initial constraint, inputs, relations, state constraints.

use std::ops::ControlFlow;

use model::interp::Interp;
use model::{
    Binary, Composition, Expr, Program, SyncAssign, Type, Value, ValueSet, Variable, VariableKind,
};

use crate::build::{Build, rows};

fn bit(program: &mut Program, name: &str, kind: VariableKind) -> model::GlobalId {
    let mut variable = Variable::new(name, Type::Bool);
    variable.kind = kind;
    if kind != VariableKind::Input {
        variable.init = Some(ValueSet::All(Type::Bool));
    }
    program.add_global(variable)
}

/// Two bits swap in one step; a third takes the input; a fourth keeps its first value.
#[test]
fn all_variables_move_at_once() {
    let mut build = Build::new();
    let a = bit(&mut build.program, "a", VariableKind::State);
    let b = bit(&mut build.program, "b", VariableKind::State);
    let frozen = bit(&mut build.program, "frozen", VariableKind::Frozen);
    let input = bit(&mut build.program, "input", VariableKind::Input);
    let latch = bit(&mut build.program, "latch", VariableKind::State);
    let [a_value, b_value, frozen_value, input_value, latch_value] =
        [a, b, frozen, input, latch].map(|global| build.read(global));
    // Initially a and not b, frozen, no latch.
    let not_b = build.program.exprs.not(b_value);
    let not_latch = build.program.exprs.not(latch_value);
    build.program.initial = vec![a_value, not_b, frozen_value, not_latch];
    build.program.composition = Composition::Synchronous(vec![
        SyncAssign {
            global: a,
            next: ValueSet::One(b_value),
        },
        SyncAssign {
            global: b,
            next: ValueSet::One(a_value),
        },
        SyncAssign {
            global: latch,
            next: ValueSet::One(input_value),
        },
    ]);
    assert_eq!(
        build.reachable(&[a, b, frozen, latch]),
        rows(&[[1, 0, 1, 0], [0, 1, 1, 0], [0, 1, 1, 1], [1, 0, 1, 1]])
    );
    // States in which the latch and a are both set do not exist.
    let both = build.program.exprs.and(a_value, latch_value);
    let neither = build.program.exprs.not(both);
    build.program.state_constraint.push(neither);
    assert_eq!(
        build.reachable(&[a, b, frozen, latch]),
        rows(&[[1, 0, 1, 0], [0, 1, 1, 0], [0, 1, 1, 1]])
    );
    // The input is never taken twice running: next(latch) implies not latch.
    let next_latch = build.program.exprs.add(Expr::Next(latch), Type::Bool);
    let again = build.program.exprs.and(latch_value, next_latch);
    let once = build.program.exprs.not(again);
    build.program.relation.push(once);
    assert_eq!(build.reachable(&[latch]), rows(&[[0], [1]]));
}

/// A value from a set, and one that depends on another variable's next value.
#[test]
fn next_values_may_be_chosen_and_related() {
    let mut build = Build::new();
    let x = build.global("x", Type::Range { lo: 0, hi: 3 });
    let y = build.global("y", Type::Range { lo: 0, hi: 3 });
    let [zero, three] = [build.int(0), build.int(3)];
    let next_x = build.program.exprs.add(Expr::Next(x), Type::INT32);
    let minus = build.program.exprs.binary(Binary::Sub, three, next_x);
    build.program.composition = Composition::Synchronous(vec![
        SyncAssign {
            global: x,
            next: ValueSet::Between(zero, three),
        },
        SyncAssign {
            global: y,
            next: ValueSet::One(minus),
        },
    ]);
    assert_eq!(
        build.reachable(&[x, y]),
        rows(&[[0, 0], [0, 3], [1, 2], [2, 1], [3, 0]])
    );
}

/// A square of a square of a square, a hundred times: written out, it would have 2^100 factors. What is
/// remembered of it does not outlive the choice that it depends on.
#[test]
fn what_is_used_many_times_is_evaluated_once() {
    let byte = Type::Int {
        bits: 8,
        signed: false,
    };
    let mut build = Build::new();
    let x = build.global("x", byte.clone());
    let y = build.global("y", byte.clone());
    let exprs = &mut build.program.exprs;
    let [one, two] = [1, 2].map(|n| exprs.int(n, byte.clone()));
    let mut power = exprs.add(Expr::Next(x), byte);
    for _ in 0..100 {
        let square = exprs.binary(Binary::Mul, power, power);
        power = exprs.binary(Binary::Add, square, two);
    }
    assert_eq!(exprs.written_out(power), u32::MAX);
    build.program.composition = Composition::Synchronous(vec![
        SyncAssign {
            global: x,
            next: ValueSet::Between(one, two),
        },
        SyncAssign {
            global: y,
            next: ValueSet::One(power),
        },
    ]);
    let expected = |x: i128| [x, (0..100).fold(x, |power, _| (power * power + 2) % 256)];
    assert_ne!(expected(1)[1], expected(2)[1]);
    assert_eq!(
        build.reachable(&[x, y]),
        rows(&[[0, 0], expected(1), expected(2)])
    );
}

/// Of 2^40 initial states those are looked at that are asked for, in no more than a moment.
#[test]
fn initial_states_with_given_values_are_found_at_once() {
    let mut build = Build::new();
    let bits: Vec<_> = (0..40)
        .map(|n| bit(&mut build.program, &format!("b{n}"), VariableKind::State))
        .collect();
    let last = build.read(bits[39]);
    build.program.initial = vec![last];
    let mut given: Vec<Option<Value>> = (0..38).map(|n| Some(Value::Bool(n % 3 == 0))).collect();
    given[7] = None;
    let interp = Interp::new(&build.program);
    let mut found = Vec::new();
    let ended = interp.each_initial(&given, |choices, state| {
        assert_eq!(choices, state.globals.iter().cloned().collect::<Vec<_>>());
        let free = [7, 38, 39].map(|n| state.globals[n].truth());
        let others = given.iter().zip(state.globals.iter());
        assert!(
            others
                .into_iter()
                .all(|(given, value)| given.as_ref().is_none_or(|g| g == value))
        );
        found.push(free);
        ControlFlow::Continue(())
    });
    assert_eq!(ended, Ok(()));
    found.sort_unstable();
    assert_eq!(
        found,
        [
            [false, false, true],
            [false, true, true],
            [true, false, true],
            [true, true, true]
        ]
    );
    let mut shown = 0;
    let ended = interp.each_initial(&given, |_, _| {
        shown += 1;
        ControlFlow::Break(())
    });
    assert_eq!((ended, shown), (Ok(()), 1));
}
