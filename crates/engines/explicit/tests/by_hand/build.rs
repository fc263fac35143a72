//! Short words for building programs, and for asking the engine.

use explicit::{
    Answer, Exchange, LivenessJob, Options, SafetyJob, SafetyOutcome, accepted_run, explore,
};
use logic::{Buchi, BuchiState, Cube, Edge};
use model::interp::Interp;
use model::*;
use source::Span;

pub(crate) const ONE: Options = Options::with_jobs(1);

/// A step that is worked on before it is added.
pub(crate) fn step(from: LocId, to: LocId) -> Step {
    Step::new(from, to, Span::NONE)
}

pub(crate) fn location(process: &mut Process, mode: Mode) -> LocId {
    let name = format!("l{}", process.locations.len());
    process.add_location(name, mode, Span::NONE)
}

pub(crate) fn flag(program: &mut Program, name: &str) -> GlobalId {
    program.add_global(Variable::new(name, Type::Bool))
}

pub(crate) fn range(program: &mut Program, name: &str, hi: i64) -> GlobalId {
    program.add_global(Variable::new(name, Type::Range { lo: 0, hi }))
}

pub(crate) fn load(program: &mut Program, global: GlobalId) -> ExprId {
    let ty = program.globals[global.index()].ty.clone();
    program.exprs.load(Place::global(global), ty)
}

pub(crate) fn number(program: &mut Program, n: i128) -> ExprId {
    program.exprs.int(n, Type::Mathint)
}

/// `global := global + n`
pub(crate) fn add(program: &mut Program, global: GlobalId, n: i128) -> Stmt {
    let (now, n) = (load(program, global), number(program, n));
    let sum = program
        .exprs
        .add(Expr::Binary(Binary::Add, now, n), Type::Mathint);
    Stmt::Assign(Place::global(global), sum)
}

pub(crate) fn set(program: &mut Program, global: GlobalId, value: bool) -> Stmt {
    Stmt::Assign(Place::global(global), program.exprs.bool(value))
}

pub(crate) fn at(
    program: &mut Program,
    instance: i128,
    process: ProcessId,
    location: LocId,
) -> ExprId {
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

/// What the two do who meet on a channel, without a message.
pub(crate) fn meeting(program: &mut Program) -> [Comm; 2] {
    let meeting = program.add_channel(Channel {
        name: "meeting".into(),
        capacity: Some(0),
        fields: Vec::new(),
        from_start: true,
        owner: None,
    });
    let channel = program.exprs.int(i128::from(meeting.0) + 1, Type::Channel);
    let send = Comm::Send {
        channel,
        message: Vec::new(),
        sorted: false,
        lossy: false,
    };
    let receive = Comm::Receive {
        channel,
        patterns: Vec::new(),
        anywhere: false,
        keep: false,
    };
    [send, receive]
}

pub(crate) fn start(program: &mut Program, process: Process, copies: usize) -> ProcessId {
    let process = program.add_process(process);
    for _ in 0..copies {
        program.start.push(Start {
            process,
            args: Vec::new(),
        });
    }
    process
}

pub(crate) fn safety(program: &Program, bads: &[Bad]) -> SafetyOutcome {
    let job = SafetyJob {
        program,
        bads,
        watch: &[],
        exchange: Exchange::default(),
    };
    explore(&job, &ONE, &Budget::default(), &Silent)
}

/// The trace of an answer, which the interpreter accepts.
pub(crate) fn violated(program: &Program, answer: &Answer) -> Trace {
    let Answer::Violated(trace) = answer else {
        panic!("expected a violation, got {answer:?}");
    };
    Interp::new(program)
        .replay(trace)
        .unwrap_or_else(|error| panic!("{error}: {trace:?}"));
    trace.clone()
}

/// The automaton of "never again, from some point on": accepts `eventually always not atom`.
pub(crate) fn finally_never(atom: ExprId) -> Buchi<ExprId> {
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

pub(crate) fn liveness(program: &Program, automaton: &Buchi<ExprId>) -> Answer {
    let job = LivenessJob {
        program,
        automaton,
        watch: &[],
    };
    accepted_run(&job, &ONE, &Budget::default(), &Silent).answer
}
