//! Structures as the audit of sets of structures sees them: for each value two bits, whether it may be
//! true and whether it may be false. Nothing is shared with the engine.

use model::PredicateId;
use model::predicates::{Kleene, Predicate, Structure};

use crate::Rejected;
use crate::crowd::{Crowd, WORD};

/// What has no form.
const TOO_MANY: &str = "a structure of more than 256 individuals";

/// That a structure has more individuals than there is room for.
pub(crate) fn too_many() -> Rejected {
    Rejected::unsupported(TOO_MANY)
}

/// The values of something for all individuals: for which it may be true, and for which false. For each
/// individual that there is, one of the two is so.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Line<C> {
    pub(crate) yes: C,
    pub(crate) no: C,
}

impl<C: Crowd> Line<C> {
    /// The same value for all of these.
    pub(crate) fn filled(value: Kleene, those: C) -> Line<C> {
        match value {
            Kleene::True => Line {
                yes: those,
                no: C::default(),
            },
            Kleene::False => Line {
                yes: C::default(),
                no: those,
            },
            Kleene::Unknown => Line {
                yes: those,
                no: those,
            },
        }
    }

    pub(crate) fn at(self, one: usize) -> Kleene {
        match (self.yes.has(one), self.no.has(one)) {
            (false, _) => Kleene::False,
            (true, false) => Kleene::True,
            (true, true) => Kleene::Unknown,
        }
    }

    pub(crate) fn put(&mut self, one: usize, value: Kleene) {
        let bit = C::one(one);
        let new = Line::filled(value, bit);
        self.yes = self.yes & !bit | new.yes;
        self.no = self.no & !bit | new.no;
    }

    /// For whom it is surely true.
    pub(crate) fn sure(self) -> C {
        self.yes & !self.no
    }

    /// For whom it is not known.
    pub(crate) fn open(self) -> C {
        self.yes & self.no
    }

    pub(crate) fn not(self) -> Line<C> {
        Line {
            yes: self.no,
            no: self.yes,
        }
    }

    pub(crate) fn and(self, other: Line<C>) -> Line<C> {
        Line {
            yes: self.yes & other.yes,
            no: self.no | other.no,
        }
    }

    pub(crate) fn or(self, other: Line<C>) -> Line<C> {
        self.not().and(other.not()).not()
    }

    /// The values for these, in this order.
    fn chosen(self, those: &[usize]) -> Line<C> {
        let mut line = Line::default();
        if self.yes.is_nobody() {
            // As a rule it is false of everybody.
            return Line::filled(Kleene::False, C::up_to(those.len()));
        }
        for (new, &old) in those.iter().enumerate() {
            line.yes |= C::one(new).when(self.yes.has(old));
            line.no |= C::one(new).when(self.no.has(old));
        }
        line
    }
}

/// Where the values of a predicate are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// Of nobody: the first bit of a line.
    Fact(usize),
    /// Of one: a line.
    One(usize),
    /// Of two: a line for each first one.
    Two(usize),
}

/// Where the values of all predicates are.
pub(crate) struct Places {
    of: Vec<Place>,
    /// The predicates, by their numbers, in the order of their lines.
    lines_of: Vec<usize>,
    /// How many predicates are of nobody: their lines come first.
    facts: usize,
    /// How many are of nobody or one.
    few: usize,
    /// How many are of two.
    two: usize,
}

impl Places {
    /// # Errors
    /// If a predicate is of three or more.
    pub(crate) fn new(predicates: &[Predicate]) -> Result<Places, Rejected> {
        let of = |arity: usize| predicates.iter().filter(move |one| one.arity == arity);
        let facts = of(0).count();
        let mut places = Places {
            of: Vec::new(),
            lines_of: Vec::new(),
            facts,
            few: facts + of(1).count(),
            two: of(2).count(),
        };
        let mut next = [0, facts, 0];
        for predicate in predicates {
            let Some(number) = next.get_mut(predicate.arity) else {
                let name = &predicate.name;
                let what = format!("the predicate `{name}` of more than two individuals");
                return Err(Rejected::unsupported(what));
            };
            places.of.push(match predicate.arity {
                0 => Place::Fact(*number),
                1 => Place::One(*number),
                _ => Place::Two(*number),
            });
            *number += 1;
        }
        places.lines_of = (0..predicates.len()).collect();
        places
            .lines_of
            .sort_by_key(|&number| predicates[number].arity);
        Ok(places)
    }

    pub(crate) fn of(&self, predicate: PredicateId) -> Place {
        self.of[predicate.index()]
    }

