//! Small programs built by hand, each for one thing the engine must get right.

use explicit::{
    Answer, LivenessJob, Options, SafetyJob, SafetyOutcome, accepted_run, explore, stable_states,
};
use logic::{Buchi, BuchiState, Cube, Edge};
use model::interp::{Interp, Violation};
use model::*;
use source::Span;

const ONE: Options = Options::with_jobs(1);

/// A step that is worked on before it is added.
fn step(from: LocId, to: LocId) -> Step {
    Step::new(from, to, Span::NONE)
}

fn location(process: &mut Process, mode: Mode) -> LocId {
    let name = format!("l{}", process.locations.len());
    process.add_location(name, mode, Span::NONE)
}

fn flag(program: &mut Program, name: &str) -> GlobalId {
    program.add_global(Variable::new(name, Type::Bool))
}

fn range(program: &mut Program, name: &str, hi: i64) -> GlobalId {
    program.add_global(Variable::new(name, Type::Range { lo: 0, hi }))
}

fn load(program: &mut Program, global: GlobalId) -> ExprId {
    let ty = program.globals[global.index()].ty.clone();
    program.exprs.load(Place::global(global), ty)
}

fn number(program: &mut Program, n: i128) -> ExprId {
    program.exprs.int(n, Type::Mathint)
}

/// `global := global + n`
fn add(program: &mut Program, global: GlobalId, n: i128) -> Stmt {
    let (now, n) = (load(program, global), number(program, n));
    let sum = program
        .exprs
        .add(Expr::Binary(Binary::Add, now, n), Type::Mathint);
    Stmt::Assign(Place::global(global), sum)
}

fn set(program: &mut Program, global: GlobalId, value: bool) -> Stmt {
    Stmt::Assign(Place::global(global), program.exprs.bool(value))
}

fn at(program: &mut Program, instance: i128, process: ProcessId, location: LocId) -> ExprId {
    let instance = program.exprs.int(instance, Type::Instance);
    program.exprs.add(
        Expr::At {
            instance,
            process,
            location,
        },
        Type::Bool,
    )
}

fn start(program: &mut Program, process: Process, copies: usize) -> ProcessId {
    let process = program.add_process(process);
    for _ in 0..copies {
        program.start.push(Start {
            process,
            args: Vec::new(),
        });
    }
    process
}

fn safety(program: &Program, bads: &[Bad]) -> SafetyOutcome {
    let job = SafetyJob {
        program,
        bads,
        watch: &[],
    };
    explore(&job, &ONE, &Budget::default(), &Silent)
}

/// The trace of an answer, which the interpreter accepts.
fn violated(program: &Program, answer: &Answer) -> Trace {
    let Answer::Violated(trace) = answer else {
        panic!("expected a violation, got {answer:?}");
    };
    Interp::new(program)
        .replay(trace)
        .unwrap_or_else(|error| panic!("{error}: {trace:?}"));
    trace.clone()
}

/// The automaton of "never again, from some point on": accepts `eventually always not atom`.
fn finally_never(atom: ExprId) -> Buchi<ExprId> {
    let no = Cube::literal(0, false);
    let edge = |label, target, accepting| Edge {
        label,
        target: BuchiState(target),
        accepting,
    };
    Buchi {
        atoms: vec![atom],
        initial: BuchiState(0),
        edges: vec![
            vec![edge(Cube::TRUE, 0, false), edge(no, 1, false)],
            vec![edge(no, 1, true)],
        ],
    }
}

fn liveness(program: &Program, automaton: &Buchi<ExprId>) -> Answer {
    let job = LivenessJob {
        program,
        automaton,
        watch: &[],
    };
    accepted_run(&job, &ONE, &Budget::default(), &Silent).answer
}

/// Peterson's algorithm for two; says where the critical section is.
fn peterson(careless: bool) -> (Program, [ProcessId; 2], LocId) {
    let mut program = Program::new("peterson", "none");
    let wants = [flag(&mut program, "wants 0"), flag(&mut program, "wants 1")];
    let turn = flag(&mut program, "turn");
    let mut critical = LocId(0);
    let mut ids = Vec::new();
    for me in 0..2 {
        let mut process = Process::new("peterson");
        let locations: Vec<LocId> = (0..4).map(|_| location(&mut process, Mode::Open)).collect();
        critical = locations[3];
        let mut want = step(locations[0], locations[1]);
        want.body = vec![set(&mut program, wants[me], true)];
        let mut yields = step(locations[1], locations[2]);
        yields.body = vec![set(&mut program, turn, me == 0)];
        let mut enter = step(locations[2], locations[3]);
        let other = load(&mut program, wants[1 - me]);
        let other = program.exprs.not(other);
        let mut mine = load(&mut program, turn);
        if me == 0 {
            mine = program.exprs.not(mine);
        }
        enter.guard = if careless {
            None
        } else {
            Some(program.exprs.or(other, mine))
        };
        let mut leave = step(locations[3], locations[0]);
        leave.body = vec![set(&mut program, wants[me], false)];
        for step in [want, yields, enter, leave] {
            process.add_step(step);
        }
        ids.push(start(&mut program, process, 1));
    }
    (program, [ids[0], ids[1]], critical)
}

