//! Which properties share an exploration.
//!
//! Two safety properties share one if together they keep nothing alive that each of them alone
//! would not: then one exploration answers both and costs no more than either. (If only the dearer
//! one kept it, sharing would make the cheaper one wait: where the dearer fails early, alone it
//! stops early.)

use std::collections::HashMap;

use model::{AssumptionId, Budget, Claim, Program, PropertyId, UnknownReason};
use passes::{Reduced, Selection, pipeline, sizes};

/// Properties that share an exploration, and the program reduced for them.
pub(crate) type Group = (Vec<PropertyId>, Reduced);

/// Properties times what a program holds from which on it is not reduced for each property.
const MANY: usize = 1 << 24;

/// Whether there are so many properties, and so much in the program, that to reduce it for each of them
/// takes more time and memory than may be spent before the first search. A circuit may have 100,000 outputs.
pub(crate) fn are_many(program: &Program, properties: &[PropertyId]) -> bool {
    let steps = program.processes.iter().map(|process| process.steps.len());
    let size = program.exprs.len() + program.properties.len() + steps.sum::<usize>();
    properties.len().saturating_mul(size) > MANY
}

/// Groups properties without a look at what each keeps alive: all those of safety that are judged under
/// the same assumptions stand together, and each other stands alone.
pub(crate) fn group_unseen(program: &Program, properties: &[PropertyId]) -> Vec<Vec<PropertyId>> {
    let mut alone = Vec::new();
    let mut safety: Vec<Vec<PropertyId>> = Vec::new();
    let mut places: HashMap<Vec<AssumptionId>, usize> = HashMap::new();
    for &property in properties {
        let entry = &program.properties[property.index()];
        if is_alone(&entry.claim) {
            alone.push(vec![property]);
            continue;
        }
        let mut assumptions = entry.assumptions.clone();
        assumptions.sort_unstable();
        let place = *places.entry(assumptions).or_insert(safety.len());
        if place == safety.len() {
            safety.push(Vec::new());
        }
        safety[place].push(property);
    }
    alone.into_iter().chain(safety).collect()
}

/// Whether a claim is about runs for ever, or branching, and so has a search of its own.
fn is_alone(claim: &Claim) -> bool {
    matches!(
        claim,
        Claim::Ltl(_)
            | Claim::Never(_)
            | Claim::Ctl(_)
            | Claim::Mu(_)
            | Claim::Distance { .. }
            | Claim::Bounded(_)
            | Claim::Silent(_)
            | Claim::Configurations(_)
            | Claim::Open(_)
    )
}

/// Groups properties; each group comes with the program reduced for it. Also gives the properties
/// for which that is still to be done when the budget is exhausted, and why it is.
pub(crate) fn group(
    program: &Program,
    properties: &[PropertyId],
    selection: &Selection,
    budget: &Budget,
) -> (Vec<Group>, Vec<(PropertyId, UnknownReason)>) {
    let mut left = Vec::new();
    let mut alone = Vec::new();
    let mut by_assumptions: HashMap<Vec<AssumptionId>, Vec<Group>> = HashMap::new();
    let mut order = Vec::new();
    for &property in properties {
        let entry = &program.properties[property.index()];
        let reduced = budget.within(|| pipeline(program, &[property], selection));
        let reduced = match reduced {
            Ok(reduced) => reduced,
            Err(reason) => {
                left.push((property, reason));
                continue;
            }
        };
        if is_alone(&entry.claim) {
            alone.push((vec![property], reduced));
            continue;
        }
        let mut assumptions = entry.assumptions.clone();
        assumptions.sort_unstable();
        if !by_assumptions.contains_key(&assumptions) {
            order.push(assumptions.clone());
        }
        let single = by_assumptions.entry(assumptions).or_default();
        single.push((vec![property], reduced));
    }
    // Searches for accepting runs take longest, so they begin first.
    let safety = order
        .into_iter()
        .filter_map(|assumptions| by_assumptions.remove(&assumptions))
        .flat_map(|single| join(program, single, selection));
    (alone.into_iter().chain(safety).collect(), left)
}

/// Puts together those that grow no dearer by it.
fn join(program: &Program, single: Vec<Group>, selection: &Selection) -> Vec<Group> {
    let mut by_cost: Vec<(Cost, Vec<Group>)> = Vec::new();
    for group in single {
        let mine = cost(&group.1);
        match by_cost.iter_mut().find(|(cost, _)| *cost == mine) {
            Some((_, alike)) => alike.push(group),
            None => by_cost.push((mine, vec![group])),
        }
    }
    let mut joined = Vec::new();
    for (mine, alike) in by_cost {
        joined.extend(join_alike(program, mine, alike, selection));
    }
    joined
}

/// The same for groups of one property each that cost the same. What is kept for several contains
/// what is kept for each, so equal sizes are equal sets; and where all of them together keep no
/// more than each, so do any of them.
fn join_alike(
    program: &Program,
    mine: Cost,
    alike: Vec<Group>,
    selection: &Selection,
) -> Vec<Group> {
    let together = |members: Vec<PropertyId>| -> Option<Group> {
        let reduced = pipeline(program, &members, selection);
        (cost(&reduced) == mine).then_some((members, reduced))
    };
    let members = |groups: &[Group]| groups.iter().flat_map(|group| group.0.clone()).collect();
    if alike.len() > 2
        && let Some(all) = together(members(&alike))
    {
        return vec![all];
    }
    let mut groups: Vec<Group> = Vec::new();
    for group in alike {
        let larger = groups.iter().enumerate().find_map(|(place, other)| {
            let members = other.0.iter().chain(&group.0).copied().collect();
            Some((place, together(members)?))
        });
        match larger {
            Some((place, larger)) => groups[place] = larger,
            None => groups.push(group),
        }
    }
    groups
}

/// What an exploration keeps: bits of a state, choices, steps.
type Cost = (u64, usize, usize);

fn cost(reduced: &Reduced) -> Cost {
    let sizes = sizes(&reduced.program);
    (sizes.bits, sizes.choices, sizes.steps)
}

#[cfg(test)]
mod tests {
    use model::{Property, Type, Variable};
    use source::Span;

    use super::*;

    fn claiming(claim: Claim, assumptions: &[usize]) -> Property {
        Property {
            name: String::new(),
            text: String::new(),
            span: Span::NONE,
            claim,
            trigger: None,
            observers: Vec::new(),
            assumptions: assumptions
                .iter()
                .map(|&id| AssumptionId::new(id))
                .collect(),
        }
    }

    #[test]
    fn unseen_properties_of_safety_stand_together_by_their_assumptions() {
        let mut program = Program::new("test", "test");
        program.add_global(Variable::new("x", Type::Bool));
        let yes = program.exprs.bool(true);
        let safe = |assumptions: &[usize]| claiming(Claim::Always(yes), assumptions);
        let live = claiming(Claim::Ltl(logic::Ltl::True), &[]);
        let all = [safe(&[]), live, safe(&[1, 0]), safe(&[]), safe(&[0, 1])];
        let ids: Vec<PropertyId> = all.map(|one| program.add_property(one)).into();
        let groups = group_unseen(&program, &ids);
        let told: Vec<Vec<usize>> = groups
            .iter()
            .map(|group| group.iter().map(|id| id.index()).collect())
            .collect();
        assert_eq!(told, [vec![1], vec![0, 3], vec![2, 4]]);
        assert!(!are_many(&program, &ids));
    }
}
