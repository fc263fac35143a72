//! One small program for each word of the model that is easily got wrong. The engine must find
//! exactly the states, macro steps, failures and ends that the interpreter finds; what the test is
//! about is asserted besides, so that it is known to happen.

#[path = "random/twin.rs"]
#[expect(dead_code, reason = "liveness is compared elsewhere")]
mod twin;

use std::collections::BTreeSet;

use explicit::{Answer, Options, SafetyJob, explore, stable_states};
use model::interp::{Interp, State};
use model::*;
use source::Span;

const BYTE: Type = Type::Int {
    bits: 8,
    signed: false,
};
const CHECK: CheckId = CheckId(0);
const DIVISION: FaultId = FaultId(0);
const CHANNEL: FaultId = FaultId(1);
const INDEX: FaultId = FaultId(2);

/// A program with the usual faults and one check.
fn program(ids: IdPolicy) -> Program {
    let mut p = Program::new("small", "none");
    for name in ["division", "channel", "index"] {
        p.add_fault(Fault {
            name: name.into(),
            message: name.into(),
        });
    }
    p.division_fault = Some(DIVISION);
    p.channel_fault = Some(CHANNEL);
    p.index_fault = Some(INDEX);
    p.add_check(Check {
        name: "check".into(),
        failure: "it fails".into(),
        span: Span::NONE,
    });
    p.composition = Composition::Interleaving { ids };
    p
}

/// A process that goes through locations of these modes.
fn process(modes: &[Mode]) -> (Process, Vec<LocId>) {
    let mut process = Process::new("p");
    let locations = modes
        .iter()
        .enumerate()
        .map(|(n, &mode)| process.add_location(format!("l{n}"), mode, Span::NONE))
        .collect();
    (process, locations)
}

fn step(from: LocId, to: LocId) -> Step {
    Step::new(from, to, Span::NONE)
}

fn last(from: LocId) -> Step {
    let mut step = step(from, from);
    step.target = Target::End;
    step
}

fn start(p: &mut Program, process: Process) -> ProcessId {
    let id = p.add_process(process);
    p.start.push(Start {
        process: id,
        args: Vec::new(),
    });
    id
}

fn byte(p: &mut Program, name: &str) -> GlobalId {
    p.add_global(Variable::new(name, BYTE))
}

fn number(p: &mut Program, n: i128) -> ExprId {
    p.exprs.int(n, BYTE)
}

fn load(p: &mut Program, global: GlobalId) -> ExprId {
    let ty = p.globals[global.index()].ty.clone();
    p.exprs.load(Place::global(global), ty)
}

fn own(p: &mut Program, local: usize) -> ExprId {
    p.exprs.load(Place::own(local), BYTE)
}

fn put(p: &mut Program, global: GlobalId, n: i128) -> Stmt {
    Stmt::Assign(Place::global(global), number(p, n))
}

fn add(p: &mut Program, global: GlobalId, n: i128) -> Stmt {
    let (now, n) = (load(p, global), number(p, n));
    let sum = p.exprs.binary(Binary::Add, now, n);
    Stmt::Assign(Place::global(global), sum)
}

fn is(p: &mut Program, a: ExprId, n: i128) -> ExprId {
    let n = number(p, n);
    p.exprs.binary(Binary::Eq, a, n)
}

fn channel(p: &mut Program, capacity: u32, fields: usize, from_start: bool) -> ChannelId {
    p.add_channel(Channel {
        name: "channel".into(),
        capacity: Some(capacity),
        fields: vec![BYTE; fields],
        from_start,
        owner: None,
    })
}

fn reference(p: &mut Program, channel: ChannelId) -> ExprId {
    p.exprs.int(i128::from(channel.0) + 1, Type::Channel)
}

fn send(channel: ExprId, message: Vec<ExprId>) -> Comm {
    Comm::Send {
        channel,
        message,
        sorted: false,
        lossy: false,
    }
}

fn receive(channel: ExprId, patterns: Vec<Pattern>) -> Comm {
    Comm::Receive {
        channel,
        patterns,
        anywhere: false,
        keep: false,
    }
}

fn spawn(process: ProcessId, args: Vec<ExprId>, result: Option<Place>) -> Stmt {
    Stmt::Spawn {
        process,
        args,
        result,
        share_frame: false,
    }
}

