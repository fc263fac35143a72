//! `probity serve`: the scripts of a folder on a web page of this machine, checked again when they are saved.
//!
//! One thread keeps the [board](board) of what is known of each script and says what is checked next; one checks,
//! as the language server has it done ([`background`](crate::background)); one answers the browser ([`web`]). The
//! first hears of everything by one channel, so that nothing is decided in two places.
//!
//! A text that is no file can be tried on the page as well. Nothing is written, and what scripts include from outside of the folder is refused. All that is known is kept in
//! memory, for as long as the server runs.

mod board;
mod web;

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use ide::Encoding;
use model::{Progress, Statistics};

use crate::background::{Background, Done, Guard, Job, Overlay, Texts};
use crate::command_line::{ServeInvocation, Verdicts};
use crate::languages::Languages;
use crate::progress::AtWork;
use crate::scripts::scripts_at;
use crate::system::System;
use crate::watch::usual_memory;
use board::{Board, Id, Live};

/// How often the files are looked at.
const MOMENT: Duration = Duration::from_millis(400);
/// How often new files are looked for.
const LOOK: Duration = Duration::from_secs(2);
/// Who saves a script may not be done yet.
const PAUSE: Duration = Duration::from_millis(150);
/// How often it is told how far a check is.
const TOLD: Duration = Duration::from_millis(200);
/// The stack of a thread that reads and checks scripts, in bytes.
const STACK: usize = 256 << 20;

/// What happens.
enum Event {
    /// A check began.
    Begun(Id),
    /// A check ended.
    Done(Done, crate::background::Seen),
    /// Somebody wants a script to be checked.
    Check(Id),
    /// Somebody wants all scripts to be checked.
    CheckAll,
    /// Somebody wants a text to be checked that is no file.
    Try { language: String, text: String },
    /// Somebody wants a check to end.
    Cancel(Id),
    /// The server has ended.
    Broken(std::io::Error),
}

/// Tells the page how far a check is.
struct Reporter {
    live: Mutex<Option<(Live, Instant)>>,
    tell: tokio::sync::watch::Sender<Arc<str>>,
}

impl Reporter {
    /// A script is checked now; none: nothing is.
    fn begins(&self, id: Option<Id>) {
        let now = Instant::now();
        let live = id.map(|id| (Live::new(id), now.checked_sub(TOLD).unwrap_or(now)));
        *self.live.lock().unwrap_or_else(PoisonError::into_inner) = live;
        if id.is_none() {
            self.tell.send_replace("null".into());
        }
    }
}

impl Progress for Reporter {
    fn report(&self, statistics: &Statistics, waiting: u64) {
        self.report_of("", statistics, waiting);
    }

    fn begins(&self, engine: &'static str) {
        self.note(|engines| engines.begins(engine));
    }

    fn report_of(&self, engine: &'static str, statistics: &Statistics, waiting: u64) {
        self.note(|engines| engines.note(engine, statistics, waiting));
    }

    fn ends(&self, engine: &'static str) {
        self.note(|engines| engines.ends(engine));
    }
}

impl Reporter {
    /// Tells how far the check is, if it is time to.
    fn note(&self, change: impl FnOnce(&mut AtWork)) {
        let mut live = self.live.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((live, told)) = live.as_mut() else {
            return;
        };
        change(&mut live.engines);
        if told.elapsed() < TOLD {
            return;
        }
        *told = Instant::now();
        self.tell.send_replace(live.json().into());
    }
}

/// Serves a folder until the user stops it; the exit status.
pub(crate) fn run(invocation: &ServeInvocation, languages: Languages, system: &dyn System) -> u8 {
    let failed = |what: &str, error: &dyn std::fmt::Display| {
        system.err(&format!("error: serve: {what}: {error}\n"));
        2
    };
    let folder = &invocation.folder;
    if let Err(error) = system.entries(folder) {
        return failed(&folder.display().to_string(), &error);
    }
    let place = match web::Place::take(invocation.port) {
        Ok(place) => place,
        Err(error) => return failed(&format!("port {}", invocation.port), &error),
    };
    let port = place.port;
    let mut token = [0; 16];
    if let Err(error) = system.random(&mut token) {
        return failed("random bytes", &error);
    }
    let token: String = token.iter().map(|byte| format!("{byte:02x}")).collect();

    let (send, events) = mpsc::channel();
    let (states, state) = tokio::sync::watch::channel(Arc::from("null"));
    let (tell, progress) = tokio::sync::watch::channel(Arc::from("null"));
    let reporter = Reporter {
        live: Mutex::new(None),
        tell,
    };
    let input = &invocation.check.input;
    let allowed = [folder.clone()].into_iter().chain(input.files());
    let guard = Guard::new(
        allowed.chain(input.settings.paths("include")),
        &reporter,
        system,
    );
    let background = Background::default();
    let memory = invocation.check.memory;
    let memory = memory.unwrap_or_else(|| usual_memory(system));
    let board = Arc::new(Mutex::new(Board::new(folder, &invocation.check, memory)));
    let site = web::Site {
        token: token.clone(),
        port,
        board: Arc::clone(&board),
        state,
        progress,
        asks: send.clone(),
    };
    let (end, ended) = tokio::sync::oneshot::channel();
    std::thread::scope(|scope| {
        let broken = send.clone();
        scope.spawn(move || {
            if let Err(error) = place.serve(site, ended) {
                // Nobody hears it where the server has ended by itself.
                let _ = broken.send(Event::Broken(error));
            }
        });
        let worker = std::thread::Builder::new().stack_size(STACK);
        let (guard, reporter, queue) = (&guard, &reporter, background.checks());
        let begun = send.clone();
        let begins = move |job: &Job| {
            guard.take_seen();
            if let Ok(id) = job.uri.parse() {
                reporter.begins(Some(id));
                let _ = begun.send(Event::Begun(id));
            }
        };
        let tells = move |done: Option<Done>| {
            reporter.begins(None);
            let seen = guard.take_seen();
            done.is_none_or(|done| send.send(Event::Done(done, seen)).is_ok())
        };
        let worked = worker.spawn_scoped(scope, move || {
            queue.work(begins, tells, Some(guard), system);
        });
        if let Err(error) = worked {
            return failed("a thread", &error);
        }
        let mut server = Server {
            invocation,
            languages,
            board: &board,
            background: &background,
            guard,
            states,
            system,
        };
        server.look();
        system.out(&format!(
            "Serving {} at http://127.0.0.1:{port}/{token}/\nThe interrupt key ends it.\n",
            folder.display()
        ));
        let status = server.hear(&events);
        background.end();
        drop(end);
        status
    })
}

