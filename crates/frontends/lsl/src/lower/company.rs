//! What lowering keeps where there are several scripts: how they reach each other, and whose code stands
//! in place of a call.

use std::collections::BTreeMap;

use model::{ChannelId, EventId, ExprId, GlobalId, LocId, Place};

use crate::types::Type;

/// The label of steps by which a stopped script loses a message.
pub(super) const LOST: &str = "a message is lost";

/// A script of the linkset, as messages reach it.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    /// The number of its prim.
    pub(super) prim: usize,
    /// Its current state, and those in which it handles messages.
    pub(super) state: GlobalId,
    pub(super) handling: Vec<ExprId>,
    pub(super) stopped: GlobalId,
    /// What is kept of it if others may halt it.
    pub(super) halts: Halts,
    /// Where its messages wait; `None` if it never handles any.
    pub(super) inbox: Option<ChannelId>,
    /// The key of its prim.
    pub(super) key: ExprId,
    /// What it hears of what others say; `None` if it hears none of it.
    pub(super) ears: Option<Ears>,
}

/// What is kept of a script that others may halt: each flag only if that may happen.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Halts {
    /// It is to begin anew.
    pub(super) reset: Option<GlobalId>,
    /// It is stopped.
    pub(super) off: Option<GlobalId>,
    /// It is taken away.
    pub(super) gone: Option<GlobalId>,
    /// It has halted itself, and goes on for a while.
    pub(super) goes_on: Option<GlobalId>,
    /// Its start parameter when it begins anew.
    pub(super) given: Option<GlobalId>,
    /// It has been loaded, and is about to run `state_entry`.
    pub(crate) loaded: Option<GlobalId>,
}

/// A script that may be in the middle of a handler where claims about states are read.
#[derive(Clone, Debug)]
pub(crate) struct Busy {
    /// Whether it is.
    pub(super) flag: GlobalId,
    /// Whether it has been halted there.
    pub(super) halts: Halts,
    /// Its variables.
    pub(super) variables: Vec<GlobalId>,
}

/// How a script hears what others of the linkset say.
#[derive(Clone, Debug)]
pub(crate) struct Ears {
    /// The states in which it handles what it hears.
    pub(super) handling: Vec<ExprId>,
    /// What it listens to.
    pub(super) listens: Vec<Filter>,
    /// Under which names an object may speak whose name is not known.
    pub(super) names: Vec<ExprId>,
}

/// What a listen lets through: places that keep whether it is open and switched off, its channel, key,
/// name and text, and whether others of the same call may be open.
#[derive(Clone, Debug)]
pub(crate) struct Filter {
    pub(super) open: GlobalId,
    pub(super) muted: Option<GlobalId>,
    pub(super) channel: GlobalId,
    pub(super) id: GlobalId,
    pub(super) name: Option<GlobalId>,
    pub(super) message: GlobalId,
    pub(super) others: Option<GlobalId>,
}

/// What the scripts of a linkset have in common.
#[derive(Clone, Debug, Default)]
pub(crate) struct Company {
    /// All scripts.
    pub(crate) peers: Vec<Peer>,
    /// Events that calls of this script are for properties of others, by the call's key.
    pub(crate) calls: BTreeMap<String, Vec<EventId>>,
    /// Events that a payment, and one that is discarded, are for those who take none.
    pub(crate) paid: Vec<EventId>,
    pub(crate) discarded: Vec<EventId>,
    /// Events that a new owner is for properties of the whole.
    pub(crate) owner_changes: Vec<EventId>,
    /// Where messages for the script at hand wait.
    pub(crate) inbox: Option<ChannelId>,
    /// Whether what others say waits there, too.
    pub(crate) hears: bool,
    /// Whether something goes with each message beside what scripts send, and where it is kept that came with
    /// the last.
    pub(crate) receipts: Option<Option<GlobalId>>,
    /// Whether the script at hand is in the middle of a handler that has been cut.
    pub(crate) busy: Option<GlobalId>,
    /// The same of all scripts for which properties are read.
    pub(crate) all_busy: Vec<Busy>,
    /// What is kept of the script at hand if others may halt it.
    pub(crate) halts: Halts,
}

/// A function whose code stands in place of its call.
#[derive(Debug)]
pub(crate) struct Inlined {
    /// Where its result goes.
    pub(super) result: Option<(Place, Type)>,
    /// Where its caller goes on.
    pub(super) done: LocId,
    /// The variables of its caller.
    pub(crate) locals: Vec<Option<Place>>,
    pub(super) local_types: Vec<Type>,
    pub(super) labels: Vec<Option<LocId>>,
    pub(super) unit_number: Option<usize>,
}
