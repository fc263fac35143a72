//! Short words for building programs, and the comparison of engine and interpreter.

use std::collections::BTreeSet;

use explicit::{Answer, Exchange, Options, SafetyJob, Technique, Tuning, explore, stable_states};
use model::interp::{Interp, State};
use model::*;
use source::Span;

use crate::twin;

pub(crate) const BYTE: Type = Type::Int {
    bits: 8,
    signed: false,
};
pub(crate) const CHECK: CheckId = CheckId(0);
pub(crate) const DIVISION: FaultId = FaultId(0);
pub(crate) const CHANNEL: FaultId = FaultId(1);
pub(crate) const INDEX: FaultId = FaultId(2);

/// A program with the usual faults and one check.
pub(crate) fn program(ids: IdPolicy) -> Program {
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
pub(crate) fn process(modes: &[Mode]) -> (Process, Vec<LocId>) {
    let mut process = Process::new("p");
    let locations = modes
        .iter()
        .enumerate()
        .map(|(n, &mode)| process.add_location(format!("l{n}"), mode, Span::NONE))
        .collect();
    (process, locations)
}

pub(crate) fn step(from: LocId, to: LocId) -> Step {
    Step::new(from, to, Span::NONE)
}

pub(crate) fn last(from: LocId) -> Step {
    let mut step = step(from, from);
    step.target = Target::End;
    step
}

pub(crate) fn start(p: &mut Program, process: Process) -> ProcessId {
    let id = p.add_process(process);
    p.start.push(Start {
        process: id,
        args: Vec::new(),
    });
    id
}

pub(crate) fn byte(p: &mut Program, name: &str) -> GlobalId {
    p.add_global(Variable::new(name, BYTE))
}

pub(crate) fn number(p: &mut Program, n: i128) -> ExprId {
    p.exprs.int(n, BYTE)
}

pub(crate) fn load(p: &mut Program, global: GlobalId) -> ExprId {
    let ty = p.globals[global.index()].ty.clone();
    p.exprs.load(Place::global(global), ty)
}

pub(crate) fn own(p: &mut Program, local: usize) -> ExprId {
    p.exprs.load(Place::own(local), BYTE)
}

pub(crate) fn put(p: &mut Program, global: GlobalId, n: i128) -> Stmt {
    Stmt::Assign(Place::global(global), number(p, n))
}

pub(crate) fn add(p: &mut Program, global: GlobalId, n: i128) -> Stmt {
    let (now, n) = (load(p, global), number(p, n));
    let sum = p.exprs.binary(Binary::Add, now, n);
    Stmt::Assign(Place::global(global), sum)
}

pub(crate) fn is(p: &mut Program, a: ExprId, n: i128) -> ExprId {
    let n = number(p, n);
    p.exprs.binary(Binary::Eq, a, n)
}

pub(crate) fn channel(
    p: &mut Program,
    capacity: u32,
    fields: usize,
    from_start: bool,
) -> ChannelId {
    p.add_channel(Channel {
        name: "channel".into(),
        capacity: Some(capacity),
        fields: vec![BYTE; fields],
        from_start,
        owner: None,
    })
}

pub(crate) fn reference(p: &mut Program, channel: ChannelId) -> ExprId {
    p.exprs.int(i128::from(channel.0) + 1, Type::Channel)
}

pub(crate) fn send(channel: ExprId, message: Vec<ExprId>) -> Comm {
    Comm::Send {
        channel,
        message,
        sorted: false,
        lossy: false,
    }
}

pub(crate) fn receive(channel: ExprId, patterns: Vec<Pattern>) -> Comm {
    Comm::Receive {
        channel,
        patterns,
        anywhere: false,
        keep: false,
    }
}

pub(crate) fn spawn(process: ProcessId, args: Vec<ExprId>, result: Option<Place>) -> Stmt {
    Stmt::Spawn {
        process,
        args,
        result,
        share_frame: false,
    }
}

/// What the interpreter finds, and the engine with it.
pub(crate) struct Found {
    pub(crate) states: BTreeSet<State>,
    /// How many steps away: a failed check, each kind of fault, a deadlock, a macro step that
    /// never returns.
    pub(crate) check: Option<usize>,
    pub(crate) faults: [Option<usize>; 3],
    pub(crate) deadlock: Option<usize>,
    pub(crate) divergence: Option<usize>,
}

impl Found {
    /// Whether a global variable ever has a value.
    pub(crate) fn ever(&self, global: GlobalId, n: i128) -> bool {
        let mut states = self.states.iter();
        states.any(|state| state.globals[global.index()] == Value::Int(n))
    }
}

/// Compares the engine with the interpreter.
pub(crate) fn agree(p: &Program) -> Found {
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
            exchange: Exchange::default(),
        };
        let options = Options {
            jobs,
            // The first failures are the same where a search goes on for all of them.
            all: jobs == 2,
            tuning: Tuning::usual().with(Technique::AdaptivePacking, 1),
            ..Options::default()
        };
        let outcome = explore(&job, &options, &Budget::default(), &Silent);
        for (bad, trace) in &outcome.failures {
            interp.replay(trace).expect("a trace that can be replayed");
            assert!(matches!(outcome.answers[*bad], Answer::Violated(_)));
        }
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
            if options.all {
                let number = bads.iter().position(|other| other == bad);
                let some = outcome.failures.iter().find(|f| Some(f.0) == number);
                assert_eq!(some.map(|(_, trace)| trace.steps.len()), steps, "{bad:?}");
            }
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
