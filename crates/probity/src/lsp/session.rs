//! A session with an editor: the documents that are open, and what is known of each.

use std::collections::{BTreeMap, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use gen_lsp_types::{
    DidChangeTextDocumentParams, ErrorCodes, PublishDiagnosticsParams,
    TextDocumentContentChangeEvent,
};
use ide::{Document, Edit, Finding, Names, PropertyAt, Verdict, Vocabulary, findings, verdict_of};
use language::FrontEnd;
use report::FileReport;
use serde::Deserialize as _;
use serde_json::{Value, json};
use source::CodeDoc;
use source::limits::{Limits, within};

use super::answers;
use super::convert::Places;
use super::protocol::{Incoming, notification, refusal, request, response};
use super::settings::{Settings, When};
use super::uri::path_of;
use crate::background::{Background, Done, Job, Outcome, Overlay, Texts};
use crate::codes::codes;
use crate::command_line::CheckInvocation;
use crate::corridor::{Script, request as reading};
use crate::languages::Languages;
use crate::system::{Files as _, System};

/// A document is checked when it was not changed for so long.
const PAUSE: Duration = Duration::from_millis(400);
/// A program is made of a document when it was not changed for so long, if there is an outline meanwhile:
/// who types is not to wait for a processor.
const SHORT_PAUSE: Duration = Duration::from_millis(150);
/// How long an outline is made, at most.
const OUTLINE: Duration = Duration::from_secs(2);
/// What stands before a failure that was found before the text was changed.
const BEFORE: &str = "before the last change: ";

/// A document that is open.
pub(super) struct Open {
    pub(super) path: PathBuf,
    pub(super) language: &'static dyn FrontEnd,
    pub(super) invocation: Option<Arc<CheckInvocation>>,
    version: i32,
    pub(super) document: Document,
    /// It counts up with each change.
    revision: u64,
    /// Whether it was changed since it was looked at.
    is_new: bool,
    pub(super) names: Names,
    /// What the outline says is wrong,
    quick: Vec<Finding>,
    /// and what is said beyond that when a program is made of it.
    deep: Vec<Finding>,
    pub(super) properties: Vec<PropertyAt>,
    pub(super) verdicts: Vec<Verdict>,
    /// Whether the verdicts are about the text as it is.
    pub(super) is_current: bool,
    /// Whether it is being checked, or will be in a moment.
    pub(super) is_checked: bool,
    /// What the verdicts are from.
    pub(super) report: Option<Box<FileReport>>,
}

impl Open {
    pub(super) fn places<'o>(&'o self, uri: &'o str, settings: &Settings) -> Places<'o> {
        Places {
            document: &self.document,
            uri,
            folder: self.path.parent().unwrap_or(Path::new("")),
            encoding: settings.encoding,
        }
    }

    /// All findings. What a program says is left out where the outline says it, too.
    pub(super) fn findings(&self) -> impl Iterator<Item = &Finding> {
        let deep = self.deep.iter().filter(|finding| {
            let mut quick = self.quick.iter();
            !quick.any(|known| (&known.range, &known.code) == (&finding.range, &finding.code))
        });
        let verdicts = self.verdicts.iter();
        let failures = verdicts.filter_map(|verdict| verdict.finding.as_ref());
        self.quick.iter().chain(deep).chain(failures)
    }

    /// What was said of the text moves with an edit.
    fn moves(&mut self, edit: &Edit) {
        let moved = |all: &mut Vec<Finding>| {
            let before = std::mem::take(all);
            all.extend(before.into_iter().filter_map(|finding| finding.moved(edit)));
        };
        moved(&mut self.quick);
        moved(&mut self.deep);
        for property in &mut self.properties {
            property.moves(edit);
        }
        for verdict in &mut self.verdicts {
            let finding = verdict.finding.take();
            verdict.finding = finding
                .and_then(|finding| finding.moved(edit))
                .map(|finding| {
                    let is_marked = finding.message.starts_with(BEFORE);
                    let message = match is_marked {
                        true => finding.message,
                        false => format!("{BEFORE}{}", finding.message),
                    };
                    Finding { message, ..finding }
                });
        }
        self.is_current = false;
    }
}

/// A session.
pub(super) struct Session<'s> {
    pub(super) settings: Settings,
    pub(super) open: BTreeMap<String, Open>,
    pub(super) codes: Vec<&'static [CodeDoc]>,
    vocabularies: HashMap<&'static str, Vocabulary>,
    languages: Languages,
    background: &'s Background,
    system: &'s dyn System,
    texts: Texts,
    state: State,
    /// How often something was asked of the editor.
    asked: u64,
    revisions: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Before,
    Running,
    ShutDown,
}

