//! Another counterexample of the same property.
//!
//! The program is made anew without the runs that are known already, and asked again: ghosts count how far
//! a run goes along a known one, and what the property claims is weakened where a run is still that one.
//! Steps keep their numbers, so a run of that program is one of the program itself, on which it is
//! confirmed before anyone sees it. Every engine and pass works on it as on any other program. Excluding one
//! counterexample to find the next is how model enumeration goes on from one solution (K. L. McMillan:
//! *Applying SAT methods in unbounded symbolic model checking*, 2002); here it is a run that is blocked.
//!
//! What is another run is asked for in two degrees. First a run that [decides](Apart::Ending) the property
//! in another way, then any that takes [other steps](Apart::Way), or the same with other values.

mod states;
mod steps;

use std::sync::Arc;
use std::time::{Duration, Instant};

use logic::Ltl;
use model::{
    Claim, Composition, ExprId, Fairness, FairnessKind, Program, Progress, PropertyId, Strength,
    Trace, UnknownReason, Verdict,
};
use passes::focus;

use crate::check::check;
use crate::confirm::confirm;
use crate::options::Options;
use crate::outcome::Outcome;

/// How long another run is looked for, if no time is stated.
const LIMIT: Duration = Duration::from_secs(60);

/// The share of the time in which the run has to be decided in another way.
const FIRST_SHARE: u32 = 2;

/// Known runs with more events than this, or states with more values, are not followed.
const MOST: usize = 100_000;

/// In what a run differs from those that are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Apart {
    /// Where the property is decided: in the steps of the last macro step; in which processes are stuck
    /// where; of a run that repeats, in that other steps are taken again and again. Where all variables
    /// move at once: in the state where it ends, or in the states that come again and again.
    Ending,
    /// Somewhere in its steps, or in the values chosen on the way.
    Way,
}

