//! What definitions say after an action, for the audit of sets of structures.
//!
//! For each formula and each individual: which pairs of a value before the action and a value after it
//! are possible. What reads nothing that changes keeps its value, even where it is not known. Each pair has
//! a word, with a bit for each individual; nothing is shared with the engine.

use std::cell::RefCell;
use std::rc::Rc;

use model::PredicateId;
use model::predicates::{PredicateAction, PredicateProgram, Var};

use crate::individuals::Part;
use crate::planes::{Line, Place, Places, Planes, Those};
use crate::terms::{Bound, Term, Way};
use crate::ways_after::Ways;

/// For whom each pair is possible, of a value before and one after: the number of a pair has the value
/// before as its upper bit, the one after as its lower one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Pairs(pub(crate) [u64; 4]);

impl Pairs {
    pub(crate) fn unchanged(line: Line) -> Pairs {
        Pairs([line.no, 0, 0, line.yes])
    }

    /// The same pairs for all of these that somebody has.
    fn spread(self, one: usize, those: u64) -> Pairs {
        Pairs(self.0.map(|word| match word >> one & 1 {
            0 => 0,
            _ => those,
        }))
    }

    fn not(self) -> Pairs {
        // The number of the opposite pair is what is left to the last one.
        let [neither, gained, lost, both] = self.0;
        Pairs([both, lost, gained, neither])
    }

    /// Whether one or the other holds: each pair of one may meet each of the other.
    fn or(self, other: Pairs) -> Pairs {
        let mut all = [0; 4];
        for (one, word) in self.0.into_iter().enumerate() {
            for (two, another) in other.0.into_iter().enumerate() {
                all[one | two] |= word & another;
            }
        }
        Pairs(all)
    }

    /// What is possible here or there.
    fn join(self, other: Pairs) -> Pairs {
        Pairs([0, 1, 2, 3].map(|pair| self.0[pair] | other.0[pair]))
    }

    /// The values before and after by who is there then.
    pub(crate) fn there(self, before: u64, after: u64) -> Pairs {
        let [neither, gained, lost, both] = self.0;
        let (neither, lost) = (neither | lost & !before, lost & before);
        let (gained, both) = (gained | both & !before, both & before);
        let (neither, gained) = (neither | gained & !after, gained & after);
        let (lost, both) = (lost | both & !after, both & after);
        Pairs([neither, gained, lost, both])
    }

    /// Those for whom some pair is possible.
    fn some(self) -> u64 {
        self.0.into_iter().fold(0, |all, word| all | word)
    }

    /// The values before.
    pub(crate) fn before(self) -> Line {
        let [neither, gained, lost, both] = self.0;
        Line {
            yes: lost | both,
            no: neither | gained,
        }
    }

    /// The values after.
    pub(crate) fn after(self) -> Line {
        let [neither, gained, lost, both] = self.0;
        Line {
            yes: gained | both,
            no: neither | lost,
        }
    }

    fn get(self, one: usize) -> Pairs {
        Pairs(self.0.map(|word| word >> one & 1))
    }

    fn put(&mut self, one: usize, pairs: Pairs) {
        for (word, pair) in self.0.iter_mut().zip(pairs.0) {
            *word |= (pair & 1) << one;
        }
    }
}

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
pub(crate) struct Differences<'a> {
    pub(crate) program: &'a PredicateProgram,
    pub(crate) defined: &'a [Defined],
    pub(crate) before: &'a Planes,
    /// Who is there before the action.
    pub(crate) was: u64,
    /// Who is there after it.
    is: u64,
    places: &'a Places,
    /// For each predicate that changes, the pairs of each first individual.
    changed: Vec<Option<Vec<Pairs>>>,
    /// Whether all individuals stay, and none is new.
    lasting: bool,
    /// The ways of steps that are those of a predicate.
    ways: RefCell<Vec<(usize, Rc<[Pairs]>)>>,
}

