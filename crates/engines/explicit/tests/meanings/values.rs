//! Arithmetic and comparisons at their borders, faults, calls, and what does not stay.

use model::*;
use source::Span;

use crate::build::*;

#[test]
fn arithmetic_wraps_as_the_types_say() {
    let int = |bits, signed| Type::Int { bits, signed };
    let cases = [
        (
            Type::INT32,
            Binary::Add,
            i128::from(i32::MAX),
            1,
            i128::from(i32::MIN),
        ),
        (
            Type::INT32,
            Binary::Sub,
            i128::from(i32::MIN),
            1,
            i128::from(i32::MAX),
        ),
        (Type::INT32, Binary::Mul, 1 << 30, 4, 0),
        (Type::INT32, Binary::Rem, -7, 3, -1),
        (Type::INT32, Binary::Div, -7, 2, -3),
        (int(8, false), Binary::Add, 255, 1, 0),
        (int(8, true), Binary::Add, 127, 1, -128),
        (int(3, false), Binary::Sub, 0, 1, 7),
        (int(16, true), Binary::Shl, 1, 15, -32768),
    ];
    for (ty, op, a, b, expected) in cases {
        let mut p = program(IdPolicy::Fresh);
        let first = p.exprs.int(a, ty.clone());
        let x = p.add_global(Variable {
            init: Some(ValueSet::One(first)),
            ..Variable::new("x", ty.clone())
        });
        let now = load(&mut p, x);
        let (b, expected) = (
            p.exprs.int(b, ty.clone()),
            p.exprs.int(expected, ty.clone()),
        );
        let result = p.exprs.add(Expr::Binary(op, now, b), ty);
        let cond = p.exprs.binary(Binary::Eq, result, expected);
        let zero = p.exprs.int(0, Type::Mathint);
        let (sign, wanted) = (
            p.exprs.binary(Binary::Lt, result, zero),
            p.exprs.binary(Binary::Lt, expected, zero),
        );
        let same = p.exprs.binary(Binary::Eq, sign, wanted);
        let cond = p.exprs.and(cond, same);
        let (mut main, at) = process(&[Mode::Open]);
        let mut checks = step(at[0], at[0]);
        checks.body = vec![Stmt::Assert {
            cond,
            check: CHECK,
            span: Span::NONE,
        }];
        main.add_step(checks);
        start(&mut p, main);
        assert_eq!(agree(&p).check, None, "{op:?}");
    }
}

#[test]
fn comparisons_have_their_borders() {
    let mut p = program(IdPolicy::Fresh);
    let (x, le, lt) = (byte(&mut p, "x"), byte(&mut p, "le"), byte(&mut p, "lt"));
    let now = load(&mut p, x);
    let two = number(&mut p, 2);
    let (less, below) = (
        p.exprs.binary(Binary::Le, now, two),
        p.exprs.binary(Binary::Lt, now, two),
    );
    let (less, below) = (
        p.exprs.add(Expr::Convert(less), BYTE),
        p.exprs.add(Expr::Convert(below), BYTE),
    );
    let (mut main, at) = process(&[Mode::Open]);
    let mut counts = step(at[0], at[0]);
    let rest = p.exprs.add(Expr::Binary(Binary::Add, now, two), BYTE);
    let five = number(&mut p, 5);
    let rest = p.exprs.binary(Binary::Rem, rest, five);
    counts.body = vec![
        Stmt::Assign(Place::global(le), less),
        Stmt::Assign(Place::global(lt), below),
        Stmt::Assign(Place::global(x), rest),
    ];
    main.add_step(counts);
    start(&mut p, main);
    agree(&p);
}

#[test]
fn each_fault_is_its_own() {
    let mut p = program(IdPolicy::Fresh);
    let (x, zero) = (byte(&mut p, "x"), byte(&mut p, "zero"));
    let (mut main, at) = process(&[Mode::Open, Mode::Open]);
    let mut divides = step(at[0], at[1]);
    let (now, by) = (load(&mut p, x), load(&mut p, zero));
    let result = p.exprs.binary(Binary::Div, now, by);
    divides.body = vec![put(&mut p, x, 1), Stmt::Assign(Place::global(x), result)];
    main.add_step(divides);
    start(&mut p, main);
    let found = agree(&p);
    assert_eq!(found.faults, [Some(1), None, None]);
    assert!(found.ever(x, 1), "effects up to the fault stay");
}

