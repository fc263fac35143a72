//! Confirms counterexamples: a run is shown only if the reference interpreter accepts it and it
//! does what the property forbids.
//!
//! Nothing here knows engines: a formula, or the automaton that is the claim, is evaluated on the run itself (on the
//! ultimately periodic word that it spells), fairness is counted on its loop.

use logic::Ltl;
use logic::lasso::holds_on_lasso;
use model::interp::{Interp, Occurrence, Replay, ReplayError, State, Stop};
use model::{Claim, ExprId, FiniteRuns, Program, PropertyId, Trace};
use thiserror::Error;

/// Of a run of more macro steps than this
const WHOLE: usize = 220_000;
/// so many at its beginning and at its end are kept.
const KEPT: usize = 10_000;

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
    let claim = &program.properties[property.index()].claim;
    let looks_at_the_end = matches!(
        claim,
        Claim::Check(_) | Claim::NoFault(_) | Claim::Always(_) | Claim::NoDeadlock | Claim::Returns
    );
    // Which values a run chooses is looked at later, of all of it.
    let is_decided = program.outside.iter().all(|value| value.exact);
    let replay = if trace.steps.len() > WHOLE && looks_at_the_end && is_decided {
        interp.replay_ends(trace, KEPT)?
    } else {
        interp.replay(trace)?
    };
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
        Claim::Bounded(growth) => match trace.loop_start {
            Some(start) => growth.piles_up(&replay, start),
            None => {
                let grown = growth.of_run(&interp, &program.rich, &replay);
                replay.complete && grown.is_some_and(|grown| grown.repeats)
            }
        },
        Claim::Silent(_) | Claim::Configurations(_) | Claim::Open(_) | Claim::Distance { .. } => {
            false
        }
        // A run of the program; that it leads where the formula fails has been audited.
        Claim::Mu(_) => replay.complete,
        // One run shows what all should do, at most.
        Claim::Ctl(formula) => match (formula.linear(), trace.loop_start) {
            (None, None) => replay.complete,
            (None, Some(_)) => {
                unfair(program, &interp, trace, &replay)?;
                true
            }
            (Some(formula), None) => {
                let steps = trace.steps.len();
                let reads = |at: usize, atom: &ExprId| {
                    interp.holds(replay.state(at), *atom).unwrap_or(false)
                };
                let stored = interp.stored(last);
                let ends = program.finite_runs == FiniteRuns::Maximal
                    && interp.expand(&stored)?.successors.is_empty();
                replay.complete
                    && if ends {
                        !holds_on_run(&formula, 0, steps, &reads)
                    } else {
                        !may_hold(&formula, 0, steps + 1, true, &reads)
                    }
            }
            (Some(formula), Some(start)) => {
                unfair(program, &interp, trace, &replay)?;
                let word = Word::of(&interp, trace, &replay, start);
                let reads = |at: usize, atom: &ExprId| word.holds(&interp, at, *atom);
                !holds_on_lasso(&formula, word.prefix, word.letters.len(), reads)
            }
        },
        Claim::Ltl(_) | Claim::Never(_) => {
            let Some(start) = trace.loop_start else {
                return Err(ConfirmError::Harmless);
            };
            unfair(program, &interp, trace, &replay)?;
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

/// Refuses a run that repeats without being fair.
fn unfair(
    program: &Program,
    interp: &Interp<'_>,
    trace: &Trace,
    replay: &Replay,
) -> Result<(), ConfirmError> {
    match interp.unfairness(trace, replay)? {
        Some(violated) => {
            let name = program.fairness[violated].name.clone();
            Err(ConfirmError::Unfair(name))
        }
        None => Ok(()),
    }
}

/// Whether a formula holds on some continuation of a finite word, for all that can be told from
/// the word; without `perhaps`, whether it holds on all continuations (Eisner et al. 2003, weak
/// and strong truth).
fn may_hold(
    formula: &Ltl<ExprId>,
    at: usize,
    length: usize,
    perhaps: bool,
    reads: &impl Fn(usize, &ExprId) -> bool,
) -> bool {
    if at >= length {
        return perhaps;
    }
    let here = |p: &Ltl<ExprId>, at: usize| may_hold(p, at, length, perhaps, reads);
    let not = |p: &Ltl<ExprId>, at: usize| !may_hold(p, at, length, !perhaps, reads);
    match formula {
        Ltl::True => true,
        Ltl::False => false,
        Ltl::Atom(atom) => reads(at, atom),
        Ltl::Not(p) => not(p, at),
        Ltl::And(ps) => ps.iter().all(|p| here(p, at)),
        Ltl::Or(ps) => ps.iter().any(|p| here(p, at)),
        Ltl::Implies(p, q) => not(p, at) || here(q, at),
        Ltl::Iff(p, q) => (not(p, at) || here(q, at)) && (not(q, at) || here(p, at)),
        Ltl::Next(p) => here(p, at + 1),
        Ltl::Eventually(p) => (at..=length).any(|at| here(p, at)),
        Ltl::Always(p) => (at..=length).all(|at| here(p, at)),
        Ltl::Until(p, q) => (at..=length)
            .find(|at| here(q, *at) || !here(p, *at))
            .is_some_and(|at| here(q, at)),
        Ltl::Release(p, q) => (at..=length)
            .find(|at| !here(q, *at) || here(p, *at))
            .is_none_or(|at| here(q, at)),
        Ltl::WeakUntil(p, q) => (at..=length)
            .find(|at| here(q, *at) || !here(p, *at))
            .is_none_or(|at| here(q, at)),
    }
}

/// Whether a formula holds on a run that ends for good at position `last`. There is no next state
/// behind that, so `X p` says nothing there: it comes from `AX p`, or from the negation of `EX`.
fn holds_on_run(
    formula: &Ltl<ExprId>,
    at: usize,
    last: usize,
    reads: &impl Fn(usize, &ExprId) -> bool,
) -> bool {
    let here = |p: &Ltl<ExprId>, at: usize| holds_on_run(p, at, last, reads);
    match formula {
        Ltl::True => true,
        Ltl::False => false,
        Ltl::Atom(atom) => reads(at, atom),
        Ltl::Not(p) => !here(p, at),
        Ltl::And(ps) => ps.iter().all(|p| here(p, at)),
        Ltl::Or(ps) => ps.iter().any(|p| here(p, at)),
        Ltl::Implies(p, q) => !here(p, at) || here(q, at),
        Ltl::Iff(p, q) => here(p, at) == here(q, at),
        Ltl::Next(p) => at == last || here(p, at + 1),
        Ltl::Eventually(p) => (at..=last).any(|at| here(p, at)),
        Ltl::Always(p) => (at..=last).all(|at| here(p, at)),
        Ltl::Until(p, q) => (at..=last)
            .find(|at| here(q, *at) || !here(p, *at))
            .is_some_and(|at| here(q, at)),
        Ltl::Release(p, q) => (at..=last)
            .find(|at| !here(q, *at) || here(p, *at))
            .is_none_or(|at| here(q, at)),
        Ltl::WeakUntil(p, q) => (at..=last)
            .find(|at| here(q, *at) || !here(p, *at))
            .is_none_or(|at| here(q, at)),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_ends_owes_what_never_came() {
        // Letters: the first atom holds at once, the second never; then the run ends.
        let [p, q] = [0, 1].map(|n| Ltl::atom(ExprId::new(n)));
        let reads = |at: usize, atom: &ExprId| at == 0 && atom.index() == 0;
        let holds = |formula: &Ltl<ExprId>| holds_on_run(formula, 0, 1, &reads);
        assert!(holds(&Ltl::eventually(p.clone())));
        assert!(!holds(&Ltl::eventually(q.clone())));
        assert!(!holds(&Ltl::until(p.clone(), q.clone())));
        assert!(!holds(&Ltl::next(q.clone())));
        assert!(holds(&Ltl::next(Ltl::next(q.clone()))), "there is none");
        assert!(holds(&Ltl::always(Ltl::not(q.clone()))));
        assert!(!holds(&Ltl::release(q, p)));
    }

    #[test]
    fn what_is_broken_for_good_cannot_hold_any_more() {
        // Letters: the first atom holds at once, the second never.
        let [p, q] = [0, 1].map(|n| Ltl::atom(ExprId::new(n)));
        let reads = |at: usize, atom: &ExprId| at == 0 && atom.index() == 0;
        let may = |formula: &Ltl<ExprId>| may_hold(formula, 0, 2, true, &reads);
        assert!(!may(&Ltl::always(p.clone())));
        assert!(may(&Ltl::eventually(q.clone())));
        assert!(may(&Ltl::until(p.clone(), p.clone())));
        assert!(
            !may(&Ltl::until(p.clone(), q.clone())),
            "neither holds in the second"
        );
        assert!(may(&Ltl::not(Ltl::always(p.clone()))));
        assert!(!may(&Ltl::not(Ltl::eventually(p.clone()))));
        assert!(!may(&Ltl::next(p.clone())));
        assert!(may(&Ltl::next(Ltl::next(p.clone()))), "nobody knows yet");
        assert!(!may(&Ltl::release(p, q)));
    }
}