impl<'a> Differences<'a> {
    /// What an action does to predicates without definitions.
    pub(crate) fn new(
        (program, places): (&'a PredicateProgram, &'a Places),
        defined: &'a [Defined],
        part: &'a Part,
        updates: &[Update],
        of: &mut [usize],
    ) -> Differences<'a> {
        let before = &part.before;
        let everybody = before.everybody();
        let mut changed: Vec<Option<Vec<Pairs>>> = vec![None; program.predicates.len()];
        for mark in [program.is_new, program.instance].into_iter().flatten() {
            let never = Pairs([everybody, 0, 0, 0]);
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
    pub(crate) fn define(&mut self, defined: &Defined, after: &mut Planes) -> Option<()> {
        let everybody = self.before.everybody();
        let (firsts, over, all) = match defined.place {
            Place::Fact(_) => (1, None, 1),
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
                Place::Fact(_) => 0,
                Place::Two(_) if self.was >> first & 1 == 0 => everybody,
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
    fn pairs(&self, term: &Term, over: Option<Var>, of: &mut [usize]) -> Pairs {
        let all = match over {
            Some(_) => self.before.everybody(),
            None => 1,
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
                let mut pairs = [0; 4];
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
    ) -> Pairs {
        let Some(rows) = self
            .places
            .predicate(place)
            .and_then(|one| self.changed[one].as_ref())
        else {
            return Pairs::unchanged(self.before.line(term, over, of));
        };
        let all = match over {
            Some(_) => self.before.everybody(),
            None => 1,
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
    fn either(&self, parts: &[Term], wanted: bool, over: Option<Var>, of: &mut [usize]) -> Pairs {
        let all = match over {
            Some(_) => self.before.everybody(),
            None => 1,
        };
        let mut either = Pairs([all, 0, 0, 0]);
        for part in parts {
            let pairs = self.pairs(part, over, of);
            either = either.or(if wanted { pairs } else { pairs.not() });
            if either == Pairs([0, 0, 0, all]) {
                break;
            }
        }
        either
    }

    /// Whether some individual that is there makes a formula `wanted`.
    fn some(&self, bound: &Bound, wanted: bool, over: Option<Var>, of: &mut [usize]) -> Pairs {
        let everybody = self.before.everybody();
        let all = match over {
            Some(_) => everybody,
            None => 1,
        };
        let variable = bound.variable;
        let several = |one: usize| self.before.several >> one & 1 != 0;
        let more = |some: Pairs, one: usize, pairs: Pairs| {
            let next = some.or(pairs);
            // Another one of those that it stands for may have another pair.
            if several(one) {
                next.join(next.or(pairs))
            } else {
                next
            }
        };
        let meant = |pairs: Pairs| if wanted { pairs } else { pairs.not() };
        let kept = of[variable];
        let some = match over {
            // Outside, the variable is another one.
            Some(over) if over != variable => {
                let mut some = Pairs([all, 0, 0, 0]);
                for one in 0..self.before.size {
                    of[variable] = one;
                    let there = |those: u64| if those >> one & 1 == 0 { 0 } else { all };
                    let pairs = meant(self.pairs(&bound.inner, Some(over), of));
                    some = more(some, one, pairs.there(there(self.was), there(self.is)));
                    if some == Pairs([0, 0, 0, all]) {
                        break;
                    }
                }
                some
            }
            _ => {
                let pairs = meant(self.pairs(&bound.inner, Some(variable), of));
                let pairs = pairs.there(self.was, self.is);
                let mut some = Pairs([1, 0, 0, 0]);
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
    fn way(&self, way: &Way, over: Option<Var>, of: &mut [usize]) -> Pairs {
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

    fn ways(&self, way: &Way, of: &mut [usize]) -> Rc<[Pairs]> {
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
        let ways: Rc<[Pairs]> = ways.into();
        self.ways.borrow_mut().push((predicate, Rc::clone(&ways)));
        ways
    }

    /// To whom each individual leads in one step.
    fn steps(&self, way: &Way, of: &mut [usize]) -> Vec<Pairs> {
        let [first, second] = way.step;
        let kept = [of[first], of[second]];
        let steps = (0..self.before.size).map(|one| {
            of[first] = one;
            let from = |those: u64| if those >> one & 1 == 0 { 0 } else { those };
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
                let mut only = Pairs::default();
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
