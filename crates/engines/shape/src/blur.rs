//! Canonical abstraction: individuals with the same values of the predicates that keep them apart
//! become one, and all stand in the order of these values.
//!
//! So a structure has at most one individual for each vector of values, and two structures that
//! differ only in how individuals are numbered are equal (Sagiv, Reps and Wilhelm 2002, section 4.3).

use crate::compile::Layout;
use crate::matrix::{Row, Shape};

/// The values that keep an individual apart, one after the other.
pub(crate) type Name = Vec<u64>;

impl Shape {
    /// The vector of an individual's values.
    pub(crate) fn name(&self, layout: &Layout, individual: usize) -> Name {
        let bits = layout.names.iter().map(|&place| {
            let row = self.one[place];
            (row.may >> individual & 1) << 1 | row.must >> individual & 1
        });
        let bits: Vec<u64> = bits.collect();
        let words = bits.chunks(32);
        words
            .map(|word| word.iter().fold(0, |all, bits| all << 2 | bits))
            .collect()
    }

    /// The canonical abstraction.
    pub(crate) fn blurred(&self, layout: &Layout) -> Shape {
        let mut named: Vec<(Name, usize)> = (0..self.size)
            .map(|individual| (self.name(layout, individual), individual))
            .collect();
        named.sort_unstable();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (place, (name, individual)) in named.iter().enumerate() {
            match groups.last_mut() {
                Some(group) if named[place - 1].0 == *name => group.push(*individual),
                _ => groups.push(vec![*individual]),
            }
        }
        if groups.len() == self.size {
            let order: Vec<usize> = named
                .into_iter()
                .map(|(_, individual)| individual)
                .collect();
            return self.picked(&order);
        }
        let mut summary = 0;
        for (place, group) in groups.iter().enumerate() {
            if group.len() > 1 || self.summary >> group[0] & 1 != 0 {
                summary |= 1 << place;
            }
        }
        let one = self.one.iter().map(|row| joined(*row, &groups)).collect();
        let pairs = self.two.len() / self.size.max(1);
        let mut two = Vec::with_capacity(pairs * groups.len());
        for predicate in 0..pairs {
            for group in &groups {
                let mut rows = group
                    .iter()
                    .map(|&first| joined(self.pair(predicate, first), &groups));
                let first = rows.next().unwrap_or_default();
                two.push(rows.fold(first, |a, b| Row {
                    may: a.may | b.may,
                    must: a.must & b.must,
                }));
            }
        }
        Shape {
            size: groups.len(),
            summary,
            none: self.none.clone(),
            one,
            two,
        }
    }
}

/// The values of groups: known where all of a group have the same.
fn joined(row: Row, groups: &[Vec<usize>]) -> Row {
    let mut result = Row::default();
    for (place, group) in groups.iter().enumerate() {
        let members: u64 = group.iter().fold(0, |all, one| all | 1 << one);
        result.may |= u64::from(row.may & members != 0) << place;
        result.must |= u64::from(row.must & members == members) << place;
    }
    result
}
