//! Which rules have to be looked at again when values change.

use crate::compile::{Code, Compiled, Conclusion, Place, Rule};
use crate::matrix::Shape;

/// The rules that read each predicate, by their positions.
#[derive(Debug, Default)]
pub(crate) struct Readers {
    none: Vec<Vec<usize>>,
    one: Vec<Vec<usize>>,
    two: Vec<Vec<usize>>,
    /// Those to which it matters whether two individuals are one.
    identity: Vec<usize>,
    rules: usize,
}

/// Rules that have to be looked at.
#[derive(Clone, Debug)]
pub(crate) struct Pending(Vec<bool>);

impl Pending {
    fn mark(&mut self, rules: &[usize]) {
        rules.iter().for_each(|&rule| self.0[rule] = true);
    }

    /// Takes a rule off, and says whether it was there.
    pub(crate) fn take(&mut self, rule: usize) -> bool {
        std::mem::take(&mut self.0[rule])
    }

    pub(crate) fn is_empty(&self) -> bool {
        !self.0.contains(&true)
    }
}

impl Readers {
    /// The readers of these rules, where there are so many predicates of none, one and two.
    pub(crate) fn new(rules: &[Rule], counts: [usize; 3]) -> Readers {
        let [none, one, two] = counts.map(|count| vec![Vec::new(); count]);
        let mut readers = Readers {
            none,
            one,
            two,
            identity: Vec::new(),
            rules: rules.len(),
        };
        for (number, rule) in rules.iter().enumerate() {
            let mut read = Read::default();
            rule.body
                .parts
                .iter()
                .flatten()
                .for_each(|part| read.code(part));
            read.head(rule.head);
            for place in read.places {
                let known = readers.of_mut(place);
                if known.last() != Some(&number) {
                    known.push(number);
                }
            }
            if read.identity {
                readers.identity.push(number);
            }
        }
        readers
    }

    fn of_mut(&mut self, place: Place) -> &mut Vec<usize> {
        match place {
            Place::None(place) => &mut self.none[place],
            Place::One(place) => &mut self.one[place],
            Place::Two(place) => &mut self.two[place],
        }
    }

    /// All rules.
    pub(crate) fn all(&self) -> Pending {
        Pending(vec![true; self.rules])
    }

    /// The rules after somebody's values of a predicate were made known, for which somebody may have
    /// been cut in two.
    pub(crate) fn focused(&self, place: Place) -> Pending {
        let mut pending = Pending(vec![false; self.rules]);
        self.changed(place, &mut pending);
        pending.mark(&self.identity);
        pending
    }

    /// Adds the rules that read a predicate.
    pub(crate) fn changed(&self, place: Place, pending: &mut Pending) {
        pending.mark(match place {
            Place::None(place) => &self.none[place],
            Place::One(place) => &self.one[place],
            Place::Two(place) => &self.two[place],
        });
    }

    /// Adds the rules that a conclusion may concern.
    pub(crate) fn concluded(&self, head: Conclusion, pending: &mut Pending) {
        match head {
            Conclusion::Never => {}
            Conclusion::None(place, _) => self.changed(Place::None(place), pending),
            Conclusion::One(place, ..) => self.changed(Place::One(place), pending),
            Conclusion::Two(place, ..) => self.changed(Place::Two(place), pending),
            Conclusion::Equal(..) => pending.mark(&self.identity),
        }
    }
}

impl Compiled {
    /// The rules that read what differs in two structures of the same individuals.
    pub(crate) fn differing(&self, before: &Shape, after: &Shape) -> Pending {
        let readers = &self.readers;
        let mut pending = Pending(vec![false; readers.rules]);
        for (place, row) in after.none.iter().enumerate() {
            if *row != before.none[place] {
                readers.changed(Place::None(place), &mut pending);
            }
        }
        for (place, row) in after.one.iter().enumerate() {
            if *row != before.one[place] {
                readers.changed(Place::One(place), &mut pending);
            }
        }
        let size = after.size.max(1);
        let pairs = after.two.chunks(size).zip(before.two.chunks(size));
        for (place, (after, before)) in pairs.enumerate() {
            if after != before {
                readers.changed(Place::Two(place), &mut pending);
            }
        }
        pending
    }
}

/// What a rule reads.
#[derive(Default)]
struct Read {
    places: Vec<Place>,
    identity: bool,
}

impl Read {
    fn code(&mut self, code: &Code) {
        match code {
            Code::Value(_) => {}
            Code::None(place) => self.places.push(Place::None(*place)),
            Code::One(place, _) => self.places.push(Place::One(*place)),
            Code::Two(place, ..) => self.places.push(Place::Two(*place)),
            Code::Equal(..) => self.identity = true,
            Code::Not(inner) | Code::Exists(_, inner) | Code::Forall(_, inner) => self.code(inner),
            Code::And(parts) | Code::Or(parts) => parts.iter().for_each(|part| self.code(part)),
            Code::If(parts) => parts.iter().for_each(|part| self.code(part)),
            Code::Closure(way) => self.code(&way.edge),
        }
    }

    fn head(&mut self, head: Conclusion) {
        match head {
            Conclusion::Never => {}
            Conclusion::None(place, _) => self.places.push(Place::None(place)),
            Conclusion::One(place, ..) => self.places.push(Place::One(place)),
            Conclusion::Two(place, [a, b], _) => {
                self.places.push(Place::Two(place));
                self.identity |= a == b;
            }
            Conclusion::Equal(..) => self.identity = true,
        }
    }
}
