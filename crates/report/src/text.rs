//! The report as text for a terminal.
//!
//! First every verdict on a line of its own, then the story of each failure, then the
//! assumptions that the verdicts rest on, then one line that sums up. The short form tells what
//! was made to be told; the long form (`verbose`) every step with its line.

mod beside;
mod effort;
mod long_runs;
mod prose;
mod shared_runs;
mod short;

use std::collections::HashMap;
use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};

use self::beside::{
    write_assumptions, write_facts, write_passes, write_proposals, write_unreached,
};
use self::effort::effort;
pub use self::effort::time;
use self::long_runs::without_middle;
use self::short::{place, shortened, with_short_texts};
use crate::shown::shown;
use crate::values::{
    Change, FileReport, First, Happening, HappeningKind, Holder, Line, Measured, Named,
    PropertyReport, Report, Story, StoryStep, Strength, VerdictWord, Waiting,
};

/// How the text is to look.
#[derive(Clone, Copy, Default, Debug)]
pub struct TextOptions {
    /// Tells every step, not only what matters, and what proves a property.
    pub verbose: bool,
    /// Tells only what fails.
    pub quiet: bool,
    /// Uses colours.
    pub color: bool,
    /// Shows what the passes did.
    pub explain_passes: bool,
}

/// The width of the column of processes in a story told by them.
const WHO_WIDTH: usize = 14;
/// The width of the column of places in such a story.
const PLACE_WIDTH: usize = 16;
/// The column where the lines of the script stand in a story.
const LINE_COLUMN: usize = 52;
/// Longer lines of prose are wrapped.
const WIDEST_PROSE: usize = 100;
/// Longer statements, with what is said of them, are cut.
const LONGEST_DEED: usize = 100;
/// Longer lines of the script are cut.
const LONGEST_SOURCE: usize = 72;
/// More names than this are not aligned to the longest.
const WIDEST_NAME: usize = 34;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const DOUBTFUL: Style = AnsiColor::Yellow.on_default().bold();

/// Text that is put together, with or without colour.
struct Page {
    out: String,
    options: TextOptions,
}

impl Page {
    fn line(&mut self, text: &str) {
        self.out.push_str(text.trim_end());
        self.out.push('\n');
    }

    fn gap(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }

    fn styled(&self, style: Style, text: &str) -> String {
        styled(self.options, style, text)
    }
}

fn styled(options: TextOptions, style: Style, text: &str) -> String {
    if options.color && !text.is_empty() {
        format!("{style}{text}{style:#}")
    } else {
        text.to_owned()
    }
}

/// The whole report.
#[must_use]
pub fn text(report: &Report, options: TextOptions) -> String {
    let files = report.files.iter().map(|file| file_text(file, options));
    let parts: Vec<String> = files.chain([summary_text(report, options)]).collect();
    parts.join("\n")
}

/// What there is to say of one file.
#[must_use]
pub fn file_text(file: &FileReport, options: TextOptions) -> String {
    let mut page = Page {
        out: String::new(),
        options,
    };
    write_file(&mut page, &shown(file));
    page.out
}

/// The end of a report: the line that sums up.
#[must_use]
pub fn summary_text(report: &Report, options: TextOptions) -> String {
    let mut page = Page {
        out: String::new(),
        options,
    };
    let summary = summary(report);
    let style = match report.status {
        0 => GOOD,
        1 | 2 => BAD,
        _ => DOUBTFUL,
    };
    let line = page.styled(style, &summary);
    page.line(&line);
    page.out
}

