//! Integers that stand for many: what the world may say where it could say any number.
//!
//! A choice among all integers keeps the whole type as its set, so that engines that can take it
//! do, and names representatives for those that enumerate.

use std::collections::BTreeSet;

use model::{Choice, ExprId, Place, Type as ModelType, ValueSet};

use crate::lower::{Build, Survey};

/// More integers than these are not tried, the smallest in magnitude first.
const MOST_INTEGERS: usize = 24;

/// Representatives of an interval: its ends, small numbers, those that the script writes and
/// their neighbours. Where they stand for all integers, the next above all others stands for the rest.
pub(crate) fn numbers(survey: &Survey, lo: i32, hi: i32) -> Vec<i32> {
    numbers_beside(survey, None, lo, hi)
}

/// The same for an integer that is compared with no other numbers than `met`, if these are known.
fn numbers_beside(survey: &Survey, met: Option<&BTreeSet<i32>>, lo: i32, hi: i32) -> Vec<i32> {
    let written = match survey.has_representatives {
        true => met.unwrap_or(&survey.compared),
        false => &survey.integers,
    };
    let mut found: Vec<i32> = written
        .iter()
        .flat_map(|&n| [n.checked_sub(1), Some(n), n.checked_add(1)])
        .flatten()
        .chain([-1, 0, 1])
        .chain((!survey.has_representatives).then_some(2))
        .filter(|n| (lo..=hi).contains(n))
        .collect();
    found.sort_unstable_by_key(|n| (n.unsigned_abs(), *n < 0));
    found.dedup();
    if !survey.has_representatives {
        found.truncate(MOST_INTEGERS);
    }
    let is_above_all = survey.has_representatives && hi == i32::MAX;
    if !found.contains(&hi) && !is_above_all {
        found.push(hi);
    }
    if lo != i32::MIN && !found.contains(&lo) {
        found.push(lo);
    }
    found
}

/// A choice among integers of an interval, of which representatives are tried.
pub(crate) fn integer_choice(
    build: &mut Build,
    survey: &Survey,
    place: Place,
    what: &str,
    lo: i32,
    hi: i32,
) -> Choice {
    integer_choice_beside(build, (survey, None), place, what, lo, hi)
}

/// The same for an integer that is compared with no other numbers than those, if these are known.
pub(crate) fn integer_choice_beside(
    build: &mut Build,
    (survey, met): (&Survey, Option<&BTreeSet<i32>>),
    place: Place,
    what: &str,
    lo: i32,
    hi: i32,
) -> Choice {
    let sample: Vec<ExprId> = numbers_beside(survey, met, lo, hi)
        .into_iter()
        .map(|n| build.int(n))
        .collect();
    if survey.has_representatives {
        let members = sample.into_iter().map(ValueSet::One).collect();
        return Choice {
            place,
            set: ValueSet::Union(members),
            sample: None,
            what: what.to_owned(),
            outside: None,
        };
    }
    let set = if (lo, hi) == (i32::MIN, i32::MAX) {
        ValueSet::All(ModelType::INT32)
    } else {
        let (lo, hi) = (build.int(lo), build.int(hi));
        ValueSet::Between(lo, hi)
    };
    Choice {
        place,
        set,
        sample: Some(sample),
        what: what.to_owned(),
        outside: None,
    }
}

/// A choice among all integers, of which representatives are tried.
pub(crate) fn choice_of_integers(
    build: &mut Build,
    survey: &Survey,
    place: Place,
    what: &str,
) -> Choice {
    integer_choice(build, survey, place, what, i32::MIN, i32::MAX)
}
