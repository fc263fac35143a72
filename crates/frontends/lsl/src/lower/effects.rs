//! What library functions do that are not pure: a table.
//!
//! The facts are those of the public LSL wiki. What stands here is what a property could see;
//! the rest of the library (looks, sounds, movement) is a call without effect on the script.

/// Whether the call ends the handler: nothing behind it runs.
pub(crate) fn ends_handler(function: &str) -> bool {
    matches!(function, "llResetScript" | "llDie")
}

/// How a call switches a kind of event on or off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Switch {
    /// The calls that switch it on.
    pub(crate) on: &'static [&'static str],
    /// The calls that switch it off.
    pub(crate) off: &'static [&'static str],
    /// The events.
    pub(crate) events: &'static [&'static str],
    /// Whether one event switches it off.
    pub(crate) once: bool,
    /// Whether a change of state switches it off.
    pub(crate) until_state_change: bool,
}

/// Events that happen only while a call has asked for them. Events that are in none of the
/// tables happen at any time.
pub(crate) const SWITCHES: &[Switch] = &[
    Switch {
        on: &["llSensor"],
        off: &[],
        events: &["sensor", "no_sensor"],
        once: true,
        until_state_change: true,
    },
    Switch {
        on: &["llSensorRepeat"],
        off: &["llSensorRemove"],
        events: &["sensor", "no_sensor"],
        once: false,
        until_state_change: true,
    },
    Switch {
        on: &["llRezObject", "llRezAtRoot", "llRezObjectWithParams"],
        off: &[],
        events: &["object_rez"],
        once: true,
        until_state_change: false,
    },
    Switch {
        on: &["llTarget"],
        off: &["llTargetRemove"],
        events: &["at_target", "not_at_target"],
        once: false,
        until_state_change: false,
    },
    Switch {
        on: &["llRotTarget"],
        off: &["llRotTargetRemove"],
        events: &["at_rot_target", "not_at_rot_target"],
        once: false,
        until_state_change: false,
    },
    Switch {
        on: &["llTakeControls"],
        off: &["llReleaseControls"],
        events: &["control"],
        once: false,
        until_state_change: false,
    },
    Switch {
        on: &["llRequestURL", "llRequestSecureURL"],
        off: &["llReleaseURL"],
        events: &["http_request"],
        once: false,
        until_state_change: false,
    },
    Switch {
        on: &["llRequestExperiencePermissions"],
        off: &[],
        events: &["experience_permissions", "experience_permissions_denied"],
        once: true,
        until_state_change: false,
    },
    Switch {
        on: &[
            "llCreateCharacter",
            "llNavigateTo",
            "llPursue",
            "llWanderWithin",
            "llEvade",
            "llFleeFrom",
            "llPatrolPoints",
        ],
        off: &["llDeleteCharacter"],
        events: &["path_update"],
        once: false,
        until_state_change: false,
    },
    // The XML-RPC service is gone.
    Switch {
        on: &[],
        off: &[],
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
            | "llRequestPermissions"
            | "llResetScript"
            | "llSay"
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
