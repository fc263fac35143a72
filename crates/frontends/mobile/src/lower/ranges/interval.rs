//! Intervals of numbers, and what operators make of them.

use model::{Binary, Type};

/// The numbers from one to another, both included; truth values are 0 and 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Interval {
    pub(super) lo: i128,
    pub(super) hi: i128,
}

/// The values of a type; none if they are no numbers.
pub(super) fn of_type(ty: &Type) -> Option<Interval> {
    match ty {
        Type::Bool => Some(Interval { lo: 0, hi: 1 }),
        Type::Int { .. } => ty.bounds().map(|(lo, hi)| Interval { lo, hi }),
        _ => None,
    }
}

impl Interval {
    pub(super) const BOTH: Interval = Interval { lo: 0, hi: 1 };

    pub(super) fn one(number: i128) -> Interval {
        Interval {
            lo: number,
            hi: number,
        }
    }

    pub(super) fn truth(value: Option<bool>) -> Interval {
        value.map_or(Interval::BOTH, |value| Interval::one(i128::from(value)))
    }

    pub(super) fn join(self, other: Interval) -> Interval {
        Interval {
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
        }
    }

    pub(super) fn meet(self, other: Interval) -> Option<Interval> {
        let (lo, hi) = (self.lo.max(other.lo), self.hi.min(other.hi));
        (lo <= hi).then_some(Interval { lo, hi })
    }

    pub(super) fn is_within(self, other: Interval) -> bool {
        other.lo <= self.lo && self.hi <= other.hi
    }

    /// The only number in it.
    pub(super) fn only(self) -> Option<i128> {
        (self.lo == self.hi).then_some(self.lo)
    }

    /// The numbers reduced to a type: they wrap around unless all are in it.
    pub(super) fn reduced(self, bounds: Interval) -> Interval {
        match self.is_within(bounds) {
            true => self,
            false => bounds,
        }
    }

    fn corners(self, other: Interval, of: impl Fn(i128, i128) -> Option<i128>) -> Option<Interval> {
        let mut all: Option<Interval> = None;
        for a in [self.lo, self.hi] {
            for b in [other.lo, other.hi] {
                let one = Interval::one(of(a, b)?);
                all = Some(all.map_or(one, |all| all.join(one)));
            }
        }
        all
    }

    /// What an operator on numbers gives; none if nothing is known of it.
    pub(super) fn operated(self, op: Binary, other: Interval) -> Option<Interval> {
        let natural = self.lo >= 0 && other.lo >= 0;
        match op {
            Binary::Add => self.corners(other, i128::checked_add),
            Binary::Sub => self.corners(other, i128::checked_sub),
            Binary::Mul => self.corners(other, i128::checked_mul),
            // Between divisors of one sign, the quotient is monotone in both.
            Binary::Div if other.lo > 0 || other.hi < 0 => self.corners(other, i128::checked_div),
            Binary::Rem if other.lo > 0 => {
                let most = other.hi - 1;
                Some(Interval {
                    lo: if self.lo >= 0 {
                        0
                    } else {
                        (-most).max(self.lo)
                    },
                    hi: if self.hi <= 0 { 0 } else { most.min(self.hi) },
                })
            }
            Binary::BitAnd if self.lo >= 0 || other.lo >= 0 => {
                let most = match (self.lo >= 0, other.lo >= 0) {
                    (true, true) => self.hi.min(other.hi),
                    (true, false) => self.hi,
                    _ => other.hi,
                };
                Some(Interval { lo: 0, hi: most })
            }
            Binary::BitOr | Binary::BitXor if natural => {
                let bits = 128 - self.hi.max(other.hi).leading_zeros();
                Some(Interval {
                    lo: 0,
                    hi: (1i128 << bits.min(126)) - 1,
                })
            }
            // The count is taken modulo the width; below it, it is what it is.
            Binary::Shr if other.lo >= 0 && other.hi < 8 => {
                self.corners(other, |a, by| Some(a >> by))
            }
            Binary::Shl if other.lo >= 0 && other.hi < 8 => {
                self.corners(other, |a, by| a.checked_mul(1 << by))
            }
            _ => None,
        }
    }

    /// What a comparison gives, where the ranges decide it.
    pub(super) fn compared(self, op: Binary, other: Interval) -> Option<bool> {
        match op {
            Binary::Eq | Binary::Ne => {
                let equal = match (self.meet(other), self.only(), other.only()) {
                    (None, ..) => false,
                    (_, Some(a), Some(b)) if a == b => true,
                    _ => return None,
                };
                Some(equal == (op == Binary::Eq))
            }
            Binary::Lt if self.hi < other.lo => Some(true),
            Binary::Lt if self.lo >= other.hi => Some(false),
            Binary::Le if self.hi <= other.lo => Some(true),
            Binary::Le if self.lo > other.hi => Some(false),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On small ranges every operator covers what it gives on all pairs.
    #[test]
    fn operators_cover_all_pairs() {
        let ops = [
            Binary::Add,
            Binary::Sub,
            Binary::Mul,
            Binary::Div,
            Binary::Rem,
            Binary::BitAnd,
            Binary::BitOr,
            Binary::BitXor,
            Binary::Shr,
            Binary::Shl,
        ];
        let ranges: Vec<Interval> = (-4..=4)
            .flat_map(|lo| (lo..=5).map(move |hi| Interval { lo, hi }))
            .collect();
        let mut known = 0;
        for op in ops {
            for &a in &ranges {
                for &b in &ranges {
                    let Some(all) = a.operated(op, b) else {
                        continue;
                    };
                    known += 1;
                    for (x, y) in (a.lo..=a.hi).flat_map(|x| (b.lo..=b.hi).map(move |y| (x, y))) {
                        let value = match op {
                            Binary::Add => x + y,
                            Binary::Sub => x - y,
                            Binary::Mul => x * y,
                            Binary::Div => x / y,
                            Binary::Rem => x % y,
                            Binary::BitAnd => x & y,
                            Binary::BitOr => x | y,
                            Binary::BitXor => x ^ y,
                            Binary::Shr => x >> y,
                            _ => x << y,
                        };
                        let one = Interval::one(value);
                        assert!(one.is_within(all), "{x} {op:?} {y} = {value}: {all:?}");
                    }
                }
            }
        }
        assert!(known > 10_000, "{known}");
    }
}
