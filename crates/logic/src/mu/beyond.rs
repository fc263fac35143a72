//! Values of which there are too many to try them all.
//!
//! Quantifiers over sorts without end speak of values that no step has. A formula that only compares a
//! variable, and lets it stand in actions, cannot tell two such values apart if they lie in the same gap
//! between the values that do occur: one stands for all of a gap. What would tell them apart (counting
//! with one, comparing it with something else that lies in its gap) is an error, not an answer.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::rc::Rc;

use super::error::InstantiateError;
use super::formula::{DataId, Values};

/// Numbers between the least and the greatest that occurs are all tried, if they are so many at most.
const MOST_TRIED: i128 = 1_000;

/// What a variable stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Datum<V> {
    /// This value.
    Known(V),
    /// All numbers of a gap.
    Between(DataId, Gap),
    /// All values but these.
    Other(DataId, Rc<[V]>),
}

/// Numbers between two others; without one there is no end on that side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Gap {
    low: Option<i128>,
    high: Option<i128>,
}

impl Gap {
    fn has(self, number: i128) -> bool {
        self.low.is_none_or(|low| low < number) && self.high.is_none_or(|high| number < high)
    }

    /// How its numbers compare with one that is not among them.
    fn order(self, number: i128) -> Ordering {
        match self.low {
            Some(low) if number <= low => Ordering::Greater,
            _ => Ordering::Less,
        }
    }
}

impl<V: Eq> Datum<V> {
    /// The variable, if it stands for more than one value.
    pub(super) fn variable(&self) -> Option<DataId> {
        match self {
            Datum::Known(_) => None,
            Datum::Between(variable, _) | Datum::Other(variable, _) => Some(*variable),
        }
    }

    /// How two compare of which one stands for many: their order, or that they differ and have none.
    /// Nothing: that is not the same for all.
    pub(super) fn against(
        &self,
        other: &Datum<V>,
        number: &dyn Fn(&V) -> Option<i128>,
    ) -> Option<Option<Ordering>> {
        match (self, other) {
            (Datum::Between(..), Datum::Between(..)) | (Datum::Other(..), Datum::Other(..))
                if self.variable() == other.variable() =>
            {
                Some(Some(Ordering::Equal))
            }
            (Datum::Between(_, gap), Datum::Known(value)) => {
                let number = number(value)?;
                (!gap.has(number)).then(|| Some(gap.order(number)))
            }
            (Datum::Known(_), Datum::Between(..)) => {
                let order = other.against(self, number)?;
                Some(order.map(Ordering::reverse))
            }
            (Datum::Other(_, known), Datum::Known(value))
            | (Datum::Known(value), Datum::Other(_, known)) => {
                known.contains(value).then_some(None)
            }
            _ => None,
        }
    }
}

/// What a variable over all values of a sort stands for: what is known, and all others.
pub(super) fn all_and_others<V: Clone>(variable: DataId, known: Vec<V>) -> Vec<Datum<V>> {
    let others = Datum::Other(variable, known.as_slice().into());
    known
        .into_iter()
        .map(Datum::Known)
        .chain([others])
        .collect()
}

/// What a variable over the numbers from `least` on stands for, if these points are told apart.
pub(super) fn numbers<S: Values>(
    variable: DataId,
    least: Option<i128>,
    points: impl Iterator<Item = i128>,
    values: &S,
    like: &S::Value,
) -> Result<Vec<Datum<S::Value>>, InstantiateError> {
    let points: BTreeSet<i128> = points
        .chain([least.unwrap_or(0)])
        .filter(|point| least.is_none_or(|least| *point >= least))
        .collect();
    let (first, last) = (points.first().copied(), points.last().copied());
    let (first, last) = first.zip(last).expect("there is one at least");
    let known = |number| {
        let value = values.like(like, number).map(Datum::Known);
        value.ok_or(InstantiateError::NoValue)
    };
    let between = |low, high| Datum::Between(variable, Gap { low, high });
    let mut all = Vec::new();
    if last
        .checked_sub(first)
        .is_some_and(|span| span <= MOST_TRIED)
    {
        for number in first..=last {
            all.push(known(number)?);
        }
    } else {
        let mut before: Option<i128> = None;
        for point in points {
            if let Some(before) = before.filter(|before| point - before > 1) {
                all.push(between(Some(before), Some(point)));
            }
            all.push(known(point)?);
            before = Some(point);
        }
    }
    if least.is_none() {
        all.push(between(None, Some(first)));
    }
    all.push(between(Some(last), None));
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: DataId = DataId(1);

    #[test]
    fn numbers_of_a_gap_compare_alike() {
        let number = |value: &i128| Some(*value);
        let gap = Datum::Between(
            X,
            Gap {
                low: Some(3),
                high: Some(9),
            },
        );
        let against = |value| gap.against(&Datum::Known(value), &number);
        assert_eq!(against(3), Some(Some(Ordering::Greater)));
        assert_eq!(against(9), Some(Some(Ordering::Less)));
        assert_eq!(against(5), None, "some are smaller, some are not");
        assert_eq!(
            Datum::Known(9).against(&gap, &number),
            Some(Some(Ordering::Greater))
        );
        assert_eq!(gap.against(&gap, &number), Some(Some(Ordering::Equal)));
    }

    #[test]
    fn others_differ_from_what_is_known_only() {
        let all = all_and_others(X, vec![1, 2]);
        let other = all.last().expect("the others come last");
        let number = |_: &i32| None;
        assert_eq!(other.against(&Datum::Known(2), &number), Some(None));
        assert_eq!(other.against(&Datum::Known(3), &number), None);
    }
}
