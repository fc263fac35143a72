//! Regions, step variables, divergence, and what replay refuses.

use model::interp::{Interp, ReplayError};
use model::{
    Binary, Choice, MacroStep, Mode, Move, Place, Process, Stmt, Trace, Type, Value, ValueSet,
    Variable, VariableKind,
};

use crate::build::{Build, Control, explore, numbers, rows};

/// A region runs to its end in one macro step, loops and all; others see only the ends.
#[test]
fn a_region_is_one_macro_step() {
    let mut build = Build::new();
    let x = build.global("x", Type::INT32);
    let mut process = Process::new("p");
    let a = process.open("a");
    let inner = process.at("inner", Mode::Region);
    let b = process.open("b");
    process.edge(a, inner, vec![build.add(x, 1)]);
    let below = build.compare(Binary::Lt, x, 10);
    process.guarded(inner, inner, below, vec![build.add(x, 1)]);
    let exit = process.edge(inner, b, vec![]);
    process.with(exit, |step| step.rank = 1);
    build.run(process);
    assert_eq!(build.reachable(&[x]), rows(&[[0], [10]]));
}

/// A deterministic loop that repeats itself never returns; a loop that a choice can leave does;
/// one that an assumption cuts off is no run at all.
#[test]
fn divergence_is_a_state_without_a_way_out() {
    let build_loop = |exit_by_choice: bool, assume: bool| {
        let mut build = Build::new();
        let x = build.global("x", Type::Bool);
        let mut process = Process::new("p");
        let a = process.open("a");
        let inner = process.at("inner", Mode::Region);
        let b = process.open("b");
        process.edge(a, inner, vec![]);
        let no = build.program.exprs.bool(false);
        let mut body = vec![Stmt::Assign(Place::global(x), no)];
        if assume {
            body.push(Stmt::Assume(no));
        }
        process.edge(inner, inner, body);
        if exit_by_choice {
            process.edge(inner, b, vec![]);
        }
        build.run(process);
        let interp = Interp::new(&build.program);
        let (_, first) = interp.initial().expect("small").remove(0);
        let expansion = interp.expand(&first).expect("small");
        (expansion.diverges.is_some(), expansion.successors.len())
    };
    assert_eq!(build_loop(false, false), (true, 0));
    assert_eq!(build_loop(true, false), (false, 1));
    assert_eq!(build_loop(false, true), (false, 0));
}

/// Step variables are read at the end of their macro step and do not tell states apart.
#[test]
fn step_variables_live_within_a_macro_step() {
    let mut build = Build::new();
    let mut flag = Variable::new("flag", Type::Bool);
    flag.kind = VariableKind::Step;
    let flag = build.program.add_global(flag);
    let yes = build.program.exprs.bool(true);
    let read = build.read(flag);
    let mut process = Process::new("p");
    let a = process.open("a");
    process.edge(a, a, vec![Stmt::Assign(Place::global(flag), yes)]);
    build.run(process);
    let interp = Interp::new(&build.program);
    assert_eq!(explore(&interp).len(), 1);
    let (_, first) = interp.initial().expect("small").remove(0);
    let successor = &interp.expand(&first).expect("small").successors[0];
    assert_eq!(interp.holds(&successor.state, read), Ok(true));
    assert_eq!(
        interp.holds(&interp.stored(&successor.state), read),
        Ok(false)
    );
}

fn chooser() -> (Build, model::GlobalId) {
    let mut build = Build::new();
    let x = build.global("x", Type::INT32);
    let lo = build.int(0);
    let hi = build.int(1_000_000);
    let sample = vec![build.int(3), build.int(5)];
    let odd = build.int(4);
    let value = build.read(x);
    let allowed = build.program.exprs.binary(Binary::Ne, value, odd);
    let mut process = Process::new("p");
    let a = process.open("a");
    let step = process.guarded(a, a, allowed, vec![]);
    process.with(step, |step| {
        step.binds = vec![Choice {
            place: Place::global(x),
            set: ValueSet::Between(lo, hi),
            sample: Some(sample),
            what: "x".into(),
            outside: None,
        }];
    });
    build.run(process);
    (build, x)
}

/// A wide choice is enumerated by its sample, and said to be; replay takes any member, and
/// nothing else.
#[test]
fn samples_are_enumerated_and_sets_are_accepted() {
    let (build, x) = chooser();
    assert_eq!(build.reachable(&[x]), rows(&[[0], [3], [5]]));
    let interp = Interp::new(&build.program);
    let (_, first) = interp.initial().expect("small").remove(0);
    let expansion = interp.expand(&first).expect("small");
    assert!(expansion.sampled);
    let parts = expansion.successors[0].step.moves[0].parts.clone();
    let with = |value: i128| Trace {
        initial: vec![],
        steps: vec![MacroStep {
            moves: vec![Move {
                parts: parts.clone(),
                choices: vec![Value::Int(value)],
            }],
        }],
        loop_start: None,
    };
    let replay = interp.replay(&with(123_456)).expect("a member");
    assert_eq!(numbers(replay.state(1), &[x]), [123_456]);
    assert!(matches!(
        interp.replay(&with(2_000_000)),
        Err(ReplayError::Move {
            step: 0,
            made: 0,
            ..
        })
    ));
    assert!(interp.replay(&with(4)).is_err(), "the guard says no");
    let mut twice = with(3);
    let again = twice.steps[0].moves[0].clone();
    twice.steps[0].moves.push(again);
    assert_eq!(interp.replay(&twice).err(), Some(ReplayError::Boundary(0)));
    let mut looping = with(3);
    looping.loop_start = Some(0);
    assert_eq!(interp.replay(&looping).err(), Some(ReplayError::Loop));
}

/// A step that chooses among a million values four times, guarded by a variable that is chosen or not.
fn wide(guard_reads_choice: bool) -> (Build, [model::GlobalId; 2]) {
    let mut build = Build::new();
    let fixed = build.global("fixed", Type::INT32);
    let chosen = build.global("chosen", Type::INT32);
    let (lo, hi) = (build.int(0), build.int(1_000_000));
    let guard = build.is(if guard_reads_choice { chosen } else { fixed }, 7);
    let mut process = Process::new("p");
    let a = process.open("a");
    let step = process.guarded(a, a, guard, vec![]);
    process.with(step, |step| {
        let choice = Choice {
            place: Place::global(chosen),
            set: ValueSet::Between(lo, hi),
            sample: None,
            what: "a number".into(),
            outside: None,
        };
        step.binds = vec![choice; 4];
    });
    build.run(process);
    (build, [fixed, chosen])
}

/// 10^24 combinations that all come to the same are not tried one by one; where a guard reads what is
/// chosen, they are, until one does.
#[test]
fn choices_that_have_no_say_are_not_gone_through() {
    let (build, _) = wide(false);
    let interp = Interp::new(&build.program);
    let (_, first) = interp.initial().expect("small").remove(0);
    assert!(interp.moves(&first).is_empty());
    let (build, [fixed, _]) = wide(false);
    let mut open = first;
    open.globals[fixed.index()] = Value::Int(7);
    assert_eq!(Interp::new(&build.program).moves(&open).len(), 1);
    let (build, _) = wide(true);
    let interp = Interp::new(&build.program);
    let (_, first) = interp.initial().expect("small").remove(0);
    assert_eq!(interp.moves(&first).len(), 1);
}
