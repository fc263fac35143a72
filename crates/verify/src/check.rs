//! Verifies the properties of a program: groups them, gives each group to the engine, and makes
//! verdicts of the answers.
//!
//! Engines that suit work side by side. The explicit engine works on groups, one thread each. A counterexample is turned back into a run
//! of the program before passes and replayed there; if that does not work out, the property is
//! verified again on its own without passes, and if even that run is not accepted, the verdict is
//! *not known* and the defect is ours.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use explicit::{Answer, CheckpointError, CheckpointFile, LivenessJob, SafetyJob, SearchOrder};
use logic::Buchi;
use model::interp::{Interp, Replay};
use model::{
    Bad, Budget, Claim, FiniteRuns, Program, Progress, PropertyId, Query, Statistics, Trace,
    UnknownReason, Verdict,
};
use passes::{Interchangeable, Observed, QueryKind, Reduced, Selection, interchangeable, pipeline};

use crate::alternatives::with_alternatives;
use crate::checkpoint_sections::Sections;
use crate::coarse::{check_coarse_first, check_finer_last};
use crate::confirm::confirm;
use crate::engine::Engine;
use crate::failures::{Failure, distinct};
use crate::fairness_refinement::watching_few;
use crate::first_turn::FirstTurn;
use crate::for_ever::goes_on;
use crate::interpreter_probe::walk;
use crate::members::{Job, contenders};
use crate::options::{Options, Storage};
use crate::outcome::{Outcome, PassSizes};
use crate::portfolio::{Rules, Told, failed, run_portfolio};
use crate::question::{awaited, query};
use crate::sampled;
use crate::shorten::shortest;
use crate::stack::Stack;
use crate::strength::{Seen, without_violation};
use crate::undecided;

/// Verifies the properties of a program that the options select; outcomes in the program's order.
#[must_use]
pub fn check(program: &Program, options: &Options, progress: &dyn Progress) -> Vec<Outcome> {
    let verify = |program: &Program, options: &Options, told: Told<'_>| {
        check_by_levels(program, options, progress, None, told)
    };
    with_room(program, || {
        with_alternatives(program, options, &|_| {}, (&verify, &verify))
    })
}

/// The same; `told` hears of what is known of a property whenever that changes, so that it is not lost
/// if the work cannot be finished. With a file, searches are saved to it, and those that it holds are
/// gone on with. Groups are worked on one at a time then.
///
/// # Errors
/// If the file cannot be gone on from.
pub fn check_with(
    program: &Program,
    options: &Options,
    progress: &dyn Progress,
    file: Option<&dyn CheckpointFile>,
    told: &(dyn Fn(&Outcome) + Sync),
) -> Result<Vec<Outcome>, CheckpointError> {
    let file = match file {
        Some(file) => Some(Sections::restore(file, &program.rich)?),
        None => None,
    };
    let verify = |program: &Program, options: &Options, told: Told<'_>| {
        check_by_levels(program, options, progress, file.as_ref(), told)
    };
    let anew = |program: &Program, options: &Options, told: Told<'_>| {
        check_by_levels(program, options, progress, None, told)
    };
    Ok(with_room(program, || {
        with_alternatives(program, options, told, (&verify, &anew))
    }))
}

/// The same, a coarser program first if there is one. A search that is saved is one of the program
/// itself.
fn check_by_levels(
    program: &Program,
    options: &Options,
    progress: &dyn Progress,
    file: Option<&Sections<'_>>,
    told: Told<'_>,
) -> Vec<Outcome> {
    let Some(coarse) = program.coarse.as_ref().filter(|_| file.is_none()) else {
        return check_decided(program, options, progress, file, told);
    };
    let of_itself = |options: &Options| check_decided(program, options, progress, None, &|_| {});
    let outcomes = match coarse.only_proves {
        true => check_coarse_first(
            (program, coarse),
            options,
            &of_itself,
            &|program, options| check_groups(program, options, progress, None, &|_| {}),
        ),
        false => check_finer_last((program, coarse), options, &of_itself, &|options| {
            check_by_levels(coarse, options, progress, None, &|_| {})
        }),
    };
    outcomes.iter().for_each(told);
    outcomes
}

