//! What is known of a property when each cube of it has been looked at.

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
        let Some(mut whole) = parts.into_iter().nth(chosen) else {
            return FileReport::without_result("", "", "there are no cubes");
        };
        let cubes: Vec<usize> = (whole.assumptions.iter())
            .filter(|assumption| assumption.origin == Origin::Cube)
            .map(|assumption| assumption.number)
            .collect();
        // All other cubes have been looked at as well, or what was found is told as it was found.
        (whole.assumptions).retain(|assumption| assumption.origin != Origin::Cube);
        for property in &mut whole.properties {
            (property.assumptions).retain(|number| !cubes.contains(number));
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
