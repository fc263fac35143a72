//! Who is to give memory back when the process has nearly as much as it may.
//!
//! Engines count what they keep, but not all of it, and side by side they may keep more than there
//! is. So the memory of the whole process is looked at too, as the system counts it. When there is
//! little left, the one who keeps most is told to give its own up; the others go on. When there is none
//! left, all are.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How long it may take until memory is back that somebody was told to give up.
const GRACE: Duration = Duration::from_millis(300);
/// So little is left when somebody has to: one part in so many.
const LITTLE: u64 = 16;

/// One who keeps memory.
#[derive(Clone)]
pub(crate) struct Keeper {
    pub(crate) over: Arc<AtomicBool>,
    pub(crate) used: Arc<AtomicU64>,
}

/// Looks after the memory of the process.
pub(crate) struct Pressure {
    /// Bytes that the process has, kept current by somebody else.
    resident: Arc<AtomicU64>,
    limit: u64,
    told: Option<Instant>,
}

impl Pressure {
    pub(crate) fn new(resident: Arc<AtomicU64>, limit: u64) -> Self {
        Pressure {
            resident,
            limit,
            told: None,
        }
    }

    /// Tells who has to give memory up, of those that are at work.
    pub(crate) fn look(&mut self, at_work: &[&Keeper]) {
        let resident = self.resident.load(Ordering::Relaxed);
        if resident <= self.limit - self.limit / LITTLE {
            return;
        }
        if resident > self.limit {
            for keeper in at_work {
                keeper.over.store(true, Ordering::Relaxed);
            }
            return;
        }
        if self.told.is_some_and(|at| at.elapsed() < GRACE) {
            return;
        }
        let used = |keeper: &&&Keeper| keeper.used.load(Ordering::Relaxed);
        let untold = |keeper: &&&Keeper| !keeper.over.load(Ordering::Relaxed);
        if let Some(most) = at_work.iter().filter(untold).max_by_key(used) {
            most.over.store(true, Ordering::Relaxed);
            self.told = Some(Instant::now());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keeper(used: u64) -> Keeper {
        Keeper {
            over: Arc::default(),
            used: Arc::new(AtomicU64::new(used)),
        }
    }

    #[test]
    fn who_keeps_most_gives_up_first_and_all_do_in_the_end() {
        let resident = Arc::new(AtomicU64::new(900));
        let mut pressure = Pressure::new(Arc::clone(&resident), 1000);
        let (little, much) = (keeper(100), keeper(700));
        let over = |keeper: &Keeper| keeper.over.load(Ordering::Relaxed);
        pressure.look(&[&little, &much]);
        assert!(!over(&little) && !over(&much), "there is room");
        resident.store(980, Ordering::Relaxed);
        pressure.look(&[&little, &much]);
        assert!(!over(&little) && over(&much));
        pressure.look(&[&little, &much]);
        assert!(!over(&little), "it takes a while until memory is back");
        resident.store(1001, Ordering::Relaxed);
        pressure.look(&[&little, &much]);
        assert!(over(&little));
    }
}
