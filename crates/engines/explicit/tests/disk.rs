//! Searches with states on disk find what searches in memory find: on random programs, with buffers so small that each
//! level takes many runs, within limits, and where the disk fails.

#[path = "random/program.rs"]
#[expect(dead_code, reason = "other tests need more of it")]
mod program;

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use explicit::{
    Answer, Disk, DiskFile, Exchange, Options, Reduce, SafetyJob, SafetyOutcome, Technique, Tuning,
    explore, explore_on_disk,
};
use model::interp::Interp;
use model::*;
use program::{Random, generate};
use source::Span;

/// A disk in memory that is full after so many bytes.
#[derive(Clone, Debug)]
struct InMemory {
    left: Arc<AtomicU64>,
    files: Arc<AtomicU64>,
}

#[derive(Debug)]
struct File {
    bytes: Mutex<Vec<u8>>,
    disk: InMemory,
}

impl InMemory {
    fn of(bytes: u64) -> Self {
        InMemory {
            left: Arc::new(AtomicU64::new(bytes)),
            files: Arc::default(),
        }
    }
}

impl Disk for InMemory {
    fn file(&self) -> io::Result<Box<dyn DiskFile>> {
        self.files.fetch_add(1, Ordering::Relaxed);
        Ok(Box::new(File {
            bytes: Mutex::default(),
            disk: self.clone(),
        }))
    }
}

