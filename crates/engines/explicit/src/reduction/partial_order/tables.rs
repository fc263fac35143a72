//! The tables by which stubborn sets are chosen.

use crate::store::packing::Field;

/// What an instance can do where it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// Somebody is there.
    pub(super) present: bool,
    /// It may have moves that do not wait for all others.
    pub(super) moves: bool,
    /// It must not move in a reduced set.
    pub(super) held: bool,
    /// It may have a move just because nobody else has: no set with it is any good.
    pub(super) asks: bool,
    /// Others may begin moves that it takes part in.
    pub(super) joins: bool,
    /// It has ended, and goes away once nobody younger is there.
    pub(super) departs: bool,
    /// Guarded moves that wait for all others.
    pub(super) waiting: u64,
    /// The mask of what it may still do.
    pub(super) later: u32,
    /// The mask of what conflicts with what it can do now, the [attempts](Attempt) left aside.
    pub(super) against: u32,
    /// Whether the attempts are all there is.
    pub(super) only_attempts: bool,
    pub(super) attempts: (u32, u32),
}

/// A communication over a channel that keeps messages: it is blocked at one length.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attempt {
    pub(super) len: Field,
    pub(super) blocked_at: i64,
    /// What conflicts with the step.
    pub(super) against: u32,
    /// What could end the blocking.
    pub(super) mended_by: u32,
}

/// The tables by which stubborn sets are chosen.
#[derive(Debug)]
pub(crate) struct Reduction {
    pub(super) must_lead_on: bool,
    /// Words of a mask.
    pub(super) words: usize,
    /// For each position the entry of code 0.
    pub(super) first: Vec<usize>,
    pub(super) entries: Vec<Entry>,
    pub(super) attempts: Vec<Attempt>,
    pub(super) masks: Vec<u64>,
}

impl Reduction {
    /// Whether a reduced expansion counts only if it [leads on](crate::reduction::level_proviso).
    pub(crate) fn must_lead_on(&self) -> bool {
        self.must_lead_on
    }

    pub(super) fn mask(&self, at: u32) -> &[u64] {
        &self.masks[at as usize..at as usize + self.words]
    }
}
