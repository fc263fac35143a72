//! The world around a script, as an ordinary process of the program.
//!
//! The world pays, touches, speaks, lets time pass, grants or refuses permissions, changes the
//! owner, fills and empties the inventory, answers requests. What it knows (who owns the object,
//! what has been granted, whether a timer is set) are global variables of kind `World`; the
//! script's calls read and write them. An event is a step of the world that chooses the event's
//! parameters and meets the script at a rendezvous.

mod arrival;
mod changes;
mod declare;
mod events;
mod finish;
mod identities;
mod items;
mod listens;
mod payments;
pub(crate) mod permissions;
mod requests;
pub(crate) mod sample;
mod stories;

use std::collections::BTreeMap;

use model::{ChannelId, EnumId, ExprId, GlobalId, ProcessId, StepId};

pub(crate) use declare::{declare, declare_in, handled_events, owner_matters};
pub(crate) use events::steps;
pub(crate) use finish::{add_faults, begin_world, close, layout, name_of, tell_assumptions};
pub(crate) use identities::BOUND_NAMES;
pub(crate) use payments::is_rezzed_in_no_time;
pub(crate) use requests::Answer;

use crate::ast;
use crate::lower::InventoryUse;
use crate::lower::handles::Handles;
use crate::watch::{Item, WorldEvents};

/// The environment's process, and its instance's number.
pub(crate) const WORLD: ProcessId = ProcessId(0);
/// The script's process, and its instance's number.
pub(crate) const SCRIPT: ProcessId = ProcessId(1);

