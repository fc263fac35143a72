//! Engines that take turns on one processor core.
//!
//! Where only one core is to be used, engines side by side would each slow the others down. The first
//! that is at work has the core most of the time, so that what it can answer takes little longer than
//! if it were alone; the others have a share that adds up, and a larger one when the first has had its
//! time. Turns grow, so that caches stay warm.

use std::sync::Arc;
use std::time::{Duration, Instant};

use model::Gate;

/// The first turn of the first engine.
const FIRST: Duration = Duration::from_millis(500);
/// No turn is longer.
const LONGEST: Duration = Duration::from_secs(10);
/// The others' turns all together, as a part of the first one's, one in so many:
const LITTLE: u32 = 12;
/// and when it has had this much time:
const PATIENCE: Duration = Duration::from_secs(60);

/// Whose turn it is.
pub(crate) struct Rota {
    turn: Duration,
    now: usize,
    until: Instant,
    /// What the first engine has had, and which it is.
    had: (usize, Duration),
}

impl Rota {
    pub(crate) fn new() -> Self {
        Rota {
            turn: FIRST,
            now: 0,
            until: Instant::now(),
            had: (0, Duration::ZERO),
        }
    }

    /// Opens the gate of the engine whose turn it is, and shuts those of the others. Engines are
    /// given by their numbers, in order, each with its gate; all of them are at work.
    pub(crate) fn look(&mut self, at_work: &[(usize, Arc<Gate>)], now: Instant) {
        let Some(&(first, _)) = at_work.first() else {
            return;
        };
        if self.had.0 != first {
            self.had = (first, Duration::ZERO);
        }
        let has_gone = at_work.iter().all(|(number, _)| *number != self.now);
        if now >= self.until || has_gone {
            let next = at_work.iter().find(|(number, _)| *number > self.now);
            let others = u32::try_from(at_work.len() - 1).unwrap_or(u32::MAX).max(1);
            let length = match next {
                Some((number, _)) if *number != first => {
                    self.now = *number;
                    let part = if self.had.1 < PATIENCE { LITTLE } else { 1 };
                    self.turn / (part * others)
                }
                _ => {
                    self.now = first;
                    self.had.1 += self.turn;
                    let length = self.turn;
                    self.turn = (self.turn * 3 / 2).min(LONGEST);
                    length
                }
            };
            self.until = now + length;
        }
        for (number, gate) in at_work {
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

    #[test]
    fn the_first_has_most_of_the_time_and_the_others_more_and_more() {
        let engines: Vec<(usize, Arc<Gate>)> = (0..3).map(|n| (n, Arc::default())).collect();
        let mut rota = Rota::new();
        let mut now = Instant::now();
        let tick = Duration::from_millis(10);
        let mut had = [0u32; 3];
        let spend = |rota: &mut Rota, now: &mut Instant, ticks: usize| {
            let before = had;
            for _ in 0..ticks {
                rota.look(&engines, *now);
                had[rota.now] += 1;
                *now += tick;
            }
            [0, 1, 2].map(|at| had[at] - before[at])
        };
        let mut spend = spend;
        let [first, second, third] = spend(&mut rota, &mut now, 5000);
        assert!(first > 4400, "{first}");
        assert!(second > 100 && third > 100, "{second} {third}");
        spend(&mut rota, &mut now, 5000);
        let [first, second, third] = spend(&mut rota, &mut now, 10_000);
        assert!(second > 2000 && third > 2000, "{first} {second} {third}");
    }

    #[test]
    fn whoever_is_alone_has_all_the_time() {
        let engines: Vec<(usize, Arc<Gate>)> = vec![(1, Arc::default())];
        let mut rota = Rota::new();
        engines[0].1.shut();
        rota.look(&engines, Instant::now());
        assert_eq!(rota.now, 1);
        let budget = model::Budget {
            gate: Some(Arc::clone(&engines[0].1)),
            ..model::Budget::default()
        };
        assert_eq!(budget.exhausted(0), None, "its gate is open");
    }
}
