//! Branching time: one exploration for all formulas, without passes.
//!
//! A run that is found is confirmed like any other where the formula says the same as one of
//! linear time; where it does not, no single run can show more than that it is one.

use games::{Answer, Checker, Walked};
use model::{
    Budget, Claim, ExprId, FairnessKind, Program, Progress, PropertyId, UnknownReason, Verdict,
};

use crate::confirm::confirm;
use crate::engine::Engine;
use crate::outcome::Outcome;
use crate::strength::{Seen, without_violation};

/// Verifies formulas of branching time. What is explored has the runs of the program, choice by
/// choice.
pub(crate) fn check_trees(
    program: &Program,
    explored: &Program,
    properties: &[PropertyId],
    budget: &Budget,
    progress: &dyn Progress,
) -> Vec<Outcome> {
    let conditions = conditions(program, properties);
    let space = Walked::explore(explored, &conditions, budget, progress);
    let checker = space.as_ref().map(|space| Checker::new(explored, space));
    properties
        .iter()
        .map(|&property| {
            let mut outcome = Outcome::unknown(property, Engine::Games, UnknownReason::Interrupted);
            outcome.shared_by = properties.len();
            match &checker {
                Ok(checker) => check_tree(program, checker, budget, &mut outcome),
                Err(reason) => outcome.verdict = unknown((*reason).clone()),
            }
            outcome
        })
        .collect()
}

/// What formulas and their fairness ask of states.
fn conditions(program: &Program, properties: &[PropertyId]) -> Vec<ExprId> {
    let mut conditions = Vec::new();
    for property in properties {
        match &program.properties[property.index()].claim {
            Claim::Ctl(formula) => conditions.extend(formula.atoms()),
            Claim::Mu(formula) => conditions.extend(formula.atoms()),
            _ => {}
        }
    }
    conditions.extend(
        program
            .fairness
            .iter()
            .filter_map(|fairness| match fairness.kind {
                FairnessKind::Justice(condition) => Some(condition),
                _ => None,
            }),
    );
    conditions.sort_unstable();
    conditions.dedup();
    conditions
}

fn unknown(reason: UnknownReason) -> Verdict {
    Verdict::Unknown {
        reason,
        possible: None,
    }
}

fn check_tree(program: &Program, checker: &Checker<'_>, budget: &Budget, outcome: &mut Outcome) {
    let property = outcome.property;
    if let Some(reason) = budget.exhausted(0) {
        outcome.verdict = unknown(reason);
        return;
    }
    let focused = passes::focus(program, &[property]);
    let found = match &program.properties[property.index()].claim {
        Claim::Ctl(formula) => {
            let justice: Option<Vec<ExprId>> = focused
                .fairness
                .iter()
                .map(|fairness| match fairness.kind {
                    FairnessKind::Justice(condition) => Some(condition),
                    _ => None,
                })
                .collect();
            let Some(justice) = justice else {
                let what = "branching time under fairness of other kinds than justice";
                outcome.verdict = unknown(UnknownReason::Unsupported(what.to_owned()));
                return;
            };
            checker.ctl(formula, &justice)
        }
        Claim::Mu(formula) => checker.mu(formula, budget),
        _ => unreachable!("only formulas of branching time are given"),
    };
    outcome.statistics = found.statistics;
    outcome.verdict = match found.answer {
        Answer::Unknown(reason) => unknown(reason),
        Answer::Clear => {
            let seen = Seen {
                some_fair_run: found.some_fair_run,
                sampled: found.sampled,
                ..Seen::EVERYTHING
            };
            without_violation(program, property, seen)
        }
        Answer::Violated(_) if found.sampled && !found.refuted_by_run => {
            unknown(UnknownReason::Sampled)
        }
        Answer::Violated(trace) => match confirm(&focused, property, &trace) {
            Ok(replay) => {
                outcome.replay = Some(replay);
                Verdict::Fails {
                    trace: Box::new(trace),
                }
            }
            Err(error) => unknown(UnknownReason::NotReplayed(error.to_string())),
        },
    };
}
