//! The steps of a run, as lines: those that are alike as one, with what they change.

use std::collections::HashMap;

use anstyle::{AnsiColor, Style};

use super::long_runs::without_middle;
use super::looks::{
    DIM, LINE_COLUMN, LONGEST_DEED, LONGEST_SOURCE, PLACE_WIDTH, TextOptions, WHO_WIDTH, styled,
};
use super::short::{place, shortened, with_short_texts};
use crate::values::{Change, Happening, HappeningKind, Holder, Line, StoryStep};

/// The lines that tell some macro steps. The first that is told has the number `next`, and so on; where all
/// are told, each has its own. Also whether steps are left out because there are many.
pub(super) fn told(
    steps: &[StoryStep],
    next: &mut usize,
    options: TextOptions,
) -> (Vec<String>, bool) {
    if options.verbose {
        let lines = steps.iter().flat_map(|step| step_lines(step, options));
        return (lines.collect(), false);
    }
    let mut told = Vec::new();
    let mut at = 0;
    while at < steps.len() {
        let step = &steps[at];
        let sentences = sentences(step, options);
        // The last step stands alone: it is what the story is about.
        let others = steps.len().saturating_sub(at + 2);
        let following = &steps[at + 1..][..others];
        let same = following
            .iter()
            .take_while(|other| self::sentences(other, options) == sentences)
            .count();
        let alike = if sentences.is_empty() {
            onward(&steps[at..=at + same])
        } else {
            1 + same
        };
        let changes = merged_changes(&steps[at..at + alike]);
        if !sentences.is_empty() || !changes.is_empty() {
            // Of a very long run, one stands for many.
            let after = steps.get(at + alike);
            let stands_for = after.map_or(0, |after| after.number.saturating_sub(step.number));
            let stands_for = stands_for.max(alike);
            let label = match stands_for {
                1 => next.to_string(),
                _ => format!("{next}-{}", *next + stands_for - 1),
            };
            *next += stands_for;
            told.push((
                stands_for,
                laid_out(&label, &sentences, &changes, alike, options),
            ));
        }
        at += alike;
    }
    without_middle(told)
}

/// The lines that tell one macro step; none if there is nothing to tell.
#[must_use]
pub fn step_lines(step: &StoryStep, options: TextOptions) -> Vec<String> {
    let sentences = sentences(step, options);
    let changes = told_changes(step, options);
    if sentences.is_empty() && changes.is_empty() && !options.verbose {
        return Vec::new();
    }
    laid_out(&step.number.to_string(), &sentences, &changes, 1, options)
}

fn laid_out(
    label: &str,
    sentences: &[Sentence],
    changes: &[Change],
    times: usize,
    options: TextOptions,
) -> Vec<String> {
    let mut lines = Vec::new();
    let mut lead = format!("{label:>5}. ");
    let follow = " ".repeat(lead.chars().count());
    for Sentence { who, text, line } in sentences {
        let times = if times > 1 && lines.is_empty() {
            format!(" ({times} times)")
        } else {
            String::new()
        };
        if let Some(who) = who {
            let place = line.as_ref().map_or(String::new(), place);
            let place = styled(options, DIM, &format!("{place:<PLACE_WIDTH$}"));
            let text = shortened(text, LONGEST_DEED);
            lines.push(format!("{lead}{who:<WHO_WIDTH$} {place} {text}{times}"));
        } else {
            let text = format!("{lead}{text}{times}");
            lines.extend(with_line(text, line.as_ref(), options));
        }
        lead.clone_from(&follow);
    }
    if sentences.is_empty() && changes.is_empty() {
        lines.push(format!("{lead}nothing that is told"));
        return lines;
    }
    for (holder, name) in [
        (Holder::Script, ""),
        (Holder::World, "world: "),
        (Holder::Ledger, "ledger: "),
    ] {
        let parts: Vec<String> = changes
            .iter()
            .filter(|change| change.holder == holder)
            .map(|change| format!("{} {} -> {}", change.variable, change.before, change.after))
            .collect();
        if !parts.is_empty() {
            let text = styled(
                options,
                Style::new().fg_color(Some(AnsiColor::Cyan.into())),
                &format!("{name}{}", parts.join(", ")),
            );
            lines.push(format!("{lead}  {text}"));
            lead.clone_from(&follow);
        }
    }
    lines
}

/// A sentence with the line of the script on its right, or below it if it is long.
fn with_line(text: String, line: Option<&Line>, options: TextOptions) -> Vec<String> {
    let Some(line) = line else {
        return vec![text];
    };
    let place = place(line);
    let source = shortened(&line.source, LONGEST_SOURCE);
    let place = styled(options, DIM, &format!("{place:<16} {source}"));
    if text.chars().count() <= LINE_COLUMN {
        vec![format!("{text:<LINE_COLUMN$}  {place}")]
    } else {
        vec![text, format!("{:LINE_COLUMN$}  {place}", "")]
    }
}

/// Something that a step has to say.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Sentence {
    /// The process, where the story is told by processes.
    who: Option<String>,
    text: String,
    /// The line of the script that it belongs to.
    line: Option<Line>,
}

