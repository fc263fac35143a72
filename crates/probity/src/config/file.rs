//! The text of a `probity.toml`: options by their names on the command line, with where they are written.

use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use language::{CHECK, OptionSpec};
use source::{Diagnostic, FileId, SourceMap, Span, render, suggest};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{ONCE, PER_FILE};
use crate::command_line::{Invocation, parse};
use crate::languages::Languages;
use crate::options::options;

/// The list of tables that are for some paths.
const PATHS: &str = "paths";
/// In one of them, the paths that it is for.
const MATCH: &str = "match";

/// An option that is stated.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) option: &'static OptionSpec,
    /// As it is given on a command line, once or several times.
    pub(super) words: Vec<OsString>,
}

/// What a file states.
#[derive(Debug, Default)]
pub(super) struct Stated {
    pub(super) everywhere: Vec<Entry>,
    /// By the name of a language.
    pub(super) by_language: Vec<(String, Vec<Entry>)>,
    pub(super) by_path: Vec<(Gitignore, Vec<Entry>)>,
}

/// Reads a file.
///
/// # Errors
/// What is wrong with it, as it is written to a terminal.
pub(super) fn read(
    path: &Path,
    text: &str,
    languages: Languages,
    color: bool,
) -> Result<Stated, String> {
    let mut sources = SourceMap::new();
    let name = path.to_string_lossy();
    let file = sources.add(&*name, text);
    let reader = Reader {
        file,
        folder: path.parent().unwrap_or(Path::new("")),
        languages,
    };
    reader.whole(sources.file(file).text()).map_err(|found| {
        let shown = render(&found, &sources, color);
        format!("{shown}\n\n")
    })
}

struct Reader<'r> {
    file: FileId,
    /// What paths are relative to.
    folder: &'r Path,
    languages: Languages,
}

type Wrong = Box<Diagnostic>;