/// The same, with failures that rest on undecided values looked at again.
fn check_decided(
    program: &Program,
    options: &Options,
    progress: &dyn Progress,
    file: Option<&Sections<'_>>,
    told: Told<'_>,
) -> Vec<Outcome> {
    let began = Instant::now();
    let turn = FirstTurn::new(program, options, began);
    let first = |outcome: &Outcome| match undecided::unsettled(program, outcome) {
        Some(unsettled) => {
            turn.is_open();
            told(&unsettled);
        }
        None => told(outcome),
    };
    let mut outcomes = turn.take(options, |options| {
        check_groups(program, options, progress, file, &first)
    });
    let again = |program: &Program, options: &Options, progress: &dyn Progress| {
        check_groups(program, options, progress, None, &|_| {})
    };
    undecided::settle(program, options, began, &mut outcomes, &again, progress);
    outcomes.iter().for_each(told);
    outcomes
}

/// Works in a thread that has room for the expressions of a program.
pub(crate) fn with_room<T: Send>(program: &Program, work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let worker = Stack::of(program).spawn(scope, work);
        worker
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn check_groups(
    program: &Program,
    options: &Options,
    progress: &dyn Progress,
    file: Option<&Sections<'_>>,
    told: Told<'_>,
) -> Vec<Outcome> {
    let selected = selected(program, options);
    let budget = Budget {
        deadline: options.timeout.map(|timeout| Instant::now() + timeout),
        memory: options.memory,
        stop: options.stop.clone(),
        ..Budget::default()
    };
    let job = Job {
        program,
        options,
        progress,
        file,
    };
    let rules = Rules {
        first_failure: options.first_failure,
        budget: &budget,
        resident: options.resident.clone(),
        lead: (options.jobs == 1).then(|| job.lead(&selected)),
        stack: Stack::of(program),
        told,
    };
    let mut outcomes = run_portfolio(&selected, contenders(job, &selected), &rules);
    let said: HashSet<PropertyId> = outcomes.iter().map(|outcome| outcome.property).collect();
    for property in selected {
        if !said.contains(&property) {
            let natural = match program.predicates {
                Some(_) => Engine::Shape,
                None => Engine::Explicit,
            };
            let engine = options.engine.unwrap_or(natural);
            if options.first_failure && outcomes.iter().any(failed) {
                let reason = UnknownReason::AnotherFailed;
                outcomes.push(Outcome::unknown(property, engine, reason));
                continue;
            }
            let reason = match missing_of_structures(&job) {
                Some(what) => UnknownReason::Option(what.to_owned()),
                None => {
                    let what = format!("a property of this kind in the engine `{engine}`");
                    UnknownReason::Unsupported(what)
                }
            };
            outcomes.push(Outcome::unknown(property, engine, reason));
        }
    }
    outcomes.sort_by_key(|outcome| outcome.property);
    outcomes
}

/// What is asked for that no engine does for a program over structures.
fn missing_of_structures(job: &Job<'_>) -> Option<&'static str> {
    job.program.predicates.as_ref()?;
    let wrong = job.options.engine.is_some_and(|one| one != Engine::Shape);
    let asked = [
        (
            wrong,
            "which may have any number of threads and objects, the only engine is `shape`",
        ),
        (
            job.file.is_some(),
            "a search cannot be saved and taken up again (`--checkpoint`)",
        ),
        (
            job.options.all_errors,
            "only the first failure of each property is looked for (`--all-errors`)",
        ),
        (
            job.options.storage != Storage::Auto,
            "there is one way of storing structures (`--storage`)",
        ),
    ];
    asked
        .into_iter()
        .find_map(|(asked, what)| asked.then_some(what))
}

/// The properties that the options select.
pub(crate) fn selected(program: &Program, options: &Options) -> Vec<PropertyId> {
    let only = options.only.as_ref();
    let only: Option<HashSet<&String>> = only.map(|only| only.iter().collect());
    let is_asked = |id: &PropertyId| {
        let name = &program.properties[id.index()].name;
        only.as_ref().is_none_or(|only| only.contains(name))
    };
    let all = (0..program.properties.len()).map(PropertyId::new);
    all.filter(is_asked).collect()
}

/// A program, what of it is observed, properties, and for each of them what is bad.
type Asked<'a> = (&'a Program, &'a Observed, &'a [PropertyId], &'a [Bad]);

/// Limits, who is told how far it is, and where searches are saved.
pub(crate) type Means<'a> = (&'a Budget, &'a dyn Progress, Option<&'a dyn CheckpointFile>);

/// Verifies properties that share an exploration.
pub(crate) fn verify_group(
    program: &Program,
    properties: &[PropertyId],
    mut reduced: Reduced,
    options: &Options,
    means: Means<'_>,
) -> Vec<Outcome> {
    let began = Instant::now();
    let without_passes = options.passes == Selection::none();
    let mut outcomes = Vec::new();
    let engine = explicit::Options {
        reduce: if reduced.observed.kind < QueryKind::Linear && !options.all_errors {
            options.reduce
        } else {
            explicit::Reduce::None
        },
        storage: options.storage,
        all: options.all_errors,
        first: options.first_failure,
        // What is saved, or shared with other processes, is one search.
        apart: properties.len() > 1
            && means.2.is_none()
            && options.cluster.is_none()
            && !options.all_errors,
        ..options.explicit()
    };
    let how = How {
        engine,
        symmetry: options.symmetry && !options.all_errors,
        cluster: options.cluster.as_deref(),
        disk: match options.storage {
            Storage::Disk => options.disk.as_deref(),
            _ => None,
        },
    };
    let mut findings = explore(&reduced, properties, how, means);
    let walked = walked(&reduced, &findings, options, means.0);
    for (finding, trace) in findings.iter_mut().zip(walked) {
        if let Some(trace) = trace {
            finding.answer = Answer::Violated(trace);
            finding.may_be_shorter = true;
        }
    }
    for finding in findings {
        let property = finding.property;
        let mut outcome =
            Outcome::unknown(property, options.enumerating(), UnknownReason::Interrupted);
        outcome.statistics = finding.statistics.clone();
        outcome.shared_by = properties.len();
        outcome.may_be_shorter = finding.may_be_shorter;
        outcome.passes = reduced.report.iter().map(pass_sizes).collect();
        outcome.others_cut = finding.cut;
        match finding.answer {
            Answer::Clear => {
                outcome.verdict = without_violation(program, property, finding.seen);
                if finding.seen.sampled {
                    outcome.sampled.choices = sampled::choices(&reduced.program);
                }
            }
            Answer::Unknown(reason) => {
                outcome.verdict = Verdict::Unknown {
                    reason,
                    possible: None,
                };
            }
            Answer::Violated(trace) => {
                let whole = !without_passes;
                let confirmed = lifted_and_confirmed(
                    &mut reduced,
                    property,
                    finding.bad.as_ref(),
                    trace,
                    whole,
                );
                match confirmed {
                    Ok((trace, replay)) => {
                        outcome.verdict = Verdict::Fails {
                            trace: Arc::new(trace),
                        };
                        let others = finding.others.into_iter();
                        let others = others
                            .filter_map(|trace| {
                                let bad = finding.bad.as_ref();
                                lifted_and_confirmed(&mut reduced, property, bad, trace, whole).ok()
                            })
                            .map(|(trace, replay)| Failure { trace, replay })
                            .collect();
                        outcome.others = distinct(program, property, &replay, others);
                        outcome.replay = Some(replay);
                    }
                    Err(_) if !without_passes => {
                        let plain = pipeline(program, &[property], &Selection::none());
                        let plainly = Options {
                            passes: Selection::none(),
                            reduce: explicit::Reduce::None,
                            symmetry: false,
                            ..options.clone()
                        };
                        outcomes.extend(verify_group(program, &[property], plain, &plainly, means));
                        continue;
                    }
                    Err(error) => {
                        outcome.verdict = Verdict::Unknown {
                            reason: UnknownReason::NotReplayed(error),
                            possible: None,
                        };
                    }
                }
            }
        }
        // What came before the search and after it is part of what the answer took.
        outcome.statistics.time = began.elapsed();
        outcomes.push(outcome);
    }
    outcomes
}

/// For each answer that the engine cannot give since the program is too much for it, a run that the
/// interpreter finds, if it does.
fn walked(
    reduced: &Reduced,
    findings: &[Finding],
    options: &Options,
    budget: &Budget,
) -> Vec<Option<Trace>> {
    let is_open = |finding: &&Finding| {
        let claim = &reduced.original.properties[finding.property.index()].claim;
        matches!(
            (&finding.answer, claim),
            (
                Answer::Unknown(UnknownReason::Unsupported(_)),
                Claim::Check(_) | Claim::NoFault(_) | Claim::Always(_) | Claim::NoDeadlock
            )
        )
    };
    // One process alone, of many inputs perhaps, is for the engines that prove.
    let suits = options.engine.is_none() && reduced.original.processes.len() > 1;
    let open = findings.iter().filter(is_open);
    let open: Vec<PropertyId> = open.map(|finding| finding.property).collect();
    let mut found = match suits && !open.is_empty() {
        true => walk(&reduced.original, &open, budget),
        false => Vec::new(),
    };
    let run_of = |finding: &Finding| {
        let place = found.iter().position(|(id, _)| *id == finding.property)?;
        Some(found.swap_remove(place).1)
    };
    findings.iter().map(run_of).collect()
}

/// The time to find a run of a program that only proves, of which no more than the place is told.
const TO_FIND_A_PLACE: Duration = Duration::from_millis(300);

/// The run of the program before passes that a run of the reduced one stands for, if it is one on
/// which the property fails. Of a program that only proves, it may be the run of the reduced one.
pub(crate) fn lifted_and_confirmed(
    reduced: &mut Reduced,
    property: PropertyId,
    bad: Option<&Bad>,
    trace: Trace,
    lift: bool,
) -> Result<(Trace, Replay), String> {
    if lift && let Ok(replay) = confirm(&reduced.original, property, &trace) {
        // It is one as it is: passes have taken nothing away that it is made of.
        return Ok((trace, replay));
    }
    // What fails in a program that only proves need not fail in the script: it tells where that may be.
    let only_proves = reduced.original.only_proves;
    let budget = Budget {
        deadline: only_proves.then(|| Instant::now() + TO_FIND_A_PLACE),
        ..Budget::default()
    };
    let lifted = if lift {
        // What is bad is an expression of the smaller program; the whole has its own.
        let bad = bad.and_then(|_| match query(&mut reduced.original, property) {
            Ok(Query::Unreachable(bad)) => Some(bad),
            _ => None,
        });
        match reduced.lift_within(&trace, bad.as_ref(), &budget) {
            Some(lifted) => lifted,
            None if only_proves => {
                let replay = Interp::new(&reduced.program).replay(&trace);
                let replay = replay.map_err(|error| error.to_string())?;
                return Ok((trace, replay));
            }
            None => return Err("the run of the smaller program has no like".to_owned()),
        }
    } else {
        trace
    };
    match confirm(&reduced.original, property, &lifted) {
        Ok(replay) => Ok((lifted, replay)),
        Err(error) => Err(error.to_string()),
    }
}

/// What an engine says of one property.
struct Finding {
    property: PropertyId,
    answer: Answer,
    bad: Option<Bad>,
    /// Runs to all places where it fails, if they were asked for; whether there may be more.
    others: Vec<Trace>,
    cut: bool,
    seen: Seen,
    statistics: Statistics,
    /// Whether there may be a shorter run that violates it.
    may_be_shorter: bool,
}

impl Finding {
    fn unknown(property: PropertyId, reason: UnknownReason) -> Finding {
        Finding {
            property,
            answer: Answer::Unknown(reason),
            bad: None,
            others: Vec::new(),
            cut: false,
            seen: Seen::EVERYTHING,
            statistics: Statistics::default(),
            may_be_shorter: false,
        }
    }
}

/// How the engine searches.
#[derive(Clone, Copy)]
struct How<'a> {
    engine: explicit::Options,
    /// Whether one state stands for all that differ by exchanges.
    symmetry: bool,
    /// Who searches together with this process.
    cluster: Option<&'a dyn explicit::Cluster>,
    /// Where states are, if they are on disk.
    disk: Option<&'a dyn explicit::Disk>,
}

