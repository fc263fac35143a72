//! Who may move: rendezvous, atomic regions, escapes, priorities, `else`, `timeout`, barriers.

use model::interp::Interp;
use model::{
    Barrier, BarrierId, Binary, Channel, ChannelId, Comm, Composition, Escape, Expr, Fairness,
    FairnessKind, IdPolicy, MacroStep, Mode, Pattern, Place, Process, ProcessId, Stmt, Trace, Type,
    Variable,
};

use crate::build::{Build, Control, explore, rows};

fn channel(build: &mut Build, capacity: Option<u32>) -> (ChannelId, model::ExprId) {
    let id = build.program.add_channel(Channel {
        name: "ch".into(),
        capacity,
        fields: vec![Type::INT32],
        from_start: true,
        owner: None,
    });
    let reference = build.program.exprs.int(i128::from(id.0) + 1, Type::Channel);
    (id, reference)
}

fn send(channel: model::ExprId, value: model::ExprId) -> Comm {
    Comm::Send {
        channel,
        message: vec![value],
        sorted: false,
        lossy: false,
    }
}

fn receive(channel: model::ExprId, pattern: Pattern) -> Comm {
    Comm::Receive {
        channel,
        patterns: vec![pattern],
        anywhere: false,
        keep: false,
    }
}

#[test]
fn rendezvous_is_one_joint_transition_and_matches_constants() {
    let mut build = Build::new();
    let x = build.global("x", Type::INT32);
    let (_, ch) = channel(&mut build, Some(0));
    let seven = build.int(7);
    let eight = build.int(8);

    let mut sender = Process::new("sender");
    let [a, b] = [sender.open("a"), sender.open("b")];
    let step = sender.edge(a, b, vec![]);
    sender.with(step, |step| step.comm = Some(send(ch, seven)));
    build.run(sender);

    let mut receiver = Process::new("receiver");
    let [a, b] = [receiver.open("a"), receiver.open("b")];
    // Waits for 8 and never gets it.
    let wrong = receiver.edge(a, b, vec![build.set(x, 99)]);
    receiver.with(wrong, |step| {
        step.comm = Some(receive(ch, Pattern::Match(eight)));
    });
    let right = receiver.edge(a, b, vec![]);
    receiver.with(right, |step| {
        step.comm = Some(receive(ch, Pattern::Bind(Place::global(x))));
    });
    build.run(receiver);

    assert_eq!(build.reachable(&[x]), rows(&[[0], [7]]));
    let interp = Interp::new(&build.program);
    let (_, first) = interp.initial().expect("small").remove(0);
    let moves = interp.moves(&first);
    assert_eq!(moves.len(), 1, "sender and receiver move together");
    assert_eq!(moves[0].len(), 2);
    assert_eq!(explore(&interp).len(), 2);
}

/// A sender in an atomic region hands control to the receiver. If the receiver is then in an
/// atomic region it goes on alone; if not, a third process may run before the sender.
#[test]
fn atomic_is_handed_over_at_a_rendezvous() {
    for (receiver_mode, disturbed) in [(Mode::Atomic, false), (Mode::Open, true)] {
        let mut build = Build::new();
        let turn = build.global("turn", Type::INT32);
        let seen = build.global("seen", Type::INT32);
        let (_, ch) = channel(&mut build, Some(0));
        let one = build.int(1);

        let mut sender = Process::new("sender");
        let a = sender.open("a");
        let b = sender.at("b", Mode::Atomic);
        let c = sender.open("c");
        let step = sender.edge(a, b, vec![]);
        sender.with(step, |step| step.comm = Some(send(ch, one)));
        sender.edge(b, c, vec![]);
        build.run(sender);

        let mut receiver = Process::new("receiver");
        let a = receiver.open("a");
        let b = receiver.at("b", receiver_mode);
        let c = receiver.open("c");
        let step = receiver.edge(a, b, vec![build.set(turn, 1)]);
        receiver.with(step, |step| step.comm = Some(receive(ch, Pattern::Any)));
        receiver.edge(b, c, vec![build.set(turn, 2)]);
        build.run(receiver);

        // Notes whether it ever runs between the two steps of the receiver.
        let mut third = Process::new("third");
        let [a, b] = [third.open("a"), third.open("b")];
        let between = build.is(turn, 1);
        let note = build.set(seen, 1);
        third.guarded(a, b, between, vec![note]);
        build.run(third);

        let got = build.reachable(&[seen]).contains(&vec![1]);
        assert_eq!(got, disturbed, "receiver at {receiver_mode:?}");
    }
}

