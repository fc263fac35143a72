//! Branching time: one exploration for all formulas, without passes. Questions about what can be
//! reached for which a search of their own would [cost no less](crate::shared_graph) are answered on it too.
//!
//! A run that is found is confirmed like any other where the formula says the same as one of
//! linear time; where it does not, no single run can show more than that it is one.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use explicit::Space;
use games::{Answer, Checker, Walked};
use logic::{Ctl, Quantifier};
use model::interp::Violation;
use model::{
    Budget, Claim, ExprId, FairnessKind, Program, Progress, PropertyId, StateSpace, UnknownReason,
    Verdict,
};

use crate::confirm::confirm;
use crate::engine::Engine;
use crate::outcome::Outcome;
use crate::stack::Stack;
use crate::strength::{Seen, without_violation};

/// What a formula may take at first while others wait, and how many times as much each time after
/// that.
const TURN: Duration = Duration::from_secs(2);
const LONGER: u32 = 3;

/// Verifies formulas of branching time. What is explored has the runs of the program, choice by
/// choice. `told` gets what is known as soon as it is.
pub(crate) fn check_trees(
    program: &Program,
    explored: &Program,
    properties: &[PropertyId],
    engine: &explicit::Options,
    (budget, progress): (&Budget, &dyn Progress),
    told: &(dyn Fn(&Outcome) + Sync),
) -> Vec<Outcome> {
    // Others' observers would tell states apart that are one to these.
    let explored = &passes::focus(explored, properties);
    let space = space(program, explored, properties, engine, budget, progress);
    let checker = space.as_ref().map(|space| Checker::new(explored, &**space));
    let answer = |property: PropertyId, budget: &Budget| {
        let engine = match program.properties[property.index()].claim {
            Claim::Ctl(_) | Claim::Mu(_) | Claim::Bounded(_) => Engine::Games,
            _ => Engine::Explicit,
        };
        let mut outcome = Outcome::unknown(property, engine, UnknownReason::Interrupted);
        outcome.shared_by = properties.len();
        match &checker {
            Ok(checker) => check_tree(program, checker, budget, &mut outcome),
            Err(reason) => outcome.verdict = unknown((*reason).clone()),
        }
        outcome
    };
    let stack = Stack::of(program);
    let outcomes: Mutex<Vec<Outcome>> = Mutex::default();
    // Those that take longest begin first: they stand for many formulas.
    let mut order = properties.to_vec();
    order.sort_by_key(|property| {
        Reverse(match &program.properties[property.index()].claim {
            Claim::Mu(formula) => formula.binders(),
            _ => 0,
        })
    });
    let mut turn = TURN;
    while !order.is_empty() {
        let next = AtomicUsize::new(0);
        let again: Mutex<Vec<PropertyId>> = Mutex::default();
        let is_last = order.len() == 1;
        let work = || {
            while let Some(&property) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                let mine = match is_last {
                    true => budget.clone(),
                    false => budget.at_most(turn),
                };
                let outcome = mine.within(|| answer(property, &mine));
                let outcome = outcome
                    .unwrap_or_else(|reason| Outcome::unknown(property, Engine::Games, reason));
                if is_cut_short(&outcome) && budget.exhausted(0).is_none() {
                    lock(&again).push(property);
                    continue;
                }
                told(&outcome);
                lock(&outcomes).push(outcome);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..engine.jobs.min(order.len()) {
                stack.spawn(scope, work);
            }
            work();
        });
        order = again.into_inner().unwrap_or_else(PoisonError::into_inner);
        turn *= LONGER;
    }
    outcomes
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner)
}

/// Whether more time might give an answer.
fn is_cut_short(outcome: &Outcome) -> bool {
    matches!(
        outcome.verdict,
        Verdict::Unknown {
            reason: UnknownReason::Time,
            ..
        }
    )
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The graph of the states. The engine for explicit states makes it, unless it cannot: then the
/// interpreter does.
fn space<'p>(
    program: &Program,
    explored: &'p Program,
    properties: &[PropertyId],
    engine: &explicit::Options,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Box<dyn StateSpace + Sync + 'p>, UnknownReason> {
    let (conditions, labels) = asked(program, properties);
    match Space::explore(explored, &conditions, labels, engine, budget, progress) {
        Ok(space) => Ok(Box::new(space)),
        Err(UnknownReason::Unsupported(_)) => {
            let walked = Walked::explore(explored, &conditions, budget, progress)?;
            Ok(Box::new(walked))
        }
        Err(reason) => Err(reason),
    }
}

