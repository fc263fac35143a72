//! What is known of a property when each cube of it has been looked at.

use std::collections::BTreeSet;

use crate::joined::renumbered;
use crate::values::{FileReport, Origin, PropertyReport, VerdictWord};

impl FileReport {
    /// The report on one property of a file, from those on all its cubes. If one of them is missing, its report
    /// says that nothing is known.
    #[must_use]
    pub fn of_cubes(parts: Vec<FileReport>) -> FileReport {
        use VerdictWord::{Fails, Holds, NotKnown, Possible, Vacuous};
        let all = parts.len();
        let verdict = |part: &FileReport| part.properties.first().map(|it| it.verdict);
        let with = |wanted: VerdictWord| parts.iter().position(|it| verdict(it) == Some(wanted));
        let is_clear = |part: &&FileReport| matches!(verdict(part), Some(Holds | Vacuous));
        let clear = parts.iter().filter(is_clear).count();
        let holds = |part: &FileReport| match &part.properties[..] {
            [first, ..] if first.verdict == Holds => Some(first.strength),
            _ => None,
        };
        let weakest = || {
            let holding = (0..all).filter_map(|at| Some((holds(&parts[at])?, at)));
            holding
                .min_by_key(|(strength, _)| *strength)
                .map(|(_, at)| at)
        };
        let chosen = match with(Fails) {
            Some(failing) => failing,
            None if clear == all => weakest().unwrap_or(0),
            None => with(Possible).or_else(|| with(NotKnown)).unwrap_or(0),
        };
        // What holds everywhere rests on what it rests on anywhere.
        let (mut assumptions, mut numbers) = (Vec::new(), BTreeSet::new());
        for (at, part) in parts.iter().enumerate() {
            if clear < all && at != chosen {
                continue;
            }
            let made = part.assumptions.iter();
            // All other cubes have been looked at as well, or what was found is told as it was found.
            let made = made.filter(|made| made.origin != Origin::Cube);
            let now = renumbered(&mut assumptions, made.cloned().collect());
            let used = part.properties.iter().flat_map(|it| &it.assumptions);
            numbers.extend(used.filter_map(|number| now.get(number)));
        }
        let Some(mut whole) = parts.into_iter().nth(chosen) else {
            return FileReport::without_result("", "", "there are no cubes");
        };
        whole.assumptions = assumptions;
        for property in &mut whole.properties {
            property.assumptions = numbers.iter().copied().collect();
            property.again = None;
            if property.verdict == NotKnown {
                property.why = Some(told(property, all - clear, all));
            }
        }
        whole
    }
}

fn told(property: &PropertyReport, open: usize, all: usize) -> String {
    let why = property.why.as_deref().unwrap_or("nothing was found");
    format!("in {open} of {all} cubes: {why}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::{AssumptionMade, Strength};

    /// A cube in which a property holds so far, with assumptions of its own.
    fn cube(strength: Strength, texts: &[&str]) -> FileReport {
        let mut part = FileReport::without_result("a", "p", "");
        let made = |(number, text): (usize, &&str)| AssumptionMade {
            number,
            text: (*text).to_owned(),
            origin: match text.contains("cube") {
                true => Origin::Cube,
                false => Origin::Stated,
            },
            line: None,
        };
        part.assumptions = (1..).zip(texts).map(made).collect();
        let property = &mut part.properties[0];
        property.verdict = VerdictWord::Holds;
        property.strength = Some(strength);
        property.assumptions = (1..=texts.len()).collect();
        part
    }

    #[test]
    fn what_holds_in_all_cubes_rests_on_what_it_rests_on_in_any() {
        let parts = vec![
            cube(Strength::Exhausted, &["cube 1", "one", "two"]),
            cube(Strength::Proved, &["one", "cube 2", "three"]),
        ];
        let mut open = parts.clone();
        let whole = FileReport::of_cubes(parts);
        let texts: Vec<&str> = whole.assumptions.iter().map(|it| &*it.text).collect();
        assert_eq!(texts, ["one", "two", "three"]);
        assert_eq!(whole.properties[0].assumptions, [1, 2, 3]);
        assert_eq!(whole.properties[0].verdict, VerdictWord::Holds);
        assert_eq!(whole.properties[0].strength, Some(Strength::Exhausted));
        // One of which nothing is known says what it rests on itself.
        open[1].properties[0].verdict = VerdictWord::NotKnown;
        let whole = FileReport::of_cubes(open);
        assert_eq!(whole.properties[0].verdict, VerdictWord::NotKnown);
        assert_eq!(whole.assumptions.len(), 2);
    }
}
