//! Runs that several properties have in common are told once.

use super::Page;
use crate::values::{PropertyReport, Story};

/// Writes what is said in place of a run that is told with another property; whether there is one.
pub(super) fn is_told_elsewhere(
    page: &mut Page,
    property: &PropertyReport,
    all: &[PropertyReport],
) -> bool {
    let said = told_elsewhere(property, all);
    if let Some(line) = &said {
        page.gap();
        page.line(line);
    }
    said.is_some()
}

/// What is said in place of a run in which a property may fail, if it is told with another property:
/// the same run, or one that ends where what the other run shows has just happened.
fn told_elsewhere(property: &PropertyReport, all: &[PropertyReport]) -> Option<String> {
    let story = property.story.as_ref().filter(|story| story.possible)?;
    if !property.others.is_empty() {
        return None;
    }
    let mut before_it = true;
    for other in all {
        if other.name == property.name {
            before_it = false;
            continue;
        }
        let Some(told) = &other.story else {
            continue;
        };
        if !told.possible && begins_with(story, told) {
            return Some(format!(
                "{} may fail at the end of the run of {}",
                property.name, other.name
            ));
        }
        // Of runs that are the same the first one is told.
        let certain = |told: &Story| told_by_certain(told, all);
        if before_it && told.possible && told.steps == story.steps && !certain(told) {
            return Some(format!(
                "{} may fail in the same run as {}",
                property.name, other.name
            ));
        }
    }
    None
}

/// Whether a run that is certain is the beginning of one that may be.
fn told_by_certain(story: &Story, all: &[PropertyReport]) -> bool {
    let mut others = all.iter().filter_map(|other| other.story.as_ref());
    others.any(|other| !other.possible && begins_with(story, other))
}

/// Whether a run begins with another one, up to that one's last step, in which something is found.
fn begins_with(story: &Story, beginning: &Story) -> bool {
    let Some((_, steps)) = beginning.steps.split_last() else {
        return false;
    };
    beginning.repeats_from.is_none()
        && story.steps.len() > steps.len()
        && story.steps.starts_with(steps)
        && story.beginning == beginning.beginning
}