/// What the interpreter finds, and the engine with it.
struct Found {
    states: BTreeSet<State>,
    /// How many steps away: a failed check, each kind of fault, a deadlock, a macro step that
    /// never returns.
    check: Option<usize>,
    faults: [Option<usize>; 3],
    deadlock: Option<usize>,
    divergence: Option<usize>,
}

impl Found {
    /// Whether a global variable ever has a value.
    fn ever(&self, global: GlobalId, n: i128) -> bool {
        let mut states = self.states.iter();
        states.any(|state| state.globals[global.index()] == Value::Int(n))
    }
}

/// Compares the engine with the interpreter.
fn agree(p: &Program) -> Found {
    let interp = Interp::new(p);
    let whole = twin::explore(&interp, 5_000).expect("a small program");
    let expected: BTreeSet<State> = whole.states.iter().map(|(s, _)| s.clone()).collect();
    let found = stable_states(p, &Budget::default()).expect("a program that the engine can run");
    assert_eq!(found.len(), expected.len(), "the number of states");
    let found: BTreeSet<State> = found.into_iter().collect();
    assert_eq!(found.difference(&expected).next(), None, "is no state");
    let faults = [DIVISION, CHANNEL, INDEX].map(|f| whole.faults.get(&f).copied());
    let mut bads = vec![Bad::Check(CHECK), Bad::Deadlock, Bad::Divergence];
    bads.extend([DIVISION, CHANNEL, INDEX].map(|f| Bad::Fault(vec![f])));
    let check = whole.checks.get(&CHECK).copied();
    let mut distances = vec![check, whole.deadlock, whole.divergence];
    distances.extend(faults);
    for jobs in [1, 2] {
        let job = SafetyJob {
            program: p,
            bads: &bads,
            watch: &[],
        };
        let options = Options {
            jobs,
            ..Options::default()
        };
        let outcome = explore(&job, &options, &Budget::default(), &Silent);
        for ((bad, answer), distance) in bads.iter().zip(&outcome.answers).zip(&distances) {
            let steps = match answer {
                Answer::Clear => None,
                Answer::Violated(trace) => {
                    interp.replay(trace).expect("a trace that can be replayed");
                    Some(trace.steps.len())
                }
                Answer::Unknown(reason) => panic!("{bad:?}: {reason:?}"),
            };
            assert_eq!(steps, *distance, "{bad:?}");
        }
        if outcome.answers.contains(&Answer::Clear) {
            let edges: usize = whole.edges.iter().map(Vec::len).sum();
            assert_eq!(outcome.statistics.transitions, edges as u64, "macro steps");
        }
    }
    Found {
        states: expected,
        check,
        faults,
        deadlock: whole.deadlock,
        divergence: whole.divergence,
    }
}

/// A parent starts two children, each of which starts one more, and counts who is there.
fn family(ids: IdPolicy) -> (Program, GlobalId, GlobalId) {
    let mut p = program(ids);
    let (count, sum) = (byte(&mut p, "count"), byte(&mut p, "sum"));
    let instances = p.exprs.add(Expr::InstanceCount, BYTE);
    let me = p.exprs.add(Expr::Me, Type::Instance);
    let me = p.exprs.add(Expr::Convert(me), BYTE);
    let (mut grandchild, at) = process(&[Mode::Open, Mode::Open]);
    grandchild.locals = vec![
        Variable::new("given", BYTE),
        Variable {
            init: Some(ValueSet::One(own(&mut p, 0))),
            ..Variable::new("kept", BYTE)
        },
    ];
    grandchild.parameters = 1;
    let mut tells = step(at[0], at[1]);
    let (kept, so_far) = (own(&mut p, 1), load(&mut p, sum));
    let more = p.exprs.binary(Binary::Add, so_far, kept);
    let two = number(&mut p, 2);
    let more = p.exprs.binary(Binary::Rem, more, two);
    tells.body = vec![
        Stmt::Assign(Place::global(sum), more),
        Stmt::Assign(Place::global(count), instances),
        Stmt::Assign(Place::own(1), me),
    ];
    grandchild.add_step(tells);
    grandchild.add_step(last(at[1]));
    let grandchild = p.add_process(grandchild);
    let (mut child, at) = process(&[Mode::Open, Mode::Open]);
    child.locals = vec![Variable::new("n", BYTE), Variable::new("whom", BYTE)];
    child.parameters = 1;
    let mut starts = step(at[0], at[1]);
    let n = own(&mut p, 0);
    starts.body = vec![spawn(grandchild, vec![n], Some(Place::own(1)))];
    child.add_step(starts);
    child.add_step(last(at[1]));
    let child = p.add_process(child);
    let (mut parent, at) = process(&[Mode::Open, Mode::Open, Mode::Open]);
    let nothing = number(&mut p, 3);
    for n in 0..2 {
        let mut starts = step(at[n], at[n + 1]);
        let arg = number(&mut p, 1 + n as i128);
        starts.body = vec![spawn(child, vec![arg], None)];
        if n == 1 {
            let alone = p.exprs.binary(Binary::Lt, instances, nothing);
            starts.guard = Some(alone);
        }
        parent.add_step(starts);
    }
    parent.locations[2].end = true;
    start(&mut p, parent);
    (p, count, sum)
}

