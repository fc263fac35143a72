//! Verdicts that are kept from one run to the next.
//!
//! What is kept of a script is its report. It is taken for the answer to a later question only if nothing
//! that the answer depends on is another: this build of Probity, the script and where it stands, each
//! other file that was asked for (those that were not there among them), the properties, and every option
//! but those in [`bare`], which change only how long the work may take and how the answer is told. Options
//! are taken as they are in an invocation, so a new one counts as soon as there is one.
//!
//! Nothing is kept that would be another answer with more time or memory, or after a defect of ours. An
//! entry is a file with a checksum; one that is damaged, or the answer to something else, is refused, and
//! the answer is found anew. Whoever can write to the folder can write what they like: it is as private as
//! its owner keeps it.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use report::{FileReport, PropertyReport, Required, Strength};
use serde::{Deserialize, Serialize};

use crate::command_line::{CheckInvocation, Color, Format, Input, Verdicts};
use crate::recorded::{Found, Record, digest_of};
use crate::system::{Kind, System};

/// The version of the form of entries.
const VERSION: u32 = 1;

/// The variable that names the folder, or says `off`.
const VARIABLE: &str = "PROBITY_CACHE";

/// The folder of the verdicts that are kept.
pub(crate) struct Cache<'c> {
    folder: PathBuf,
    /// What all answers of this build depend on.
    build: String,
    /// Whether nothing less than a proof that was checked anew counts.
    needs_proofs: bool,
    system: &'c dyn System,
    /// Whether it was said that nothing can be written.
    has_complained: AtomicBool,
}

/// A script, and what is asked about it.
pub(crate) struct Question<'q> {
    pub(crate) path: &'q Path,
    pub(crate) contents: &'q [u8],
    /// The name of the language in which it is read.
    pub(crate) language: &'q str,
    /// How it is checked.
    pub(crate) invocation: &'q CheckInvocation,
}

/// What is kept of a script.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Kept {
    version: u32,
    key: String,
    /// The files that were read for it.
    reads: Record,
    /// The names of its own properties, those that were not asked for among them.
    pub(crate) names: Vec<String>,
    pub(crate) report: FileReport,
}

impl Kept {
    /// The files that its answer depends on.
    pub(crate) fn files(&self) -> impl Iterator<Item = PathBuf> {
        self.reads.keys().map(PathBuf::from)
    }
}