/// A blocked atomic region loses the privilege: others run, the inner location is stored, and
/// the region goes on alone when it can move again.
#[test]
fn a_blocked_atomic_lets_others_run() {
    let mut build = Build::new();
    let x = build.global("x", Type::INT32);
    let y = build.global("y", Type::INT32);

    let mut first = Process::new("first");
    let a = first.open("a");
    let b = first.at("b", Mode::Atomic);
    let c = first.at("c", Mode::Atomic);
    let d = first.open("d");
    first.edge(a, b, vec![build.set(x, 1)]);
    let go = build.is(y, 1);
    first.guarded(b, c, go, vec![build.set(x, 2)]);
    first.edge(c, d, vec![build.set(x, 3)]);
    build.run(first);

    let mut second = Process::new("second");
    let [a, b] = [second.open("a"), second.open("b")];
    second.edge(a, b, vec![build.set(y, 1)]);
    build.run(second);

    // x = 2 is never seen: the region stops only where it is blocked, at x = 1, and once released
    // goes on to x = 3 in one macro step.
    assert_eq!(
        build.reachable(&[x, y]),
        rows(&[[0, 0], [0, 1], [1, 0], [1, 1], [3, 1]])
    );
}

/// An escape takes precedence over what it covers, also inside an atomic region; the outer of
/// two escapes beats the inner; what is not covered is not touched.
#[test]
fn escapes_take_precedence() {
    let mut build = Build::new();
    let x = build.global("x", Type::INT32);
    let mut process = Process::new("p");
    let a = process.open("a");
    let b = process.at("b", Mode::Atomic);
    let c = process.open("c");
    let inner = process.open("inner");
    let outer = process.open("outer");
    process.edge(a, b, vec![build.set(x, 1)]);
    process.edge(b, c, vec![build.set(x, 2)]);
    let guard = build.is(x, 1);
    let by_inner = process.guarded(a, inner, guard, vec![build.set(x, 10)]);
    let by_outer = process.guarded(a, outer, guard, vec![build.set(x, 20)]);
    process.escapes = vec![
        Escape {
            covers: vec![a, b],
            steps: vec![by_inner],
            precedence: 1,
        },
        Escape {
            covers: vec![a, b],
            steps: vec![by_outer],
            precedence: 2,
        },
    ];
    build.run(process);
    assert_eq!(build.reachable(&[x]), rows(&[[0], [20]]));

    // With the outer one covering only `a`, the inner one interrupts at `b`.
    build.program.processes[0].escapes[1].covers = vec![a];
    assert_eq!(build.reachable(&[x]), rows(&[[0], [10]]));
}

/// Steps of a lower class wait for those of a higher one, anywhere; process priorities likewise.
#[test]
fn classes_and_priorities_order_processes() {
    let mut build = Build::new();
    let x = build.global("x", Type::INT32);
    let mut low = Process::new("low");
    let [a, b] = [low.open("a"), low.open("b")];
    let ten = build.compare(Binary::Eq, x, 0);
    low.guarded(a, b, ten, vec![build.set(x, 10)]);
    build.run(low);
    let mut high = Process::new("high");
    let [a, b] = [high.open("a"), high.open("b")];
    let step = high.edge(a, b, vec![build.set(x, 1)]);
    high.with(step, |step| step.class = 2);
    build.run(high);
    assert_eq!(build.reachable(&[x]), rows(&[[0], [1]]));

    build.program.processes[1].steps[0].class = 1;
    assert_eq!(build.reachable(&[x]), rows(&[[0], [1], [10]]));

    let one = build.int(1);
    build.program.processes[1].priority = Some(one);
    assert_eq!(build.reachable(&[x]), rows(&[[0], [1]]));
}

/// Promela's `timeout`: enabled when nothing else is, anywhere, and again after each step.
#[test]
fn timeout_waits_for_everyone() {
    let mut build = Build::new();
    let x = build.global("x", Type::INT32);
    let mut worker = Process::new("worker");
    let a = worker.open("a");
    let below = build.compare(Binary::Lt, x, 2);
    worker.guarded(a, a, below, vec![build.add(x, 1)]);
    build.run(worker);
    let mut watchdog = Process::new("watchdog");
    let a = watchdog.open("a");
    let timeout = build.program.exprs.add(Expr::NothingEnabled, Type::Bool);
    watchdog.guarded(a, a, timeout, vec![build.set(x, 0)]);
    build.run(watchdog);
    let interp = Interp::new(&build.program);
    let states = explore(&interp);
    assert_eq!(
        states.len(),
        3,
        "x counts to 2, times out, and starts again"
    );
    for state in states {
        assert_eq!(interp.moves(&state).len(), 1);
    }
}

