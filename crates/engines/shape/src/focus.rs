//! Focus: makes values known by cases.
//!
//! A structure in which the value of a predicate is unknown for an individual is replaced by several,
//! in each of which it is known, and which together stand for the same configurations. An individual
//! that stands for several is cut in two where some of them may have it and others not (Sagiv, Reps
//! and Wilhelm 2002, section 6.3).

use model::predicates::Kleene;

use crate::compile::{Compiled, Line, Place};
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
            Place::One(place) if self.layout.uniques[place] => unique(shape, Values::One(place))?,
            Place::One(place) => any(shape, place)?,
            Place::Two(_) => vec![shape],
        })
    }
}

/// Values of which at most one is true.
#[derive(Clone, Copy)]
enum Values {
    One(usize),
    Of(Line, usize),
}

impl Values {
    fn of(self, shape: &Shape) -> Row {
        match self {
            Values::One(place) => shape.one[place],
            Values::Of(Line { place, back }, at) if back => {
                let mut row = Row::default();
                for first in 0..shape.size {
                    row.set(first, shape.pair(place, first).get(at));
                }
                row
            }
            Values::Of(line, at) => shape.pair(line.place, at),
        }
    }

    fn put(self, shape: &mut Shape, row: Row) {
        match self {
            Values::One(place) => shape.one[place] = row,
            Values::Of(Line { place, back }, at) if back => {
                for first in 0..shape.size {
                    shape.pair_mut(place, first).set(at, row.get(first));
                }
            }
            Values::Of(line, at) => *shape.pair_mut(line.place, at) = row,
        }
    }
}

/// Cases by who has it, if nobody else can.
fn unique(shape: Shape, values: Values) -> Result<Vec<Shape>, TooLarge> {
    let row = values.of(&shape);
    if row.unknown() == 0 {
        return Ok(vec![shape]);
    }
    let known = Row {
        may: row.must,
        must: row.must,
    };
    let mut nobody_else = shape;
    values.put(&mut nobody_else, known);
    if row.must != 0 {
        return Ok(vec![nobody_else]);
    }
    let mut cases = vec![nobody_else.clone()];
    for individual in members(row.unknown()) {
        let mut alone = nobody_else.clone();
        values.put(&mut alone, Row::all(Kleene::True, 1 << individual));
        if nobody_else.summary >> individual & 1 != 0 {
            alone.summary &= !(1 << individual);
            cases.push(alone);
            let (mut several, copy) = nobody_else.cut(individual)?;
            values.put(&mut several, Row::all(Kleene::True, 1 << copy));
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

    /// Where lines lead from the individual that has a predicate; `None`: it is not known.
    fn led(&self, from: usize, lines: &[Line]) -> Option<usize> {
        let first = self.only(self.one[from]);
        lines
            .iter()
            .try_fold(first?, |at, &line| self.only(Values::Of(line, at).of(self)))
    }
}

/// The cases of a structure by where a line leads from the individual that others have led to.
pub(crate) fn onwards(
    shape: Shape,
    from: usize,
    (before, line): (&[Line], Line),
) -> Result<Vec<Shape>, TooLarge> {
    match shape.led(from, before) {
        Some(at) => unique(shape, Values::Of(line, at)),
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
