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
}

impl Progress for Display<'_> {
    fn report(&self, statistics: &Statistics, waiting: u64) {
        if let Some(listener) = self.system.listener() {
            listener.report(statistics, waiting);
            return;
        }
        if !self.shown {
            return;
        }
        let every = Duration::from_millis(if self.renewing { 200 } else { 2000 });
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.last.elapsed() < every {
            return;
        }
        state.last = Instant::now();
        state.drawn = true;
        let line = describe(
            &self.name,
            statistics,
            waiting,
            self.started.elapsed(),
            self.timeout,
            self.memory,
        );
        if self.renewing {
            let line = source::shown(&line);
            self.system.write_err(&format!("\r\x1b[K{line}"));
        } else {
            self.system.err(&format!("{line}\n"));
        }
    }
}

fn describe(
    name: &str,
    statistics: &Statistics,
    waiting: u64,
    elapsed: Duration,
    timeout: Option<Duration>,
    memory: Option<u64>,
) -> String {
    let seconds = elapsed.as_secs_f64().max(0.001);
    #[expect(clippy::cast_precision_loss, reason = "a rate for people")]
    let rate = statistics.states as f64 / seconds;
    let limit = timeout.map_or(String::new(), |timeout| {
        let left = timeout.saturating_sub(elapsed);
        format!(", {} left", in_words(left))
    });
    let room = memory.map_or(String::new(), |bytes| format!(" of {}", megabytes(bytes)));
    format!(
        "{name}: {} states, {waiting} waiting, depth {}, {rate:.0}/s, {}{room}, {}{limit}",
        statistics.states,
        statistics.depth,
        megabytes(statistics.memory),
        in_words(elapsed),
    )
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
    fn the_line_names_what_is_left() {
        let statistics = Statistics {
            states: 5000,
            depth: 12,
            memory: 3 << 20,
            ..Statistics::default()
        };
        let line = describe(
            "m.pml",
            &statistics,
            7,
            Duration::from_secs(5),
            Some(Duration::from_secs(100)),
            Some(4 << 30),
        );
        assert_eq!(
            line,
            "m.pml: 5000 states, 7 waiting, depth 12, 1000/s, 3 MB of 4096 MB, 5 s, 1m35s left"
        );
        let line = describe("m.pml", &statistics, 7, Duration::from_secs(5), None, None);
        assert!(line.ends_with("3 MB, 5 s"), "{line}");
    }
}
