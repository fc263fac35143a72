//! How many assignments satisfy a function, on what it depends, how large it is.

use std::collections::HashMap;

use super::manager::{Bdd, Manager};
use super::table::NONE;
use super::{Edge, Var};

/// A number that may be far beyond what fits: `mantissa * 2^exponent`. Whole numbers below 2^53
/// are exact.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Count {
    mantissa: f64,
    exponent: i64,
}

impl Count {
    const ZERO: Count = Count {
        mantissa: 0.0,
        exponent: 0,
    };
    const ONE: Count = Count {
        mantissa: 1.0,
        exponent: 0,
    };

    /// The number, or infinity if it does not fit.
    #[must_use]
    pub fn value(self) -> f64 {
        self.mantissa * 2f64.powi(i32::try_from(self.exponent).unwrap_or(i32::MAX))
    }

    /// The logarithm to base 2; minus infinity for 0.
    #[must_use]
    pub fn log2(self) -> f64 {
        self.mantissa.log2() + self.exponent as f64
    }

    fn half(self) -> Count {
        self.times_power_of_two(-1)
    }

    fn times_power_of_two(self, power: i64) -> Count {
        if self.mantissa == 0.0 {
            return self;
        }
        Count {
            mantissa: self.mantissa,
            exponent: self.exponent + power,
        }
    }

    fn plus(self, other: Count) -> Count {
        if self.mantissa == 0.0 {
            return other;
        }
        if other.mantissa == 0.0 {
            return self;
        }
        let (large, small) = if self.exponent >= other.exponent {
            (self, other)
        } else {
            (other, self)
        };
        let shift = i32::try_from(small.exponent - large.exponent).unwrap_or(-2000);
        let mut sum = Count {
            mantissa: large.mantissa + small.mantissa * 2f64.powi(shift.max(-1000)),
            exponent: large.exponent,
        };
        while sum.mantissa >= 2.0 {
            sum.mantissa /= 2.0;
            sum.exponent += 1;
        }
        sum
    }
}

impl Manager {
    /// The number of assignments to so many variables, among which are all that the function
    /// depends on, that satisfy it.
    pub(crate) fn count(&self, f: &Bdd, variables: usize) -> Count {
        let mut known = HashMap::new();
        // A share of all assignments; both polarities are added up, so nothing cancels out.
        self.share(f.edge(), &mut known)
            .times_power_of_two(variables as i64)
    }

    fn share(&self, f: Edge, known: &mut HashMap<Edge, Count>) -> Count {
        if f.is_constant() {
            return if f == Edge::ONE {
                Count::ONE
            } else {
                Count::ZERO
            };
        }
        if let Some(&count) = known.get(&f) {
            return count;
        }
        let (high, low) = self.cofactors(f, self.level_of(f));
        let sum = self.share(high, known).plus(self.share(low, known)).half();
        known.insert(f, sum);
        sum
    }

    /// The variables that a function depends on, by number.
    pub(crate) fn support(&self, f: &Bdd) -> Vec<Var> {
        let mut found = vec![false; self.variable_count()];
        self.visit(&[f], |var| found[var as usize] = true);
        let vars = (0..found.len()).filter(|&var| found[var]);
        vars.map(|var| Var(var as u32)).collect()
    }

    /// The number of nodes that some functions share.
    pub(crate) fn size(&self, functions: &[&Bdd]) -> usize {
        let mut count = 0;
        self.visit(functions, |_| count += 1);
        count
    }

    fn visit(&self, functions: &[&Bdd], mut on: impl FnMut(u32)) {
        let mut marks = self.marks.borrow_mut();
        marks.begin(self.nodes.len());
        let mut waiting: Vec<usize> = functions.iter().map(|f| f.edge().node()).collect();
        while let Some(at) = waiting.pop() {
            let node = &self.nodes[at];
            if node.var == NONE || !marks.mark(at) {
                continue;
            }
            on(node.var);
            waiting.push(node.high.node());
            waiting.push(node.low.node());
        }
    }
}

/// Which nodes a walk has seen; forgotten at the beginning of the next one, at no cost.
#[derive(Default)]
pub(super) struct Marks {
    walk: u32,
    seen: Vec<u32>,
}

impl Marks {
    fn begin(&mut self, nodes: usize) {
        if self.walk == u32::MAX {
            self.seen.fill(0);
            self.walk = 0;
        }
        self.walk += 1;
        if self.seen.len() < nodes {
            self.seen.resize(nodes, 0);
        }
    }

    /// Marks a node; whether it was not.
    fn mark(&mut self, node: usize) -> bool {
        std::mem::replace(&mut self.seen[node], self.walk) != self.walk
    }
}
