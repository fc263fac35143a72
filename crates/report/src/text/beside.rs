//! What stands beside the verdicts: statements that no run reaches, assumptions, passes.

use std::fmt::Write as _;

use super::Page;
use super::looks::{DIM, LONGEST_DEED, PLACE_WIDTH, WHO_WIDTH, WIDEST_PROSE};
use super::prose::wrapped;
use super::short::{place, shortened};
use crate::values::{FileReport, Origin, VerdictWord};

/// The statements that no run reaches.
pub(super) fn write_unreached(page: &mut Page, file: &FileReport) {
    let Some(unreached) = &file.unreached else {
        return;
    };
    page.gap();
    if unreached.statements.is_empty() {
        page.line(&match &unreached.why {
            Some(why) => format!("Which statements are reached is not known: {why}"),
            None => "Every statement is reached".to_owned(),
        });
        return;
    }
    page.line("Statements that no run reaches");
    for statement in &unreached.statements {
        let place = statement.line.as_ref().map_or(String::new(), place);
        let place = page.styled(DIM, &format!("{place:<PLACE_WIDTH$}"));
        let text = shortened(&statement.text, LONGEST_DEED);
        page.line(&format!(
            "  {:<WHO_WIDTH$} {place} {text}",
            statement.process
        ));
    }
    if let Some(why) = &unreached.why {
        page.line(&format!(
            "Whether all others are reached is not known: {why}"
        ));
    }
}

pub(super) fn write_assumptions(page: &mut Page, file: &FileReport) {
    if page.options.verbose && !file.world.is_empty() {
        page.gap();
        page.line("What the world around the script may do");
        for what in &file.world {
            page.line(&format!("  - {what}"));
        }
    }
    if file.assumptions.is_empty() {
        return;
    }
    page.gap();
    page.line("Assuming that");
    for assumption in &file.assumptions {
        let origin = match (&assumption.origin, &assumption.line) {
            (Origin::Stated | Origin::Bound, Some(line)) => place(line),
            (Origin::Stated | Origin::Bound, None) => "command line".to_owned(),
            (Origin::Semantics, _) => String::new(),
            (Origin::Cube, _) => "--cube".to_owned(),
            (Origin::LeftOut, Some(line)) => format!("chosen by Probity, {}", place(line)),
            (Origin::LeftOut, None) => "chosen by Probity".to_owned(),
            (Origin::Sample, _) => "chosen by Probity: samples only".to_owned(),
        };
        let origin = if origin.is_empty() {
            origin
        } else {
            page.styled(DIM, &format!("  ({origin})"))
        };
        let number = format!("  [{}] ", assumption.number);
        let text = wrapped(&assumption.text, WIDEST_PROSE, number.chars().count());
        page.line(&format!("{number}{text}{origin}"));
    }
}

/// What is always true and proves a property, in the script's words.
pub(super) fn write_facts(page: &mut Page, file: &FileReport) {
    for property in &file.properties {
        let Some(evidence) = &property.evidence else {
            continue;
        };
        if property.verdict != VerdictWord::Holds || evidence.facts.is_empty() {
            continue;
        }
        page.gap();
        page.line(&format!("{} holds, since always:", property.name));
        for fact in &evidence.facts {
            page.line(&format!("  {fact}"));
        }
    }
}

/// What the author might want to state.
pub(super) fn write_proposals(page: &mut Page, file: &FileReport) {
    if file.proposals.is_empty() {
        return;
    }
    page.gap();
    page.line("What only you can say: properties that the script might have, to paste into it");
    for proposal in &file.proposals {
        page.line(&format!("  {proposal}"));
    }
}

pub(super) fn write_passes(page: &mut Page, file: &FileReport) {
    page.gap();
    page.line("What the passes did");
    for property in file.properties.iter().filter(|p| !p.passes.is_empty()) {
        page.line(&format!("  {}", property.name));
        page.line(
            "    pass         variables          bits         steps    statements       choices",
        );
        for pass in &property.passes {
            let mut row = format!("    {:<8}", pass.pass);
            let sizes = [
                (pass.before.variables, pass.after.variables),
                (pass.before.bits, pass.after.bits),
                (pass.before.steps, pass.after.steps),
                (pass.before.statements, pass.after.statements),
                (pass.before.choices, pass.after.choices),
            ];
            for (before, after) in sizes {
                let cell = if before == after {
                    before.to_string()
                } else {
                    format!("{before} -> {after}")
                };
                write!(row, " {cell:>13}").expect("writing to a string succeeds");
            }
            page.line(&row);
        }
    }
}