#[test]
fn peterson_excludes_and_the_careless_version_does_not() {
    for careless in [false, true] {
        let (mut program, [p, q], critical) = peterson(careless);
        let (a, b) = (
            at(&mut program, 0, p, critical),
            at(&mut program, 1, q, critical),
        );
        let both = program.exprs.and(a, b);
        let outcome = safety(&program, &[Bad::State(both), Bad::Deadlock]);
        assert_eq!(outcome.answers[1], Answer::Clear);
        if careless {
            assert_eq!(violated(&program, &outcome.answers[0]).steps.len(), 6);
        } else {
            assert_eq!(outcome.answers[0], Answer::Clear);
        }
    }
}

#[test]
fn peterson_lets_everyone_in_if_the_processes_are_fair() {
    let (mut program, [p, q], critical) = peterson(false);
    let inside = at(&mut program, 0, p, critical);
    let automaton = finally_never(inside);
    let trace = violated(&program, &liveness(&program, &automaton));
    assert!(trace.loop_start.is_some());
    for process in [p, q] {
        let steps = program.processes[process.index()].steps.len();
        program.fairness.push(Fairness {
            name: "the process goes on".into(),
            kind: FairnessKind::Weak((0..steps).map(|s| (process, StepId::new(s))).collect()),
            assumption: None,
        });
    }
    assert_eq!(liveness(&program, &automaton), Answer::Clear);
}

/// Instances of one process that each go round for ever, and one that ends.
fn rounds(copies: usize) -> (Program, ProcessId, LocId) {
    let mut program = Program::new("rounds", "none");
    let mut process = Process::new("round");
    let (a, b) = (
        location(&mut process, Mode::Open),
        location(&mut process, Mode::Open),
    );
    process.add_step(step(a, b));
    process.add_step(step(b, a));
    let process = start(&mut program, process, copies);
    let mut once = Process::new("once");
    let (c, d) = (
        location(&mut once, Mode::Open),
        location(&mut once, Mode::Open),
    );
    once.add_step(step(c, d));
    start(&mut program, once, 1);
    (program, process, b)
}

#[test]
fn weak_fairness_of_instances_is_for_each_of_them_and_asks_nothing_of_the_ended() {
    let (mut program, process, b) = rounds(2);
    let second = at(&mut program, 1, process, b);
    let automaton = finally_never(second);
    violated(&program, &liveness(&program, &automaton));
    // To be fair to the process as such leaves one instance to do all.
    program.fairness.push(Fairness {
        name: "someone goes on".into(),
        kind: FairnessKind::Weak(vec![(process, StepId(0)), (process, StepId(1))]),
        assumption: None,
    });
    violated(&program, &liveness(&program, &automaton));
    program.assume_weak_fairness();
    assert_eq!(liveness(&program, &automaton), Answer::Clear);
    // There are fair runs, with the third instance ended.
    let trace = violated(&program, &liveness(&program, &Buchi::universal()));
    let interp = Interp::new(&program);
    let replay = interp.replay(&trace).unwrap();
    assert_eq!(interp.unfairness(&trace, &replay), Ok(None));
    // A run in which only the first goes round is not one of them.
    program.fairness.remove(1);
    let trace = violated(&program, &liveness(&program, &automaton));
    program.assume_weak_fairness();
    let interp = Interp::new(&program);
    let replay = interp.replay(&trace).unwrap();
    assert_eq!(interp.unfairness(&trace, &replay), Ok(Some(1)));
}

