//! Pseudo-random numbers, the same on every machine.

/// A generator (Steele, Lea and Flood: *Fast splittable pseudorandom number generators*,
/// OOPSLA 2014).
pub(crate) struct Random(fastrand::Rng);

impl Random {
    /// The generator of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = Random(fastrand::Rng::with_seed(seed));
        // The first numbers of neighbouring seeds are alike.
        random.next();
        random
    }

    fn next(&mut self) -> u64 {
        self.0.u64(..)
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n as u64).expect("below a usize")
    }

    /// True in so many of a hundred cases.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of them.
    pub(crate) fn pick<'a, T: ?Sized>(&mut self, items: &[&'a T]) -> &'a T {
        items[self.below(items.len())]
    }

    /// The place of one of them, the likelier the greater its weight.
    pub(crate) fn weighted(&mut self, weights: &[usize]) -> usize {
        let mut left = self.below(weights.iter().sum());
        for (place, &weight) in weights.iter().enumerate() {
            if left < weight {
                return place;
            }
            left -= weight;
        }
        unreachable!("less than the sum of all weights")
    }
}
