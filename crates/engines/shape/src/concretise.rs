//! Looks for a run of few individuals that ends with a message: what an analysis of structures says
//! may happen, does happen then.

use std::collections::HashSet;

use model::predicates::{Concrete, PredicateProgram, PredicateRun, Structure, Taken};
use model::{Budget, MessageId, Trace};

/// What stands for several stands for so many at most, together, beyond one each.
const MOST_MORE: usize = 3;
/// So many configurations are looked at for each number of individuals.
const MOST_CONFIGURATIONS: usize = 20_000;
/// So many individuals may come into being beyond those of the beginning.
const MOST_NEW: usize = 4;

/// The shortest run with the fewest individuals that ends with a message, if one is found.
#[must_use]
pub fn concretise(
    program: &PredicateProgram,
    message: MessageId,
    budget: &Budget,
) -> Option<Trace> {
    let more = 0..=MOST_MORE;
    more.flat_map(|more| (0..program.initial.len()).map(move |number| (more, number)))
        .find_map(|(more, number)| {
            let structure = &program.initial[number];
            let counts = distributed(&structure.summary, more);
            counts
                .into_iter()
                .find_map(|counts| run_of(program, (number, &counts), message, budget))
        })
}

/// All ways to have `more` individuals than one each.
fn distributed(summary: &[bool], more: usize) -> Vec<Vec<usize>> {
    let Some((&several, rest)) = summary.split_first() else {
        return if more == 0 {
            vec![Vec::new()]
        } else {
            Vec::new()
        };
    };
    let most = if several { more } else { 0 };
    let mut all = Vec::new();
    for here in (0..=most).rev() {
        for mut counts in distributed(rest, more - here) {
            counts.insert(0, 1 + here);
            all.push(counts);
        }
    }
    all
}

struct Found {
    state: Structure,
    from: Option<(usize, Taken)>,
    /// The choices that an initial one was made by.
    choices: Vec<bool>,
}

fn run_of(
    program: &PredicateProgram,
    (number, counts): (usize, &[usize]),
    message: MessageId,
    budget: &Budget,
) -> Option<Trace> {
    let concrete = Concrete::new(program);
    let mut known = HashSet::new();
    let mut found: Vec<Found> = Vec::new();
    for (choices, state) in concrete.concretisations(&program.initial[number], counts)? {
        if known.insert(state.clone()) {
            found.push(Found {
                state,
                from: None,
                choices,
            });
        }
    }
    let mut next = 0;
    while next < found.len() && found.len() < MOST_CONFIGURATIONS {
        if budget.exhausted(0).is_some() {
            return None;
        }
        let state = found[next].state.clone();
        let ended = |steps: &[Taken], at: usize| {
            let beginning = (number, counts, found[at].choices.as_slice());
            PredicateRun::trace(program, beginning, steps)
        };
        if concrete.report(&state, message).is_some() {
            let (steps, first) = way(&found, next);
            return Some(ended(&steps, first));
        }
        let successors = concrete.successors(&state)?;
        let reports = |taken: &&Taken| taken.reported_after.contains(&message);
        if let Some(last) = successors.iter().find(reports) {
            let (mut steps, first) = way(&found, next);
            steps.push(last.clone());
            return Some(ended(&steps, first));
        }
        let room = counts.iter().sum::<usize>() + MOST_NEW;
        for taken in successors {
            if taken.state.size() <= room && known.insert(taken.state.clone()) {
                found.push(Found {
                    state: taken.state.clone(),
                    from: Some((next, taken)),
                    choices: Vec::new(),
                });
            }
        }
        next += 1;
    }
    None
}

/// The steps to a configuration, and where they begin.
fn way(found: &[Found], mut at: usize) -> (Vec<Taken>, usize) {
    let mut steps = Vec::new();
    while let Some((from, taken)) = &found[at].from {
        steps.push(taken.clone());
        at = *from;
    }
    steps.reverse();
    (steps, at)
}