#[test]
fn every_kind_of_automaton_is_searched_right_by_one_and_by_two() {
    let (mut program, process, b) = rounds(2);
    let (p, q) = (
        at(&mut program, 0, process, b),
        at(&mut program, 1, process, b),
    );
    let both = program.exprs.binary(Binary::And, p, q);
    let never = program.exprs.bool(false);
    let lit = |index, value| Cube::literal(index, value);
    let edge = |label, target, accepting| Edge {
        label,
        target: BuchiState(target),
        accepting,
    };
    // A chain of states that count how often an atom was seen, and what accepts at its end.
    let chain = |length: u32, atoms: Vec<ExprId>, last: Vec<Edge>| {
        let mut edges: Vec<Vec<Edge>> = (0..length)
            .map(|at| {
                vec![
                    edge(lit(0, false), at, false),
                    edge(lit(0, true), at + 1, false),
                ]
            })
            .collect();
        edges.push(last);
        Buchi {
            atoms,
            initial: BuchiState(0),
            edges,
        }
    };
    let cases = [
        // Terminal: a prefix decides; seven sets of eight states are more than one byte.
        (chain(3, vec![both], vec![edge(Cube::TRUE, 3, true)]), true),
        (chain(50, vec![p], vec![edge(Cube::TRUE, 50, true)]), true),
        (
            chain(3, vec![never], vec![edge(Cube::TRUE, 3, true)]),
            false,
        ),
        // Weak: then for ever not.
        (chain(9, vec![p], vec![edge(lit(0, false), 9, true)]), true),
        (chain(1, vec![p], vec![edge(lit(0, true), 1, true)]), true),
        // General: both again and again, and each again and again but never together.
        (
            Buchi {
                atoms: vec![p, q],
                initial: BuchiState(0),
                edges: vec![
                    vec![edge(lit(0, false), 0, false), edge(lit(0, true), 1, false)],
                    vec![edge(lit(1, false), 1, false), edge(lit(1, true), 0, true)],
                ],
            },
            true,
        ),
        (
            Buchi {
                atoms: vec![p, never],
                initial: BuchiState(0),
                edges: vec![
                    vec![edge(lit(0, false), 0, false), edge(lit(0, true), 1, false)],
                    vec![edge(lit(1, false), 1, false), edge(lit(1, true), 0, true)],
                ],
            },
            false,
        ),
    ];
    for (number, (automaton, accepted)) in cases.iter().enumerate() {
        let job = LivenessJob {
            program: &program,
            automaton,
            watch: &[],
        };
        let mut states = Vec::new();
        for jobs in [1, 2] {
            let options = Options::with_jobs(jobs);
            let outcome = accepted_run(&job, &options, &Budget::default(), &Silent);
            if *accepted {
                let trace = violated(&program, &outcome.answer);
                assert!(trace.loop_start.is_some(), "case {number}");
            } else {
                assert_eq!(outcome.answer, Answer::Clear, "case {number}");
                states.push(outcome.statistics.states);
            }
        }
        assert!(states.windows(2).all(|pair| pair[0] == pair[1]));
    }
}

#[test]
fn strong_fairness_serves_whom_weak_fairness_forgets() {
    // A door opens and closes for ever; someone may go in while it is open.
    for strong in [false, true] {
        let mut program = Program::new("door", "none");
        let open = flag(&mut program, "open");
        let inside = flag(&mut program, "inside");
        let mut door = Process::new("door");
        let (a, b) = (
            location(&mut door, Mode::Open),
            location(&mut door, Mode::Open),
        );
        let mut opens = step(a, b);
        opens.body = vec![set(&mut program, open, true)];
        let mut closes = step(b, a);
        closes.body = vec![set(&mut program, open, false)];
        door.add_step(opens);
        door.add_step(closes);
        start(&mut program, door, 1);
        let mut guest = Process::new("guest");
        let (c, d) = (
            location(&mut guest, Mode::Open),
            location(&mut guest, Mode::Open),
        );
        let mut enters = step(c, d);
        enters.guard = Some(load(&mut program, open));
        enters.body = vec![set(&mut program, inside, true)];
        guest.add_step(enters);
        let guest = start(&mut program, guest, 1);
        let steps = vec![(guest, StepId(0))];
        let kind = if strong {
            FairnessKind::Strong(steps)
        } else {
            FairnessKind::Weak(steps)
        };
        program.fairness.push(Fairness {
            name: "guest".into(),
            kind,
            assumption: None,
        });
        let atom = load(&mut program, inside);
        let answer = liveness(&program, &finally_never(atom));
        if strong {
            assert_eq!(answer, Answer::Clear);
        } else {
            let trace = violated(&program, &answer);
            assert_eq!(trace.steps.len(), 2, "opens, closes, opens, closes, ...");
        }
    }
}

