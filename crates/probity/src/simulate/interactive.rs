//! A run whose steps the user chooses, along a kept run as far as they like.

use std::sync::atomic::Ordering;

use model::interp::{Replay, ReplayedStep};
use model::{MacroStep, Trace};
use report::TraceFile;

use super::{Course, Run};

/// A kept run that is followed.
struct Along {
    steps: Vec<(MacroStep, ReplayedStep)>,
    /// How many of its steps were made when the user left it.
    left_at: Option<usize>,
}

impl Along {
    /// What the kept run does next, if it is still followed and has not ended.
    fn next(&self, made: usize) -> Option<&(MacroStep, ReplayedStep)> {
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
            let replay = replay.map_err(|error| error.to_string())?;
            Ok((trace, replay))
        });
        match replay {
            Ok((trace, replay)) => {
                if let Some(name) = &traced.property {
                    self.say(&format!("Along the run of {name}"));
                }
                let steps = steps.max(replay.steps.len().saturating_add(steps));
                self.interactive(steps, Some((trace, replay)))
            }
            Err(error) => {
                let message = format!("error: failed to {error}: the script has no such run\n");
                self.system.err(&message);
                2
            }
        }
    }

    /// Asks what happens next, each time; the exit status.
    pub(super) fn interactive(&self, steps: usize, along: Option<(Trace, Replay)>) -> u8 {
        self.say("Each time: a number for what happens, b to go back, q to stop.");
        let (started, mut along) = match along {
            None => (self.start(|_| 0), None),
            Some((trace, replay)) => {
                self.say("An empty line: what the kept run does next.");
                self.begin(&replay.initial);
                let along = Along {
                    steps: trace.steps.into_iter().zip(replay.steps).collect(),
                    left_at: None,
                };
                (
                    Some(Course::new(trace.initial, replay.initial)),
                    Some(along),
                )
            }
        };
        let Some(mut course) = started else {
            return 0;
        };
        let mut has_ended = false;
        while course.made.len() < steps && !self.system.stop().load(Ordering::Relaxed) {
            let made = course.made.len();
            let kept = along.as_ref().and_then(|along| along.next(made)).cloned();
            let mut next = match self.choices(&course) {
                Some(next) => next,
                // Where a kept run ends one may want to go back.
                None if along.is_some() && made > 0 => Vec::new(),
                None => {
                    has_ended = true;
                    break;
                }
            };
            self.list(&course, &next);
            if let Some(kept) = &kept {
                self.say(&format!(" Enter) {}", self.in_short(&course, &kept.1)));
            }
            let Some(answer) = self.system.line() else {
                break;
            };
            match answer.trim() {
                "q" => break,
                "b" => {
                    course.made.pop();
                    course.steps.pop();
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
                    if let Some((step, made)) = kept {
                        course.steps.push(step);
                        course.made.push(made);
                    }
                    self.tell_last(&mut course);
                }
                "" if along.as_ref().is_some_and(|along| along.left_at.is_none()) => {
                    self.say("The kept run ends here.");
                }
                answer => match answer.parse::<usize>() {
                    Ok(number) if (1..=next.len()).contains(&number) => {
                        let step = next.swap_remove(number - 1).step;
                        self.go(&mut course, &step);
                        let is_kept = kept.is_some_and(|kept| kept.1.state == *course.now());
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
        let status = if has_ended { 0 } else { self.stopped(&course) };
        let keeps = self.keeps.as_ref();
        keeps
            .and_then(|keeps| self.save(&course, keeps))
            .unwrap_or(status)
    }
}
