//! What definitions say after an action, for the audit of sets of structures.
//!
//! For each formula and each individual: which pairs of a value before the action and a value after it
//! are possible. What reads nothing that changes keeps its value, even where it is not known. Each pair has
//! bits, one for each individual; nothing is shared with the engine.

use std::cell::RefCell;
use std::rc::Rc;

use model::PredicateId;
use model::predicates::{PredicateAction, PredicateProgram, Var};

use crate::crowd::{Crowd, Those};
use crate::individuals::Part;
use crate::planes::{Line, Place, Places, Planes};
use crate::terms::{Bound, Term, Way};
use crate::ways_after::Ways;

/// For whom each pair is possible, of a value before and one after: the number of a pair has the value
/// before as its upper bit, the one after as its lower one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Pairs<C>(pub(crate) [C; 4]);

impl<C: Crowd> Pairs<C> {
    /// What is false before and after, for all of these.
    fn always_false(those: C) -> Pairs<C> {
        let nobody = C::default();
        Pairs([those, nobody, nobody, nobody])
    }

    pub(crate) fn unchanged(line: Line<C>) -> Pairs<C> {
        let nobody = C::default();
        Pairs([line.no, nobody, nobody, line.yes])
    }

    /// The same pairs for all of these that somebody has.
    fn spread(self, one: usize, those: C) -> Pairs<C> {
        Pairs(self.0.map(|word| those.when(word.has(one))))
    }

    fn not(self) -> Pairs<C> {
        // The number of the opposite pair is what is left to the last one.
        let [neither, gained, lost, both] = self.0;
        Pairs([both, lost, gained, neither])
    }

    /// Whether one or the other holds: each pair of one may meet each of the other.
    fn or(self, other: Pairs<C>) -> Pairs<C> {
        let mut all = [C::default(); 4];
        for (one, word) in self.0.into_iter().enumerate() {
            for (two, another) in other.0.into_iter().enumerate() {
                all[one | two] |= word & another;
            }
        }
        Pairs(all)
    }

    /// What is possible here or there.
    fn join(self, other: Pairs<C>) -> Pairs<C> {
        Pairs([0, 1, 2, 3].map(|pair| self.0[pair] | other.0[pair]))
    }

    /// The values before and after by who is there then.
    pub(crate) fn there(self, before: C, after: C) -> Pairs<C> {
        let [neither, gained, lost, both] = self.0;
        let (neither, lost) = (neither | lost & !before, lost & before);
        let (gained, both) = (gained | both & !before, both & before);
        let (neither, gained) = (neither | gained & !after, gained & after);
        let (lost, both) = (lost | both & !after, both & after);
        Pairs([neither, gained, lost, both])
    }

    /// Those for whom some pair is possible.
    fn some(self) -> C {
        self.0
            .into_iter()
            .fold(C::default(), |all, word| all | word)
    }

    /// The values before.
    pub(crate) fn before(self) -> Line<C> {
        let [neither, gained, lost, both] = self.0;
        Line {
            yes: lost | both,
            no: neither | gained,
        }
    }

    /// The values after.
    pub(crate) fn after(self) -> Line<C> {
        let [neither, gained, lost, both] = self.0;
        Line {
            yes: gained | both,
            no: neither | lost,
        }
    }

    fn get(self, one: usize) -> Pairs<C> {
        Pairs(self.0.map(|word| C::one(0).when(word.has(one))))
    }

    fn put(&mut self, one: usize, pairs: Pairs<C>) {
        for (word, pair) in self.0.iter_mut().zip(pairs.0) {
            *word |= C::one(one).when(pair.has(0));
        }
    }
}

/// To whom each individual leads.
type Led<C> = Rc<[Pairs<C>]>;

/// An update of a predicate.
pub(crate) struct Update {
    pub(crate) predicate: PredicateId,
    pub(crate) place: Place,
    pub(crate) parameters: Vec<Var>,
    pub(crate) value: Term,
    /// The value where the predicate did not hold, and where it did.
    given: [Term; 2],
}