    /// Where the values of each predicate are.
    pub(crate) fn all(&self) -> impl Iterator<Item = Place> {
        self.of.iter().copied()
    }

    /// The predicate, by its number, whose values are at a place.
    pub(crate) fn predicate(&self, place: Place) -> Option<usize> {
        match place {
            Place::Fact(number) | Place::One(number) => self.lines_of.get(number).copied(),
            Place::Two(number) => self.lines_of.get(self.few + number).copied(),
        }
    }

    fn lines(&self, size: usize) -> usize {
        self.few + self.two * size
    }
}

/// A structure.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Planes<C> {
    pub(crate) size: usize,
    /// Who may stand for several.
    pub(crate) several: C,
    /// How many lines are those of predicates of nobody.
    facts: usize,
    /// How many lines come before those of predicates of two.
    few: usize,
    lines: Vec<Line<C>>,
}

impl<C: Crowd> Planes<C> {
    /// # Errors
    /// If it has too many individuals.
    pub(crate) fn read(structure: &Structure, places: &Places) -> Result<Planes<C>, Rejected> {
        let size = structure.size();
        if size > C::ROOM {
            return Err(too_many());
        }
        let mut read = Planes {
            size,
            several: C::default(),
            facts: places.facts,
            few: places.few,
            lines: vec![Line::default(); places.lines(size)],
        };
        for (one, &several) in structure.summary.iter().enumerate() {
            read.several |= C::one(one).when(several);
        }
        let all = |values: &[Kleene]| {
            let mut line = Line::default();
            for (one, &value) in values.iter().enumerate() {
                line.put(one, value);
            }
            line
        };
        for (&place, values) in places.of.iter().zip(structure.values.iter()) {
            match place {
                Place::Fact(line) | Place::One(line) => read.lines[line] = all(values),
                Place::Two(_) => {
                    for first in 0..size {
                        *read.pair_mut(place, first) = all(&values[first * size..][..size]);
                    }
                }
            }
        }
        Ok(read)
    }

    /// The same as others read it.
    pub(crate) fn written(&self, places: &Places, predicates: &[Predicate]) -> Structure {
        let several = (0..self.size).map(|one| self.several.has(one));
        let mut structure = Structure::new(predicates, several.collect());
        for (values, &place) in structure.values.iter_mut().zip(&places.of) {
            for (number, value) in values.iter_mut().enumerate() {
                *value = match place {
                    Place::Fact(line) | Place::One(line) => self.lines[line].at(number),
                    Place::Two(_) => {
                        let (first, second) = (number / self.size, number % self.size);
                        self.pair(place, first).at(second)
                    }
                };
            }
        }
        structure
    }

    /// All individuals.
    pub(crate) fn everybody(&self) -> C {
        C::up_to(self.size)
    }

    /// A line that does not depend on anybody.
    pub(crate) fn few(&self, line: usize) -> Line<C> {
        self.lines[line]
    }

    /// The line of a predicate for a first one.
    pub(crate) fn of(&self, place: Place, first: usize) -> Line<C> {
        match place {
            Place::Fact(line) | Place::One(line) => self.lines[line],
            Place::Two(_) => self.pair(place, first),
        }
    }

    fn pair(&self, place: Place, first: usize) -> Line<C> {
        self.lines[self.number(place, first)]
    }

    pub(crate) fn pair_mut(&mut self, place: Place, first: usize) -> &mut Line<C> {
        let number = self.number(place, first);
        &mut self.lines[number]
    }

    fn number(&self, place: Place, first: usize) -> usize {
        match place {
            Place::Fact(line) | Place::One(line) => line,
            Place::Two(number) => self.few + number * self.size + first,
        }
    }

    /// The values of a predicate of two for all first ones.
    pub(crate) fn column(&self, number: usize, second: usize) -> Line<C> {
        let mut line = Line::default();
        let rows = &self.lines[self.few + number * self.size..][..self.size];
        for (first, row) in rows.iter().enumerate() {
            line.yes |= C::one(first).when(row.yes.has(second));
            line.no |= C::one(first).when(row.no.has(second));
        }
        line
    }

    /// A value of a predicate; what it has no place for is not looked at.
    pub(crate) fn get(&self, place: Place, [a, b]: [usize; 2]) -> Kleene {
        match place {
            Place::Fact(line) => self.lines[line].at(0),
            Place::One(line) => self.lines[line].at(a),
            Place::Two(_) => self.pair(place, a).at(b),
        }
    }

