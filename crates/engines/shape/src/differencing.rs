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

/// A contradiction: no configuration is there after the action.
pub(crate) struct Impossible;

/// A structure before an action, with the new individuals, and what it does to each predicate.
pub(crate) struct Transition<'s> {
    pub(crate) compiled: &'s Compiled,
    pub(crate) before: &'s Shape,
    /// The individuals that were there before.
    pub(crate) old: u64,
    /// Those that are there after it.
    pub(crate) stays: u64,
    none: Vec<Pairs>,
    one: Vec<Pairs>,
    two: Vec<Pairs>,
    /// The pairs of ways by steps of a predicate, by its place, as far as they have been needed.
    pub(crate) ways: RefCell<Vec<(usize, Rc<[Pairs]>)>>,
}

impl<'s> Transition<'s> {
    /// What an action does to the predicates that it updates, and to no others.
    pub(crate) fn new(
        compiled: &'s Compiled,
        before: &'s Shape,
        (old, stays): (u64, u64),
        action: &Action,
        assignment: &mut [usize],
    ) -> Transition<'s> {
        let everybody = before.individuals();
        let same = |rows: &[Row]| -> Vec<Pairs> {
            rows.iter()
                .map(|row| Pairs::same(*row, everybody))
                .collect()
        };
        let mut transition = Transition {
            compiled,
            before,
            old,
            stays,
            none: before.none.iter().map(|row| Pairs::same(*row, 1)).collect(),
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
                    Row::all(before.value(code, assignment), 1)
                };
                let (from, to) = (row(of_false, assignment), row(of_true, assignment));
                self.none[place] = Pairs::of(before.none[place], from, to, 1);
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
        after: &mut Shape,
        assignment: &mut [usize],
    ) -> Result<(), Impossible> {
        let (before, everybody) = (self.before, self.before.individuals());
        // Nothing is known of what new individuals were before.
        let checked = |pairs: Pairs, row: Row, news: u64, all: u64| {
            let old = Row {
                may: row.may | news,
                must: row.must & !news,
            };
            let pairs = pairs.restricted(old).any_before(news);
            match pairs.none(all) {
                0 => Ok(pairs),
                _ => Err(Impossible),
            }
        };
        match place {
            Place::None(place) => {
                let pairs = self.pairs(definition, Var::MAX, assignment);
                let pairs = checked(pairs, before.none[place], 0, 1)?;
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
                    let news = match self.old >> first & 1 {
                        0 => everybody,
                        _ => everybody & !self.old,
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
    pub(crate) fn pairs(&self, code: &Code, variable: Var, assignment: &mut [usize]) -> Pairs {
        let everybody = match variable {
            Var::MAX => 1,
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
                    if all.gained | all.lost | all.kept == 0 {
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
                    if all.never | all.gained | all.lost == 0 {
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
    fn some_one(&self, pairs: Pairs) -> Pairs {
        let individuals = self.before.individuals();
        let pairs = pairs.within(self.old, self.stays);
        pairs.some(individuals, self.before.summary)
    }

    /// The same for each individual that another variable than `bound` may stand for.
    fn some(
        &self,
        everybody: u64,
        bound: Var,
        assignment: &mut [usize],
        pairs: &mut dyn FnMut(&mut [usize]) -> Pairs,
    ) -> Pairs {
        let mut all = Pairs {
            never: everybody,
            ..Pairs::default()
        };
        let before = assignment[bound];
        for individual in 0..self.before.size {
            assignment[bound] = individual;
            let there = |those: u64| match those >> individual & 1 {
                0 => 0,
                _ => everybody,
            };
            let mut one = pairs(assignment).within(there(self.old), there(self.stays));
            // Of several, one may gain it and another one lose it.
            one.kept |= one.gained & one.lost & there(self.before.summary);
            all = all.or(one);
            if all.never | all.gained | all.lost == 0 {
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
        everybody: u64,
        assignment: &mut [usize],
        one: &mut dyn FnMut(&mut [usize]) -> Pairs,
    ) -> Pairs {
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
