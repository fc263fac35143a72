//! How far the work is, on standard error.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use model::{Progress, Statistics};

use crate::system::{Stream, System};

/// Shows one line that renews itself on a terminal, or a line now and then elsewhere.
pub(crate) struct Display<'s> {
    system: &'s dyn System,
    /// What the work is about.
    name: String,
    shown: bool,
    renewing: bool,
    timeout: Option<Duration>,
    memory: Option<u64>,
    started: Instant,
    state: Mutex<State>,
}

struct State {
    last: Instant,
    drawn: bool,
    engines: AtWork,
}

impl<'s> Display<'s> {
    /// A display; `asked` if the user wants it whatever standard error is.
    pub(crate) fn new(
        system: &'s dyn System,
        name: &str,
        asked: bool,
        timeout: Option<Duration>,
        memory: Option<u64>,
    ) -> Self {
        let renewing = system.is_terminal(Stream::Err);
        let now = Instant::now();
        Display {
            system,
            name: name.to_owned(),
            shown: asked || renewing,
            renewing,
            timeout,
            memory,
            started: now,
            state: Mutex::new(State {
                last: now,
                drawn: false,
                engines: AtWork::default(),
            }),
        }
    }

    /// Removes the line from the terminal.
    pub(crate) fn clear(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::take(&mut state.drawn) && self.renewing {
            self.system.write_err("\r\x1b[K");
        }
    }

    /// Notes something, and shows how far the work is, if it is time to.
    fn tell(&self, note: impl FnOnce(&mut AtWork)) {
        if !self.shown {
            return;
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        note(&mut state.engines);
        self.show(&mut state, |engines| {
            let (elapsed, timeout) = (self.started.elapsed(), self.timeout);
            engines.line(&self.name, elapsed, timeout, self.memory)
        });
    }

    /// Shows a line, if it is time to.
    fn show(&self, state: &mut State, line: impl FnOnce(&AtWork) -> String) {
        let every = Duration::from_millis(if self.renewing { 200 } else { 2000 });
        if state.last.elapsed() < every {
            return;
        }
        state.last = Instant::now();
        state.drawn = true;
        let line = line(&state.engines);
        if self.renewing {
            // Without wrapping: what goes on in the next row could not be removed.
            let line = source::shown(&line);
            let text = format!("\r\x1b[K\x1b[?7l{line}\x1b[?7h");
            self.system.write_err(&text);
        } else {
            self.system.err(&format!("{line}\n"));
        }
    }
}

impl Progress for Display<'_> {
    fn report(&self, statistics: &Statistics, waiting: u64) {
        self.report_of("", statistics, waiting);
    }

    fn waits_for(&self, others: &[usize]) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        self.show(&mut state, |_| {
            let numbers: Vec<String> = others.iter().map(ToString::to_string).collect();
            let several = if others.len() == 1 { "" } else { "es" };
            format!(
                "{}: waits for process{several} {}",
                self.name,
                numbers.join(", ")
            )
        });
    }

    fn begins(&self, engine: &'static str) {
        match self.system.listener() {
            Some(listener) => listener.begins(engine),
            None => self.tell(|engines| engines.begins(engine)),
        }
    }

    fn report_of(&self, engine: &'static str, statistics: &Statistics, waiting: u64) {
        match self.system.listener() {
            Some(listener) => listener.report_of(engine, statistics, waiting),
            None => self.tell(|engines| engines.note(engine, statistics, waiting)),
        }
    }

    fn ends(&self, engine: &'static str) {
        match self.system.listener() {
            Some(listener) => listener.ends(engine),
            None => self.tell(|engines| engines.ends(engine)),
        }
    }
}

/// The engines at work, and how far each of them is.
#[derive(Default)]
pub(crate) struct AtWork(Vec<Running>);

struct Running {
    engine: &'static str,
    began: Instant,
    /// What it told last, and how many states wait to be looked at.
    last: Option<(Statistics, u64)>,
}

impl AtWork {
    pub(crate) fn begins(&mut self, engine: &'static str) {
        self.0.push(Running {
            engine,
            began: Instant::now(),
            last: None,
        });
    }

    /// Notes what an engine tells; one without a name works alone and need not have begun.
    pub(crate) fn note(&mut self, engine: &'static str, statistics: &Statistics, waiting: u64) {
        let place = self.0.iter().position(|running| running.engine == engine);
        let place = place.unwrap_or_else(|| {
            self.begins(engine);
            self.0.len() - 1
        });
        self.0[place].last = Some((statistics.clone(), waiting));
    }

    pub(crate) fn ends(&mut self, engine: &'static str) {
        let place = self.0.iter().position(|running| running.engine == engine);
        place.map(|place| self.0.remove(place));
    }

