//! A log against the script: which run it is of, or where it cannot go on.

use std::path::Path;

use model::Trace;
use model::interp::Interp;
use verify::{Explained, explain};

use super::{Course, Run};
use crate::command_line::SimulateInvocation;
use crate::progress::Display;
use crate::watch::usual_memory;

/// How long a run is looked for, if no time is stated.
const LIMIT: std::time::Duration = std::time::Duration::from_secs(300);

impl Run<'_> {
    /// Looks for a run of a log, and tells it; the exit status: 0 if there is one, 1 if there is none, 2 if the
    /// log cannot be read, 3 if that is not known.
    pub(super) fn of_log(&self, path: &Path, invocation: &SimulateInvocation) -> u8 {
        let name = path.display();
        let text = match self.system.read(path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) => {
                self.system
                    .err(&format!("error: --log: cannot read `{name}`: {error}\n"));
                return 2;
            }
        };
        // The number and the text of each line that is about something, and what it is about.
        let (mut lines, mut events, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for (number, line) in (1..).zip(text.lines()) {
            let told = self.narrator.events_told(line);
            if told.is_empty() {
                if !line.trim().is_empty() {
                    others.push(number);
                }
                continue;
            }
            lines.push((number, line.trim()));
            events.push(told);
        }
        if let Some(first) = others.first() {
            let count = others.len();
            self.system.err(&format!(
                "warning: --log: {} of `{name}` {} no event of the script, and {} passed over: the first is line \
                 {first}\n",
                if count == 1 { "1 line".to_owned() } else { format!("{count} lines") },
                if count == 1 { "tells" } else { "tell" },
                if count == 1 { "is" } else { "are" },
            ));
        }
        if events.is_empty() {
            let words = self.narrator.words_of_events();
            let words: Vec<String> = words.take(3).map(|one| format!("`{one}`")).collect();
            let help = match words.is_empty() {
                true => "a run of it tells no events".to_owned(),
                false => format!("lines look like {}", words.join(", ")),
            };
            self.system.err(&format!(
                "error: --log: no line of `{name}` tells an event of the script\n  = help: {help}\n"
            ));
            return 2;
        }
        let (timeout, memory) = invocation.limits;
        let options = verify::Options {
            timeout: Some(timeout.unwrap_or(LIMIT)),
            memory: Some(memory.unwrap_or_else(|| usual_memory(self.system))),
            stop: self.system.stop(),
            ..verify::Options::default()
        };
        let all = lines.len();
        let display = Display::new(
            self.system,
            &name.to_string(),
            false,
            options.timeout,
            options.memory,
        );
        let is_partial = invocation.is_partial;
        let explained = explain(self.program, &events, is_partial, &options, &display);
        display.clear();
        match explained {
            Err(why) => {
                self.system.err(&format!("error: --log: {why}\n"));
                2
            }
            Ok(Explained::Whole(trace)) => {
                self.say(&match all {
                    1 => format!("A run with the one line of {name}"),
                    _ => format!("A run with the {all} lines of {name}"),
                });
                self.tell(&trace)
            }
            Ok(Explained::Broken(reached, trace, assumptions)) => {
                let (number, line) = lines[reached];
                self.say(&format!(
                    "No run has line {number} of {name} where it stands"
                ));
                self.say(&format!("  {line}"));
                if !is_partial {
                    self.say(
                        "if no other event of the kinds that are logged may come between (--partial)",
                    );
                }
                self.say(&match reached {
                    0 => "A run before it".to_owned(),
                    _ => format!(
                        "A run with what is logged up to line {}",
                        lines[reached - 1].0
                    ),
                });
                let status = self.tell(&trace);
                if !assumptions.is_empty() {
                    self.say("Assuming that");
                }
                for assumption in assumptions {
                    let assumption = &self.program.assumptions[assumption.index()];
                    self.say(&format!("  - {}", assumption.text));
                }
                status.max(1)
            }
            Ok(Explained::Open(reached, _)) => {
                self.say(&format!(
                    "Whether a run has all {all} lines of {name} is not known: one has the first {reached}"
                ));
                3
            }
        }
    }

    /// Tells a run.
    fn tell(&self, trace: &Trace) -> u8 {
        let Ok(replay) = Interp::new(self.program).replay(trace) else {
            self.system
                .err("error: --log: the run is none of the script\n");
            return 3;
        };
        self.begin(&replay.initial);
        let mut course = Course::new(trace.initial.clone(), replay.initial);
        for step in replay.steps {
            course.made.push(step);
            self.tell_last(&mut course);
        }
        0
    }
}
