//! Limits that work keeps to without being handed them: the time, the memory, the wish to stop.
//!
//! Readers, lowerings and rewritings are many functions deep, and none of them has an answer to give
//! when a limit is reached in the midst of it. So whoever starts such work says [`within`] which limits;
//! wherever it may go on for long it calls [`check`], which unwinds to there when one is reached.
//! Nothing but the work's own values may be changed meanwhile, and nobody may wait for it: where threads
//! work together, none of them checks. Work that has something to say when it stops early asks for itself
//! and returns.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A limit that was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// The time is over.
    Time,
    /// More memory is in use than may be.
    Memory,
    /// Somebody asked to stop.
    Interrupted,
}

/// The limits of some work.
#[derive(Clone, Default, Debug)]
pub struct Limits {
    /// It stops at this moment.
    pub deadline: Option<Instant>,
    /// Set from outside when more memory is in use than may be.
    pub over: Arc<AtomicBool>,
    /// Set from outside to stop.
    pub stop: Arc<AtomicBool>,
}

impl Limits {
    /// The limit that has been reached, if one has.
    #[must_use]
    pub fn reached(&self) -> Option<Limit> {
        if self.stop.load(Ordering::Relaxed) {
            Some(Limit::Interrupted)
        } else if self.over.load(Ordering::Relaxed) {
            Some(Limit::Memory)
        } else if self.deadline.is_some_and(|at| Instant::now() >= at) {
            Some(Limit::Time)
        } else {
            None
        }
    }
}

/// Decides when to look at the clock in work of many steps, each of which may take nanoseconds or a second.
#[derive(Clone, Debug)]
pub struct Pulse {
    /// Steps until the next look.
    left: u32,
    /// Steps between two looks.
    every: u32,
    most: u32,
    last: Option<Instant>,
}

impl Pulse {
    /// The time between two looks that is aimed at.
    const LONG: Duration = Duration::from_millis(10);

    /// The steps before the first look.
    const FIRST: u32 = 64;

    /// At most this many steps pass between two looks.
    #[must_use]
    pub const fn new(most: u32) -> Pulse {
        let first = if most < Self::FIRST {
            most
        } else {
            Self::FIRST
        };
        Pulse {
            left: first,
            every: first,
            most,
            last: None,
        }
    }

    /// One step: whether it is time to look.
    #[inline]
    pub fn beat(&mut self) -> bool {
        self.left -= 1;
        self.left == 0 && self.look()
    }

    #[cold]
    fn look(&mut self) -> bool {
        let now = Instant::now();
        let took = self
            .last
            .replace(now)
            .map_or(Duration::ZERO, |last| now - last);
        // How many times longer than intended it took.
        let times = u32::try_from(took.as_nanos() / Self::LONG.as_nanos()).unwrap_or(u32::MAX);
        self.every = match times {
            0 if took < Self::LONG / 4 => self.every.saturating_mul(2).min(self.most),
            0 => self.every,
            _ => (self.every / times.saturating_add(1)).max(1),
        };
        self.left = self.every;
        true
    }
}

/// How many calls of [`check`] pass between two looks at the clock, at most.
const EVERY: u32 = 256;

thread_local! {
    /// The limits of the work of this thread, the innermost last.
    static HERE: RefCell<Vec<Limits>> = const { RefCell::new(Vec::new()) };
    /// Calls of [`check`] until the next look; while nothing is limited, there is none.
    static LEFT: Cell<u32> = const { Cell::new(u32::MAX) };
    /// How far apart the looks are.
    static PULSE: RefCell<Pulse> = const { RefCell::new(Pulse::new(EVERY)) };
}

/// What unwinds: which limit of whose work.
struct Reached {
    depth: usize,
    limit: Limit,
}

/// Takes the limits off again, however the work ends.
struct Depth(usize);

impl Drop for Depth {
    fn drop(&mut self) {
        HERE.with_borrow_mut(|here| here.truncate(self.0));
        LEFT.set(if self.0 == 0 { u32::MAX } else { EVERY });
    }
}

