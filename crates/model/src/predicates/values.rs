//! The values of all predicates, one after the other.

use std::hash::{Hash, Hasher};
use std::ops::{Index, IndexMut};
use std::sync::Arc;

use super::formula::Kleene;

/// The values of each predicate: for one, arguments are digits of an index, the last the lowest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Values {
    all: Vec<Kleene>,
    /// Where the values of each predicate begin; and where the last ones end.
    starts: Arc<[usize]>,
}

impl Values {
    /// So many values of each predicate, all of them false.
    pub(super) fn new(counts: impl Iterator<Item = usize>) -> Values {
        let mut end = 0;
        let ends = counts.map(|count| {
            end += count;
            end
        });
        let starts: Arc<[usize]> = std::iter::once(0).chain(ends).collect();
        Values {
            all: vec![Kleene::False; end],
            starts,
        }
    }

    /// How many predicates there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there is no predicate.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The values of each predicate.
    pub fn iter(&self) -> impl Iterator<Item = &[Kleene]> {
        self.starts
            .windows(2)
            .map(|ends| &self.all[ends[0]..ends[1]])
    }

    /// The values of each predicate, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut [Kleene]> {
        let mut rest = self.all.as_mut_slice();
        self.starts.windows(2).map(move |ends| {
            let (own, others) = std::mem::take(&mut rest).split_at_mut(ends[1] - ends[0]);
            rest = others;
            own
        })
    }
}

impl Hash for Values {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Two bits a value.
        for some in self.all.chunks(32) {
            state.write_u64(some.iter().fold(0, |all, &one| all << 2 | one as u64));
        }
    }
}

impl Default for Values {
    fn default() -> Values {
        Values::new(std::iter::empty())
    }
}

impl FromIterator<Vec<Kleene>> for Values {
    fn from_iter<T: IntoIterator<Item = Vec<Kleene>>>(predicates: T) -> Values {
        let (mut all, mut starts) = (Vec::new(), vec![0]);
        for values in predicates {
            all.extend(values);
            starts.push(all.len());
        }
        Values {
            all,
            starts: starts.into(),
        }
    }
}

impl Index<usize> for Values {
    type Output = [Kleene];

    fn index(&self, predicate: usize) -> &[Kleene] {
        &self.all[self.starts[predicate]..self.starts[predicate + 1]]
    }
}

impl IndexMut<usize> for Values {
    fn index_mut(&mut self, predicate: usize) -> &mut [Kleene] {
        &mut self.all[self.starts[predicate]..self.starts[predicate + 1]]
    }
}
