//! Which properties share an exploration.
//!
//! Two safety properties share one if together they keep nothing alive that each of them alone
//! would not: then one exploration answers both and costs no more than either. (If only the dearer
//! one kept it, sharing would make the cheaper one wait: where the dearer fails early, alone it
//! stops early.)

use std::collections::HashMap;

use model::{AssumptionId, Budget, Claim, Program, PropertyId};
use passes::{Reduced, Selection, pipeline, sizes};

/// Properties that share an exploration, and the program reduced for them.
pub(crate) type Group = (Vec<PropertyId>, Reduced);

/// Groups properties; each group comes with the program reduced for it. Also gives the properties
/// for which that is still to be done when the budget is exhausted.
pub(crate) fn group(
    program: &Program,
    properties: &[PropertyId],
    selection: &Selection,
    budget: &Budget,
) -> (Vec<Group>, Vec<PropertyId>) {
    let mut left = Vec::new();
    let mut alone = Vec::new();
    let mut by_assumptions: HashMap<Vec<AssumptionId>, Vec<Group>> = HashMap::new();
    let mut order = Vec::new();
    for &property in properties {
        if budget.exhausted(0).is_some() {
            left.push(property);
            continue;
        }
        let entry = &program.properties[property.index()];
        let reduced = pipeline(program, &[property], selection);
        if matches!(
            entry.claim,
            Claim::Ltl(_)
                | Claim::Never(_)
                | Claim::Ctl(_)
                | Claim::Mu(_)
                | Claim::Distance { .. }
                | Claim::Bounded(_)
                | Claim::Open(_)
        ) {
            alone.push((vec![property], reduced));
            continue;
        }
        let mut assumptions = entry.assumptions.clone();
        assumptions.sort_unstable();
        if !by_assumptions.contains_key(&assumptions) {
            order.push(assumptions.clone());
        }
        let groups = by_assumptions.entry(assumptions).or_default();
        join(program, groups, property, reduced, selection);
    }
    // Searches for accepting runs take longest, so they begin first.
    let safety = order
        .into_iter()
        .filter_map(|assumptions| by_assumptions.remove(&assumptions))
        .flatten();
    (alone.into_iter().chain(safety).collect(), left)
}

/// Puts a property into the first group that grows no dearer by it, or into one of its own.
fn join(
    program: &Program,
    groups: &mut Vec<Group>,
    property: PropertyId,
    reduced: Reduced,
    selection: &Selection,
) {
    let mine = cost(&reduced);
    for (members, shared) in groups.iter_mut() {
        let together: Vec<PropertyId> = members.iter().copied().chain([property]).collect();
        let joined = pipeline(program, &together, selection);
        let theirs = cost(shared);
        // What is kept for both contains what is kept for each, so equal sizes are equal sets.
        if cost(&joined) == mine && cost(&joined) == theirs {
            *members = together;
            *shared = joined;
            return;
        }
    }
    groups.push((vec![property], reduced));
}

/// What an exploration keeps: bits of a state, choices, steps.
fn cost(reduced: &Reduced) -> (u64, usize, usize) {
    let sizes = sizes(&reduced.program);
    (sizes.bits, sizes.choices, sizes.steps)
}
