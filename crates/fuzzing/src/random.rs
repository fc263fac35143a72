//! A small random number generator: Steele, Lea and Flood, "Fast splittable pseudorandom number
//! generators" (2014).

/// Numbers that depend on a seed alone.
#[derive(Clone, Debug)]
pub struct Random(fastrand::Rng);

impl Random {
    /// The numbers of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Random {
        Random(fastrand::Rng::with_seed(seed))
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0.u64(..)
    }

    /// A number below `limit`; 0 if that is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.number() % (limit.max(1) as u64)).expect("less than a usize")
    }

    /// Whether something with this chance, in percent, happens.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of some things; none if there are none.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }
}
