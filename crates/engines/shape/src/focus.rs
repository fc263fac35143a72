//! Focus: makes values known by cases.
//!
//! A structure in which the value of a predicate is unknown for an individual is replaced by several,
//! in each of which it is known, and which together stand for the same configurations. An individual
//! that stands for several is cut in two where some of them may have it and others not (Sagiv, Reps
//! and Wilhelm 2002, section 6.3).

use model::predicates::Kleene;

use crate::compile::{Compiled, Place};
use crate::matrix::{Row, Shape, members};
use crate::step::TooLarge;

impl Compiled {
    /// The cases of a structure by the values of a predicate.
    pub(crate) fn focus(&self, shape: Shape, predicate: Place) -> Result<Vec<Shape>, TooLarge> {
        Ok(match predicate {
            Place::None(place) => {
                if shape.none[place].get(0) != Kleene::Unknown {
                    return Ok(vec![shape]);
                }
                let cases = [Kleene::False, Kleene::True].map(|value| {
                    let mut case = shape.clone();
                    case.none[place].set(0, value);
                    case
                });
                cases.into()
            }
            Place::One(place) if self.layout.uniques[place] => {
                unique(&shape, &|shape| &mut shape.one[place])?
            }
            Place::One(place) => any(shape, place)?,
            Place::Two(_) => vec![shape],
        })
    }
}

/// Finds the row that is focused on, in a structure.
type RowOf<'r> = &'r dyn Fn(&mut Shape) -> &mut Row;

/// Cases by who has it, if nobody else can.
fn unique(shape: &Shape, row_of: RowOf<'_>) -> Result<Vec<Shape>, TooLarge> {
    let mut nobody_else = shape.clone();
    let row = *row_of(&mut nobody_else);
    if row.unknown() == 0 {
        return Ok(vec![nobody_else]);
    }
    row_of(&mut nobody_else).may = row.must;
    if row.must != 0 {
        return Ok(vec![nobody_else]);
    }
    let mut cases = vec![nobody_else.clone()];
    for individual in members(row.unknown()) {
        let mut alone = nobody_else.clone();
        row_of(&mut alone).set(individual, Kleene::True);
        if shape.summary >> individual & 1 != 0 {
            alone.summary &= !(1 << individual);
            cases.push(alone);
            let (mut several, copy) = nobody_else.cut(individual)?;
            row_of(&mut several).set(copy, Kleene::True);
            several.summary &= !(1 << copy);
            cases.push(several);
        } else {
            cases.push(alone);
        }
    }
    Ok(cases)
}

impl Shape {
    /// The only individual that has it, where that is known and it is one.
    fn only(&self, row: Row) -> Option<usize> {
        let one = row.must.is_power_of_two() && row.unknown() == 0;
        let one = one && row.must & self.summary == 0;
        one.then(|| row.must.trailing_zeros() as usize)
    }

    /// Where functions lead from the individual that has a predicate; `None`: it is not known.
    fn led(&self, from: usize, functions: &[usize]) -> Option<usize> {
        let first = self.only(self.one[from]);
        functions
            .iter()
            .try_fold(first?, |at, &function| self.only(self.pair(function, at)))
    }
}

/// The cases of a structure by where a function leads from the individual that others have led to.
pub(crate) fn onwards(
    shape: Shape,
    from: usize,
    (before, function): (&[usize], usize),
) -> Result<Vec<Shape>, TooLarge> {
    match shape.led(from, before) {
        Some(at) => unique(&shape, &|shape| shape.pair_mut(function, at)),
        None => Ok(vec![shape]),
    }
}

/// Cases by each individual.
fn any(shape: Shape, place: usize) -> Result<Vec<Shape>, TooLarge> {
    let mut open = vec![shape];
    let mut cases = Vec::new();
    while let Some(shape) = open.pop() {
        let Some(individual) = members(shape.one[place].unknown()).next() else {
            cases.push(shape);
            continue;
        };
        for value in [Kleene::False, Kleene::True] {
            let mut case = shape.clone();
            case.one[place].set(individual, value);
            open.push(case);
        }
        if shape.summary >> individual & 1 != 0 {
            let (mut case, copy) = shape.cut(individual)?;
            case.one[place].set(individual, Kleene::False);
            case.one[place].set(copy, Kleene::True);
            open.push(case);
        }
    }
    Ok(cases)
}