impl Update {
    /// The updates of an action.
    pub(crate) fn all(action: &PredicateAction, places: &Places) -> Vec<Update> {
        let updates = action.updates.iter().map(|update| {
            let (predicate, parameters) = (update.predicate, &update.parameters);
            Update {
                predicate,
                place: places.of(predicate),
                parameters: parameters.clone(),
                value: Term::new(&update.value, places),
                given: [false, true].map(|value| {
                    Term::new(&update.value.given(predicate, parameters, value), places)
                }),
            }
        });
        updates.collect()
    }
}

/// A predicate that has a definition.
pub(crate) struct Defined {
    pub(crate) predicate: PredicateId,
    pub(crate) place: Place,
    pub(crate) term: Term,
    pub(crate) slots: usize,
    /// The steps of which it is the ways, and whether it holds for each and itself.
    pub(crate) ways: Option<(PredicateId, bool)>,
}

/// An action under an assignment, from a structure in which its new individuals are.
pub(crate) struct Differences<'a, C> {
    pub(crate) program: &'a PredicateProgram,
    pub(crate) defined: &'a [Defined],
    pub(crate) before: &'a Planes<C>,
    /// Who is there before the action.
    pub(crate) was: C,
    /// Who is there after it.
    is: C,
    places: &'a Places,
    /// For each predicate that changes, the pairs of each first individual.
    changed: Vec<Option<Vec<Pairs<C>>>>,
    /// Whether all individuals stay, and none is new.
    lasting: bool,
    /// The ways of steps that are those of a predicate.
    ways: RefCell<Vec<(usize, Led<C>)>>,
}

