//! Several engines side by side on the same properties: whoever answers first, answers.
//!
//! Engines start one after the other, so that what is easy for the first costs nothing more, and
//! all end when every property is answered. An engine that goes on meanwhile is a check on the
//! others: two that contradict each other are a defect of ours, and nothing is known then. One that
//! panics is a defect, too: it has no answers, and the others go on.

use std::collections::{BTreeMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use model::{Budget, Gate, PropertyId, UnknownReason, Verdict};

use crate::engine::Engine;
use crate::memory_pressure::{Keeper, Pressure};
use crate::outcome::Outcome;
use crate::proof::is_shortage;
use crate::round_robin::{Lead, RoundRobin};
use crate::stack::Stack;

/// How often the user's wish to stop is looked at.
const POLL: Duration = Duration::from_millis(10);

/// What an engine does: it keeps to the budget, and puts its answers on the board.
type Task<'a> = Box<dyn FnOnce(&Budget, &Board<'_>) + Send + 'a>;

/// An engine that takes part.
pub(crate) struct Contender<'a> {
    /// It starts after this time, or when all before it have ended.
    pub(crate) after: Duration,
    /// The part of the memory that it may use, in percent.
    pub(crate) share: u64,
    /// What it is asked, and as whom: said of it where it stops without an answer.
    pub(crate) asked: (Engine, Vec<PropertyId>),
    pub(crate) run: Task<'a>,
}

/// How a race is run.
pub(crate) struct Rules<'a> {
    /// One failure ends it all.
    pub(crate) first_failure: bool,
    /// Limits of all together.
    pub(crate) budget: &'a Budget,
    /// Bytes that the process has, if somebody keeps them current.
    pub(crate) resident: Option<Arc<AtomicU64>>,
    /// Who leads, if engines take turns on one processor core.
    pub(crate) lead: Option<Lead>,
    pub(crate) stack: Stack,
    /// Is told what is known of a property whenever that changes.
    pub(crate) told: Told<'a>,
}

/// Is told what is known of a property.
pub(crate) type Told<'a> = &'a (dyn Fn(&Outcome) + Sync);

/// Where answers are put.
pub(crate) struct Board<'a> {
    inner: Mutex<Inner>,
    changed: Condvar,
    stop: Arc<AtomicBool>,
    /// Whether one failure ends it all.
    first_failure: bool,
    told: Told<'a>,
}

struct Inner {
    /// What is not answered for good. There may be very many properties, so nothing goes through all of
    /// them for each answer.
    open: HashSet<PropertyId>,
    outcomes: BTreeMap<PropertyId, Outcome>,
    /// How many engines have ended, of those in the order of their start.
    ended: Vec<bool>,
    begun: Vec<bool>,
    work: Vec<Work>,
}

/// Work about some of the properties.
struct Work {
    /// They, sorted.
    all: Vec<PropertyId>,
    /// Those that are not answered.
    open: HashSet<PropertyId>,
    /// Stops it when all are answered.
    stop: Arc<AtomicBool>,
}

impl Inner {
    fn is_settled(&self, property: PropertyId) -> bool {
        let outcome = self.outcomes.get(&property);
        outcome.is_some_and(|outcome| is_definite(&outcome.verdict))
    }

    /// A property is answered, or, where engines contradict each other, is not any more.
    fn settle(&mut self, property: PropertyId, is_settled: bool) {
        let mark = |open: &mut HashSet<PropertyId>| match is_settled {
            true => open.remove(&property),
            false => open.insert(property),
        };
        mark(&mut self.open);
        for work in &mut self.work {
            if work.all.binary_search(&property).is_ok() {
                mark(&mut work.open);
            }
        }
    }

    /// Stops work that nobody waits for any more.
    fn stop_what_is_done(&mut self, all: bool) {
        // Nobody else has the flag: that work has ended.
        self.work.retain(|work| Arc::strong_count(&work.stop) > 1);
        for work in self.work.iter().filter(|work| all || work.open.is_empty()) {
            work.stop.store(true, Ordering::Relaxed);
        }
    }
}