    /// How far each engine is, in words.
    pub(crate) fn standings(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|running| {
            let far = running.last.as_ref().map(|(statistics, waiting)| {
                let elapsed = running.began.elapsed();
                far(running.engine, statistics, *waiting, elapsed)
            });
            match (running.engine, far) {
                ("", far) => far.unwrap_or_default(),
                (engine, None) => engine.to_owned(),
                (engine, Some(far)) => format!("{engine}: {far}"),
            }
        })
    }

    /// What the engine that looks at states told last, and how many of them wait; nothing if none does.
    #[cfg(feature = "serve")]
    pub(crate) fn search(&self) -> (Statistics, u64) {
        let mut search = self.0.iter().filter(|running| running.engine != "sat");
        let last = search.find_map(|running| running.last.clone());
        last.unwrap_or_default()
    }

    /// What their states and the like take, in bytes.
    pub(crate) fn memory(&self) -> u64 {
        let last = self.0.iter().filter_map(|running| running.last.as_ref());
        last.map(|(statistics, _)| statistics.memory).sum()
    }

    /// The limits first: what is too long for a terminal is cut at the end.
    fn line(
        &self,
        name: &str,
        elapsed: Duration,
        timeout: Option<Duration>,
        limit: Option<u64>,
    ) -> String {
        let memory = self.memory();
        let mut parts = vec![in_words(elapsed)];
        parts.extend(timeout.map(|timeout| {
            let left = timeout.saturating_sub(elapsed);
            format!("{} left", in_words(left))
        }));
        let room = limit.map_or(String::new(), |bytes| format!(" of {}", megabytes(bytes)));
        parts.push(format!("{}{room}", megabytes(memory)));
        let limits = [format!("{name}: {}", parts.join(", "))];
        let parts: Vec<String> = limits.into_iter().chain(self.standings()).collect();
        parts.join(" | ")
    }
}

/// How far an engine is, in the words of its technique.
fn far(engine: &str, statistics: &Statistics, waiting: u64, elapsed: Duration) -> String {
    let Statistics { states, depth, .. } = *statistics;
    match engine {
        // What it counts as states are the clauses of IC3's frames; before, there are none.
        "sat" if states == 0 => format!("runs of {depth} steps"),
        "sat" => format!("{depth} frames, {states} clauses"),
        "symbolic" => format!("depth {depth}"),
        _ => {
            #[expect(clippy::cast_precision_loss, reason = "a rate for people")]
            let rate = states as f64 / elapsed.as_secs_f64().max(0.001);
            format!("{states} states, {waiting} waiting, depth {depth}, {rate:.0}/s")
        }
    }
}

/// A time to the second.
fn in_words(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..60 => format!("{seconds} s"),
        _ => report::time(time.as_secs_f64()),
    }
}

fn megabytes(bytes: u64) -> String {
    format!("{} MB", bytes >> 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_names_what_is_left_and_each_engine() {
        let statistics = Statistics {
            states: 5000,
            depth: 12,
            memory: 3 << 20,
            ..Statistics::default()
        };
        let of = |engines: &AtWork, timeout, memory| {
            let line = engines.line("m.pml", Duration::from_secs(5), timeout, memory);
            // The rate depends on the machine.
            let end = line.rfind(", ").filter(|_| line.ends_with("/s"));
            end.map_or(line.clone(), |end| line[..end].to_owned())
        };
        let mut engines = AtWork::default();
        engines.begins("sat");
        engines.begins("explicit");
        let timeout = Some(Duration::from_secs(100));
        assert_eq!(
            of(&engines, timeout, None),
            "m.pml: 5 s, 1m35s left, 0 MB | sat | explicit"
        );
        engines.note("explicit", &statistics, 7);
        engines.note("sat", &statistics, 0);
        assert_eq!(
            of(&engines, timeout, Some(4 << 30)),
            "m.pml: 5 s, 1m35s left, 6 MB of 4096 MB | sat: 12 frames, 5000 clauses | \
             explicit: 5000 states, 7 waiting, depth 12"
        );
        engines.ends("explicit");
        let fewer = Statistics {
            states: 0,
            ..statistics.clone()
        };
        engines.note("sat", &fewer, 0);
        assert_eq!(
            of(&engines, None, None),
            "m.pml: 5 s, 3 MB | sat: runs of 12 steps"
        );
        let mut alone = AtWork::default();
        alone.note("", &statistics, 7);
        assert_eq!(
            of(&alone, None, None),
            "m.pml: 5 s, 3 MB | 5000 states, 7 waiting, depth 12"
        );
    }
}