impl Reader<'_> {
    fn whole(&self, text: &str) -> Result<Stated, Wrong> {
        let document = DeTable::parse(text).map_err(|error| {
            let message = error.message().lines().collect::<Vec<_>>().join(": ");
            self.wrong(error.span().unwrap_or(0..0), &message)
        })?;
        let mut stated = Stated::default();
        for (key, value) in document.get_ref() {
            let name = key.get_ref().as_ref();
            match value.get_ref() {
                DeValue::Array(tables) if name == PATHS => {
                    for table in tables {
                        stated.by_path.push(self.for_paths(table)?);
                    }
                }
                DeValue::Table(table) if self.languages.named(name).is_some() => {
                    let entries = self.entries(table, true)?;
                    stated.by_language.push((name.to_owned(), entries));
                }
                _ => {
                    let known = self.languages.names().chain([PATHS]);
                    stated
                        .everywhere
                        .push(self.entry(key, value, (false, known.collect()))?);
                }
            }
        }
        Ok(stated)
    }

    /// A table that is for some paths.
    fn for_paths(&self, table: &Spanned<DeValue<'_>>) -> Result<(Gitignore, Vec<Entry>), Wrong> {
        let wrong = |why: &str| self.wrong(table.span(), why);
        let DeValue::Table(inner) = table.get_ref() else {
            return Err(wrong(&format!(
                "`{PATHS}` is a list of tables: write `[[{PATHS}]]`"
            )));
        };
        let mut globs = GitignoreBuilder::new(self.folder);
        let mut own = DeTable::new();
        let mut is_matched = false;
        for (key, value) in inner {
            if key.get_ref() != MATCH {
                own.insert(key.clone(), value.clone());
                continue;
            }
            is_matched = true;
            for (glob, at) in self.texts(value)? {
                globs
                    .add_line(None, &glob)
                    .map_err(|error| self.wrong(at, &format!("this is no pattern: {error}")))?;
            }
        }
        if !is_matched {
            let help = format!("write `{MATCH} = [\"shops/*.lsl\"]`");
            return Err(Box::new(wrong("these options are for no path").help(help)));
        }
        let globs = globs
            .build()
            .map_err(|error| wrong(&format!("this is no pattern: {error}")))?;
        Ok((globs, self.entries(&own, true)?))
    }

    fn entries(&self, table: &DeTable<'_>, is_part: bool) -> Result<Vec<Entry>, Wrong> {
        let known = if is_part { vec![MATCH] } else { Vec::new() };
        table
            .iter()
            .map(|(key, value)| self.entry(key, value, (is_part, known.clone())))
            .collect()
    }

    /// An option; `is_part`: it is for some files only. `known`: what else the key might have been.
    fn entry(
        &self,
        key: &Spanned<std::borrow::Cow<'_, str>>,
        value: &Spanned<DeValue<'_>>,
        (is_part, known): (bool, Vec<&str>),
    ) -> Result<Entry, Wrong> {
        let name = key.get_ref().as_ref();
        let all = options(self.languages);
        let of_languages = self.languages.options();
        let is_taken = |option: &&'static OptionSpec| {
            let one = option.name;
            let is_of_language = of_languages.iter().any(|option| option.name == one);
            option.commands.contains(&CHECK)
                && (PER_FILE.contains(&one) || ONCE.contains(&one) || is_of_language)
        };
        let taken: Vec<&'static OptionSpec> = all.iter().copied().filter(is_taken).collect();
        let Some(option) = taken.iter().copied().find(|option| option.name == name) else {
            let found = self.wrong(key.span(), &format!("there is no option `{name}` here"));
            let near = suggest(name, taken.iter().map(|option| option.name).chain(known));
            return Err(Box::new(match near {
                Some(near) => found.help(format!("did you mean `{near}`?")),
                None if all.iter().any(|option| option.name == name) => {
                    found.help(format!("`--{name}` is for the command line only"))
                }
                None => *found,
            }));
        };
        if is_part && ONCE.contains(&name) {
            let message = format!("`{name}` is for all files together, and stands at the top");
            return Err(self.wrong(key.span(), &message));
        }
        let words = self.words(option, value)?;
        self.make_sense(option, &words, value)?;
        Ok(Entry { option, words })
    }

    /// What stands on a command line for a value.
    fn words(
        &self,
        option: &'static OptionSpec,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<Vec<OsString>, Wrong> {
        let name = option.name;
        let dashed = OsString::from(format!("--{name}"));
        let wrong = |why: &str| self.wrong(value.span(), why);
        if option.value.is_none() {
            return match value.get_ref() {
                DeValue::Boolean(true) => Ok(vec![dashed]),
                DeValue::Boolean(false) => Ok(Vec::new()),
                _ => Err(wrong(&format!("`{name}` is `true` or `false`"))),
            };
        }
        let texts = match value.get_ref() {
            DeValue::Table(pairs)
                if option.value.is_some_and(|value| value.starts_with("NAME")) =>
            {
                let pair =
                    |(key, value): (&Spanned<std::borrow::Cow<'_, str>>, &Spanned<DeValue<'_>>)| {
                        let text = self.text(value)?;
                        Ok(format!("{}={text}", key.get_ref()))
                    };
                pairs.iter().map(pair).collect::<Result<Vec<_>, Wrong>>()?
            }
            DeValue::Array(_) if !option.repeatable => {
                return Err(wrong(&format!("`{name}` has one value")));
            }
            _ => {
                let texts = self.texts(value)?.into_iter();
                texts.map(|(text, _)| text).collect()
            }
        };
        Ok(texts
            .into_iter()
            .flat_map(|text| [dashed.clone(), self.value(option, &text)])
            .collect())
    }

    /// A value as a command line has it: paths are relative to the folder of the file.
    fn value(&self, option: &OptionSpec, text: &str) -> OsString {
        if !option.names_paths() {
            return text.into();
        }
        let path = option.file(Path::new(text));
        let path = path.to_string_lossy();
        let name = text.strip_suffix(&*path).unwrap_or_default();
        let path: PathBuf = self.folder.join(&*path);
        let mut value = OsString::from(name);
        value.push(path);
        value
    }

    /// The texts of a list, or the only one, each with where it is.
    fn texts(&self, value: &Spanned<DeValue<'_>>) -> Result<Vec<(String, Range<usize>)>, Wrong> {
        match value.get_ref() {
            DeValue::Array(all) => all
                .iter()
                .map(|one| Ok((self.text(one)?, one.span())))
                .collect(),
            _ => Ok(vec![(self.text(value)?, value.span())]),
        }
    }

    /// A text, or a number as it is written.
    fn text(&self, value: &Spanned<DeValue<'_>>) -> Result<String, Wrong> {
        match value.get_ref() {
            DeValue::String(text) => Ok(text.to_string()),
            DeValue::Integer(number) => Ok(number.to_string()),
            DeValue::Float(number) => Ok(number.to_string()),
            other => {
                let what = other.type_str();
                Err(self.wrong(
                    value.span(),
                    &format!("this is no text and no number, but a {what}"),
                ))
            }
        }
    }

    /// Refuses what the command line would refuse.
    fn make_sense(
        &self,
        option: &OptionSpec,
        words: &[OsString],
        value: &Spanned<DeValue<'_>>,
    ) -> Result<(), Wrong> {
        let all: Vec<OsString> = ["probity", CHECK, "-"]
            .map(OsString::from)
            .into_iter()
            .chain(words.iter().cloned())
            .collect();
        match parse(&all, self.languages) {
            Ok(Invocation::Check(_)) => Ok(()),
            Ok(_) => Err(self.wrong(value.span(), "this is no option of check")),
            Err(stopped) => {
                let why = stopped.text.lines().next().unwrap_or_default();
                let why = why.trim_start_matches("error: ");
                let name = format!("--{}: ", option.name);
                let found = self.wrong(value.span(), why.trim_start_matches(&name));
                let help = match option.choices {
                    [] => return Err(found),
                    few => format!("there are: {}", few.join(", ")),
                };
                Err(Box::new(found.help(help)))
            }
        }
    }

    fn wrong(&self, at: Range<usize>, message: &str) -> Wrong {
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let span = Span {
            file: self.file,
            start: offset(at.start),
            end: offset(at.end),
        };
        Box::new(Diagnostic::error("CLI0008", message).at(span))
    }
}