/// What the world keeps and does.
#[derive(Debug)]
pub(crate) struct World {
    /// The LSL states.
    pub(crate) states: EnumId,
    /// The current one.
    pub(crate) state: GlobalId,
    /// Where the handler at hand goes instead of to its end; 0 while it goes on.
    pub(crate) next: GlobalId,
    /// Whether a function has asked to go there, and its callers are to return.
    pub(crate) leaving: GlobalId,
    /// The owner's key.
    pub(crate) owner: GlobalId,
    /// The owner at first, and the one after a sale.
    pub(crate) owners: [ExprId; 2],
    /// The permissions granted.
    pub(crate) granted: GlobalId,
    /// Whether a request for permissions is open.
    pub(crate) asking: GlobalId,
    /// The permissions that may be granted then.
    pub(crate) asked: GlobalId,
    /// Whom the script has asked, and who has granted; if anybody asks for that.
    pub(crate) agent: Option<GlobalId>,
    /// See there.
    pub(crate) granter: Option<GlobalId>,
    /// Whether answers to earlier requests may come.
    pub(crate) earlier: GlobalId,
    /// Whether the request has been answered, and the script has not heard of it yet; if anybody
    /// asks what is granted.
    pub(crate) settled: Option<GlobalId>,
    /// What one of these asked for.
    pub(crate) earlier_mask: GlobalId,
    /// Whether a timer is set.
    pub(crate) armed: GlobalId,
    /// The time of the last reading of `llGetUnixTime`, if the script calls that.
    pub(crate) clock: Option<GlobalId>,
    /// The time of the last reading of `llGetTime`.
    pub(crate) script_clock: Option<GlobalId>,
    /// The start parameter, and whether it has been read since the object was rezzed; if the script
    /// reads it.
    pub(crate) start: Option<(GlobalId, GlobalId)>,
    /// Events since the timer was set or fired, and how many there may be.
    pub(crate) since_timer: Option<(GlobalId, i64)>,
    /// Whether somebody may have a pay dialog open, if there is any `money` handler.
    pub(crate) dialog: Option<GlobalId>,
    /// Whether `on_rez` is being handled in this macro step, without a pause; if there is any `money`
    /// handler. Nobody has paid by then.
    pub(crate) rezzing: Option<GlobalId>,
    /// Whether a run-time error has stopped the script.
    pub(crate) stopped: GlobalId,
    /// Whether the object is gone.
    pub(crate) dead: GlobalId,
    /// Whether the events of a [`Switch`](crate::lower) are on, by its position.
    pub(crate) switches: Vec<Option<GlobalId>>,
    /// For switches that one event turns off, whether there have been more calls than events.
    pub(crate) again: Vec<Option<GlobalId>>,
    /// Requests that the world answers, by the event that brings the answer.
    pub(crate) requests: BTreeMap<&'static str, requests::Requests>,
    /// What the script does with handles of listens.
    pub(crate) listen_handles: Handles,
    /// Targets, by the name of their switch.
    pub(crate) targets: BTreeMap<&'static str, Target>,
    /// Listens, by the call.
    pub(crate) listens: BTreeMap<ast::ExprId, Listen>,
    /// Inventory items that the script or a property can name.
    pub(crate) items: Vec<Item>,
    /// Where it can still make a difference which of them are there.
    pub(crate) inventory: InventoryUse,
    /// Which items a call of `llGetInventoryName` with constant arguments may be about.
    pub(crate) numbered_items: items::Numbered,
    /// The values of the event at hand, by event, in order.
    pub(crate) arguments: BTreeMap<&'static str, Vec<GlobalId>>,
    /// Whether an event is being handled in this macro step, for those that properties watch.
    pub(crate) during: BTreeMap<&'static str, GlobalId>,
    /// Who was detected by the event at hand, if the script asks.
    pub(crate) detected: Option<GlobalId>,
    /// Whose that is, if the script asks.
    pub(crate) owner_of_detected: Option<GlobalId>,
    /// How many were, if the script asks for others than the first.
    pub(crate) number_detected: Option<GlobalId>,
    /// Whose name was asked for last in this macro step, and whether they are in the region; if the
    /// script asks for names.
    pub(crate) presence: Option<(GlobalId, GlobalId)>,
    /// Where an event meets the script.
    pub(crate) channels: BTreeMap<&'static str, ChannelId>,
    /// The queue, if events are delivered eagerly.
    pub(crate) queue: Option<arrival::Queue>,
    /// The keys of those who act, strangers first.
    pub(crate) identities: Vec<ExprId>,
    /// The keys of those who may pay.
    pub(crate) payers: Vec<ExprId>,
    /// The creator's key.
    pub(crate) creator: ExprId,
    /// The object's own key.
    pub(crate) this_object: ExprId,
    /// A payment that is being lost, and how many have been.
    pub(crate) losing: payments::Losing,
    /// Micro events.
    pub(crate) events: WorldEvents,
    /// The steps of the world, by what they do.
    pub(crate) steps: BTreeMap<String, Vec<(ProcessId, StepId)>>,
}

/// A listen, by the call that opens it.
#[derive(Clone, Debug)]
pub(crate) struct Listen {
    /// The handle that the call has returned, if anybody looks at handles; 0 while it is not open.
    pub(crate) handle: Option<GlobalId>,
    /// Whether it is open.
    pub(crate) open: GlobalId,
    /// Whether it is open and `llListenControl` has switched it off.
    pub(crate) muted: Option<GlobalId>,
    /// On which channel.
    pub(crate) channel: GlobalId,
    /// Whom it hears; empty or `NULL_KEY` for everybody.
    pub(crate) id: GlobalId,
    /// By what name it hears, if the call says; empty for any.
    pub(crate) name: Option<GlobalId>,
    /// What it hears; empty for everything.
    pub(crate) message: GlobalId,
    /// Whether the call may have opened others that are still open, with other arguments: then
    /// anything may be heard. `None` if its arguments are constants.
    pub(crate) others: Option<GlobalId>,
}

/// The targets of a kind: the last that was set, and whether there may be others. Whether it is set
/// its switch says.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    /// What the script does with their handles.
    pub(crate) handles: Handles,
    /// The handle of the last.
    pub(crate) handle: Option<GlobalId>,
}
