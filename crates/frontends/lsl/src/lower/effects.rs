//! Events that come only while calls have asked for them, and what else of the table of functions
//! (see [`facts::role`]) the lowering wants to know of many calls at once.

use super::handles;
use crate::facts::{self, Effect};

/// Whether the call ends the handler: nothing behind it runs.
pub(crate) fn ends_handler(function: &str) -> bool {
    facts::role(function).is_some_and(|role| role.effects().contains(&Effect::Ends))
}

/// Events that calls switch on and off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Switch {
    /// Its name in the table of functions.
    pub(crate) name: &'static str,
    /// The events.
    pub(crate) events: &'static [&'static str],
    /// Whether one event switches it off.
    pub(crate) once: bool,
    /// Whether a change of state switches it off.
    pub(crate) until_state_change: bool,
}

impl Switch {
    /// Whether it is one of targets, of which several may be set.
    pub(crate) fn is_of_targets(&self) -> bool {
        handles::TARGETS.iter().any(|(name, _)| *name == self.name)
    }

    /// Whether a call switches it on or off; `None` if neither.
    pub(crate) fn turned(&self, function: &str) -> Option<bool> {
        facts::role(function)?
            .effects()
            .iter()
            .find_map(|effect| match effect {
                Effect::On(name) if *name == self.name => Some(true),
                Effect::Off(name) if *name == self.name => Some(false),
                _ => None,
            })
    }
}

/// The switches. Events of none of them happen at any time.
pub(crate) const SWITCHES: &[Switch] = &[
    Switch {
        name: "sensor",
        events: &["sensor", "no_sensor"],
        once: true,
        until_state_change: true,
    },
    Switch {
        name: "sensor repeat",
        events: &["sensor", "no_sensor"],
        once: false,
        until_state_change: true,
    },
    Switch {
        name: "object_rez",
        events: &["object_rez"],
        once: true,
        until_state_change: false,
    },
    Switch {
        name: "target",
        events: &["at_target", "not_at_target"],
        once: false,
        until_state_change: false,
    },
    Switch {
        name: "rotation target",
        events: &["at_rot_target", "not_at_rot_target"],
        once: false,
        until_state_change: false,
    },
    Switch {
        name: "control",
        events: &["control"],
        once: false,
        until_state_change: false,
    },
    Switch {
        name: "http_request",
        events: &["http_request"],
        once: false,
        until_state_change: false,
    },
    Switch {
        name: "experience",
        events: &["experience_permissions", "experience_permissions_denied"],
        once: true,
        until_state_change: false,
    },
    Switch {
        name: "path",
        events: &["path_update"],
        once: false,
        until_state_change: false,
    },
    // The XML-RPC service is gone: nothing turns it on.
    Switch {
        name: "remote_data",
        events: &["remote_data"],
        once: false,
        until_state_change: false,
    },
];

/// Calls that are told in every story.
pub(crate) fn is_told(function: &str) -> bool {
    matches!(
        function,
        "llDie"
            | "llGiveInventory"
            | "llGiveInventoryList"
            | "llGiveMoney"
            | "llInstantMessage"
            | "llOwnerSay"
            | "llRegionSay"
            | "llRegionSayTo"
            | "llRemoteLoadScriptPin"
            | "llRequestPermissions"
            | "llResetOtherScript"
            | "llResetScript"
            | "llSay"
            | "llSetScriptState"
            | "llSetTimerEvent"
            | "llShout"
            | "llTransferLindenDollars"
            | "llWhisper"
            | "llDialog"
            | "llHTTPRequest"
            | "llMessageLinked"
    )
}

/// Calls that read the object's inventory.
pub(crate) const INVENTORY_READERS: &[&str] = &[
    "llGetInventoryAcquireTime",
    "llGetInventoryCreator",
    "llGetInventoryDesc",
    "llGetInventoryKey",
    "llGetInventoryName",
    "llGetInventoryNumber",
    "llGetInventoryPermMask",
    "llGetInventoryType",
];

/// Calls that take the name of an inventory item, and which argument it is.
pub(crate) const ITEM_ARGUMENTS: &[(&str, usize)] = &[
    ("llGetInventoryAcquireTime", 0),
    ("llGetInventoryCreator", 0),
    ("llGetInventoryDesc", 0),
    ("llGetInventoryKey", 0),
    ("llGetInventoryPermMask", 0),
    ("llGetInventoryType", 0),
    ("llGiveInventory", 1),
    ("llRemoveInventory", 0),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_turns_switches_that_there_are() {
        for role in facts::roles() {
            for effect in role.effects() {
                if let Effect::On(name) | Effect::Off(name) = effect {
                    assert!(SWITCHES.iter().any(|s| s.name == *name), "{}", role.name);
                }
            }
        }
        for switch in SWITCHES {
            assert!(
                switch
                    .events
                    .iter()
                    .all(|event| facts::event(event).is_some())
            );
        }
    }
}
