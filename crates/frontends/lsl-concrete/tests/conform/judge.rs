//! What verification says of a script, and what concrete runs say to that.

use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use lsl_concrete::{Habits, Plan, Script, run};
use model::{Silent, Strength, Verdict};

/// How long a script may be verified.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(2);

/// How many steps a run has.
const STEPS: usize = 60;

/// What is said of a property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Said {
    Holds,
    /// What it speaks of never happens.
    Vacuous,
    Fails,
    Unknown,
}

/// What is said of a script.
#[derive(Clone, Debug)]
pub(crate) struct Verdicts {
    /// By property, in the order of the file.
    pub(crate) said: Vec<(String, Said)>,
    /// What the verdicts rest on.
    pub(crate) habits: Habits,
}

/// Scripts that state nothing are checked for what goes wrong with money.
fn options() -> lsl::Options {
    lsl::Options {
        checks: true,
        ..lsl::Options::default()
    }
}

/// Verifies a script.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn verify(text: &str, timeout: Duration) -> Result<Verdicts, Vec<String>> {
    let loaded = lsl::load("conform.lsl", text, &options());
    let Some(program) = loaded.program else {
        let errors = loaded.diagnostics.iter();
        let errors = errors.filter(|found| found.severity == source::Severity::Error);
        return Err(errors.map(|found| found.message.clone()).collect());
    };
    let options = verify::Options {
        jobs: 1,
        timeout: Some(timeout),
        ..verify::Options::default()
    };
    let outcomes = verify::check(&program, &options, &Silent);
    let said = outcomes
        .iter()
        .map(|outcome| {
            let name = program.properties[outcome.property.index()]
                .name
                .replace('_', "-");
            let said = match &outcome.verdict {
                Verdict::Holds {
                    strength: Strength::Proved | Strength::Exhausted,
                    ..
                } => Said::Holds,
                Verdict::Vacuous { .. } => Said::Vacuous,
                Verdict::Fails { .. } => Said::Fails,
                Verdict::Holds { .. } | Verdict::Measured { .. } | Verdict::Unknown { .. } => {
                    Said::Unknown
                }
            };
            (name, said)
        })
        .collect();
    let assumes = |words: &str| program.assumptions.iter().any(|a| a.text.contains(words));
    Ok(Verdicts {
        said,
        habits: Habits {
            several_detected: !assumes("one at a time"),
            foreign_replies: !assumes("replies come only to"),
            new_keys: !assumes("keeps its key"),
            unheard_news: !assumes("hears that it was sold") && !assumes("is not sold, taken"),
            all_answers: !assumes("takes the place of one"),
        },
    })
}

/// What the runs of a script have shown.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Counts {
    pub(crate) runs: usize,
    /// Runs that could not be followed to their end.
    pub(crate) lost: usize,
    /// Properties said to fail that a run has broken.
    pub(crate) broken: usize,
    /// Properties that a run has broken, whatever is said of them.
    pub(crate) reached: usize,
    /// Whether the script was run at all.
    pub(crate) run: bool,
}

/// A run that breaks what is said to hold.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub(crate) text: String,
    pub(crate) property: String,
    pub(crate) said: Said,
    pub(crate) plan: Plan,
    pub(crate) story: Vec<String>,
    pub(crate) why: String,
}

/// Runs a script so many times, or until it breaks what is said to hold.
pub(crate) fn runs(
    text: &str,
    verdicts: &Verdicts,
    seed: u64,
    count: usize,
) -> (Counts, Option<Finding>) {
    let mut counts = Counts::default();
    let script = Script::read("conform.lsl", text, &options());
    let script = script.unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let calls = script.calls();
    if calls
        .iter()
        .any(|name| lsl_concrete::not_run().contains(name))
    {
        return (counts, None);
    }
    counts.run = true;
    let names: Vec<String> = script
        .properties()
        .map(|name| name.replace('_', "-"))
        .collect();
    let mut broken = BTreeSet::new();
    let mut reached = BTreeSet::new();
    for number in 0..count {
        let plan = Plan {
            seed: seed.wrapping_mul(4099).wrapping_add(number as u64),
            steps: STEPS,
            habits: verdicts.habits,
        };
        let shown = run(&script, &plan);
        counts.runs += 1;
        counts.lost += usize::from(shown.lost.is_some());
        let written = shown.standings.iter().zip(&names);
        let written = written.filter_map(|(standing, name)| {
            let (_, why) = standing.broken.as_ref()?;
            Some((name.as_str(), why.as_str()))
        });
        let unasked = shown.unasked.iter().map(|name| (*name, "the script stops"));
        for (name, why) in written.chain(unasked) {
            reached.insert(name.to_owned());
            let said = verdicts.said.iter().find(|(own, _)| own == name);
            match said.map(|(_, said)| *said) {
                Some(said @ (Said::Holds | Said::Vacuous)) => {
                    let finding = Finding {
                        text: text.to_owned(),
                        property: name.to_owned(),
                        said,
                        plan,
                        story: shown.story.clone(),
                        why: why.to_owned(),
                    };
                    return (counts, Some(finding));
                }
                Some(Said::Fails) => {
                    broken.insert(name.to_owned());
                }
                _ => {}
            }
        }
    }
    counts.broken = broken.len();
    counts.reached = reached.len();
    (counts, None)
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.text.trim_end())?;
        writeln!(
            f,
            "`{}` is said to be {:?}; in this run {}:",
            self.property, self.said, self.why
        )?;
        for line in &self.story {
            writeln!(f, "    {line}")?;
        }
        Ok(())
    }
}