impl Board<'_> {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a property is answered for good.
    pub(crate) fn is_settled(&self, property: PropertyId) -> bool {
        self.lock().is_settled(property)
    }

    /// A budget for work about these properties: it also ends when all of them are answered, by
    /// whomever.
    pub(crate) fn budget_for(&self, properties: &[PropertyId], budget: &Budget) -> Budget {
        let stop = Arc::new(AtomicBool::new(false));
        let mut inner = self.lock();
        let mut all = properties.to_vec();
        all.sort_unstable();
        let open = all.iter().copied().filter(|&id| !inner.is_settled(id));
        let open = open.collect();
        inner.work.push(Work {
            all,
            open,
            stop: Arc::clone(&stop),
        });
        inner.stop_what_is_done(self.stop.load(Ordering::Relaxed));
        Budget {
            stop,
            ..budget.clone()
        }
    }

    /// Puts an answer down.
    pub(crate) fn put(&self, outcome: Outcome) {
        let mut inner = self.lock();
        let property = outcome.property;
        let was_settled = inner.is_settled(property);
        let merged = match inner.outcomes.remove(&property) {
            Some(before) => merged(before, outcome),
            None => outcome,
        };
        (self.told)(&merged);
        let is_settled = is_definite(&merged.verdict);
        let enough = self.first_failure && failed(&merged);
        inner.outcomes.insert(property, merged);
        if is_settled != was_settled {
            inner.settle(property, is_settled);
        }
        if inner.open.is_empty() || enough {
            self.stop.store(true, Ordering::Relaxed);
        }
        let all = self.stop.load(Ordering::Relaxed);
        inner.stop_what_is_done(all);
        self.changed.notify_all();
    }
}

