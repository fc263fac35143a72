//! Corners: questions about questions, faults where nobody should look, states that do not exist.

use model::interp::{Interp, ReplayError, Violation};
use model::{
    Binary, Channel, Check, Choice, Comm, Composition, Expr, Fault, IdPolicy, Move, Pattern, Place,
    Process, Stmt, Trace, Type, Value, ValueSet,
};
use source::Span;

use crate::build::{Build, Control, explore, rows};

fn division(build: &mut Build) -> model::FaultId {
    let fault = build.program.add_fault(Fault {
        name: "division".into(),
        message: "division by zero".into(),
    });
    build.program.division_fault = Some(fault);
    fault
}

/// `1 / 0`
fn faulty(build: &mut Build) -> model::ExprId {
    let (one, zero) = (build.int(1), build.int(0));
    build.program.exprs.binary(Binary::Div, one, zero)
}

/// Two processes that each go on if the other can: neither takes the other's question for an
/// answer. A third asks about both, from outside of that.
#[test]
fn enabledness_that_depends_on_enabledness_is_not_there() {
    let mut build = Build::new();
    let x = build.global("x", Type::INT32);
    let enabled = |build: &mut Build, number: i128| {
        let number = build.int(number);
        build.program.exprs.add(Expr::Enabled(number), Type::Bool)
    };
    for other in [1, 0] {
        let asks = enabled(&mut build, other);
        let mut process = Process::new("asks");
        let a = process.open("a");
        process.guarded(a, a, asks, vec![build.set(x, 1)]);
        build.run(process);
    }
    // Says no to a question that is being asked: so it can go on when it is asked about.
    let mut process = Process::new("denies");
    let a = process.open("a");
    let asks = enabled(&mut build, 2);
    let denies = build.program.exprs.not(asks);
    process.guarded(a, a, denies, vec![build.set(x, 2)]);
    build.run(process);

    let interp = Interp::new(&build.program);
    assert_eq!(build.reachable(&[x]), rows(&[[0]]));
    let (_, first) = interp.initial().expect("small").remove(0);
    let holds = |build: &mut Build, number| {
        let asked = enabled(build, number);
        Interp::new(&build.program).holds(&first, asked)
    };
    assert_eq!(holds(&mut build, 0), Ok(false));
    assert_eq!(holds(&mut build, 2), Ok(true));
}

#[test]
fn anybody_somewhere_and_the_first_of_a_kind() {
    let mut build = Build::new();
    build.program.composition = Composition::Interleaving {
        ids: IdPolicy::Stack,
    };
    let last = build.global("last", Type::INT32);
    build.program.leaver = Some(last);
    let mut other = Process::new("other");
    let a = other.open("a");
    other.end(a, vec![]);
    build.run(other);
    let mut worker = Process::new("worker");
    let [a, b] = [worker.open("a"), worker.open("b")];
    worker.edge(a, b, vec![]);
    worker.end(b, vec![]);
    let worker = build.run(worker);
    build.program.start.push(model::Start {
        process: worker,
        args: vec![],
    });
    let places = Expr::AnyAt(vec![(worker, b)]);
    let any = build.program.exprs.add(places, Type::Bool);
    let first = build.program.exprs.add(Expr::First(worker), Type::INT32);

    let interp = Interp::new(&build.program);
    let states = explore(&interp);
    for state in &states {
        let at = |number| {
            let instance: Option<&model::interp::Instance> = state.instance(number);
            instance.is_some_and(|i| i.process == worker && i.location == Some(b))
        };
        assert_eq!(interp.holds(state, any), Ok(at(1) || at(2)));
        let expected = if state.instance(1).is_some() { 1 } else { -1 };
        assert_eq!(interp.value(state, first), Some(Value::Int(expected)));
    }
    let left: std::collections::BTreeSet<(usize, i128)> = states
        .iter()
        .map(|s| (s.living().count(), s.globals[last.index()].number()))
        .collect();
    assert_eq!(left, [(3, 0), (2, 2), (1, 1), (0, 0)].into());
}

