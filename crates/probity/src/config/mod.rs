//! `probity.toml`: options for the scripts in a folder and below.
//!
//! The file that counts for a script is the nearest one, in its folder or above, up to the folder of the
//! repository. What it states are options of the command line, by their names; those that are given on the command
//! line win. An option of a language counts for scripts of that language only.

mod file;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use language::{CHECK, OptionSpec, Settings};

use self::file::{Entry, Stated};
use crate::color::use_color;
use crate::command_line::{CheckInvocation, Color, Input, Invocation, parse};
use crate::languages::Languages;
use crate::system::{Kind, Stream, System};

/// The name of the file.
const NAME: &str = "probity.toml";

/// The options of `check` beside those of languages that may be others for each file.
const PER_FILE: &[&str] = &[
    "timeout",
    "engine",
    "storage",
    "storage-dir",
    "passes",
    "reduce",
    "all-errors",
    "unreached",
    "on-the-fly",
    "silence",
];

/// The options of `check` that are for all files together.
const ONCE: &[&str] = &["memory", "jobs", "require", "strict"];

/// The files that were read.
pub(crate) struct Configs<'s> {
    languages: Languages,
    color: bool,
    system: &'s dyn System,
    /// By the folder where they are looked for.
    known: BTreeMap<PathBuf, Option<Arc<Config>>>,
}

/// A file that was read.
struct Config {
    path: PathBuf,
    stated: Stated,
}

impl<'s> Configs<'s> {
    pub(crate) fn new(languages: Languages, color: bool, system: &'s dyn System) -> Configs<'s> {
        Configs {
            languages,
            color,
            system,
            known: BTreeMap::new(),
        }
    }

    /// How a script is checked.
    ///
    /// # Errors
    /// What is wrong with the file that counts for it, as it is written to a terminal.
    pub(crate) fn check(
        &mut self,
        given: &CheckInvocation,
        path: &Path,
    ) -> Result<CheckInvocation, String> {
        let stated = self.of(&given.input, path)?;
        let is_once = |entry: &&Entry| ONCE.contains(&entry.option.name);
        let stated: Vec<&Entry> = stated.iter().filter(|entry| !is_once(entry)).collect();
        self.merged(given, &stated)
    }

    /// A check, with what the file that counts for the first path says of all files together.
    ///
    /// # Errors
    /// What is wrong with it; or files for several paths that say different things.
    pub(crate) fn for_all(&mut self, given: &CheckInvocation) -> Result<CheckInvocation, String> {
        let mut first: Option<(PathBuf, Vec<Entry>)> = None;
        for path in &given.paths {
            let mut stated = self.of(&given.input, path)?;
            stated.retain(|entry| ONCE.contains(&entry.option.name));
            let Some((of, other)) = &first else {
                first = Some((path.clone(), stated));
                continue;
            };
            let words = |entries: &[Entry]| -> Vec<OsString> {
                entries
                    .iter()
                    .flat_map(|entry| entry.words.clone())
                    .collect()
            };
            if words(other) != words(&stated) {
                return Err(format!(
                    "error[CLI0008]: what `{NAME}` says of all files together ({}) is not the same for `{}` and \
                     `{}`\n",
                    ONCE.join(", "),
                    of.display(),
                    path.display()
                ));
            }
        }
        let (_, stated) = first.unwrap_or_default();
        let stated: Vec<&Entry> = stated.iter().collect();
        self.merged(given, &stated)
    }

    /// How a script is read by a command.
    ///
    /// # Errors
    /// What is wrong with the file that counts for it.
    pub(crate) fn input(
        &mut self,
        given: &Input,
        path: &Path,
        command: &str,
    ) -> Result<Input, String> {
        let stated = self.of(given, path)?;
        let is_for = |entry: &&Entry| {
            let option = entry.option;
            let is_given = given.settings.has(option.name) && !option.repeatable;
            option.commands.contains(&command)
                && is_of_language(option, self.languages)
                && !is_given
        };
        let stated: Vec<&Entry> = stated.iter().filter(is_for).collect();
        let of_file = self.read(&stated)?;
        Ok(Input {
            settings: joined(&of_file.input.settings, &given.settings),
            ..given.clone()
        })
    }

    /// What a file says of a script, as words of a command line.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn words(
        &mut self,
        given: &CheckInvocation,
        path: &Path,
    ) -> Result<Vec<OsString>, String> {
        let stated = self.of(&given.input, path)?;
        let stated = stated.iter().filter(|entry| counts(entry, given));
        Ok(stated.flat_map(|entry| entry.words.clone()).collect())
    }

    /// What counts for a script, in the order in which it is stated: of an option that has one value, the last.
    fn of(&mut self, input: &Input, path: &Path) -> Result<Vec<Entry>, String> {
        if !input.config {
            return Ok(Vec::new());
        }
        let Some(config) = self.nearest(path)? else {
            return Ok(Vec::new());
        };
        let language = input.language_of(path).map(|one| one.language().name);
        let mut all: Vec<Entry> = config.stated.everywhere.clone();
        for (name, entries) in &config.stated.by_language {
            if language == Some(name.as_str()) {
                all.extend(entries.iter().cloned());
            }
        }
        let real = self.system.real(path);
        for (globs, entries) in &config.stated.by_path {
            if globs.matched_path_or_any_parents(&real, false).is_ignore() {
                all.extend(entries.iter().cloned());
            }
        }
        let languages = self.languages;
        all.retain(|entry| {
            let fit = languages.with_option(entry.option.name);
            fit.is_empty() || language.is_none_or(|language| fit.contains(&language))
        });
        let mut kept: Vec<Entry> = Vec::new();
        for entry in all {
            if !entry.option.repeatable {
                kept.retain(|earlier| earlier.option.name != entry.option.name);
            }
            kept.push(entry);
        }
        Ok(kept)
    }

