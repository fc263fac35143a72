//! Several engines side by side on the same properties: whoever answers first, answers.
//!
//! Engines start one after the other, so that what is easy for the first costs nothing more, and
//! all end when every property is answered. An engine that goes on meanwhile is a check on the
//! others: two that contradict each other are a defect of ours, and nothing is known then.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use model::{Budget, PropertyId, UnknownReason, Verdict};

use crate::outcome::Outcome;
use crate::stack::Stack;

/// How often the user's wish to stop is looked at.
const POLL: Duration = Duration::from_millis(10);

/// What an engine does: it keeps to the budget, and puts its answers on the board.
type Work<'a> = Box<dyn FnOnce(&Budget, &Board) + Send + 'a>;

/// An engine that takes part.
pub(crate) struct Contender<'a> {
    /// It starts after this time, or when all before it have ended.
    pub(crate) after: Duration,
    /// The part of the memory that it may use, in percent.
    pub(crate) share: u64,
    pub(crate) run: Work<'a>,
}

/// Where answers are put.
pub(crate) struct Board {
    inner: Mutex<Inner>,
    changed: Condvar,
    stop: Arc<AtomicBool>,
    /// Whether one failure ends it all.
    first_failure: bool,
}

struct Inner {
    wanted: Vec<PropertyId>,
    outcomes: BTreeMap<PropertyId, Outcome>,
    /// How many engines have ended, of those in the order of their start.
    ended: Vec<bool>,
}

impl Board {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a property is answered for good.
    pub(crate) fn is_settled(&self, property: PropertyId) -> bool {
        let inner = self.lock();
        let outcome = inner.outcomes.get(&property);
        outcome.is_some_and(|outcome| is_definite(&outcome.verdict))
    }

    /// Puts an answer down.
    pub(crate) fn put(&self, outcome: Outcome) {
        let mut inner = self.lock();
        let property = outcome.property;
        let merged = match inner.outcomes.remove(&property) {
            Some(before) => merged(before, outcome),
            None => outcome,
        };
        inner.outcomes.insert(property, merged);
        let settled = inner.wanted.iter().all(|property| {
            let outcome = inner.outcomes.get(property);
            outcome.is_some_and(|outcome| is_definite(&outcome.verdict))
        });
        let enough = self.first_failure && inner.outcomes.values().any(failed);
        if settled || enough {
            self.stop.store(true, Ordering::Relaxed);
        }
        self.changed.notify_all();
    }
}

/// Runs the contenders; the best answer to each property, where there is any.
pub(crate) fn race(
    wanted: &[PropertyId],
    contenders: Vec<Contender<'_>>,
    first_failure: bool,
    budget: &Budget,
    stack: Stack,
) -> Vec<Outcome> {
    let stop = Arc::new(AtomicBool::new(false));
    let board = Board {
        inner: Mutex::new(Inner {
            wanted: wanted.to_vec(),
            outcomes: BTreeMap::new(),
            ended: vec![false; contenders.len()],
        }),
        changed: Condvar::new(),
        stop: Arc::clone(&stop),
        first_failure,
    };
    let began = Instant::now();
    std::thread::scope(|scope| {
        for (number, contender) in contenders.into_iter().enumerate() {
            let mine = Budget {
                deadline: budget.deadline,
                memory: budget.memory.map(|bytes| bytes / 100 * contender.share),
                stop: Arc::clone(&stop),
                ..budget.clone()
            };
            let board = &board;
            stack.spawn(scope, move || {
                let _here = Here { board, number };
                if board.is_my_turn(number, began + contender.after) {
                    (contender.run)(&mine, board);
                }
            });
        }
        let mut inner = board.lock();
        while inner.ended.iter().any(|ended| !ended) {
            if budget.stop.load(Ordering::Relaxed) {
                stop.store(true, Ordering::Relaxed);
            }
            (inner, _) = board
                .changed
                .wait_timeout(inner, POLL)
                .unwrap_or_else(PoisonError::into_inner);
        }
    });
    let interrupted = budget.stop.load(Ordering::Relaxed);
    let inner = board.inner.into_inner();
    let outcomes = inner.unwrap_or_else(PoisonError::into_inner).outcomes;
    let mut outcomes: Vec<Outcome> = outcomes.into_values().collect();
    let enough = first_failure && outcomes.iter().any(failed);
    for outcome in &mut outcomes {
        // What was stopped because all others had answered was not stopped by the user.
        if let Verdict::Unknown { reason, .. } = &mut outcome.verdict
            && *reason == UnknownReason::Interrupted
            && !interrupted
        {
            *reason = if enough {
                UnknownReason::AnotherFailed
            } else {
                UnknownReason::Time
            };
        }
    }
    outcomes
}