impl<'c> Cache<'c> {
    /// The cache that is to be used, if one is: none if all must be found anew, because what is asked
    /// for beside the verdicts is not kept.
    pub(crate) fn of(invocation: &CheckInvocation, system: &'c dyn System) -> Option<Cache<'c>> {
        let needs_more = invocation.html.is_some()
            || invocation.trace.is_some()
            || invocation.checkpoint.is_some()
            || invocation.resume.is_some()
            || invocation.cluster.is_some();
        if needs_more {
            return None;
        }
        let folder = folder(&invocation.verdicts, system)?;
        let build = system.build()?;
        let version = env!("PROBITY_VERSION");
        Some(Cache {
            folder,
            build: format!("{VERSION}\n{version}\n{build}"),
            needs_proofs: invocation.required == Required::Proved,
            system,
            has_complained: AtomicBool::new(false),
        })
    }

    /// The key of a question.
    fn key(&self, question: &Question<'_>) -> String {
        let how = format!("{:?}", bare(question.invocation));
        let parts = [
            self.build.as_bytes(),
            how.as_bytes(),
            question.language.as_bytes(),
            question.path.as_os_str().as_encoded_bytes(),
            &self
                .system
                .real(question.path)
                .into_os_string()
                .into_encoded_bytes(),
            question.contents,
        ];
        let digests: String = parts.into_iter().map(digest_of).collect();
        digest_of(digests.as_bytes())
    }

    fn file(&self, key: &str) -> PathBuf {
        self.folder.join(&key[..2]).join(format!("{key}.json"))
    }

    /// The answer that is kept to a question, if nothing has changed that it depends on.
    pub(crate) fn look_up(&self, question: &Question<'_>) -> Option<Kept> {
        let key = self.key(question);
        let file = self.file(&key);
        if !matches!(self.system.kind(&file), Ok(Kind::File)) {
            return None;
        }
        let bytes = self.system.read(&file).ok()?;
        let name = question.path.to_string_lossy();
        let Some(mut kept) =
            entry(&bytes).filter(|kept| kept.key == key && kept.report.file == name)
        else {
            self.system.err(&format!(
                "note: what `{}` has about `{name}` is damaged; it is found anew\n",
                file.display()
            ));
            return None;
        };
        let is_same = |(asked, found): (&String, &Found)| Found::at(asked, self.system) == *found;
        if !kept.reads.iter().all(is_same) {
            return None;
        }
        // Where it matters that a proof is checked anew, there may be time for that now.
        let is_unchecked = |one: &PropertyReport| one.strength == Some(Strength::Unchecked);
        if self.needs_proofs && kept.report.properties.iter().any(is_unchecked) {
            return None;
        }
        kept.report.cached = true;
        Some(kept)
    }

    /// Keeps an answer, with the files that it depends on.
    pub(crate) fn keep(
        &self,
        question: &Question<'_>,
        reads: Record,
        names: Vec<String>,
        report: &FileReport,
    ) {
        let asks_again = |text: &String| text.contains("not known");
        let is_open = |one: &PropertyReport| one.elsewhere.as_ref().is_some_and(asks_again);
        if report.properties.iter().any(is_open) {
            return;
        }
        let kept = Kept {
            version: VERSION,
            key: self.key(question),
            reads,
            names,
            report: report.clone(),
        };
        let file = self.file(&kept.key);
        let folder = file.parent().unwrap_or(&self.folder);
        let written = self
            .system
            .make_directory(folder)
            .and_then(|()| self.system.write(&file, &text(&kept)));
        if let Err(error) = written
            && !self.has_complained.swap(true, Ordering::Relaxed)
        {
            let name = file.display();
            self.system.err(&format!(
                "note: verdicts are not kept: write `{name}`: {error}\n"
            ));
        }
    }
}

/// An entry as it is written: the checksum, a line of its own, and what it is of.
fn text(kept: &Kept) -> String {
    let said = serde_json::to_string(kept).expect("an entry can be said in JSON");
    format!("{}\n{said}\n", digest_of(said.as_bytes()))
}

/// What an entry says; nothing if it is damaged.
fn entry(bytes: &[u8]) -> Option<Kept> {
    let text = std::str::from_utf8(bytes).ok()?;
    let (digest, said) = text.split_once('\n')?;
    let said = said.strip_suffix('\n')?;
    if digest_of(said.as_bytes()) != digest {
        return None;
    }
    let kept: Kept = serde_json::from_str(said).ok()?;
    (kept.version == VERSION).then_some(kept)
}

/// The folder that is asked for, or the one of the user.
fn folder(wanted: &Verdicts, system: &dyn System) -> Option<PathBuf> {
    let given = |name| system.variable(name).filter(|value| !value.is_empty());
    let absolute = |value: String| Some(PathBuf::from(value)).filter(|path| path.is_absolute());
    match wanted {
        Verdicts::New => return None,
        Verdicts::In(folder) => return Some(folder.clone()),
        Verdicts::Kept => {}
    }
    match given(VARIABLE) {
        Some(off) if off == "off" => return None,
        Some(folder) => return Some(PathBuf::from(folder)),
        None => {}
    }
    // The specification of XDG passes over what is no absolute path.
    let of_user = given("XDG_CACHE_HOME").and_then(absolute);
    let at_home = || Some(given("HOME").and_then(absolute)?.join(".cache"));
    Some(of_user.or_else(at_home)?.join("probity"))
}

/// An invocation without what makes no difference to the answers that are kept.
fn bare(invocation: &CheckInvocation) -> CheckInvocation {
    CheckInvocation {
        // Each script is a question of its own, with the language in which it is read.
        paths: Vec::new(),
        input: Input {
            language: None,
            recognised: Default::default(),
            // What they state is among the options.
            config: false,
            ..invocation.input.clone()
        },
        // Answers that depend on these are not kept.
        timeout: None,
        memory: None,
        jobs: None,
        // These are about how a report is told, and what is made of it as a whole.
        required: Required::Exhausted,
        strict: false,
        format: Format::Text,
        overwrite: false,
        verbose: false,
        quiet: false,
        color: Color::Auto,
        progress: false,
        watch: false,
        verdicts: Verdicts::Kept,
        given: Vec::new(),
        ..invocation.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::InMemory;
    use crate::command_line::{Invocation, parse};
    use crate::languages::Languages;

    fn invocation(options: &str) -> Box<CheckInvocation> {
        let line = format!("probity check a.lsl --cache kept {options}");
        let words: Vec<&str> = line.split_whitespace().collect();
        match parse(&words, Languages::default()) {
            Ok(Invocation::Check(invocation)) => invocation,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_proof_that_was_not_checked_anew_is_not_taken_where_that_matters() {
        let system = InMemory::default().with_file("a.lsl", "");
        let plain = invocation("");
        let question = Question {
            path: Path::new("a.lsl"),
            contents: b"",
            language: "lsl",
            invocation: &plain,
        };
        let mut report = FileReport::without_result("a.lsl", "p", "");
        report.properties[0].strength = Some(Strength::Unchecked);
        let cache = Cache::of(&plain, &system).expect("a folder is given");
        cache.keep(&question, Record::new(), Vec::new(), &report);
        assert!(cache.look_up(&question).is_some());
        for (options, is_taken) in [("--require bounded", true), ("--require proved", false)] {
            let other = invocation(options);
            let cache = Cache::of(&other, &system).expect("a folder is given");
            assert_eq!(cache.look_up(&question).is_some(), is_taken, "{options}");
        }
    }

    #[test]
    fn the_folder_is_that_of_the_user_unless_another_is_named() {
        let system = InMemory::default();
        assert_eq!(folder(&Verdicts::Kept, &system), None, "nobody is at home");
        let named = Verdicts::In(PathBuf::from("kept"));
        assert_eq!(folder(&named, &system), Some(PathBuf::from("kept")));
        assert_eq!(folder(&Verdicts::New, &system), None);
    }
}
