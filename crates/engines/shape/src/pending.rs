//! Which rules have to be looked at again when values change.

use crate::compile::{Code, Compiled, Conclusion, Place, Rule};
use crate::matrix::{Row, Shape};
use crate::set::Set;

/// What becomes of a value: it is known now that something holds, or that it does not, or nothing is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Became {
    True,
    False,
    Unknown,
}

impl Became {
    fn known(holds: bool) -> Became {
        match holds {
            true => Became::True,
            false => Became::False,
        }
    }
}

/// Rules that have to be looked at, a bit each.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Pending(Vec<u64>);

impl Pending {
    fn nothing(rules: usize) -> Pending {
        Pending(vec![0; rules.div_ceil(64)])
    }

    fn add(&mut self, rule: usize) {
        self.0[rule / 64] |= 1 << (rule % 64);
    }

    fn mark(&mut self, rules: &Pending) {
        for (own, more) in self.0.iter_mut().zip(&rules.0) {
            *own |= more;
        }
    }

    /// Takes the first rule off from `from` on, or, if there is none, the first one.
    pub(crate) fn take(&mut self, from: usize) -> Option<usize> {
        let (word, bit) = (from / 64, from % 64);
        let behind = self.0.get(word).map_or(0, |bits| bits & u64::MAX << bit);
        let first = match behind {
            0 => {
                let all = self.0.len();
                let mut others = (word + 1..all).chain(0..all);
                let word = others.find(|&word| self.0[word] != 0)?;
                word * 64 + self.0[word].trailing_zeros() as usize
            }
            bits => word * 64 + bits.trailing_zeros() as usize,
        };
        self.0[first / 64] &= !(1 << (first % 64));
        Some(first)
    }
}

/// The rules that may have something to say when values of a predicate become true, false, or unknown.
type OfPlace = [Pending; 3];

/// Which rules read what. A rule whose body is to have a value that somebody has no longer says nothing new,
/// nor does one that says what is known now.
#[derive(Debug, Default)]
pub(crate) struct Readers {
    none: Vec<OfPlace>,
    one: Vec<OfPlace>,
    two: Vec<OfPlace>,
    /// Those to which it matters whether two individuals are one.
    identity: Pending,
    rules: usize,
}

impl Readers {
    /// The readers of these rules, where there are so many predicates of none, one and two.
    pub(crate) fn new(rules: &[Rule], counts: [usize; 3]) -> Readers {
        let nothing = Pending::nothing(rules.len());
        let of_place: OfPlace = [(); 3].map(|()| nothing.clone());
        let [none, one, two] = counts.map(|count| vec![of_place.clone(); count]);
        let mut readers = Readers {
            none,
            one,
            two,
            identity: nothing,
            rules: rules.len(),
        };
        for (number, rule) in rules.iter().enumerate() {
            let mut read = Read::default();
            rule.body
                .parts
                .iter()
                .flatten()
                .for_each(|part| read.part(part));
            read.head(rule.head);
            for (place, became) in read.places {
                let readers = match place {
                    Place::None(place) => &mut readers.none[place],
                    Place::One(place) => &mut readers.one[place],
                    Place::Two(place) => &mut readers.two[place],
                };
                readers[became as usize].add(number);
            }
            if read.identity {
                readers.identity.add(number);
            }
        }
        readers
    }

    /// All rules.
    pub(crate) fn all(&self) -> Pending {
        let mut all = Pending::nothing(self.rules);
        (0..self.rules).for_each(|rule| all.add(rule));
        all
    }

    /// The rules after somebody's values of a predicate were made known, for which somebody may have
    /// been cut in two.
    pub(crate) fn focused(&self, place: Place) -> Pending {
        let mut pending = self.identity.clone();
        for became in [Became::True, Became::False] {
            self.changed(place, became, &mut pending);
        }
        pending
    }

    /// Adds the rules that may have something to say when values of a predicate become so.
    fn changed(&self, place: Place, became: Became, pending: &mut Pending) {
        let readers = match place {
            Place::None(place) => &self.none[place],
            Place::One(place) => &self.one[place],
            Place::Two(place) => &self.two[place],
        };
        pending.mark(&readers[became as usize]);
    }

