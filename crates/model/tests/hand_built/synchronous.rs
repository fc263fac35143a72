//! Simultaneous assignment: initial constraint, inputs, relations, state constraints.

use model::{
    Binary, Composition, Expr, Program, SyncAssign, Type, ValueSet, Variable, VariableKind,
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
