//! Values that stand for many: what the world may say where it could say anything.
//!
//! A choice among all integers keeps the whole type as its set, so that engines that can take it
//! do, and names representatives for those that enumerate. Texts, floats and the like have no
//! such set; there the representatives are all there is, and an assumption says so.

use model::{Choice, ExprId, Place, Type as ModelType, ValueSet};

use crate::library;
use crate::lower::{Build, Survey};
use crate::types::Type;

/// More integers than these are not tried, the smallest in magnitude first.
const MOST_INTEGERS: usize = 24;

/// Representatives of all integers: small ones, those that the script writes and their
/// neighbours.
pub(crate) fn integers(build: &mut Build, survey: &Survey) -> Vec<ExprId> {
    numbers(survey, i32::MIN, i32::MAX)
        .into_iter()
        .map(|n| build.int(n))
        .collect()
}

/// Representatives of an interval: its ends, small numbers, those that the script writes and
/// their neighbours.
pub(crate) fn numbers(survey: &Survey, lo: i32, hi: i32) -> Vec<i32> {
    let mut found: Vec<i32> = survey
        .integers
        .iter()
        .flat_map(|&n| [n.checked_sub(1), Some(n), n.checked_add(1)])
        .flatten()
        .chain([0, 1, 2, -1])
        .filter(|n| (lo..=hi).contains(n))
        .collect();
    found.sort_unstable_by_key(|n| (n.unsigned_abs(), *n < 0));
    found.dedup();
    found.truncate(MOST_INTEGERS);
    if !found.contains(&hi) {
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
    let sample: Vec<ExprId> = numbers(survey, lo, hi)
        .into_iter()
        .map(|n| build.int(n))
        .collect();
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

/// Representatives of what somebody may say or send: the texts that the script compares with, and
/// something else.
pub(crate) fn texts(build: &mut Build, survey: &Survey, what: &str) -> Vec<ExprId> {
    let mut found: Vec<ExprId> = survey.texts.iter().map(|text| build.text(text)).collect();
    let other = library::unknown(&build.program.rich, what, &[]);
    found.push(build.rich(other));
    found
}

/// Representatives of a type other than integer.
pub(crate) fn values(build: &mut Build, survey: &Survey, ty: Type, what: &str) -> Vec<ExprId> {
    match ty {
        Type::Integer => integers(build, survey),
        Type::Float => vec![build.float(0.0), build.float(1.0)],
        Type::String => texts(build, survey, what),
        Type::Key => build.world.identities.clone(),
        Type::Vector => {
            let (zero, one) = (build.float(0.0), build.float(1.0));
            let entry = library::vector_literal();
            vec![
                build.apply(entry, &[zero, zero, zero]),
                build.apply(entry, &[one, zero, zero]),
            ]
        }
        Type::Rotation => {
            let (zero, one) = (build.float(0.0), build.float(1.0));
            vec![build.apply(library::rotation_literal(), &[zero, zero, zero, one])]
        }
        Type::List => {
            let unknown = library::unknown(&build.program.rich, what, &[]);
            vec![
                build.apply(library::list_literal(), &[]),
                build.rich(unknown),
            ]
        }
    }
}

/// A choice among representatives of a type. Where they do not stand for all values without
/// loss, the choice counts as sampled.
pub(crate) fn choice(
    build: &mut Build,
    survey: &Survey,
    place: Place,
    what: &str,
    ty: Type,
) -> Choice {
    if ty == Type::Integer {
        return integer_choice(build, survey, place, what, i32::MIN, i32::MAX);
    }
    let members = values(build, survey, ty, what);
    if ty == Type::Key {
        return build.somebody(place, what, members);
    }
    let mut choice = Build::one_of(place, what, members.clone());
    choice.sample = Some(members);
    choice
}