    /// The same for rows that were some and are others.
    fn differing<S: Set>(
        &self,
        place: Place,
        (is, was): (&[Row<S>], &[Row<S>]),
        pending: &mut Pending,
    ) {
        if is == was {
            return;
        }
        let mut became = [S::default(); 3];
        for (is, was) in is.iter().zip(was) {
            became[Became::True as usize] |= is.must & !was.must;
            became[Became::False as usize] |= was.may & !is.may;
            became[Became::Unknown as usize] |= is.unknown() & !was.unknown();
        }
        let all = [Became::True, Became::False, Became::Unknown];
        for one in all
            .into_iter()
            .filter(|one| !became[*one as usize].is_empty())
        {
            self.changed(place, one, pending);
        }
    }

    /// Adds the rules that a conclusion may concern.
    pub(crate) fn concluded(&self, head: Conclusion, pending: &mut Pending) {
        let (place, positive) = match head {
            Conclusion::Never => return,
            Conclusion::None(place, positive) => (Place::None(place), positive),
            Conclusion::One(place, _, positive) => (Place::One(place), positive),
            Conclusion::Two(place, _, positive) => (Place::Two(place), positive),
            Conclusion::Equal(..) => return pending.mark(&self.identity),
        };
        self.changed(place, Became::known(positive), pending);
    }
}

impl Compiled {
    /// The rules that read what differs in two structures of the same individuals.
    pub(crate) fn differing<S: Set>(&self, before: &Shape<S>, after: &Shape<S>) -> Pending {
        let readers = &self.readers;
        let mut pending = Pending::nothing(readers.rules);
        let none = after.none.chunks(1).zip(before.none.chunks(1));
        for (place, rows) in none.enumerate() {
            readers.differing(Place::None(place), rows, &mut pending);
        }
        let one = after.one.chunks(1).zip(before.one.chunks(1));
        for (place, rows) in one.enumerate() {
            readers.differing(Place::One(place), rows, &mut pending);
        }
        let size = after.size.max(1);
        let two = after.two.chunks(size).zip(before.two.chunks(size));
        for (place, rows) in two.enumerate() {
            readers.differing(Place::Two(place), rows, &mut pending);
        }
        pending
    }
}

/// What a rule reads.
#[derive(Default)]
struct Read {
    places: Vec<(Place, Became)>,
    identity: bool,
}

impl Read {
    /// A part of a body, which is to hold.
    fn part(&mut self, part: &Code) {
        let (atom, became) = match part {
            Code::Not(inner) => (&**inner, Became::False),
            other => (other, Became::True),
        };
        match atom {
            Code::None(place) => self.places.push((Place::None(*place), became)),
            Code::One(place, _) => self.places.push((Place::One(*place), became)),
            Code::Two(place, ..) => self.places.push((Place::Two(*place), became)),
            _ => self.code(part),
        }
    }

    fn any(&mut self, place: Place) {
        let all = [Became::True, Became::False, Became::Unknown];
        self.places.extend(all.map(|became| (place, became)));
    }

    fn code(&mut self, code: &Code) {
        match code {
            Code::Value(_) => {}
            Code::None(place) => self.any(Place::None(*place)),
            Code::One(place, _) => self.any(Place::One(*place)),
            Code::Two(place, ..) => self.any(Place::Two(*place)),
            Code::Equal(..) => self.identity = true,
            Code::Not(inner) | Code::Exists(_, inner) | Code::Forall(_, inner) => self.code(inner),
            Code::And(parts) | Code::Or(parts) => parts.iter().for_each(|part| self.code(part)),
            Code::If(parts) => parts.iter().for_each(|part| self.code(part)),
            Code::Closure(way) => self.code(&way.edge),
        }
    }

    /// A head, of which something is to be said where it is not known already.
    fn head(&mut self, head: Conclusion) {
        let (place, positive) = match head {
            Conclusion::Never => return,
            Conclusion::Equal(..) => {
                self.identity = true;
                return;
            }
            Conclusion::None(place, positive) => (Place::None(place), positive),
            Conclusion::One(place, _, positive) => (Place::One(place), positive),
            Conclusion::Two(place, [a, b], positive) => {
                self.identity |= a == b;
                (Place::Two(place), positive)
            }
        };
        self.places.push((place, Became::known(!positive)));
        self.places.push((place, Became::Unknown));
    }
}
