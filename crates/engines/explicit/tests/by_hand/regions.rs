//! Regions: code that runs within one macro step, and may never leave it.

use explicit::{Answer, Exchange, SafetyJob, explore};
use model::*;

use crate::build::*;

/// One instance that begins in the open and goes into a region.
fn region(make: impl FnOnce(&mut Program, &mut Process, LocId, LocId)) -> Program {
    let mut program = Program::new("region", "none");
    let mut process = Process::new("p");
    let open = location(&mut process, Mode::Open);
    let inner = location(&mut process, Mode::Region);
    process.add_step(step(open, inner));
    make(&mut program, &mut process, open, inner);
    start(&mut program, process, 1);
    program
}

#[test]
fn a_region_that_repeats_never_returns() {
    let program = region(|program, process, _, inner| {
        let x = flag(program, "x");
        let mut around = step(inner, inner);
        let now = load(program, x);
        around.body = vec![Stmt::Assign(Place::global(x), program.exprs.not(now))];
        process.add_step(around);
    });
    violated(&program, &safety(&program, &[Bad::Divergence]).answers[0]);
}

#[test]
fn a_region_that_is_blocked_never_returns_unless_an_assumption_says_so() {
    let blocked = region(|_, _, _, _| {});
    violated(&blocked, &safety(&blocked, &[Bad::Divergence]).answers[0]);
    let assumed = region(|program, process, open, inner| {
        let mut leaves = step(inner, open);
        leaves.body = vec![Stmt::Assume(program.exprs.bool(false))];
        process.add_step(leaves);
    });
    let outcome = safety(&assumed, &[Bad::Divergence, Bad::Deadlock]);
    assert_eq!(outcome.answers, [Answer::Clear, Answer::Clear]);
}

#[test]
fn a_choice_that_can_leave_a_loop_does_so_in_the_end() {
    for can_leave in [true, false] {
        let program = region(|program, process, open, inner| {
            let x = flag(program, "x");
            let mut chooses = step(inner, inner);
            chooses.body = vec![Stmt::Choose(Choice {
                place: Place::global(x),
                set: ValueSet::All(Type::Bool),
                sample: None,
                what: "x".into(),
            })];
            process.add_step(chooses);
            if can_leave {
                process.add_step(step(inner, open));
            }
        });
        let outcome = safety(&program, &[Bad::Divergence]);
        if can_leave {
            assert_eq!(outcome.answers[0], Answer::Clear);
        } else {
            violated(&program, &outcome.answers[0]);
        }
    }
}

#[test]
fn a_long_region_is_not_known_when_the_budget_is_short() {
    let program = region(|program, process, open, inner| {
        let n = range(program, "n", 10_000);
        let most = number(program, 10_000);
        let now = load(program, n);
        let mut counts = step(inner, inner);
        counts.guard = Some(program.exprs.binary(Binary::Lt, now, most));
        counts.body = vec![add(program, n, 1)];
        process.add_step(counts);
        let mut leaves = step(inner, open);
        leaves.rank = 1;
        process.add_step(leaves);
    });
    let job = SafetyJob {
        program: &program,
        bads: &[Bad::Divergence],
        watch: &[],
        exchange: Exchange::default(),
    };
    let outcome = explore(&job, &ONE, &Budget::default(), &Silent);
    assert_eq!(outcome.answers[0], Answer::Clear);
    let budget = Budget {
        micro_steps: 1_000,
        ..Budget::default()
    };
    let outcome = explore(&job, &ONE, &budget, &Silent);
    assert_eq!(
        outcome.answers[0],
        Answer::Unknown(UnknownReason::StepBudget)
    );
}