/// What decides what is checked.
struct Server<'s> {
    invocation: &'s ServeInvocation,
    languages: Languages,
    board: &'s Mutex<Board>,
    background: &'s Background,
    guard: &'s Guard<'s>,
    states: tokio::sync::watch::Sender<Arc<str>>,
    system: &'s dyn System,
}

impl Server<'_> {
    /// Does what events ask for, and looks at the files now and then, until the user has enough.
    fn hear(&mut self, events: &Receiver<Event>) -> u8 {
        let stop = self.system.stop();
        let (mut looked, mut listed) = (Instant::now(), Instant::now());
        while !stop.load(Ordering::Relaxed) {
            match events.recv_timeout(MOMENT / 2) {
                Ok(Event::Begun(id)) => self.with(|board| board.begun(id)),
                Ok(Event::Done(done, seen)) => {
                    if let Ok(id) = done.uri.parse() {
                        self.with(|board| board.done(id, done, seen));
                    }
                }
                Ok(Event::Check(id)) => self.check(&[id], Duration::ZERO),
                Ok(Event::CheckAll) => {
                    let all = self.board().ids();
                    self.check(&all, Duration::ZERO);
                }
                Ok(Event::Try { language, text }) => self.try_script(&language, text),
                Ok(Event::Cancel(id)) => {
                    self.background.cancel(&id.to_string());
                    self.with(|board| board.stopped(id));
                }
                Ok(Event::Broken(error)) => {
                    self.system.err(&format!("error: serve: {error}\n"));
                    return 3;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return 3,
            }
            if looked.elapsed() >= MOMENT {
                let changed = self.board().changed(self.system);
                self.check(&changed, PAUSE);
                if listed.elapsed() >= LOOK {
                    self.look();
                    listed = Instant::now();
                }
                looked = Instant::now();
            }
        }
        0
    }

    fn board(&self) -> std::sync::MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes what is known, and tells the page.
    fn with<T>(&self, change: impl FnOnce(&mut Board) -> T) -> T {
        let mut board = self.board();
        let result = change(&mut board);
        self.states.send_replace(board.json().into());
        result
    }

    /// Looks which scripts there are, and has those checked that are new.
    fn look(&mut self) {
        let overlay = self.overlay();
        let found = scripts_at(
            &self.invocation.folder,
            &self.invocation.check.input,
            &overlay,
        );
        let found = found.unwrap_or_default();
        let inside = |path: &PathBuf| self.guard.passed(path, self.system).is_ok();
        let found: Vec<PathBuf> = found.into_iter().filter(inside).collect();
        let (new, gone) = self.board().listed(&found);
        for id in &gone {
            self.background.cancel(&id.to_string());
        }
        if new.is_empty() && gone.is_empty() {
            return;
        }
        self.with(|_| ());
        self.check(&new, Duration::ZERO);
    }

    /// Has a text checked that is no file.
    fn try_script(&self, language: &str, text: String) {
        let Some(front_end) = self.languages.named(language) else {
            return;
        };
        let language = front_end.language();
        let is_own = |it: &&&str| !language.shared_extensions.contains(*it);
        let extension = language.extensions.iter().find(is_own).unwrap_or(&"txt");
        let id = self.with(|board| board.tries(&format!("playground.{extension}"), text));
        self.background.cancel(&id.to_string());
        self.check(&[id], Duration::ZERO);
    }

    fn overlay(&self) -> Overlay<'_> {
        Overlay {
            system: self.system,
            texts: Texts::default(),
            stop: self.system.stop(),
            guard: Some(self.guard),
        }
    }

    /// Has scripts checked, after a while.
    fn check(&self, ids: &[Id], pause: Duration) {
        for &id in ids {
            let Some((path, revision)) = self.with(|board| board.waits(id)) else {
                continue;
            };
            let mut invocation = self.invocation_of(&path);
            let texts = Texts::default();
            if let Some(text) = self.board().tried(id) {
                texts.set(&path, Some(&text));
                invocation.verdicts = Verdicts::New;
            }
            self.background.check(Job {
                uri: id.to_string(),
                revision,
                due: Instant::now() + pause,
                invocation: Arc::new(invocation),
                text: "".into(),
                texts,
                encoding: Encoding::Utf8,
            });
        }
    }

    /// How a script is checked.
    fn invocation_of(&self, path: &Path) -> crate::command_line::CheckInvocation {
        let mut invocation = self.invocation.check_of(path, self.languages);
        invocation.input.recognise([path], &self.overlay());
        invocation
    }
}
