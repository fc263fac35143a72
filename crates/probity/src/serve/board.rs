//! What is known of the scripts of a folder: their verdicts, now and before.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use report::{FileReport, PropertyReport, Report, html};
use serde_json::{Value, json};

use crate::background::{Done, Outcome, Seen};
use crate::command_line::CheckInvocation;
use crate::languages::Languages;
use crate::progress::AtWork;
use crate::system::System;

/// A script, for as long as the server runs: numbers are never used again.
pub(super) type Id = usize;

/// So many verdicts of a property are kept.
const HISTORY: usize = 30;

/// What is known of a folder.
pub(super) struct Board {
    folder: PathBuf,
    timeout: Option<Duration>,
    memory: u64,
    required: report::Required,
    /// The languages in which scripts can be tried.
    languages: Languages,
    scripts: BTreeMap<Id, Script>,
    next: Id,
}

/// What is known of a script.
struct Script {
    path: PathBuf,
    /// Its text, if it is no file but was written on the page.
    tried: Option<Arc<str>>,
    state: State,
    /// It counts up with each check.
    revision: u64,
    /// What was read when it was checked last.
    seen: Seen,
    report: Option<Box<FileReport>>,
    /// When it was checked last, and how long that took.
    checked: Option<(SystemTime, Duration)>,
    began: Option<Instant>,
    /// By property, the oldest first.
    history: BTreeMap<String, VecDeque<Past>>,
}