/// `else` is the last rank: enabled if and only if no sibling is.
#[test]
fn else_and_ordered_choice_look_at_siblings() {
    let mut build = Build::new();
    let x = build.global("x", Type::INT32);
    let mut process = Process::new("p");
    let [a, b] = [process.open("a"), process.open("b")];
    let positive = build.compare(Binary::Lt, x, 0);
    process.guarded(a, b, positive, vec![build.set(x, 5)]);
    let otherwise = process.edge(a, b, vec![build.set(x, 7)]);
    process.with(otherwise, |step| step.rank = u16::MAX);
    build.run(process);
    assert_eq!(build.reachable(&[x]), rows(&[[0], [7]]));

    let mut build = Build::new();
    let x = build.global("x", Type::INT32);
    let mut process = Process::new("p");
    let [a, b] = [process.open("a"), process.open("b")];
    for (rank, value) in [(0, 1), (1, 2), (2, 3)] {
        let guard = build.compare(if rank == 0 { Binary::Lt } else { Binary::Eq }, x, 0);
        let step = process.guarded(a, b, guard, vec![build.set(x, value)]);
        process.with(step, |step| step.rank = rank);
    }
    build.run(process);
    assert_eq!(
        build.reachable(&[x]),
        rows(&[[0], [2]]),
        "the first that is enabled, not the third"
    );
}

/// Promela's process numbers: the number is how many there are; only the youngest goes away, in a
/// step of its own; its number is used again.
#[test]
fn stack_ids_are_used_again() {
    for (ids, expected) in [
        (IdPolicy::Stack, vec![1i128, 1]),
        (IdPolicy::Fresh, vec![1, 1]),
    ] {
        let mut build = Build::new();
        build.program.composition = Composition::Interleaving { ids };
        let first = build.global("first", Type::Instance);
        let second = build.global("second", Type::Instance);
        let mut child = Process::new("child");
        let a = child.open("a");
        child.end(a, vec![]);
        let child = build.program.add_process(child);
        let mut parent = Process::new("parent");
        let [a, b, c] = [parent.open("a"), parent.open("b"), parent.open("c")];
        let spawn = |result| Stmt::Spawn {
            process: child,
            args: vec![],
            result: Some(Place::global(result)),
            share_frame: false,
        };
        let count = build.program.exprs.add(Expr::InstanceCount, Type::INT32);
        let one = build.int(1);
        let alone = build.program.exprs.binary(Binary::Eq, count, one);
        parent.edge(a, b, vec![spawn(first)]);
        parent.guarded(b, c, alone, vec![spawn(second)]);
        build.run(parent);
        let interp = Interp::new(&build.program);
        let states = explore(&interp);
        let last = states
            .iter()
            .max_by_key(|state| crate::build::numbers(state, &[second]))
            .expect("there are states");
        assert_eq!(crate::build::numbers(last, &[first, second]), expected);
        // Ending and going away are two steps under the stack policy, one else.
        let count = if ids == IdPolicy::Stack { 7 } else { 5 };
        assert_eq!(states.len(), count, "{ids:?}");
    }
}

/// A barrier needs one instance of each participant.
#[test]
fn a_barrier_is_taken_together() {
    let mut build = Build::new();
    let x = build.global("x", Type::INT32);
    let ready = build.global("ready", Type::INT32);
    for (process, name) in ["a", "b", "c"].into_iter().enumerate() {
        let mut process_template = Process::new(name);
        let [a, b] = [process_template.open("a"), process_template.open("b")];
        let body = build.add(x, 1);
        let step = process_template.edge(a, b, vec![body]);
        let guard = (process == 2).then(|| build.is(ready, 1));
        process_template.with(step, |step| {
            step.comm = Some(Comm::Barrier(BarrierId(0)));
            step.guard = guard;
        });
        build.run(process_template);
    }
    build.program.add_barrier(Barrier {
        name: "meet".into(),
        participants: vec![ProcessId(0), ProcessId(1), ProcessId(2)],
    });
    assert_eq!(build.reachable(&[x]), rows(&[[0]]), "one is not ready");
    let mut enabler = Process::new("enabler");
    let [a, b] = [enabler.open("a"), enabler.open("b")];
    enabler.edge(a, b, vec![build.set(ready, 1)]);
    build.run(enabler);
    assert_eq!(build.reachable(&[x]), rows(&[[0], [3]]));
}

