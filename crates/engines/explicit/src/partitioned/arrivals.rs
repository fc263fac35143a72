//! What has been told of levels that have not ended here: others may be a level ahead, and what they tell
//! must not be heard too early, or not all would decide on the same.

use crate::partitioned::parcel::Kind;

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

    /// The pieces of runs up to the end of a level, the oldest first.
    pub(crate) fn paths(&mut self, level: u64) -> Vec<Vec<u8>> {
        let due = self.take(level, Kind::Path).into_iter();
        due.map(|arrival| arrival.bytes).collect()
    }
}
