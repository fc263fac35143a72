//! Three-valued structures as two bits a value.
//!
//! A row holds the values of a predicate for all individuals: one set says where it may hold, another
//! where it must. A predicate of two individuals has a row for each first one.

use model::predicates::{Kleene, Structure};

use crate::compile::Layout;
use crate::set::Set;

/// The values of something for each individual: where it may hold, and where it must.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) struct Row<S> {
    pub(crate) may: S,
    /// A part of `may`.
    pub(crate) must: S,
}

impl<S: Set> Row<S> {
    /// The same value for all of these individuals.
    pub(crate) fn all(value: Kleene, individuals: S) -> Row<S> {
        match value {
            Kleene::False => Row::default(),
            Kleene::Unknown => Row {
                may: individuals,
                must: S::default(),
            },
            Kleene::True => Row {
                may: individuals,
                must: individuals,
            },
        }
    }

    pub(crate) fn get(self, individual: usize) -> Kleene {
        match (self.may.has(individual), self.must.has(individual)) {
            (false, _) => Kleene::False,
            (true, false) => Kleene::Unknown,
            (true, true) => Kleene::True,
        }
    }

    pub(crate) fn set(&mut self, individual: usize, value: Kleene) {
        let bit = S::only(individual);
        self.may &= !bit;
        self.must &= !bit;
        let value = Row::all(value, bit);
        self.may |= value.may;
        self.must |= value.must;
    }

    /// Where it is not known.
    pub(crate) fn unknown(self) -> S {
        self.may & !self.must
    }

    pub(crate) fn and(self, other: Row<S>) -> Row<S> {
        Row {
            may: self.may & other.may,
            must: self.must & other.must,
        }
    }

    pub(crate) fn or(self, other: Row<S>) -> Row<S> {
        Row {
            may: self.may | other.may,
            must: self.must | other.must,
        }
    }

    /// The opposite, among these individuals.
    pub(crate) fn not(self, individuals: S) -> Row<S> {
        Row {
            may: individuals & !self.must,
            must: individuals & !self.may,
        }
    }

    /// This row with its values moved.
    fn moved(self, moves: &Moves<S>) -> Row<S> {
        if self.may.is_empty() {
            return self;
        }
        let mut row = Row::default();
        for &(from, left) in &moves.0 {
            row.may |= (self.may & from).rotated(left);
            row.must |= (self.must & from).rotated(left);
        }
        row
    }
}

/// Where values are moved: those of some individuals, so many places to the left, where places are a
/// circle.
struct Moves<S>(Vec<(S, usize)>);

impl<S: Set> Moves<S> {
    /// Individual `i` of the new structure is `places[i]` of the old one.
    fn to(places: &[usize]) -> Moves<S> {
        let mut moves: Vec<(S, usize)> = Vec::new();
        for (new, &old) in places.iter().enumerate() {
            let left = (new + S::MOST - old) % S::MOST;
            match moves.iter_mut().find(|(_, known)| *known == left) {
                Some((from, _)) => *from |= S::only(old),
                None => moves.push((S::only(old), left)),
            }
        }
        Moves(moves)
    }
}

/// A structure.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Shape<S> {
    /// How many individuals it has.
    pub(crate) size: usize,
    /// Which of them may stand for several.
    pub(crate) summary: S,
    /// Predicates of none: bits of one row.
    pub(crate) none: Vec<Row<S>>,
    /// Predicates of one, a row each.
    pub(crate) one: Vec<Row<S>>,
    /// Predicates of two, a row for each first individual, predicate by predicate.
    pub(crate) two: Vec<Row<S>>,
}

impl<S: Set> Shape<S> {
    /// All individuals.
    pub(crate) fn individuals(&self) -> S {
        S::first(self.size)
    }

    pub(crate) fn pair(&self, predicate: usize, first: usize) -> Row<S> {
        self.two[predicate * self.size + first]
    }

    pub(crate) fn pair_mut(&mut self, predicate: usize, first: usize) -> &mut Row<S> {
        &mut self.two[predicate * self.size + first]
    }

    /// The structure of these individuals of this one; what is named twice is there twice.
    pub(crate) fn picked(&self, places: &[usize]) -> Shape<S> {
        let pairs = self.two.len().checked_div(self.size).unwrap_or(0);
        let moves = Moves::to(places);
        let mut two = Vec::with_capacity(pairs * places.len());
        for predicate in 0..pairs {
            for &first in places {
                two.push(self.pair(predicate, first).moved(&moves));
            }
        }
        let summary = Row {
            may: self.summary,
            must: S::default(),
        };
        Shape {
            size: places.len(),
            summary: summary.moved(&moves).may,
            none: self.none.clone(),
            one: self.one.iter().map(|row| row.moved(&moves)).collect(),
            two,
        }
    }

    /// The same with one more individual, for which nothing holds.
    pub(crate) fn enlarged(&self, layout: &Layout) -> Shape<S> {
        let mut two = Vec::with_capacity(layout.two.len() * (self.size + 1));
        for predicate in 0..layout.two.len() {
            for first in 0..self.size {
                two.push(self.pair(predicate, first));
            }
            two.push(Row::default());
        }
        Shape {
            size: self.size + 1,
            two,
            ..self.clone()
        }
    }

    /// Reads a structure; `None`: it has too many individuals.
    pub(crate) fn read(structure: &Structure, layout: &Layout) -> Option<Shape<S>> {
        let size = structure.size();
        if size > S::MOST {
            return None;
        }
        let row = |values: &[Kleene]| {
            let mut row = Row::<S>::default();
            for (individual, &value) in values.iter().enumerate() {
                row.set(individual, value);
            }
            row
        };
        let mut summary = S::default();
        for (individual, &several) in structure.summary.iter().enumerate() {
            summary |= S::only(individual).given(several);
        }
        let rows = |all: &[usize]| {
            let rows = all
                .iter()
                .map(|&predicate| row(&structure.values[predicate]));
            rows.collect()
        };
        let mut two = Vec::new();
        for &predicate in &layout.two {
            let values = &structure.values[predicate];
            two.extend((0..size).map(|first| row(&values[first * size..][..size])));
        }
        Some(Shape {
            size,
            summary,
            none: rows(&layout.none),
            one: rows(&layout.one),
            two,
        })
    }

    /// Writes it as others read it, on a structure of as many individuals.
    pub(crate) fn written(&self, layout: &Layout, mut structure: Structure) -> Structure {
        for (individual, several) in structure.summary.iter_mut().enumerate() {
            *several = self.summary.has(individual);
        }
        let all = |row: Row<S>, values: &mut [Kleene]| {
            for (individual, value) in values.iter_mut().enumerate() {
                *value = row.get(individual);
            }
        };
        for (row, &predicate) in self.none.iter().zip(&layout.none) {
            all(*row, &mut structure.values[predicate]);
        }
        for (row, &predicate) in self.one.iter().zip(&layout.one) {
            all(*row, &mut structure.values[predicate]);
        }
        for (place, &predicate) in layout.two.iter().enumerate() {
            let values = &mut structure.values[predicate];
            for (first, values) in values.chunks_mut(self.size.max(1)).enumerate() {
                all(self.pair(place, first), values);
            }
        }
        structure
    }

    /// Bytes that it takes.
    pub(crate) fn bytes(&self) -> usize {
        let rows = self.none.len() + self.one.len() + self.two.len();
        std::mem::size_of::<Shape<S>>() + rows * std::mem::size_of::<Row<S>>()
    }
}
