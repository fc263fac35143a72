//! The report for programs that run Probity: code scanners, build servers, pages of reviews.

mod annotations;
mod junit;
mod sarif;

use crate::values::{HappeningKind, Line, PropertyReport, Story, VerdictWord};

/// Where a reader should look first: where the run that shows the failure ends, where the property may
/// fail, or where it is written.
fn place(property: &PropertyReport) -> Option<&Line> {
    let story = property.story.as_ref();
    story
        .and_then(last_line)
        .or(property.may_fail_at.as_ref())
        .or(property.line.as_ref())
}

/// The last line of the script that a run comes to. That of a check is where the property is written.
fn last_line(story: &Story) -> Option<&Line> {
    let happenings = story.steps.iter().flat_map(|step| &step.happenings);
    let mut own = happenings.filter(|happening| happening.kind != HappeningKind::Check);
    own.rfind(|happening| happening.line.is_some())?
        .line
        .as_ref()
}

/// What is to be said of a property that does not simply hold, in a sentence or two.
fn sentence(property: &PropertyReport) -> Option<String> {
    let name = &property.name;
    let why = || property.why.as_deref().unwrap_or("no reason is known");
    let said = match property.verdict {
        VerdictWord::Fails => match &property.story {
            Some(story) => format!("`{name}` fails: {}", story.ending.text),
            None => format!("`{name}` fails"),
        },
        VerdictWord::Possible => format!("`{name}` may fail: {}", why()),
        VerdictWord::Vacuous => format!("`{name}` holds, and says nothing: {}", why()),
        VerdictWord::NotKnown => format!("whether `{name}` holds is not known: {}", why()),
        VerdictWord::Holds if property.too_weak => {
            format!("`{name}` holds, but not as far as required")
        }
        VerdictWord::Holds | VerdictWord::Measured => return None,
    };
    Some(said)
}