#[test]
fn a_bounded_buffer_keeps_its_order_and_its_bound() {
    let mut program = Program::new("buffer", "none");
    let small = Type::Range { lo: 0, hi: 2 };
    let buffer = program.add_channel(Channel {
        name: "buffer".into(),
        capacity: Some(2),
        fields: vec![small.clone()],
        from_start: true,
        owner: None,
    });
    let channel = program.exprs.int(i128::from(buffer.0) + 1, Type::Channel);
    let (sent, got) = (
        range(&mut program, "sent", 2),
        range(&mut program, "got", 2),
    );
    let check = program.add_check(Check {
        name: "order".into(),
        failure: "?".into(),
        span: Span::NONE,
    });
    let three = number(&mut program, 3);
    let next = |program: &mut Program, global| {
        let now = load(program, global);
        let one = number(program, 1);
        let more = program
            .exprs
            .add(Expr::Binary(Binary::Add, now, one), Type::Mathint);
        program
            .exprs
            .add(Expr::Binary(Binary::Rem, more, three), Type::Mathint)
    };
    let mut producer = Process::new("producer");
    let a = location(&mut producer, Mode::Open);
    let mut send = step(a, a);
    let message = load(&mut program, sent);
    send.comm = Some(Comm::Send {
        channel,
        message: vec![message],
        sorted: false,
        lossy: false,
    });
    let value = next(&mut program, sent);
    send.body = vec![Stmt::Assign(Place::global(sent), value)];
    producer.add_step(send);
    start(&mut program, producer, 1);
    let mut consumer = Process::new("consumer");
    consumer.locals = vec![Variable::new("item", small.clone())];
    let b = location(&mut consumer, Mode::Open);
    let mut receive = step(b, b);
    receive.comm = Some(Comm::Receive {
        channel,
        patterns: vec![Pattern::Bind(Place::own(0))],
        anywhere: false,
        keep: false,
    });
    let item = program.exprs.load(Place::own(0), small);
    let wanted = load(&mut program, got);
    let cond = program.exprs.binary(Binary::Eq, item, wanted);
    let value = next(&mut program, got);
    let zero = number(&mut program, 0);
    receive.body = vec![
        Stmt::Assert {
            cond,
            check,
            span: Span::NONE,
        },
        Stmt::Assign(Place::global(got), value),
        Stmt::Assign(Place::own(0), zero),
    ];
    consumer.add_step(receive);
    start(&mut program, consumer, 1);
    let length = program.exprs.add(Expr::ChannelLen(channel), Type::Mathint);
    let two = number(&mut program, 2);
    let over = program.exprs.binary(Binary::Lt, two, length);
    let full = program.exprs.binary(Binary::Eq, two, length);
    let bads = [
        Bad::Check(check),
        Bad::State(over),
        Bad::Deadlock,
        Bad::State(full),
    ];
    let outcome = safety(&program, &bads);
    assert_eq!(
        outcome.answers[..3],
        [Answer::Clear, Answer::Clear, Answer::Clear]
    );
    assert_eq!(violated(&program, &outcome.answers[3]).steps.len(), 2);
    assert_eq!(
        outcome.statistics.states, 9,
        "what was sent last, and how much waits"
    );
}

