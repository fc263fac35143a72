//! What is said of stored states: their numbers, what became of one, and that there is no memory.

/// The number of a stored state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct StateId(pub(crate) u32);

/// What became of a state: its number, and whether it is new. The numbers of known states are
/// known too, unless only bits are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Inserted {
    pub(crate) id: StateId,
    pub(crate) new: bool,
}

/// There is no memory for more states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Full;
