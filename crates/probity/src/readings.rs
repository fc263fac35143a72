//! Other readings of a script: where a finding appears, and where it does not.
//!
//! Where a language has several runtimes, they may differ. What fails under the reading that was asked
//! for is asked again under the others, and the report says where it fails as well.

use std::time::{Duration, Instant};

use model::Verdict;
use passes::Selection;
use report::FileReport;
use verify::Outcome;

use crate::command_line::Input;
use crate::corridor::{Script, load};
use crate::system::Files;

/// What the other readings are given at least, together.
const LEAST: Duration = Duration::from_secs(10);
/// And at most.
const MOST: Duration = Duration::from_secs(30);

/// First answers that took no longer are about few states: passes would take longer than they save.
const QUICK: Duration = Duration::from_secs(1);

/// What came of asking again: the options of the reading, and for each property whether it fails; not
/// known if that is not known.
struct Reading {
    options: String,
    fails: Vec<(String, Option<bool>)>,
}

/// Asks again what fails, and says so in the report. `took` is how long the first answers took.
pub(crate) fn ask_again(
    script: Script<'_>,
    others: Vec<(String, Input)>,
    (options, took): (&verify::Options, Duration),
    report: &mut FileReport,
    files: &dyn Files,
) {
    let names: Vec<String> = report
        .properties
        .iter()
        .filter(|property| property.verdict == report::VerdictWord::Fails)
        .map(|property| property.name.clone())
        .collect();
    if names.is_empty() {
        return;
    }
    let left = options.timeout.unwrap_or(MOST);
    let until = Instant::now() + took.clamp(LEAST, MOST).min(left);
    let is_quick = took <= QUICK;
    let readings: Vec<Reading> = std::thread::scope(|scope| {
        let asked: Vec<_> = others
            .into_iter()
            .map(|(told, other)| {
                let names = &names;
                scope.spawn(move || Reading {
                    options: told,
                    fails: ask(script, &other, (options, until, is_quick), names, files),
                })
            })
            .collect();
        asked
            .into_iter()
            .filter_map(|all| all.join().ok())
            .collect()
    });
    for property in &mut report.properties {
        if names.contains(&property.name) {
            property.elsewhere = sentence(&property.name, &readings);
        }
    }
}

/// The other readings, with the options that ask for them.
pub(crate) fn others(script: Script<'_>, input: &Input) -> Vec<(String, Input)> {
    let readings = input.language_of(script.path);
    let readings = readings.map(|one| one.other_readings(&input.settings));
    let readings = readings.into_iter().flatten();
    readings
        .map(|(told, settings)| {
            let input = Input {
                settings,
                ..input.clone()
            };
            (told, input)
        })
        .collect()
}

fn ask(
    script: Script<'_>,
    input: &Input,
    (options, until, is_quick): (&verify::Options, Instant, bool),
    names: &[String],
    files: &dyn Files,
) -> Vec<(String, Option<bool>)> {
    let loaded = load(script, input, files).loaded;
    let Some(program) = &loaded.program else {
        return Vec::new();
    };
    let name_of = |outcome: &Outcome| &program.properties[outcome.property.index()].name;
    let asked = |names: Vec<String>, passes: Selection, time: Duration| {
        let options = verify::Options {
            only: Some(names),
            passes,
            timeout: Some(time.min(until.saturating_duration_since(Instant::now()))),
            all_errors: false,
            first_failure: false,
            ..options.clone()
        };
        verify::check(program, &options, &model::Silent)
    };
    let mut outcomes = Vec::new();
    let mut left = names.to_vec();
    if is_quick {
        outcomes = asked(left, Selection::none(), QUICK);
        outcomes.retain(|outcome| fails(outcome).is_some());
        let answered: Vec<&String> = outcomes.iter().map(name_of).collect();
        let known = |name: &&String| program.properties.iter().any(|p| p.name == **name);
        let open = names.iter().filter(|name| !answered.contains(name));
        left = open.filter(known).cloned().collect();
    }
    if !left.is_empty() {
        outcomes.extend(asked(left, options.passes.clone(), MOST));
    }
    names
        .iter()
        .map(|name| {
            let found = outcomes.iter().find(|outcome| name_of(outcome) == name);
            // What a reading does not ask cannot fail under it.
            (name.clone(), found.map_or(Some(false), fails))
        })
        .collect()
}

/// Whether a property fails, if that is known.
fn fails(outcome: &Outcome) -> Option<bool> {
    match outcome.verdict {
        Verdict::Fails { .. } => Some(true),
        Verdict::Holds { .. } | Verdict::Vacuous { .. } | Verdict::Measured { .. } => Some(false),
        // Nothing was found, though all that there is within a sample was looked at.
        Verdict::Unknown {
            reason: model::UnknownReason::Sampled | model::UnknownReason::LeftOut(_),
            possible: None,
        } => Some(false),
        Verdict::Unknown { .. } => None,
    }
}

/// Where a property fails as well and where it does not.
fn sentence(name: &str, readings: &[Reading]) -> Option<String> {
    let with = |wanted: Option<bool>| -> Vec<&str> {
        let readings = readings.iter().filter(|reading| {
            let mut all = reading.fails.iter();
            all.any(|(other, fails)| other == name && *fails == wanted)
        });
        readings.map(|reading| reading.options.as_str()).collect()
    };
    let parts: Vec<String> = [
        ("as well with", with(Some(true))),
        ("not with", with(Some(false))),
        ("not known with", with(None)),
    ]
    .into_iter()
    .filter(|(_, all)| !all.is_empty())
    .map(|(word, all)| format!("{word} {}", all.join(", ")))
    .collect();
    (!parts.is_empty()).then(|| format!("it fails here; {}", parts.join("; ")))
}
