//! Searches that several threads share, with every storage, within limits, and after
//! interruptions: always the same states and transitions.

use std::io::{self, Read, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use explicit::{
    Answer, CheckpointFile, Exchange, Options, SafetyJob, SafetyOutcome, Storage, explore,
    explore_with, restore,
};
use model::{
    Bad, Binary, Budget, Expr, Mode, Place, Process, Program, Silent, Start, Step, Stmt, Type,
    UnknownReason, Variable,
};
use source::Span;

/// Counters that go up to a number, in any order; the sum is bad at the very end, and cannot be
/// more.
fn counters(count: u64, most: u64) -> (Program, [Bad; 2]) {
    let mut program = Program::new("counters", "none");
    let limit = i64::try_from(most).expect("a small number");
    let mut sum = program.exprs.int(0, Type::Mathint);
    for _ in 0..count {
        let ty = Type::Range { lo: 0, hi: limit };
        let x = program.add_global(Variable::new("x", ty.clone()));
        let now = program.exprs.load(Place::global(x), ty);
        let top = program.exprs.int(most.into(), Type::Mathint);
        let one = program.exprs.int(1, Type::Mathint);
        let more = program
            .exprs
            .add(Expr::Binary(Binary::Add, now, one), Type::Mathint);
        let mut process = Process::new("count");
        let here = process.add_location("here", Mode::Open, Span::NONE);
        let mut step = Step::new(here, here, Span::NONE);
        step.guard = Some(program.exprs.binary(Binary::Lt, now, top));
        step.body = vec![Stmt::Assign(Place::global(x), more)];
        process.add_step(step);
        let process = program.add_process(process);
        program.start.push(Start {
            process,
            args: Vec::new(),
        });
        sum = program
            .exprs
            .add(Expr::Binary(Binary::Add, sum, now), Type::Mathint);
    }
    let all = program.exprs.int((count * most).into(), Type::Mathint);
    let bads = [
        Bad::State(program.exprs.binary(Binary::Eq, sum, all)),
        Bad::State(program.exprs.binary(Binary::Lt, all, sum)),
    ];
    (program, bads)
}

const STATES: u64 = 11u64.pow(5);
/// Each state has as many successors as counters below the top.
const TRANSITIONS: u64 = 5 * 10 * 11u64.pow(4);

fn is_whole(outcome: &SafetyOutcome) {
    assert_eq!(outcome.statistics.states, STATES);
    assert_eq!(outcome.statistics.transitions, TRANSITIONS);
    assert_eq!(outcome.statistics.depth, 50);
    assert!(matches!(&outcome.answers[0], Answer::Violated(trace) if trace.steps.len() == 50));
    assert_eq!(outcome.answers[1], Answer::Clear);
}

#[test]
fn threads_and_storages_agree() {
    let (program, bads) = counters(5, 10);
    let job = SafetyJob {
        program: &program,
        bads: &bads,
        watch: &[],
        exchange: Exchange::default(),
    };
    for jobs in [1, 2, 4] {
        for storage in [
            Storage::Plain,
            Storage::Compressed,
            Storage::HashCompact,
            Storage::Bitstate,
        ] {
            let options = Options {
                storage,
                ..Options::with_jobs(jobs)
            };
            let outcome = explore(&job, &options, &Budget::default(), &Silent);
            assert_eq!(outcome.statistics.storage, storage.name());
            let lossy = matches!(storage, Storage::HashCompact | Storage::Bitstate);
            assert_eq!(outcome.sampled, lossy);
            assert_eq!(outcome.statistics.omitted > 0.0, lossy);
            if storage == Storage::Bitstate {
                // Threads may both take one state for new; and some may be lost.
                let found = outcome.statistics.states;
                assert!((STATES - STATES / 100..STATES + STATES / 100).contains(&found));
                assert!(matches!(outcome.answers[0], Answer::Violated(_)));
            } else {
                is_whole(&outcome);
            }
        }
    }
}

#[test]
fn memory_that_gets_tight_is_made_do_with_and_then_the_search_stops() {
    let (program, bads) = counters(5, 10);
    let job = SafetyJob {
        program: &program,
        bads: &bads,
        watch: &[],
        exchange: Exchange::default(),
    };
    for jobs in [1, 3] {
        let explored = |memory: u64| {
            let budget = Budget {
                memory: Some(memory),
                ..Budget::default()
            };
            let options = Options {
                storage: Storage::Auto,
                ..Options::with_jobs(jobs)
            };
            explore(&job, &options, &budget, &Silent)
        };
        let tight = explored(1_800_000);
        is_whole(&tight);
        assert_eq!(tight.statistics.storage, "compressed");
        let short = explored(400_000);
        assert_eq!(short.answers[1], Answer::Unknown(UnknownReason::Memory));
        assert!(short.statistics.memory <= 500_000);
        assert!(short.statistics.states > 20_000);
    }
}

/// A file that is written each time so much has been done.
#[derive(Debug, Default)]
struct File {
    asked: AtomicU64,
    every: u64,
    written: Mutex<Vec<Vec<u8>>>,
    begin: Option<Vec<u8>>,
}

impl CheckpointFile for File {
    fn label(&self) -> u64 {
        17
    }

    fn is_due(&self) -> bool {
        let asked = self.asked.fetch_add(1, Ordering::Relaxed) + 1;
        self.every > 0 && asked.is_multiple_of(self.every)
    }

    fn replace(&self, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) {
        let mut bytes = Vec::new();
        write(&mut bytes).expect("memory takes what is written");
        self.written
            .lock()
            .expect("nobody panics while writing")
            .push(bytes);
    }

    fn open(&self) -> Option<io::Result<Box<dyn Read>>> {
        let begin = self.begin.clone()?;
        Some(Ok(Box::new(io::Cursor::new(begin))))
    }
}

#[test]
fn an_interrupted_search_goes_on_as_if_nothing_had_been() {
    let (program, bads) = counters(5, 10);
    let job = SafetyJob {
        program: &program,
        bads: &bads,
        watch: &[],
        exchange: Exchange::default(),
    };
    for (jobs, storage) in [
        (1, Storage::Plain),
        (3, Storage::Auto),
        (2, Storage::Compressed),
    ] {
        let options = Options {
            storage,
            ..Options::with_jobs(jobs)
        };
        let file = File {
            every: 200,
            ..File::default()
        };
        let unlimited = Budget::default();
        is_whole(&explore_with(
            &job,
            &options,
            &unlimited,
            &Silent,
            Some(&file),
        ));
        // Stopped for want of memory, it is saved as well.
        let poor = Budget {
            memory: Some(400_000),
            ..Budget::default()
        };
        let outcome = explore_with(&job, &options, &poor, &Silent, Some(&file));
        assert_eq!(outcome.answers[1], Answer::Unknown(UnknownReason::Memory));
        let written = file.written.into_inner().unwrap();
        assert!(written.len() >= 3, "{} times", written.len());
        for begin in [&written[0], &written[1], written.last().unwrap()] {
            let file = File {
                begin: Some(begin.clone()),
                ..File::default()
            };
            assert!(restore(&file, &program.rich).unwrap());
            // By other threads, in another storage.
            let outcome = explore_with(
                &job,
                &Options::with_jobs(2),
                &unlimited,
                &Silent,
                Some(&file),
            );
            is_whole(&outcome);
            // Another search begins anew.
            let (other, bads) = counters(3, 13);
            let job = SafetyJob {
                program: &other,
                bads: &bads,
                watch: &[],
                exchange: Exchange::default(),
            };
            let outcome = explore_with(&job, &options, &unlimited, &Silent, Some(&file));
            assert_eq!(outcome.statistics.states, 14 * 14 * 14);
        }
    }
}
