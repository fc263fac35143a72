//! What a move does beyond its statements: faults and their aftermath, asking who else can move,
//! and the same answers from several threads.

use explicit::{Answer, Exchange, Options, SafetyJob, explore};
use model::interp::{Interp, Violation};
use model::*;

use crate::build::*;

#[test]
fn a_fault_keeps_its_effects_and_goes_to_the_aftermath() {
    let mut program = Program::new("fault", "none");
    let fault = program.add_fault(Fault {
        name: "math".into(),
        message: "division".into(),
    });
    program.division_fault = Some(fault);
    let (x, y) = (range(&mut program, "x", 5), range(&mut program, "y", 5));
    let mut process = Process::new("p");
    let (a, b) = (
        location(&mut process, Mode::Open),
        location(&mut process, Mode::Open),
    );
    process.locations[b.index()].end = true;
    process.on_fault = Some(b);
    let mut divides = step(a, a);
    let (now, one) = (load(&mut program, y), number(&mut program, 1));
    let quotient = program
        .exprs
        .add(Expr::Binary(Binary::Div, one, now), Type::Mathint);
    divides.body = vec![
        add(&mut program, x, 1),
        Stmt::Assign(Place::global(y), quotient),
        add(&mut program, x, 1),
    ];
    process.add_step(divides);
    start(&mut program, process, 1);
    let now = load(&mut program, x);
    let two = number(&mut program, 2);
    let both = program.exprs.binary(Binary::Le, two, now);
    let once = program.exprs.binary(Binary::Eq, one, now);
    let bads = [
        Bad::Fault(vec![fault]),
        Bad::State(both),
        Bad::State(once),
        Bad::Deadlock,
    ];
    let outcome = safety(&program, &bads);
    let trace = violated(&program, &outcome.answers[0]);
    let replay = Interp::new(&program).replay(&trace).unwrap();
    let seen = replay.steps[0]
        .occurrences
        .iter()
        .filter_map(|o| o.violation())
        .next();
    assert_eq!(seen, Some(Violation::Fault(fault)));
    assert_eq!(outcome.answers[1], Answer::Clear);
    violated(&program, &outcome.answers[2]);
    assert_eq!(outcome.answers[3], Answer::Clear);
}

#[test]
fn several_scouts_give_the_answers_of_one() {
    // Three counters that may go up or start again: 17^3 states, one of them forbidden.
    let mut program = Program::new("counters", "none");
    let mut sum = number(&mut program, 0);
    for name in ["a", "b", "c"] {
        let x = range(&mut program, name, 16);
        let now = load(&mut program, x);
        let most = number(&mut program, 16);
        let mut process = Process::new(name);
        let a = location(&mut process, Mode::Open);
        let mut up = step(a, a);
        up.guard = Some(program.exprs.binary(Binary::Lt, now, most));
        up.body = vec![add(&mut program, x, 1)];
        process.add_step(up);
        let mut again = step(a, a);
        let zero = number(&mut program, 0);
        again.body = vec![Stmt::Assign(Place::global(x), zero)];
        process.add_step(again);
        start(&mut program, process, 1);
        sum = program
            .exprs
            .add(Expr::Binary(Binary::Add, sum, now), Type::Mathint);
    }
    let all = number(&mut program, 48);
    let top = program.exprs.binary(Binary::Eq, sum, all);
    let beyond = program.exprs.binary(Binary::Lt, all, sum);
    let bads = [Bad::State(beyond), Bad::State(top), Bad::Deadlock];
    let job = SafetyJob {
        program: &program,
        bads: &bads,
        watch: &[top, beyond],
        exchange: Exchange::default(),
    };
    let one = explore(&job, &ONE, &Budget::default(), &Silent);
    assert_eq!(one.statistics.states, 17 * 17 * 17);
    assert_eq!(one.statistics.depth, 48);
    assert_eq!(violated(&program, &one.answers[1]).steps.len(), 48);
    for jobs in [2, 3] {
        let several = explore(&job, &Options::with_jobs(jobs), &Budget::default(), &Silent);
        assert_eq!(several.answers, one.answers);
        assert_eq!(several.watched, [true, false]);
        assert_eq!(several.statistics.states, one.statistics.states);
        assert_eq!(several.statistics.transitions, one.statistics.transitions);
    }
}

