//! Several questions to an engine that may take for ever over any of them: each in its turn.
//!
//! A question that is not answered within its turn, or the proof not audited, waits until the others
//! had theirs, and gets more time then. The last one that is open has all the time there is. What is
//! asked again begins anew: as turns grow, that costs a constant factor at most.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use audit::Rejected;
use model::{Budget, PropertyId, UnknownReason, Verdict};

use crate::outcome::{Audited, Outcome};
use crate::portfolio::Board;
use crate::stack::Stack;

/// The first turn.
const FIRST: Duration = Duration::from_secs(10);

/// How much longer the next turns are.
const GROWTH: u32 = 3;

/// Asks about each property until it is answered, on the board or by `ask`, or there is no hope of
/// an answer.
pub(crate) fn ask_in_turns(
    properties: &[PropertyId],
    budget: &Budget,
    board: &Board<'_>,
    ask: &dyn Fn(PropertyId, &Budget) -> Outcome,
) {
    let mut open: Vec<(PropertyId, Option<Outcome>)> = properties
        .iter()
        .map(|&property| (property, None))
        .collect();
    let mut turn = FIRST;
    while !open.is_empty() {
        let mut later = Vec::new();
        let count = open.len();
        for (number, (property, before)) in open.into_iter().enumerate() {
            if board.is_settled(property) {
                continue;
            }
            let is_last = number + 1 == count && later.is_empty();
            let mine = if is_last {
                budget.clone()
            } else {
                within(budget, turn, count - number)
            };
            let mine = board.budget_for(&[property], &mine);
            mine.begin();
            let outcome = ask(property, &mine);
            let is_known = |outcome: &Outcome| !matches!(outcome.verdict, Verdict::Unknown { .. });
            // A proof that is not audited is better than none.
            let outcome = match before {
                Some(before) if !is_known(&outcome) => before,
                _ => outcome,
            };
            let again = is_cut_short(&outcome) && !is_last && budget.exhausted(0).is_none();
            match (again, is_known(&outcome)) {
                (true, true) => later.push((property, Some(outcome))),
                (true, false) => {
                    later.push((property, None));
                    board.put(outcome);
                }
                (false, _) => board.put(outcome),
            }
        }
        open = later;
        turn *= GROWTH;
    }
}

/// A turn of some work.
pub(crate) struct TimeSlice<'t> {
    /// Its limits.
    pub(crate) budget: &'t Budget,
    /// Whether nothing else waits: there will be no other turn.
    pub(crate) is_last: bool,
}

/// What is left of a piece of work after its turn.
pub(crate) struct Left<T> {
    /// Parts of what is left, which get one turn each, before it has its next.
    pub(crate) parts: Vec<T>,
    /// What gets another, longer turn.
    pub(crate) again: Vec<T>,
}

impl<T> Left<T> {
    /// Nothing is left.
    pub(crate) fn nothing() -> Self {
        Left::again(Vec::new())
    }

    /// All that is left gets another turn.
    pub(crate) fn again(again: Vec<T>) -> Self {
        Left {
            parts: Vec::new(),
            again,
        }
    }
}

/// The first turn of work that is done side by side with others.
const FIRST_OF_MANY: Duration = Duration::from_secs(2);

/// Work that waits.
struct Waiting<T> {
    piece: T,
    turn: Duration,
    /// Whether it is part of another piece, which goes on: it has one turn.
    is_part: bool,
}

