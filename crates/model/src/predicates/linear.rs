//! Runs that never end, through configurations: what surely goes on, and what has to.
//!
//! A run ends only where nobody can go on, whosever turn it is. So it matters where something surely
//! can happen, and, for fairness, where all threads that wait at a place surely can go on. Each
//! answer is a formula that says so only if it is true; where it is not known, it may be that a run
//! ends, and that no thread is passed over.

use super::formula::{Formula, Var};
use super::{PredicateAction, PredicateProgram};
use crate::ids::PredicateId;

/// Something that can happen where a formula holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The formula; it has no free variables.
    pub condition: Formula,
    /// Whether that is so only where whose turn it is is open.
    pub by_turn: bool,
}

/// A place where threads wait.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waiting {
    /// A predicate of the threads that are there.
    pub at: PredicateId,
    /// Some threads are there, and each of them can go on if it is its turn. No free variables.
    pub all_can: Formula,
}

impl PredicateProgram {
    /// Whether an action changes nothing whatever: it only looks, and is no step of a run.
    #[must_use]
    pub fn is_observer(&self, action: &PredicateAction) -> bool {
        action.scheduled.is_none()
            && action.updates.is_empty()
            && action.creates.is_empty()
            && action.retains.is_none()
    }

    /// Whether turns are ruled by nothing but that one thread moves at a time.
    fn has_free_turns(&self) -> bool {
        self.constraints.iter().all(|rule| {
            let reads = rule_reads(rule);
            let turn = |id: &PredicateId| Some(*id) == self.turn;
            !reads.iter().any(turn) || rule.span == source::Span::NONE
        }) && self.defined().all(|(_, _, definition)| {
            let mut reads = Vec::new();
            definition.reads(&mut reads);
            reads.iter().all(|id| Some(*id) != self.turn)
        })
    }

    /// Whether where an action leads surely obeys all rules where it obeyed them before.
    fn obeys(&self, action: &PredicateAction) -> bool {
        if !action.creates.is_empty() || action.retains.is_some() {
            return false;
        }
        let updated = action.updates.iter().map(|update| update.predicate);
        let mut changed: Vec<PredicateId> = updated.filter(|id| Some(*id) != self.turn).collect();
        for (predicate, _, definition) in self.defined() {
            let mut reads = Vec::new();
            definition.reads(&mut reads);
            if reads.iter().any(|id| changed.contains(id)) {
                changed.push(predicate);
            }
        }
        let mut rules = self.constraints.iter();
        !rules.any(|rule| rule_reads(rule).iter().any(|id| changed.contains(id)))
    }

    /// When an action can happen for one assignment of its variables, if it is its thread's turn;
    /// with the thread's variable, if a thread moves. `None`: it is never sure that it can.
    fn enabled(&self, action: &PredicateAction) -> Option<(Option<Var>, Vec<Formula>)> {
        if self.is_observer(action) || !self.obeys(action) || !self.has_free_turns() {
            return None;
        }
        let mut parts = Vec::new();
        conjuncts(&action.precondition, &mut parts);
        let Some(mover) = action.scheduled else {
            return Some((None, parts));
        };
        let turn = Formula::Holds(self.turn?, vec![mover]);
        parts.retain(|part| *part != turn);
        let reads_turn = |part: &Formula| {
            let mut reads = Vec::new();
            part.reads(&mut reads);
            reads.iter().any(|id| Some(*id) == self.turn)
        };
        if parts.iter().any(reads_turn) {
            return None;
        }
        parts.push(self.schedulable.as_ref()?.renamed(0, mover));
        Some((Some(mover), parts))
    }

    /// What can happen.
    #[must_use]
    pub fn progress(&self) -> Vec<Progress> {
        let all = self.actions.iter().filter_map(|action| {
            let (mover, parts) = self.enabled(action)?;
            Some(Progress {
                condition: some(0..action.free, parts),
                by_turn: mover.is_some(),
            })
        });
        all.collect()
    }

