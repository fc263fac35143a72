//! Cubes: sets of states, as values of a few signals.

/// A signal's value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct SignalValue(u32);

impl SignalValue {
    pub(crate) fn new(signal: usize, value: bool) -> Self {
        SignalValue((signal as u32) << 1 | u32::from(value))
    }

    pub(crate) fn signal(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(crate) fn value(self) -> bool {
        self.0 & 1 == 1
    }
}

/// The states in which these signals have these values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Cube {
    /// Sorted, each signal once.
    pub(crate) literals: Vec<SignalValue>,
    /// A bit for each literal, some sharing one: a subset's bits are a subset.
    signature: u64,
}

impl Cube {
    pub(crate) fn new(mut literals: Vec<SignalValue>) -> Self {
        literals.sort_unstable();
        literals.dedup();
        let signature = literals.iter().fold(0, |bits, l| {
            bits | 1 << (l.0.wrapping_mul(0x9e37_79b1) >> 26)
        });
        Cube {
            literals,
            signature,
        }
    }

    /// Whether it is the same cube.
    pub(crate) fn same(&self, other: &Cube) -> bool {
        self.signature == other.signature && self.literals == other.literals
    }

    /// Whether all states of the other are among its own.
    pub(crate) fn includes(&self, other: &Cube) -> bool {
        if self.signature & !other.signature != 0 || self.literals.len() > other.literals.len() {
            return false;
        }
        let mut theirs = other.literals.iter();
        self.literals
            .iter()
            .all(|own| theirs.by_ref().take_while(|l| *l <= own).any(|l| l == own))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_literals_include_more_states() {
        let cube = |list: &[(usize, bool)]| {
            Cube::new(list.iter().map(|&(s, v)| SignalValue::new(s, v)).collect())
        };
        let small = cube(&[(7, true), (2, false)]);
        assert!(small.includes(&cube(&[(2, false), (5, true), (7, true)])));
        assert!(small.includes(&small));
        assert!(!small.includes(&cube(&[(2, true), (5, true), (7, true)])));
        assert!(!small.includes(&cube(&[(2, false)])));
        assert!(cube(&[]).includes(&small));
    }
}
