//! The languages that there are. Nothing else here knows any of them by name.

use std::fmt;
use std::path::Path;

use language::{ConcreteWorld, FrontEnd, OptionSpec};

/// A line for each language.
const FRONT_ENDS: &[&dyn FrontEnd] = &[
    &lsl::Lsl,
    &promela::Promela,
    &smv::Smv,
    &aiger::Aiger,
    &aut::Aut,
    &tscript::Tscript,
    &nodegraph::Nodegraph,
    &tvm::Tvm,
    &java::Java,
    &mobile::Mobile,
    &wasm::Wasm,
];

/// A line for each language whose scripts can be run as they are.
const CONCRETE_WORLDS: &[&dyn ConcreteWorld] = &[&lsl_concrete::LslWorld];

/// Languages to choose from.
#[derive(Clone, Copy)]
pub struct Languages(&'static [&'static dyn FrontEnd]);

impl Default for Languages {
    /// All that come with the program.
    fn default() -> Self {
        Languages(FRONT_ENDS)
    }
}

impl fmt::Debug for Languages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

impl Languages {
    /// These, in place of those that come with the program.
    #[must_use]
    pub fn only(front_ends: &'static [&'static dyn FrontEnd]) -> Languages {
        Languages(front_ends)
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = &'static dyn FrontEnd> {
        self.0.iter().copied()
    }

    pub(crate) fn names(self) -> impl Iterator<Item = &'static str> {
        self.iter().map(|front_end| front_end.language().name)
    }

    /// The language of that name.
    pub(crate) fn named(self, name: &str) -> Option<&'static dyn FrontEnd> {
        self.iter()
            .find(|front_end| front_end.language().name == name)
    }

    /// The language of a file by its extension.
    pub(crate) fn of_path(self, path: &Path) -> Option<&'static dyn FrontEnd> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        self.iter().find(|front_end| {
            let extensions = front_end.language().extensions;
            extensions.contains(&extension.as_str())
        })
    }

    /// The options that mean something for some of them, each once.
    pub(crate) fn options(self) -> Vec<&'static OptionSpec> {
        let mut options: Vec<&OptionSpec> = Vec::new();
        for option in self
            .iter()
            .flat_map(|front_end| front_end.language().options)
        {
            if !options.iter().any(|known| known.name == option.name) {
                options.push(option);
            }
        }
        options
    }

    /// Those for which an option means something.
    pub(crate) fn with_option(self, option: &str) -> Vec<&'static str> {
        let has = |front_end: &&dyn FrontEnd| {
            let mut options = front_end.language().options.iter();
            options.any(|own| own.name == option)
        };
        self.iter()
            .filter(has)
            .map(|front_end| front_end.language().name)
            .collect()
    }

    /// Languages as people call them, by their names.
    pub(crate) fn in_words(self, names: &[&str]) -> String {
        let title = |name: &&str| {
            let known = self.named(name);
            known.map_or((*name).to_owned(), |known| {
                known.language().title.to_owned()
            })
        };
        let words: Vec<String> = names.iter().map(title).collect();
        match words.split_last() {
            None => String::new(),
            Some((only, [])) => only.clone(),
            Some((last, others)) => format!("{} and {last}", others.join(", ")),
        }
    }
}

/// The world in which scripts of a language are run as they are.
pub(crate) fn concrete_world(language: &str) -> Option<&'static dyn ConcreteWorld> {
    let mut worlds = CONCRETE_WORLDS.iter().copied();
    worlds.find(|world| world.language() == language)
}

/// The languages whose scripts can be run as they are.
pub(crate) fn concrete_worlds() -> impl Iterator<Item = &'static str> {
    CONCRETE_WORLDS.iter().map(|world| world.language())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn language_of(path: &str) -> Option<&'static str> {
        let found = Languages::default().of_path(Path::new(path))?;
        Some(found.language().name)
    }

    #[test]
    fn extensions_tell_languages() {
        assert_eq!(language_of("a/b.LSL"), Some("lsl"));
        assert_eq!(language_of("a/b.pml"), Some("promela"));
        assert_eq!(language_of("a/b.prom"), Some("promela"));
        assert_eq!(language_of("a/b.spin"), Some("promela"));
        assert_eq!(language_of("a/b.prm"), Some("promela"));
        assert_eq!(language_of("a/b.lslp"), Some("lsl"));
        assert_eq!(language_of("a/b.txt"), None);
        assert_eq!(language_of("lsl"), None);
    }

    #[test]
    fn names_extensions_and_options_are_told_apart() {
        let all = Languages::default();
        let mut names: Vec<&str> = all.names().collect();
        let extensions = all.iter().flat_map(|one| one.language().extensions);
        let mut extensions: Vec<&str> = extensions.copied().collect();
        for words in [&mut names, &mut extensions] {
            let count = words.len();
            words.sort_unstable();
            words.dedup();
            assert_eq!(words.len(), count);
        }
        // What two languages call alike is the same option.
        for option in all.iter().flat_map(|one| one.language().options) {
            let shared = all.options();
            let shared = shared.iter().find(|shared| shared.name == option.name);
            assert!(shared.is_some_and(|shared| shared.help == option.help));
        }
    }
}