/// What a step has to say; steps that say the same are told together.
pub(super) fn sentences(step: &StoryStep, options: TextOptions) -> Vec<Sentence> {
    let mut found: Vec<Sentence> = Vec::new();
    for happening in &step.happenings {
        if happening.detail && !options.verbose {
            continue;
        }
        let mut sentence = sentence(happening);
        if !options.verbose {
            sentence.text = with_short_texts(&sentence.text);
        }
        // Several steps on one line without a word of their own are one line.
        let repeats = sentence.text.is_empty()
            && found
                .last()
                .is_some_and(|last| same_line(last.line.as_ref(), sentence.line.as_ref()));
        if !repeats && (!sentence.text.is_empty() || sentence.line.is_some()) {
            found.push(sentence);
        }
    }
    if found.is_empty() && !told_changes(step, options).is_empty() {
        // Nothing was made to be told, yet something changes: tell who does it.
        let named = step
            .happenings
            .iter()
            .find(|h| h.kind == HappeningKind::Step && !h.text.is_empty())
            .or_else(|| step.happenings.iter().find(|h| h.line.is_some()));
        if let Some(happening) = named {
            let text = if happening.text.is_empty() {
                "this runs".to_owned()
            } else {
                happening.text.clone()
            };
            found.push(Sentence {
                who: happening.who.clone(),
                text,
                line: happening.line.clone(),
            });
        }
    }
    found
}

fn sentence(happening: &Happening) -> Sentence {
    let told = &happening.text;
    let text = match (happening.kind, &happening.who) {
        (HappeningKind::Event | HappeningKind::Step, _) => told.clone(),
        (HappeningKind::Check, _) => format!("violated: {told}"),
        (HappeningKind::Fault, None) => format!("the script fails: {told}"),
        (HappeningKind::Fault, Some(_)) => format!("run-time error: {told}"),
    };
    Sentence {
        who: happening.who.clone(),
        text,
        line: happening.line.clone(),
    }
}

fn same_line(a: Option<&Line>, b: Option<&Line>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a.line, &a.file) == (b.line, &b.file),
        _ => false,
    }
}

fn told_changes(step: &StoryStep, options: TextOptions) -> Vec<Change> {
    let changes = step.changes.iter();
    changes
        .filter(|change| options.verbose || !change.detail)
        .cloned()
        .collect()
}

/// How many of some steps can be told as one by their changes alone: as long as no variable comes
/// back to a value that it had, for the way there and back would not be seen.
fn onward(steps: &[StoryStep]) -> usize {
    let mut had: HashMap<&str, Vec<&str>> = HashMap::new();
    for (number, step) in steps.iter().enumerate() {
        for change in step.changes.iter().filter(|change| !change.detail) {
            let values = had.entry(&change.variable).or_default();
            if number > 0 && values.contains(&change.after.as_str()) {
                return number;
            }
            values.extend([change.before.as_str(), change.after.as_str()]);
        }
    }
    steps.len()
}

/// The changes of several steps together: from the first value to the last.
fn merged_changes(steps: &[StoryStep]) -> Vec<Change> {
    let mut merged: Vec<Change> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for change in steps.iter().flat_map(|step| &step.changes) {
        if change.detail {
            continue;
        }
        match places.get(&change.variable) {
            Some(&place) => merged[place].after.clone_from(&change.after),
            None => {
                places.insert(change.variable.clone(), merged.len());
                merged.push(change.clone());
            }
        }
    }
    merged.retain(|change| change.before != change.after);
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(number: usize, text: &str, before: &str, after: &str) -> StoryStep {
        StoryStep {
            number,
            happenings: vec![Happening {
                places: Vec::new(),
                message: None,
                kind: HappeningKind::Event,
                who: None,
                text: text.into(),
                detail: text.is_empty(),
                line: None,
            }],
            changes: vec![Change {
                variable: "n".into(),
                holder: Holder::Ledger,
                before: before.into(),
                after: after.into(),
                detail: before == after,
            }],
        }
    }

    #[test]
    fn equal_steps_are_summed_up_and_untold_ones_vanish() {
        let steps = [
            step(1, "tick", "0", "1"),
            step(2, "tick", "1", "2"),
            step(3, "", "2", "2"),
            step(4, "tock", "2", "3"),
        ];
        let lines = told(&steps, &mut 1, TextOptions::default()).0;
        assert_eq!(
            lines,
            [
                "  1-2. tick (2 times)",
                "         ledger: n 0 -> 2",
                "    3. tock",
                "         ledger: n 2 -> 3",
            ]
        );
        let last_apart = told(&steps[..2], &mut 1, TextOptions::default()).0;
        assert_eq!(
            (last_apart[0].as_str(), last_apart[2].as_str()),
            ("    1. tick", "    2. tick")
        );
        let verbose = TextOptions {
            verbose: true,
            ..TextOptions::default()
        };
        assert_eq!(
            told(&steps, &mut 1, verbose)
                .0
                .iter()
                .filter(|l| l.contains("tick"))
                .count(),
            2
        );
    }
}