/// Gives a group to the engine: safety properties together, others alone.
fn explore(
    reduced: &Reduced,
    properties: &[PropertyId],
    how: How<'_>,
    (budget, progress, file): Means<'_>,
) -> Vec<Finding> {
    let mut program = reduced.program.clone();
    let mut bads = Vec::new();
    for &property in properties {
        match query(&mut program, property) {
            Ok(Query::Unreachable(bad)) => bads.push(bad),
            Ok(Query::NoAcceptedRun(automaton)) => {
                let means = (budget, progress, file);
                if let Some(awaited) = awaited(&mut program, &automaton) {
                    let bads = [Bad::State(awaited)];
                    let asked: Asked<'_> = (&program, &reduced.observed, &[property], &bads);
                    if let Some(found) = never_reached(asked, how, means) {
                        return found;
                    }
                }
                if how.engine.order != SearchOrder::BreadthFirst {
                    let what = "runs for ever that no state decides, in the engine `dfs`";
                    let reason = UnknownReason::Unsupported(what.to_owned());
                    return vec![Finding::unknown(property, reason)];
                }
                return vec![search_runs(&program, property, &automaton, how, means)];
            }
            Ok(Query::Explore) => unreachable!("no property asks only for counts"),
            Err(reason) => {
                return vec![Finding::unknown(property, reason)];
            }
        }
    }
    let asked = (&program, &reduced.observed, properties, bads.as_slice());
    search_states(asked, how, (budget, progress, file))
}