#[test]
fn those_who_do_not_mean_the_same_channel_do_not_meet() {
    let mut build = Build::new();
    let x = build.global("x", Type::INT32);
    let fault = division(&mut build);
    let bad = faulty(&mut build);
    let value = build.int(4);
    let mut reference = || {
        let id = build.program.add_channel(Channel {
            name: "ch".into(),
            capacity: Some(0),
            fields: vec![Type::INT32],
            from_start: true,
            owner: None,
        });
        build.program.exprs.int(i128::from(id.0) + 1, Type::Channel)
    };
    let (one, other) = (reference(), reference());
    let mut comm = |name: &str, comm: Comm| {
        let mut process = Process::new(name);
        let [a, b] = [process.open("a"), process.open("b")];
        let step = process.edge(a, b, vec![]);
        process.with(step, |step| step.comm = Some(comm));
        build.run(process);
    };
    let send = |channel, value| Comm::Send {
        channel,
        message: vec![value],
        sorted: false,
        lossy: false,
    };
    let receive = |channel| Comm::Receive {
        channel,
        patterns: vec![Pattern::Bind(Place::global(x))],
        anywhere: false,
        keep: false,
    };
    comm("never computed", send(one, bad));
    comm("sends", send(other, value));
    comm("receives", receive(other));
    assert_eq!(build.reachable(&[x]), rows(&[[0], [4]]));
    let interp = Interp::new(&build.program);
    for state in explore(&interp) {
        let expansion = interp.expand(&state).expect("small");
        assert!(
            !expansion
                .violations
                .iter()
                .any(|(v, _)| *v == Violation::Fault(fault))
        );
    }
}

/// The choices of a move end where it faults: replay accepts what exploration finds.
#[test]
fn a_choice_that_faults_takes_no_value() {
    let mut build = Build::new();
    let x = build.global("x", Type::INT32);
    let fault = division(&mut build);
    let bad = faulty(&mut build);
    let (one, two) = (build.int(1), build.int(2));
    let choice = |set| {
        Stmt::Choose(Choice {
            place: Place::global(x),
            set,
            sample: None,
            what: "x".into(),
            outside: None,
        })
    };
    let mut process = Process::new("p");
    let [a, b] = [process.open("a"), process.open("b")];
    process.edge(
        a,
        b,
        vec![
            choice(ValueSet::Between(one, two)),
            choice(ValueSet::Union(vec![
                ValueSet::One(one),
                ValueSet::One(bad),
            ])),
        ],
    );
    build.run(process);
    let interp = Interp::new(&build.program);
    let (_, first) = interp.initial().expect("small").remove(0);
    let violations = interp.expand(&first).expect("small").violations;
    assert_eq!(violations.len(), 2);
    for (violation, step) in violations {
        assert_eq!(violation, Violation::Fault(fault));
        let mut trace = Trace {
            initial: vec![],
            steps: vec![step],
            loop_start: None,
        };
        let replay = interp.replay(&trace).expect("it is a run");
        assert_eq!(replay.steps.len(), 1);
        let moves: &mut Vec<Move> = &mut trace.steps[0].moves;
        moves[0].choices.push(Value::Int(1));
        assert!(matches!(
            interp.replay(&trace),
            Err(ReplayError::Move { .. })
        ));
    }
}

/// A macro step that ends in a state that does not exist is none: what fails in it does not fail.
#[test]
fn nothing_fails_on_the_way_to_a_state_that_does_not_exist() {
    let mut build = Build::new();
    let x = build.global("x", Type::INT32);
    let check = build.program.add_check(Check {
        name: "never".into(),
        failure: String::new(),
        span: Span::NONE,
    });
    let wrong = build.program.exprs.bool(false);
    let fails = Stmt::Assert {
        cond: wrong,
        check,
        span: Span::NONE,
    };
    let small = build.compare(Binary::Lt, x, 2);
    build.program.state_constraint.push(small);
    let mut process = Process::new("p");
    let a = process.open("a");
    process.edge(a, a, vec![build.set(x, 1), fails.clone()]);
    process.edge(a, a, vec![build.set(x, 2), fails]);
    build.run(process);
    let interp = Interp::new(&build.program);
    let (_, first) = interp.initial().expect("small").remove(0);
    let expansion = interp.expand(&first).expect("small");
    assert_eq!(expansion.successors.len(), 1);
    assert_eq!(expansion.violations.len(), 1);
    let (violation, step) = &expansion.violations[0];
    assert_eq!(*violation, Violation::Check(check));
    let (replayed, complete) = interp.replay_step(0, &first, step).expect("it is a step");
    assert!(complete);
    assert_eq!(replayed.state.globals[x.index()], Value::Int(1));
}
