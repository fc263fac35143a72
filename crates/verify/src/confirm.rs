//! Confirms counterexamples: a run is shown only if the reference interpreter accepts it and it
//! does what the property forbids.
//!
//! Nothing here knows engines: a formula, or the automaton that is the claim, is evaluated on the run itself (on the
//! ultimately periodic word that it spells), fairness is counted on its loop.

use logic::lasso::holds_on_lasso;
use model::interp::{Interp, Occurrence, Replay, ReplayError, State, Stop};
use model::{Claim, ExprId, Program, PropertyId, Trace};
use thiserror::Error;

/// Why a run is no counterexample.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ConfirmError {
    /// It is not a run of the program.
    #[error(transparent)]
    NoRun(#[from] ReplayError),
    /// It is a run, and the property holds on it.
    #[error("confirm the run: the property holds on it")]
    Harmless,
    /// It is a run that repeats, but not a fair one.
    #[error("confirm the run: it is not fair: {0}")]
    Unfair(String),
    /// The interpreter cannot tell.
    #[error("confirm the run: a mathematical integer leaves 128 bits")]
    Overflow,
}

impl From<Stop> for ConfirmError {
    fn from(_: Stop) -> Self {
        ConfirmError::Overflow
    }
}

/// Replays a run and checks that it violates the property.
///
/// # Errors
/// If it is no run, or a harmless one.
pub fn confirm(
    program: &Program,
    property: PropertyId,
    trace: &Trace,
) -> Result<Replay, ConfirmError> {
    let interp = Interp::new(program);
    let replay = interp.replay(trace)?;
    let claim = &program.properties[property.index()].claim;
    let last = replay.state(trace.steps.len());
    let in_last_step = |wanted: &dyn Fn(&Occurrence) -> bool| {
        replay
            .steps
            .last()
            .is_some_and(|step| step.occurrences.iter().any(wanted))
    };
    let violated = match claim {
        Claim::Check(check) => {
            in_last_step(&|o| matches!(o, Occurrence::Failed { check: c, .. } if c == check))
        }
        Claim::NoFault(faults) => in_last_step(
            &|o| matches!(o, Occurrence::Fault { fault, .. } if faults.contains(fault)),
        ),
        Claim::Always(invariant) => replay.complete && !interp.holds(last, *invariant)?,
        Claim::NoDeadlock => {
            let stored = interp.stored(last);
            replay.complete && interp.moves(&stored).is_empty() && !interp.is_valid_end(&stored)
        }
        Claim::Returns => !replay.complete && interp.never_returns(last)?,
        Claim::Ltl(_) | Claim::Never(_) => {
            let Some(start) = trace.loop_start else {
                return Err(ConfirmError::Harmless);
            };
            if let Some(violated) = interp.unfairness(trace, &replay)? {
                return Err(ConfirmError::Unfair(
                    program.fairness[violated].name.clone(),
                ));
            }
            let word = Word::of(&interp, trace, &replay, start);
            let reads = |at: usize, atom: &ExprId| word.holds(&interp, at, *atom);
            match claim {
                Claim::Never(automaton) => {
                    automaton.accepts_lasso(word.prefix, word.letters.len(), reads)
                }
                Claim::Ltl(formula) => {
                    !holds_on_lasso(formula, word.prefix, word.letters.len(), reads)
                }
                _ => unreachable!("it is about runs"),
            }
        }
    };
    if violated {
        Ok(replay)
    } else {
        Err(ConfirmError::Harmless)
    }
}

/// The word that a run spells: one letter for the initial state and one for each macro step, read
/// at its end.
struct Word {
    letters: Vec<State>,
    /// How many letters come before those that repeat.
    prefix: usize,
}

impl Word {
    fn of(interp: &Interp<'_>, trace: &Trace, replay: &Replay, start: usize) -> Self {
        let steps = trace.steps.len();
        let stutters = start == steps;
        let mut letters: Vec<_> = (0..=steps).map(|at| replay.state(at).clone()).collect();
        if stutters {
            // The last state repeats, and nothing happens in it any more.
            letters.push(interp.stored(&letters[steps]));
        }
        let prefix = if stutters { steps + 1 } else { start + 1 };
        Word { letters, prefix }
    }

    fn holds(&self, interp: &Interp<'_>, at: usize, atom: ExprId) -> bool {
        interp.holds(&self.letters[at], atom).unwrap_or(false)
    }
}