/// Answers a property of runs that fails where a state can be reached: it takes less to search for
/// states than for runs. A run that fails is told with how it goes on for ever, which is for a search
/// for runs unless the state lies deep: then any way to go on will do. A search that is saved is one
/// search.
fn never_reached(asked: Asked<'_>, how: How<'_>, means: Means<'_>) -> Option<Vec<Finding>> {
    let (_, _, file) = means;
    if file.is_some() {
        return None;
    }
    let engine = explicit::Options {
        all: false,
        ..how.engine
    };
    let (program, ..) = asked;
    let mut found = search_states(asked, How { engine, ..how }, means);
    for finding in &mut found {
        finding.bad = None;
        match &mut finding.answer {
            Answer::Violated(trace) => {
                let in_depth = engine.order != SearchOrder::BreadthFirst;
                if !(finding.may_be_shorter || in_depth) || !goes_on(program, trace) {
                    return None;
                }
            }
            Answer::Unknown(UnknownReason::Unsupported(_) | UnknownReason::NotReplayed(_)) => {
                return None;
            }
            Answer::Clear | Answer::Unknown(_) => {}
        }
    }
    Some(found)
}

/// Searches for states where these properties fail, or steps: for each property what is bad.
fn search_states(
    (program, observed, properties, bads): Asked<'_>,
    how: How<'_>,
    (budget, progress, file): Means<'_>,
) -> Vec<Finding> {
    if how.disk.is_some() && file.is_some() {
        let reason =
            UnknownReason::Option("a search on disk cannot be saved (`--checkpoint`)".to_owned());
        let unknown = |&property| Finding::unknown(property, reason.clone());
        return properties.iter().map(unknown).collect();
    }
    let triggers: Vec<_> = properties
        .iter()
        .filter_map(|id| program.properties[id.index()].trigger)
        .collect();
    let engine = how.engine;
    let exchange = if how.symmetry {
        interchangeable(program, observed)
    } else {
        Interchangeable::default()
    };
    let job = SafetyJob {
        program,
        bads,
        watch: &triggers,
        exchange: explicit::Exchange {
            templates: &exchange.templates,
            ended_are_gone: exchange.ended_are_gone,
            alike: exchange.alike,
        },
    };
    let mut outcome = match (how.cluster, how.disk) {
        (Some(cluster), _) => explicit::explore_together(&job, &engine, budget, progress, cluster),
        (None, Some(disk)) => explicit::explore_on_disk(&job, &engine, budget, progress, disk),
        (None, None) => explicit::explore_with(&job, &engine, budget, progress, file),
    };
    // Runs may be long: there is one of each.
    let answers = std::mem::take(&mut outcome.answers);
    // Exchanging instances does not change how long runs are, unless it hides who is gone.
    let lengthens = outcome.statistics.reduction.contains("partial order")
        || outcome.statistics.reduction.contains("symmetry") && exchange.ended_are_gone;
    let triggered = |property: PropertyId| {
        program.properties[property.index()]
            .trigger
            .is_none_or(|trigger| {
                let place = triggers.iter().position(|t| *t == trigger);
                place.is_none_or(|place| outcome.watched[place])
            })
    };
    let failures = |number: usize| {
        let mine = outcome
            .failures
            .iter()
            .filter(move |(bad, _)| *bad == number);
        mine.map(|(_, trace)| trace.clone()).collect()
    };
    properties
        .iter()
        .zip(bads)
        .zip(answers)
        .enumerate()
        .map(|(number, ((&property, bad), answer))| {
            let mut finding = Finding {
                property,
                answer,
                bad: Some(bad.clone()),
                others: failures(number),
                cut: outcome.cut,
                seen: Seen {
                    sampled: outcome.sampled,
                    triggered: triggered(property),
                    // Without a single state there is nothing that could hold.
                    some_fair_run: outcome.statistics.states > 0,
                },
                statistics: outcome.statistics.clone(),
                may_be_shorter: false,
            };
            // What a breadth-first search has come to by a look into the depth it has looked for long
            // enough.
            let is_deep = outcome.deep[number];
            let in_depth = engine.order != SearchOrder::BreadthFirst;
            if let Answer::Violated(trace) = &mut finding.answer {
                let seeks = if is_deep { in_depth } else { lengthens };
                // A cluster does not search again for it.
                let shorter = (seeks && how.cluster.is_none())
                    .then(|| shortest(&job, bad, &outcome.statistics, engine, budget))
                    .flatten();
                finding.may_be_shorter = shorter.is_none() && (is_deep || lengthens);
                if let Some(shorter) = shorter {
                    *trace = shorter;
                }
            }
            finding
        })
        .collect()
}