#[test]
fn whether_another_can_move_is_asked_in_the_middle_of_a_move() {
    // The first may go while the second cannot; `timeout` comes when neither can.
    let mut program = Program::new("enabled", "none");
    let x = flag(&mut program, "x");
    let timed_out = flag(&mut program, "timed out");
    let mut first = Process::new("first");
    let (a, b) = (
        location(&mut first, Mode::Open),
        location(&mut first, Mode::Open),
    );
    let mut waits = step(a, b);
    let other = program.exprs.int(1, Type::Instance);
    let enabled = program.exprs.add(Expr::Enabled(other), Type::Bool);
    waits.guard = Some(program.exprs.not(enabled));
    first.add_step(waits);
    let mut timeout = step(b, b);
    timeout.guard = Some(program.exprs.add(Expr::NothingEnabled, Type::Bool));
    timeout.body = vec![set(&mut program, timed_out, true)];
    first.add_step(timeout);
    let first = start(&mut program, first, 1);
    let mut second = Process::new("second");
    let c = location(&mut second, Mode::Open);
    let mut once = step(c, c);
    let is_set = load(&mut program, x);
    once.guard = Some(program.exprs.not(is_set));
    once.body = vec![set(&mut program, x, true)];
    second.add_step(once);
    start(&mut program, second, 1);
    let gone = at(&mut program, 0, first, b);
    let not_set = program.exprs.not(is_set);
    let too_early = program.exprs.and(gone, not_set);
    let late = load(&mut program, timed_out);
    let bads = [Bad::State(too_early), Bad::Deadlock, Bad::State(late)];
    let outcome = safety(&program, &bads);
    assert_eq!(outcome.answers[..2], [Answer::Clear, Answer::Clear]);
    let Answer::Violated(trace) = &outcome.answers[2] else {
        panic!("{:?}", outcome.answers[2]);
    };
    assert_eq!(trace.steps.len(), 3);
}

#[test]
fn what_a_step_says_of_itself_is_forgotten_before_another_ends() {
    // Two say each in a variable of the step that it was theirs; they never say so in one step, also
    // where it is asked besides whether one of them can move.
    let mut program = Program::new("steps", "none");
    let mut says = Vec::new();
    for name in ["first", "second"] {
        let mut variable = Variable::new(name, Type::Bool);
        variable.kind = VariableKind::Step;
        let said = program.add_global(variable);
        let count = range(&mut program, &format!("{name} count"), 3);
        let mut process = Process::new(name);
        let here = location(&mut process, Mode::Open);
        let mut speaks = step(here, here);
        let (now, three) = (load(&mut program, count), number(&mut program, 3));
        speaks.guard = Some(program.exprs.binary(Binary::Lt, now, three));
        speaks.body = vec![set(&mut program, said, true), add(&mut program, count, 1)];
        process.add_step(speaks);
        start(&mut program, process, 1);
        says.push(load(&mut program, said));
    }
    let other = program.exprs.int(0, Type::Instance);
    let enabled = program.exprs.add(Expr::Enabled(other), Type::Bool);
    let both = program.exprs.binary(Binary::And, says[0], says[1]);
    let both = program.exprs.binary(Binary::And, both, enabled);
    let one = program.exprs.binary(Binary::And, says[1], enabled);
    let outcome = safety(&program, &[Bad::State(both), Bad::State(one)]);
    assert_eq!(outcome.answers[0], Answer::Clear);
    assert_eq!(violated(&program, &outcome.answers[1]).steps.len(), 1);
    assert_eq!(outcome.statistics.states, 16);
}