/// Does some work on this thread that [checks](check) now and then.
///
/// # Errors
/// If one of its limits was reached; what it had made is gone then.
pub fn within<T>(limits: Limits, work: impl FnOnce() -> T) -> Result<T, Limit> {
    if let Some(limit) = limits.reached() {
        return Err(limit);
    }
    let depth = HERE.with_borrow_mut(|here| {
        here.push(limits);
        here.len()
    });
    LEFT.set(EVERY);
    let taken_off = Depth(depth - 1);
    let done = catch_unwind(AssertUnwindSafe(work));
    drop(taken_off);
    done.map_err(|payload| match payload.downcast::<Reached>() {
        Ok(reached) if reached.depth == depth => reached.limit,
        Ok(outer) => resume_unwind(outer),
        Err(panic) => resume_unwind(panic),
    })
}

/// Does not return if a limit of the work of this thread has been reached: it unwinds to where the
/// work was begun [`within`] it. Cheap enough for inner loops.
#[inline]
pub fn check() {
    let left = LEFT.get() - 1;
    LEFT.set(left);
    if left == 0 {
        look();
    }
}

#[cold]
fn look() {
    let reached = HERE.with_borrow(|here| {
        let limits = here.iter().enumerate();
        let mut reached = limits.filter_map(|(at, limits)| Some((at + 1, limits.reached()?)));
        reached.next()
    });
    let is_limited = HERE.with_borrow(|here| !here.is_empty());
    let next = PULSE.with_borrow_mut(|pulse| {
        pulse.look();
        pulse.every
    });
    LEFT.set(if is_limited { next } else { u32::MAX });
    // What is dropped on the way out may check, too.
    if let Some((depth, limit)) = reached
        && !std::thread::panicking()
    {
        // Nobody has anything to report about it: it is no panic.
        resume_unwind(Box::new(Reached { depth, limit }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn for_ever() -> Limit {
        loop {
            check();
        }
    }

    #[test]
    fn work_stops_at_its_limit_and_goes_on_without() {
        for _ in 0..10_000 {
            check();
        }
        let soon = Limits {
            deadline: Some(Instant::now() + Duration::from_millis(20)),
            ..Limits::default()
        };
        assert_eq!(within(soon.clone(), for_ever), Err(Limit::Time));
        assert_eq!(within(soon, || 1), Err(Limit::Time), "it is not even begun");
        for _ in 0..10_000 {
            check();
        }
        assert_eq!(within(Limits::default(), || 1), Ok(1));
    }

    #[test]
    fn slow_work_is_looked_at_more_often() {
        let looks = |pulse: &mut Pulse, steps: u32, step: Duration| {
            let mut looks = 0;
            for _ in 0..steps {
                std::thread::sleep(step);
                looks += u32::from(pulse.beat());
            }
            looks
        };
        let mut pulse = Pulse::new(1 << 20);
        let quick = looks(&mut pulse, 1 << 16, Duration::ZERO);
        assert!(quick < 1 << 12, "{quick} looks");
        // Now it takes a while until it looks, and then it looks at every step.
        let mut pulse = Pulse {
            left: 3,
            every: 4,
            ..pulse
        };
        looks(&mut pulse, 9, Duration::from_millis(20));
        assert_eq!(looks(&mut pulse, 4, Duration::from_millis(20)), 4);
    }

    #[test]
    fn the_outer_limit_holds_for_what_is_inside() {
        let outer = Limits::default();
        let over = Arc::clone(&outer.over);
        let reached = within(outer, || {
            let inner = within(Limits::default(), || {
                over.store(true, Ordering::Relaxed);
                for_ever()
            });
            unreachable!("{inner:?} is not the inner work's")
        });
        assert_eq!(reached, Err(Limit::Memory));
    }

    #[test]
    fn the_inner_limit_leaves_the_outer_work_alone() {
        let reached = within(Limits::default(), || {
            let inner = Limits::default();
            let stop = Arc::clone(&inner.stop);
            within(inner, || {
                stop.store(true, Ordering::Relaxed);
                for_ever()
            })
        });
        assert_eq!(reached, Ok(Err(Limit::Interrupted)));
    }

    #[test]
    #[should_panic(expected = "a defect")]
    fn a_defect_stays_one() {
        let _ = within(Limits::default(), || panic!("a defect"));
    }
}
