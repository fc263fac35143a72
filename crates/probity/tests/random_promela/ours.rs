//! Our answers: the interpreter's, and whether the engine agrees with them.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use logic::Ltl;
use model::interp::Violation;
use model::{Budget, Claim, Program, Silent, Verdict};
use passes::{Selection, pipeline};

use crate::generate::Model;
use crate::oracle;

/// Far more than the engine needs for so few states.
const LIMIT: Duration = Duration::from_secs(120);

/// What the interpreter says of a model.
pub(crate) struct Ours {
    pub(crate) states: usize,
    pub(crate) assertion_fails: bool,
    pub(crate) invalid_end: bool,
    /// Whether a run can end.
    pub(crate) ends: bool,
    pub(crate) faults: bool,
    pub(crate) liveness: BTreeMap<String, bool>,
}

/// What is to be compared, or why nothing is.
pub(crate) enum Explored {
    TooLarge,
    TooSmall,
    All(Ours),
}

/// The program of a model, or why it is refused.
pub(crate) fn load(model: &Model) -> Result<Program, String> {
    let loaded = promela::load("random.pml", &model.text, &promela::Options::default());
    let errors: Vec<_> = loaded
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.is_error())
        .map(|diagnostic| {
            let place = loaded.sources.location(diagnostic.span);
            format!("{}: {}", place.unwrap_or_default(), diagnostic.message)
        })
        .collect();
    loaded.program.ok_or_else(|| errors.join("; "))
}

/// The interpreter's answers, if it finds so many states.
pub(crate) fn explore(program: &Program, sizes: &RangeInclusive<usize>) -> Explored {
    let Some(graph) = oracle::Graph::explore(program, *sizes.end()) else {
        return Explored::TooLarge;
    };
    if graph.len() < *sizes.start() {
        return Explored::TooSmall;
    }
    let violates = |wanted: &dyn Fn(&Violation) -> bool| graph.violations.iter().any(wanted);
    let mut ours = Ours {
        states: graph.len(),
        assertion_fails: violates(&|violation| matches!(violation, Violation::Check(_))),
        faults: violates(&|violation| matches!(violation, Violation::Fault(_))),
        invalid_end: graph.invalid_end,
        ends: graph.ends,
        liveness: BTreeMap::new(),
    };
    for property in &program.properties {
        let automaton = match &property.claim {
            Claim::Ltl(formula) => logic::translate(&Ltl::not(formula.clone())).ok(),
            Claim::Never(automaton) => Some(automaton.clone()),
            _ => None,
        };
        if let Some(automaton) = automaton {
            let fails = graph.accepts(&automaton);
            ours.liveness.insert(property.name.clone(), fails);
        }
    }
    Explored::All(ours)
}

/// Where the engine, with no passes or with all, does not say what the interpreter says.
pub(crate) fn disagreements(program: &Program, ours: &Ours) -> Vec<String> {
    let mut found = Vec::new();
    let (states, _) = engine_counts(program);
    if states != ours.states {
        let wanted = ours.states;
        found.push(format!(
            "states of the engine: {states} (interpreter: {wanted})"
        ));
    }
    for (which, passes) in [("no", Selection::none()), ("all", Selection::all())] {
        let verdicts = verdicts(program, passes);
        for (name, fails) in &verdicts {
            let wanted = match &**name {
                "assertions" => ours.assertion_fails,
                "deadlock" => ours.invalid_end,
                "faults" => ours.faults,
                _ => match ours.liveness.get(name) {
                    Some(fails) => *fails,
                    None => continue,
                },
            };
            if *fails != Ok(wanted) {
                found.push(format!(
                    "{name} with {which} passes fails: {fails:?} (interpreter: {wanted})"
                ));
            }
        }
    }
    found
}

/// States and transitions of the engine, no pass on. A search that is given up counts too few.
///
/// The interpreter is not asked for transitions: ways through an atomic sequence that end in the
/// same state are several to SPIN and to the engine.
pub(crate) fn engine_counts(program: &Program) -> (usize, usize) {
    let plain = pipeline(program, &[], &Selection::none()).original;
    // Nothing bad to look for: the search goes to its end.
    let job = explicit::SafetyJob {
        program: &plain,
        bads: &[],
        watch: &[],
        exchange: explicit::Exchange::default(),
    };
    let budget = Budget {
        deadline: Some(Instant::now() + LIMIT),
        ..Budget::default()
    };
    // States are packed anew again and again, however few there are, and lists are split.
    let few = explicit::Tuning::usual().with(explicit::Technique::AdaptivePacking, 8);
    let options = explicit::Options {
        tuning: few.with(explicit::Technique::TransitionGroups, 8),
        ..explicit::Options::with_jobs(1)
    };
    let outcome = explicit::explore(&job, &options, &budget, &Silent);
    let statistics = outcome.statistics;
    // SPIN counts the initial state as a transition.
    let transitions = statistics.transitions + 1;
    (
        usize::try_from(statistics.states).expect("it is small"),
        usize::try_from(transitions).expect("it is small"),
    )
}

/// Which properties fail, or what else is said of them.
fn verdicts(program: &Program, passes: Selection) -> Vec<(String, Result<bool, String>)> {
    let seed: usize = program.processes.iter().map(|p| p.steps.len()).sum();
    let options = verify::Options {
        timeout: Some(LIMIT),
        jobs: 1,
        passes,
        tuning: verify::Tuning::drawn(seed as u64),
        ..verify::Options::default()
    };
    verify::check(program, &options, &Silent)
        .into_iter()
        .map(|outcome| {
            let name = program.properties[outcome.property.index()].name.clone();
            let fails = match outcome.verdict {
                Verdict::Fails { .. } => Ok(true),
                Verdict::Holds { .. } | Verdict::Vacuous { .. } => Ok(false),
                Verdict::Unknown { reason, .. } => Err(format!("{reason:?}")),
                Verdict::Measured { distance } => Err(format!("{distance:?}")),
            };
            (name, fails)
        })
        .collect()
}