    pub(crate) fn set(&mut self, place: Place, [a, b]: [usize; 2], value: Kleene) {
        let at = match place {
            Place::Fact(_) => 0,
            Place::One(_) => a,
            Place::Two(_) => b,
        };
        self.pair_mut(place, a).put(at, value);
    }

    /// The structure of these individuals; one that is named twice is there twice.
    pub(crate) fn chosen(&self, those: &[usize]) -> Planes<C> {
        let mut several = C::default();
        for (new, &old) in those.iter().enumerate() {
            several |= C::one(new).when(self.several.has(old));
        }
        let two = (self.lines.len() - self.few)
            .checked_div(self.size)
            .unwrap_or(0);
        let mut lines = Vec::with_capacity(self.few + two * those.len());
        lines.extend_from_slice(&self.lines[..self.facts]);
        let ones = &self.lines[self.facts..self.few];
        lines.extend(ones.iter().map(|line| line.chosen(those)));
        for number in 0..two {
            for &first in those {
                lines.push(self.pair(Place::Two(number), first).chosen(those));
            }
        }
        Planes {
            size: those.len(),
            several,
            facts: self.facts,
            few: self.few,
            lines,
        }
    }

    /// The same with an individual twice; the copy is the last one.
    ///
    /// # Errors
    /// If there are too many.
    pub(crate) fn doubled(&self, one: usize) -> Result<Planes<C>, Rejected> {
        if self.size == C::ROOM {
            return Err(too_many());
        }
        let those: Vec<usize> = (0..self.size).chain([one]).collect();
        Ok(self.chosen(&those))
    }

    /// The same with one more individual, for which nothing holds.
    ///
    /// # Errors
    /// If there are too many.
    pub(crate) fn enlarged(&self, places: &Places) -> Result<Planes<C>, Rejected> {
        if self.size == C::ROOM {
            return Err(too_many());
        }
        let new = C::one(self.size);
        let mut larger = Planes {
            size: self.size + 1,
            several: self.several,
            facts: self.facts,
            few: self.few,
            lines: Vec::with_capacity(places.lines(self.size + 1)),
        };
        larger.lines.extend_from_slice(&self.lines[..self.few]);
        for line in &mut larger.lines[self.facts..] {
            line.no |= new;
        }
        for number in 0..places.two {
            for first in 0..self.size {
                let mut line = self.pair(Place::Two(number), first);
                line.no |= new;
                larger.lines.push(line);
            }
            let nobody = Line::filled(Kleene::False, larger.everybody());
            larger.lines.push(nobody);
        }
        Ok(larger)
    }

    /// Lets each of these individuals be one with the first that has its image, where the images are
    /// numbered by these firsts.
    pub(crate) fn merged(&self, images: &[usize], firsts: &[usize], places: &Places) -> Planes<C> {
        let mut merged = self.chosen(firsts);
        let joined = |line: Line<C>, into: &mut Line<C>| {
            for (one, &image) in images.iter().enumerate() {
                into.yes |= C::one(image).when(line.yes.has(one));
                into.no |= C::one(image).when(line.no.has(one));
            }
        };
        for (one, &image) in images.iter().enumerate() {
            let several = self.several.has(one) || firsts[image] != one;
            merged.several |= C::one(image).when(several);
        }
        for line in self.facts..self.few {
            joined(self.lines[line], &mut merged.lines[line]);
        }
        for number in 0..places.two {
            let place = Place::Two(number);
            for (first, &image) in images.iter().enumerate() {
                joined(self.pair(place, first), merged.pair_mut(place, image));
            }
        }
        merged
    }

    /// The same, in as few words as it has room in.
    pub(crate) fn packed(&self) -> Packed {
        let bits = self.facts * 2 + self.size * (1 + 2 * (self.lines.len() - self.facts));
        let mut words = Vec::with_capacity(bits.div_ceil(WORD));
        let mut used = WORD;
        let mut put = |bits: u64, count: usize| {
            if count == 0 {
                return;
            }
            if used == WORD {
                words.push(bits);
                used = count;
                return;
            }
            if let Some(last) = words.last_mut() {
                *last |= bits << used;
            }
            used += count;
            if used > WORD {
                used -= WORD;
                words.push(bits >> (count - used));
            }
        };
        let mut put = |those: C, count: usize| {
            // There is one, as a rule.
            let words = if C::WORDS == 1 {
                1
            } else {
                count.div_ceil(WORD)
            };
            for word in 0..words {
                put(those.word(word), (count - word * WORD).min(WORD));
            }
        };
        put(self.several, self.size);
        for (number, line) in self.lines.iter().enumerate() {
            let count = if number < self.facts { 1 } else { self.size };
            put(line.yes, count);
            put(line.no, count);
        }
        Packed {
            size: self.size,
            words: words.into(),
        }
    }
}

