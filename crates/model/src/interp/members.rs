//! The values of a set, in the order in which they are tried.
//!
//! A range is not written out: each of its values is made when it is wanted. A set that has more
//! values than could ever be tried one by one is said to be too wide.

use std::collections::HashSet;

use super::Interp;
use super::eval::{Scope, Trouble};
use crate::expr::ValueSet;
use crate::types::Type;
use crate::value::Value;

/// Sets with more values than this are too wide.
const MOST: i128 = 1 << 20;

/// What a set holds.
pub(crate) enum Members {
    /// These values, in this order.
    Listed(Vec<Value>),
    /// The numbers from the first to the last; none if the last is less.
    Range(i128, i128),
    /// More than can be tried; there are these numbers among them.
    TooMany(i128, i128),
}

impl Members {
    /// The numbers from one to another.
    fn between(lo: i128, hi: i128) -> Members {
        if hi < lo || hi.checked_sub(lo).is_some_and(|width| width < MOST) {
            Members::Range(lo, hi)
        } else {
            Members::TooMany(lo, hi)
        }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        match self {
            Members::Listed(values) => values.len(),
            Members::Range(lo, hi) | Members::TooMany(lo, hi) => {
                usize::try_from(hi.saturating_sub(*lo).saturating_add(1)).unwrap_or(0)
            }
        }
    }

    /// The value at an index below the count.
    pub(crate) fn get(&self, index: usize) -> Value {
        match self {
            Members::Listed(values) => values[index].clone(),
            Members::Range(lo, _) | Members::TooMany(lo, _) => Value::Int(lo + index as i128),
        }
    }

    /// A few values of a range: its ends and their neighbours, the middle, and zero and its
    /// neighbours.
    pub(crate) fn sample(self) -> Members {
        let Members::TooMany(lo, hi) = self else {
            return self;
        };
        let mut some = vec![lo, lo + 1, lo / 2 + hi / 2, hi - 1, hi, -1, 0, 1];
        some.retain(|number| (lo..=hi).contains(number));
        some.sort_unstable();
        some.dedup();
        Members::Listed(some.into_iter().map(Value::Int).collect())
    }

    /// Adds the values to others; says whether there are not too many.
    fn append_to(self, all: &mut Vec<Value>) -> bool {
        match self {
            Members::TooMany(..) => return false,
            Members::Range(lo, hi) => all.extend((lo..=hi).map(Value::Int)),
            Members::Listed(values) => all.extend(values),
        }
        true
    }
}

impl Interp<'_> {
    /// All values of a set, without repetition, in order of mention.
    pub(crate) fn members(&self, scope: Scope<'_>, set: &ValueSet) -> Result<Members, Trouble> {
        source::limits::check();
        Ok(match set {
            ValueSet::One(value) => Members::Listed(vec![self.eval(scope, *value)?]),
            ValueSet::Between(lo, hi) => {
                Members::between(self.number(scope, *lo)?, self.number(scope, *hi)?)
            }
            ValueSet::Union(sets) => {
                let mut all = Vec::new();
                let mut wide = None;
                for set in sets {
                    let members = self.members(scope, set)?;
                    if let Members::TooMany(lo, hi) = members {
                        wide = Some((lo, hi));
                    } else {
                        members.append_to(&mut all);
                    }
                }
                match wide {
                    Some((lo, hi)) => Members::TooMany(lo, hi),
                    None => {
                        let mut seen = HashSet::new();
                        all.retain(|value| seen.insert(value.clone()));
                        Members::Listed(all)
                    }
                }
            }
            ValueSet::Ite(cond, a, b) => {
                let chosen = if self.truth(scope, *cond)? { a } else { b };
                self.members(scope, chosen)?
            }
            ValueSet::All(Type::Bool) => {
                Members::Listed(vec![Value::Bool(false), Value::Bool(true)])
            }
            ValueSet::All(Type::Enum(id)) => {
                let count = self.program.enums[id.index()].members.len();
                Members::Listed((0..count).map(|n| Value::Int(n as i128)).collect())
            }
            ValueSet::All(ty) => {
                let (lo, hi) = ty.bounds().expect("a choice is from a bounded type");
                Members::between(lo, hi)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_not_written_out_and_wide_ones_are_sampled() {
        assert_eq!(Members::between(3, 5).count(), 3);
        assert_eq!(Members::between(3, 5).get(1), Value::Int(4));
        assert_eq!(Members::between(5, 3).count(), 0);
        let wide = Members::between(-10, 1 << 40).sample();
        assert_eq!(wide.count(), 8);
        assert_eq!(wide.get(0), Value::Int(-10));
        assert!(matches!(
            Members::between(i128::MIN, i128::MAX),
            Members::TooMany(..)
        ));
    }
}
