//! Canonical abstraction: individuals with the same values of the predicates that keep them apart
//! become one, and all stand in the order of these values.
//!
//! So a structure has at most one individual for each vector of values, and two structures that
//! differ only in how individuals are numbered are equal (Sagiv, Reps and Wilhelm 2002, section 4.3).

use crate::compile::Layout;
use crate::matrix::{Row, Shape};
use crate::set::Set;

impl<S: Set> Shape<S> {
    /// The vectors of all individuals, one after the other, and the length of each.
    fn all_names(&self, layout: &Layout) -> (Vec<u64>, usize) {
        let length = layout.names.len().div_ceil(32);
        let mut names = vec![0; self.size * length];
        for (word, places) in layout.names.chunks(32).enumerate() {
            for &place in places {
                let row = self.one[place];
                for individual in 0..self.size {
                    let name = &mut names[individual * length + word];
                    *name = *name << 2
                        | u64::from(row.may.has(individual)) << 1
                        | u64::from(row.must.has(individual));
                }
            }
        }
        (names, length)
    }

    /// The canonical abstraction.
    pub(crate) fn blurred(self, layout: &Layout) -> Shape<S> {
        let (names, length) = self.all_names(layout);
        let name = |individual: usize| &names[individual * length..][..length];
        if (1..self.size).all(|individual| name(individual - 1) < name(individual)) {
            return self;
        }
        let mut order: Vec<usize> = (0..self.size).collect();
        order.sort_by(|&one, &other| name(one).cmp(name(other)));
        let mut groups: Vec<S> = Vec::with_capacity(self.size);
        for (place, &individual) in order.iter().enumerate() {
            match groups.last_mut() {
                Some(group) if name(order[place - 1]) == name(individual) => {
                    *group |= S::only(individual);
                }
                _ => groups.push(S::only(individual)),
            }
        }
        if groups.len() == self.size {
            return self.picked(&order);
        }
        let mut summary = S::default();
        for (place, &group) in groups.iter().enumerate() {
            let several = group.count() > 1 || !(self.summary & group).is_empty();
            summary |= S::only(place).given(several);
        }
        let one = self.one.iter().map(|row| joined(*row, &groups)).collect();
        let pairs = self.two.len() / self.size.max(1);
        let mut two = Vec::with_capacity(pairs * groups.len());
        for predicate in 0..pairs {
            for group in &groups {
                let mut rows = group.members().map(|first| self.pair(predicate, first));
                let first = rows.next().unwrap_or_default();
                let all = rows.fold(first, |a, b| Row {
                    may: a.may | b.may,
                    must: a.must & b.must,
                });
                two.push(joined(all, &groups));
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
fn joined<S: Set>(row: Row<S>, groups: &[S]) -> Row<S> {
    let mut result = Row::default();
    if row.may.is_empty() {
        return result;
    }
    for (place, &group) in groups.iter().enumerate() {
        let bit = S::only(place);
        result.may |= bit.given(!(row.may & group).is_empty());
        result.must |= bit.given(row.must & group == group);
    }
    result
}