/// A contender that takes part. However it leaves, the others hear of it.
struct Here<'b> {
    board: &'b Board,
    number: usize,
}

impl Drop for Here<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.board.stop.store(true, Ordering::Relaxed);
        }
        self.board.lock().ended[self.number] = true;
        self.board.changed.notify_all();
    }
}

impl Board {
    /// Waits for its turn; whether there is still something to do then.
    fn is_my_turn(&self, number: usize, at: Instant) -> bool {
        let mut inner = self.lock();
        loop {
            // The first one begins in any case, so that somebody says what was reached.
            if number > 0 && self.stop.load(Ordering::Relaxed) {
                return false;
            }
            let others_ended = inner.ended[..number].iter().all(|&ended| ended);
            let now = Instant::now();
            if others_ended || now >= at {
                return true;
            }
            (inner, _) = self
                .changed
                .wait_timeout(inner, POLL.min(at - now))
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Whether it says that the property fails.
pub(crate) fn failed(outcome: &Outcome) -> bool {
    matches!(outcome.verdict, Verdict::Fails { .. })
}

/// Whether nothing more can be found out.
fn is_definite(verdict: &Verdict) -> bool {
    !matches!(verdict, Verdict::Unknown { .. })
}

/// The better of two answers.
fn merged(before: Outcome, after: Outcome) -> Outcome {
    match (&before.verdict, &after.verdict) {
        (Verdict::Unknown { reason, .. }, Verdict::Unknown { .. }) => {
            // What an engine cannot do says less than how far another one got.
            if matches!(reason, UnknownReason::Unsupported(_)) {
                after
            } else {
                before
            }
        }
        (Verdict::Unknown { .. }, _) => after,
        (_, Verdict::Unknown { .. }) => before,
        (Verdict::Measured { distance: a }, Verdict::Measured { distance: b }) if a == b => before,
        (Verdict::Fails { .. }, Verdict::Fails { .. })
        | (
            Verdict::Holds { .. } | Verdict::Vacuous { .. },
            Verdict::Holds { .. } | Verdict::Vacuous { .. },
        ) => before,
        _ => {
            let said = |outcome: &Outcome| {
                let verdict = match outcome.verdict {
                    Verdict::Fails { .. } => "fails",
                    Verdict::Measured { .. } => "has another number",
                    _ => "holds",
                };
                format!("{} says that it {verdict}", outcome.engine)
            };
            let what = format!("{}, {}", said(&before), said(&after));
            Outcome {
                verdict: Verdict::Unknown {
                    reason: UnknownReason::Contradiction(what),
                    possible: None,
                },
                replay: None,
                ..before
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use model::{Strength, Trace};

    use super::*;
    use crate::engine::Engine;

    fn property() -> PropertyId {
        PropertyId::new(0)
    }

    fn says(engine: Engine, verdict: Verdict) -> Outcome {
        Outcome {
            verdict,
            ..Outcome::unknown(property(), engine, UnknownReason::Time)
        }
    }

    fn holds() -> Verdict {
        Verdict::Holds {
            strength: Strength::Proved,
            assumptions: Vec::new(),
        }
    }

    fn fails() -> Verdict {
        Verdict::Fails {
            trace: Box::new(Trace {
                initial: Vec::new(),
                steps: Vec::new(),
                loop_start: None,
            }),
        }
    }

    fn unknown(reason: UnknownReason) -> Verdict {
        Verdict::Unknown {
            reason,
            possible: None,
        }
    }

    fn contender<'a>(
        after: Duration,
        run: impl FnOnce(&Budget, &Board) + Send + 'a,
    ) -> Contender<'a> {
        Contender {
            after,
            share: 50,
            run: Box::new(run),
        }
    }

    /// Works until it is told to stop.
    fn for_ever(budget: &Budget) {
        while budget.exhausted(0).is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn the_first_answer_stops_the_others() {
        let slow = contender(Duration::ZERO, |budget, board| {
            for_ever(budget);
            let reason = budget.exhausted(0).unwrap();
            board.put(says(Engine::Explicit, unknown(reason)));
        });
        let quick = contender(Duration::from_millis(1), |_, board| {
            board.put(says(Engine::Sat, holds()));
        });
        let outcomes = race(
            &[property()],
            vec![slow, quick],
            false,
            &Budget::default(),
            Stack::LEAST,
        );
        assert_eq!(outcomes[0].engine, Engine::Sat);
        assert_eq!(outcomes[0].verdict, holds());
    }

    #[test]
    fn one_that_is_not_needed_never_begins() {
        let first = contender(Duration::ZERO, |_, board| {
            board.put(says(Engine::Explicit, holds()));
        });
        let never = contender(Duration::from_secs(3600), |_, _| panic!("it was begun"));
        let outcomes = race(
            &[property()],
            vec![first, never],
            false,
            &Budget::default(),
            Stack::LEAST,
        );
        assert_eq!(outcomes[0].engine, Engine::Explicit);
    }

    #[test]
    fn the_next_begins_when_those_before_it_have_given_up() {
        let first = contender(Duration::ZERO, |_, board| {
            board.put(says(Engine::Explicit, unknown(UnknownReason::Sampled)));
        });
        let next = contender(Duration::from_secs(3600), |_, board| {
            let reason = UnknownReason::Unsupported("this".to_owned());
            board.put(says(Engine::Sat, unknown(reason)));
        });
        let outcomes = race(
            &[property()],
            vec![first, next],
            false,
            &Budget::default(),
            Stack::LEAST,
        );
        // How far the first got says more than what the second cannot do.
        assert_eq!(outcomes[0].verdict, unknown(UnknownReason::Sampled));
    }

    #[test]
    fn engines_that_contradict_each_other_leave_nothing_known() {
        let one = contender(Duration::ZERO, |_, board| {
            board.put(says(Engine::Explicit, fails()));
            board.put(says(Engine::Sat, holds()));
        });
        let outcomes = race(
            &[property()],
            vec![one],
            false,
            &Budget::default(),
            Stack::LEAST,
        );
        let Verdict::Unknown {
            reason: UnknownReason::Contradiction(what),
            ..
        } = &outcomes[0].verdict
        else {
            panic!("{:?}", outcomes[0].verdict);
        };
        assert_eq!(what, "explicit says that it fails, sat says that it holds");
    }

    #[test]
    fn one_failure_may_be_enough() {
        let other = PropertyId::new(1);
        let contender = contender(Duration::ZERO, move |budget, board| {
            board.put(says(Engine::Explicit, fails()));
            for_ever(budget);
            let reason = budget.exhausted(0).unwrap();
            board.put(Outcome::unknown(other, Engine::Explicit, reason));
        });
        let outcomes = race(
            &[property(), other],
            vec![contender],
            true,
            &Budget::default(),
            Stack::LEAST,
        );
        assert_eq!(outcomes[1].verdict, unknown(UnknownReason::AnotherFailed));
    }

    #[test]
    fn the_user_may_stop_it() {
        let budget = Budget::default();
        budget.stop.store(true, Ordering::Relaxed);
        let endless = contender(Duration::ZERO, |budget, board| {
            for_ever(budget);
            let reason = budget.exhausted(0).unwrap();
            board.put(says(Engine::Explicit, unknown(reason)));
        });
        let outcomes = race(&[property()], vec![endless], false, &budget, Stack::LEAST);
        assert_eq!(outcomes.len(), 1);
        assert_eq!(outcomes[0].verdict, unknown(UnknownReason::Interrupted));
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn nobody_waits_for_one_that_has_panicked() {
        let broken = contender(Duration::ZERO, |_, _| panic!("a defect"));
        let patient = contender(Duration::ZERO, |budget, _| for_ever(budget));
        race(
            &[property()],
            vec![broken, patient],
            false,
            &Budget::default(),
            Stack::LEAST,
        );
    }
}
