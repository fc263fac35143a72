//! What the analysis is asked to know: formulas of focus as predicates and ways of functions.

use model::PredicateId;
use model::predicates::{Focus, Formula, Onward, Var};

use super::formula::Scope;
use super::{Lowering, Names};
use crate::tree::Action;

impl Lowering<'_> {
    /// The predicates of one individual or none that the formulas of a focus read, and where functions
    /// lead that they read from an individual that one predicate says.
    pub(super) fn focus(&mut self, action: &Action, moves: bool, names: &Names) -> Vec<Focus> {
        let mut all: Vec<Focus> = Vec::new();
        let mut ways: Vec<Focus> = Vec::new();
        let everywhere = self.focus.clone();
        let everywhere = everywhere.iter().map(|(formula, names)| (formula, names));
        let own = action.focus.iter().map(|formula| (formula, names));
        for (formula, names) in own.chain(everywhere) {
            let mut scope = Scope {
                open: true,
                ..Scope::default()
            };
            let mover = scope.add("tr");
            let formula = self.formula(formula, &mut scope, names);
            let mut reads = Vec::new();
            formula.reads(&mut reads);
            let order = |id: &PredicateId| {
                let predicate = self.program.predicate(*id);
                (predicate.arity, !predicate.unique)
            };
            reads.retain(|id| order(id).0 < 2);
            reads.sort_by_key(order);
            for id in reads {
                if !all.contains(&id.into()) {
                    all.push(id.into());
                }
            }
            let from = moves.then(|| (mover, Focus::from(self.known.runnable)));
            self.ways(&formula, from, &mut ways);
        }
        all.extend(ways);
        all
    }

    /// Where functions lead, by literals of a conjunction.
    fn ways(&self, formula: &Formula, from: Option<(Var, Focus)>, found: &mut Vec<Focus>) {
        let mut literals = Vec::new();
        conjuncts(formula, &mut literals);
        let unique = |id: PredicateId| self.program.predicate(id).unique;
        // How each variable is reached.
        let mut reached: Vec<(Var, Focus)> = from.into_iter().collect();
        for (predicate, variables) in &literals {
            if let ([variable], true) = (variables.as_slice(), unique(*predicate)) {
                reached.push((*variable, Focus::from(*predicate)));
            }
        }
        let mut next = 0;
        while next < reached.len() && reached.len() < MOST_WAYS {
            let (at, way) = reached[next].clone();
            next += 1;
            for (predicate, variables) in &literals {
                let [first, second] = variables.as_slice() else {
                    continue;
                };
                for (from, to, back) in [(first, second, false), (second, first, true)] {
                    let predicate = *predicate;
                    let onward = Onward { predicate, back };
                    let known = reached.iter().any(|(one, _)| one == to);
                    if *from != at || known || !onward.is_unique(&self.program) {
                        continue;
                    }
                    let mut way = way.clone();
                    way.then.push(onward);
                    if !found.contains(&way) {
                        found.push(way.clone());
                    }
                    reached.push((*to, way));
                }
            }
        }
    }
}

/// More ways than this are not looked for.
const MOST_WAYS: usize = 32;

/// The predicates that a conjunction, whose variables may be bound, says hold.
fn conjuncts(formula: &Formula, found: &mut Vec<(PredicateId, Vec<Var>)>) {
    match formula {
        Formula::Holds(predicate, variables) => found.push((*predicate, variables.clone())),
        Formula::And(all) => all.iter().for_each(|one| conjuncts(one, found)),
        Formula::Exists(_, inner) => conjuncts(inner, found),
        _ => {}
    }
}