#[test]
fn a_rendezvous_hands_over_and_a_region_runs_to_its_end() {
    // A client asks, and a server answers after a loop and a call, all in one macro step.
    let mut program = Program::new("ping", "none");
    let ask = program.add_channel(Channel {
        name: "ask".into(),
        capacity: Some(0),
        fields: vec![Type::INT32],
        from_start: true,
        owner: None,
    });
    let channel = program.exprs.int(i128::from(ask.0) + 1, Type::Channel);
    let answer = program.add_global(Variable::new("answer", Type::INT32));
    let full = program.add_fault(Fault {
        name: "stack".into(),
        message: "full".into(),
    });
    program.stack_fault = Some(full);
    let mut client = Process::new("client");
    client.locals = vec![Variable::new("n", Type::INT32)];
    let (a, b) = (
        location(&mut client, Mode::Open),
        location(&mut client, Mode::Open),
    );
    client.locations[b.index()].end = true;
    let (zero, nine) = (number(&mut program, 0), number(&mut program, 9));
    let mut asks = step(a, b);
    asks.binds = vec![Choice {
        place: Place::own(0),
        set: ValueSet::Between(zero, nine),
        sample: None,
        what: "n".into(),
    }];
    let own = program.exprs.load(Place::own(0), Type::INT32);
    asks.comm = Some(Comm::Send {
        channel,
        message: vec![own],
        sorted: false,
        lossy: false,
    });
    client.add_step(asks);
    start(&mut program, client, 1);
    // sum(k): if k == 0 { 0 } else { k + sum(k - 1) }, then counted down again in a loop.
    let mut server = Process::new("server");
    server.max_frames = 20;
    server.locals = vec![
        Variable::new("k", Type::INT32),
        Variable::new("s", Type::INT32),
    ];
    let c = location(&mut server, Mode::Open);
    server.locations[c.index()].end = true;
    let [called, back, enter, sum, more] = [(); 5].map(|()| location(&mut server, Mode::Region));
    let sum_id = server.add_procedure(Procedure {
        name: "sum".into(),
        locals: vec![
            Variable::new("k", Type::INT32),
            Variable::new("rest", Type::INT32),
        ],
        parameters: 1,
        entry: enter,
        span: Span::NONE,
    });
    let mut takes = step(c, called);
    takes.comm = Some(Comm::Receive {
        channel,
        patterns: vec![Pattern::Bind(Place::own(0))],
        anywhere: false,
        keep: false,
    });
    server.add_step(takes);
    let k = program.exprs.load(Place::own(0), Type::INT32);
    let mut calls = step(called, back);
    calls.target = Target::Call {
        callee: Callee::Known(sum_id),
        args: vec![k],
        result: Some(Place::own(1)),
        then: back,
    };
    server.add_step(calls);
    let frame_k = program.exprs.load(Place::frame(0), Type::INT32);
    let rest = program.exprs.load(Place::frame(1), Type::INT32);
    let none = program.exprs.int(0, Type::INT32);
    let one = program.exprs.int(1, Type::INT32);
    let is_zero = program.exprs.binary(Binary::Eq, frame_k, none);
    let mut ends = step(enter, enter);
    ends.guard = Some(is_zero);
    ends.target = Target::Return(Some(none));
    server.add_step(ends);
    let mut again = step(enter, sum);
    again.rank = 1;
    let less = program.exprs.binary(Binary::Sub, frame_k, one);
    again.target = Target::Call {
        callee: Callee::Known(sum_id),
        args: vec![less],
        result: Some(Place::frame(1)),
        then: sum,
    };
    server.add_step(again);
    let total = program.exprs.binary(Binary::Add, frame_k, rest);
    let mut returns = step(sum, sum);
    returns.target = Target::Return(Some(total));
    server.add_step(returns);
    // The loop: while s > 0 { s -= 1; answer += 1 }
    let s = program.exprs.load(Place::own(1), Type::INT32);
    let positive = program.exprs.binary(Binary::Lt, none, s);
    let mut down = step(back, back);
    down.guard = Some(positive);
    let less = program.exprs.binary(Binary::Sub, s, one);
    let now = program.exprs.load(Place::global(answer), Type::INT32);
    let more_of_it = program.exprs.binary(Binary::Add, now, one);
    down.body = vec![
        Stmt::Assign(Place::own(1), less),
        Stmt::Assign(Place::global(answer), more_of_it),
    ];
    server.add_step(down);
    let mut out = step(back, more);
    out.guard = Some(program.exprs.not(positive));
    server.add_step(out);
    let mut finish = step(more, c);
    finish.body = vec![Stmt::Assign(Place::own(0), none)];
    server.add_step(finish);
    start(&mut program, server, 1);
    let wanted = program.exprs.int(45, Type::INT32);
    let most = program.exprs.binary(Binary::Eq, now, wanted);
    let over = program.exprs.binary(Binary::Lt, wanted, now);
    let bads = [
        Bad::State(most),
        Bad::State(over),
        Bad::Deadlock,
        Bad::Divergence,
    ];
    let outcome = safety(&program, &bads);
    let trace = violated(&program, &outcome.answers[0]);
    assert_eq!(trace.steps.len(), 1);
    assert_eq!(trace.steps[0].moves[0].choices, [Value::Int(9)]);
    assert_eq!(
        outcome.answers[1..],
        [Answer::Clear, Answer::Clear, Answer::Clear]
    );
    assert_eq!(
        stable_states(&program, &Budget::default()).unwrap().len(),
        11
    );
    // Nine open calls are one too many for a stack of nine.
    program.processes[1].max_frames = 9;
    let outcome = safety(&program, &[Bad::Fault(vec![full])]);
    violated(&program, &outcome.answers[0]);
}

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
