//! The explicit-state engine: goes through the stable states of a program one by one.
//!
//! A program is laid out flat, one number a slot; it is compiled to code for a small
//! machine, and stored states are packed to the bit. [`explore`] searches breadth-first
//! for everything bad at once, with the shortest counterexamples, or [depth-first](SearchOrder); [`accepted_run`] looks on the
//! fly for a fair run that a Büchi automaton accepts. Nothing of this is shared with the reference
//! interpreter, which replays what the engine finds.
//!
//! Not there yet, and answered with [`UnknownReason::Unsupported`]: objects made at run time,
//! instances that share a frame, pointers, unbounded channels, synchronous composition, procedure calls that
//! stay open between macro steps, and linear-time properties of runs that end
//! ([`FiniteRuns::Maximal`](model::FiniteRuns::Maximal)).
//!
//! ```
//! use explicit::{Answer, Exchange, Options, SafetyJob, explore};
//! use model::{Bad, Binary, Budget, Expr, Mode, Place, Process, Program, Silent};
//! use model::{Start, Step, Stmt, Type, Variable};
//! use source::Span;
//!
//! // A counter that goes from 0 to 3 and round again.
//! let mut program = Program::new("counter", "none");
//! let n = program.add_global(Variable::new("n", Type::Range { lo: 0, hi: 3 }));
//! let now = program.exprs.load(Place::global(n), Type::Range { lo: 0, hi: 3 });
//! let (one, four) = (program.exprs.int(1, Type::Mathint), program.exprs.int(4, Type::Mathint));
//! let more = program.exprs.add(Expr::Binary(Binary::Add, now, one), Type::Mathint);
//! let next = program.exprs.add(Expr::Binary(Binary::Rem, more, four), Type::Mathint);
//! let mut process = Process::new("count");
//! let here = process.add_location("here", Mode::Open, Span::NONE);
//! let mut step = Step::new(here, here, Span::NONE);
//! step.body = vec![Stmt::Assign(Place::global(n), next)];
//! process.add_step(step);
//! let process = program.add_process(process);
//! program.start.push(Start { process, args: Vec::new() });
//!
//! let three = program.exprs.int(3, Type::Mathint);
//! let is_three = program.exprs.binary(Binary::Eq, now, three);
//! let job = SafetyJob { program: &program, bads: &[Bad::State(is_three), Bad::Deadlock], watch: &[], exchange: Exchange::default() };
//! let outcome = explore(&job, &Options::default(), &Budget::default(), &Silent);
//! assert!(matches!(&outcome.answers[0], Answer::Violated(trace) if trace.steps.len() == 3));
//! assert_eq!(outcome.answers[1], Answer::Clear);
//! assert_eq!(outcome.statistics.states, 4);
//! ```

mod checkpoint;
mod disk;
mod engine;
mod evidence;
mod ir;
mod liveness;
mod partitioned;
mod reduction;
mod search;
mod store;
mod successors;
mod tuning;
mod vm;

pub use checkpoint::file::{CheckpointError, CheckpointFile, restore};
pub use disk::explore::explore_on_disk;
pub use disk::{Disk, DiskFile};
pub use liveness::emptiness::{LivenessJob, LivenessOutcome, accepted_run, accepted_run_with};
use model::{ProcessId, Trace, UnknownReason};
pub use partitioned::save::Vault;
pub use partitioned::team::{Cluster, Event, Team, TeamLost};
pub use partitioned::{accepted_run_together, explore_together};
pub use search::bfs::{SafetyJob, SafetyOutcome, reached, stable_states};
pub use search::safety::{explore, explore_with};
pub use search::state_graph::Space;
pub use tuning::{Technique, Tuning};

