//! What an action does to transitive closure.
//!
//! A way that is there before an action is there after it unless a step of it is taken away. A way after
//! the action is one from before, or goes through a new step. Where steps are those of a function, a
//! taken step cuts off all that lies behind it (T. Reps, M. Sagiv, A. Loginov, *Finite Differencing of
//! Logical Formulas for Static Analysis*, 2003, section 5, for changes of any number of steps).

use std::rc::Rc;

use crate::compile::{Closure, Code};
use crate::differencing::{Transition, Ways};
use crate::matrix::{Row, Shape};
use crate::pairs::Pairs;
use crate::set::Set;

/// Closes a relation of individuals (Warshall, 1962).
pub(crate) fn closed<S: Set>(ways: &mut [Row<S>]) {
    for middle in 0..ways.len() {
        let onwards = ways[middle];
        for way in ways.iter_mut() {
            if way.may.has(middle) {
                way.may |= onwards.may;
            }
            if way.must.has(middle) {
                way.must |= onwards.must;
            }
        }
    }
}

impl<S: Set> Shape<S> {
    /// What a predicate that is the closure of a relation says of ways, where it does.
    fn kept_ways(&self, closure: &Closure, individuals: S, ways: &mut [Row<S>]) {
        let Some((place, reflexive)) = closure.kept else {
            return;
        };
        for from in individuals.members() {
            let said = self.pair(place, from);
            // That an individual reaches itself in no step says nothing of others.
            let about = match reflexive {
                true => individuals & !S::only(from),
                false => individuals,
            };
            ways[from].may &= said.may | !about;
            ways[from].must |= said.must & about;
        }
    }
}

impl<S: Set> Transition<'_, S> {
    /// The pairs of each individual and each that it may reach, in one step or more.
    pub(crate) fn ways(&self, closure: &Closure, assignment: &mut [usize]) -> Ways<S> {
        let Some(place) = closure.place() else {
            return self.new_ways(closure, assignment).into();
        };
        let known = self.ways.borrow();
        if let Some((_, ways)) = known.iter().find(|(steps, _)| *steps == place) {
            return Rc::clone(ways);
        }
        drop(known);
        let ways: Ways<S> = self.new_ways(closure, assignment).into();
        self.ways.borrow_mut().push((place, Rc::clone(&ways)));
        ways
    }

    fn new_ways(&self, closure: &Closure, assignment: &mut [usize]) -> Vec<Pairs<S>> {
        let steps = self.steps(closure, assignment);
        let size = steps.len();
        let mut old: Vec<Row<S>> = steps.iter().map(|pairs| pairs.before()).collect();
        closed(&mut old);
        self.before.kept_ways(closure, self.old, &mut old);
        let lasting = lasting(&steps, &old, self.is_function(closure));
        let lost = lost(&steps, &old);
        let gained = gained(&steps, &lasting);
        let mut new: Vec<Row<S>> = steps.iter().map(|pairs| pairs.after()).collect();
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
    fn steps(&self, closure: &Closure, assignment: &mut [usize]) -> Vec<Pairs<S>> {
        let [first, second] = closure.step;
        let before = assignment[first];
        let mut steps = Vec::with_capacity(self.before.size);
        for from in 0..self.before.size {
            assignment[first] = from;
            let pairs = self.pairs(&closure.edge, second, assignment);
            let there = |all: S| all.given(all.has(from));
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
fn lasting<S: Set>(steps: &[Pairs<S>], old: &[Row<S>], function: bool) -> Vec<S> {
    let cut = |from: &usize| steps[*from].kept.is_empty();
    let mut lasting: Vec<S> = old.iter().map(|row| row.may).collect();
    for from in 0..steps.len() {
        if cut(&from) {
            lasting[from] = S::default();
        } else if function {
            for at in old[from].must.members().filter(cut) {
                // What does not lead there lies behind it.
                let before = old[from].may.members().filter(|&to| old[to].may.has(at));
                lasting[from] &= before.fold(S::only(at), |all, to| all | S::only(to));
            }
        }
    }
    lasting
}

/// The ways of which a step may be taken away.
fn lost<S: Set>(steps: &[Pairs<S>], old: &[Row<S>]) -> Vec<S> {
    let mut lost = vec![S::default(); steps.len()];
    for (at, step) in steps.iter().enumerate() {
        let behind = step.lost.members();
        let behind = behind.fold(S::default(), |all, to| all | S::only(to) | old[to].may);
        for from in 0..steps.len() {
            if from == at || old[from].may.has(at) {
                lost[from] |= behind;
            }
        }
    }
    lost
}

/// The ways that may go through a new step.
fn gained<S: Set>(steps: &[Pairs<S>], lasting: &[S]) -> Vec<S> {
    let onwards = |from: usize| lasting[from] | S::only(from);
    let mut gained: Vec<Row<S>> = (0..steps.len())
        .map(|from| {
            let at = onwards(from).members();
            let new = at.flat_map(|at| steps[at].gained.members());
            let may = new.fold(S::default(), |all, to| all | onwards(to));
            let must = S::default();
            Row { may, must }
        })
        .collect();
    closed(&mut gained);
    gained.into_iter().map(|row| row.may).collect()
}