#[test]
fn numbers_are_used_again_when_the_youngest_has_gone() {
    let (p, count, sum) = family(IdPolicy::Stack);
    let found = agree(&p);
    assert!(found.ever(count, 4) && found.ever(sum, 1));
    let ended = |state: &State| {
        let mut instances = state.instances.iter().flatten();
        instances.any(|instance| instance.location.is_none() && !instance.halted)
    };
    assert!(
        found.states.iter().any(ended),
        "ending and leaving are two steps"
    );
    assert_eq!(found.deadlock, None);
}

#[test]
fn the_least_free_number_goes_to_a_newcomer() {
    let (p, count, sum) = family(IdPolicy::Fresh);
    let found = agree(&p);
    assert!(found.ever(count, 3) && found.ever(sum, 1));
    let gap = |state: &State| state.instances.iter().any(Option::is_none);
    assert!(found.states.iter().any(gap), "somebody goes below others");
}

#[test]
fn many_instances_get_room() {
    // Each starts the next, and all stay: more than there is room for at first.
    let mut p = program(IdPolicy::Stack);
    let (mut link, at) = process(&[Mode::Open, Mode::Open]);
    link.locals = vec![Variable::new("n", BYTE)];
    link.parameters = 1;
    let mut on = step(at[0], at[1]);
    let (n, one, most) = (own(&mut p, 0), number(&mut p, 1), number(&mut p, 40));
    on.guard = Some(p.exprs.binary(Binary::Lt, n, most));
    let more = p.exprs.binary(Binary::Add, n, one);
    on.body = vec![spawn(ProcessId(0), vec![more], None)];
    link.add_step(on);
    let id = p.add_process(link);
    let zero = number(&mut p, 0);
    p.start.push(Start {
        process: id,
        args: vec![zero],
    });
    let found = agree(&p);
    assert_eq!(found.states.len(), 41);
    assert_eq!(found.deadlock, Some(40));
}

#[test]
fn a_remote_reference_reads_who_is_there_and_zero_of_others() {
    let mut p = program(IdPolicy::Stack);
    let seen = byte(&mut p, "seen");
    let (mut one, at) = process(&[Mode::Open, Mode::Open]);
    one.locals = vec![Variable::new("n", BYTE), Variable::new("x", BYTE)];
    one.parameters = 1;
    let mut sets = step(at[0], at[1]);
    let n = own(&mut p, 0);
    sets.body = vec![Stmt::Assign(Place::own(1), n)];
    one.add_step(sets);
    one.add_step(last(at[1]));
    let mut other = one.clone();
    other.name = "other".into();
    let (one, other) = (p.add_process(one), p.add_process(other));
    let (mut reader, at) = process(&[Mode::Open, Mode::Open]);
    for (process, n) in [(one, 5), (one, 6), (other, 7)] {
        let mut starts = step(at[0], at[1]);
        let n = number(&mut p, n);
        starts.body = vec![spawn(process, vec![n], None)];
        reader.add_step(starts);
    }
    for local in 0..2 {
        let mut reads = step(at[1], at[1]);
        let instance = p.exprs.int(1, Type::Instance);
        let place = Root::Remote {
            instance,
            process: one,
            local,
        };
        let value = p.exprs.load(place.into(), BYTE);
        reads.body = vec![Stmt::Assign(Place::global(seen), value)];
        reader.add_step(reads);
    }
    start(&mut p, reader);
    let found = agree(&p);
    assert!(found.ever(seen, 5) && found.ever(seen, 6) && !found.ever(seen, 7));
}