/// A structure that is only compared with others: its bits, one after the other.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Packed {
    pub(crate) size: usize,
    words: Box<[u64]>,
}

impl Packed {
    /// Whether it stands for all that another one stands for whose individuals are its own, in the same
    /// order: each bit says that something may be so.
    pub(crate) fn covers(&self, other: &Packed) -> bool {
        let mut words = self.words.iter().zip(&other.words);
        self.size == other.size && words.all(|(own, other)| other & !own == 0)
    }
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;
    use model::predicates::{Kleene, Predicate, Structure};
    use source::Span;

    use super::*;
    use crate::crowd::Many;

    fn predicates() -> Vec<Predicate> {
        let predicate = |arity| Predicate {
            name: String::new(),
            arity,
            abstraction: false,
            unique: false,
            injective: false,
            definition: None,
            span: Span::NONE,
        };
        [2, 1, 0, 1, 2, 1].map(predicate).into()
    }

    fn structure(random: &mut Rng, size: usize, unknown: bool) -> Structure {
        let summary = (0..size).map(|_| unknown && random.bool()).collect();
        let mut structure = Structure::new(&predicates(), summary);
        let kinds = if unknown { 3 } else { 2 };
        for value in structure.values.iter_mut().flatten() {
            *value = [Kleene::False, Kleene::True, Kleene::Unknown][random.usize(..kinds)];
        }
        structure
    }

    #[test]
    fn individuals_that_become_one_are_stood_for() {
        let predicates = predicates();
        let places = Places::new(&predicates).unwrap();
        let mut fewer = 0;
        for seed in 0..500 {
            let mut random = Rng::with_seed(seed);
            let size = 1 + random.usize(..4);
            let known = structure(&mut random, size, false);
            let (mut images, mut firsts): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
            for one in 0..size {
                let image = random.usize(..=firsts.len());
                if image == firsts.len() {
                    firsts.push(one);
                }
                images.push(image);
            }
            fewer += usize::from(firsts.len() < size);
            let planes = Planes::<u64>::read(&known, &places).unwrap();
            let merged = planes.merged(&images, &firsts, &places);
            let merged = merged.written(&places, &predicates);
            assert!(merged.stands_for(&known, &predicates), "{seed}: {merged:?}");
        }
        assert!(fewer > 200, "{fewer}");
    }

    /// Compares structures of these sizes as they are and packed.
    fn compare<C: Crowd>(sizes: &[usize]) {
        let predicates = predicates();
        let places = Places::new(&predicates).unwrap();
        let (mut equal, mut covered) = (0, 0);
        for seed in 0..3_000 {
            let mut random = Rng::with_seed(seed);
            // Some fill more than a word, and some have rows that two words share.
            let size = sizes[random.usize(..sizes.len())];
            let one = structure(&mut random, size, true);
            let mut other = one.clone();
            for _ in 0..random.usize(..3) {
                let number = random.usize(..predicates.len());
                let values = &mut other.values[number];
                if !values.is_empty() {
                    let at = random.usize(..values.len());
                    values[at] = [Kleene::False, Kleene::True, Kleene::Unknown][random.usize(..3)];
                }
            }
            if size > 0 && random.usize(..4) == 0 {
                other.summary[random.usize(..size)] = random.bool();
            }
            let packed =
                [&one, &other].map(|one| Planes::<C>::read(one, &places).unwrap().packed());
            let many = Planes::<Many>::read(&one, &places).unwrap();
            assert_eq!(packed[0], many.packed(), "{seed}");
            assert_eq!(many.written(&places, &predicates), one, "{seed}");
            assert_eq!(packed[0] == packed[1], one == other, "{seed}");
            let values = one.values.iter().flatten();
            let mut pairs = values.zip(other.values.iter().flatten());
            let mut summary = one.summary.iter().zip(&other.summary);
            let covers = pairs.all(|(own, other)| own.covers(*other))
                && summary.all(|(own, other)| *own || !other);
            assert_eq!(packed[0].covers(&packed[1]), covers, "{seed}");
            equal += usize::from(one == other);
            covered += usize::from(covers && one != other);
        }
        assert!(equal > 500 && covered > 200, "{equal} {covered}");
    }

    #[test]
    fn packed_structures_are_compared_as_they_are() {
        let sizes = [0, 1, 2, 5, 7, 13, 64];
        compare::<u64>(&sizes);
        compare::<Many>(&[&sizes[..], &[65, 128, 130]].concat());
    }
}