impl DiskFile for File {
    fn write_at(&self, bytes: &[u8], place: u64) -> io::Result<()> {
        let take = |left: u64| left.checked_sub(bytes.len() as u64);
        let left = &self.disk.left;
        if left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, take)
            .is_err()
        {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let mut all = self.bytes.lock().expect("nobody panics");
        let place = usize::try_from(place).expect("files are short");
        let length = all.len().max(place + bytes.len());
        all.resize(length, 0);
        all[place..place + bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    fn read_at(&self, bytes: &mut [u8], place: u64) -> io::Result<()> {
        let all = self.bytes.lock().expect("nobody panics");
        let place = usize::try_from(place).expect("files are short");
        let there = all.get(place..place + bytes.len());
        bytes.copy_from_slice(there.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

impl Drop for File {
    fn drop(&mut self) {
        self.disk.files.fetch_sub(1, Ordering::Relaxed);
    }
}

fn from_environment(name: &str, otherwise: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(otherwise)
}

/// What is compared, of what kind: programs, those with many states, failures, and searches that fit states.
type Spread = [u32; 4];

fn compare(seed: u64, spread: &mut Spread) {
    let mut random = Random(fastrand::Rng::with_seed(seed));
    let wild = random.chance(30);
    let generated = generate(&mut random, wild);
    let program = &generated.program;
    let budget = Budget {
        micro_steps: 10_000,
        memory: Some(1 << 20),
        ..Budget::default()
    };
    let mut bads = vec![Bad::Deadlock];
    let only_ends = seed.is_multiple_of(5);
    if !only_ends {
        bads.push(Bad::Divergence);
        bads.extend([CheckId(0), CheckId(1)].map(Bad::Check));
        bads.push(Bad::Fault((0..5).map(FaultId).collect()));
        bads.extend(generated.atoms.iter().copied().map(Bad::State));
        // What is never found, so that all states are.
        bads.push(Bad::Check(CheckId(99)));
    }
    if !program.state_constraint.is_empty() {
        // Whether something goes wrong on the way to a state that does not exist is moot.
        bads.retain(|bad| matches!(bad, Bad::State(_) | Bad::Deadlock | Bad::Check(CheckId(99))));
    }
    let job = SafetyJob {
        program,
        bads: &bads,
        watch: if only_ends { &[] } else { &generated.atoms },
        exchange: Exchange::default(),
    };
    let fit = [1, 10, 100, 0][(seed / 8 % 4) as usize];
    let tuning = Tuning::drawn(seed)
        .with(Technique::AdaptivePacking, fit)
        .with(Technique::ParallelLevels, 1)
        .with(Technique::DepthProbe, 0);
    let options = Options {
        reduce: if only_ends { Reduce::Por } else { Reduce::None },
        tuning,
        ..Options::with_jobs(1)
    };
    let expected = explore(&job, &options, &budget, &Silent);
    let is_whole = |outcome: &SafetyOutcome| {
        let mut answers = outcome.answers.iter();
        !answers.any(|answer| matches!(answer, Answer::Unknown(_)))
    };
    if !is_whole(&expected) || expected.statistics.states > 4000 {
        return;
    }
    let buffer = [1, 7, 64, 1 << 30][(seed % 4) as usize];
    let options = Options {
        tuning: tuning.with(Technique::DiskBuffer, buffer),
        jobs: 1 + (seed / 3 % 3) as usize,
        ..options
    };
    let disk = InMemory::of(u64::MAX);
    let unlimited = Budget {
        memory: None,
        ..budget
    };
    let found = explore_on_disk(&job, &options, &unlimited, &Silent, &disk);
    assert_eq!(disk.files.load(Ordering::Relaxed), 0, "files are gone");
    assert_eq!(found.watched, expected.watched, "seed {seed}");
    assert_eq!(found.sampled, expected.sampled, "seed {seed}");
    if bads.contains(&Bad::Check(CheckId(99)))
        || !matches!(expected.answers[0], Answer::Violated(_))
    {
        let counts = |outcome: &SafetyOutcome| {
            let it = &outcome.statistics;
            (it.states, it.transitions, it.depth)
        };
        assert_eq!(counts(&found), counts(&expected), "seed {seed}");
    }
    let interp = Interp::new(program).with_micro_steps(20_000);
    for ((bad, found), expected) in bads.iter().zip(&found.answers).zip(&expected.answers) {
        match (found, expected) {
            (Answer::Clear, Answer::Clear) => {}
            (Answer::Violated(found), Answer::Violated(expected)) => {
                spread[2] += 1;
                // Ways that are left out may be the shortest ones.
                if !only_ends {
                    assert_eq!(
                        found.steps.len(),
                        expected.steps.len(),
                        "seed {seed}: {bad:?}"
                    );
                }
                if let Err(error) = interp.replay(found) {
                    panic!("seed {seed}: {bad:?}: {error}: {found:?}");
                }
            }
            other => panic!("seed {seed}: {bad:?}: {other:?}"),
        }
    }
    spread[0] += 1;
    spread[1] += u32::from(found.statistics.states > 500);
    let is_shorter = found.statistics.state_bytes == expected.statistics.state_bytes;
    spread[3] += u32::from(fit > 0 && is_shorter);
}

#[test]
fn states_on_disk_are_those_in_memory() {
    let seeds = from_environment("PROBITY_RANDOM_PROGRAMS", 60);
    let first = from_environment("PROBITY_RANDOM_SEED", 0);
    let mut spread = Spread::default();
    for seed in first..first + seeds {
        compare(seed, &mut spread);
    }
    let [programs, large, failures, _] = spread;
    assert!(u64::from(programs) * 2 > seeds, "{spread:?}");
    assert!(large * 10 > programs && failures > programs, "{spread:?}");
}

/// Counters that go up to ten, in any order; the sum is bad at the very end, and cannot be more. Each has another type,
/// of which it needs little.
fn counters(count: u64) -> (Program, [Bad; 2]) {
    let mut program = Program::new("counters", "none");
    let mut sum = program.exprs.int(0, Type::Mathint);
    for number in 0..count {
        let ty = Type::Int {
            bits: 16 + u8::try_from(number).expect("few"),
            signed: false,
        };
        let x = program.add_global(Variable::new("x", ty.clone()));
        let now = program.exprs.load(Place::global(x), ty);
        let top = program.exprs.int(10, Type::Mathint);
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
    let all = program.exprs.int((count * 10).into(), Type::Mathint);
    let bads = [
        Bad::State(program.exprs.binary(Binary::Eq, sum, all)),
        Bad::State(program.exprs.binary(Binary::Lt, all, sum)),
    ];
    (program, bads)
}

fn job<'a>(program: &'a Program, bads: &'a [Bad]) -> SafetyJob<'a> {
    SafetyJob {
        program,
        bads,
        watch: &[],
        exchange: Exchange::default(),
    }
}

#[test]
fn a_search_that_does_not_fit_into_memory_ends_on_disk() {
    let (program, bads) = counters(5);
    let job = job(&program, &bads);
    let little = Budget {
        memory: Some(400 << 10),
        ..Budget::default()
    };
    for jobs in [1, 2] {
        let options = Options::with_jobs(jobs);
        let in_memory = explore(&job, &options, &little, &Silent);
        assert_eq!(in_memory.answers[1], Answer::Unknown(UnknownReason::Memory));
        let disk = InMemory::of(u64::MAX);
        let outcome = explore_on_disk(&job, &options, &little, &Silent, &disk);
        let statistics = &outcome.statistics;
        assert_eq!(statistics.states, 11u64.pow(5), "{statistics:?}");
        assert_eq!(statistics.transitions, 5 * 10 * 11u64.pow(4));
        assert_eq!((statistics.depth, statistics.storage), (50, "disk"));
        assert!(statistics.memory <= 400 << 10, "{statistics:?}");
        assert!(statistics.disk > 11u64.pow(5), "{statistics:?}");
        // Two bytes or so for each state, and once more for all levels together.
        assert!(statistics.disk < 11u64.pow(5) * 12, "{statistics:?}");
        assert!(matches!(&outcome.answers[0], Answer::Violated(trace) if trace.steps.len() == 50));
        assert_eq!(outcome.answers[1], Answer::Clear);
    }
}

#[test]
fn a_full_disk_and_other_limits_leave_what_was_reached() {
    let (program, bads) = counters(4);
    let job = job(&program, &bads);
    let options = Options {
        tuning: Tuning::usual().with(Technique::DiskBuffer, 100),
        ..Options::with_jobs(1)
    };
    let mut reached = Vec::new();
    for bytes in [0, 100, 3000, 30_000, 100_000] {
        let disk = InMemory::of(bytes);
        let outcome = explore_on_disk(&job, &options, &Budget::default(), &Silent, &disk);
        let full = Answer::Unknown(UnknownReason::Disk("it is full".to_owned()));
        assert_eq!(outcome.answers, [full.clone(), full]);
        assert_eq!(disk.files.load(Ordering::Relaxed), 0, "files are gone");
        reached.push(outcome.statistics.states);
    }
    assert!(reached.is_sorted() && reached[4] > 500, "{reached:?}");
    let disk = InMemory::of(u64::MAX);
    for (budget, reason) in [
        (
            Budget {
                deadline: Some(std::time::Instant::now()),
                ..Budget::default()
            },
            UnknownReason::Time,
        ),
        (
            Budget {
                stop: Arc::new(true.into()),
                ..Budget::default()
            },
            UnknownReason::Interrupted,
        ),
        (
            Budget {
                memory: Some(100),
                ..Budget::default()
            },
            UnknownReason::Memory,
        ),
    ] {
        let outcome = explore_on_disk(&job, &options, &budget, &Silent, &disk);
        assert_eq!(outcome.answers[1], Answer::Unknown(reason));
    }
    let all = Options {
        all: true,
        ..options
    };
    let outcome = explore_on_disk(&job, &all, &Budget::default(), &Silent, &disk);
    assert!(matches!(
        &outcome.answers[0],
        Answer::Unknown(UnknownReason::Option(what)) if what.contains("--all-errors")
    ));
}
