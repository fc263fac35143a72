//! Steps that may be made next, and why there are none, in words.

use model::interp::Stop;
use report::StoryStep;

/// A step as one of several to choose from, in the words that tell events.
pub(super) fn events(step: &StoryStep) -> String {
    let told = step.happenings.iter().filter(|h| !h.detail);
    let mut sentences: Vec<&str> = told.map(|h| h.text.as_str()).collect();
    if sentences.is_empty() {
        sentences = step.happenings.iter().map(|h| h.text.as_str()).collect();
        sentences.retain(|text| !text.is_empty());
    }
    if sentences.is_empty() {
        "nothing that is told".to_owned()
    } else {
        sentences.join("; ")
    }
}

/// The same for languages whose stories are told by processes: who executes what, and where.
pub(super) fn deeds(step: &StoryStep) -> String {
    let deeds: Vec<String> = step
        .happenings
        .iter()
        .filter_map(|happening| {
            let who = happening.who.as_ref()?;
            let line = happening.line.as_ref();
            let place = line.map_or(String::new(), |line| format!("line {}: ", line.line));
            Some(format!("{who}  {place}{}", happening.text))
        })
        .collect();
    deeds.join("; ")
}

/// Why nothing more is known.
pub(super) fn reason(stop: Stop) -> &'static str {
    match stop {
        Stop::Overflow => "A number grew beyond every limit.",
        Stop::Time => "It takes too long.",
        Stop::TooWide => "A choice is among more values than can be listed.",
        Stop::StepBudget => "One event takes more steps than the simulator follows.",
    }
}