/// A child waits for a message on a channel of its own; somebody sends again when it has gone.
fn owner(capacity: u32) -> (Program, GlobalId) {
    let mut p = program(IdPolicy::Stack);
    let got = byte(&mut p, "got");
    let mine = p.add_global(Variable::new("mine", Type::Channel));
    let own_channel = channel(&mut p, capacity, 1, false);
    let (mut child, at) = process(&[Mode::Open, Mode::Open]);
    child.locals = vec![Variable::new("c", Type::Channel), Variable::new("x", BYTE)];
    child.parameters = 1;
    let c = p.exprs.load(Place::own(0), Type::Channel);
    let mut takes = step(at[0], at[1]);
    takes.comm = Some(receive(c, vec![Pattern::Bind(Place::own(1))]));
    let x = own(&mut p, 1);
    takes.body = vec![Stmt::Assign(Place::global(got), x)];
    child.add_step(takes);
    child.add_step(last(at[1]));
    let child = p.add_process(child);
    let (mut parent, at) = process(&[Mode::Open; 5]);
    let shared = p.exprs.load(Place::global(mine), Type::Channel);
    for round in 0..2 {
        let mut makes = step(at[2 * round], at[2 * round + 1]);
        makes.body = vec![
            Stmt::NewChannel {
                channel: own_channel,
                owner: ChannelOwner::Next,
                result: Place::global(mine),
            },
            spawn(child, vec![shared], None),
        ];
        parent.add_step(makes);
        let mut sends = step(at[2 * round + 1], at[2 * round + 2]);
        let n = number(&mut p, 300 + round as i128);
        sends.comm = Some(send(shared, vec![n]));
        parent.add_step(sends);
    }
    let mut again = step(at[4], at[4]);
    let n = number(&mut p, 9);
    again.comm = Some(send(shared, vec![n]));
    parent.add_step(again);
    start(&mut p, parent);
    (p, got)
}

#[test]
fn a_channel_goes_away_with_its_owner() {
    for capacity in [0, 1, 2] {
        let (p, got) = owner(capacity);
        let found = agree(&p);
        assert!(
            found.ever(got, 44) && found.ever(got, 45),
            "messages fit their fields"
        );
        assert!(found.faults[1].is_some(), "the channel is gone");
        let twice = |state: &State| state.channels.iter().flatten().count() == 2;
        assert!(found.states.iter().any(twice));
    }
}

#[test]
fn a_rendezvous_hands_over_what_fits_and_control_with_it() {
    // The receiver is inside an atomic sequence: it goes on before the third gets a turn.
    for mode in [Mode::Open, Mode::Atomic] {
        let mut p = program(IdPolicy::Fresh);
        let (x, third) = (byte(&mut p, "x"), byte(&mut p, "third"));
        let meet = channel(&mut p, 0, 2, true);
        let meet = reference(&mut p, meet);
        let (mut sender, at) = process(&[Mode::Atomic, Mode::Atomic, Mode::Open]);
        for n in [1, 2] {
            let mut sends = step(at[0], at[1]);
            let (n, rest) = (number(&mut p, n), number(&mut p, 7));
            sends.comm = Some(send(meet, vec![n, rest]));
            sender.add_step(sends);
        }
        let mut after = step(at[1], at[2]);
        after.body = vec![add(&mut p, x, 10)];
        sender.add_step(after);
        start(&mut p, sender);
        let (mut receiver, at) = process(&[Mode::Open, mode, Mode::Open]);
        receiver.locals = vec![Variable::new("y", BYTE)];
        let mut takes = step(at[0], at[1]);
        let two = number(&mut p, 2);
        takes.comm = Some(receive(
            meet,
            vec![Pattern::Match(two), Pattern::Bind(Place::own(0))],
        ));
        receiver.add_step(takes);
        let mut tells = step(at[1], at[2]);
        let y = own(&mut p, 0);
        tells.body = vec![Stmt::Assign(Place::global(x), y)];
        receiver.add_step(tells);
        start(&mut p, receiver);
        let (mut someone, at) = process(&[Mode::Open, Mode::Open]);
        let mut looks = step(at[0], at[1]);
        let now = load(&mut p, x);
        looks.body = vec![Stmt::Assign(Place::global(third), now)];
        someone.add_step(looks);
        start(&mut p, someone);
        let found = agree(&p);
        assert!(found.ever(x, 7) && !found.ever(x, 1));
        assert!(found.ever(third, 17));
    }
}