/// Runs the contenders; the best answer to each property, where there is any.
pub(crate) fn run_portfolio(
    wanted: &[PropertyId],
    contenders: Vec<Contender<'_>>,
    rules: &Rules<'_>,
) -> Vec<Outcome> {
    let budget = rules.budget;
    let stop = Arc::new(AtomicBool::new(false));
    let board = Board {
        inner: Mutex::new(Inner {
            open: wanted.iter().copied().collect(),
            outcomes: BTreeMap::new(),
            ended: vec![false; contenders.len()],
            begun: vec![false; contenders.len()],
            work: Vec::new(),
        }),
        changed: Condvar::new(),
        stop: Arc::clone(&stop),
        first_failure: rules.first_failure,
        told: rules.told,
    };
    let began = Instant::now();
    let resident = rules.resident.as_ref();
    let taken = resident.map_or(0, |resident| resident.load(Ordering::Relaxed));
    let budgets: Vec<Budget> = contenders
        .iter()
        .map(|contender| Budget {
            memory: budget
                .memory
                .map(|bytes| bytes.saturating_sub(taken) / 100 * contender.share),
            stop: Arc::clone(&stop),
            over: Arc::default(),
            used: Arc::default(),
            gate: rules.lead.map(|_| Arc::new(Gate::default())),
            ..budget.clone()
        })
        .collect();
    let keepers: Vec<Keeper> = budgets
        .iter()
        .map(|budget| Keeper {
            over: Arc::clone(&budget.over),
            used: Arc::clone(&budget.used),
        })
        .collect();
    let gates: Vec<Option<(usize, Engine, Arc<Gate>)>> = contenders
        .iter()
        .zip(&budgets)
        .enumerate()
        .map(|(number, (contender, budget))| {
            Some((number, contender.asked.0, budget.gate.clone()?))
        })
        .collect();
    let mut pressure = resident
        .zip(budget.memory)
        .map(|(resident, limit)| Pressure::new(Arc::clone(resident), limit));
    let mut round_robin = rules.lead.map(RoundRobin::new);
    std::thread::scope(|scope| {
        for ((number, contender), mine) in contenders.into_iter().enumerate().zip(budgets) {
            let board = &board;
            rules.stack.spawn(scope, move || {
                let _here = Here { board, number };
                if board.is_my_turn(number, began + contender.after) {
                    let (engine, asked) = contender.asked;
                    let run = || mine.within(|| (contender.run)(&mine, board));
                    let ended = catch_unwind(AssertUnwindSafe(run));
                    if let Err(reason) = ended.unwrap_or(Err(UnknownReason::Defect)) {
                        for property in asked {
                            let unknown = Outcome::unknown(property, engine, reason.clone());
                            board.put(unknown);
                        }
                    }
                }
            });
        }
        let mut inner = board.lock();
        while inner.ended.iter().any(|ended| !ended) {
            if budget.stop.load(Ordering::Relaxed) {
                stop.store(true, Ordering::Relaxed);
            }
            if stop.load(Ordering::Relaxed) {
                inner.stop_what_is_done(true);
            }
            let at_work: Vec<usize> = (0..keepers.len())
                .filter(|&number| inner.begun[number] && !inner.ended[number])
                .collect();
            if let Some(pressure) = &mut pressure {
                let keepers: Vec<&Keeper> = at_work.iter().map(|&n| &keepers[n]).collect();
                pressure.look(&keepers);
            }
            if let Some(round_robin) = &mut round_robin {
                let gates = at_work.iter().filter_map(|&number| gates[number].clone());
                round_robin.look(&gates.collect::<Vec<_>>(), Instant::now());
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
    let enough = rules.first_failure && outcomes.iter().any(failed);
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
    board: &'b Board<'b>,
    number: usize,
}

impl Drop for Here<'_> {
    fn drop(&mut self) {
        self.board.lock().ended[self.number] = true;
        self.board.changed.notify_all();
    }
}

impl Board<'_> {
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
                inner.begun[number] = true;
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

/// Whether all that an engine was given was looked at, and that is not all that may be.
fn is_of_a_part(outcome: &Outcome) -> bool {
    matches!(
        reason(outcome),
        Some(UnknownReason::Sampled | UnknownReason::LeftOut(_))
    )
}

/// Whether it might have been answered with more time.
fn is_cut_short(outcome: &Outcome) -> bool {
    matches!(
        reason(outcome),
        Some(UnknownReason::Time | UnknownReason::Interrupted)
    )
}

fn reason(outcome: &Outcome) -> Option<&UnknownReason> {
    match &outcome.verdict {
        Verdict::Unknown { reason, .. } => Some(reason),
        _ => None,
    }
}

/// The better of two answers.
fn merged(before: Outcome, after: Outcome) -> Outcome {
    match (&before.verdict, &after.verdict) {
        (Verdict::Unknown { reason, .. }, Verdict::Unknown { .. }) => {
            // What an engine cannot do says less than how far another one got, and that it had no
            // time less than that samples were looked at.
            let cut_short = [&before, &after]
                .iter()
                .any(|outcome| is_cut_short(outcome));
            let (done, more) = (before.statistics.states, after.statistics.states);
            let got_further = match before.engine == after.engine {
                true => more >= done,
                // Of two that had not time enough, the one that says more of it.
                false => more > done && is_shortage(reason),
            };
            let mut best = match reason {
                _ if got_further => after,
                UnknownReason::Unsupported(_) => after,
                UnknownReason::Time | UnknownReason::Interrupted if is_of_a_part(&after) => after,
                _ => before,
            };
            best.sampled.cut_short |= cut_short;
            best
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
            trace: Arc::new(Trace {
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
        run: impl FnOnce(&Budget, &Board<'_>) + Send + 'a,
    ) -> Contender<'a> {
        Contender {
            after,
            share: 50,
            asked: (Engine::Explicit, vec![property()]),
            run: Box::new(run),
        }
    }

    fn run(
        wanted: &[PropertyId],
        contenders: Vec<Contender<'_>>,
        first_failure: bool,
        budget: &Budget,
    ) -> Vec<Outcome> {
        let rules = Rules {
            first_failure,
            budget,
            resident: None,
            lead: None,
            stack: Stack::LEAST,
            told: &|_| {},
        };
        run_portfolio(wanted, contenders, &rules)
    }

    /// Works until it is told to stop.
    fn for_ever(budget: &Budget) {
        while budget.exhausted(0).is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn an_engine_that_panics_takes_no_answer_with_it() {
        let broken = || contender(Duration::ZERO, |_, _| panic!("a defect"));
        let sound = contender(Duration::ZERO, |_, board| {
            board.put(says(Engine::Sat, holds()));
        });
        let outcomes = run(
            &[property()],
            vec![broken(), sound],
            false,
            &Budget::default(),
        );
        assert_eq!(outcomes[0].verdict, holds());
        let outcomes = run(&[property()], vec![broken()], false, &Budget::default());
        assert_eq!(outcomes[0].verdict, unknown(UnknownReason::Defect));
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
        let outcomes = run(&[property()], vec![slow, quick], false, &Budget::default());
        assert_eq!(outcomes[0].engine, Engine::Sat);
        assert_eq!(outcomes[0].verdict, holds());
    }

    #[test]
    fn work_ends_when_the_last_of_its_properties_is_answered() {
        let [a, b] = [0, 1].map(PropertyId::new);
        let told = |property, verdict| Outcome {
            verdict,
            ..Outcome::unknown(property, Engine::Sat, UnknownReason::Time)
        };
        let work = contender(Duration::ZERO, |budget, board| {
            let mine = board.budget_for(&[b, a], budget);
            let is_stopped = || mine.exhausted(0).is_some();
            board.put(told(a, holds()));
            board.put(told(a, holds()));
            assert!(!is_stopped());
            // What is contradicted is open again.
            board.put(told(a, fails()));
            board.put(told(b, holds()));
            assert!(!is_stopped());
            board.put(told(a, holds()));
            assert!(is_stopped());
        });
        let outcomes = run(&[a, b], vec![work], false, &Budget::default());
        assert_eq!(outcomes[1].verdict, holds());
        assert_eq!(outcomes[0].verdict, holds());
    }

    #[test]
    fn one_that_is_not_needed_never_begins() {
        let first = contender(Duration::ZERO, |_, board| {
            board.put(says(Engine::Explicit, holds()));
        });
        let never = contender(Duration::from_secs(3600), |_, _| panic!("it was begun"));
        let outcomes = run(&[property()], vec![first, never], false, &Budget::default());
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
        let outcomes = run(&[property()], vec![first, next], false, &Budget::default());
        // How far the first got says more than what the second cannot do.
        assert_eq!(outcomes[0].verdict, unknown(UnknownReason::Sampled));
    }

    #[test]
    fn engines_that_contradict_each_other_leave_nothing_known() {
        let one = contender(Duration::ZERO, |_, board| {
            board.put(says(Engine::Explicit, fails()));
            board.put(says(Engine::Sat, holds()));
        });
        let outcomes = run(&[property()], vec![one], false, &Budget::default());
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
        let outcomes = run(
            &[property(), other],
            vec![contender],
            true,
            &Budget::default(),
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
        let outcomes = run(&[property()], vec![endless], false, &budget);
        assert_eq!(outcomes.len(), 1);
        assert_eq!(outcomes[0].verdict, unknown(UnknownReason::Interrupted));
    }

    #[test]
    fn work_ends_when_what_it_is_about_is_answered() {
        let other = PropertyId::new(1);
        let slow = contender(Duration::ZERO, move |budget, board| {
            // About one that somebody else answers: it ends. The other stays open.
            for_ever(&board.budget_for(&[property()], budget));
            assert!(board.is_settled(property()) && !board.is_settled(other));
            assert_eq!(budget.exhausted(0), None);
            board.put(Outcome::unknown(
                other,
                Engine::Explicit,
                UnknownReason::Sampled,
            ));
        });
        let quick = contender(Duration::from_millis(1), |_, board| {
            board.put(says(Engine::Sat, holds()));
        });
        let outcomes = run(
            &[property(), other],
            vec![slow, quick],
            false,
            &Budget::default(),
        );
        assert_eq!(outcomes[0].verdict, holds());
        assert_eq!(outcomes[1].verdict, unknown(UnknownReason::Sampled));
    }

    #[test]
    fn what_only_checks_stops_too() {
        let deep = contender(Duration::ZERO, |_, _| {
            loop {
                source::limits::check();
            }
        });
        let soon = Budget::default().at_most(Duration::from_millis(30));
        let outcomes = run(&[property()], vec![deep], false, &soon);
        assert_eq!(outcomes[0].verdict, unknown(UnknownReason::Time));
    }

    #[test]
    fn whoever_keeps_too_much_memory_gives_up_and_the_others_answer() {
        let resident = Arc::new(AtomicU64::new(0));
        let much = contender(Duration::ZERO, |budget, board| {
            assert_eq!(budget.exhausted(400), None);
            resident.store(990, Ordering::Relaxed);
            for_ever(budget);
            let reason = budget.exhausted(0).unwrap();
            board.put(says(Engine::Explicit, unknown(reason)));
            resident.store(500, Ordering::Relaxed);
        });
        let little = contender(Duration::ZERO, |budget, board| {
            while resident.load(Ordering::Relaxed) != 500 {
                assert_eq!(budget.exhausted(100), None);
            }
            board.put(says(Engine::Sat, holds()));
        });
        let budget = Budget {
            memory: Some(1000),
            ..Budget::default()
        };
        let rules = Rules {
            first_failure: false,
            budget: &budget,
            resident: Some(Arc::clone(&resident)),
            lead: None,
            stack: Stack::LEAST,
            told: &|_| {},
        };
        let outcomes = run_portfolio(&[property()], vec![much, little], &rules);
        assert_eq!(outcomes[0].verdict, holds());
    }
}