/// How to work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Threads to use; at least one.
    pub jobs: usize,
    /// How states are stored when nothing bad is to be reached.
    pub storage: Storage,
    /// Which states to leave out.
    pub reduce: Reduce,
    /// In which order states are gone through when nothing bad is to be reached.
    pub order: SearchOrder,
    /// Whether a search for what must not be reached goes on behind a failure, for all failing
    /// places.
    pub all: bool,
    /// Whether a search for several bad things ends when one of them is reached; the others are
    /// then [`UnknownReason::AnotherFailed`].
    pub first: bool,
    /// Whether a breadth-first search for several bad things ends some time after one of them was reached early on,
    /// so that its run need not wait for the rest; the others are then [`UnknownReason::AnotherFailed`].
    pub apart: bool,
    /// What it does without, for measurements and tests. Runs that a
    /// [depth probe](Technique::DepthProbe) finds are not the shortest.
    pub tuning: Tuning,
}

impl Options {
    /// So many threads, and what else is usual.
    #[must_use]
    pub const fn with_jobs(jobs: usize) -> Self {
        Options {
            jobs,
            storage: Storage::Auto,
            reduce: Reduce::None,
            order: SearchOrder::BreadthFirst,
            all: false,
            first: false,
            apart: false,
            tuning: Tuning::usual(),
        }
    }
}

/// In which order a search for what must not be reached goes through states.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum SearchOrder {
    /// By their distance from the beginning, with all threads: runs are the shortest.
    #[default]
    BreadthFirst,
    /// The newest first, with one thread: what lies deep is found before all that lies less deep
    /// has been seen. Runs are seldom the shortest. [`Options::all`] and checkpoints need the other
    /// order.
    DepthFirst,
    /// Many such searches, one with each thread, whose order is chosen at random, with storage that loses
    /// states.
    Swarm {
        /// The seed of the first one; the next one has the next,
        seed: u64,
        /// and how many there are.
        count: u64,
    },
}

/// How states are stored.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Storage {
    /// As they are, and compressed when memory gets tight.
    #[default]
    Auto,
    /// As they are.
    Plain,
    /// As trees of dictionary numbers: less memory, more time, nothing lost.
    Compressed,
    /// By 64 bits of their hashes: two states of one hash are taken for one.
    HashCompact,
    /// By three bits that their hashes pick in a table: what is found counts, what is not found
    /// may have been lost.
    Bitstate,
    /// On disk, level by level: for [`explore_on_disk`] alone. Other searches take it for [`Storage::Auto`].
    Disk,
}

/// Instances that may change places without anybody noticing: one state stands for all that differ
/// in who of them is where.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Exchange<'a> {
    /// The templates whose instances are interchangeable for the steps of all others and for all
    /// that is asked.
    pub templates: &'a [ProcessId],
    /// Whether instances that have ended count as gone. They must where instances go away youngest
    /// first and some of these end; then nobody may notice who has ended either, and none may be
    /// started at run time.
    pub ended_are_gone: bool,
    /// Whether what the program [says is alike](model::Alike) may change places, too.
    pub alike: bool,
}

/// Which states to leave out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Reduce {
    /// None.
    #[default]
    None,
    /// Those that differ from others only in the order of steps that commute: partial-order
    /// reduction. All answers stay the same, but runs to what is bad need not be the shortest.
    /// An automaton must not be able to count: it accepts a word if and only if it accepts those
    /// with some letters repeated. Formulas without `X` give such automata.
    Por,
}

impl Default for Options {
    fn default() -> Self {
        let jobs = std::thread::available_parallelism().map_or(1, usize::from);
        Options::with_jobs(jobs)
    }
}

impl Storage {
    /// Its name on the command line and in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Storage::Auto => "auto",
            Storage::Plain => "plain",
            Storage::Compressed => "compressed",
            Storage::HashCompact => "hash-compact",
            Storage::Bitstate => "bitstate",
            Storage::Disk => "disk",
        }
    }

    /// The storage of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Storage> {
        [
            Storage::Auto,
            Storage::Plain,
            Storage::Compressed,
            Storage::HashCompact,
            Storage::Bitstate,
            Storage::Disk,
        ]
        .into_iter()
        .find(|storage| storage.name() == name)
    }
}

/// An answer.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// Everything has been explored, and it is not there.
    Clear,
    /// It is there, and this run leads to it.
    Violated(Trace),
    /// Not known.
    Unknown(UnknownReason),
}