/// What is asked of states, and whether anything is of what happens.
fn asked(program: &Program, properties: &[PropertyId]) -> (Vec<ExprId>, bool) {
    let claim = |property: &PropertyId| &program.properties[property.index()].claim;
    let mut conditions: Vec<ExprId> = Vec::new();
    for property in properties {
        conditions.extend(program.properties[property.index()].trigger);
        match claim(property) {
            Claim::Ctl(formula) => conditions.extend(formula.atoms()),
            Claim::Mu(formula) => conditions.extend(formula.atoms()),
            Claim::Bounded(growth) => conditions.push(growth.full),
            Claim::Always(invariant) => conditions.push(*invariant),
            _ => {}
        }
    }
    for fairness in &program.fairness {
        if let FairnessKind::Justice(condition) = fairness.kind {
            conditions.push(condition);
        }
    }
    conditions.sort_unstable();
    conditions.dedup();
    let labels = properties.iter().any(|property| match claim(property) {
        Claim::Mu(_) => true,
        Claim::Bounded(growth) => growth.unread.is_some(),
        _ => false,
    });
    (conditions, labels)
}

/// The states that are expanded before formulas are looked at for the first time, and how many times
/// as many each time after that.
const NEAR: usize = 1 << 6;
const FURTHER: usize = 2;

/// Verifies formulas of branching time on ever larger parts of the graph, until each is decided; those
/// for which there is no such graph are left.
pub(crate) fn check_near(
    program: &Program,
    explored: &Program,
    properties: &[PropertyId],
    engine: &explicit::Options,
    (budget, progress): (&Budget, &dyn Progress),
    put: &dyn Fn(Outcome),
) -> Vec<PropertyId> {
    let explored = &passes::focus(explored, properties);
    let mut left = properties.to_vec();
    let mut most = NEAR;
    while !left.is_empty() {
        let (conditions, labels) = asked(program, &left);
        let asked = (conditions.as_slice(), labels);
        let space = Space::explore_some(explored, asked, most, engine, budget, progress);
        let Ok(space) = space else {
            return left;
        };
        let whole = space.open().is_none();
        let checker = Checker::new(explored, &space);
        left.retain(|&property| {
            let counts = matches!(
                program.properties[property.index()].claim,
                Claim::Bounded(_)
            );
            if counts && !whole {
                return true;
            }
            let reason = UnknownReason::Interrupted;
            let mut outcome = Outcome::unknown(property, Engine::Games, reason);
            check_tree(program, &checker, budget, &mut outcome);
            let is_left = !whole && matches!(outcome.verdict, Verdict::Unknown { .. });
            if !is_left {
                put(outcome);
            }
            is_left
        });
        most = most.saturating_mul(FURTHER);
    }
    left
}

fn unknown(reason: UnknownReason) -> Verdict {
    Verdict::Unknown {
        reason,
        possible: None,
    }
}

/// Whether what the property is about ever happens.
fn is_triggered(program: &Program, checker: &Checker<'_>, property: PropertyId) -> bool {
    let Some(trigger) = program.properties[property.index()].trigger else {
        return true;
    };
    let never = Ctl::Always(Quantifier::All, Arc::new(Ctl::not(Ctl::Atom(trigger))));
    !matches!(checker.ctl(&never, &[]).answer, Answer::Clear)
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
        Claim::Bounded(growth) => checker.bounded(growth, budget),
        Claim::Always(invariant) => checker.always(*invariant),
        Claim::Check(check) => checker.never(&|bad| bad == Violation::Check(*check)),
        Claim::NoFault(faults) => {
            checker.never(&|bad| matches!(bad, Violation::Fault(fault) if faults.contains(&fault)))
        }
        _ => unreachable!("no other questions are given"),
    };
    outcome.statistics = found.statistics;
    outcome.verdict = match found.answer {
        Answer::Unknown(reason) => unknown(reason),
        Answer::Clear => {
            let seen = Seen {
                some_fair_run: found.some_fair_run,
                sampled: found.sampled,
                triggered: is_triggered(program, checker, property),
            };
            without_violation(program, property, seen)
        }
        Answer::Possible(trace) => {
            let interp = model::interp::Interp::new(&focused);
            match interp.replay(&trace) {
                Ok(replay) => {
                    outcome.replay = Some(replay);
                    Verdict::Unknown {
                        reason: UnknownReason::Unrepeatable,
                        possible: Some(Arc::new(trace)),
                    }
                }
                Err(error) => unknown(UnknownReason::NotReplayed(error.to_string())),
            }
        }
        Answer::Violated(_) if found.sampled && !found.refuted_by_run => {
            unknown(UnknownReason::Sampled)
        }
        Answer::Violated(trace) => match confirm(&focused, property, &trace) {
            Ok(replay) => {
                outcome.replay = Some(replay);
                Verdict::Fails {
                    trace: Arc::new(trace),
                }
            }
            Err(error) => unknown(UnknownReason::NotReplayed(error.to_string())),
        },
    };
}
