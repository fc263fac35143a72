//! More fairness constraints than a search for runs can watch at once.
//!
//! Without a constraint there are more runs: if none of them violates the property, no fair one does.
//! So the search begins without any. A run that it finds is fair after all, or says which constraints
//! it breaks; those are watched from then on (abstraction refined by counterexamples, Clarke et al.
//! 2000, with constraints in place of predicates). As a rule few of many matter to a property.

use std::collections::BTreeSet;

use explicit::{Answer, LivenessOutcome};
use model::Program;
use model::interp::Interp;

/// Searches with as few of the program's constraints as are enough.
pub(crate) fn watching_few(
    program: &Program,
    mut search: impl FnMut(&Program) -> LivenessOutcome,
) -> LivenessOutcome {
    let mut watched: BTreeSet<usize> = BTreeSet::new();
    let mut fewer = program.clone();
    loop {
        fewer.fairness = watched
            .iter()
            .map(|&at| program.fairness[at].clone())
            .collect();
        let outcome = search(&fewer);
        let Answer::Violated(trace) = &outcome.answer else {
            return outcome;
        };
        let Ok(replay) = Interp::new(program).replay(trace) else {
            // Whoever confirms it will say so.
            return outcome;
        };
        let mut left: Vec<usize> = (0..program.fairness.len()).collect();
        left.retain(|at| !watched.contains(at));
        let before = watched.len();
        loop {
            fewer.fairness = left
                .iter()
                .map(|&at| program.fairness[at].clone())
                .collect();
            match Interp::new(&fewer).unfairness(trace, &replay) {
                Ok(Some(broken)) => watched.insert(left.remove(broken)),
                _ => break,
            };
        }
        if watched.len() == before {
            return outcome;
        }
    }
}
