//! The report as text for a terminal.
//!
//! First every verdict on a line of its own, then the story of each failure, then the
//! assumptions that the verdicts rest on, then one line that sums up. The short form tells what
//! was made to be told; the long form (`verbose`) every step with its line.

mod beside;
mod common_beginnings;
mod effort;
mod long_runs;
mod looks;
mod mutants;
mod prose;
mod shared_runs;
mod short;
mod steps;

use std::fmt::Write as _;

use anstyle::Style;

use self::beside::{
    write_assumptions, write_facts, write_passes, write_proposals, write_unreached,
};
use self::common_beginnings::ToldRuns;
use self::effort::effort;
pub use self::effort::time;
pub use self::looks::TextOptions;
use self::looks::{
    BAD, BOLD, DIM, DOUBTFUL, GOOD, LONGEST_SOURCE, PLACE_WIDTH, WHO_WIDTH, WIDEST_NAME, styled,
};
use self::mutants::write_mutants;
use self::short::{place, shortened};
pub use self::steps::step_lines;
use self::steps::told;
use crate::shown::{is_plain, shown};
use crate::values::{
    FileReport, First, Measured, Named, PropertyReport, Report, Story, Strength, VerdictWord,
    Waiting,
};

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
    match is_plain(file) {
        true => write_file(&mut page, file),
        false => write_file(&mut page, &shown(file)),
    }
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
    let mut runs = ToldRuns::default();
    for property in file.properties.iter().filter(told) {
        if shared_runs::is_told_elsewhere(page, property, &file.properties) {
            continue;
        }
        let places = property.others.len() + 1;
        for (number, story) in (1..).zip(property.story.iter().chain(&property.others)) {
            write_story(page, property, story, (number, places), &runs);
            let name = &property.name;
            let name = match places {
                1 => name.clone(),
                _ => format!("{name} at place {number}"),
            };
            runs.push(name, story);
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
    write_mutants(page, file);
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
    runs: &ToldRuns<'_>,
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
    let (before, repeated) = match story.repeats_from {
        Some(start) => story.steps.split_at(start.min(story.steps.len())),
        None => (&story.steps[..], &[][..]),
    };
    let mut next = 1;
    let mut from = 0;
    if let Some(beginning) = runs.beginning_of(story, options) {
        (next, from) = (beginning.next, beginning.steps);
        let run = beginning.run;
        let label = format!("1-{}", next - 1);
        page.line(&format!("{label:>5}. as in the run of {run}"));
    } else if let Some(line) = beginning_line(&story.beginning, options) {
        page.line(&line);
    }
    let (lines, mut is_cut) = told(&before[from..], &mut next, options);
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
