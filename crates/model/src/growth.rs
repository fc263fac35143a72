//! Growth without bound: a run that comes back to where it was, but for lists that have become longer.
//!
//! A state *covers* another if it is the same but for lists that hold all that the other's hold, and
//! more (Karp and Miller, *Parallel program schemata*, 1969; Finkel, *A generalization of the
//! procedure of Karp and Miller to well structured transition systems*, 1987). From a state to one
//! that covers it the same steps lead again, and again, if what has grown makes no difference to any of
//! them. That is certain if each list that grows holds at all times on the way the same terms, however
//! often: then whatever looks for a term finds it as before. And nothing of it may be taken meanwhile,
//! unless all in it is one term.

use crate::ids::{EventId, ExprId, GlobalId};
use crate::interp::{Interp, Occurrence, Replay, State};
use crate::rich_table::RichTable;
use crate::value::{Rich, Value};

/// What must not grow without bound.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Growth {
    /// An array of lists: rich values, terms whose arguments are the items.
    pub lists: GlobalId,
    /// Holds where one of them is as long as the program lets it become.
    pub full: ExprId,
    /// Kinds of events that say that something is not in a list.
    pub asks: Vec<EventId>,
    /// The kind of event that says that something comes to a list that nobody will read. Such lists are
    /// not kept: they grow without bound if the event is on a run that goes round.
    pub unread: Option<EventId>,
}

/// A part of a run on which a list has grown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grown {
    /// The number of steps before it begins; it goes on to the end of the run.
    pub from: usize,
    /// The position of the list.
    pub list: usize,
    /// Whether it can be repeated for ever.
    pub repeats: bool,
}

impl Growth {
    /// The growth that a run ends with: such as can be repeated for ever, if there is any.
    #[must_use]
    pub fn of_run(&self, interp: &Interp<'_>, rich: &RichTable, replay: &Replay) -> Option<Grown> {
        let last = replay.steps.len();
        let states: Vec<State> = (0..=last)
            .map(|at| interp.stored(replay.state(at)))
            .collect();
        let asked = |from: usize| {
            let occurrences = replay.steps[from..].iter().flat_map(|s| &s.occurrences);
            let mut events = occurrences.filter_map(|occurrence| match occurrence {
                Occurrence::Event { event, .. } => Some(event),
                _ => None,
            });
            events.any(|event| self.asks.contains(event))
        };
        let mut found: Option<Grown> = None;
        for from in (0..last).rev() {
            let Some(mut grown) = self.between(rich, &states[from..]) else {
                continue;
            };
            grown.from = from;
            grown.repeats &= !asked(from);
            if grown.repeats {
                return Some(grown);
            }
            found = found.or(Some(grown));
        }
        found
    }

    /// Whether something comes to a list that nobody will read in the steps behind `start`, which go
    /// round.
    #[must_use]
    pub fn piles_up(&self, replay: &Replay, start: usize) -> bool {
        let steps = replay.steps.get(start..).unwrap_or_default();
        steps.iter().flat_map(|step| &step.occurrences).any(
            |occurrence| matches!(occurrence, Occurrence::Event { event, .. } if Some(*event) == self.unread),
        )
    }

    /// Whether the last of some states, as they are stored, covers the first.
    #[must_use]
    pub fn between(&self, rich: &RichTable, states: &[State]) -> Option<Grown> {
        let (first, last) = (states.first()?, states.last()?);
        if !self.differ_in_lists_only(first, last) {
            return None;
        }
        let (before, after) = (self.lists_of(rich, first), self.lists_of(rich, last));
        let mut grown: Option<Grown> = None;
        for (list, (old, new)) in before.iter().zip(&after).enumerate() {
            if old == new {
                continue;
            }
            if old.len() >= new.len() || !holds_all(new, old) {
                return None;
            }
            let all: Vec<Vec<Value>> = states
                .iter()
                .map(|state| self.lists_of(rich, state).swap_remove(list))
                .collect();
            let repeats = can_repeat(&all);
            let known = grown.get_or_insert(Grown {
                from: 0,
                list,
                repeats,
            });
            known.repeats &= repeats;
        }
        grown
    }

    /// The state without its lists: what has to be the same.
    #[must_use]
    pub fn rest(&self, state: &State) -> State {
        let mut rest = state.clone();
        rest.globals[self.lists.index()] = Value::Bool(false);
        rest
    }

    fn differ_in_lists_only(&self, first: &State, last: &State) -> bool {
        first.instances == last.instances && self.rest(first) == self.rest(last)
    }

    fn lists_of(&self, rich: &RichTable, state: &State) -> Vec<Vec<Value>> {
        let Value::Tuple(lists) = &state.globals[self.lists.index()] else {
            return Vec::new();
        };
        lists
            .iter()
            .map(|list| match &*rich.get(list.rich()) {
                Rich::Term { args, .. } => args.to_vec(),
                _ => Vec::new(),
            })
            .collect()
    }
}

/// Whether a list has all the items of another, each as often at least.
fn holds_all(list: &[Value], items: &[Value]) -> bool {
    let mut left = list.to_vec();
    items.iter().all(|item| {
        let found = left.iter().position(|other| other == item);
        found.map(|at| left.swap_remove(at)).is_some()
    })
}

/// Whether what is done while a list grows like this does not depend on how long it is.
fn can_repeat(lists: &[Vec<Value>]) -> bool {
    let same_terms = lists.windows(2).all(|pair| {
        pair[0].iter().all(|item| pair[1].contains(item))
            && pair[1].iter().all(|item| pair[0].contains(item))
    });
    let only_grows = lists.windows(2).all(|pair| pair[1].starts_with(&pair[0]));
    let first = lists.first().and_then(|list| list.first());
    let one_term = first.is_some_and(|first| lists.iter().flatten().all(|item| item == first));
    same_terms && (only_grows || one_term)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_repeat_that_are_not_read_or_hold_one_term() {
        let lists = |all: &[&[i128]]| -> Vec<Vec<Value>> {
            let list = |items: &&[i128]| items.iter().map(|n| Value::Int(*n)).collect();
            all.iter().map(list).collect()
        };
        assert!(can_repeat(&lists(&[&[1, 2], &[1, 2, 1], &[1, 2, 1, 2]])));
        assert!(
            !can_repeat(&lists(&[&[], &[1]])),
            "what was not there may matter"
        );
        assert!(!can_repeat(&lists(&[&[1], &[1, 2]])), "so may a new one");
        assert!(
            !can_repeat(&lists(&[&[1, 2], &[2, 1], &[2, 1, 1]])),
            "one is read"
        );
        assert!(can_repeat(&lists(&[&[1, 1], &[1], &[1, 1], &[1, 1, 1]])));
        assert!(
            !can_repeat(&lists(&[&[1], &[], &[1], &[1, 1]])),
            "there was none"
        );
        assert!(holds_all(&[Value::Int(1), Value::Int(2)], &[Value::Int(2)]));
        assert!(!holds_all(
            &[Value::Int(1)],
            &[Value::Int(1), Value::Int(1)]
        ));
    }
}
