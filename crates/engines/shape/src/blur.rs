//! Canonical abstraction: individuals with the same values of the predicates that keep them apart
//! become one, and all stand in the order of these values.
//!
//! So a structure has at most one individual for each vector of values, and two structures that
//! differ only in how individuals are numbered are equal (Sagiv, Reps and Wilhelm 2002, section 4.3).

use crate::compile::Layout;
use crate::matrix::{Row, Shape};

impl Shape {
    /// The vectors of all individuals, one after the other, and the length of each.
    fn all_names(&self, layout: &Layout) -> (Vec<u64>, usize) {
        let length = layout.names.len().div_ceil(32);
        let mut names = vec![0; self.size * length];
        for (word, places) in layout.names.chunks(32).enumerate() {
            for &place in places {
                let row = self.one[place];
                for individual in 0..self.size {
                    let name = &mut names[individual * length + word];
                    *name =
                        *name << 2 | (row.may >> individual & 1) << 1 | row.must >> individual & 1;
                }
            }
        }
        (names, length)
    }

    /// The canonical abstraction.
    pub(crate) fn blurred(self, layout: &Layout) -> Shape {
        let (names, length) = self.all_names(layout);
        let name = |individual: usize| &names[individual * length..][..length];
        if (1..self.size).all(|individual| name(individual - 1) < name(individual)) {
            return self;
        }
        let mut order: Vec<usize> = (0..self.size).collect();
        order.sort_by(|&one, &other| name(one).cmp(name(other)));
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (place, &individual) in order.iter().enumerate() {
            match groups.last_mut() {
                Some(group) if name(order[place - 1]) == name(individual) => group.push(individual),
                _ => groups.push(vec![individual]),
            }
        }
        if groups.len() == self.size {
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
            none: self.none,
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
