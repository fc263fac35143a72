//! What the scripts of a run covered.

use std::collections::BTreeMap;
use std::fmt;

use lsl::facts::Function;

use crate::judge::{Counts, Said, Verdicts};

/// In how many scripts each function has to be, in a full run.
const SCRIPTS_EACH: usize = 20;

/// Counts over all scripts.
#[derive(Default)]
pub(crate) struct Spread {
    scripts: usize,
    not_run: usize,
    runs: usize,
    lost: usize,
    said: BTreeMap<&'static str, usize>,
    of_each: BTreeMap<(String, &'static str), usize>,
    broken: usize,
    functions: BTreeMap<&'static str, usize>,
}

impl Spread {
    pub(crate) fn add(&mut self, text: &str, verdicts: &Verdicts, counts: &Counts) {
        self.scripts += 1;
        self.not_run += usize::from(!counts.run);
        self.runs += counts.runs;
        self.lost += counts.lost;
        self.broken += counts.broken;
        for (property, said) in &verdicts.said {
            let name = match said {
                Said::Holds => "hold",
                Said::Vacuous => "are vacuous",
                Said::Fails => "fail",
                Said::Unknown => "are not known",
            };
            *self.said.entry(name).or_default() += 1;
            let key = (property.clone(), name);
            *self.of_each.entry(key).or_default() += 1;
        }
        for function in lsl::facts::functions() {
            if text.contains(&format!("{}(", function.name)) {
                *self.functions.entry(function.name).or_default() += 1;
            }
        }
    }

    fn said(&self, what: &str) -> usize {
        self.said.get(what).copied().unwrap_or(0)
    }

    /// How many properties of a name have a verdict.
    pub(crate) fn said_of(&self, property: &str, what: &'static str) -> usize {
        let key = (property.to_owned(), what);
        self.of_each.get(&key).copied().unwrap_or(0)
    }

    /// Asserts that scripts without properties were worth running: checks hold and fail, and runs show
    /// what fails.
    pub(crate) fn check_shops(&self) {
        let all: usize = self.said.values().sum();
        let (fails, holds) = (self.said("fail"), self.said("hold"));
        assert!(fails * 10 >= all, "{fails} of {all} checks fail");
        assert!(holds * 4 >= all, "{holds} of {all} checks hold");
        assert!(
            self.broken * 3 >= fails * 2,
            "runs break {} of {fails} that fail",
            self.broken
        );
    }

    /// Asserts that the scripts were worth running.
    pub(crate) fn check(&self, functions: &[&'static Function], slice: bool) {
        let all: usize = self.said.values().sum();
        let fails = self.said("fail");
        assert!(fails * 10 >= all * 3, "{fails} of {all} properties fail");
        assert!(self.said("hold") * 20 >= all, "hardly any property holds");
        assert!(
            self.broken * 3 >= fails,
            "runs break {} of {fails} that fail",
            self.broken
        );
        assert!(
            self.lost * 20 <= self.runs,
            "{} runs of {} were lost",
            self.lost,
            self.runs
        );
        let wanted = if slice {
            1
        } else {
            SCRIPTS_EACH.min(self.scripts / 200)
        };
        let rare: Vec<&str> = functions
            .iter()
            .map(|function| function.name)
            .filter(|name| self.functions.get(name).copied().unwrap_or(0) < wanted)
            .collect();
        assert!(rare.is_empty(), "in fewer than {wanted} scripts: {rare:?}");
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} scripts ({} not run), {} runs ({} lost)",
            self.scripts, self.not_run, self.runs, self.lost
        )?;
        let said: Vec<String> = self
            .said
            .iter()
            .map(|(what, count)| format!("{count} {what}"))
            .collect();
        writeln!(
            f,
            "properties: {}; {} of those that fail are broken by a run",
            said.join(", "),
            self.broken
        )?;
        let least = self.functions.iter().min_by_key(|(_, count)| **count);
        if let Some((name, count)) = least {
            writeln!(
                f,
                "{} functions, the rarest ({name}) in {count}",
                self.functions.len()
            )?;
        }
        Ok(())
    }
}
