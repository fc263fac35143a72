//! The library functions that random scripts are made around, and the events that they cause.

use lsl::facts::{self, Function};

/// The functions that scripts are made around.
pub(crate) fn functions() -> Vec<&'static Function> {
    let all = facts::functions().iter();
    all.filter(|function| {
        let role = facts::role(function.name).expect("each function has a role");
        let run = !lsl_concrete::not_run().contains(&function.name);
        role.class != facts::Class::Nothing && run && !function.private && !function.god_mode
    })
    .collect()
}

/// The event that a call causes, if there is one.
pub(crate) fn caused_by(function: &str) -> Option<&'static str> {
    Some(match function {
        "llGetNotecardLine"
        | "llGetNumberOfNotecardLines"
        | "llFindNotecardTextCount"
        | "llRequestAgentData"
        | "llRequestDisplayName"
        | "llRequestUsername"
        | "llRequestUserKey"
        | "llRequestInventoryData"
        | "llRequestSimulatorData"
        | "llCreateKeyValue"
        | "llReadKeyValue"
        | "llUpdateKeyValue"
        | "llDeleteKeyValue"
        | "llKeysKeyValue"
        | "llKeyCountKeyValue"
        | "llDataSizeKeyValue" => "dataserver",
        "llHTTPRequest" => "http_response",
        "llRequestURL" | "llRequestSecureURL" | "llReleaseURL" => "http_request",
        "llTransferLindenDollars" => "transaction_result",
        "llListen" | "llDialog" | "llTextBox" | "llListenControl" | "llListenRemove" => "listen",
        "llMessageLinked" => "link_message",
        "llRequestPermissions" => "run_time_permissions",
        "llSetTimerEvent" => "timer",
        "llSensor" | "llSensorRepeat" | "llSensorRemove" => "sensor",
        "llRezObject" | "llRezAtRoot" | "llRezObjectWithParams" => "object_rez",
        "llTarget" | "llTargetRemove" => "at_target",
        "llRotTarget" => "at_rot_target",
        "llTakeControls" | "llReleaseControls" => "control",
        "llLinksetDataWrite" | "llLinksetDataDelete" | "llLinksetDataReset" => "linkset_data",
        "llAvatarOnSitTarget"
        | "llUnSit"
        | "llRemoveInventory"
        | "llGetOwner"
        | "llGiveInventory" => "changed",
        "llGetNextEmail" => "email",
        "llRequestExperiencePermissions" => "experience_permissions",
        "llCreateCharacter" | "llNavigateTo" | "llPursue" | "llWanderWithin" | "llEvade"
        | "llFleeFrom" | "llPatrolPoints" | "llDeleteCharacter" => "path_update",
        "llGetStartParameter" => "on_rez",
        _ if function.starts_with("llDetected") => "touch_start",
        _ => return None,
    })
}
