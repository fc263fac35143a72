//! Properties that hold if another claim does in the place of their own.
//!
//! An implication whose sides speak of different runs, as `EF p -> AG q`, is two questions: what fails by
//! itself holds all the same where the [alternative](model::Program::alternatives) does.

use std::time::Instant;

use model::{Program, UnknownReason, Verdict};

use crate::options::Options;
use crate::outcome::Outcome;

/// Hears of what is known.
type Told<'a> = &'a (dyn Fn(&Outcome) + Sync);
/// Verifies properties of a program, in these limits.
type Verify<'a> = &'a dyn Fn(&Program, &Options, Told<'_>) -> Vec<Outcome>;

/// Verifies, and looks at the alternatives of what fails or may fail: `anew`, as a search that was saved is one for the
/// property's own claim.
pub(crate) fn with_alternatives(
    program: &Program,
    options: &Options,
    told: Told<'_>,
    (verify, anew): (Verify<'_>, Verify<'_>),
) -> Vec<Outcome> {
    if program.alternatives.is_empty() {
        return verify(program, options, told);
    }
    let began = Instant::now();
    let is_open = |outcome: &Outcome| {
        (matches!(outcome.verdict, Verdict::Fails { .. }) || may_fail(outcome))
            && program.alternatives.contains_key(&outcome.property)
    };
    let mut outcomes = verify(program, options, &|outcome| {
        if !is_open(outcome) {
            told(outcome);
        }
    });
    let open: Vec<usize> = (0..outcomes.len())
        .filter(|&at| is_open(&outcomes[at]))
        .collect();
    if open.is_empty() {
        return outcomes;
    }
    let mut instead = program.clone();
    for &at in &open {
        let property = outcomes[at].property;
        let stated = &mut instead.properties[property.index()];
        stated.claim = program.alternatives[&property].clone();
        stated.trigger = None;
    }
    instead.alternatives.clear();
    let names = open.iter().map(|&at| {
        let property = outcomes[at].property;
        program.properties[property.index()].name.clone()
    });
    let again = Options {
        only: Some(names.collect()),
        timeout: options
            .timeout
            .map(|timeout| timeout.saturating_sub(began.elapsed())),
        ..options.clone()
    };
    let mut others = anew(&instead, &again, &|_| {});
    for at in open {
        let outcome = &mut outcomes[at];
        let same = |other: &Outcome| other.property == outcome.property;
        let other = others
            .iter()
            .position(same)
            .map(|at| others.swap_remove(at));
        match other {
            Some(other) if matches!(other.verdict, Verdict::Fails { .. }) => {}
            // The run of the property's own claim is the one to show.
            Some(other) if may_fail(&other) => leave_open(outcome, other),
            // What shows it is about another claim than the property's own.
            Some(other) => {
                *outcome = Outcome {
                    evidence: None,
                    way: None,
                    ..other
                };
            }
            None => {
                let (property, engine) = (outcome.property, outcome.engine);
                *outcome = Outcome::unknown(property, engine, UnknownReason::Time);
            }
        }
        told(outcome);
    }
    outcomes
}

/// Makes a failure a possible one: that the alternative fails, too, rests on what is undecided.
fn leave_open(outcome: &mut Outcome, alternative: Outcome) {
    if let (Verdict::Fails { trace }, Verdict::Unknown { reason, .. }) =
        (&outcome.verdict, alternative.verdict)
    {
        outcome.verdict = Verdict::Unknown {
            reason,
            possible: Some(trace.clone()),
        };
    }
}

/// Whether there is a run that violates it, and that may not exist.
fn may_fail(outcome: &Outcome) -> bool {
    matches!(
        outcome.verdict,
        Verdict::Unknown {
            reason: UnknownReason::Undecided(_),
            possible: Some(_),
        }
    )
}