#[test]
fn a_call_returns_to_its_caller() {
    let mut p = program(IdPolicy::Fresh);
    let x = byte(&mut p, "x");
    let (mut main, at) = process(&[
        Mode::Open,
        Mode::Region,
        Mode::Region,
        Mode::Region,
        Mode::Region,
    ]);
    main.max_frames = 3;
    main.add_procedure(Procedure {
        name: "outer".into(),
        locals: Vec::new(),
        parameters: 0,
        entry: at[2],
        span: Span::NONE,
    });
    main.add_procedure(Procedure {
        name: "inner".into(),
        locals: Vec::new(),
        parameters: 0,
        entry: at[4],
        span: Span::NONE,
    });
    let call = |from, procedure: usize, then| {
        let mut step = step(from, then);
        step.target = Target::Call {
            callee: Callee::Known(ProcedureId::new(procedure)),
            args: Vec::new(),
            result: None,
            then,
        };
        step
    };
    main.add_step(call(at[0], 0, at[1]));
    main.add_step(call(at[2], 1, at[3]));
    for (from, n) in [(at[3], 3), (at[4], 1)] {
        let mut back = step(from, from);
        back.body = vec![add(&mut p, x, n)];
        back.target = Target::Return(None);
        main.add_step(back);
    }
    let mut done = step(at[1], at[0]);
    let (now, eight) = (load(&mut p, x), number(&mut p, 8));
    let rest = p.exprs.binary(Binary::Rem, now, eight);
    done.body = vec![Stmt::Assign(Place::global(x), rest)];
    main.add_step(done);
    p.stack_fault = Some(DIVISION);
    start(&mut p, main);
    let found = agree(&p);
    assert!(found.ever(x, 4) && !found.ever(x, 1));
}

#[test]
fn what_a_choice_left_behind_does_not_stay() {
    let mut p = program(IdPolicy::Fresh);
    let x = byte(&mut p, "x");
    let (mut main, at) = process(&[Mode::Open, Mode::Open]);
    main.locals = vec![Variable::new("c", BYTE)];
    let mut never = step(at[0], at[1]);
    let (one, three) = (number(&mut p, 1), number(&mut p, 3));
    never.binds = vec![Choice {
        place: Place::own(0),
        set: ValueSet::Between(one, three),
        sample: None,
        what: "c".into(),
        outside: None,
    }];
    let c = own(&mut p, 0);
    never.guard = Some(is(&mut p, c, 9));
    main.add_step(never);
    let mut on = step(at[0], at[1]);
    on.body = vec![put(&mut p, x, 1)];
    main.add_step(on);
    // Somebody asks whether anything is enabled, so that guards are tried in the middle.
    let mut asks = step(at[1], at[1]);
    let nothing = p.exprs.add(Expr::NothingEnabled, Type::Bool);
    asks.guard = Some(p.exprs.not(nothing));
    main.add_step(asks);
    start(&mut p, main);
    assert_eq!(agree(&p).states.len(), 2);
}

#[test]
fn what_is_stored_is_cut_at_once() {
    // 300 is 44 in a byte, also in the step that stores it.
    let mut p = program(IdPolicy::Fresh);
    let (x, y) = (byte(&mut p, "x"), byte(&mut p, "y"));
    let (mut main, at) = process(&[Mode::Open; 2]);
    let mut stores = step(at[0], at[1]);
    let (large, now) = (p.exprs.int(300, Type::INT32), load(&mut p, x));
    let cut = is(&mut p, now, 44);
    stores.body = vec![
        Stmt::Assign(Place::global(x), large),
        Stmt::If(cut, vec![put(&mut p, y, 1)], vec![put(&mut p, y, 2)]),
    ];
    main.add_step(stores);
    start(&mut p, main);
    let found = agree(&p);
    assert!(found.ever(y, 1) && !found.ever(y, 2));
}