impl Script {
    fn new(path: PathBuf) -> Script {
        Script {
            path,
            tried: None,
            state: State::Waits,
            revision: 0,
            seen: Seen::new(),
            report: None,
            checked: None,
            began: None,
            history: BTreeMap::new(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// It will be checked.
    Waits,
    /// It is being checked.
    Runs,
    /// What is known is about the script as it is.
    Current,
    /// Somebody stopped the check.
    Stopped,
    /// Nothing came of the check.
    Failed,
}

impl State {
    fn word(self) -> &'static str {
        match self {
            State::Waits => "waits",
            State::Runs => "runs",
            State::Current => "current",
            State::Stopped => "stopped",
            State::Failed => "failed",
        }
    }
}

/// A verdict of a property.
struct Past {
    at: SystemTime,
    verdict: Value,
    strength: Value,
}

impl Board {
    pub(super) fn new(folder: &Path, check: &CheckInvocation, memory: u64) -> Board {
        Board {
            languages: check.input.languages,
            folder: folder.to_owned(),
            timeout: check.timeout,
            memory,
            required: check.required,
            scripts: BTreeMap::new(),
            next: 0,
        }
    }

    pub(super) fn ids(&self) -> Vec<Id> {
        self.scripts.keys().copied().collect()
    }

    /// These scripts are there; which of them are new, and which are there no longer.
    pub(super) fn listed(&mut self, found: &[PathBuf]) -> (Vec<Id>, Vec<Id>) {
        let all = self.scripts.iter();
        let is_gone = |script: &Script| script.tried.is_none() && !found.contains(&script.path);
        let gone = all.filter(|(_, script)| is_gone(script));
        let gone: Vec<Id> = gone.map(|(id, _)| *id).collect();
        for id in &gone {
            self.scripts.remove(id);
        }
        let mut new = Vec::new();
        for path in found {
            let mut known = self.scripts.values().filter(|it| it.tried.is_none());
            if known.any(|script| script.path == *path) {
                continue;
            }
            new.push(self.add(Script::new(path.clone())));
        }
        (new, gone)
    }

    fn add(&mut self, script: Script) -> Id {
        let id = self.next;
        self.scripts.insert(id, script);
        self.next += 1;
        id
    }

    /// A script that is no file is to be tried, in place of the one that was tried before; its number.
    pub(super) fn tries(&mut self, name: &str, text: String) -> Id {
        let path = self.folder.join(name);
        let all = self.scripts.iter_mut();
        let mut before = all.filter(|(_, script)| script.tried.is_some());
        if let Some((id, script)) = before.next() {
            if script.path != path {
                // What is told of it is about another language.
                script.report = None;
                script.history.clear();
            }
            (script.path, script.tried) = (path, Some(text.into()));
            // Nobody is to take what is known for an answer to this text.
            script.state = State::Waits;
            return *id;
        }
        drop(before);
        self.add(Script {
            tried: Some(text.into()),
            ..Script::new(path)
        })
    }

    /// The text of a script that is no file.
    pub(super) fn tried(&self, id: Id) -> Option<Arc<str>> {
        self.scripts.get(&id)?.tried.clone()
    }

    /// The text of a script, if it has been read as one.
    pub(super) fn text(&self, id: Id) -> Option<String> {
        let script = self.scripts.get(&id)?;
        if let Some(text) = &script.tried {
            return Some(text.to_string());
        }
        let name = script.path.to_string_lossy();
        let texts = &script.report.as_deref()?.texts;
        let text = texts.iter().find(|text| text.name == name)?;
        Some(text.text.clone())
    }

    /// The scripts of which something that was read is not as it was.
    pub(super) fn changed(&self, system: &dyn System) -> Vec<Id> {
        let all = self.scripts.iter();
        let changed = all.filter(|(_, script)| {
            let mut seen = script.seen.iter();
            seen.any(|(path, then)| system.condition(path) != *then)
        });
        changed.map(|(id, _)| *id).collect()
    }

    /// A script is going to be checked; its path and the number of the check.
    pub(super) fn waits(&mut self, id: Id) -> Option<(PathBuf, u64)> {
        let script = self.scripts.get_mut(&id)?;
        script.state = State::Waits;
        script.revision += 1;
        // It is noticed again when the check has read it.
        script.seen.clear();
        Some((script.path.clone(), script.revision))
    }

    pub(super) fn begun(&mut self, id: Id) {
        if let Some(script) = self.scripts.get_mut(&id)
            && script.state == State::Waits
        {
            script.state = State::Runs;
            script.began = Some(Instant::now());
        }
    }

    pub(super) fn stopped(&mut self, id: Id) {
        if let Some(script) = self.scripts.get_mut(&id)
            && matches!(script.state, State::Waits | State::Runs)
        {
            script.state = State::Stopped;
            // What comes of it all the same is of no interest.
            script.revision += 1;
        }
    }

    pub(super) fn done(&mut self, id: Id, done: Done, seen: Seen) {
        let Some(script) = self.scripts.get_mut(&id) else {
            return;
        };
        if script.revision != done.revision {
            return;
        }
        script.seen = seen;
        let now = SystemTime::now();
        let took = script.began.take().map(|began| began.elapsed());
        script.checked = Some((now, took.unwrap_or_default()));
        let Outcome::Checked(Some(file)) = done.result else {
            script.state = State::Failed;
            return;
        };
        script.state = State::Current;
        for property in &file.properties {
            let past = script.history.entry(property.name.clone()).or_default();
            if past.len() == HISTORY {
                past.pop_front();
            }
            past.push_back(Past {
                at: now,
                verdict: json!(property.verdict),
                strength: json!(property.strength),
            });
        }
        script.report = Some(file);
    }

    /// The page of a script's report, if there is one.
    pub(super) fn report(&self, id: Id) -> Option<String> {
        let file = self.scripts.get(&id)?.report.as_deref()?;
        Some(html(&Report::new(vec![file.clone()], self.required)))
    }

    /// What the page shows.
    pub(super) fn json(&self) -> String {
        let scripts = self.scripts.iter().map(|(id, script)| {
            let name = script.path.strip_prefix(&self.folder);
            let name = name.unwrap_or(&script.path).to_string_lossy();
            let file = script.report.as_deref();
            let properties = file.map_or(&[][..], |file| &file.properties);
            let properties = properties.iter().map(|one| property(one, script));
            let troubles = file.filter(|file| file.refused).map(|file| {
                let all = file.diagnostics.iter();
                all.map(|one| json!(one)).collect::<Value>()
            });
            json!({
                "id": id,
                "name": name,
                "tried": script.tried.is_some(),
                "language": self.languages.of_path(&script.path).map(|one| one.language().name),
                "state": script.state.word(),
                "checked": script.checked.map(|(at, _)| seconds(at)),
                "took": script.checked.map(|(_, took)| took.as_secs_f64()),
                "troubles": troubles,
                "unread": file.and_then(|file| file.unread.as_deref()),
                "properties": properties.collect::<Value>(),
            })
        });
        let state = json!({
            "folder": self.folder.to_string_lossy(),
            "timeout": self.timeout.map(|time| time.as_secs_f64()),
            "memory": self.memory,
            "languages": self
                .languages
                .iter()
                .map(|one| (one.language().name, one.language().title))
                .collect::<Vec<_>>(),
            "scripts": scripts.collect::<Value>(),
        });
        state.to_string()
    }
}

fn property(property: &PropertyReport, script: &Script) -> Value {
    let past = script.history.get(&property.name).into_iter().flatten();
    let history = past.map(|past| {
        json!({
            "at": seconds(past.at),
            "verdict": past.verdict,
            "strength": past.strength,
        })
    });
    json!({
        "name": property.name,
        "text": property.text,
        "verdict": property.verdict,
        "strength": property.strength,
        "why": property.why,
        "run": property.story.is_some(),
        "history": history.collect::<Value>(),
    })
}

/// Seconds since 1970.
fn seconds(at: SystemTime) -> u64 {
    let since = at.duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |time| time.as_secs())
}

/// How far a check is.
pub(super) struct Live {
    id: Id,
    began: Instant,
    pub(super) engines: AtWork,
    /// How many states there were when it was told last, and when.
    last: (u64, Instant),
}

impl Live {
    pub(super) fn new(id: Id) -> Live {
        let now = Instant::now();
        Live {
            id,
            began: now,
            engines: AtWork::default(),
            last: (0, now),
        }
    }