impl<'s> Session<'s> {
    pub(super) fn new(
        languages: Languages,
        background: &'s Background,
        system: &'s dyn System,
    ) -> Session<'s> {
        Session {
            settings: Settings::default(),
            open: BTreeMap::new(),
            codes: codes(languages),
            vocabularies: HashMap::new(),
            languages,
            background,
            system,
            texts: Texts::default(),
            state: State::Before,
            asked: 0,
            revisions: 0,
        }
    }

    pub(super) fn was_shut_down(&self) -> bool {
        self.state == State::ShutDown
    }

    pub(super) fn send(&self, message: &str) {
        self.system.write_out(message);
    }

    /// Tells the user something.
    pub(super) fn tell_user(&self, kind: u32, message: &str) {
        let params = json!({ "type": kind, "message": message });
        self.send(&notification("window/showMessage", &params));
    }

    /// The words of a document's language.
    pub(super) fn vocabulary(&mut self, uri: &str) -> Vocabulary {
        let Some(open) = self.open.get(uri) else {
            return Vocabulary::default();
        };
        let (name, words) = (open.language.language().name, open.language.words());
        let known = self.vocabularies.entry(name);
        known.or_insert_with(|| Vocabulary::new(words)).clone()
    }

    pub(super) fn receive(&mut self, message: Incoming) {
        match message {
            Incoming::Response => {}
            Incoming::Malformed(id, code, why) => self.send(&refusal(&id, code, &why)),
            Incoming::Notification(method, params) => {
                if self.state == State::Running {
                    self.hear(&method, &params);
                }
            }
            Incoming::Request(id, method, params) => {
                let answer = self.answer(&method, params);
                self.send(&match answer {
                    Ok(result) => response(&id, &result),
                    Err((code, why)) => refusal(&id, code, &why),
                });
            }
        }
    }

    fn answer(&mut self, method: &str, params: Value) -> Result<Value, (ErrorCodes, String)> {
        match (self.state, method) {
            (State::Before, "initialize") => {
                self.settings = Settings::of_client(&params);
                self.state = State::Running;
                Ok(answers::capabilities(&self.settings))
            }
            (State::Before, _) => Err((
                ErrorCodes::ServerNotInitialized,
                "the session has not begun".to_owned(),
            )),
            (State::Running, "shutdown") => {
                self.state = State::ShutDown;
                Ok(Value::Null)
            }
            (State::Running, "initialize") => Err((
                ErrorCodes::InvalidRequest,
                "the session has begun".to_owned(),
            )),
            (State::Running, _) => {
                // A defect of ours in one answer is no reason to give no other one.
                let asked = AssertUnwindSafe(|| answers::answer(self, method, params));
                catch_unwind(asked).unwrap_or_else(|_| {
                    let why = "a defect of Probity; standard error says more".to_owned();
                    Err((ErrorCodes::InternalError, why))
                })
            }
            (State::ShutDown, _) => {
                Err((ErrorCodes::InvalidRequest, "the session is over".to_owned()))
            }
        }
    }

    fn hear(&mut self, method: &str, params: &Value) {
        let uri = params.pointer("/textDocument/uri").and_then(Value::as_str);
        match (method, uri) {
            ("textDocument/didOpen", Some(uri)) => self.opened(uri, params),
            ("textDocument/didChange", Some(uri)) => self.changed(uri, params),
            ("textDocument/didSave", Some(uri)) if self.settings.when == When::Save => {
                self.check(uri);
            }
            ("textDocument/didClose", Some(uri)) => {
                self.background.cancel(uri);
                if let Some(open) = self.open.remove(uri) {
                    self.texts.set(&open.path, None);
                    self.publish(uri, None, Vec::new());
                }
            }
            ("workspace/didChangeConfiguration", _) => {
                let options = params.pointer("/settings/probity");
                self.settings.change(options.unwrap_or(&Value::Null));
                let uris: Vec<String> = self.open.keys().cloned().collect();
                for uri in uris {
                    self.settle(&uri);
                }
            }
            _ => {}
        }
    }

    fn opened(&mut self, uri: &str, params: &Value) {
        let text = params.pointer("/textDocument/text").and_then(Value::as_str);
        let path = path_of(uri);
        let named = params.pointer("/textDocument/languageId");
        let named = named.and_then(Value::as_str).unwrap_or_default();
        let by_name = self.languages.of_path(&path);
        let text = text.unwrap_or_default();
        let by_contents = || {
            let all = self.languages.iter();
            let mut found = all.filter(|one| one.recognises(text.as_bytes()));
            found.next().filter(|_| found.next().is_none())
        };
        let found = self.languages.named(named).or(by_name).or_else(by_contents);
        let Some(language) = found else {
            return;
        };
        self.background.cancel(uri);
        let version = params.pointer("/textDocument/version");
        let version = version.and_then(Value::as_i64).unwrap_or_default();
        self.texts.set(&path, Some(text));
        self.open.insert(
            uri.to_owned(),
            Open {
                path,
                language,
                invocation: None,
                version: i32::try_from(version).unwrap_or_default(),
                document: Document::new(text),
                revision: 0,
                is_new: true,
                names: Names::default(),
                quick: Vec::new(),
                deep: Vec::new(),
                properties: Vec::new(),
                verdicts: Vec::new(),
                is_current: false,
                is_checked: false,
                report: None,
            },
        );
        self.settle(uri);
        if self.settings.when == When::Save {
            self.check(uri);
        }
    }

    /// Reads a document under the settings as they are now.
    fn settle(&mut self, uri: &str) {
        let Some(open) = self.open.get_mut(uri) else {
            return;
        };
        let name = open.language.language().name;
        let (invocation, wrong) = self.settings.invocation(&open.path, name, self.languages);
        open.invocation = invocation.map(|invocation| Arc::new(*invocation));
        self.touch(uri);
        if let Some(why) = wrong {
            self.tell_user(1, why.trim_end());
        }
    }

    /// What is known of a document is not about what it is now.
    fn touch(&mut self, uri: &str) {
        self.background.cancel(uri);
        self.revisions += 1;
        let revision = self.revisions;
        if let Some(open) = self.open.get_mut(uri) {
            open.revision = revision;
            open.is_new = true;
            open.is_checked = false;
        }
    }

    fn changed(&mut self, uri: &str, params: &Value) {
        let params = DidChangeTextDocumentParams::deserialize(params);
        let (Ok(params), Some(open)) = (params, self.open.get_mut(uri)) else {
            return;
        };
        open.version = params.text_document.version;
        for change in params.content_changes {
            let (range, text) = match change {
                TextDocumentContentChangeEvent::TextDocumentContentChangePartial(part) => {
                    let places = open.places(uri, &self.settings);
                    (places.bytes(part.range), part.text)
                }
                TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(whole) => {
                    difference(open.document.text(), &whole.text)
                }
            };
            let edit = open.document.edit(range, &text);
            open.moves(&edit);
        }
        self.texts.set(&open.path, Some(open.document.text()));
        self.touch(uri);
    }

    /// Makes outlines of all documents that were changed, and has the rest of the work begun.
    pub(super) fn look_at_changes(&mut self) {
        let changed = self.open.iter().filter(|(_, open)| open.is_new);
        let changed: Vec<String> = changed.map(|(uri, _)| uri.clone()).collect();
        for uri in changed {
            self.look_at(&uri);
        }
    }

    /// Makes an outline of a document if it was changed, and has the rest of the work begun.
    pub(super) fn look_at(&mut self, uri: &str) {
        let Some(open) = self.open.get_mut(uri).filter(|open| open.is_new) else {
            return;
        };
        open.is_new = false;
        let mut pause = Duration::ZERO;
        if let Some(invocation) = open.invocation.clone() {
            let overlay = Overlay {
                system: self.system,
                texts: self.texts.clone(),
                stop: self.system.stop(),
                guard: None,
            };
            let limits = Limits {
                deadline: Instant::now().checked_add(OUTLINE),
                ..Limits::default()
            };
            let language = open.language;
            let script = Script {
                path: &open.path,
                contents: open.document.text().as_bytes(),
                extra: &[],
            };
            let read = |path: &Path| overlay.read(path);
            let entries = |path: &Path| overlay.folder(path);
            let asked = reading(script, &invocation.input, &read, &entries);
            let outline = || language.outline(&asked);
            let made = catch_unwind(AssertUnwindSafe(|| within(limits, outline)));
            if let Ok(Ok(Some(outline))) = made {
                open.quick = findings(
                    &outline.diagnostics,
                    &outline.sources,
                    &open.document,
                    self.settings.encoding,
                );
                open.names = Names::new(outline);
                pause = SHORT_PAUSE;
            }
        }
        self.publish_findings(uri);
        if let Some(job) = self.job(uri, pause) {
            self.background.read(job);
        }
        if self.settings.when == When::Change
            && let Some(job) = self.job(uri, PAUSE)
        {
            self.background.check(job);
            if let Some(open) = self.open.get_mut(uri) {
                open.is_checked = true;
            }
        }
    }

    /// Checks a document now.
    pub(super) fn check(&mut self, uri: &str) {
        self.look_at(uri);
        let Some(job) = self.job(uri, Duration::ZERO) else {
            return;
        };
        if let Some(open) = self.open.get_mut(uri) {
            open.is_checked = true;
        }
        self.background.check(job);
        self.renew_lenses();
    }

    fn job(&self, uri: &str, pause: Duration) -> Option<Job> {
        let open = self.open.get(uri)?;
        Some(Job {
            uri: uri.to_owned(),
            revision: open.revision,
            due: Instant::now() + pause,
            invocation: open.invocation.clone()?,
            text: open.document.text().into(),
            texts: self.texts.clone(),
            encoding: self.settings.encoding,
        })
    }

    /// Takes over what was done in the background, if it is about the text as it is.
    pub(super) fn done(&mut self, done: Done) {
        let Done {
            uri,
            revision,
            result,
        } = done;
        let open = self.open.get_mut(&uri);
        let Some(open) = open.filter(|open| open.revision == revision) else {
            return;
        };
        match result {
            Outcome::Read(found, properties) => {
                open.deep = found;
                if let Some(properties) = properties {
                    open.properties = properties;
                }
            }
            Outcome::Checked(file) => {
                // Of what is no program, the findings say why.
                let file = file.filter(|file| !file.refused && file.unread.is_none());
                open.is_checked = false;
                open.is_current = file.is_some();
                if let Some(file) = file {
                    let all = file.properties.iter();
                    open.verdicts = all
                        .map(|property| verdict_of(&file, property, &open.document))
                        .collect();
                    open.report = Some(file);
                }
            }
        }
        self.publish_findings(&uri);
        self.renew_lenses();
    }

    fn publish_findings(&self, uri: &str) {
        let Some(open) = self.open.get(uri) else {
            return;
        };
        let places = open.places(uri, &self.settings);
        let all = open.findings().map(|finding| places.diagnostic(finding));
        self.publish(uri, Some(open.version), all.collect());
    }

    fn publish(
        &self,
        uri: &str,
        version: Option<i32>,
        diagnostics: Vec<gen_lsp_types::Diagnostic>,
    ) {
        let params = PublishDiagnosticsParams {
            uri: uri.into(),
            version,
            diagnostics,
        };
        if let Ok(params) = serde_json::to_value(params) {
            self.send(&notification("textDocument/publishDiagnostics", &params));
        }
    }

    /// Asks the editor to ask for the lenses again.
    fn renew_lenses(&mut self) {
        if self.settings.renews_lenses {
            self.asked += 1;
            self.send(&request(self.asked, "workspace/codeLens/refresh"));
        }
    }
}

/// The part of a text that is another one in a new text, and what stands there then.
fn difference(old: &str, new: &str) -> (std::ops::Range<usize>, String) {
    let same = old
        .bytes()
        .zip(new.bytes())
        .take_while(|(one, other)| one == other);
    let start = old.floor_char_boundary(same.count());
    let start = new.floor_char_boundary(start);
    let behind = old[start..].bytes().rev().zip(new[start..].bytes().rev());
    let mut same = behind.take_while(|(one, other)| one == other).count();
    while !old.is_char_boundary(old.len() - same) || !new.is_char_boundary(new.len() - same) {
        same -= 1;
    }
    (
        start..old.len() - same,
        new[start..new.len() - same].to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_text_is_an_edit_of_the_old_one() {
        let texts = [
            "",
            "a",
            "ab",
            "a\u{e9}b",
            "a\u{e8}b",
            "aab",
            "b\u{1F600}",
            "\u{1F601}",
        ];
        for old in texts {
            for new in texts {
                let (range, text) = difference(old, new);
                let mut document = Document::new(old);
                document.edit(range, &text);
                assert_eq!(document.text(), new, "{old:?}");
            }
        }
        assert_eq!(difference("one two", "one 2 two"), (4..4, "2 ".to_owned()));
    }
}
