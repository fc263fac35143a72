//! Individuals that come into being and vanish.
//!
//! Which individuals new ones are made for, and which stay, is made known by cases first, as focus
//! does it; an individual that stands for several is cut in two where that is so for some of them.
//! What is made for several are several, of which each belongs to one of them.

use model::predicates::Kleene;

use crate::compile::{Action, Compiled};
use crate::matrix::{Row, Shape};
use crate::set::Set;
use crate::step::{Stopped, TooLarge, Watch};

/// A structure in which it is known who stays and for whom new individuals are made.
pub(crate) struct Case<S> {
    pub(crate) shape: Shape<S>,
    pub(crate) assignment: Vec<usize>,
    /// For whom each creation makes new ones; nobody for one that makes a single one.
    births: Vec<S>,
    /// Who stays.
    kept: S,
}

/// The cases of an action under an assignment, of which so many variables are free. There may be three for
/// each individual of which it is not known: so a limit is looked at all the time.
pub(crate) fn cases<S: Set>(
    shape: &Shape<S>,
    action: &Action,
    assignment: &mut [usize],
    free: usize,
    watch: &Watch<'_>,
) -> Result<Vec<Case<S>>, Stopped> {
    let own = shape.one.len();
    let conditions = action
        .creates
        .iter()
        .filter_map(|birth| birth.each.as_ref());
    let mut marked = shape.clone();
    for (variable, code) in conditions.chain(&action.retains) {
        let row = shape.row(code, *variable, assignment);
        marked.one.push(row);
    }
    let mut open = vec![(marked, assignment.to_vec())];
    let mut cases = Vec::new();
    while let Some((marked, assignment)) = open.pop() {
        watch.look()?;
        let unknown = marked.one[own..].iter().enumerate();
        let mut unknown = unknown.filter(|(_, row)| !row.unknown().is_empty());
        match unknown.next() {
            Some((mark, row)) => {
                let place = (own + mark, row.unknown().lowest().unwrap_or_default());
                split(&marked, &assignment, place, free, &mut open)?;
            }
            None => {
                watch.count(&marked);
                cases.push(case(marked, assignment, action, own));
            }
        }
    }
    Ok(cases)
}

impl Compiled {
    /// A structure with the new individuals of a case.
    pub(crate) fn with_new<S: Set>(
        &self,
        case: &Case<S>,
        action: &Action,
    ) -> Result<Shape<S>, TooLarge> {
        let mut result = case.shape.clone();
        for (birth, &each) in action.creates.iter().zip(&case.births) {
            if birth.each.is_none() {
                self.add(&mut result, &birth.holds)?;
                continue;
            }
            let mut made = Vec::new();
            for old in each.members() {
                let new = self.add(&mut result, &birth.holds)?;
                result.summary |= S::only(new).given(result.summary.has(old));
                made.push((old, new));
            }
            for &(old, new) in &made {
                if let Some(instance) = self.instance {
                    let several = result.summary.has(old);
                    let value = if several {
                        Kleene::Unknown
                    } else {
                        Kleene::True
                    };
                    result.pair_mut(instance, new).set(old, value);
                }
            }
            if birth.copies {
                self.copy(&mut result, &made);
            }
        }
        Ok(result)
    }

    fn add<S: Set>(&self, shape: &mut Shape<S>, holds: &[usize]) -> Result<usize, TooLarge> {
        if shape.size == S::MOST {
            return Err(TooLarge);
        }
        let new = shape.size;
        *shape = shape.enlarged(&self.layout);
        for &place in holds {
            shape.one[place].set(new, Kleene::True);
        }
        Ok(new)
    }

    /// Gives new individuals the values of old ones.
    fn copy<S: Set>(&self, shape: &mut Shape<S>, made: &[(usize, usize)]) {
        for (place, row) in shape.one.iter_mut().enumerate() {
            if self.is_new != Some(place) {
                made.iter()
                    .for_each(|&(old, new)| row.set(new, row.get(old)));
            }
        }
        for place in 0..self.layout.two.len() {
            if self.instance == Some(place) {
                continue;
            }
            for &(old, new) in made {
                let from = shape.pair(place, old);
                let row = shape.pair_mut(place, new);
                made.iter()
                    .for_each(|&(other, second)| row.set(second, from.get(other)));
            }
        }
    }

    /// The same; nobody is new any more.
    pub(crate) fn without_marks<S: Set>(&self, mut shape: Shape<S>) -> Shape<S> {
        if let Some(place) = self.is_new {
            shape.one[place] = Row::default();
        }
        if let Some(place) = self.instance {
            for first in 0..shape.size {
                *shape.pair_mut(place, first) = Row::default();
            }
        }
        shape
    }

    /// The individuals that are there after a case, of those before it and the new ones.
    pub(crate) fn staying<S: Set>(case: &Case<S>, shape: &Shape<S>) -> Vec<usize> {
        let old = case.shape.size;
        let all = 0..shape.size;
        all.filter(|&one| one >= old || case.kept.has(one))
            .collect()
    }
}

/// The cases by the value of a mark for an individual. A free variable that stands for one of several
/// may be on either side where they are cut.
fn split<S: Set>(
    marked: &Shape<S>,
    assignment: &[usize],
    (mark, individual): (usize, usize),
    free: usize,
    open: &mut Vec<(Shape<S>, Vec<usize>)>,
) -> Result<(), TooLarge> {
    for value in [Kleene::False, Kleene::True] {
        let mut case = marked.clone();
        case.one[mark].set(individual, value);
        open.push((case, assignment.to_vec()));
    }
    if !marked.summary.has(individual) {
        return Ok(());
    }
    let (mut cut, copy) = marked.cut(individual)?;
    cut.one[mark].set(individual, Kleene::False);
    cut.one[mark].set(copy, Kleene::True);
    let here: Vec<usize> = (0..free)
        .filter(|&variable| assignment[variable] == individual)
        .collect();
    for sides in 0..1_u64 << here.len() {
        let mut assignment = assignment.to_vec();
        for (bit, &variable) in here.iter().enumerate() {
            if sides >> bit & 1 != 0 {
                assignment[variable] = copy;
            }
        }
        open.push((cut.clone(), assignment));
    }
    Ok(())
}

fn case<S: Set>(
    mut marked: Shape<S>,
    assignment: Vec<usize>,
    action: &Action,
    own: usize,
) -> Case<S> {
    let everybody = marked.individuals();
    let mut marks = marked.one.split_off(own).into_iter().map(|row| row.must);
    let births = action.creates.iter().map(|birth| match birth.each {
        Some(_) => marks.next().unwrap_or_default(),
        None => S::default(),
    });
    let births = births.collect();
    let kept = match action.retains {
        Some(_) => marks.next().unwrap_or_default(),
        None => everybody,
    };
    Case {
        shape: marked,
        assignment,
        births,
        kept,
    }
}