fn write_file(page: &mut Page, file: &FileReport) {
    let fails = |one: &PropertyReport| one.verdict == VerdictWord::Fails;
    let is_quiet = page.options.quiet;
    if is_quiet && !file.refused && !file.properties.iter().any(fails) {
        return;
    }
    page.gap();
    let heading = page.styled(BOLD, &file.file);
    if file.refused {
        page.line(&format!("{heading}: not checked, because of errors"));
        return;
    }
    if let Some(why) = &file.unread {
        page.line(&format!("{heading}: not known: {why}"));
        return;
    }
    let kept = if file.cached { " (from the cache)" } else { "" };
    let kept = page.styled(DIM, kept);
    page.line(&format!("{heading}{kept}"));
    if file.properties.is_empty() {
        page.line("  no properties: there is nothing to check");
        write_unreached(page, file);
        return;
    }
    write_table(page, file);
    let told = |one: &&PropertyReport| !is_quiet || fails(one);
    for property in file.properties.iter().filter(told) {
        if shared_runs::is_told_elsewhere(page, property, &file.properties) {
            continue;
        }
        let places = property.others.len() + 1;
        for (number, story) in (1..).zip(property.story.iter().chain(&property.others)) {
            write_story(page, property, story, (number, places));
        }
        if property.others_cut && property.story.is_some() {
            page.gap();
            page.line(&format!("{} may fail in more places", property.name));
        }
    }
    if is_quiet {
        return;
    }
    if page.options.verbose {
        write_facts(page, file);
    }
    if page.options.explain_passes {
        write_passes(page, file);
    }
    write_unreached(page, file);
    write_assumptions(page, file);
    write_proposals(page, file);
}

fn write_table(page: &mut Page, file: &FileReport) {
    let names = file.properties.iter().map(|p| p.name.chars().count());
    let name_width = names.max().unwrap_or(0).min(WIDEST_NAME);
    let notes: Vec<String> = file.properties.iter().map(note).collect();
    let note_width = notes.iter().map(|note| note.chars().count()).max();
    for (property, note) in file.properties.iter().zip(&notes) {
        if page.options.quiet && property.verdict != VerdictWord::Fails {
            continue;
        }
        let (word, style) = match property.verdict {
            VerdictWord::Holds if property.too_weak => ("holds", DOUBTFUL),
            VerdictWord::Holds => ("holds", GOOD),
            VerdictWord::Fails => ("fails", BAD),
            VerdictWord::Vacuous => ("vacuous", DOUBTFUL),
            VerdictWord::Measured => ("measured", GOOD),
            VerdictWord::Possible => ("possible", DOUBTFUL),
            VerdictWord::NotKnown => ("not known", DOUBTFUL),
        };
        let word = page.styled(style, &format!("{word:<9}"));
        let effort = page.styled(DIM, &effort(property));
        page.line(&format!(
            "  {word}  {:<name_width$}  {note:<note_width$}  {effort}",
            property.name,
            note_width = note_width.unwrap_or(0),
        ));
    }
    if !page.options.quiet {
        write_reasons(page, file);
    }
}

/// Why some answers are vacuous, possible or not known: each reason once, with the properties it concerns.
fn write_reasons(page: &mut Page, file: &FileReport) {
    let mut reasons: Vec<(&str, &str, Vec<&str>)> = Vec::new();
    for property in &file.properties {
        let Some(why) = property.why.as_deref() else {
            continue;
        };
        let advice = property.advice.as_deref().unwrap_or_default();
        match reasons.iter_mut().find(|r| (r.0, r.1) == (why, advice)) {
            Some((_, _, names)) => names.push(&property.name),
            None => reasons.push((why, advice, vec![&property.name])),
        }
    }
    for (why, advice, names) in reasons {
        page.gap();
        page.line(&format!("{}:", names.join(", ")));
        page.line(&format!("  {why}"));
        if !advice.is_empty() {
            let advice = page.styled(DIM, &format!("  -> {advice}"));
            page.line(&advice);
        }
    }
}

/// How far a verdict reaches or the number that was asked for, and the numbers of its assumptions.
fn note(property: &PropertyReport) -> String {
    let measured = property.measured.map(|measured| match measured {
        Measured::Steps(1) => "1 step".to_owned(),
        Measured::Steps(steps) => format!("{steps} steps"),
        Measured::Infinite => "infinite".to_owned(),
    });
    let place = property.may_fail_at.as_ref();
    let place = place.map(|place| format!("line {}", place.line));
    let strength = match (property.verdict, property.strength) {
        (VerdictWord::Possible, _) => place.as_deref().unwrap_or_default(),
        _ if measured.is_some() => measured.as_deref().unwrap_or_default(),
        (VerdictWord::Holds, Some(Strength::Exhausted)) => "within bounds",
        (VerdictWord::Holds, Some(Strength::Unchecked)) => "proved, not re-checked",
        (VerdictWord::Holds, Some(Strength::Proved)) => "proved",
        (_, Some(Strength::Sampled)) => "samples only",
        (_, Some(Strength::Bounded)) => "short runs only",
        (VerdictWord::Fails, _) => "see below",
        _ => "",
    };
    let assumed = ranges(&property.assumptions);
    if assumed.is_empty() {
        strength.to_owned()
    } else {
        format!("{strength:<15} [{assumed}]")
    }
}

