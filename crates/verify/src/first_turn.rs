//! How long properties are looked at before failures that may not be possible are.
//!
//! Such a failure is looked for again without the values on which it rests ([`undecided`]), after
//! everything else. Where another property takes all the time there is, none would be left for that. So
//! from the first such failure on, the others have half of the time that remains.
//!
//! [`undecided`]: crate::undecided

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use model::{Program, UnknownReason, Verdict};

use crate::options::Options;
use crate::outcome::Outcome;

/// How often it is looked whether the turn is over.
const EVERY: Duration = Duration::from_millis(20);

/// The first turn of a verification.
pub(crate) struct FirstTurn {
    /// When all time is over, if it ends and there are values that may not be possible.
    deadline: Option<Instant>,
    /// When this turn is over.
    ends: Mutex<Option<Instant>>,
    /// Set when it is.
    stop: Arc<AtomicBool>,
}

impl FirstTurn {
    pub(crate) fn new(program: &Program, options: &Options, began: Instant) -> Self {
        let undecided = program.outside.iter().any(|value| !value.exact);
        FirstTurn {
            deadline: options
                .timeout
                .filter(|_| undecided)
                .map(|timeout| began + timeout),
            ends: Mutex::new(None),
            stop: Arc::default(),
        }
    }

    /// A failure has been found that may not be possible.
    pub(crate) fn is_open(&self) {
        let now = Instant::now();
        let mut ends = self.ends.lock().unwrap_or_else(PoisonError::into_inner);
        if let (Some(deadline), None) = (self.deadline, *ends) {
            *ends = Some(now + deadline.saturating_duration_since(now) / 2);
        }
    }

    /// Does the work of this turn.
    pub(crate) fn take(
        &self,
        options: &Options,
        work: impl FnOnce(&Options) -> Vec<Outcome>,
    ) -> Vec<Outcome> {
        if self.deadline.is_none() {
            return work(options);
        }
        let (work_goes_on, told) = channel();
        let mut outcomes = std::thread::scope(|scope| {
            scope.spawn(move || self.watch(&options.stop, &told));
            let mine = Options {
                stop: Arc::clone(&self.stop),
                ..options.clone()
            };
            let outcomes = work(&mine);
            drop(work_goes_on);
            outcomes
        });
        if !options.stop.load(Ordering::Relaxed) {
            outcomes.iter_mut().for_each(say_time);
        }
        outcomes
    }

    fn watch(&self, outside: &AtomicBool, work: &Receiver<()>) {
        while work.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
            let ends = *self.ends.lock().unwrap_or_else(PoisonError::into_inner);
            let is_over = ends.is_some_and(|ends| ends <= Instant::now());
            if is_over || outside.load(Ordering::Relaxed) {
                self.stop.store(true, Ordering::Relaxed);
                return;
            }
        }
    }
}

/// What this turn cut short, time did.
fn say_time(outcome: &mut Outcome) {
    if let Verdict::Unknown { reason, .. } = &mut outcome.verdict
        && *reason == UnknownReason::Interrupted
    {
        *reason = UnknownReason::Time;
    }
}