#[test]
fn a_blocked_atomic_sequence_lets_others_go_on_and_a_blocked_region_does_not() {
    for mode in [Mode::Atomic, Mode::Region] {
        let mut p = program(IdPolicy::Fresh);
        let (x, y) = (byte(&mut p, "x"), byte(&mut p, "y"));
        let (mut holder, at) = process(&[Mode::Open, mode, Mode::Open]);
        holder.locals = vec![Variable::new("c", BYTE)];
        let mut enters = step(at[0], at[1]);
        enters.body = vec![put(&mut p, x, 1)];
        holder.add_step(enters);
        let mut waits = step(at[1], at[2]);
        // A choice, so that the engine cannot decide on its own code alone.
        let (one, two) = (number(&mut p, 1), number(&mut p, 2));
        waits.binds = vec![Choice {
            place: Place::own(0),
            set: ValueSet::Between(one, two),
            sample: None,
            what: "c".into(),
        }];
        let (c, now) = (own(&mut p, 0), load(&mut p, y));
        waits.guard = Some(p.exprs.binary(Binary::Eq, c, now));
        waits.body = vec![put(&mut p, x, 2)];
        holder.add_step(waits);
        start(&mut p, holder);
        let (mut other, at) = process(&[Mode::Open, Mode::Open]);
        let mut helps = step(at[0], at[1]);
        helps.body = vec![put(&mut p, y, 2)];
        other.add_step(helps);
        start(&mut p, other);
        let found = agree(&p);
        assert!(found.ever(x, 2));
        assert_eq!(found.divergence.is_some(), mode == Mode::Region);
        let stopped = |s: &State| {
            s.globals[x.index()] == Value::Int(1) && s.globals[y.index()] == Value::Int(0)
        };
        assert_eq!(found.states.iter().any(stopped), mode == Mode::Atomic);
    }
}

#[test]
fn a_step_of_higher_rank_is_taken_only_when_the_others_cannot() {
    let mut p = program(IdPolicy::Fresh);
    let (x, y) = (byte(&mut p, "x"), byte(&mut p, "y"));
    let (mut chooser, at) = process(&[Mode::Open]);
    let now = load(&mut p, x);
    let mut first = step(at[0], at[0]);
    first.guard = Some(is(&mut p, now, 0));
    first.body = vec![put(&mut p, x, 1)];
    chooser.add_step(first);
    let mut otherwise = step(at[0], at[0]);
    otherwise.rank = 1;
    otherwise.body = vec![put(&mut p, y, 1)];
    chooser.add_step(otherwise);
    start(&mut p, chooser);
    let found = agree(&p);
    assert_eq!(found.states.len(), 3, "x first, then y");
}

#[test]
fn timeouts_classes_and_priorities_decide_who_moves() {
    for kind in 0..3 {
        let mut p = program(IdPolicy::Fresh);
        let (x, y) = (byte(&mut p, "x"), byte(&mut p, "y"));
        let (mut eager, at) = process(&[Mode::Open, Mode::Open]);
        let mut moves = step(at[0], at[1]);
        moves.body = vec![put(&mut p, x, 1)];
        let (mut lazy, _) = process(&[Mode::Open, Mode::Open]);
        let mut later = step(at[0], at[1]);
        let now = load(&mut p, x);
        later.body = vec![Stmt::Assign(Place::global(y), now)];
        match kind {
            0 => later.guard = Some(p.exprs.add(Expr::NothingEnabled, Type::Bool)),
            1 => moves.class = 2,
            _ => eager.priority = Some(number(&mut p, 5)),
        }
        eager.add_step(moves);
        lazy.add_step(later);
        start(&mut p, lazy);
        start(&mut p, eager);
        let found = agree(&p);
        assert_eq!(found.states.len(), 3, "kind {kind}: one after the other");
    }
}