/// What there is beside the counterexamples that are known.
#[derive(Clone, Debug)]
pub enum Another {
    /// A run that was confirmed.
    Found(Box<Outcome>, Apart),
    /// No run: whatever violates the property goes along one of those that are known.
    None,
    /// None was found, and this is why there may be one all the same.
    Open(UnknownReason),
    /// It is not looked for, for this reason.
    NotAsked(&'static str),
}

/// Looks for a run that violates a property, and is none of those that are known to.
#[must_use]
pub fn another(
    program: &Program,
    property: PropertyId,
    known: &[Trace],
    options: &Options,
    progress: &dyn Progress,
) -> Another {
    let began = Instant::now();
    if program.predicates.is_some() {
        return Another::NotAsked("it is about structures, not about single runs");
    }
    if program.alternatives.contains_key(&property) {
        return Another::NotAsked("it fails only where another claim does, too");
    }
    let mut base = focus(program, &[property]);
    base.coarse = None;
    base.alike = None;
    base.properties[property.index()].trigger = None;
    let limit = options.timeout.unwrap_or(LIMIT);
    let mut is_asked = false;
    for degree in [Apart::Ending, Apart::Way] {
        let Some(apart) = without_known(&base, property, known, degree) else {
            continue;
        };
        is_asked = true;
        let left = limit.saturating_sub(began.elapsed());
        let options = Options {
            only: Some(vec![base.properties[property.index()].name.clone()]),
            timeout: Some(match degree {
                Apart::Ending => left / FIRST_SHARE,
                Apart::Way => left,
            }),
            all_errors: false,
            first_failure: false,
            symmetry: false,
            ..options.clone()
        };
        let mut found = check(&apart, &options, progress).into_iter();
        let Some(outcome) = found.find(|outcome| outcome.property == property) else {
            continue;
        };
        let open = match &outcome.verdict {
            Verdict::Fails { trace } => {
                let trace = without_what_was_added(&base, trace);
                match confirm(&base, property, &trace) {
                    Ok(_) if known.contains(&trace) => {
                        UnknownReason::NotReplayed("it is the same run".to_owned())
                    }
                    Ok(replay) => {
                        let outcome = Outcome {
                            verdict: Verdict::Fails {
                                trace: Arc::new(trace),
                            },
                            replay: Some(replay),
                            others: Vec::new(),
                            ..outcome
                        };
                        return Another::Found(Box::new(outcome), degree);
                    }
                    Err(error) => UnknownReason::NotReplayed(error.to_string()),
                }
            }
            Verdict::Holds { strength, .. } => match strength {
                Strength::Sampled => UnknownReason::Sampled,
                Strength::Bounded(steps) => UnknownReason::Bound(*steps),
                Strength::Exhausted | Strength::Unchecked | Strength::Proved => {
                    if degree == Apart::Way {
                        return Another::None;
                    }
                    continue;
                }
            },
            Verdict::Vacuous { .. } if degree == Apart::Way => return Another::None,
            Verdict::Vacuous { .. } | Verdict::Measured { .. } => continue,
            Verdict::Unknown { reason, .. } => reason.clone(),
        };
        if degree == Apart::Way {
            return Another::Open(open);
        }
    }
    match is_asked {
        true => {
            let what = "telling all runs of this kind apart".to_owned();
            Another::Open(UnknownReason::Unsupported(what))
        }
        false => Another::NotAsked("its runs cannot be told apart"),
    }
}

/// The program in which the known runs do not violate the property any more; none if they are not
/// followed here.
fn without_known(
    base: &Program,
    property: PropertyId,
    known: &[Trace],
    degree: Apart,
) -> Option<Program> {
    let is_synchronous = matches!(base.composition, Composition::Synchronous(_));
    let mut apart = base.clone();
    for trace in known {
        let without = |from: Program| match is_synchronous {
            true => states::without(from, base, property, trace, degree),
            false => steps::without(from, base, property, trace, degree),
        };
        // Where all variables move at once, the ghost is among the choices of a run.
        let alone = without(base.clone())?;
        if !is_synchronous && confirm(&alone, property, trace).is_ok() {
            return None;
        }
        apart = without(apart)?;
    }
    Some(apart)
}

/// A run of the program without known runs, as one of the program itself.
fn without_what_was_added(base: &Program, trace: &Trace) -> Trace {
    match &base.composition {
        Composition::Synchronous(assigns) => states::of_base(base, assigns.len(), trace),
        Composition::Interleaving { .. } => steps::of_base(base, trace),
    }
}

/// Weakens what is claimed of runs: of those that are still a known one for ever, or have been it to the
/// end, nothing is claimed any more. Nothing if the claim is of another kind.
fn of_others(program: &mut Program, property: PropertyId, same: Same) -> Option<()> {
    let stated = &mut program.properties[property.index()];
    let linear = match &stated.claim {
        Claim::Ltl(formula) => Some(formula.clone()),
        Claim::Ctl(formula) => Some(formula.linear()?),
        _ => None,
    };
    let excused = match same {
        Same::ForEver(same) => Ltl::always(Ltl::atom(same)),
        Same::ToTheEnd(same) => Ltl::eventually(Ltl::atom(same)),
        Same::InTheEnd(same) => Ltl::eventually(Ltl::always(Ltl::atom(same))),
    };
    if let Some(formula) = linear {
        stated.claim = Claim::Ltl(Ltl::or(formula, excused));
        return Some(());
    }
    match (&stated.claim, same) {
        (Claim::Never(_), Same::ForEver(same) | Same::InTheEnd(same)) => {
            let other = program.exprs.not(same);
            program.fairness.push(Fairness {
                name: "the run is another one".to_owned(),
                kind: FairnessKind::Justice(other),
                assumption: None,
            });
            Some(())
        }
        _ => None,
    }
}

/// When a run is a known one.
#[derive(Clone, Copy)]
enum Same {
    /// If this holds always.
    ForEver(ExprId),
    /// If this holds once.
    ToTheEnd(ExprId),
    /// If this holds always from some time on.
    InTheEnd(ExprId),
}
