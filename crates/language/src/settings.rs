//! The options that are given, as languages see them.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// The options of languages that are given, with their values in normal form, in the order given.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Settings {
    given: Vec<(&'static str, OsString)>,
}

impl Settings {
    /// Adds an option, after those that are given. A switch has an empty value.
    pub fn add(&mut self, option: &'static str, value: impl Into<OsString>) {
        self.given.push((option, value.into()));
    }

    /// Puts values of an option before those that are given, which override them.
    pub fn put_before<'v>(
        &mut self,
        option: &'static str,
        values: impl IntoIterator<Item = &'v str>,
    ) {
        let values = values.into_iter().map(|value| (option, value.into()));
        self.given.splice(0..0, values);
    }

    /// The same settings with another value of an option; its default is none.
    #[must_use]
    pub fn with(&self, option: &'static str, value: Option<&str>) -> Settings {
        let mut settings = self.clone();
        settings.given.retain(|(name, _)| *name != option);
        if let Some(value) = value {
            settings.add(option, value);
        }
        settings
    }

    /// Whether an option is given.
    #[must_use]
    pub fn has(&self, option: &str) -> bool {
        self.given.iter().any(|(name, _)| *name == option)
    }

    /// The value of an option, the last one if there are several.
    #[must_use]
    pub fn value(&self, option: &str) -> Option<&str> {
        self.values(option).last()
    }

    /// The values of an option that are text, in the order given.
    pub fn values<'s>(&'s self, option: &str) -> impl Iterator<Item = &'s str> {
        self.of(option).filter_map(|value| value.to_str())
    }

    /// The values of an option as names of files, in the order given.
    #[must_use]
    pub fn paths(&self, option: &str) -> Vec<PathBuf> {
        self.of(option).map(PathBuf::from).collect()
    }

    /// The values of an option that are written `NAME=VALUE`, in the order given.
    #[must_use]
    pub fn pairs(&self, option: &str) -> Vec<(String, String)> {
        let pairs = self.values(option).filter_map(|pair| pair.split_once('='));
        pairs
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &OsStr)> {
        self.given
            .iter()
            .map(|(name, value)| (*name, value.as_os_str()))
    }

    fn of(&self, option: &str) -> impl Iterator<Item = &OsStr> {
        let given = self.iter().filter(move |(name, _)| *name == option);
        given.map(|(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_last_counts() {
        let mut settings = Settings::default();
        settings.add("bound", "n=1");
        settings.add("time", "discrete");
        settings.add("bound", "n=2");
        settings.put_before("bound", ["n=0", "m=7"]);
        let pairs = settings.pairs("bound");
        let values: Vec<&str> = pairs.iter().map(|(_, value)| value.as_str()).collect();
        assert_eq!(values, ["0", "7", "1", "2"]);
        assert_eq!(
            settings.with("time", Some("maximal")).value("time"),
            Some("maximal")
        );
        assert!(!settings.with("time", None).has("time"));
    }
}
