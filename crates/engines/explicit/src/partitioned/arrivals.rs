//! What has been told of levels that have not ended here: others may be a level ahead, and what they tell
//! must not be heard too early, or not all would decide on the same.

use std::time::{Duration, Instant};

use crate::partitioned::parcel::Kind;

/// How long others may take longer before they are named.
const PATIENCE: Duration = Duration::from_secs(2);

/// Since when this process waits for the end of a level.
pub(crate) struct Late {
    level: u64,
    since: Instant,
}

impl Late {
    /// It waits for the end of this level from now on.
    pub(crate) fn new(level: u64) -> Late {
        Late {
            level,
            since: Instant::now(),
        }
    }

    /// The processes, of so many, that have not told anything for a while of what comes before the end:
    /// all others, if each has told and yet it has not come to an end.
    pub(crate) fn who(&self, arrivals: &Arrivals, (this, processes): (usize, usize)) -> Vec<usize> {
        if self.since.elapsed() < PATIENCE {
            return Vec::new();
        }
        let missing = arrivals.missing(self.level, processes);
        if missing.is_empty() {
            return (0..processes).filter(|other| *other != this).collect();
        }
        missing
    }
}

/// What has arrived.
#[derive(Default)]
pub(crate) struct Arrivals(Vec<Arrival>);

struct Arrival {
    level: u64,
    kind: Kind,
    sender: u16,
    bytes: Vec<u8>,
}

impl Arrivals {
    pub(crate) fn add(&mut self, level: u64, kind: Kind, sender: u16, bytes: &[u8]) {
        self.0.push(Arrival {
            level,
            kind,
            sender,
            bytes: bytes.to_vec(),
        });
    }

    fn take(&mut self, level: u64, kind: Kind) -> Vec<Arrival> {
        let is_due = |arrival: &mut Arrival| arrival.level <= level && arrival.kind == kind;
        let mut due: Vec<Arrival> = self.0.extract_if(.., is_due).collect();
        due.sort_by_key(|arrival| (arrival.level, arrival.sender));
        due
    }

    /// The summaries up to the end of a level, the oldest first.
    pub(crate) fn summaries(&mut self, level: u64) -> Vec<(u16, Vec<u8>)> {
        let due = self.take(level, Kind::Summary).into_iter();
        due.map(|arrival| (arrival.sender, arrival.bytes)).collect()
    }

    /// Who, of so many, has sent no summary that belongs to a level.
    pub(crate) fn missing(&self, level: u64, processes: usize) -> Vec<usize> {
        let has_told = |process: &usize| {
            let mut all = self.0.iter();
            all.any(|it| {
                it.kind == Kind::Summary && it.level == level && usize::from(it.sender) == *process
            })
        };
        (0..processes).filter(|it| !has_told(it)).collect()
    }

    /// The pieces of runs up to the end of a level, the oldest first.
    pub(crate) fn paths(&mut self, level: u64) -> Vec<Vec<u8>> {
        let due = self.take(level, Kind::Path).into_iter();
        due.map(|arrival| arrival.bytes).collect()
    }
}
