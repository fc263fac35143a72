//! Coerce: what the rules say is made known, and structures that break them are given up.
//!
//! A rule applies where its body surely holds: then it does so for all individuals that the assigned
//! ones stand for, of which there is at least one each, and so does its head (Sagiv, Reps and Wilhelm
//! 2002, section 6.4).

use model::predicates::Kleene;

use crate::compile::{Compiled, Conclusion};
use crate::matrix::{Row, Shape};

/// What applying a rule does.
enum Effect {
    Nothing,
    Sharper,
    Broken,
}

impl Compiled {
    /// The same configurations with more known of them; `None`: there are none.
    pub(crate) fn coerced(&self, mut shape: Shape) -> Option<Shape> {
        loop {
            let mut sharper = false;
            for rule in &self.rules {
                // What is found at first is applied before the next is looked for, as long as there is.
                loop {
                    let mut next = None;
                    let mut broken = false;
                    shape.each(&rule.body, true, &mut |assignment| {
                        let mut changed = shape.clone();
                        match changed.conclude(rule.head, assignment) {
                            Effect::Nothing => return false,
                            Effect::Sharper => next = Some(changed),
                            Effect::Broken => broken = true,
                        }
                        true
                    });
                    if broken {
                        return None;
                    }
                    let Some(changed) = next else {
                        break;
                    };
                    shape = changed;
                    sharper = true;
                }
            }
            if !sharper {
                return Some(shape);
            }
        }
    }
}

impl Shape {
    fn conclude(&mut self, head: Conclusion, assignment: &[usize]) -> Effect {
        match head {
            Conclusion::Never => Effect::Broken,
            Conclusion::None(place, positive) => known(&mut self.none[place], 0, positive, true),
            Conclusion::One(place, a, positive) => {
                known(&mut self.one[place], assignment[a], positive, true)
            }
            Conclusion::Two(place, [a, b], positive) => {
                let (first, second) = (assignment[a], assignment[b]);
                // What is said of each and itself is not said of each two.
                let all = a != b || self.summary >> first & 1 == 0;
                known(self.pair_mut(place, first), second, positive, all)
            }
            Conclusion::Equal([a, b], positive) => {
                let (one, other) = (assignment[a], assignment[b]);
                match (positive, one == other) {
                    (true, false) | (false, true) => Effect::Broken,
                    (false, false) => Effect::Nothing,
                    (true, true) if a == b || self.summary >> one & 1 == 0 => Effect::Nothing,
                    (true, true) => {
                        self.summary &= !(1 << one);
                        Effect::Sharper
                    }
                }
            }
        }
    }
}

/// Says what a value is, for all that it stands for if `all`.
fn known(row: &mut Row, individual: usize, positive: bool, all: bool) -> Effect {
    match (row.get(individual), positive) {
        (Kleene::True, true) | (Kleene::False, false) => Effect::Nothing,
        (Kleene::Unknown, _) if all => {
            row.set(individual, Kleene::of(positive));
            Effect::Sharper
        }
        (Kleene::Unknown, _) => Effect::Nothing,
        _ => Effect::Broken,
    }
}
