//! Programs with a coarser one beside them.
//!
//! A front end may give a [coarser program](model::Program::coarse): one with all runs of the program
//! and perhaps more, small enough to be explored to its end (localization; Kurshan 1994). What holds
//! there holds. What may fail there is looked for in the program itself; if no run is found in time,
//! the failure is a possible one, at the place where the coarser program fails.

use std::sync::Arc;
use std::time::{Duration, Instant};

use model::interp::Occurrence;
use model::{Program, UnknownReason, Verdict};
use source::Span;

use crate::options::Options;
use crate::outcome::Outcome;

/// The time for the coarser program, if none is stated.
const LIMIT: Duration = Duration::from_secs(20);

/// The least time for each program that proves more than the one before it; one may take twice as long as
/// that one took. Scripts that run together have far more states than one by itself, and may take all the time
/// that is left.
const LEAST_TO_PROVE: Duration = Duration::from_millis(600);

/// A script by itself has so many processes: its own, and the world's.
const ALONE: usize = 2;

/// The least time for each finer program; one may take as long as the coarsest one took.
const LEAST: Duration = Duration::from_millis(800);

/// The time for the program itself.
const LAST: Duration = Duration::from_millis(500);

/// Verifies something within limits.
type Verify<'a> = &'a dyn Fn(&Options) -> Vec<Outcome>;

/// Verifies a program by those first that only prove. What may fail there is looked for in the program.
pub(crate) fn check_coarse_first(
    (program, coarse): (&Program, &Arc<Program>),
    options: &Options,
    of_itself: Verify<'_>,
    of_coarse: &dyn Fn(&Program, &Options) -> Vec<Outcome>,
) -> Vec<Outcome> {
    let began = Instant::now();
    let share = |timeout: Duration| timeout * 2 / 3;
    let first = Options {
        timeout: Some(options.timeout.map_or(LIMIT, share)),
        ..options.clone()
    };
    let outcomes = check_proving(coarse, &first, of_coarse);
    let suspects = |outcome: &Outcome| suspected(program, outcome);
    let open = |outcome: &Outcome| !is_proved(outcome);
    let enough = LEAST.max(began.elapsed());
    look_again(
        program,
        options,
        (began, enough),
        outcomes,
        (&open, &suspects),
        of_itself,
    )
}

/// Verifies a program that only proves, after the coarser ones beside it, which have most of the time:
/// what they leave open is verified for about as long as they took.
fn check_proving(
    program: &Arc<Program>,
    options: &Options,
    verify: &dyn Fn(&Program, &Options) -> Vec<Outcome>,
) -> Vec<Outcome> {
    let Some(coarser) = &program.coarse else {
        return of(program, verify(program, options));
    };
    let began = Instant::now();
    let first = Options {
        timeout: options.timeout.map(|all| all * 2 / 3),
        ..options.clone()
    };
    let mut outcomes = check_proving(coarser, &first, verify);
    let open = outcomes.iter().filter(|outcome| !is_proved(outcome));
    let names: Vec<String> = open
        .map(|outcome| program.properties[outcome.property.index()].name.clone())
        .collect();
    if names.is_empty() {
        return outcomes;
    }
    let enough = LEAST_TO_PROVE.max(2 * began.elapsed());
    let left = options
        .timeout
        .map(|all| all.saturating_sub(began.elapsed()));
    let timeout = match left {
        Some(left) if program.processes.len() > ALONE => left,
        Some(left) => left.min(enough),
        None => enough,
    };
    let second = Options {
        only: Some(names),
        timeout: Some(timeout),
        ..options.clone()
    };
    for own in of(program, verify(program, &second)) {
        let mut same = outcomes
            .iter_mut()
            .filter(|outcome| outcome.property == own.property);
        if let Some(outcome) = same.next()
            && !matches!(own.verdict, Verdict::Unknown { .. })
        {
            *outcome = own;
        }
    }
    outcomes
}

fn is_proved(outcome: &Outcome) -> bool {
    matches!(outcome.verdict, Verdict::Holds { .. })
}

/// Verifies a program of which even the coarser one has a coarser one beside it. That says what holds,
/// and what fails whatever is chosen; what it leaves open is looked for in the program itself.
pub(crate) fn check_finer_last(
    (program, coarse): (&Program, &Arc<Program>),
    options: &Options,
    of_itself: Verify<'_>,
    of_coarse: Verify<'_>,
) -> Vec<Outcome> {
    let began = Instant::now();
    let first = Options {
        timeout: options
            .timeout
            .map(|all| (all * 3 / 4).max(all.saturating_sub(2 * LAST))),
        ..options.clone()
    };
    let outcomes = of(coarse, of_coarse(&first));
    let suspects = |outcome: &Outcome| match outcome.verdict {
        Verdict::Unknown {
            reason: UnknownReason::Suspected(span),
            ..
        } => Some(span),
        _ => None,
    };
    let open = |outcome: &Outcome| matches!(outcome.verdict, Verdict::Unknown { .. });
    look_again(
        program,
        options,
        (began, LAST),
        outcomes,
        (&open, &suspects),
        of_itself,
    )
}

/// Notes which program outcomes are of.
fn of(coarse: &Arc<Program>, mut outcomes: Vec<Outcome>) -> Vec<Outcome> {
    for outcome in &mut outcomes {
        outcome.program.get_or_insert_with(|| Arc::clone(coarse));
    }
    outcomes
}

/// Whether an outcome is still open, and where it may fail.
type Judges<'a> = (
    &'a dyn Fn(&Outcome) -> bool,
    &'a dyn Fn(&Outcome) -> Option<Span>,
);

/// Verifies what is open in the program itself, for as long as is `enough`.
fn look_again(
    program: &Program,
    options: &Options,
    (began, enough): (Instant, Duration),
    mut outcomes: Vec<Outcome>,
    (is_open, suspected): Judges<'_>,
    of_itself: Verify<'_>,
) -> Vec<Outcome> {
    let open: Vec<usize> = (0..outcomes.len())
        .filter(|&at| is_open(&outcomes[at]))
        .collect();
    if open.is_empty() {
        return outcomes;
    }
    let left = options
        .timeout
        .map(|all| all.saturating_sub(began.elapsed()));
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
        let suspected = suspected(&outcomes[at]);
        // What the coarser program says of an open one is no answer for this one.
        let own = found.iter().find(|own| own.property == property).cloned();
        let engine = outcomes[at].engine;
        outcomes[at] =
            own.unwrap_or_else(|| Outcome::unknown(property, engine, UnknownReason::Time));
        if let (Verdict::Unknown { reason, possible }, Some(span)) =
            (&mut outcomes[at].verdict, suspected)
        {
            *reason = UnknownReason::Suspected(span);
            *possible = None;
        }
    }
    outcomes
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
