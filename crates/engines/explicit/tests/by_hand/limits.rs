//! What is too large, too wide, too deep or not known to the engine is said, never guessed.

use explicit::Answer;
use model::*;

use crate::build::*;

#[test]
fn a_wide_choice_takes_its_sample_and_says_so() {
    let mut program = Program::new("sample", "none");
    let x = program.add_global(Variable::new("x", Type::INT32));
    let mut process = Process::new("p");
    let (a, b) = (
        location(&mut process, Mode::Open),
        location(&mut process, Mode::Open),
    );
    process.locations[b.index()].end = true;
    let big = program.exprs.int(1_000_000, Type::INT32);
    let small = program.exprs.int(-1, Type::INT32);
    let mut chooses = step(a, b);
    chooses.binds = vec![Choice {
        place: Place::global(x),
        set: ValueSet::All(Type::INT32),
        sample: Some(vec![small, big]),
        what: "x".into(),
        outside: None,
    }];
    process.add_step(chooses);
    start(&mut program, process, 1);
    let now = load(&mut program, x);
    let is_big = program.exprs.binary(Binary::Eq, now, big);
    let other = program.exprs.int(7, Type::INT32);
    let is_other = program.exprs.binary(Binary::Eq, now, other);
    let outcome = safety(&program, &[Bad::State(is_big), Bad::State(is_other)]);
    assert!(outcome.sampled);
    violated(&program, &outcome.answers[0]);
    assert_eq!(outcome.answers[1], Answer::Clear, "of the sample");
    // Without the sample there are too many.
    program.processes[0].steps[0].binds[0].sample = None;
    let outcome = safety(&program, &[Bad::Deadlock]);
    assert!(matches!(
        outcome.answers[0],
        Answer::Unknown(UnknownReason::Unsupported(_))
    ));
}

#[test]
fn numbers_beyond_the_engine_are_not_known() {
    let mut program = Program::new("overflow", "none");
    let x = program.add_global(Variable::new("x", Type::Mathint));
    let mut process = Process::new("p");
    let a = location(&mut process, Mode::Open);
    let mut doubles = step(a, a);
    let (now, one) = (load(&mut program, x), number(&mut program, 1));
    let twice = program
        .exprs
        .add(Expr::Binary(Binary::Add, now, now), Type::Mathint);
    let more = program
        .exprs
        .add(Expr::Binary(Binary::Add, twice, one), Type::Mathint);
    doubles.body = vec![Stmt::Assign(Place::global(x), more)];
    process.add_step(doubles);
    start(&mut program, process, 1);
    let outcome = safety(&program, &[Bad::Deadlock]);
    assert_eq!(outcome.answers[0], Answer::Unknown(UnknownReason::Overflow));
    assert_eq!(outcome.statistics.states, 64);
}

#[test]
fn what_is_not_supported_is_said() {
    let mut program = Program::new("objects", "none");
    let cell = program.add_object(ObjectDecl {
        name: "o".into(),
        cell: Type::Bool,
        cells: 1,
    });
    program.add_global(Variable::new("p", Type::Pointer(cell)));
    let outcome = safety(&program, &[Bad::Deadlock]);
    assert_eq!(
        outcome.answers[0],
        Answer::Unknown(UnknownReason::Unsupported("pointers".to_owned()))
    );
}

#[test]
fn deep_nesting_is_refused_and_not_followed_into_the_ground() {
    let mut program = Program::new("deep", "none");
    let x = program.add_global(Variable::new("x", Type::INT32));
    let mut deep = load(&mut program, x);
    let one = program.exprs.int(1, Type::INT32);
    for _ in 0..100_000 {
        deep = program.exprs.binary(Binary::Add, deep, one);
    }
    let mut process = Process::new("p");
    let a = location(&mut process, Mode::Open);
    let mut assigns = step(a, a);
    assigns.body = vec![Stmt::Assign(Place::global(x), deep)];
    process.add_step(assigns);
    start(&mut program, process, 1);
    let outcome = safety(&program, &[Bad::Deadlock]);
    assert!(matches!(
        outcome.answers[0],
        Answer::Unknown(UnknownReason::Unsupported(_))
    ));
}

/// Nobody has a step at all: the first state is the only one, and nothing can happen in it.
#[test]
fn where_nobody_can_ever_move_there_is_one_state() {
    let mut program = Program::new("still", "none");
    let mut process = Process::new("p");
    location(&mut process, Mode::Open);
    start(&mut program, process, 1);
    let outcome = safety(&program, &[Bad::Deadlock]);
    violated(&program, &outcome.answers[0]);
}
