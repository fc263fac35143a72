//! Mutants of a script: small changes of it that no property notices.
//!
//! That all properties hold says nothing of a statement without which they hold as well. So each word,
//! number and statement is changed, one at a time, and what held is asked of the changed script: a change
//! after which all of it still holds is told (H. Chockler, O. Kupferman and M. Y. Vardi: *Coverage metrics
//! for temporal logic model checking*, 2001). Some of these changes do not matter, others show what nobody
//! has stated.

mod edits;

use std::ops::Range;
use std::time::{Duration, Instant};

use model::{Program, Strength, Verdict};
use report::{MutantReport, Mutants};
use source::limits::within;
use source::{SourceFile, Span};
use verify::Outcome;

use self::edits::{Edit, edits};
use super::one_file::{Asked, Checking};
use crate::command_line::Input;
use crate::corridor::{Script, load};

/// How long mutants are looked at, if no time is stated.
const LIMIT: Duration = Duration::from_secs(300);

/// A mutant is given so many times what the script took,
const PATIENCE: u32 = 4;
/// but no less than this,
const LEAST: Duration = Duration::from_secs(2);
/// and no more.
const MOST: Duration = Duration::from_secs(20);

/// What came of a mutant.
enum Fate {
    /// Some property does not hold of it.
    Noticed,
    /// All that held still holds.
    Unnoticed,
    /// Not known.
    Open,
    /// It is no script, or there is nothing to ask of it.
    Stillborn,
}

impl Checking<'_, '_> {
    /// The changes of a script that none of the properties notices that hold; `took` is how long these
    /// took.
    pub(super) fn mutants(
        &self,
        asked: &Asked<'_>,
        outcomes: &[Outcome],
        took: Duration,
    ) -> Mutants {
        let (script, program) = (asked.script, asked.program);
        let language = self.job.invocation.input.language_of(script.path);
        let Some(lexis) = language.and_then(language::FrontEnd::lexis) else {
            return Mutants::not_tried("scripts of this language are not changed");
        };
        let name = script.path.to_string_lossy();
        let sources = &asked.loaded.sources;
        let mut files = sources.files();
        let is_script =
            |file: &&SourceFile| file.name() == name && file.text().as_bytes() == script.contents;
        let Some(file) = files.find(is_script) else {
            return Mutants::not_tried("the script is no text in UTF-8");
        };
        let names: Vec<String> = outcomes
            .iter()
            .filter(|outcome| holds(&outcome.verdict))
            .map(|outcome| program.properties[outcome.property.index()].name.clone())
            .collect();
        if names.is_empty() {
            return Mutants::not_tried("no property holds that could notice a change");
        }
        let edits = edits(file.text(), lexis, &stated(program, file));
        let begin = Instant::now();
        let limit = self.work.left().unwrap_or(LIMIT);
        let mut found = Mutants::default();
        for (number, edit) in edits.iter().enumerate() {
            let left = limit.saturating_sub(begin.elapsed());
            if left.is_zero() || self.is_stopped() {
                found.untried = edits.len() - number;
                break;
            }
            let all = edits.len();
            self.work
                .phase(format!("changing {name}: {} of {all} places", number + 1));
            let time = (took * PATIENCE).clamp(LEAST, MOST).min(left);
            match self.fate(script, &edit.applied(file.text()), &names, time) {
                Fate::Noticed => found.noticed += 1,
                Fate::Open => found.open += 1,
                Fate::Unnoticed => found.unnoticed.push(told(edit, file, asked)),
                Fate::Stillborn => {}
            }
        }
        found
    }

    /// What the properties of these names say of a changed script.
    fn fate(&self, script: Script<'_>, text: &str, names: &[String], time: Duration) -> Fate {
        let changed = Script {
            contents: text.as_bytes(),
            ..script
        };
        let input = Input {
            unasked: true,
            ..self.job.invocation.input.clone()
        };
        let loaded = within(self.work.limits(), || {
            load(changed, &input, self.files).loaded
        });
        let Ok(loaded) = loaded else {
            return Fate::Open;
        };
        let Some(program) = loaded.program else {
            return Fate::Stillborn;
        };
        let all = program.properties.iter().map(|property| &property.name);
        let only: Vec<String> = all.filter(|name| names.contains(name)).cloned().collect();
        if only.is_empty() {
            return Fate::Stillborn;
        }
        let options = verify::Options {
            timeout: Some(time),
            all_errors: false,
            first_failure: true,
            ..self.options(Some(only))
        };
        let display = self.display(&options);
        let outcomes = verify::check(&program, &options, &display);
        display.clear();
        let mut fate = Fate::Unnoticed;
        for outcome in &outcomes {
            match &outcome.verdict {
                verdict if holds(verdict) => {}
                Verdict::Fails { .. }
                | Verdict::Vacuous { .. }
                | Verdict::Unknown {
                    possible: Some(_), ..
                } => return Fate::Noticed,
                // In samples or short runs only: nobody has looked whether it is noticed.
                Verdict::Holds { .. } | Verdict::Measured { .. } | Verdict::Unknown { .. } => {
                    fate = Fate::Open;
                }
            }
        }
        fate
    }

    fn is_stopped(&self) -> bool {
        let stop = self.job.system.stop();
        stop.load(std::sync::atomic::Ordering::Relaxed)
    }
}

/// Whether a property holds of all that was asked about.
fn holds(verdict: &Verdict) -> bool {
    let Verdict::Holds { strength, .. } = verdict else {
        return false;
    };
    match strength {
        Strength::Exhausted | Strength::Unchecked | Strength::Proved => true,
        Strength::Sampled | Strength::Bounded(_) => false,
    }
}

/// Where the properties stand, which are not to be changed themselves.
fn stated(program: &Program, file: &SourceFile) -> Vec<Range<usize>> {
    let bytes = |span: Span| span.start as usize..span.end as usize;
    let is_here = |span: &Span| span.file == file.id();
    let of_properties = program.properties.iter().filter(|property| {
        // A property of the language itself may be told at the statement that it is about.
        let bare = |text: &str| text.split_whitespace().collect::<String>();
        is_here(&property.span)
            && bare(&file.text()[bytes(property.span)]).contains(&bare(&property.text))
    });
    of_properties.map(|property| bytes(property.span)).collect()
}

/// A change that nobody notices, for people.
fn told(edit: &Edit, file: &SourceFile, asked: &Asked<'_>) -> MutantReport {
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let span = Span {
        file: file.id(),
        start: offset(edit.range.start),
        end: offset(edit.range.end),
    };
    let old = &file.text()[edit.range.clone()];
    MutantReport::new(
        &asked.loaded.sources,
        asked.program,
        span,
        old,
        (!edit.leaves_out).then_some(&edit.by),
    )
}