/// Searches for a fair run that the automaton of the negation accepts.
fn search_runs(
    program: &Program,
    property: PropertyId,
    automaton: &Buchi<model::ExprId>,
    How {
        engine, cluster, ..
    }: How<'_>,
    (budget, progress, file): Means<'_>,
) -> Finding {
    let trigger = program.properties[property.index()].trigger;
    let watch: Vec<_> = trigger.into_iter().collect();
    let search = |automaton: &Buchi<model::ExprId>, file| {
        let under = |program: &Program, file| {
            let job = LivenessJob {
                program,
                automaton,
                watch: &watch,
            };
            match cluster {
                Some(cluster) => {
                    explicit::accepted_run_together(&job, &engine, budget, progress, cluster)
                }
                None => explicit::accepted_run_with(&job, &engine, budget, progress, file),
            }
        };
        let outcome = under(program, file);
        match outcome.answer {
            Answer::Unknown(UnknownReason::Unsupported(_)) if program.fairness.len() > 1 => {
                watching_few(program, |fewer| under(fewer, None))
            }
            _ => outcome,
        }
    };
    let outcome = search(automaton, file);
    let mut answer = outcome.answer;
    // Nothing violates the property: is there any fair run at all?
    let mut some_fair_run = true;
    let some_may_be_none =
        !program.fairness.is_empty() || program.finite_runs == FiniteRuns::InfiniteOnly;
    if answer == Answer::Clear && some_may_be_none {
        match search(&Buchi::universal(), None).answer {
            Answer::Violated(_) => {}
            Answer::Clear => some_fair_run = false,
            unknown @ Answer::Unknown(_) => answer = unknown,
        }
    }
    let mut triggered = outcome.watched.iter().all(|&seen| seen);
    if answer == Answer::Clear
        && let Some(trigger) = trigger.filter(|_| !triggered)
    {
        // A run is followed only as long as it may still be accepted; what came later was not seen.
        let job = SafetyJob {
            program,
            bads: &[Bad::State(trigger)],
            watch: &[],
            exchange: explicit::Exchange::default(),
        };
        let outcome = match cluster {
            Some(cluster) => explicit::explore_together(&job, &engine, budget, progress, cluster),
            None => explicit::explore_with(&job, &engine, budget, progress, None),
        };
        match outcome.answers[0].clone() {
            Answer::Violated(_) => triggered = true,
            Answer::Clear => {}
            unknown @ Answer::Unknown(_) => answer = unknown,
        }
    }
    let reduced = !outcome.statistics.reduction.is_empty();
    Finding {
        property,
        may_be_shorter: reduced && matches!(answer, Answer::Violated(_)),
        answer,
        bad: None,
        others: Vec::new(),
        cut: false,
        seen: Seen {
            sampled: outcome.sampled,
            triggered,
            some_fair_run,
        },
        statistics: outcome.statistics,
    }
}

fn pass_sizes(report: &passes::PassReport) -> PassSizes {
    let pass = report.pass.map_or("focus", passes::Pass::name);
    PassSizes::new(pass, report.before, report.after)
}
