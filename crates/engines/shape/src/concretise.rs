//! Looks for a run of few individuals that ends with a message: what an analysis of structures says
//! may happen, does happen then.

use std::collections::HashSet;

use model::predicates::{Concrete, PredicateProgram, PredicateRun, Structure, Taken};
use model::{Budget, MessageId, Trace};

/// What stands for several stands for so many at most, together, beyond one each.
pub(crate) const MOST_MORE: usize = 3;
/// So many configurations are looked at for each number of individuals.
const MOST_CONFIGURATIONS: usize = 20_000;
/// So many are looked at along the actions of a way.
const MOST_ALONG: usize = 1_000;
/// So many individuals may come into being beyond those of the beginning; if no run is found then, more.
const MOST_NEW: [usize; 3] = [4, 7, 10];

/// The shortest run with the fewest individuals that ends with a message, if one is found. No step of it
/// is one that the program may never take ([`PredicateProgram::approximate`]).
#[must_use]
pub fn concretise(
    program: &PredicateProgram,
    message: MessageId,
    budget: &Budget,
) -> Option<Trace> {
    let beginnings = beginnings(program);
    for most_new in MOST_NEW {
        let mut crowded = false;
        for (number, counts) in &beginnings {
            let room = counts.iter().sum::<usize>() + most_new;
            let searched = run_of(program, (*number, counts), message, room, budget);
            match searched {
                Searched::Found(trace) => return Some(*trace),
                Searched::Crowded => crowded = true,
                Searched::Nothing => {}
            }
        }
        if !crowded {
            break;
        }
    }
    None
}

/// A run that ends with a message and takes these actions, one after the other: those of the way through
/// structures to where the message may be given. As no run to the message is shorter than the shortest way,
/// this is a shortest one. Few configurations are looked at: each step is one of a single action.
#[must_use]
pub fn concretise_along(
    program: &PredicateProgram,
    message: MessageId,
    actions: &[usize],
    budget: &Budget,
) -> Option<Trace> {
    if actions.iter().any(|one| program.approximate.contains(one)) {
        return None;
    }
    let mut beginnings = beginnings(program).into_iter();
    beginnings
        .find_map(|(number, counts)| along(program, (number, &counts), message, actions, budget))
}

/// The initial structures with how many individuals each of theirs stands for, the fewest first.
fn beginnings(program: &PredicateProgram) -> Vec<(usize, Vec<usize>)> {
    let more = 0..=MOST_MORE;
    let initial = |more| (0..program.initial.len()).map(move |number| (more, number));
    let mut beginnings = Vec::new();
    for (more, number) in more.flat_map(initial) {
        let counts = distributed(&program.initial[number].summary, more);
        beginnings.extend(counts.into_iter().map(|counts| (number, counts)));
    }
    beginnings
}

/// A run from one beginning that takes these actions.
fn along(
    program: &PredicateProgram,
    (number, counts): (usize, &[usize]),
    message: MessageId,
    actions: &[usize],
    budget: &Budget,
) -> Option<Trace> {
    let concrete = Concrete::new(program);
    let (&last, before) = actions.split_last()?;
    let mut found: Vec<Found> = Vec::new();
    let mut known = HashSet::new();
    for (choices, state) in concrete.concretisations(&program.initial[number], counts)? {
        if known.insert(state.clone()) {
            found.push(Found {
                state,
                from: None,
                choices,
            });
        }
    }
    let mut level = 0..found.len();
    for &action in before {
        known.clear();
        for at in level.clone() {
            if budget.exhausted(0).is_some() || found.len() > MOST_ALONG {
                return None;
            }
            for taken in concrete.successors_by(&found[at].state, action)? {
                if known.insert(taken.state.clone()) {
                    found.push(Found {
                        state: taken.state.clone(),
                        from: Some((at, taken)),
                        choices: Vec::new(),
                    });
                }
            }
        }
        level = level.end..found.len();
    }
    for at in level {
        let (mut steps, first) = way(&found, at);
        if concrete.report(&found[at].state, message).is_none() {
            let mut taken = concrete.successors_by(&found[at].state, last)?.into_iter();
            let Some(taken) = taken.find(|taken| taken.reported_after.contains(&message)) else {
                continue;
            };
            steps.push(taken);
        }
        let beginning = (number, counts, found[first].choices.as_slice());
        return Some(PredicateRun::trace(program, beginning, &steps));
    }
    None
}

/// What came of a search.
enum Searched {
    Found(Box<Trace>),
    /// No run, with so few individuals; with more there are more configurations.
    Crowded,
    Nothing,
}

/// All ways to have `more` individuals than one each.
pub(crate) fn distributed(summary: &[bool], more: usize) -> Vec<Vec<usize>> {
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
    room: usize,
    budget: &Budget,
) -> Searched {
    let concrete = Concrete::new(program);
    let mut known = HashSet::new();
    let mut found: Vec<Found> = Vec::new();
    let Some(all) = concrete.concretisations(&program.initial[number], counts) else {
        return Searched::Nothing;
    };
    for (choices, state) in all {
        if known.insert(state.clone()) {
            found.push(Found {
                state,
                from: None,
                choices,
            });
        }
    }
    let mut next = 0;
    let mut crowded = false;
    while next < found.len() && found.len() < MOST_CONFIGURATIONS {
        if budget.exhausted(0).is_some() {
            return Searched::Nothing;
        }
        let state = found[next].state.clone();
        let ended = |steps: &[Taken], at: usize| {
            let beginning = (number, counts, found[at].choices.as_slice());
            Searched::Found(Box::new(PredicateRun::trace(program, beginning, steps)))
        };
        if concrete.report(&state, message).is_some() {
            let (steps, first) = way(&found, next);
            return ended(&steps, first);
        }
        let Some(mut successors) = concrete.successors(&state) else {
            return Searched::Nothing;
        };
        successors.retain(|taken| !program.approximate.contains(&taken.action));
        let reports = |taken: &&Taken| taken.reported_after.contains(&message);
        if let Some(last) = successors.iter().find(reports) {
            let (mut steps, first) = way(&found, next);
            steps.push(last.clone());
            return ended(&steps, first);
        }
        for taken in successors {
            if taken.state.size() > room {
                crowded = true;
            } else if known.insert(taken.state.clone()) {
                found.push(Found {
                    state: taken.state.clone(),
                    from: Some((next, taken)),
                    choices: Vec::new(),
                });
            }
        }
        next += 1;
    }
    match crowded {
        true => Searched::Crowded,
        false => Searched::Nothing,
    }
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
