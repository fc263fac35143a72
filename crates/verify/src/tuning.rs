//! The techniques of all engines, by name.

use model::{Technique, TuningRow};

/// A value for each technique of each engine.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tuning {
    /// Those of the explicit engine.
    pub explicit: explicit::Tuning,
    /// Those of the SAT engine.
    pub sat: sat::Tuning,
    /// Those of decision diagrams.
    pub symbolic: symbolic::Tuning,
}

impl Tuning {
    /// The tables, each with the name of its engine.
    pub const TABLES: &[(&str, &[TuningRow])] = &[
        ("explicit", explicit::Technique::ROWS),
        ("sat", sat::Technique::ROWS),
        ("symbolic", symbolic::Technique::ROWS),
    ];

    /// For random tests: some techniques are off, which ones the seed decides.
    #[must_use]
    pub fn drawn(seed: u64) -> Tuning {
        Tuning {
            explicit: explicit::Tuning::drawn(seed),
            sat: sat::Tuning::drawn(seed),
            symbolic: symbolic::Tuning::drawn(seed),
        }
    }

    /// Sets a technique as `NAME=VALUE` says.
    ///
    /// # Errors
    /// If there is no such technique, or it has no such value: says why.
    pub fn set(&mut self, text: &str) -> Result<(), String> {
        let (name, value) = text
            .split_once('=')
            .ok_or_else(|| format!("`{text}` is not NAME=VALUE"))?;
        let known = self.explicit.set(name, value)?
            || self.sat.set(name, value)?
            || self.symbolic.set(name, value)?;
        match known {
            true => Ok(()),
            false => Err(format!(
                "there is no technique `{name}`: --tune help lists them"
            )),
        }
    }

    /// All techniques, as a text.
    #[must_use]
    pub fn help() -> String {
        let mut text = String::new();
        for (engine, rows) in Tuning::TABLES {
            text.push_str(&format!("techniques of the {engine} engine:\n"));
            for row in *rows {
                let default = row.written(row.default);
                text.push_str(&format!(
                    "  {} [{}; default: {default}]\n      {}\n",
                    row.name,
                    row.range(),
                    row.summary
                ));
                if !row.source.is_empty() {
                    text.push_str(&format!("      ({})\n", row.source));
                }
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_technique_is_set_by_its_name() {
        let mut names = std::collections::BTreeSet::new();
        for row in Tuning::TABLES.iter().flat_map(|(_, rows)| *rows) {
            assert!(names.insert(row.name), "{} stands in two tables", row.name);
            let mut tuning = Tuning::default();
            tuning.set(&format!("{}=off", row.name)).unwrap();
            assert_ne!(tuning, Tuning::default(), "{}", row.name);
            tuning.set(&format!("{}=on", row.name)).unwrap();
            assert_eq!(tuning, Tuning::default(), "{}", row.name);
            assert!(Tuning::help().contains(row.name));
        }
        for wrong in ["owcty", "owcty=2", "steam=off"] {
            assert!(Tuning::default().set(wrong).is_err(), "{wrong}");
        }
    }
}
