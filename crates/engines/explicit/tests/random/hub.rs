//! Processes that search together, here threads of one process: parcels are handed over in memory.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use explicit::{CheckpointError, Cluster, Event, Team, TeamLost, Vault};

/// Parcels of some team, and who may still send some.
#[derive(Debug, Default)]
struct Desk {
    /// What has been sent to each, with its level.
    queues: Vec<VecDeque<(u64, Vec<u8>)>>,
    /// For each, the levels that have not been released.
    held: Vec<BTreeSet<u64>>,
    /// What each process says that the search is about.
    about: Vec<u64>,
}

/// A desk, and how those are woken who wait at it.
type Shared = Arc<(Mutex<Desk>, Condvar)>;

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Where teams of so many meet, again and again.
#[derive(Debug)]
struct Hub {
    desks: Mutex<Vec<Shared>>,
    size: usize,
}

impl Hub {
    fn new(size: usize) -> Hub {
        Hub {
            desks: Mutex::default(),
            size,
        }
    }

    /// The desk of the team of this number.
    fn desk(&self, number: usize) -> Shared {
        let mut desks = locked(&self.desks);
        while desks.len() <= number {
            let desk = Desk {
                queues: vec![VecDeque::new(); self.size],
                held: vec![BTreeSet::from([0]); self.size],
                about: Vec::new(),
            };
            desks.push(Arc::new((Mutex::new(desk), Condvar::new())));
        }
        Arc::clone(&desks[number])
    }
}

/// One of those who meet.
#[derive(Debug)]
pub(crate) struct Seat<'h> {
    hub: &'h Hub,
    me: usize,
    met: Mutex<usize>,
    lost: Mutex<Option<TeamLost>>,
}

impl<'h> Seat<'h> {
    fn new(hub: &'h Hub, me: usize) -> Seat<'h> {
        Seat {
            hub,
            me,
            met: Mutex::default(),
            lost: Mutex::default(),
        }
    }

    fn lost(&self) -> Option<TeamLost> {
        locked(&self.lost).clone()
    }
}

impl Cluster for Seat<'_> {
    fn gather(&self, fingerprint: u64) -> Result<Box<dyn Team>, TeamLost> {
        let mut met = locked(&self.met);
        let desk = self.hub.desk(*met);
        *met += 1;
        let mut now = locked(&desk.0);
        now.about.push(fingerprint);
        let differs = now.about.iter().any(|it| *it != fingerprint);
        drop(now);
        assert!(!differs, "all search for the same");
        Ok(Box::new(Mate {
            desk,
            me: self.me,
            ended: None,
        }))
    }

    fn fail(&self, lost: &TeamLost) {
        locked(&self.lost).get_or_insert(lost.clone());
    }

    fn note_traffic(&self, _: u64, _: u64) {}

    fn note_values(&self) {
        panic!("none are made");
    }

    fn has_values(&self) -> bool {
        false
    }

    fn vault(&self) -> Option<&dyn Vault> {
        None
    }

    fn refuse(&self, error: CheckpointError) {
        panic!("{error}");
    }
}

/// What each of so many threads finds out that do the same together.
pub(crate) fn together<T: Send>(count: usize, search: &(dyn Fn(&Seat<'_>) -> T + Sync)) -> Vec<T> {
    let hub = Hub::new(count);
    std::thread::scope(|scope| {
        let each = (0..count).map(|me| {
            let hub = &hub;
            scope.spawn(move || {
                let seat = Seat::new(hub, me);
                let found = search(&seat);
                assert_eq!(seat.lost(), None);
                found
            })
        });
        let each: Vec<_> = each.collect();
        let ends = each.into_iter().map(|it| it.join());
        ends.map(|end| end.expect("it came to an end")).collect()
    })
}

/// One of a team.
struct Mate {
    desk: Shared,
    me: usize,
    ended: Option<u64>,
}

impl Team for Mate {
    fn size(&self) -> usize {
        locked(&self.desk.0).queues.len()
    }

    fn me(&self) -> usize {
        self.me
    }

    fn send(&mut self, level: u64, to: usize, parcel: Vec<u8>) {
        let mut desk = locked(&self.desk.0);
        assert!(desk.held[self.me].contains(&level), "it was not released");
        desk.held[to].insert(level + 1);
        desk.queues[to].push_back((level + 1, parcel));
        self.desk.1.notify_all();
    }

    fn release(&mut self, level: u64) {
        let mut desk = locked(&self.desk.0);
        desk.held[self.me].remove(&level);
        self.ended = None;
        self.desk.1.notify_all();
    }

    fn next(&mut self, wait: Duration) -> Result<Event, TeamLost> {
        let mut desk = locked(&self.desk.0);
        loop {
            if let Some((level, parcel)) = desk.queues[self.me].pop_front() {
                return Ok(Event::Parcel(level, parcel));
            }
            if self.ended.is_none() {
                let Some(&first) = desk.held[self.me].first() else {
                    if desk.held.iter().all(BTreeSet::is_empty) {
                        return Ok(Event::Over);
                    }
                    desk = self.wait(desk, wait);
                    if wait.is_zero() {
                        return Ok(Event::Nothing);
                    }
                    continue;
                };
                let is_past = |held: &BTreeSet<u64>| held.first().is_none_or(|it| *it >= first);
                if desk.held.iter().all(is_past) {
                    self.ended = Some(first);
                    return Ok(Event::Ended(first));
                }
            }
            if wait.is_zero() {
                return Ok(Event::Nothing);
            }
            desk = self.wait(desk, wait);
        }
    }

    fn part(self: Box<Self>) -> Result<(), TeamLost> {
        Ok(())
    }
}

impl Mate {
    fn wait<'d>(&self, desk: MutexGuard<'d, Desk>, wait: Duration) -> MutexGuard<'d, Desk> {
        if wait.is_zero() {
            return desk;
        }
        let woken = self.desk.1.wait_timeout(desk, wait);
        woken.unwrap_or_else(PoisonError::into_inner).0
    }
}