    /// The nearest file, in the folder of a script or above.
    fn nearest(&mut self, path: &Path) -> Result<Option<Arc<Config>>, String> {
        let real = self.system.real(path);
        let is_folder = matches!(self.system.kind(path), Ok(Kind::Directory));
        let from = match is_folder {
            true => real.as_path(),
            false => real.parent().unwrap_or(Path::new("")),
        };
        if let Some(known) = self.known.get(from) {
            return Ok(known.clone());
        }
        let mut found = None;
        for folder in from.ancestors() {
            let path = folder.join(NAME);
            if matches!(self.system.kind(&path), Ok(Kind::File)) {
                found = Some(Arc::new(self.read_file(path)?));
                break;
            }
            if self.system.kind(&folder.join(".git")).is_ok() {
                break;
            }
        }
        self.known.insert(from.to_owned(), found.clone());
        Ok(found)
    }

    fn read_file(&self, path: PathBuf) -> Result<Config, String> {
        let refused = |why: &str| format!("error[CLI0008]: read `{}`: {why}\n", path.display());
        let bytes = self
            .system
            .read(&path)
            .map_err(|error| refused(&error.to_string()))?;
        let text = String::from_utf8(bytes).map_err(|_| refused("it is no text"))?;
        let stated = file::read(&path, &text, self.languages, self.color)?;
        Ok(Config { path, stated })
    }

    /// What is stated, as a command line is read.
    fn read(&self, stated: &[&Entry]) -> Result<CheckInvocation, String> {
        let words = stated.iter().flat_map(|entry| entry.words.clone());
        let first = ["probity", CHECK, "-"].map(OsString::from).into_iter();
        let words: Vec<OsString> = first.chain(words).collect();
        match parse(&words, self.languages) {
            Ok(Invocation::Check(check)) => Ok(*check),
            Ok(_) => unreachable!("the command is named"),
            Err(stopped) => {
                let files = self.known.values().flatten();
                let names: Vec<String> = files.map(|one| one.path.display().to_string()).collect();
                Err(format!(
                    "error[CLI0008]: {}: {}",
                    names.join(", "),
                    stopped.text
                ))
            }
        }
    }

    /// A check with what is stated, where nothing else is given.
    fn merged(
        &self,
        given: &CheckInvocation,
        stated: &[&Entry],
    ) -> Result<CheckInvocation, String> {
        let counting = stated.iter().copied().filter(|entry| counts(entry, given));
        let counting: Vec<&Entry> = counting.collect();
        let of_file = self.read(&counting)?;
        let mut merged = given.clone();
        merged.input.settings = joined(&of_file.input.settings, &given.input.settings);
        for entry in counting {
            let from = &of_file;
            match entry.option.name {
                "timeout" => merged.timeout = from.timeout,
                "engine" => merged.engine = from.engine,
                "storage" => merged.storage = from.storage,
                "storage-dir" => merged.storage_dir = from.storage_dir.clone(),
                "passes" => merged.passes = from.passes.clone(),
                "reduce" => (merged.reduce, merged.symmetry) = (from.reduce, from.symmetry),
                "all-errors" => merged.all_errors = from.all_errors,
                "unreached" => merged.unreached = from.unreached,
                "on-the-fly" => merged.on_the_fly = from.on_the_fly,
                "memory" => merged.memory = from.memory,
                "jobs" => merged.jobs = from.jobs,
                "require" => merged.required = from.required,
                "strict" => merged.strict = from.strict,
                _ => {}
            }
        }
        let silenced = of_file.silence.into_iter();
        merged.silence = silenced.chain(given.silence.iter().cloned()).collect();
        Ok(merged)
    }
}

/// How a script is read by a command, with what is stated for it in its folder; what is wrong with that is told, and
/// the exit status is given.
pub(crate) fn input(
    given: &Input,
    path: &Path,
    command: &str,
    system: &dyn System,
) -> Result<Input, u8> {
    let color = use_color(Color::Auto, Stream::Err, system);
    let read = Configs::new(given.languages, color, system).input(given, path, command);
    read.map_err(|wrong| {
        system.write_err(&wrong);
        2
    })
}

/// Whether something that is stated counts beside what is given.
fn counts(entry: &Entry, given: &CheckInvocation) -> bool {
    let option = entry.option;
    option.repeatable || !given.given.contains(&option.name)
}

fn is_of_language(option: &OptionSpec, languages: Languages) -> bool {
    let mut all = languages.options().into_iter();
    all.any(|one| one.name == option.name)
}

/// What is stated in a file, and behind it what is given.
fn joined(stated: &Settings, given: &Settings) -> Settings {
    let mut all = stated.clone();
    for (option, value) in given.iter() {
        all.add(option, value);
    }
    all
}
