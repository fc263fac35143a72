//! `cargo xtask bench sat`: growing circuits, each proved by IC3 with its invariant checked, and
//! the same by other solvers.
//!
//! Words on the command line choose families by name; `--limit SECONDS` bounds each run;
//! `--solvers` compares the solvers that were built in; `--checks` compares ways to check the
//! invariants instead; `--facts` looks for simple facts first.

#![expect(clippy::print_stdout, reason = "a measurement prints its table")]

#[path = "../tests/families/mod.rs"]
mod families;

use std::time::{Duration, Instant};

use families::Case;
use model::{Budget, Progress, Statistics};
use sat::{Answer, Invariant, Technique, check_invariant, check_with};
use solver::{MakeSolver, Own};

/// Remembers the last figures.
#[derive(Default)]
struct Last(std::sync::Mutex<Statistics>);

impl Progress for Last {
    fn report(&self, statistics: &Statistics, _: u64) {
        if let Ok(mut last) = self.0.lock() {
            *last = statistics.clone();
        }
    }
}

type Make = fn(usize) -> Case;

/// Name, sizes, how a case is made.
const FAMILIES: &[(&str, &[usize], Make)] = &[
    ("counter with reset, bits", &[8, 16, 32, 64], |n| {
        families::counter(n, false)
    }),
    ("token ring, stations", &[8, 16, 32, 48], |n| {
        families::token_ring(n, false)
    }),
    (
        "FIFO against a reference, entries of 8 bits",
        &[4, 8, 16, 32],
        |n| families::fifo(n, 8, false),
    ),
    (
        "FIFO against a shift register, entries of 2 bits",
        &[2, 3, 4, 5, 6],
        |n| families::fifo_and_shift_register(n, 2, false),
    ),
    ("round-robin arbiter, clients", &[16, 32, 64, 96], |n| {
        families::arbiter(n, false)
    }),
    ("sorted list, numbers of 8 bits", &[4, 8, 16, 32], |n| {
        families::sorted_list(n, 8, false)
    }),
    ("accounts, bits", &[8, 16, 32, 64], |n| {
        families::accounts(n, false)
    }),
    ("auction, bits", &[8, 16, 32, 64], |n| {
        families::auction(n, false)
    }),
    ("till, bits", &[8, 16, 32, 64], |n| families::till(n, false)),
    ("auction without predicates, bits", &[4, 6, 8], |n| Case {
        numbers: Vec::new(),
        ..families::auction(n, false)
    }),
];

const PROOFS: &str = "\
| family | size | latches | gates | solver | answer | processor time | frames | clauses | questions |
|---|---:|---:|---:|---|---|---:|---:|---:|---:|";

const CHECKS: &str = "\
| family | size | clauses | proof | check, solver trusted | lines checked | BatSat instead |
|---|---:|---:|---:|---:|---:|---:|";

struct Plan {
    limit: Duration,
    solvers: bool,
    checks: bool,
    facts: bool,
    names: Vec<String>,
}

fn main() {
    let mut plan = Plan {
        limit: Duration::from_secs(60),
        solvers: false,
        checks: false,
        facts: false,
        names: Vec::new(),
    };
    let mut asked = false;
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--limit" => {
                let seconds = words.next().and_then(|word| word.parse().ok());
                plan.limit = Duration::from_secs(seconds.unwrap_or(60));
            }
            "--facts" => plan.facts = true,
            "--solvers" => plan.solvers = true,
            "--checks" => plan.checks = true,
            // What cargo itself adds.
            "--bench" => asked = true,
            name => plan.names.push(name.to_owned()),
        }
    }
    // Whoever runs all targets as tests does not want to wait for this.
    if !asked {
        return;
    }
    println!("{}", if plan.checks { CHECKS } else { PROOFS });
    for &(name, sizes, make) in FAMILIES {
        let chosen = plan.names.iter().any(|word| name.contains(word.as_str()));
        if !plan.names.is_empty() && !chosen {
            continue;
        }
        for &size in sizes {
            let mut done = measure(&Own, "own", name, size, make, &plan);
            if plan.solvers {
                #[cfg(feature = "batsat")]
                measure(&solver::UseBat, "BatSat", name, size, make, &plan);
                #[cfg(feature = "cadical")]
                measure(&solver::UseCadi, "CaDiCaL", name, size, make, &plan);
            }
            if !std::mem::take(&mut done) {
                break;
            }
        }
    }
}

/// Seconds that this process has computed: what else the machine does should not count.
#[cfg(unix)]
fn processor_time() -> f64 {
    use nix::sys::resource::{UsageWho, getrusage};
    let Ok(usage) = getrusage(UsageWho::RUSAGE_SELF) else {
        return 0.0;
    };
    let time = usage.user_time();
    time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6
}

#[cfg(not(unix))]
fn processor_time() -> f64 {
    use std::sync::OnceLock;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// Seconds that it takes to check an invariant; none if that does not work out.
fn check_time(
    make_solver: &impl MakeSolver,
    case: &Case,
    invariant: &Invariant,
    budget: &Budget,
) -> Option<f64> {
    let begun_at = processor_time();
    let checked = check_invariant(&case.circuit, case.bad, invariant, make_solver, budget);
    checked.is_ok().then(|| processor_time() - begun_at)
}

fn measure<M: MakeSolver + Sync>(
    make_solver: &M,
    solver: &str,
    name: &str,
    size: usize,
    make: Make,
    plan: &Plan,
) -> bool {
    let mut case = make(size);
    let (mut options, _) = case.options();
    let value = u64::from(plan.facts);
    options.tuning = options.tuning.with(Technique::SignalCorrespondence, value);
    let begun = Instant::now();
    let begun_at = processor_time();
    let budget = Budget {
        deadline: Some(begun + plan.limit),
        ..Budget::default()
    };
    let last = Last::default();
    let answer = check_with(
        make_solver,
        &case.circuit,
        case.bad,
        &options,
        &budget,
        &last,
    );
    let time = processor_time() - begun_at;
    let figures = last.0.lock().map(|last| last.clone()).unwrap_or_default();
    if plan.checks {
        if let Answer::Proved { invariant, .. } = &answer {
            let seconds = |time: f64| format!("{time:.4} s");
            let trusted = check_time(&Own, &case, invariant, &budget).map(seconds);
            let lines = check_time(&audit::Recheck, &case, invariant, &budget).map(seconds);
            #[cfg(feature = "batsat")]
            let other = check_time(&solver::UseBat, &case, invariant, &budget).map(seconds);
            #[cfg(not(feature = "batsat"))]
            let other: Option<String> = None;
            let [trusted, lines, other] = [trusted, lines, other].map(Option::unwrap_or_default);
            println!(
                "| {name} | {size} | {} | {time:.2} s | {trusted} | {lines} | {other} |",
                invariant.clauses.len(),
            );
        }
        return matches!(answer, Answer::Proved { .. });
    }
    let (word, clauses) = match &answer {
        Answer::Proved { invariant, .. } => ("proved".to_owned(), invariant.clauses.len()),
        Answer::AllRuns { .. } => ("all runs".to_owned(), 0),
        Answer::Refuted { .. } => ("refuted".to_owned(), 0),
        Answer::Unknown { reason, .. } => (format!("{reason:?}"), figures.states as usize),
    };
    println!(
        "| {name} | {size} | {} | {} | {solver} | {word} | {time:.2} s | {} | {clauses} | {} |",
        case.circuit.latches.len(),
        case.circuit.aig.gate_count(),
        figures.depth,
        figures.transitions,
    );
    matches!(answer, Answer::Proved { .. })
}
