//! Derived updates: what an action does to the predicates that have definitions.
//!
//! The value of a definition after an action is not read off the structure after it, where much may be
//! unknown, but off what the action changes: where nothing changes that a definition reads, its value is
//! what it was, even if it is unknown why. This is finite differencing (T. Reps, M. Sagiv, A. Loginov,
//! *Finite Differencing of Logical Formulas for Static Analysis*, 2003), done here on values instead of
//! formulas: each formula has a [set of pairs](Pairs) of its values before and after.

use std::cell::RefCell;
use std::rc::Rc;

use model::predicates::{Kleene, Var};

use crate::compile::{Action, Code, Compiled, Place, Update};
use crate::matrix::{Row, Shape};
use crate::pairs::Pairs;
use crate::set::Set;

/// Of each individual, the pairs of it and each that it may reach.
pub(crate) type Ways<S> = Rc<[Pairs<S>]>;

/// A contradiction: no configuration is there after the action.
pub(crate) struct Impossible;

/// A structure before an action, with the new individuals, and what it does to each predicate.
pub(crate) struct Transition<'s, S> {
    pub(crate) compiled: &'s Compiled,
    pub(crate) before: &'s Shape<S>,
    /// The individuals that were there before.
    pub(crate) old: S,
    /// Those that are there after it.
    pub(crate) stays: S,
    none: Vec<Pairs<S>>,
    one: Vec<Pairs<S>>,
    two: Vec<Pairs<S>>,
    /// The pairs of ways by steps of a predicate, by its place, as far as they have been needed.
    pub(crate) ways: RefCell<Vec<(usize, Ways<S>)>>,
}