    /// What the page shows of it: the numbers of the search through states, whose rate is that since the
    /// last time, and each engine in words.
    pub(super) fn json(&mut self) -> String {
        let now = Instant::now();
        let (statistics, waiting) = self.engines.search();
        let (before, then) = self.last;
        self.last = (statistics.states, now);
        // Another search may have begun, which counts from nothing.
        let new = statistics.states.saturating_sub(before);
        #[expect(clippy::cast_precision_loss, reason = "a rate for people")]
        let rate = new as f64 / now.duration_since(then).as_secs_f64().max(0.001);
        let live = json!({
            "id": self.id,
            "states": statistics.states,
            "waiting": waiting,
            "depth": statistics.depth,
            "memory": self.engines.memory(),
            "rate": rate.round(),
            "engines": self.engines.standings().collect::<Vec<_>>(),
            "elapsed": self.began.elapsed().as_secs_f64(),
        });
        live.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_come_and_go_under_numbers_of_their_own() {
        let invocation = crate::command_line::check_of_nothing();
        let mut board = Board::new(Path::new("scripts"), &invocation, 1 << 30);
        let paths = ["scripts/a.lsl", "scripts/b.lsl"].map(PathBuf::from);
        assert_eq!(board.listed(&paths), (vec![0, 1], vec![]));
        assert_eq!(board.listed(&paths[1..]), (vec![], vec![0]));
        assert_eq!(
            board.listed(&paths),
            (vec![2], vec![]),
            "a number is used once"
        );
        let (path, revision) = board.waits(1).expect("it is there");
        assert_eq!((path, revision), (PathBuf::from("scripts/b.lsl"), 1));
        board.begun(1);
        assert!(board.json().contains("\"state\":\"runs\""));
        board.stopped(1);
        let done = Done {
            uri: "1".to_owned(),
            revision,
            result: Outcome::Checked(None),
        };
        board.done(1, done, Seen::new());
        let state: Value = serde_json::from_str(&board.json()).expect("it is JSON");
        assert_eq!(
            state["scripts"][0]["state"], "stopped",
            "a late answer does not count"
        );
        assert_eq!(board.report(1), None);
    }
}
