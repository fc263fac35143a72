//! Focus: leaves out what belongs to other properties.
//!
//! A program carries the observers, assertions and fairness constraints of all its properties.
//! For one of them (or a group that shares an exploration) the others' are left out: observers'
//! bodies are emptied, assertions of other checks go, and so do fairness constraints whose
//! assumption no property of the group names. The focused program *is* the meaning of the
//! properties: verdicts are about it, and traces are replayed on it. A property is a spectator,
//! so an observer that would have faulted takes its fault along; an assertion in the script's own
//! body is part of the script, and an evaluation of it that can fault stays.
//!
//! Preserves every query about the properties of the group.

use model::{Claim, ObserverId, Program, PropertyId, Stmt};

use crate::faults::Faults;

/// The program as the given properties see it.
///
/// Fairness stays if any property of the group names its assumption: group properties only if
/// they agree on that, or are all safety, which no fairness can change.
#[must_use]
pub fn focus(program: &Program, properties: &[PropertyId]) -> Program {
    let mut focused = program.clone();
    let chosen = |id: PropertyId| properties.contains(&id);
    let mut named: Vec<(bool, bool)> = vec![(false, false); program.observers.len()];
    for (index, property) in program.properties.iter().enumerate() {
        for observer in &property.observers {
            let (by_chosen, by_any) = &mut named[observer.index()];
            *by_any = true;
            *by_chosen |= chosen(PropertyId::new(index));
        }
    }
    let checks: Vec<_> = properties
        .iter()
        .filter_map(|id| match program.properties[id.index()].claim {
            Claim::Check(check) => Some(check),
            _ => None,
        })
        .collect();
    let mut faults = Faults::default();
    for index in 0..focused.observers.len() {
        let (by_chosen, by_any) = named[ObserverId::new(index).index()];
        if by_any && !by_chosen {
            focused.observers[index].body.clear();
        } else {
            let body = std::mem::take(&mut focused.observers[index].body);
            focused.observers[index].body =
                without_other_checks(&mut focused, &mut faults, &checks, body, false);
        }
    }
    for process in 0..focused.processes.len() {
        for step in 0..focused.processes[process].steps.len() {
            let body = std::mem::take(&mut focused.processes[process].steps[step].body);
            focused.processes[process].steps[step].body =
                without_other_checks(&mut focused, &mut faults, &checks, body, true);
        }
    }
    let assumed = |assumption| {
        properties.iter().any(|id| {
            program.properties[id.index()]
                .assumptions
                .contains(&assumption)
        })
    };
    focused
        .fairness
        .retain(|fairness| fairness.assumption.is_none_or(assumed));
    focused
}

fn without_other_checks(
    program: &mut Program,
    faults: &mut Faults,
    checks: &[model::CheckId],
    body: Vec<Stmt>,
    keep_faults: bool,
) -> Vec<Stmt> {
    let mut kept = Vec::with_capacity(body.len());
    for stmt in body {
        match stmt {
            Stmt::Assert { cond, check, .. } if !checks.contains(&check) => {
                if keep_faults {
                    faults.residue(program, cond, &mut kept);
                }
            }
            Stmt::If(cond, then, otherwise) => {
                let then = without_other_checks(program, faults, checks, then, keep_faults);
                let otherwise =
                    without_other_checks(program, faults, checks, otherwise, keep_faults);
                kept.push(Stmt::If(cond, then, otherwise));
            }
            other => kept.push(other),
        }
    }
    kept
}