/// `1-3, 5` for the numbers 1, 2, 3 and 5.
fn ranges(numbers: &[usize]) -> String {
    let mut parts: Vec<(usize, usize)> = Vec::new();
    for &number in numbers {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => parts.push((number, number)),
        }
    }
    let part = |(first, last): &(usize, usize)| {
        if first == last {
            first.to_string()
        } else {
            format!("{first}-{last}")
        }
    };
    parts.iter().map(part).collect::<Vec<_>>().join(", ")
}

fn write_story(
    page: &mut Page,
    property: &PropertyReport,
    story: &Story,
    (number, places): (usize, usize),
) {
    page.gap();
    let word = if story.possible { "may fail" } else { "fails" };
    let name = page.styled(BOLD, &property.name);
    let word = page.styled(BAD, word);
    if places == 1 {
        page.line(&format!("{name} {word}"));
    } else {
        page.line(&format!("{name} {word}, place {number} of {places}"));
    }
    if number == 1 {
        let quote = page.styled(DIM, &format!("  {}", property.text));
        page.line(&quote);
    }
    page.gap();
    let options = page.options;
    if let Some(line) = beginning_line(&story.beginning, options) {
        page.line(&line);
    }
    let (before, repeated) = match story.repeats_from {
        Some(start) => story.steps.split_at(start.min(story.steps.len())),
        None => (&story.steps[..], &[][..]),
    };
    let mut next = 1;
    let (lines, mut is_cut) = told(before, &mut next, options);
    for line in lines {
        page.line(&line);
    }
    if story.repeats_from.is_some() {
        let (again, is_more_cut) = told(repeated, &mut next, options);
        is_cut |= is_more_cut;
        if again.is_empty() {
            page.line("  and then nothing more happens, for ever");
        } else {
            page.line("  and then this repeats for ever:");
            for line in again {
                page.line(&line);
            }
        }
    }
    write_ending(page, story);
    if let Some(elsewhere) = property.elsewhere.as_ref().filter(|_| number == places) {
        page.line(&format!("     {elsewhere}"));
    }
    if let Some(another) = property.another.as_ref().filter(|_| number == places) {
        page.line(&format!("     {another}"));
    }
    if let Some(again) = property.again.as_ref().filter(|_| number == places) {
        let by_process = story
            .steps
            .iter()
            .any(|step| step.happenings.iter().any(|h| h.who.is_some()));
        // Told by processes, the short story leaves nothing out that matters.
        let text = if options.verbose || (by_process && !is_cut) {
            format!("  Again: {again}")
        } else {
            format!("  Every step of it: {again} --verbose")
        };
        let line = page.styled(DIM, &text);
        page.line(&line);
    }
}

fn write_ending(page: &mut Page, story: &Story) {
    let reason = page.styled(BAD, &format!("  => {}", story.ending.text));
    page.line(&reason);
    if !story.ending.values.is_empty() {
        page.line(&format!("     with {}", equations(&story.ending.values)));
    }
    for line in waiting_lines(&story.ending.waiting, page.options) {
        page.line(&line);
    }
}

/// The lines that say what processes wait for.
#[must_use]
pub fn waiting_lines(waiting: &[Waiting], options: TextOptions) -> Vec<String> {
    let line = |waiting| waiting_line(waiting, options);
    waiting.iter().map(line).collect()
}

/// The line that says what a process waits for.
fn waiting_line(waiting: &Waiting, options: TextOptions) -> String {
    let statements = match waiting.statements.as_slice() {
        [] => "nothing".to_owned(),
        some => some.join("  or  "),
    };
    let place = waiting.line.as_ref().map_or(String::new(), place);
    let place = styled(options, DIM, &format!("{place:<PLACE_WIDTH$}"));
    let may_end = if waiting.may_end {
        " (and may end there)"
    } else {
        ""
    };
    let who = format!("{:<WHO_WIDTH$}", waiting.who);
    format!(
        "       {who} {place} waits for  {}{may_end}",
        shortened(&statements, LONGEST_SOURCE)
    )
}

