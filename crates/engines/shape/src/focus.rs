//! Focus: makes values known by cases.
//!
//! A structure in which the value of a predicate is unknown for an individual is replaced by several,
//! in each of which it is known, and which together stand for the same configurations. An individual
//! that stands for several is cut in two where some of them may have it and others not (Sagiv, Reps
//! and Wilhelm 2002, section 6.3).

use model::predicates::Kleene;

use crate::compile::{Compiled, Line, Place};
use crate::matrix::{Row, Shape};
use crate::set::Set;
use crate::step::TooLarge;

/// The cases of a structure, if there is something to be made known.
pub(crate) type Cases<S> = Option<Vec<Shape<S>>>;

impl Compiled {
    /// The cases of a structure by the values of a predicate; `None`: they are known.
    pub(crate) fn focus<S: Set>(
        &self,
        shape: &Shape<S>,
        predicate: Place,
    ) -> Result<Cases<S>, TooLarge> {
        Ok(match predicate {
            Place::None(place) => {
                if shape.none[place].get(0) != Kleene::Unknown {
                    return Ok(None);
                }
                let cases = [Kleene::False, Kleene::True].map(|value| {
                    let mut case = shape.clone();
                    case.none[place].set(0, value);
                    case
                });
                Some(cases.into())
            }
            Place::One(place) if self.layout.uniques[place] => unique(shape, Values::One(place))?,
            Place::One(place) => any(shape, place)?,
            Place::Two(_) => None,
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
    fn of<S: Set>(self, shape: &Shape<S>) -> Row<S> {
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

    fn put<S: Set>(self, shape: &mut Shape<S>, row: Row<S>) {
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
fn unique<S: Set>(shape: &Shape<S>, values: Values) -> Result<Cases<S>, TooLarge> {
    let row = values.of(shape);
    if row.unknown().is_empty() {
        return Ok(None);
    }
    let known = Row {
        may: row.must,
        must: row.must,
    };
    let mut nobody_else = shape.clone();
    values.put(&mut nobody_else, known);
    if !row.must.is_empty() {
        return Ok(Some(vec![nobody_else]));
    }
    let mut cases = vec![nobody_else.clone()];
    for individual in row.unknown().members() {
        let mut alone = nobody_else.clone();
        values.put(&mut alone, Row::all(Kleene::True, S::only(individual)));
        if nobody_else.summary.has(individual) {
            alone.summary &= !(S::only(individual));
            cases.push(alone);
            let (mut several, copy) = nobody_else.cut(individual)?;
            values.put(&mut several, Row::all(Kleene::True, S::only(copy)));
            several.summary &= !(S::only(copy));
            cases.push(several);
        } else {
            cases.push(alone);
        }
    }
    Ok(Some(cases))
}

impl<S: Set> Shape<S> {
    /// The only individual that has it, where that is known and it is one.
    fn only(&self, row: Row<S>) -> Option<usize> {
        let one = row.must.count() == 1 && row.unknown().is_empty();
        let one = one && (row.must & self.summary).is_empty();
        row.must.lowest().filter(|_| one)
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
pub(crate) fn onwards<S: Set>(
    shape: &Shape<S>,
    from: usize,
    (before, line): (&[Line], Line),
) -> Result<Cases<S>, TooLarge> {
    match shape.led(from, before) {
        Some(at) => unique(shape, Values::Of(line, at)),
        None => Ok(None),
    }
}

/// Cases by each individual.
fn any<S: Set>(shape: &Shape<S>, place: usize) -> Result<Cases<S>, TooLarge> {
    if shape.one[place].unknown().is_empty() {
        return Ok(None);
    }
    let mut open = vec![shape.clone()];
    let mut cases = Vec::new();
    while let Some(shape) = open.pop() {
        let Some(individual) = shape.one[place].unknown().lowest() else {
            cases.push(shape);
            continue;
        };
        for value in [Kleene::False, Kleene::True] {
            let mut case = shape.clone();
            case.one[place].set(individual, value);
            open.push(case);
        }
        if shape.summary.has(individual) {
            let (mut case, copy) = shape.cut(individual)?;
            case.one[place].set(individual, Kleene::False);
            case.one[place].set(copy, Kleene::True);
            open.push(case);
        }
    }
    Ok(Some(cases))
}
