//! What an action makes of a structure: cases, what may be reported, and where it leads.

use model::MessageId;
use model::predicates::Kleene;

use crate::compile::{Action, Code, Compiled, Place};
use crate::matrix::{MOST, Row, Shape};

/// A step of an action.
pub(crate) struct Step {
    /// What may be reported, and whether it surely is if the step is taken.
    pub(crate) reported: Vec<(MessageId, Kleene)>,
    /// Where it leads; `None`: nowhere, since a rule is broken.
    pub(crate) after: Option<Shape>,
}

/// A structure has too many individuals.
pub(crate) struct TooLarge;

impl Shape {
    /// The same with an individual twice, and the number of the copy.
    pub(crate) fn cut(&self, individual: usize) -> Result<(Shape, usize), TooLarge> {
        if self.size == MOST {
            return Err(TooLarge);
        }
        let mut places: Vec<usize> = (0..self.size).collect();
        places.push(individual);
        Ok((self.picked(&places), self.size))
    }
}

impl Compiled {
    /// The steps of an action from a structure.
    pub(crate) fn steps(&self, shape: &Shape, action: &Action) -> Result<Vec<Step>, TooLarge> {
        let mut cases = vec![shape.clone()];
        for &predicate in &action.focus {
            let mut next = Vec::new();
            for case in cases {
                let all = self.focus(case, predicate)?.into_iter();
                next.extend(all.filter_map(|case| self.coerced(case)));
            }
            cases = next;
        }
        let mut steps = Vec::new();
        for case in cases {
            if action.creates.is_some() && case.size == MOST {
                return Err(TooLarge);
            }
            case.each(&action.precondition, false, &mut |assignment| {
                let mut assignment = assignment.to_vec();
                assignment.resize(action.slots.max(assignment.len()), 0);
                steps.push(self.step(&case, action, &mut assignment));
                false
            });
        }
        Ok(steps)
    }

    fn step(&self, shape: &Shape, action: &Action, assignment: &mut [usize]) -> Step {
        let mut reported = Vec::new();
        for (message, condition) in &action.reports {
            let value = shape.value(condition, assignment);
            if value != Kleene::False {
                reported.push((*message, value));
            }
        }
        let mut before = shape.clone();
        let mut after = shape.clone();
        if let Some(is_new) = action.creates {
            before = shape.enlarged(&self.layout);
            after = before.clone();
            before.one[is_new].set(shape.size, Kleene::True);
        }
        for (place, parameters, value) in &action.updates {
            after.assign(&before, *place, parameters, value, assignment);
        }
        let mut definition = vec![0; self.definition_slots];
        for &number in &action.touched {
            let (place, formula) = &self.definitions[number];
            let now = after.clone();
            let parameters: &[usize] = match place {
                Place::None(_) => &[],
                Place::One(_) => &[0],
                Place::Two(_) => &[0, 1],
            };
            after.assign(&now, *place, parameters, formula, &mut definition);
        }
        let after = self.coerced(after);
        Step {
            reported,
            after: after.map(|after| after.blurred(&self.layout)),
        }
    }

    /// An initial structure, as it is kept.
    pub(crate) fn initial(&self, shape: Shape) -> Option<Shape> {
        Some(self.coerced(shape)?.blurred(&self.layout))
    }
}

impl Shape {
    /// Gives a predicate the values that a formula has in another structure.
    fn assign(
        &mut self,
        before: &Shape,
        place: Place,
        parameters: &[usize],
        value: &Code,
        assignment: &mut [usize],
    ) {
        match place {
            Place::None(place) => {
                self.none[place] = Row::all(before.value(value, assignment), 1);
            }
            Place::One(place) => {
                self.one[place] = before.row(value, parameters[0], assignment);
            }
            Place::Two(place) => {
                for first in 0..before.size {
                    assignment[parameters[0]] = first;
                    *self.pair_mut(place, first) = before.row(value, parameters[1], assignment);
                }
            }
        }
    }
}