/// Weak fairness tells a run in which a step waits for ever from one in which it is taken.
#[test]
fn a_fair_step_is_taken_at_last() {
    let mut build = Build::new();
    let x = build.global("x", Type::Bool);
    let mut spinner = Process::new("spinner");
    let a = spinner.open("a");
    spinner.edge(a, a, vec![]);
    build.run(spinner);
    let mut other = Process::new("other");
    let [a, b] = [other.open("a"), other.open("b")];
    let yes = build.program.exprs.bool(true);
    let step = other.edge(a, b, vec![Stmt::Assign(Place::global(x), yes)]);
    let process = build.run(other);
    build.program.fairness.push(Fairness {
        name: "other moves".into(),
        kind: FairnessKind::Weak(vec![(process, step)]),
        assumption: None,
    });
    let interp = Interp::new(&build.program);
    let (choices, first) = interp.initial().expect("small").remove(0);
    let successors = interp.expand(&first).expect("small").successors;
    let (spin, take): (Vec<_>, Vec<_>) = successors
        .into_iter()
        .partition(|successor| successor.state == first);
    let run = |steps: Vec<MacroStep>, loop_start| Trace {
        initial: choices.clone(),
        steps,
        loop_start: Some(loop_start),
    };
    let unfair = run(vec![spin[0].step.clone()], 0);
    let replay = interp.replay(&unfair).expect("a run");
    assert_eq!(interp.unfairness(&unfair, &replay), Ok(Some(0)));
    let fair = run(vec![take[0].step.clone(), spin[0].step.clone()], 1);
    let replay = interp.replay(&fair).expect("a run");
    assert_eq!(interp.unfairness(&fair, &replay), Ok(None));
}

/// An unbounded queue never blocks its sender; a bounded one does, or loses.
#[test]
fn queues_block_lose_or_grow() {
    for (capacity, lossy, most) in [(Some(2), false, 2), (Some(2), true, 4), (None, false, 4)] {
        let mut build = Build::new();
        let sent = build.global("sent", Type::INT32);
        let (_, ch) = channel(&mut build, capacity);
        let value = build.read(sent);
        let mut sender = Process::new("sender");
        let a = sender.open("a");
        let below = build.compare(Binary::Lt, sent, 4);
        let step = sender.guarded(a, a, below, vec![build.add(sent, 1)]);
        sender.with(step, |step| {
            step.comm = Some(Comm::Send {
                channel: ch,
                message: vec![value],
                sorted: false,
                lossy,
            });
        });
        build.run(sender);
        let expected: Vec<[i128; 1]> = (0..=most).map(|n| [n]).collect();
        assert_eq!(build.reachable(&[sent]), rows(&expected), "{capacity:?}");
    }
}

/// A variable of the process's own frame, shared by the branch that it starts.
#[test]
fn branches_share_a_frame() {
    for (share_frame, expected) in [(true, vec![[0], [5]]), (false, vec![[0]])] {
        let mut build = Build::new();
        let out = build.global("out", Type::INT32);
        let mut main = Process::new("main");
        main.locals.push(Variable::new("n", Type::INT32));
        let [a, b, c] = [main.open("a"), main.open("b"), main.open("c")];
        let n = build.program.exprs.load(Place::own(0), Type::INT32);
        let five = build.int(5);
        let mut branch = Process::new("branch");
        branch.locals.push(Variable::new("n", Type::INT32));
        let [d, e] = [branch.open("d"), branch.open("e")];
        branch.edge(d, e, vec![Stmt::Assign(Place::own(0), five)]);
        let branch = build.program.add_process(branch);
        main.edge(
            a,
            b,
            vec![Stmt::Spawn {
                process: branch,
                args: vec![],
                result: None,
                share_frame,
            }],
        );
        main.edge(b, c, vec![Stmt::Assign(Place::global(out), n)]);
        build.run(main);
        assert_eq!(build.reachable(&[out]), rows(&expected));
    }
}
