//! The verdicts of properties, where they are written.

use report::{
    FileReport, HappeningKind, Line, Measured, PropertyReport, Story, Strength, VerdictWord,
};

use crate::document::{Document, Edit, Position};
use crate::findings::{Finding, Level, Place, Related};

/// More steps of a run than this are not shown beside a finding: half of them at its beginning, half at
/// its end.
const MOST_STEPS: usize = 60;

/// A property and where it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PropertyAt {
    /// Its name.
    pub name: String,
    /// Where it begins; what nobody has written begins with the text.
    pub offset: usize,
}

impl PropertyAt {
    /// Moves it with an edit.
    pub fn moves(&mut self, edit: &Edit) {
        self.offset = edit.moved(self.offset);
    }
}

/// What was found out about a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// The property.
    pub name: String,
    /// The verdict in a few words: `holds (proved)`.
    pub title: String,
    /// Whether there is a run to be shown.
    pub has_run: bool,
    /// What is wrong, if something is.
    pub finding: Option<Finding>,
}

/// What a report on a document says of one of its properties.
#[must_use]
pub fn verdict_of(file: &FileReport, property: &PropertyReport, document: &Document) -> Verdict {
    let why = || property.why.as_deref().unwrap_or("no reason is known");
    let (title, level) = match property.verdict {
        VerdictWord::Holds => (holds(property), None),
        VerdictWord::Fails => ("fails".to_owned(), Some(Level::Error)),
        VerdictWord::Vacuous => (
            format!("holds, and says nothing: {}", why()),
            Some(Level::Warning),
        ),
        VerdictWord::Measured => (measured(property), None),
        VerdictWord::Possible => (format!("may fail: {}", why()), Some(Level::Warning)),
        VerdictWord::NotKnown => (format!("not known: {}", why()), Some(Level::Information)),
    };
    let finding = level.map(|level| {
        let mut message = match &property.story {
            Some(story) if property.verdict == VerdictWord::Fails => {
                format!("`{}` fails: {}", property.name, story.ending.text)
            }
            _ => format!("`{}` {title}", property.name),
        };
        for more in [&property.elsewhere, &property.advice]
            .into_iter()
            .flatten()
        {
            message.push('\n');
            message.push_str(more);
        }
        let story = property.story.as_ref();
        let line = property
            .line
            .as_ref()
            .or(property.may_fail_at.as_ref())
            .or(story.and_then(last_line))
            .filter(|line| line.file == file.file);
        Finding {
            range: line.map_or_else(|| document.line_range(0), |line| rest_of(line, document)),
            level,
            code: property.name.clone(),
            message,
            related: story.map_or_else(Vec::new, |story| steps(file, story, document)),
            fixes: Vec::new(),
        }
    });
    Verdict {
        name: property.name.clone(),
        title,
        has_run: property.story.is_some(),
        finding,
    }
}

fn holds(property: &PropertyReport) -> String {
    let reach = match property.strength {
        Some(Strength::Proved) => "proved",
        Some(Strength::Unchecked) => "proved, not re-checked",
        Some(Strength::Exhausted) => "all states within bounds",
        Some(Strength::Bounded) => "runs up to some length",
        Some(Strength::Sampled) => "samples",
        None => return "holds".to_owned(),
    };
    format!("holds ({reach})")
}

fn measured(property: &PropertyReport) -> String {
    match property.measured {
        Some(Measured::Steps(1)) => "1 step".to_owned(),
        Some(Measured::Steps(steps)) => format!("{steps} steps"),
        Some(Measured::Infinite) => "infinite".to_owned(),
        None => "measured".to_owned(),
    }
}

/// The last line of the script that a run comes to.
fn last_line(story: &Story) -> Option<&Line> {
    let happenings = story.steps.iter().flat_map(|step| &step.happenings);
    let mut own = happenings.filter(|happening| happening.kind != HappeningKind::Check);
    own.rfind(|happening| happening.line.is_some())?
        .line
        .as_ref()
}

/// A line from where it is meant to its end.
fn rest_of(line: &Line, document: &Document) -> std::ops::Range<usize> {
    let whole = document.line_range(line.line.saturating_sub(1) as usize);
    let text = &document.text()[whole.clone()];
    let column = line.column.saturating_sub(1) as usize;
    let start = text.char_indices().nth(column).map_or(0, |(at, _)| at);
    whole.start + start..whole.end
}

/// The steps of a run, in the lines where they happen.
fn steps(file: &FileReport, story: &Story, document: &Document) -> Vec<Related> {
    let happenings = story.steps.iter().flat_map(|step| {
        let own = step.happenings.iter();
        own.filter_map(move |happening| Some((step.number, happening, happening.line.as_ref()?)))
    });
    let told: Vec<_> = happenings
        .filter(|(_, happening, _)| !happening.detail || happening.who.is_some())
        .collect();
    let (first, last) = match told.len() > MOST_STEPS {
        true => (MOST_STEPS / 2, told.len() - MOST_STEPS / 2),
        false => (told.len(), told.len()),
    };
    let shown = told[..first].iter().chain(&told[last..]);
    let mut all: Vec<Related> = shown
        .map(|(number, happening, line)| {
            let who = happening.who.iter().map(String::as_str);
            let text = Some(happening.text.as_str()).filter(|text| !text.is_empty());
            let said: Vec<&str> = who.chain(text).collect();
            let said = match said[..] {
                [] => line.source.clone(),
                _ => said.join(": "),
            };
            Related {
                place: place(file, line, document),
                message: format!("{number}. {said}"),
            }
        })
        .collect();
    if last > first
        && let Some(related) = all.get_mut(first)
    {
        let left_out = last - first;
        related.message = format!("({left_out} left out) {}", related.message);
    }
    all
}

fn place(file: &FileReport, line: &Line, document: &Document) -> Place {
    if line.file == file.file {
        return Place::Here(rest_of(line, document));
    }
    // Of another file the text is not at hand; columns of its lines are those of characters.
    let column = line.column.saturating_sub(1);
    let at = |column| Position {
        line: line.line.saturating_sub(1),
        column,
    };
    Place::Elsewhere(line.file.clone(), at(column), at(column))
}