#[test]
fn an_escape_takes_precedence_and_the_greater_precedence_wins() {
    let mut p = program(IdPolicy::Fresh);
    let x = byte(&mut p, "x");
    let (mut main, at) = process(&[Mode::Open, Mode::Open]);
    let mut normal = step(at[0], at[0]);
    normal.body = vec![put(&mut p, x, 1)];
    main.add_step(normal);
    for (n, precedence) in [(2, 1), (3, 2)] {
        let mut escape = step(at[0], at[1]);
        let now = load(&mut p, x);
        escape.guard = Some(is(&mut p, now, 1));
        escape.body = vec![put(&mut p, x, n)];
        let steps = vec![main.add_step(escape)];
        main.escapes.push(Escape {
            covers: vec![at[0]],
            steps,
            precedence,
        });
    }
    start(&mut p, main);
    let found = agree(&p);
    assert!(found.ever(x, 3) && !found.ever(x, 2));
    assert_eq!(found.states.len(), 3);
}

#[test]
fn provided_holds_back_steps_and_going_away() {
    let mut p = program(IdPolicy::Stack);
    let x = byte(&mut p, "x");
    let (mut main, at) = process(&[Mode::Open, Mode::Open]);
    let now = load(&mut p, x);
    main.provided = Some(is(&mut p, now, 0));
    let mut moves = step(at[0], at[1]);
    moves.body = vec![put(&mut p, x, 1)];
    moves.target = Target::End;
    main.add_step(moves);
    start(&mut p, main);
    let found = agree(&p);
    assert_eq!(found.states.len(), 2, "it has ended, and stays");
}

/// Messages 1, 3, 2 are sent; then one is received.
fn messages(
    sorted: bool,
    lossy: bool,
    capacity: u32,
    comm: impl Fn(&mut Program, ExprId) -> Comm,
) -> (Program, GlobalId) {
    let mut p = program(IdPolicy::Fresh);
    let got = byte(&mut p, "got");
    let queue = channel(&mut p, capacity, 2, true);
    let queue = reference(&mut p, queue);
    let (mut main, at) = process(&[Mode::Open; 5]);
    for (place, n) in [1, 3, 2].into_iter().enumerate() {
        let mut sends = step(at[place], at[place + 1]);
        let (n, rest) = (number(&mut p, n), number(&mut p, 10 + place as i128));
        sends.comm = Some(Comm::Send {
            channel: queue,
            message: vec![n, rest],
            sorted,
            lossy,
        });
        main.add_step(sends);
    }
    let mut takes = step(at[3], at[4]);
    takes.comm = Some(comm(&mut p, queue));
    main.add_step(takes);
    let mut clears = step(at[4], at[3]);
    clears.body = vec![put(&mut p, got, 0)];
    main.add_step(clears);
    start(&mut p, main);
    (p, got)
}

#[test]
fn channels_keep_their_order_and_receives_look_where_they_may() {
    let bind = |got: GlobalId| Pattern::Bind(Place::global(got));
    let got = GlobalId(0);
    // In order; sorted; the first only; any; kept; matched by value; lost when full.
    let (p, _) = messages(false, false, 3, |_, q| {
        receive(q, vec![Pattern::Any, bind(got)])
    });
    let found = agree(&p);
    assert!(found.ever(got, 10) && found.ever(got, 11) && found.ever(got, 12));
    let (p, _) = messages(true, false, 3, |_, q| {
        receive(q, vec![bind(got), Pattern::Any])
    });
    assert!(agree(&p).ever(got, 3));
    for anywhere in [false, true] {
        for keep in [false, true] {
            let (p, _) = messages(false, false, 3, |p, q| Comm::Receive {
                channel: q,
                patterns: vec![Pattern::Match(number(p, 3)), bind(got)],
                anywhere,
                keep,
            });
            let found = agree(&p);
            assert_eq!(found.ever(got, 11), anywhere, "3 stands in the middle");
        }
    }
    for lossy in [false, true] {
        let (p, _) = messages(false, lossy, 1, |_, q| {
            receive(q, vec![bind(got), Pattern::Any])
        });
        let found = agree(&p);
        assert_eq!(found.ever(got, 1), lossy);
        assert!(found.deadlock.is_some());
    }
}

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
