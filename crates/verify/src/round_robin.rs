//! Engines that take turns on one processor core.
//!
//! Where only one core is to be used, engines side by side would each slow the others down. One leads:
//! the one that is likely to be best, or the first that is at work. It has the core most of the time, so
//! that what it can answer takes little longer than if it were alone; the others have a share that adds
//! up, and a larger one when the leader has had its time. Turns grow, so that caches stay warm.

use std::sync::Arc;
use std::time::{Duration, Instant};

use model::Gate;

use crate::engine::Engine;

/// The first turn of the first engine.
const FIRST: Duration = Duration::from_millis(500);
/// No turn is longer.
const LONGEST: Duration = Duration::from_secs(10);
/// When the leader has had this much time, the others have as much all together.
const PATIENCE: Duration = Duration::from_secs(60);

/// Who leads, and what the others have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lead {
    pub(crate) engine: Engine,
    /// Their turns all together are one in so many parts of the leader's.
    pub(crate) part: u32,
}

/// Whose turn it is.
pub(crate) struct RoundRobin {
    lead: Lead,
    turn: Duration,
    now: usize,
    until: Instant,
    /// What the leader has had, and which it is.
    had: (usize, Duration),
}

impl RoundRobin {
    pub(crate) fn new(lead: Lead) -> Self {
        RoundRobin {
            lead,
            turn: FIRST,
            now: 0,
            until: Instant::now(),
            had: (0, Duration::ZERO),
        }
    }

    /// Opens the gate of the engine whose turn it is, and shuts those of the others. Engines are
    /// given by their numbers, in order, each with its gate; all of them are at work.
    pub(crate) fn look(&mut self, at_work: &[(usize, Engine, Arc<Gate>)], now: Instant) {
        let leads = at_work
            .iter()
            .find(|(_, engine, _)| *engine == self.lead.engine);
        let Some(&(leader, _, _)) = leads.or(at_work.first()) else {
            return;
        };
        if self.had.0 != leader {
            self.had = (leader, Duration::ZERO);
        }
        let has_gone = at_work.iter().all(|(number, ..)| *number != self.now);
        if now >= self.until || has_gone {
            // The leader, then the others one after the other.
            let mut others = at_work.iter().filter(|(number, ..)| *number != leader);
            let count = u32::try_from(others.clone().count()).unwrap_or(u32::MAX);
            let next = match self.now == leader && !has_gone {
                true => others.next(),
                false => others.find(|(number, ..)| *number > self.now),
            };
            let length = match next {
                Some((number, ..)) => {
                    self.now = *number;
                    let part = if self.had.1 < PATIENCE {
                        self.lead.part
                    } else {
                        1
                    };
                    self.turn / (part * count.max(1))
                }
                None => {
                    self.now = leader;
                    self.had.1 += self.turn;
                    let length = self.turn;
                    self.turn = (self.turn * 3 / 2).min(LONGEST);
                    length
                }
            };
            self.until = now + length;
        }
        for (number, _, gate) in at_work {
            if *number == self.now {
                gate.open();
            } else {
                gate.shut();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEAD: Lead = Lead {
        engine: Engine::Symbolic,
        part: 12,
    };

    #[test]
    fn the_leader_has_most_of_the_time_and_the_others_more_and_more() {
        let engines = [Engine::Explicit, Engine::Symbolic, Engine::Sat];
        let engines: Vec<(usize, Engine, Arc<Gate>)> = (0..)
            .zip(engines)
            .map(|(number, engine)| (number, engine, Arc::default()))
            .collect();
        let mut round_robin = RoundRobin::new(LEAD);
        let mut now = Instant::now();
        let mut spend = |ticks: usize| {
            let mut had = [0u32; 3];
            for _ in 0..ticks {
                round_robin.look(&engines, now);
                had[round_robin.now] += 1;
                now += Duration::from_millis(10);
            }
            had
        };
        let [first, leader, third] = spend(5000);
        assert!(leader > 4400, "{leader}");
        assert!(first > 100 && third > 100, "{first} {third}");
        spend(5000);
        let [first, leader, third] = spend(10_000);
        assert!(first > 2000 && third > 2000, "{first} {leader} {third}");
    }

    #[test]
    fn whoever_is_alone_has_all_the_time() {
        let engines = vec![(1, Engine::Sat, Arc::<Gate>::default())];
        let mut round_robin = RoundRobin::new(LEAD);
        engines[0].2.shut();
        round_robin.look(&engines, Instant::now());
        assert_eq!(round_robin.now, 1);
        let budget = model::Budget {
            gate: Some(Arc::clone(&engines[0].2)),
            ..model::Budget::default()
        };
        assert_eq!(budget.exhausted(0), None, "its gate is open");
    }
}
