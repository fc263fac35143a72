//! Regions: code that runs within one macro step, and may never leave it.

use explicit::{Answer, Exchange, Options, SafetyJob, SearchOrder, explore};
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
                outside: None,
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
    for order in [SearchOrder::BreadthFirst, SearchOrder::DepthFirst] {
        let options = Options { order, ..ONE };
        let outcome = explore(&job, &options, &Budget::default(), &Silent);
        assert_eq!(outcome.answers[0], Answer::Clear);
        let budget = Budget {
            micro_steps: 1_000,
            ..Budget::default()
        };
        let outcome = explore(&job, &options, &budget, &Silent);
        assert_eq!(
            outcome.answers[0],
            Answer::Unknown(UnknownReason::StepBudget)
        );
    }
}

#[test]
fn whoever_is_left_inside_goes_on_with_what_it_touches() {
    // Both go into regions at a rendezvous. The receiver goes on first, and the sender then changes
    // what the receiver has read, by what a third changes meanwhile.
    let mut program = Program::new("inside", "none");
    let [a, b, c] = ["a", "b", "c"].map(|name| range(&mut program, name, 2));
    let meets = meeting(&mut program);
    for (number, (comm, (to, from))) in meets.into_iter().zip([(b, a), (c, b)]).enumerate() {
        let mut process = Process::new(format!("process {number}"));
        let open = location(&mut process, Mode::Open);
        let inner = location(&mut process, Mode::Region);
        let mut meet = step(open, inner);
        meet.comm = Some(comm);
        process.add_step(meet);
        let mut goes_on = step(inner, open);
        let value = load(&mut program, from);
        goes_on.body = vec![Stmt::Assign(Place::global(to), value)];
        process.add_step(goes_on);
        start(&mut program, process, 1);
    }
    let mut third = Process::new("third");
    let here = location(&mut third, Mode::Open);
    let mut counts = step(here, here);
    let three = number(&mut program, 3);
    let [now, one] = [load(&mut program, a), number(&mut program, 1)];
    let more = program
        .exprs
        .add(Expr::Binary(Binary::Add, now, one), Type::Mathint);
    let value = program
        .exprs
        .add(Expr::Binary(Binary::Rem, more, three), Type::Mathint);
    counts.body = vec![Stmt::Assign(Place::global(a), value)];
    third.add_step(counts);
    start(&mut program, third, 1);
    // The receiver would have what the sender has just written, if it went on last.
    let [last, middle] = [load(&mut program, c), load(&mut program, b)];
    let zero = number(&mut program, 0);
    let is_fresh = program.exprs.binary(Binary::Eq, last, middle);
    let is_some = program.exprs.binary(Binary::Lt, zero, last);
    let same = program.exprs.binary(Binary::And, is_fresh, is_some);
    let outcome = safety(&program, &[Bad::Divergence, Bad::State(same)]);
    assert_eq!(outcome.answers[0], Answer::Clear);
    assert_eq!(outcome.statistics.states, 27, "all values of the three");
    assert_eq!(violated(&program, &outcome.answers[1]).steps.len(), 3);
}

#[test]
fn whoever_a_fault_leaves_where_it_was_goes_on_if_it_is_atomic() {
    // The sender fails before the receiver has made its part. The receiver is in an atomic sequence
    // that it could not go on with when it came there, but can now.
    let mut program = Program::new("aftermath", "none");
    let fault = program.add_fault(Fault {
        name: "math".into(),
        message: "division".into(),
    });
    program.division_fault = Some(fault);
    let [may_meet, may_go_on] = ["x", "z"].map(|name| flag(&mut program, name));
    let y = range(&mut program, "y", 1);
    let [send, receive] = meeting(&mut program);
    let mut sender = Process::new("sender");
    let here = location(&mut sender, Mode::Open);
    let failed = location(&mut sender, Mode::Open);
    sender.on_fault = Some(failed);
    let mut sends = step(here, here);
    sends.guard = Some(load(&mut program, may_meet));
    sends.comm = Some(send);
    let [one, now] = [number(&mut program, 1), load(&mut program, y)];
    let value = program
        .exprs
        .add(Expr::Binary(Binary::Div, one, now), Type::Mathint);
    sends.body = vec![Stmt::Assign(Place::global(y), value)];
    sender.add_step(sends);
    let sender = start(&mut program, sender, 1);
    let mut receiver = Process::new("receiver");
    let [open, end] = [(); 2].map(|()| location(&mut receiver, Mode::Open));
    let waits = location(&mut receiver, Mode::Atomic);
    receiver.add_step(step(open, waits));
    let mut receives = step(waits, end);
    receives.comm = Some(receive);
    receiver.add_step(receives);
    let mut goes_on = step(waits, end);
    goes_on.guard = Some(load(&mut program, may_go_on));
    receiver.add_step(goes_on);
    let receiver = start(&mut program, receiver, 1);
    let mut third = Process::new("third");
    let [before, behind] = [(); 2].map(|()| location(&mut third, Mode::Open));
    for lets_go_on in [false, true] {
        let mut lets = step(before, behind);
        lets.body = vec![
            set(&mut program, may_meet, true),
            set(&mut program, may_go_on, lets_go_on),
        ];
        third.add_step(lets);
    }
    start(&mut program, third, 1);
    let failed = at(&mut program, 0, sender, failed);
    let waiting = at(&mut program, 1, receiver, waits);
    let left = program.exprs.binary(Binary::And, failed, waiting);
    let might = load(&mut program, may_go_on);
    let left_wrongly = program.exprs.binary(Binary::And, left, might);
    let bads = [left_wrongly, left, failed].map(Bad::State);
    let outcome = safety(&program, &bads);
    assert_eq!(outcome.answers[0], Answer::Clear);
    violated(&program, &outcome.answers[1]);
    violated(&program, &outcome.answers[2]);
}