    /// The places where threads wait.
    #[must_use]
    pub fn waiting(&self) -> Vec<Waiting> {
        let mut places: Vec<PredicateId> = Vec::new();
        for action in &self.actions {
            if let Some(at) = self.leaves(action)
                && !places.contains(&at)
                && self.predicate(at).definition.is_none()
            {
                places.push(at);
            }
        }
        let all = places.iter().filter_map(|&at| {
            // One more than all variables of all actions.
            let thread = self.actions.iter().map(|one| one.variables.len()).max()?;
            let here = Formula::Holds(at, vec![thread]);
            let can = self
                .actions
                .iter()
                .filter(|one| self.leaves(one) == Some(at));
            let can = can.filter_map(|action| {
                let (mover, parts) = self.enabled(action)?;
                let own = mover?;
                let parts = parts.iter().map(|part| part.renamed(own, thread));
                let parts = parts.collect();
                let others = (0..action.free).filter(|variable| *variable != own);
                Some(some(others, parts))
            });
            // Who is in two places may go on from the other one.
            let elsewhere = places.iter().filter(|&&other| other != at);
            let elsewhere = elsewhere.map(|&other| Formula::Holds(other, vec![thread]));
            let only_here = Formula::not(Formula::Or(elsewhere.collect()));
            let can = Formula::And(vec![only_here, Formula::Or(can.collect())]);
            let all_can = Formula::Or(vec![Formula::not(here.clone()), can]);
            let all_can = Formula::And(vec![
                Formula::Exists(thread, Box::new(here)),
                Formula::Forall(thread, Box::new(all_can)),
            ]);
            Some(Waiting { at, all_can })
        });
        all.collect()
    }

    /// The place that a thread's action begins at: the first predicate of it in the precondition but
    /// for that it is its turn.
    #[must_use]
    pub fn leaves(&self, action: &PredicateAction) -> Option<PredicateId> {
        let mover = action.scheduled?;
        let mut parts = Vec::new();
        conjuncts(&action.precondition, &mut parts);
        parts.into_iter().find_map(|part| match part {
            Formula::Holds(id, all) if all == [mover] && Some(id) != self.turn => Some(id),
            _ => None,
        })
    }

    /// Whether threads that wait at a place may be gone from it after an action, or it was one of
    /// them that moved: then the others may have waited for it.
    #[must_use]
    pub fn disturbs(&self, action: &PredicateAction, at: PredicateId) -> bool {
        let touches = |id: PredicateId| action.updates.iter().any(|update| update.predicate == id);
        let arrives = |update: &super::Update| {
            let [who] = update.parameters[..] else {
                return false;
            };
            // Whoever is there stays.
            matches!(&update.value, Formula::Or(all)
                if all.contains(&Formula::Holds(update.predicate, vec![who])))
        };
        let mut updates = action
            .updates
            .iter()
            .filter(|update| update.predicate == at);
        action.scheduled.is_some() && self.leaves(action).is_none_or(|from| from == at)
            || action.retains.is_some()
            || updates.any(|update| !arrives(update))
            || self.reads_of_turns().into_iter().any(touches)
    }

    /// What decides whose turn it can be.
    fn reads_of_turns(&self) -> Vec<PredicateId> {
        let mut reads = Vec::new();
        if let Some(schedulable) = &self.schedulable {
            schedulable.reads(&mut reads);
        }
        reads
    }
}

fn rule_reads(rule: &super::Constraint) -> Vec<PredicateId> {
    let mut reads = Vec::new();
    rule.body.reads(&mut reads);
    rule.head.formula().reads(&mut reads);
    reads
}

fn conjuncts(formula: &Formula, found: &mut Vec<Formula>) {
    match formula {
        Formula::And(all) => all.iter().for_each(|one| conjuncts(one, found)),
        other => found.push(other.clone()),
    }
}

fn some(variables: impl Iterator<Item = Var>, parts: Vec<Formula>) -> Formula {
    variables.fold(Formula::And(parts), |inner, variable| {
        Formula::Exists(variable, Box::new(inner))
    })
}
