//! Another run that violates a property, in place of one that is known.

use std::collections::BTreeMap;
use std::path::Path;

use model::{Program, PropertyId, Trace, UnknownReason, Verdict};
use report::{TraceFile, TracedProperty};
use verify::{Another, Apart, Outcome, another, confirm};

use super::one_file::Checking;
use super::own_properties;
use crate::system::System;

/// What is said of another run of each property.
pub(super) type Notes = BTreeMap<PropertyId, String>;

/// Reads runs that were kept.
///
/// # Errors
/// Why there are none, as a sentence.
pub(super) fn kept_runs(path: &Path, system: &dyn System) -> Result<TraceFile, String> {
    let name = path.display();
    let bytes = system
        .read(path)
        .map_err(|error| format!("cannot read `{name}`: {error}"))?;
    let file = TraceFile::from_json(&String::from_utf8_lossy(&bytes))
        .map_err(|error| format!("failed to {error}"))?;
    match file.traces.iter().find(|traced| !traced.is_unbroken()) {
        None => Ok(file),
        Some(_) => Err(format!("a run in `{name}` was changed since it was kept")),
    }
}

/// The property that a kept run is about, if the program has it; `texts` are those of the command line.
pub(crate) fn kept_property(
    program: &Program,
    traced: &TracedProperty,
    texts: &[String],
) -> Option<PropertyId> {
    let name = traced.property.as_ref()?;
    let own = own_properties(program, texts.len());
    let at = match &traced.text {
        Some(text) => own + texts.iter().position(|other| other == text)?,
        None => {
            let mut own = program.properties[..own].iter();
            own.position(|property| property.name == *name)?
        }
    };
    Some(PropertyId::new(at))
}

impl Checking<'_, '_> {
    /// Puts another run in the place of each that was found.
    pub(super) fn others_than_found(&self, program: &Program, outcomes: &mut [Outcome]) -> Notes {
        let mut notes = Notes::new();
        for outcome in outcomes {
            let Verdict::Fails { trace } = &outcome.verdict else {
                continue;
            };
            let known = [(**trace).clone()];
            let of = outcome.program.clone();
            let note = self.other(
                of.as_deref().unwrap_or(program),
                &known,
                "the first",
                outcome,
            );
            outcome.program = of;
            notes.insert(outcome.property, note);
        }
        notes
    }

    /// Puts a run that was not kept in the place of each that was found, where there are kept ones.
    pub(super) fn others_than_kept(
        &self,
        program: &Program,
        kept: &TraceFile,
        texts: &[String],
        outcomes: &mut [Outcome],
    ) -> Notes {
        let mut notes = Notes::new();
        for outcome in outcomes {
            let property = outcome.property;
            let of_it = kept
                .traces
                .iter()
                .filter(|traced| kept_property(program, traced, texts) == Some(property));
            let known: Option<Vec<Trace>> = of_it
                .map(|traced| {
                    let trace = traced.trace(program).ok()?;
                    confirm(program, property, &trace).ok()?;
                    Some(trace)
                })
                .collect();
            let is_failing = matches!(outcome.verdict, Verdict::Fails { .. });
            let note = match known {
                Some(known) if known.is_empty() || !is_failing => continue,
                Some(known) => self.other(program, &known, "those kept", outcome),
                None if is_failing => {
                    "a run that was kept is no run of the script any more, so this may be the same"
                        .to_owned()
                }
                None => continue,
            };
            notes.insert(property, note);
        }
        notes
    }

    /// Puts another run than the known ones in the place of the one of an outcome, if there is one; what
    /// is to be said of it.
    fn other(
        &self,
        program: &Program,
        known: &[Trace],
        than: &str,
        outcome: &mut Outcome,
    ) -> String {
        let options = self.options(None);
        let display = self.display(&options);
        let found = another(program, outcome.property, known, &options, &display);
        display.clear();
        match found {
            Another::Found(other, apart) => {
                *outcome = *other;
                match apart {
                    Apart::Ending => {
                        format!("This is another run than {than}: it ends in another way.")
                    }
                    Apart::Way => {
                        format!("This is another run than {than}: it takes another way.")
                    }
                }
            }
            Another::None => {
                "There is no other run that violates it, but for what may follow behind this one."
                    .to_owned()
            }
            Another::Open(reason) => format!("No other run was found{}.", in_words(&reason)),
            Another::NotAsked(why) => format!("No other run is looked for: {why}."),
        }
    }
}

/// What kept a search from being the last word.
fn in_words(reason: &UnknownReason) -> &'static str {
    match reason {
        UnknownReason::Time => " in the time that there was",
        UnknownReason::Memory => " with the memory that there was",
        UnknownReason::Interrupted => " before the search was stopped",
        UnknownReason::Sampled => " among the values that were tried",
        UnknownReason::LeftOut(_) => " in what is followed of the script",
        UnknownReason::Bound(_) => " among runs that are not longer than was looked at",
        _ => ", and whether there is one is not known",
    }
}
