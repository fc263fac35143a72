//! A run whose steps the user chooses, along a kept run as far as they like.

use std::sync::atomic::Ordering;

use model::interp::{Replay, ReplayedStep};
use report::TraceFile;

use super::{Course, Run};

/// A kept run that is followed.
struct Along {
    steps: Vec<ReplayedStep>,
    /// How many of its steps were made when the user left it.
    left_at: Option<usize>,
}

impl Along {
    /// What the kept run does next, if it is still followed and has not ended.
    fn next(&self, made: usize) -> Option<&ReplayedStep> {
        let is_followed = self.left_at.is_none();
        self.steps.get(made).filter(|_| is_followed)
    }
}

impl Run<'_> {
    /// Follows a kept run, by the user's steps; the exit status.
    pub(super) fn along(&self, file: &TraceFile, property: Option<&str>, steps: usize) -> u8 {
        let mut asked = file
            .traces
            .iter()
            .filter(|traced| property.is_none() || property == traced.property.as_deref());
        let Some(traced) = asked.next() else {
            let which = property.map_or(String::new(), |name| format!(" of `{name}`"));
            let message = format!("error: the trace file has no run{which}\n");
            self.system.err(&message);
            return 2;
        };
        let trace = traced
            .trace(self.program)
            .map_err(|error| error.to_string());
        let replay = trace.and_then(|trace| {
            let replay = self.interp.replay(&trace);
            replay.map_err(|error| error.to_string())
        });
        match replay {
            Ok(replay) => {
                if let Some(name) = &traced.property {
                    self.say(&format!("Along the run of {name}"));
                }
                let steps = steps.max(replay.steps.len().saturating_add(steps));
                self.interactive(steps, Some(replay))
            }
            Err(error) => {
                let message = format!("error: failed to {error}: the script has no such run\n");
                self.system.err(&message);
                2
            }
        }
    }

    /// Asks what happens next, each time; the exit status.
    pub(super) fn interactive(&self, steps: usize, along: Option<Replay>) -> u8 {
        self.say("Each time: a number for what happens, b to go back, q to stop.");
        let (started, mut along) = match along {
            None => (self.start(|_| 0), None),
            Some(replay) => {
                self.say("An empty line: what the kept run does next.");
                self.begin(&replay.initial);
                let along = Along {
                    steps: replay.steps,
                    left_at: None,
                };
                (Some(Course::new(replay.initial)), Some(along))
            }
        };
        let Some(mut course) = started else {
            return 0;
        };
        while course.made.len() < steps && !self.system.stop().load(Ordering::Relaxed) {
            let made = course.made.len();
            let kept = along.as_ref().and_then(|along| along.next(made)).cloned();
            let mut next = match self.choices(&course) {
                Some(next) => next,
                // Where a kept run ends one may want to go back.
                None if along.is_some() && made > 0 => Vec::new(),
                None => return 0,
            };
            self.list(&course, &next);
            if let Some(kept) = &kept {
                self.say(&format!(" Enter) {}", self.in_short(&course, kept)));
            }
            let Some(answer) = self.system.line() else {
                break;
            };
            match answer.trim() {
                "q" => break,
                "b" => {
                    course.made.pop();
                    self.told.borrow_mut().pop();
                    let made = course.made.len();
                    if let Some(along) = &mut along
                        && along.left_at.is_some_and(|left_at| made <= left_at)
                    {
                        along.left_at = None;
                    }
                    self.say("Back.");
                }
                "" if kept.is_some() => {
                    course.made.extend(kept);
                    self.tell_last(&mut course);
                }
                "" if along.as_ref().is_some_and(|along| along.left_at.is_none()) => {
                    self.say("The kept run ends here.");
                }
                answer => match answer.parse::<usize>() {
                    Ok(number) if (1..=next.len()).contains(&number) => {
                        let step = next.swap_remove(number - 1).step;
                        self.go(&mut course, &step);
                        let is_kept = kept.is_some_and(|kept| kept.state == *course.now());
                        if let Some(along) = along.as_mut().filter(|_| !is_kept) {
                            along.left_at.get_or_insert(made);
                        }
                    }
                    _ => self.say(&format!(
                        "Please give a number from 1 to {}, b or q.",
                        next.len()
                    )),
                },
            }
        }
        self.stopped(&course)
    }
}