/// Does work on so many threads, each piece in its turn: what is given back gets another, longer one
/// when the others have had theirs. Parts of a piece that is alone get half of the time.
pub(crate) fn in_time_slices<T: Send>(
    work: Vec<T>,
    (threads, budget, stack): (usize, &Budget, Stack),
    has_parts: &(dyn Fn(&T) -> bool + Sync),
    step: &(dyn Fn(T, &TimeSlice<'_>) -> Left<T> + Sync),
) {
    let new = |piece, is_part| Waiting {
        piece,
        turn: FIRST_OF_MANY,
        is_part,
    };
    let work = work.into_iter().map(|piece| new(piece, false));
    let waiting: Mutex<VecDeque<Waiting<T>>> = Mutex::new(work.collect());
    let lock = || waiting.lock().unwrap_or_else(PoisonError::into_inner);
    let run = || {
        loop {
            let (next, others) = {
                let mut waiting = lock();
                let Some(next) = waiting.pop_front() else {
                    return;
                };
                (next, waiting.len())
            };
            let Waiting {
                piece,
                turn,
                is_part,
            } = next;
            let rounds = others.div_ceil(threads.max(1)) + 1;
            let splits = has_parts(&piece) && budget.deadline.is_some();
            let mine = match others {
                0 if splits => within(budget, Duration::MAX, 2),
                0 => budget.clone(),
                _ => within(budget, turn, rounds),
            };
            let turn_of = TimeSlice {
                budget: &mine,
                is_last: others == 0 && !splits,
            };
            mine.begin();
            let left = step(piece, &turn_of);
            if is_part || budget.exhausted(0).is_some() {
                // It gets no other turn; what there is to say has been said.
                continue;
            }
            let mut waiting = lock();
            waiting.extend(left.parts.into_iter().map(|part| new(part, true)));
            waiting.extend(left.again.into_iter().map(|piece| Waiting {
                piece,
                turn: turn * GROWTH,
                is_part: false,
            }));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            stack.spawn(scope, run);
        }
        stack.spawn(scope, run);
    });
}

/// Whether there would be more to say, given more time.
fn is_cut_short(outcome: &Outcome) -> bool {
    match (&outcome.verdict, &outcome.audited) {
        (Verdict::Unknown { reason, .. }, _) => *reason == UnknownReason::Time,
        (_, Audited::Not(why)) => *why == Rejected::Limit.to_string(),
        _ => false,
    }
}

/// A budget for one of `waiting` questions: a turn, but no more than its share of what is left.
fn within(budget: &Budget, turn: Duration, waiting: usize) -> Budget {
    let now = Instant::now();
    let share = budget.deadline.map_or(turn, |deadline| {
        let left = deadline.saturating_duration_since(now);
        let share = left / u32::try_from(waiting).unwrap_or(u32::MAX);
        share.min(turn)
    });
    Budget {
        deadline: Some(now + share),
        ..budget.clone()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::sync::Arc;

    use model::Trace;

    use super::*;
    use crate::engine::Engine;
    use crate::portfolio::{Contender, Rules, run_portfolio};
    use crate::stack::Stack;

    #[test]
    fn what_takes_long_does_not_keep_others_from_their_answers() {
        let [slow, quick] = [PropertyId::new(0), PropertyId::new(1)];
        let asked = std::sync::Mutex::new(Vec::new());
        let contender = Contender {
            after: Duration::ZERO,
            share: 100,
            asked: (Engine::Sat, vec![slow, quick]),
            run: Box::new(|budget, board| {
                let turns = RefCell::new(0);
                ask_in_turns(&[slow, quick], budget, board, &|property, mine| {
                    asked.lock().expect("nobody panics").push(property);
                    let again = property == slow && *turns.borrow() == 0;
                    *turns.borrow_mut() += 1;
                    // As if the turn were over.
                    assert_eq!(mine.deadline.is_some(), again || property == quick);
                    if again {
                        return Outcome::unknown(property, Engine::Sat, UnknownReason::Time);
                    }
                    Outcome {
                        verdict: Verdict::Fails {
                            trace: Arc::new(Trace {
                                initial: Vec::new(),
                                steps: Vec::new(),
                                loop_start: None,
                            }),
                        },
                        ..Outcome::unknown(property, Engine::Sat, UnknownReason::Time)
                    }
                });
            }),
        };
        let rules = Rules {
            first_failure: false,
            budget: &Budget::default(),
            resident: None,
            lead: None,
            stack: Stack::LEAST,
            told: &|_| {},
        };
        let outcomes = run_portfolio(&[slow, quick], vec![contender], &rules);
        assert!(outcomes.iter().all(crate::portfolio::failed));
        let asked = asked.into_inner().expect("nobody panics");
        assert_eq!(asked, [slow, quick, slow]);
    }

    #[test]
    fn what_never_ends_waits_for_the_others() {
        let done = Mutex::new(Vec::new());
        let step = |number: u32, turn: &TimeSlice<'_>| {
            if number > 0 {
                done.lock().expect("nobody panics").push(number);
                return Left::nothing();
            }
            while turn.budget.exhausted(0).is_none() {
                std::thread::sleep(Duration::from_millis(1));
            }
            Left::again(vec![number])
        };
        for threads in [1, 2] {
            let budget = Budget::default().at_most(Duration::from_millis(400));
            let limits = (threads, &budget, Stack::LEAST);
            in_time_slices(vec![0, 1, 0, 2, 3], limits, &|_| false, &step);
            let mut done = std::mem::take(&mut *done.lock().expect("nobody panics"));
            done.sort_unstable();
            assert_eq!(done, [1, 2, 3], "{threads} threads");
        }
    }

    #[test]
    fn parts_of_what_never_ends_have_turns_of_their_own() {
        for others in [vec![], vec![vec![0, 0]]] {
            let done = Mutex::new(Vec::new());
            let step = |piece: Vec<u32>, turn: &TimeSlice<'_>| {
                if let &[number] = piece.as_slice()
                    && number > 0
                {
                    done.lock().expect("nobody panics").push(number);
                    return Left::nothing();
                }
                while turn.budget.exhausted(0).is_none() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                match piece.len() {
                    1 => Left::again(vec![piece]),
                    _ => Left {
                        parts: piece.into_iter().map(|number| vec![number]).collect(),
                        again: Vec::new(),
                    },
                }
            };
            let budget = Budget::default().at_most(Duration::from_millis(400));
            let work = [vec![vec![0, 1, 2]], others].concat();
            let limits = (1, &budget, Stack::LEAST);
            in_time_slices(work, limits, &|piece| piece.len() > 1, &step);
            let done = done.into_inner().expect("nobody panics");
            assert_eq!(done, [1, 2]);
        }
    }
}
