//! What an action does to transitive closure.
//!
//! A way that is there before an action is there after it unless a step of it is taken away. A way after
//! the action is one from before, or goes through a new step. Where steps are those of a function, a
//! taken step cuts off all that lies behind it (T. Reps, M. Sagiv, A. Loginov, *Finite Differencing of
//! Logical Formulas for Static Analysis*, 2003, section 5, for changes of any number of steps).

use std::rc::Rc;

use crate::compile::{Closure, Code};
use crate::differencing::Transition;
use crate::matrix::{MOST, Row, Shape, members};
use crate::pairs::Pairs;

/// Closes a relation of individuals (Warshall, 1962).
pub(crate) fn closed(ways: &mut [Row]) {
    for middle in 0..ways.len() {
        let onwards = ways[middle];
        for way in ways.iter_mut() {
            if way.may >> middle & 1 != 0 {
                way.may |= onwards.may;
            }
            if way.must >> middle & 1 != 0 {
                way.must |= onwards.must;
            }
        }
    }
}

impl Shape {
    /// What a predicate that is the closure of a relation says of ways, where it does.
    fn kept_ways(&self, closure: &Closure, individuals: u64, ways: &mut [Row]) {
        let Some((place, reflexive)) = closure.kept else {
            return;
        };
        for from in members(individuals) {
            let said = self.pair(place, from);
            // That an individual reaches itself in no step says nothing of others.
            let about = match reflexive {
                true => individuals & !(1 << from),
                false => individuals,
            };
            ways[from].may &= said.may | !about;
            ways[from].must |= said.must & about;
        }
    }
}

impl Transition<'_> {
    /// The pairs of each individual and each that it may reach, in one step or more.
    pub(crate) fn ways(&self, closure: &Closure, assignment: &mut [usize]) -> Rc<[Pairs]> {
        let Some(place) = closure.place() else {
            return self.new_ways(closure, assignment).into();
        };
        let known = self.ways.borrow();
        if let Some((_, ways)) = known.iter().find(|(steps, _)| *steps == place) {
            return Rc::clone(ways);
        }
        drop(known);
        let ways: Rc<[Pairs]> = self.new_ways(closure, assignment).into();
        self.ways.borrow_mut().push((place, Rc::clone(&ways)));
        ways
    }

    fn new_ways(&self, closure: &Closure, assignment: &mut [usize]) -> Vec<Pairs> {
        let steps = self.steps(closure, assignment);
        let size = steps.len();
        let mut old: Vec<Row> = steps.iter().map(|pairs| pairs.before()).collect();
        closed(&mut old);
        self.before.kept_ways(closure, self.old, &mut old);
        let lasting = lasting(&steps, &old, self.is_function(closure));
        let lost = lost(&steps, &old);
        let gained = gained(&steps, &lasting);
        let mut new: Vec<Row> = steps.iter().map(|pairs| pairs.after()).collect();
        closed(&mut new);
        let mut surely = vec![Row::default(); size];
        for from in 0..size {
            surely[from].must = new[from].must | old[from].must & !lost[from];
        }
        closed(&mut surely);
        let everybody = self.before.individuals();
        let pairs = (0..size).map(|from| {
            let must = surely[from].must;
            let may = new[from].may & (lasting[from] | gained[from]) | must;
            let (was, is) = (old[from], Row { may, must });
            Pairs {
                never: everybody & !was.must & !is.must,
                gained: everybody & !was.must & gained[from] & is.may,
                lost: was.may & lost[from] & !is.must,
                kept: was.may & is.may,
            }
        });
        pairs.collect()
    }

    /// The steps from each individual.
    fn steps(&self, closure: &Closure, assignment: &mut [usize]) -> Vec<Pairs> {
        let [first, second] = closure.step;
        let before = assignment[first];
        let mut steps = Vec::with_capacity(MOST);
        for from in 0..self.before.size {
            assignment[first] = from;
            let pairs = self.pairs(&closure.edge, second, assignment);
            let there = |all: u64| if all >> from & 1 != 0 { all } else { 0 };
            steps.push(pairs.within(there(self.old), there(self.stays)));
        }
        assignment[first] = before;
        steps
    }

    /// Whether one step leads on from each individual before the action, at most.
    fn is_function(&self, closure: &Closure) -> bool {
        let [first, second] = closure.step;
        match &closure.edge {
            Code::Two(place, a, b) => {
                [*a, *b] == [first, second] && self.compiled.layout.functions[*place]
            }
            _ => false,
        }
    }
}

/// Where steps may lead that are there before the action and after it.
fn lasting(steps: &[Pairs], old: &[Row], function: bool) -> Vec<u64> {
    let cut = |from: &usize| steps[*from].kept == 0;
    let mut lasting: Vec<u64> = old.iter().map(|row| row.may).collect();
    for from in 0..steps.len() {
        if cut(&from) {
            lasting[from] = 0;
        } else if function {
            for at in members(old[from].must).filter(cut) {
                // What does not lead there lies behind it.
                let before = members(old[from].may).filter(|&to| old[to].may >> at & 1 != 0);
                lasting[from] &= before.fold(1 << at, |all, to| all | 1 << to);
            }
        }
    }
    lasting
}

/// The ways of which a step may be taken away.
fn lost(steps: &[Pairs], old: &[Row]) -> Vec<u64> {
    let mut lost = vec![0; steps.len()];
    for (at, step) in steps.iter().enumerate() {
        let behind = members(step.lost).fold(0, |all, to| all | 1 << to | old[to].may);
        for from in 0..steps.len() {
            if from == at || old[from].may >> at & 1 != 0 {
                lost[from] |= behind;
            }
        }
    }
    lost
}

/// The ways that may go through a new step.
fn gained(steps: &[Pairs], lasting: &[u64]) -> Vec<u64> {
    let onwards = |from: usize| lasting[from] | 1 << from;
    let mut gained: Vec<Row> = (0..steps.len())
        .map(|from| {
            let new = members(onwards(from)).flat_map(|at| members(steps[at].gained));
            let may = new.fold(0, |all, to| all | onwards(to));
            Row { may, must: 0 }
        })
        .collect();
    closed(&mut gained);
    gained.into_iter().map(|row| row.may).collect()
}
