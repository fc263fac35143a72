//! Who takes part, over which channels, and what of it is observed.

use crate::store::packing::Field;

/// An instance that there may be.
pub(super) struct Actor {
    /// Its number, which is its position in the state.
    pub(super) number: usize,
    pub(super) process: model::ProcessId,
    /// The code of its first location.
    pub(super) base: usize,
    /// For each local its value, if it never changes.
    pub(super) known: Vec<Option<Vec<i64>>>,
}

/// What is known of the channel with a reference.
pub(super) struct ChannelFacts {
    /// Whether messages may be handed over directly.
    pub(super) rendezvous: bool,
    /// Whether there always is one channel.
    pub(super) always: bool,
    /// The numbers of the instances with which it may go away.
    pub(super) owners: Vec<usize>,
    /// Holds the number of messages, and the most; for one that is always there and keeps some.
    pub(super) len: Option<(Field, i64)>,
}

/// The channels, by reference less one.
pub(super) struct Channels {
    pub(super) places: Vec<ChannelFacts>,
}