/// The line that tells how a run begins; none if there is nothing to tell.
#[must_use]
pub fn beginning_line(first: &[First], options: TextOptions) -> Option<String> {
    let parts: Vec<String> = first
        .iter()
        .filter(|first| options.verbose || !first.detail)
        .map(|first| format!("{} = {}", first.variable, first.value))
        .collect();
    (!parts.is_empty()).then(|| format!("     at first {}", parts.join(", ")))
}

fn equations(values: &[Named]) -> String {
    let parts: Vec<String> = values
        .iter()
        .map(|named| format!("{} = {}", named.name, named.value))
        .collect();
    parts.join(", ")
}

/// The lines that tell some macro steps. The first that is told has the number `next`, and so on; where all
/// are told, each has its own. Also whether steps are left out because there are many.
fn told(steps: &[StoryStep], next: &mut usize, options: TextOptions) -> (Vec<String>, bool) {
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
            let label = match alike {
                1 => next.to_string(),
                _ => format!("{next}-{}", *next + alike - 1),
            };
            *next += alike;
            told.push((
                alike,
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
struct Sentence {
    /// The process, where the story is told by processes.
    who: Option<String>,
    text: String,
    /// The line of the script that it belongs to.
    line: Option<Line>,
}

/// What a step has to say.
fn sentences(step: &StoryStep, options: TextOptions) -> Vec<Sentence> {
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

fn summary(report: &Report) -> String {
    let summary = &report.summary;
    let verb = |count: usize, one: &'static str, many: &'static str| {
        if count == 1 { one } else { many }
    };
    let mut parts = Vec::new();
    for (count, one, many) in [
        (summary.hold, "holds", "hold"),
        (summary.fail, "fails", "fail"),
        (summary.vacuous, "vacuous", "vacuous"),
        (summary.measured, "measured", "measured"),
        (summary.possible, "possible", "possible"),
        (summary.not_known, "not known", "not known"),
        (
            summary.too_weak,
            "holds, but not as far as required",
            "hold, but not as far as required",
        ),
    ] {
        if count > 0 {
            parts.push(format!("{count} {}", verb(count, one, many)));
        }
    }
    let count = summary.properties;
    let mut text = match count {
        0 => "no properties".to_owned(),
        _ => format!("{count} {}", verb(count, "property", "properties")),
    };
    if !parts.is_empty() {
        write!(text, ": {}", parts.join(", ")).expect("writing to a string succeeds");
    }
    if summary.refused_files > 0 {
        let files = verb(summary.refused_files, "file", "files");
        write!(text, "; {} {files} not checked", summary.refused_files)
            .expect("writing to a string succeeds");
    }
    let unread = report.files.iter().filter(|file| file.unread.is_some());
    let unread = unread.count();
    if unread > 0 {
        let files = verb(unread, "file", "files");
        write!(text, "; {unread} {files} not known").expect("writing to a string succeeds");
    }
    let kept = report.files.iter().filter(|file| file.cached).count();
    if kept > 0 {
        let files = verb(kept, "file", "files");
        write!(text, "; {kept} {files} from the cache").expect("writing to a string succeeds");
    }
    let meaning = match report.status {
        _ if report.interrupted => "interrupted",
        0 => "every property holds",
        1 if summary.fail == 0 => "some property may fail",
        1 => "some property fails",
        2 => "bad input",
        _ if count == 0 && unread == 0 => "nothing was checked",
        _ => "not every property is known to hold",
    };
    format!("{text}. Exit status {}: {meaning}.", report.status)
}

#[cfg(test)]
mod tests {
    use super::effort::grouped;
    use super::prose::wrapped;
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

    #[test]
    fn prose_is_wrapped_between_words() {
        assert_eq!(wrapped("aa bb cc dd", 9, 4), "aa bb\n    cc dd");
        assert_eq!(
            wrapped("longer-than-a-line x", 9, 4),
            "longer-than-a-line\n    x"
        );
        assert_eq!(wrapped("", 9, 4), "");
    }

    #[test]
    fn numbers_are_grouped_and_ranged() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(ranges(&[1, 2, 3, 5]), "1-3, 5");
        assert_eq!(ranges(&[]), "");
    }
}
