//! Guards that compare variables with constants: the moves that they rule out are those that are not
//! possible, whatever is remembered and however states are packed.

use std::collections::HashSet;

use explicit::{Answer, Exchange, Options, SafetyJob, Technique, Tuning, explore};
use model::interp::Interp;
use model::*;

use crate::build::*;

/// Bytes, of which what is remembered gets a small part.
const LITTLE: u64 = 1 << 20;

/// How many states and macro steps there are, and whether some state is a deadlock.
type Found = (u64, u64, bool);

/// By plain exploration with the interpreter.
fn by_interpreter(program: &Program) -> Found {
    let interp = Interp::new(program);
    let mut known = HashSet::new();
    let mut waiting: Vec<_> = interp.initial().expect("it has states to start in");
    let (mut transitions, mut deadlock) = (0, false);
    let mut states: Vec<_> = waiting.drain(..).map(|(_, state)| state).collect();
    states.retain(|state| known.insert(interp.stored(state)));
    while let Some(state) = states.pop() {
        let successors = interp.expand(&state).expect("it is small").successors;
        deadlock |= successors.is_empty();
        for successor in successors {
            transitions += 1;
            if known.insert(interp.stored(&successor.state)) {
                states.push(successor.state);
            }
        }
    }
    (known.len() as u64, transitions, deadlock)
}

/// The same with the engine.
fn by_engine(program: &Program, tuning: Tuning, memory: Option<u64>) -> Found {
    let job = SafetyJob {
        program,
        bads: &[Bad::Deadlock],
        watch: &[],
        exchange: Exchange::default(),
    };
    let options = Options {
        tuning,
        all: true,
        ..ONE
    };
    let budget = Budget {
        memory,
        ..Budget::default()
    };
    let outcome = explore(&job, &options, &budget, &Silent);
    let deadlock = matches!(outcome.answers[0], Answer::Violated(_));
    let statistics = outcome.statistics;
    (statistics.states, statistics.transitions, deadlock)
}

/// A comparison of a variable with a constant that it may never have.
fn comparison(program: &mut Program, random: &mut fastrand::Rng, global: GlobalId) -> ExprId {
    let now = load(program, global);
    let (lo, hi) = match program.globals[global.index()].ty {
        Type::Range { lo, hi } => (lo, hi),
        _ => {
            return match random.bool() {
                true => now,
                false => program.exprs.not(now),
            };
        }
    };
    let value = number(program, i128::from(random.i64(lo - 1..=hi + 1)));
    let how = [Binary::Eq, Binary::Eq, Binary::Ne, Binary::Lt, Binary::Le][random.usize(..5)];
    match random.bool() {
        true => program.exprs.binary(how, now, value),
        false => program.exprs.binary(how, value, now),
    }
}

/// Instances with many moves each, of which guards rule out most.
fn board(random: &mut fastrand::Rng) -> Program {
    let mut program = Program::new("board", "none");
    let mut all = Vec::new();
    for (number, (lo, hi)) in [(0, 0), (0, 1), (-1, 0), (-2, 3), (0, 5), (7, 8), (0, 0)]
        .into_iter()
        .enumerate()
    {
        let ty = match hi == lo {
            true => Type::Bool,
            false => Type::Range { lo, hi },
        };
        all.push(program.add_global(Variable::new(format!("v{number}"), ty)));
    }
    for name in ["p", "q"] {
        let mut process = Process::new(name);
        let places = [(); 2].map(|()| location(&mut process, Mode::Open));
        for _ in 0..random.usize(4..30) {
            let [from, to] = [(); 2].map(|()| places[random.usize(..2)]);
            let mut moves = step(from, to);
            // Some wait for what is more urgent at the same place.
            moves.rank = u16::from(random.u8(..6) == 0);
            for _ in 0..random.usize(..5) {
                let global = all[random.usize(..all.len())];
                let one = comparison(&mut program, random, global);
                moves.guard = Some(match moves.guard {
                    Some(other) if random.u8(..4) == 0 => program.exprs.or(one, other),
                    Some(other) => program.exprs.and(other, one),
                    None => one,
                });
            }
            let global = all[random.usize(..all.len())];
            let value = match program.globals[global.index()].ty {
                Type::Range { lo, hi } => number(&mut program, random.i64(lo..=hi).into()),
                _ => program.exprs.bool(random.bool()),
            };
            moves.body = vec![Stmt::Assign(Place::global(global), value)];
            process.add_step(moves);
        }
        start(&mut program, process, 1);
    }
    program
}

#[test]
fn moves_that_guards_rule_out_are_not_possible() {
    let mut random = fastrand::Rng::with_seed(11);
    let (mut states, mut transitions, mut deadlocks) = (0, 0, 0);
    for number in 0..300 {
        let program = board(&mut random);
        let expected = by_interpreter(&program);
        let usual = Tuning::usual().with(Technique::TransitionGroups, 8);
        for tuning in [
            usual,
            usual.with(Technique::GuardTests, 0),
            usual.with(Technique::TransitionCache, 0),
            usual.with(Technique::AdaptivePacking, 4),
            usual.with(Technique::BatchedLookup, 0),
        ] {
            assert_eq!(
                by_engine(&program, tuning, None),
                expected,
                "program {number}"
            );
        }
        // There is room for few of the things that moves led to.
        let little = by_engine(&program, Tuning::usual(), Some(LITTLE));
        assert_eq!(little, expected, "program {number}");
        states += expected.0;
        transitions += expected.1;
        deadlocks += u32::from(expected.2);
    }
    assert!(deadlocks > 0, "some end");
    assert!(
        states > 10_000 && transitions > 2 * states,
        "{states} {transitions}"
    );
}
