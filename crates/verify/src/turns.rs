//! Several questions to an engine that may take for ever over any of them: each in its turn.
//!
//! A question that is not answered within its turn waits until the others had theirs, and gets
//! more time then. The last one that is open has all the time there is. What is asked again begins
//! anew: as turns grow, that costs a constant factor at most.

use std::time::{Duration, Instant};

use model::{Budget, PropertyId, UnknownReason, Verdict};

use crate::outcome::Outcome;
use crate::race::Board;

/// The first turn.
const FIRST: Duration = Duration::from_secs(2);

/// How much longer the next turns are.
const GROWTH: u32 = 3;

/// Asks about each property until it is answered, on the board or by `ask`, or there is no hope of
/// an answer.
pub(crate) fn ask_in_turns(
    properties: &[PropertyId],
    budget: &Budget,
    board: &Board,
    ask: &dyn Fn(PropertyId, &Budget) -> Outcome,
) {
    let mut open = properties.to_vec();
    let mut turn = FIRST;
    while !open.is_empty() {
        let mut later = Vec::new();
        let count = open.len();
        for (number, property) in open.into_iter().enumerate() {
            if board.is_settled(property) {
                continue;
            }
            let is_last = number + 1 == count && later.is_empty();
            let mine = if is_last {
                budget.clone()
            } else {
                within(budget, turn, count - number)
            };
            let outcome = ask(property, &mine);
            let timed_out = matches!(
                outcome.verdict,
                Verdict::Unknown {
                    reason: UnknownReason::Time,
                    ..
                }
            );
            if timed_out && !is_last && budget.exhausted(0).is_none() {
                later.push(property);
            }
            board.put(outcome);
        }
        open = later;
        turn *= GROWTH;
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

    use model::Trace;

    use super::*;
    use crate::engine::Engine;
    use crate::race::{Contender, race};

    #[test]
    fn what_takes_long_does_not_keep_others_from_their_answers() {
        let [slow, quick] = [PropertyId::new(0), PropertyId::new(1)];
        let asked = std::sync::Mutex::new(Vec::new());
        let contender = Contender {
            after: Duration::ZERO,
            share: 100,
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
                            trace: Box::new(Trace {
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
        let outcomes = race(&[slow, quick], vec![contender], false, &Budget::default());
        assert!(outcomes.iter().all(crate::race::failed));
        let asked = asked.into_inner().expect("nobody panics");
        assert_eq!(asked, [slow, quick, slow]);
    }
}
