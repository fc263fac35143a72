//! Small changes of a script that no property notices, as text.

use super::Page;
use super::looks::{DIM, LONGEST_DEED, LONGEST_SOURCE, PLACE_WIDTH};
use super::short::{place, shortened};
use crate::values::{FileReport, MutantReport};

/// The changes of the script that no property notices.
pub(super) fn write_mutants(page: &mut Page, file: &FileReport) {
    let Some(mutants) = &file.mutants else {
        return;
    };
    page.gap();
    if let Some(why) = &mutants.why {
        page.line(&format!("What properties notice was not tried: {why}"));
        return;
    }
    let unnoticed = mutants.unnoticed.len();
    let decided = mutants.noticed + unnoticed;
    let head = match (decided, unnoticed) {
        (0, _) => "What properties notice is not known: no change was decided".to_owned(),
        (all, 0) => format!("Each of {all} small changes of the script breaks some property"),
        (all, few) => format!(
            "Of {all} small changes of the script, {few} {} all properties as they are",
            if few == 1 { "leaves" } else { "leave" }
        ),
    };
    page.line(&head);
    for mutant in &mutants.unnoticed {
        let at = mutant.line.as_ref().map_or(String::new(), place);
        let at = page.styled(DIM, &format!("{at:<PLACE_WIDTH$}"));
        page.line(&format!("  {at} {}", told(mutant)));
    }
    let are = |count: usize| if count == 1 { "is" } else { "are" };
    if mutants.open > 0 {
        let open = mutants.open;
        page.line(&format!("  {open} more {} not decided", are(open)));
    }
    if mutants.untried > 0 {
        let untried = mutants.untried;
        page.line(&format!(
            "  there was no time for {untried} more (--timeout)"
        ));
    }
}

/// A change, and the line that it is in.
fn told(mutant: &MutantReport) -> String {
    let old = shortened(&mutant.old, LONGEST_DEED);
    let source = mutant.line.as_ref().map_or("", |line| line.source.as_str());
    let source = shortened(source, LONGEST_SOURCE);
    match &mutant.new {
        None => format!("without `{old}`"),
        Some(new) => format!("`{new}` for `{old}` in `{source}`"),
    }
}
