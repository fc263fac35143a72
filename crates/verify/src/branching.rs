//! Branching time: one exploration for all formulas, without passes.
//!
//! A run that is found is confirmed like any other where the formula says the same as one of
//! linear time; where it does not, no single run can show more than that it is one.

use games::{Answer, Explored};
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
    let explored = Explored::explore(explored, budget, progress);
    properties
        .iter()
        .map(|&property| {
            let mut outcome = Outcome::unknown(property, Engine::Games, UnknownReason::Interrupted);
            outcome.shared_by = properties.len();
            match &explored {
                Ok(explored) => check_tree(program, explored, budget, &mut outcome),
                Err(reason) => outcome.verdict = unknown(reason.clone()),
            }
            outcome
        })
        .collect()
}

fn unknown(reason: UnknownReason) -> Verdict {
    Verdict::Unknown {
        reason,
        possible: None,
    }
}

fn check_tree(program: &Program, explored: &Explored<'_>, budget: &Budget, outcome: &mut Outcome) {
    let property = outcome.property;
    let Claim::Ctl(formula) = &program.properties[property.index()].claim else {
        unreachable!("only formulas of branching time are given");
    };
    if let Some(reason) = budget.exhausted(0) {
        outcome.verdict = unknown(reason);
        return;
    }
    let focused = passes::focus(program, &[property]);
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
    let found = explored.check(formula, &justice);
    outcome.statistics = found.statistics;
    outcome.verdict = match found.answer {
        Answer::Unknown(reason) => unknown(reason),
        Answer::Clear => {
            let seen = Seen {
                some_fair_run: found.some_fair_run,
                ..Seen::EVERYTHING
            };
            without_violation(program, property, seen)
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
