//! Reports on parts of a file's properties, as one on the file.

use std::collections::HashMap;

use crate::values::{AssumptionMade, FileReport, PropertyReport, StatisticsReport, VerdictWord};

impl FileReport {
    /// One report of several on the same file, each on some of its properties. Of several answers for a
    /// property the one that says most is taken; where one says that it holds and another that it fails,
    /// none is.
    #[must_use]
    pub fn joined(parts: Vec<FileReport>) -> FileReport {
        let name = parts.first().map_or("", |part| part.file.as_str());
        let mut whole = FileReport::empty(name);
        let mut answers: Vec<Vec<PropertyReport>> = Vec::new();
        for mut part in parts {
            let numbers = renumbered(
                &mut whole.assumptions,
                std::mem::take(&mut part.assumptions),
            );
            for mut property in part.properties {
                for number in &mut property.assumptions {
                    *number = numbers.get(number).copied().unwrap_or(*number);
                }
                property.assumptions.sort_unstable();
                let same = |others: &&mut Vec<PropertyReport>| others[0].name == property.name;
                match answers.iter_mut().find(same) {
                    Some(others) => others.push(property),
                    None => answers.push(vec![property]),
                }
            }
            if whole.language.is_empty() {
                whole.language = part.language;
            }
            whole.refused |= part.refused;
            whole.unread = whole.unread.take().or(part.unread);
            whole.unreached = whole.unreached.take().or(part.unreached);
            whole.mutants = whole.mutants.take().or(part.mutants);
            merge(&mut whole.diagnostics, part.diagnostics);
            merge(&mut whole.world, part.world);
            merge(&mut whole.proposals, part.proposals);
        }
        whole.properties = answers.into_iter().filter_map(best).collect();
        whole
    }

    /// A report that says only why nothing is known of a property.
    #[must_use]
    pub fn without_result(file: &str, property: &str, why: &str) -> FileReport {
        FileReport {
            properties: vec![PropertyReport {
                name: property.to_owned(),
                text: property.to_owned(),
                line: None,
                verdict: VerdictWord::NotKnown,
                strength: None,
                measured: None,
                bound: None,
                too_weak: false,
                why: Some(why.to_owned()),
                advice: None,
                may_fail_at: None,
                assumptions: Vec::new(),
                engine: String::new(),
                statistics: StatisticsReport::default(),
                evidence: None,
                passes: Vec::new(),
                story: None,
                others: Vec::new(),
                others_cut: false,
                elsewhere: None,
                another: None,
                again: None,
            }],
            ..FileReport::empty(file)
        }
    }

    fn empty(file: &str) -> FileReport {
        FileReport {
            file: file.to_owned(),
            language: String::new(),
            refused: false,
            unread: None,
            cached: false,
            diagnostics: Vec::new(),
            world: Vec::new(),
            assumptions: Vec::new(),
            properties: Vec::new(),
            proposals: Vec::new(),
            unreached: None,
            mutants: None,
            texts: Vec::new(),
            picture: None,
            beginnings: Vec::new(),
        }
    }
}

/// Adds assumptions to others; which number each has now.
pub(crate) fn renumbered(
    known: &mut Vec<AssumptionMade>,
    more: Vec<AssumptionMade>,
) -> HashMap<usize, usize> {
    let mut numbers = HashMap::new();
    for assumption in more {
        let same = |other: &&AssumptionMade| {
            (&other.text, other.origin, &other.line)
                == (&assumption.text, assumption.origin, &assumption.line)
        };
        let number = match known.iter().find(same) {
            Some(known) => known.number,
            None => known.len() + 1,
        };
        numbers.insert(assumption.number, number);
        if number > known.len() {
            known.push(AssumptionMade {
                number,
                ..assumption
            });
        }
    }
    numbers
}

fn merge<T: PartialEq>(known: &mut Vec<T>, more: Vec<T>) {
    for one in more {
        if !known.contains(&one) {
            known.push(one);
        }
    }
}

/// The answer that says most.
fn best(mut answers: Vec<PropertyReport>) -> Option<PropertyReport> {
    use VerdictWord::{Fails, Holds, Measured, NotKnown, Possible, Vacuous};
    let engine_that_says = |verdicts: &[VerdictWord]| {
        let mut answers = answers.iter();
        let answer = answers.find(|answer| verdicts.contains(&answer.verdict));
        answer.map(|answer| answer.engine.clone())
    };
    let fails = engine_that_says(&[Fails]);
    let disagree = fails.zip(engine_that_says(&[Holds, Vacuous]));
    // The last of several that are as good would be taken; the first is wanted.
    answers.reverse();
    let best = answers.into_iter().max_by_key(|answer| {
        let rank = match answer.verdict {
            Fails => 4,
            Holds | Measured => 3,
            Vacuous => 2,
            Possible => 1,
            NotKnown => 0,
        };
        (rank, answer.strength)
    })?;
    let Some((fails, holds)) = disagree else {
        return Some(best);
    };
    let why = format!("it fails by `{fails}` and holds by `{holds}`, which is a defect of Probity");
    Some(PropertyReport {
        verdict: NotKnown,
        strength: None,
        why: Some(why),
        story: None,
        others: Vec::new(),
        evidence: None,
        ..best
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::{Origin, Strength};

    fn part(
        property: &str,
        verdict: VerdictWord,
        engine: &str,
        assumptions: &[&str],
    ) -> FileReport {
        let mut part = FileReport::without_result("a.lsl", property, "");
        part.properties[0] = PropertyReport {
            verdict,
            engine: engine.to_owned(),
            assumptions: (1..=assumptions.len()).collect(),
            ..part.properties[0].clone()
        };
        let assumptions = assumptions.iter().zip(1..);
        part.assumptions = assumptions
            .map(|(text, number)| AssumptionMade {
                number,
                text: (*text).to_owned(),
                origin: Origin::Stated,
                line: None,
            })
            .collect();
        part
    }

    #[test]
    fn assumptions_keep_what_they_say() {
        let parts = vec![
            part("p", VerdictWord::Holds, "sat", &["a", "b"]),
            part("q", VerdictWord::Holds, "sat", &["c", "a"]),
        ];
        let whole = FileReport::joined(parts);
        let texts: Vec<&str> = whole.assumptions.iter().map(|a| a.text.as_str()).collect();
        assert_eq!(texts, ["a", "b", "c"]);
        assert_eq!(whole.properties[0].assumptions, [1, 2]);
        assert_eq!(whole.properties[1].assumptions, [1, 3]);
    }

    #[test]
    fn the_best_answer_is_taken_and_none_where_two_exclude_each_other() {
        let mut weak = part("p", VerdictWord::Holds, "explicit", &[]);
        weak.properties[0].strength = Some(Strength::Exhausted);
        let mut strong = part("p", VerdictWord::Holds, "sat", &[]);
        strong.properties[0].strength = Some(Strength::Proved);
        let unknown = part("p", VerdictWord::NotKnown, "symbolic", &[]);
        let whole = FileReport::joined(vec![weak.clone(), unknown.clone(), strong.clone()]);
        assert_eq!(whole.properties.len(), 1);
        assert_eq!(whole.properties[0].engine, "sat");
        let fails = part("p", VerdictWord::Fails, "symbolic", &[]);
        let whole = FileReport::joined(vec![weak, fails, strong]);
        assert_eq!(whole.properties[0].verdict, VerdictWord::NotKnown);
        let why = whole.properties[0].why.as_deref().unwrap_or_default();
        assert!(why.contains("defect"), "{why}");
        assert_eq!(FileReport::joined(vec![unknown.clone()]), unknown);
    }
}
