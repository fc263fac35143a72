//! Coerce: what the rules say is made known, and structures that break them are given up.
//!
//! A rule applies where its body surely holds: then it does so for all individuals that the assigned
//! ones stand for, of which there is at least one each, and so does its head (Sagiv, Reps and Wilhelm
//! 2002, section 6.4).

use model::predicates::Kleene;

use crate::compile::{Compiled, Conclusion};
use crate::matrix::Shape;
use crate::pending::Pending;
use crate::set::Set;

/// What applying a rule does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    Nothing,
    Sharper,
    Broken,
}

impl Compiled {
    /// The same configurations with more known of them; `None`: there are none. Rules that are not
    /// pending have nothing to say.
    pub(crate) fn coerced<S: Set>(
        &self,
        mut shape: Shape<S>,
        mut pending: Pending,
    ) -> Option<Shape<S>> {
        // What holds surely still does when more is known, so that all that one look finds is applied.
        let (mut found, mut count) = (Vec::new(), 0);
        let mut next = 0;
        while let Some(number) = pending.take(next) {
            next = number + 1;
            let rule = &self.rules[number];
            let mut broken = false;
            shape.each_open(rule, &mut |assignment| {
                match shape.effect(rule.head, assignment) {
                    Effect::Nothing => {}
                    Effect::Sharper => {
                        found.extend_from_slice(assignment);
                        count += 1;
                    }
                    Effect::Broken => broken = true,
                }
                broken
            });
            if broken {
                return None;
            }
            let slots = rule.body.slots;
            for number in 0..std::mem::take(&mut count) {
                let assignment = &found[number * slots..][..slots];
                match shape.effect(rule.head, assignment) {
                    Effect::Nothing => {}
                    Effect::Sharper => {
                        shape.conclude(rule.head, assignment);
                        self.readers.concluded(rule.head, &mut pending);
                    }
                    Effect::Broken => return None,
                }
            }
            found.clear();
        }
        Some(shape)
    }

    /// The same, where any rule may have something to say.
    pub(crate) fn coerced_by_all<S: Set>(&self, shape: Shape<S>) -> Option<Shape<S>> {
        self.coerced(shape, self.readers.all())
    }
}

impl<S: Set> Shape<S> {
    /// What a rule with this head does here, of which the body surely holds.
    fn effect(&self, head: Conclusion, assignment: &[usize]) -> Effect {
        match head {
            Conclusion::Never => Effect::Broken,
            Conclusion::None(place, positive) => known(self.none[place].get(0), positive, true),
            Conclusion::One(place, a, positive) => {
                known(self.one[place].get(assignment[a]), positive, true)
            }
            Conclusion::Two(place, [a, b], positive) => {
                let (first, second) = (assignment[a], assignment[b]);
                // What is said of each and itself is not said of each two.
                let all = a != b || !self.summary.has(first);
                known(self.pair(place, first).get(second), positive, all)
            }
            Conclusion::Equal([a, b], positive) => {
                let (one, other) = (assignment[a], assignment[b]);
                match (positive, one == other) {
                    (true, false) | (false, true) => Effect::Broken,
                    (false, false) => Effect::Nothing,
                    (true, true) if a == b || !self.summary.has(one) => Effect::Nothing,
                    (true, true) => Effect::Sharper,
                }
            }
        }
    }

    /// Makes known what the head of a rule says.
    fn conclude(&mut self, head: Conclusion, assignment: &[usize]) {
        match head {
            Conclusion::Never => {}
            Conclusion::None(place, positive) => self.none[place].set(0, Kleene::of(positive)),
            Conclusion::One(place, a, positive) => {
                self.one[place].set(assignment[a], Kleene::of(positive));
            }
            Conclusion::Two(place, [a, b], positive) => {
                let row = self.pair_mut(place, assignment[a]);
                row.set(assignment[b], Kleene::of(positive));
            }
            Conclusion::Equal([a, _], _) => self.summary &= !S::only(assignment[a]),
        }
    }
}

/// What saying a value does, of all that it stands for if `all`.
fn known(value: Kleene, positive: bool, all: bool) -> Effect {
    match (value, positive) {
        (Kleene::True, true) | (Kleene::False, false) => Effect::Nothing,
        (Kleene::Unknown, _) if all => Effect::Sharper,
        (Kleene::Unknown, _) => Effect::Nothing,
        _ => Effect::Broken,
    }
}
