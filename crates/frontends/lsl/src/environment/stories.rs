//! How stories tell what a script is asked and what it does, with constants by name: `PERMISSION_DEBIT`, and
//! not 2.

use model::{Constants, Program};

use crate::facts::{self, Value};

/// What functions and events take or bring that has names: the place of the parameter, and what the names
/// begin with.
const NAMED: &[(&str, usize, &str)] = &[
    ("changed", 0, "CHANGED_"),
    ("control", 1, "CONTROL_"),
    ("control", 2, "CONTROL_"),
    ("llGetInventoryName", 0, "INVENTORY_"),
    ("llGetInventoryNumber", 0, "INVENTORY_"),
    ("llMessageLinked", 0, "LINK_"),
    ("llRegionSay", 0, "DEBUG_CHANNEL"),
    ("llRequestPermissions", 1, PERMISSIONS),
    ("llSay", 0, "DEBUG_CHANNEL"),
    ("llSetClickAction", 0, "CLICK_ACTION_"),
    ("llSetLinkPrimitiveParams", 0, "LINK_"),
    ("llSetLinkPrimitiveParamsFast", 0, "LINK_"),
    ("llSetPayPrice", 0, "PAY_"),
    ("llSetStatus", 0, "STATUS_"),
    ("llShout", 0, "DEBUG_CHANNEL"),
    ("llTakeControls", 0, "CONTROL_"),
    ("llWhisper", 0, "DEBUG_CHANNEL"),
    ("run_time_permissions", 0, PERMISSIONS),
];

/// What names of permissions begin with.
pub(super) const PERMISSIONS: &str = "PERMISSION_";

/// A place in a story for a parameter, from the name of its function or event and its number.
pub(super) fn hole(program: &mut Program, name: &str, index: usize) -> String {
    let mut named = NAMED.iter();
    match named.find(|(of, at, _)| (*of, *at) == (name, index)) {
        Some((_, _, constants)) => {
            know(program, constants);
            format!("{{{index}:{constants}}}")
        }
        None => format!("{{{index}}}"),
    }
}

/// Makes the constants known whose names begin so.
pub(super) fn know(program: &mut Program, begin: &str) {
    if program.display.constants.contains_key(begin) {
        return;
    }
    let named = facts::constants()
        .iter()
        .filter(|one| one.name.starts_with(begin));
    let names = named.filter_map(|one| match one.value {
        Value::Integer(value) => Some((value.into(), one.name.to_owned())),
        _ => None,
    });
    let constants = Constants {
        names: names.collect(),
        flags: matches!(begin, PERMISSIONS | "CHANGED_" | "CONTROL_" | "STATUS_"),
    };
    program
        .display
        .constants
        .insert(begin.to_owned(), constants);
}

/// How a story tells that an event is handled.
pub(super) fn story(program: &mut Program, event: &str) -> Option<String> {
    Some(match event {
        "timer" => "the timer fires".to_owned(),
        "touch_start" => "somebody touches the object".to_owned(),
        "touch" => "somebody keeps touching the object".to_owned(),
        "touch_end" => "somebody lets go of the object".to_owned(),
        "money" => "the script handles the payment".to_owned(),
        "listen" => "{1} ({2}) says {3} on channel {0}".to_owned(),
        "on_rez" => "the object is rezzed, with the start parameter {0}".to_owned(),
        "state_entry" | "state_exit" => format!("the script runs {event}"),
        other => {
            let parameters = facts::event(other).map_or(0, |event| event.parameters.len());
            let holes: Vec<String> = (0..parameters).map(|at| hole(program, other, at)).collect();
            format!("{other}({}) arrives", holes.join(", "))
        }
    })
}

/// The name of an avatar.
pub(super) fn avatar_name(index: usize) -> String {
    const NAMES: [&str; 12] = [
        "Alice", "Bob", "Carol", "Dave", "Erin", "Frank", "Grace", "Heidi", "Ivan", "Judy",
        "Mallory", "Niaj",
    ];
    match NAMES.get(index) {
        Some(name) => (*name).to_owned(),
        None => format!("avatar {}", index + 1),
    }
}
