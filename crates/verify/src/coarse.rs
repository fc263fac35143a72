//! Programs with a coarser one beside them.
//!
//! A front end may give a [coarser program](model::Program::coarse): one with all runs of the program
//! and perhaps more, small enough to be explored to its end (localization; Kurshan 1994). What holds
//! there holds. What may fail there is looked for in the program itself; if no run is found in time,
//! the failure is a possible one, at the place where the coarser program fails.

use std::time::{Duration, Instant};

use model::interp::Occurrence;
use model::{Program, UnknownReason, Verdict};
use source::Span;

use crate::options::Options;
use crate::outcome::Outcome;

/// The time for the coarser program, if none is stated.
const LIMIT: Duration = Duration::from_secs(20);

/// The least time for the program itself; it may take as long as the coarser one took.
const LEAST: Duration = Duration::from_millis(1_500);

/// Verifies a program by the coarser one first: `of_coarse` verifies that, `of_itself` the program.
pub(crate) fn check_coarse_first(
    program: &Program,
    options: &Options,
    of_coarse: &dyn Fn(&Options) -> Vec<Outcome>,
    of_itself: &dyn Fn(&Options) -> Vec<Outcome>,
) -> Vec<Outcome> {
    let began = Instant::now();
    let share = |timeout: Duration| timeout * 2 / 3;
    let first = Options {
        timeout: Some(options.timeout.map_or(LIMIT, share)),
        ..options.clone()
    };
    let mut outcomes = of_coarse(&first);
    let open: Vec<usize> = (0..outcomes.len())
        .filter(|&at| !settles(&outcomes[at]))
        .collect();
    if open.is_empty() {
        return outcomes;
    }
    let took = began.elapsed();
    let left = options.timeout.map(|all| all.saturating_sub(took));
    let enough = LEAST.max(took);
    let names = open.iter().map(|&at| {
        program.properties[outcomes[at].property.index()]
            .name
            .clone()
    });
    let second = Options {
        only: Some(names.collect()),
        timeout: Some(left.map_or(enough, |left| left.min(enough))),
        ..options.clone()
    };
    let found = of_itself(&second);
    for at in open {
        let property = outcomes[at].property;
        let suspected = suspected(program, &outcomes[at]);
        let Some(own) = found.iter().find(|own| own.property == property) else {
            continue;
        };
        outcomes[at] = own.clone();
        if let (Verdict::Unknown { reason, possible }, Some(span)) =
            (&mut outcomes[at].verdict, suspected)
        {
            *reason = UnknownReason::Suspected(span);
            *possible = None;
        }
    }
    outcomes
}

/// Whether what the coarser program says is so for the program.
fn settles(outcome: &Outcome) -> bool {
    matches!(outcome.verdict, Verdict::Holds { .. })
}

/// Where the coarser program fails, if it does.
fn suspected(program: &Program, outcome: &Outcome) -> Option<Span> {
    if !matches!(outcome.verdict, Verdict::Fails { .. }) {
        return None;
    }
    let replay = outcome.replay.as_ref()?;
    let last = replay.steps.last()?;
    let script = program.processes.iter().flat_map(|process| &process.steps);
    let script = script
        .map(|step| step.span)
        .find(|&span| span != Span::NONE)?;
    let in_script = |span: Span| span != Span::NONE && span.file == script.file;
    let mut place = None;
    for occurrence in &last.occurrences {
        match occurrence {
            Occurrence::Failed { .. } => break,
            Occurrence::Event { span, .. }
            | Occurrence::Step { span, .. }
            | Occurrence::Fault { span, .. }
                if in_script(*span) =>
            {
                place = Some(*span);
            }
            _ => {}
        }
    }
    Some(place.unwrap_or(Span::NONE))
}
