//! Faults in the table of what LSL's functions are to a script: each makes the world narrower than
//! Second Life, so that something is said to hold which a concrete run breaks.

use super::Mutant;

/// The faults, by class and lifetime.
pub(super) const MUTANTS: &[Mutant] = &[
    table(
        "llGetFreeMemory\treads\tmemory of the script\treading",
        "llGetFreeMemory\treads\tmemory of the script\trun",
        "memory stays as it is",
    ),
    table(
        "llSetObjectName\tcauses\tsets name of this object 0",
        "llSetObjectName\tnone\t-",
        "a name that is set is not read back",
    ),
    table(
        "llSetObjectDesc\tcauses\tsets description of this object 0",
        "llSetObjectDesc\tnone\t-",
        "a description that is set is not read back",
    ),
    table(
        "llLinksetDataReset\tcauses\tchanges linkset data, changes protected linkset data, changes amount of linkset data, event",
        "llLinksetDataReset\tcauses\tevent",
        "a reset of linkset data leaves it",
    ),
    table(
        "llGetNotecardLine\tcauses\tanswer dataserver",
        "llGetNotecardLine\tcauses\tgives key",
        "a notecard is never read",
    ),
    table(
        "llHTTPRequest\tcauses\tanswer http_response",
        "llHTTPRequest\tcauses\tgives key",
        "a request by HTTP is never answered",
    ),
    table(
        "llTransferLindenDollars\tcauses\tanswer transaction_result",
        "llTransferLindenDollars\tcauses\tgives key",
        "a transfer has no result",
    ),
    table(
        "llRequestURL\tcauses\tanswer http_request, on http_request",
        "llRequestURL\tcauses\tgives key",
        "nobody gives a URL",
    ),
    table(
        "llSensor\tcauses\tevent sensor, event no_sensor, on sensor",
        "llSensor\tnone\t-",
        "a sensor finds nothing and says nothing",
    ),
    table(
        "llTarget\tcauses\tevent at_target, event not_at_target, on target",
        "llTarget\tcauses\tgives result",
        "a target is never reached",
    ),
    table(
        "llRezObject\tcauses\tevent object_rez, on object_rez",
        "llRezObject\tnone\t-",
        "nothing is rezzed",
    ),
];

const fn table(search: &'static str, replacement: &'static str, breaks: &'static str) -> Mutant {
    Mutant {
        package: "lsl-concrete",
        tests: &["conform"],
        folder: "crates/frontends/lsl/tables",
        search,
        replacement,
        breaks,
    }
}
