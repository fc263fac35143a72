//! Three-valued structures as two bits a value.
//!
//! A row holds the values of a predicate for up to 64 individuals: one word says where it may hold,
//! another where it must. A predicate of two individuals has a row for each first one.

use model::predicates::{Kleene, Structure};

use crate::compile::Layout;

/// The values of something for each individual: where it may hold, and where it must.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) struct Row {
    pub(crate) may: u64,
    /// A part of `may`.
    pub(crate) must: u64,
}

impl Row {
    /// The same value for all of these individuals.
    pub(crate) fn all(value: Kleene, individuals: u64) -> Row {
        match value {
            Kleene::False => Row::default(),
            Kleene::Unknown => Row {
                may: individuals,
                must: 0,
            },
            Kleene::True => Row {
                may: individuals,
                must: individuals,
            },
        }
    }

    pub(crate) fn get(self, individual: usize) -> Kleene {
        match (self.may >> individual & 1, self.must >> individual & 1) {
            (0, _) => Kleene::False,
            (_, 0) => Kleene::Unknown,
            _ => Kleene::True,
        }
    }

    pub(crate) fn set(&mut self, individual: usize, value: Kleene) {
        let bit = 1 << individual;
        self.may &= !bit;
        self.must &= !bit;
        let value = Row::all(value, bit);
        self.may |= value.may;
        self.must |= value.must;
    }

    /// Where it is not known.
    pub(crate) fn unknown(self) -> u64 {
        self.may & !self.must
    }

    pub(crate) fn and(self, other: Row) -> Row {
        Row {
            may: self.may & other.may,
            must: self.must & other.must,
        }
    }

    pub(crate) fn or(self, other: Row) -> Row {
        Row {
            may: self.may | other.may,
            must: self.must | other.must,
        }
    }

    /// The opposite, among these individuals.
    pub(crate) fn not(self, individuals: u64) -> Row {
        Row {
            may: individuals & !self.must,
            must: individuals & !self.may,
        }
    }

    /// This row with its values moved.
    fn moved(self, moves: &Moves) -> Row {
        if self.may == 0 {
            return self;
        }
        let mut row = Row::default();
        for &(from, left) in &moves.0 {
            row.may |= (self.may & from).rotate_left(left);
            row.must |= (self.must & from).rotate_left(left);
        }
        row
    }
}

/// Where values are moved: those of some individuals, so many places to the left, where places are a
/// circle.
struct Moves(Vec<(u64, u32)>);

impl Moves {
    /// Individual `i` of the new structure is `places[i]` of the old one.
    fn to(places: &[usize]) -> Moves {
        let mut moves: Vec<(u64, u32)> = Vec::new();
        for (new, &old) in places.iter().enumerate() {
            let left = ((new + MOST - old) % MOST) as u32;
            match moves.iter_mut().find(|(_, known)| *known == left) {
                Some((from, _)) => *from |= 1 << old,
                None => moves.push((1 << old, left)),
            }
        }
        Moves(moves)
    }
}

/// The individuals of a set.
pub(crate) fn members(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = set.trailing_zeros() as usize;
        (set != 0).then(|| {
            set &= set - 1;
            first
        })
    })
}

/// A structure.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Shape {
    /// How many individuals it has.
    pub(crate) size: usize,
    /// Which of them may stand for several.
    pub(crate) summary: u64,
    /// Predicates of none: bits of one row.
    pub(crate) none: Vec<Row>,
    /// Predicates of one, a row each.
    pub(crate) one: Vec<Row>,
    /// Predicates of two, a row for each first individual, predicate by predicate.
    pub(crate) two: Vec<Row>,
}

/// The most individuals that a structure can have.
pub(crate) const MOST: usize = 64;

impl Shape {
    /// All individuals.
    pub(crate) fn individuals(&self) -> u64 {
        match self.size {
            0 => 0,
            size => u64::MAX >> (MOST - size),
        }
    }

    pub(crate) fn pair(&self, predicate: usize, first: usize) -> Row {
        self.two[predicate * self.size + first]
    }

    pub(crate) fn pair_mut(&mut self, predicate: usize, first: usize) -> &mut Row {
        &mut self.two[predicate * self.size + first]
    }

    /// The structure of these individuals of this one; what is named twice is there twice.
    pub(crate) fn picked(&self, places: &[usize]) -> Shape {
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
            must: 0,
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
    pub(crate) fn enlarged(&self, layout: &Layout) -> Shape {
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
    pub(crate) fn read(structure: &Structure, layout: &Layout) -> Option<Shape> {
        let size = structure.size();
        if size > MOST {
            return None;
        }
        let row = |values: &[Kleene]| {
            let mut row = Row::default();
            for (individual, &value) in values.iter().enumerate() {
                row.set(individual, value);
            }
            row
        };
        let mut summary = 0;
        for (individual, &several) in structure.summary.iter().enumerate() {
            summary |= u64::from(several) << individual;
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
            *several = self.summary >> individual & 1 != 0;
        }
        let all = |row: Row, values: &mut [Kleene]| {
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
        std::mem::size_of::<Shape>() + rows * std::mem::size_of::<Row>()
    }
}
