//! Formulas of branching time for the engine that proves: those that say the same as one of linear
//! time.
//!
//! `AG p` holds wherever `p` is an invariant, which is the easier question and the one whose proof is
//! audited; only the other way round it matters whether a path that counts leads on from where `p`
//! fails. Either way it is vacuous where no path counts at all.

use logic::{Ctl, Ltl, Quantifier};
use model::{Binary, Claim, Composition, ExprId, Program, PropertyId, UnknownReason, Verdict};

use crate::engine::Engine;
use crate::outcome::Outcome;
use crate::proof::{Means, is_shortage, prove};

/// Whether a claim is about branching time, and can be asked as one about states or runs.
pub(crate) fn has_runs_for_it(program: &Program, claim: &Claim) -> bool {
    let synchronous = matches!(program.composition, Composition::Synchronous(_));
    matches!(claim, Claim::Ctl(formula) if synchronous && formula.folded().linear().is_some())
}

/// Whether all that is left to ask is whether any path counts.
pub(crate) fn is_settled(program: &Program, claim: &Claim) -> bool {
    let synchronous = matches!(program.composition, Composition::Synchronous(_));
    matches!(claim, Claim::Ctl(formula) if synchronous && formula.folded() == Ctl::True)
}

/// What the SAT engine says of a formula of branching time.
pub(crate) fn prove_tree(program: &Program, property: PropertyId, means: Means<'_>) -> Outcome {
    let Claim::Ctl(formula) = &program.properties[property.index()].claim else {
        return prove(program, property, means);
    };
    let folded = formula.folded();
    let Some(linear) = folded.linear() else {
        let what = "branching time that no run shows".to_owned();
        return Outcome::unknown(property, Engine::Sat, UnknownReason::Unsupported(what));
    };
    let mut restated = program.clone();
    let mut ask = |claim: &mut dyn FnMut(&mut Program) -> Claim| {
        let claim = claim(&mut restated);
        restated.properties[property.index()].claim = claim;
        prove(&restated, property, means)
    };
    if let Some(local) = invariant(&folded) {
        let mut outcome = ask(&mut |program| Claim::Always(expression(program, &local)));
        match outcome.verdict {
            Verdict::Fails { .. } => {}
            Verdict::Holds { .. } => {
                let some_run = ask(&mut |_| Claim::Ltl(Ltl::True));
                match &some_run.verdict {
                    Verdict::Vacuous { .. } => outcome.verdict = some_run.verdict,
                    // Given more time, it might turn out that there is none.
                    Verdict::Unknown { reason, .. } if is_shortage(reason) => {
                        outcome.verdict = some_run.verdict;
                    }
                    _ => {}
                }
                outcome.statistics.time += some_run.statistics.time;
                return outcome;
            }
            _ => return outcome,
        }
    }
    ask(&mut |_| Claim::Ltl(linear.clone()))
}

/// What has to hold in each state, if that is all that a formula says.
fn invariant(formula: &Ctl<ExprId>) -> Option<Ctl<ExprId>> {
    match formula {
        Ctl::Always(Quantifier::All, p) if p.is_local() => Some((**p).clone()),
        Ctl::Not(inner) => match &**inner {
            Ctl::Eventually(Quantifier::Some, p) if p.is_local() => Some(Ctl::Not(p.clone())),
            _ => None,
        },
        Ctl::And(parts) => {
            let parts: Option<Vec<_>> = parts.iter().map(invariant).collect();
            Some(Ctl::And(parts?.into()))
        }
        _ => None,
    }
}

/// A formula about one state as an expression.
fn expression(program: &mut Program, formula: &Ctl<ExprId>) -> ExprId {
    let mut chain = |parts: &[Ctl<ExprId>], op: Binary, none: bool| {
        let mut all: Option<ExprId> = None;
        for part in parts {
            let part = expression(program, part);
            all = Some(match all {
                Some(all) => program.exprs.binary(op, all, part),
                None => part,
            });
        }
        all.unwrap_or_else(|| program.exprs.bool(none))
    };
    match formula {
        Ctl::Atom(id) => *id,
        Ctl::And(parts) => chain(parts, Binary::And, true),
        Ctl::Or(parts) => chain(parts, Binary::Or, false),
        Ctl::Not(p) => {
            let p = expression(program, p);
            program.exprs.not(p)
        }
        Ctl::Implies(p, q) => {
            let (p, q) = (expression(program, p), expression(program, q));
            let not_p = program.exprs.not(p);
            program.exprs.binary(Binary::Or, not_p, q)
        }
        Ctl::Iff(p, q) => {
            let (p, q) = (expression(program, p), expression(program, q));
            program.exprs.binary(Binary::Eq, p, q)
        }
        Ctl::True => program.exprs.bool(true),
        // The others are not about one state.
        _ => program.exprs.bool(false),
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use model::{Budget, Silent};

    use super::*;

    /// The number is prime, so that no run is fair, which takes long to see.
    #[test]
    fn nothing_holds_where_there_was_no_time_to_see_that_a_run_is_fair() {
        let text = "MODULE main
            VAR a : unsigned word[40]; b : unsigned word[40];
            FAIRNESS a * b = 0ud40_1000000000039 & a > 0ud40_1 & b > 0ud40_1
              & a < 0ud40_1048576 & b < 0ud40_1048576;
            CTLSPEC AG a >= 0ud40_0;";
        let loaded = smv::load("m.smv", text, &smv::Options::default());
        let program = loaded.program.expect("a model");
        let budget = Budget {
            deadline: Some(Instant::now() + Duration::from_secs(1)),
            ..Budget::default()
        };
        let outcome = prove_tree(
            &program,
            PropertyId::new(0),
            (&budget, &Silent, sat::Tuning::usual()),
        );
        let Verdict::Unknown { reason, .. } = outcome.verdict else {
            panic!("{:?}", outcome.verdict);
        };
        assert_eq!(reason, UnknownReason::Time);
    }
}
