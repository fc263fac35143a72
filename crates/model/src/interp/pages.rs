//! Tables that states share as far as they are equal.
//!
//! A run keeps a state for each of its steps, and a step changes little. So a table is cut into
//! pages, a copy shares them, and only a page that is written to is copied for good. What two
//! states that follow one another differ in is found without looking at what they share.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::ops::{Index, IndexMut};
use std::sync::{Arc, OnceLock};

use rapidhash::fast::RapidHasher;

/// Rows of a page.
const ROWS: usize = 32;

/// A table whose copies share what has not been changed since.
///
/// ```
/// use model::interp::Pages;
///
/// let before: Pages<u32> = (0..1000).collect();
/// let mut after = before.clone();
/// after[700] = 7;
/// assert_eq!(before[700], 700);
/// assert_eq!(after.changed(&before).collect::<Vec<_>>(), [700]);
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pages<T> {
    /// All but the last are full, and none is empty, so that equal tables are cut in the same way.
    pages: Vec<Arc<Page<T>>>,
}

/// Some rows, and their hash once somebody has asked for it: tables that share a page share that.
#[derive(Debug)]
struct Page<T> {
    rows: Vec<T>,
    hash: OnceLock<u64>,
}

impl<T> Page<T> {
    fn new(rows: Vec<T>) -> Arc<Self> {
        let hash = OnceLock::new();
        Arc::new(Page { rows, hash })
    }
}

impl<T: Clone> Page<T> {
    /// The rows of a page, to be changed.
    fn rows(page: &mut Arc<Self>) -> &mut Vec<T> {
        let page = Arc::make_mut(page);
        page.hash.take();
        &mut page.rows
    }
}

impl<T: Clone> Clone for Page<T> {
    /// A copy is made to be changed.
    fn clone(&self) -> Self {
        Page {
            rows: self.rows.clone(),
            hash: OnceLock::new(),
        }
    }
}

impl<T: PartialEq> PartialEq for Page<T> {
    fn eq(&self, other: &Self) -> bool {
        self.rows == other.rows
    }
}

impl<T: Eq> Eq for Page<T> {}

impl<T: PartialOrd> PartialOrd for Page<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.rows.partial_cmp(&other.rows)
    }
}

impl<T: Ord> Ord for Page<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rows.cmp(&other.rows)
    }
}

impl<T: Hash> Hash for Page<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let hash = self.hash.get_or_init(|| {
            let mut hasher = RapidHasher::default();
            self.rows.hash(&mut hasher);
            hasher.finish()
        });
        state.write_u64(*hash);
    }
}

impl<T> Pages<T> {
    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        let last = self.pages.last();
        last.map_or(0, |last| (self.pages.len() - 1) * ROWS + last.rows.len())
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// A row, if there are so many.
    #[must_use]
    pub fn get(&self, row: usize) -> Option<&T> {
        self.pages.get(row / ROWS)?.rows.get(row % ROWS)
    }

    /// The last row.
    #[must_use]
    pub fn last(&self) -> Option<&T> {
        self.pages.last()?.rows.last()
    }

    /// The rows, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> + Clone {
        self.pages.iter().flat_map(|page| page.rows.iter())
    }
}

impl<T: PartialEq> Pages<T> {
    /// The rows in which the tables differ, in order; where one is longer, those that the other
    /// does not have as well.
    pub fn changed<'a>(&'a self, other: &'a Pages<T>) -> impl Iterator<Item = usize> + 'a {
        let count = self.pages.len().max(other.pages.len());
        let page = |number: usize| (self.pages.get(number), other.pages.get(number));
        (0..count)
            .filter(move |&number| match page(number) {
                (Some(one), Some(two)) => !Arc::ptr_eq(one, two),
                _ => true,
            })
            .flat_map(|number| number * ROWS..(number + 1) * ROWS)
            .filter(|&row| self.get(row) != other.get(row))
    }
}

impl<T: Clone> Pages<T> {
    /// Adds a row.
    pub fn push(&mut self, row: T) {
        match self.pages.last_mut() {
            Some(last) if last.rows.len() < ROWS => Page::rows(last).push(row),
            _ => self.pages.push(Page::new(vec![row])),
        }
    }

    /// Takes the last row away.
    pub fn pop(&mut self) -> Option<T> {
        let last = Page::rows(self.pages.last_mut()?);
        let row = last.pop();
        if last.is_empty() {
            self.pages.pop();
        }
        row
    }