impl<'s, S: Set> Transition<'s, S> {
    /// What an action does to the predicates that it updates, and to no others.
    pub(crate) fn new(
        compiled: &'s Compiled,
        before: &'s Shape<S>,
        (old, stays): (S, S),
        action: &Action,
        assignment: &mut [usize],
    ) -> Transition<'s, S> {
        let everybody = before.individuals();
        let same = |rows: &[Row<S>]| -> Vec<Pairs<S>> {
            rows.iter()
                .map(|row| Pairs::same(*row, everybody))
                .collect()
        };
        let mut transition = Transition {
            compiled,
            before,
            old,
            stays,
            none: before
                .none
                .iter()
                .map(|row| Pairs::same(*row, S::only(0)))
                .collect(),
            one: same(&before.one),
            two: same(&before.two),
            ways: RefCell::default(),
        };
        // The marks of new individuals hold for nobody before and after.
        let never = Pairs::same(Row::default(), everybody);
        if let Some(place) = compiled.is_new {
            transition.one[place] = never;
        }
        if let Some(place) = compiled.instance {
            transition.two[place * before.size..][..before.size].fill(never);
        }
        for update in &action.updates {
            transition.update(update, assignment);
        }
        transition
    }

    fn update(&mut self, update: &Update, assignment: &mut [usize]) {
        let before = self.before;
        let everybody = before.individuals();
        let [of_false, of_true] = &update.of;
        match update.place {
            Place::None(place) => {
                let row = |code: &Code, assignment: &mut [usize]| {
                    Row::all(before.value(code, assignment), S::only(0))
                };
                let (from, to) = (row(of_false, assignment), row(of_true, assignment));
                self.none[place] = Pairs::of(before.none[place], from, to, S::only(0));
            }
            Place::One(place) => {
                let variable = update.parameters[0];
                let from = before.row(of_false, variable, assignment);
                let to = before.row(of_true, variable, assignment);
                self.one[place] = Pairs::of(before.one[place], from, to, everybody);
            }
            Place::Two(place) => {
                for first in 0..before.size {
                    assignment[update.parameters[0]] = first;
                    let variable = update.parameters[1];
                    let from = before.row(of_false, variable, assignment);
                    let to = before.row(of_true, variable, assignment);
                    let row = before.pair(place, first);
                    self.two[place * before.size + first] = Pairs::of(row, from, to, everybody);
                }
            }
        }
    }

    /// Gives a predicate in the structure after the action the values that its definition has there.
    pub(crate) fn define(
        &mut self,
        (place, definition): (Place, &Code),
        after: &mut Shape<S>,
        assignment: &mut [usize],
    ) -> Result<(), Impossible> {
        let (before, everybody) = (self.before, self.before.individuals());
        // Nothing is known of what new individuals were before.
        let checked = |pairs: Pairs<S>, row: Row<S>, news: S, all: S| {
            let old = Row {
                may: row.may | news,
                must: row.must & !news,
            };
            let pairs = pairs.restricted(old).any_before(news);
            match pairs.none(all).is_empty() {
                true => Ok(pairs),
                false => Err(Impossible),
            }
        };
        match place {
            Place::None(place) => {
                let pairs = self.pairs(definition, Var::MAX, assignment);
                let pairs = checked(pairs, before.none[place], S::default(), S::only(0))?;
                self.none[place] = pairs;
                after.none[place] = pairs.after();
            }
            Place::One(place) => {
                let pairs = self.pairs(definition, 0, assignment);
                let news = everybody & !self.old;
                let pairs = checked(pairs, before.one[place], news, everybody)?;
                self.one[place] = pairs;
                after.one[place] = pairs.after();
            }
            Place::Two(place) => {
                self.ways.get_mut().retain(|(steps, _)| *steps != place);
                for first in 0..before.size {
                    assignment[0] = first;
                    let pairs = self.pairs(definition, 1, assignment);
                    let news = match self.old.has(first) {
                        false => everybody,
                        true => everybody & !self.old,
                    };
                    let row = before.pair(place, first);
                    let pairs = checked(pairs, row, news, everybody)?;
                    self.two[place * before.size + first] = pairs;
                    *after.pair_mut(place, first) = pairs.after();
                }
            }
        }
        Ok(())
    }

    /// The pairs of a formula for each individual that `variable` may stand for.
    pub(crate) fn pairs(&self, code: &Code, variable: Var, assignment: &mut [usize]) -> Pairs<S> {
        let everybody = match variable {
            Var::MAX => S::only(0),
            _ => self.before.individuals(),
        };
        match code {
            Code::Value(Kleene::Unknown) => Pairs::any(everybody),
            Code::Value(_) | Code::Equal(..) => {
                Pairs::same(self.before.row(code, variable, assignment), everybody)
            }
            Code::None(place) => self.none[*place].spread(0, everybody),
            Code::One(place, a) if *a == variable => self.one[*place],
            Code::One(place, a) => self.one[*place].spread(assignment[*a], everybody),
            Code::Two(place, a, b) => {
                let row = |first: usize| self.two[*place * self.before.size + first];
                match (*a == variable, *b == variable) {
                    (false, true) => row(assignment[*a]),
                    (false, false) => row(assignment[*a]).spread(assignment[*b], everybody),
                    (_, both) => {
                        let mut pairs = Pairs::default();
                        for individual in 0..self.before.size {
                            let second = if both { individual } else { assignment[*b] };
                            pairs.set(individual, row(individual), second);
                        }
                        pairs
                    }
                }
            }
            Code::Not(inner) => self.pairs(inner, variable, assignment).not(),
            Code::And(parts) => {
                let mut all = Pairs {
                    kept: everybody,
                    ..Pairs::default()
                };
                for part in parts {
                    all = all.and(self.pairs(part, variable, assignment));
                    if (all.gained | all.lost | all.kept).is_empty() {
                        break;
                    }
                }
                all
            }
            Code::Or(parts) => {
                let mut all = Pairs {
                    never: everybody,
                    ..Pairs::default()
                };
                for part in parts {
                    all = all.or(self.pairs(part, variable, assignment));
                    if (all.never | all.gained | all.lost).is_empty() {
                        break;
                    }
                }
                all
            }
            Code::If(parts) => {
                let [test, then, otherwise] =
                    [0, 1, 2].map(|part| self.pairs(&parts[part], variable, assignment));
                test.choose(then, otherwise)
            }
            // Inside, the variable stands for others.
            Code::Exists(bound, _) | Code::Forall(bound, _) if *bound == variable => {
                self.pairs(code, Var::MAX, assignment).spread(0, everybody)
            }
            Code::Exists(bound, inner) if variable == Var::MAX => {
                self.some_one(self.pairs(inner, *bound, assignment))
            }
            Code::Forall(bound, inner) if variable == Var::MAX => {
                let pairs = self.pairs(inner, *bound, assignment);
                self.some_one(pairs.not()).not()
            }
            Code::Exists(bound, inner) => self.some(everybody, *bound, assignment, &mut |own| {
                self.pairs(inner, variable, own)
            }),
            Code::Forall(bound, inner) => {
                let some = self.some(everybody, *bound, assignment, &mut |own| {
                    self.pairs(inner, variable, own).not()
                });
                some.not()
            }
            Code::Closure(way) if way.is_row(variable) => {
                self.ways(way, assignment)[assignment[way.ends[0]]]
            }
            Code::Closure(way) => self.each(variable, everybody, assignment, &mut |own| {
                let [from, to] = way.ends.map(|end| own[end]);
                let pairs = self.ways(way, own)[from];
                let mut one = Pairs::default();
                one.set(0, pairs, to);
                one
            }),
        }
    }

    /// What holds of some individual that is there.
    fn some_one(&self, pairs: Pairs<S>) -> Pairs<S> {
        let individuals = self.before.individuals();
        let pairs = pairs.within(self.old, self.stays);
        pairs.some(individuals, self.before.summary)
    }

    /// The same for each individual that another variable than `bound` may stand for.
    fn some(
        &self,
        everybody: S,
        bound: Var,
        assignment: &mut [usize],
        pairs: &mut dyn FnMut(&mut [usize]) -> Pairs<S>,
    ) -> Pairs<S> {
        let mut all = Pairs {
            never: everybody,
            ..Pairs::default()
        };
        let before = assignment[bound];
        for individual in 0..self.before.size {
            assignment[bound] = individual;
            let there = |those: S| everybody.given(those.has(individual));
            let mut one = pairs(assignment).within(there(self.old), there(self.stays));
            // Of several, one may gain it and another one lose it.
            one.kept |= one.gained & one.lost & there(self.before.summary);
            all = all.or(one);
            if (all.never | all.gained | all.lost).is_empty() {
                break;
            }
        }
        assignment[bound] = before;
        all
    }

    /// The pairs for each individual that a variable may stand for, looked at one by one.
    fn each(
        &self,
        variable: Var,
        everybody: S,
        assignment: &mut [usize],
        one: &mut dyn FnMut(&mut [usize]) -> Pairs<S>,
    ) -> Pairs<S> {
        if variable == Var::MAX {
            return one(assignment).spread(0, everybody);
        }
        let before = assignment[variable];
        let mut pairs = Pairs::default();
        for individual in 0..self.before.size {
            assignment[variable] = individual;
            pairs.set(individual, one(assignment), 0);
        }
        assignment[variable] = before;
        pairs
    }
}