impl<'a, C: Crowd> Differences<'a, C> {
    /// What an action does to predicates without definitions.
    pub(crate) fn new(
        (program, places): (&'a PredicateProgram, &'a Places),
        defined: &'a [Defined],
        part: &'a Part<C>,
        updates: &[Update],
        of: &mut [usize],
    ) -> Differences<'a, C> {
        let before = &part.before;
        let everybody = before.everybody();
        let mut changed: Vec<Option<Vec<Pairs<C>>>> = vec![None; program.predicates.len()];
        for mark in [program.is_new, program.instance].into_iter().flatten() {
            let never = Pairs::always_false(everybody);
            let rows = match places.of(mark) {
                Place::Two(_) => before.size,
                Place::Fact(_) | Place::One(_) => 1,
            };
            changed[mark.index()] = Some(vec![never; rows]);
        }
        for update in updates {
            let (firsts, over) = match update.place {
                Place::Fact(_) => (1, None),
                Place::One(_) => (1, Some(update.parameters[0])),
                Place::Two(_) => (before.size, Some(update.parameters[1])),
            };
            let rows = (0..firsts).map(|first| {
                if let Place::Two(_) = update.place {
                    of[update.parameters[0]] = first;
                }
                let known = before.of(update.place, first);
                let [from_no, from_yes] =
                    [0, 1].map(|was| before.line(&update.given[was], over, of));
                Pairs([
                    known.no & from_no.no,
                    known.no & from_no.yes,
                    known.yes & from_yes.no,
                    known.yes & from_yes.yes,
                ])
            });
            changed[update.predicate.index()] = Some(rows.collect());
        }
        Differences {
            program,
            defined,
            before,
            lasting: part.was == everybody && part.staying == everybody,
            was: part.was,
            is: part.staying,
            places,
            changed,
            ways: RefCell::default(),
        }
    }

    /// Gives a predicate the values after the action by its definition; `None`: there is no such
    /// configuration.
    pub(crate) fn define(&mut self, defined: &Defined, after: &mut Planes<C>) -> Option<()> {
        let everybody = self.before.everybody();
        let (firsts, over, all) = match defined.place {
            Place::Fact(_) => (1, None, C::one(0)),
            Place::One(_) => (1, Some(0), everybody),
            Place::Two(_) => (self.before.size, Some(1), everybody),
        };
        let mut of = vec![0; defined.slots];
        let mut rows = Vec::with_capacity(firsts);
        for first in 0..firsts {
            if let Place::Two(_) = defined.place {
                of[0] = first;
            }
            let mut pairs = self.pairs(&defined.term, over, &mut of);
            let stored = self.before.of(defined.place, first);
            // Of new individuals it had no value.
            let new = match defined.place {
                Place::Fact(_) => C::default(),
                Place::Two(_) if !self.was.has(first) => everybody,
                Place::One(_) | Place::Two(_) => everybody & !self.was,
            };
            for is in [0, 1] {
                let any = (pairs.0[is] | pairs.0[2 | is]) & new;
                pairs.0[is] = pairs.0[is] & !new & stored.no | any;
                pairs.0[2 | is] = pairs.0[2 | is] & !new & stored.yes | any;
            }
            if pairs.some() != all {
                return None;
            }
            *after.pair_mut(defined.place, first) = pairs.after();
            rows.push(pairs);
        }
        let number = defined.predicate.index();
        self.ways.get_mut().retain(|(of, _)| *of != number);
        self.changed[number] = Some(rows);
        Some(())
    }

    /// Whether a formula that reads these has the value that it had: then that is so even where it is not
    /// known.
    fn lasts(&self, reads: &[usize]) -> bool {
        self.lasting && reads.iter().all(|&one| self.changed[one].is_none())
    }

    /// The pairs of a formula for all that a variable may stand for; without a variable, the first bits.
    fn pairs(&self, term: &Term, over: Option<Var>, of: &mut [usize]) -> Pairs<C> {
        let all = match over {
            Some(_) => self.before.everybody(),
            None => C::one(0),
        };
        match term {
            Term::Constant(model::predicates::Kleene::Unknown) => Pairs([all; 4]),
            Term::Constant(_) | Term::Same(..) => {
                Pairs::unchanged(self.before.line(term, over, of))
            }
            Term::Holds(place, variables) => self.atom(term, (*place, *variables), over, of),
            Term::Not(inner) => self.pairs(inner, over, of).not(),
            Term::All(parts) => self.either(parts, false, over, of).not(),
            Term::Any(parts) => self.either(parts, true, over, of),
            Term::If(parts) => {
                let [test, then, otherwise] =
                    [0, 1, 2].map(|part| self.pairs(&parts[part], over, of));
                let mut pairs = [C::default(); 4];
                for test_of in 0..4 {
                    for a in 0..4 {
                        for b in 0..4 {
                            // Each of the two values is that of the part that the test chooses.
                            let chosen = a & test_of | b & !test_of & 3;
                            pairs[chosen] |= test.0[test_of] & then.0[a] & otherwise.0[b];
                        }
                    }
                }
                Pairs(pairs)
            }
            Term::Some(bound) | Term::Each(bound) if self.lasts(&bound.reads) => {
                Pairs::unchanged(self.before.line(term, over, of))
            }
            Term::Some(bound) => self.some(bound, true, over, of),
            Term::Each(bound) => self.some(bound, false, over, of).not(),
            Term::Way(way) if self.lasts(&way.reads) => {
                Pairs::unchanged(self.before.line(term, over, of))
            }
            Term::Way(way) => self.way(way, over, of),
        }
    }

    fn atom(
        &self,
        term: &Term,
        (place, [a, b]): (Place, [Var; 2]),
        over: Option<Var>,
        of: &mut [usize],
    ) -> Pairs<C> {
        let Some(rows) = self
            .places
            .predicate(place)
            .and_then(|one| self.changed[one].as_ref())
        else {
            return Pairs::unchanged(self.before.line(term, over, of));
        };
        let all = match over {
            Some(_) => self.before.everybody(),
            None => C::one(0),
        };
        match place {
            Place::Fact(_) => rows[0].spread(0, all),
            Place::One(_) if Some(a) == over => rows[0],
            Place::One(_) => rows[0].spread(of[a], all),
            Place::Two(_) => match (Some(a) == over, Some(b) == over) {
                (false, true) => rows[of[a]],
                (false, false) => rows[of[a]].spread(of[b], all),
                (true, both) => {
                    let mut pairs = Pairs::default();
                    for (one, row) in rows.iter().enumerate() {
                        pairs.put(one, row.get(if both { one } else { of[b] }));
                    }
                    pairs
                }
            },
        }
    }

    /// Whether some part is as `wanted`. What comes after one that is so before and after is not looked at.
    fn either(
        &self,
        parts: &[Term],
        wanted: bool,
        over: Option<Var>,
        of: &mut [usize],
    ) -> Pairs<C> {
        let all = match over {
            Some(_) => self.before.everybody(),
            None => C::one(0),
        };
        let mut either = Pairs::always_false(all);
        for part in parts {
            let pairs = self.pairs(part, over, of);
            either = either.or(if wanted { pairs } else { pairs.not() });
            if either == Pairs::always_false(all).not() {
                break;
            }
        }
        either
    }

    /// Whether some individual that is there makes a formula `wanted`.
    fn some(&self, bound: &Bound, wanted: bool, over: Option<Var>, of: &mut [usize]) -> Pairs<C> {
        let everybody = self.before.everybody();
        let all = match over {
            Some(_) => everybody,
            None => C::one(0),
        };
        let variable = bound.variable;
        let several = |one: usize| self.before.several.has(one);
        let more = |some: Pairs<C>, one: usize, pairs: Pairs<C>| {
            let next = some.or(pairs);
            // Another one of those that it stands for may have another pair.
            if several(one) {
                next.join(next.or(pairs))
            } else {
                next
            }
        };
        let meant = |pairs: Pairs<C>| if wanted { pairs } else { pairs.not() };
        let kept = of[variable];
        let some = match over {
            // Outside, the variable is another one.
            Some(over) if over != variable => {
                let mut some = Pairs::always_false(all);
                for one in 0..self.before.size {
                    of[variable] = one;
                    let there = |those: C| all.when(those.has(one));
                    let pairs = meant(self.pairs(&bound.inner, Some(over), of));
                    some = more(some, one, pairs.there(there(self.was), there(self.is)));
                    if some == Pairs::always_false(all).not() {
                        break;
                    }
                }
                some
            }
            _ => {
                let pairs = meant(self.pairs(&bound.inner, Some(variable), of));
                let pairs = pairs.there(self.was, self.is);
                let mut some = Pairs::always_false(C::one(0));
                // Of those for whom nothing holds, nothing is to be said.
                for one in Those(everybody & (pairs.0[1] | pairs.0[2] | pairs.0[3])) {
                    some = more(some, one, pairs.get(one));
                }
                some.spread(0, all)
            }
        };
        of[variable] = kept;
        some
    }

    /// Whether there is a way.
    fn way(&self, way: &Way, over: Option<Var>, of: &mut [usize]) -> Pairs<C> {
        let [from, to] = way.ends;
        match over {
            None => self.ways(way, of)[of[from]].get(of[to]),
            Some(over) if over == to && over != from && way.of.is_some() => {
                self.ways(way, of)[of[from]]
            }
            Some(over) => {
                let kept = of[over];
                let mut pairs = Pairs::default();
                for one in 0..self.before.size {
                    of[over] = one;
                    pairs.put(one, self.ways(way, of)[of[from]].get(of[to]));
                }
                of[over] = kept;
                pairs
            }
        }
    }

    fn ways(&self, way: &Way, of: &mut [usize]) -> Led<C> {
        let Some(predicate) = way.of else {
            return Ways::new(self, &self.steps(way, of), None).pairs().into();
        };
        let known = self.ways.borrow();
        if let Some((_, ways)) = known.iter().find(|(steps, _)| *steps == predicate) {
            return Rc::clone(ways);
        }
        drop(known);
        let ways = Ways::new(
            self,
            &self.steps(way, of),
            Some(PredicateId::new(predicate)),
        )
        .pairs();
        let ways: Led<C> = ways.into();
        self.ways.borrow_mut().push((predicate, Rc::clone(&ways)));
        ways
    }

    /// To whom each individual leads in one step.
    fn steps(&self, way: &Way, of: &mut [usize]) -> Vec<Pairs<C>> {
        let [first, second] = way.step;
        let kept = [of[first], of[second]];
        let steps = (0..self.before.size).map(|one| {
            of[first] = one;
            let from = |those: C| those.when(those.has(one));
            let pairs = self.pairs(&way.edge, Some(second), of);
            pairs.there(from(self.was), from(self.is))
        });
        let steps = steps.collect();
        [of[first], of[second]] = kept;
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_not_there_has_no_value_then() {
        for pair in 0..4_usize {
            for (before, after) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let mut only = Pairs::<u64>::default();
                only.0[pair] = 1;
                let mut expected = Pairs::default();
                let left = (pair >> 1 & before) << 1 | pair & after;
                expected.0[left] = 1;
                let there = only.there(before as u64, after as u64);
                assert_eq!(there, expected, "{pair} {before} {after}");
            }
        }
    }
}