    /// Keeps the first rows only.
    pub fn truncate(&mut self, rows: usize) {
        self.pages.truncate(rows.div_ceil(ROWS));
        let is_cut = self.pages.len() * ROWS > rows;
        if let Some(last) = self.pages.last_mut().filter(|_| is_cut)
            && last.rows.len() > rows % ROWS
        {
            Page::rows(last).truncate(rows % ROWS);
        }
    }

    /// The rows, to be changed: copies share nothing afterwards.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        let pages = self.pages.iter_mut();
        pages.flat_map(|page| Page::rows(page).iter_mut())
    }
}

impl<T> Default for Pages<T> {
    fn default() -> Self {
        Pages { pages: Vec::new() }
    }
}

impl<T> Index<usize> for Pages<T> {
    type Output = T;

    fn index(&self, row: usize) -> &T {
        &self.pages[row / ROWS].rows[row % ROWS]
    }
}

impl<T: Clone> IndexMut<usize> for Pages<T> {
    fn index_mut(&mut self, row: usize) -> &mut T {
        &mut Page::rows(&mut self.pages[row / ROWS])[row % ROWS]
    }
}

impl<T> FromIterator<T> for Pages<T> {
    fn from_iter<I: IntoIterator<Item = T>>(rows: I) -> Self {
        let mut rows = rows.into_iter().peekable();
        let mut pages = Vec::new();
        while rows.peek().is_some() {
            pages.push(Page::new(rows.by_ref().take(ROWS).collect()));
        }
        Pages { pages }
    }
}

#[cfg(test)]
mod tests {
    use std::hash::{BuildHasher, RandomState};

    use super::*;

    /// A table and the plain one that it has to agree with, after some changes.
    fn grown(seed: u64) -> (Pages<u64>, Vec<u64>) {
        let (mut pages, mut plain) = (Pages::default(), Vec::new());
        let mut at = seed;
        for _ in 0..400 {
            at = at.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let (what, value) = (at >> 61, at >> 33);
            let place = usize::try_from(value).expect("31 bits") % plain.len().max(1);
            match what {
                0 => assert_eq!(pages.pop(), plain.pop()),
                1 if value.is_multiple_of(16) => {
                    pages.truncate(place);
                    plain.truncate(place);
                }
                1 | 2 if !plain.is_empty() => {
                    pages[place] = value;
                    plain[place] = value;
                }
                _ => {
                    pages.push(value);
                    plain.push(value);
                }
            }
            assert_eq!(pages.len(), plain.len());
            assert_eq!(pages.last(), plain.last());
            assert_eq!(pages.is_empty(), plain.is_empty());
        }
        (pages, plain)
    }

    #[test]
    fn a_table_in_pages_is_one_in_a_row() {
        for seed in 0..60 {
            let (pages, plain) = grown(seed);
            assert!(pages.iter().eq(&plain), "{pages:?}");
            assert!(pages.iter().rev().eq(plain.iter().rev()));
            assert!((0..=plain.len()).all(|row| pages.get(row) == plain.get(row)));
            let again: Pages<u64> = plain.iter().copied().collect();
            assert_eq!(pages, again, "however it was made");
            let hashes = RandomState::new();
            assert_eq!(hashes.hash_one(&pages), hashes.hash_one(&again));
            let mut other = pages.clone();
            if let Some(row) = other.iter_mut().last() {
                *row += 1;
                assert_ne!(hashes.hash_one(&pages), hashes.hash_one(&other));
                other.pop();
                other.push(plain[plain.len() - 1]);
                assert_eq!(hashes.hash_one(&pages), hashes.hash_one(&other));
            }
            let (others, other) = grown(seed + 1);
            assert_eq!(pages.cmp(&others), plain.cmp(&other));
        }
    }

    #[test]
    fn what_is_changed_is_found_and_nothing_else() {
        for seed in 0..60 {
            let (pages, mut plain) = grown(seed);
            let mut after = pages.clone();
            for row in [0, 31, 32, 40] {
                if row < plain.len() {
                    after[row] = 1;
                    plain[row] = 1;
                }
            }
            for value in &mut after.iter_mut().take(3) {
                *value += 1;
            }
            plain.iter_mut().take(3).for_each(|value| *value += 1);
            if seed.is_multiple_of(2) {
                after.push(5);
                plain.push(5);
            }
            assert!(after.iter().eq(&plain));
            let differs = |&row: &usize| pages.get(row) != plain.get(row);
            let expected: Vec<usize> = (0..plain.len()).filter(differs).collect();
            assert_eq!(after.changed(&pages).collect::<Vec<_>>(), expected);
            assert_eq!(pages.changed(&after).collect::<Vec<_>>(), expected);
            assert_eq!(pages.changed(&pages).count(), 0);
        }
    }
}
