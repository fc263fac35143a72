//! Scripts of a linkset that reset, stop and remove each other: what holds, and what does not.

use probity::{InMemory, run};
use report::VerdictWord::{Fails, Holds, Possible};
use report::{Report, VerdictWord};

/// Checks a linkset of one prim with these scripts and properties of its file; gives the verdict on each
/// property.
fn check(properties: &[&str], scripts: &[(&str, &str)]) -> Vec<(String, VerdictWord)> {
    let quoted = |texts: Vec<&str>| format!("{texts:?}");
    let names: Vec<String> = scripts
        .iter()
        .map(|(name, _)| format!("{name}.lsl"))
        .collect();
    let toml = format!(
        "queue = 3\nbounds = [\"amount = 0..2\"]\nproperties = {}\n[[prim]]\nscripts = {}\n",
        quoted(properties.to_vec()),
        quoted(names.iter().map(String::as_str).collect()),
    );
    let mut system = InMemory::default().with_file("shop.toml", &*toml);
    for ((_, text), name) in scripts.iter().zip(&names) {
        system = system.with_file(&**name, *text);
    }
    let words = [
        "probity",
        "check",
        "shop.toml",
        "--format",
        "json",
        "--timeout",
        "60s",
    ];
    run(&words, &system);
    let report: Report = serde_json::from_str(&system.out())
        .unwrap_or_else(|error| panic!("{error}: {}{}", system.out(), system.err()));
    let properties = report.files.iter().flat_map(|file| &file.properties);
    properties.map(|p| (p.name.clone(), p.verdict)).collect()
}

/// The verdict on the only property, `p`.
fn verdict(property: &str, scripts: &[(&str, &str)]) -> VerdictWord {
    let property = format!("p: {property}");
    let found = check(&[&property], scripts);
    found
        .iter()
        .find(|(name, _)| name == "p")
        .unwrap_or_else(|| panic!("there is no p: {found:?}"))
        .1
}

/// Tells `a` where a piece of work begins and where it ends.
const WORKER: &str = "default { touch_start(integer n) {\n\
    llMessageLinked(LINK_THIS, 1, \"\", \"\"); llMessageLinked(LINK_THIS, 2, \"\", \"\"); } }";

/// Counts what the worker has begun and what it has ended.
const COUNTER: &str = "integer begun; integer ended;\n\
    default { link_message(integer f, integer n, string s, key id) {\n\
        if (n == 1 && begun < 3) ++begun;\n\
        if (n == 2 && ended < 3) ++ended;\n\
    } }";

/// The worker is at one piece at a time.
const ONE_AT_A_TIME: &str = "always a.begun <= a.ended + 1";

/// A script that makes one call when a touch ends.
fn calls(call: &str) -> String {
    format!("default {{ touch_end(integer n) {{ {call} }} }}")
}

/// Touched, the worker tells of a beginning; it is reset there, and at the next touch tells of another.
/// Who takes handlers for one step, or passes over the reset inside of one, proves what is false.
#[test]
fn a_reset_in_the_middle_of_a_handler_loses_its_rest() {
    let with = |call: &str| {
        let boss = calls(call);
        verdict(
            ONE_AT_A_TIME,
            &[("a", COUNTER), ("b", WORKER), ("c", &boss)],
        )
    };
    assert_eq!(with(""), Holds);
    assert_eq!(with("llResetOtherScript(\"b\");"), Fails);
    // Nobody has that name; an item of the inventory is no script.
    assert_eq!(with("llResetOtherScript(\"nobody\");"), Holds);
    assert_eq!(with("llRemoveInventory(\"notes\");"), Holds);
    // Which script is meant is not known: it may be this one.
    assert_eq!(with("llResetOtherScript(llGetObjectDesc());"), Possible);
    // A script that is stopped there goes on there: the next piece begins when this one has ended.
    assert_eq!(
        with("llSetScriptState(\"b\", FALSE); llSetScriptState(\"b\", TRUE);"),
        Holds
    );
    // One that is removed begins nothing any more.
    assert_eq!(with("llRemoveInventory(\"b\");"), Holds);
}

/// One question waits for the answerer when that is reset: it is lost. Whoever keeps the queue proves
/// that it is answered.
#[test]
fn a_reset_loses_what_waits() {
    let asker = |first: &str, second: &str| {
        format!(
            "integer asked; default {{ touch_start(integer n) {{ if (asked) return; asked = 1; {first} {second} }} }}"
        )
    };
    let ask = "llMessageLinked(LINK_THIS, 1, \"\", \"\");";
    let reset = "llResetOtherScript(\"b\");";
    let answerer = "integer got; default { link_message(integer f, integer n, string s, key id) { got = 1; } }";
    let with = |asker: &str| {
        let claim = "a.asked == 1 leads to b.got == 1";
        verdict(claim, &[("a", asker), ("b", answerer)])
    };
    assert_eq!(with(&asker(ask, "")), Holds);
    assert_eq!(with(&asker(ask, reset)), Fails);
    assert_eq!(with(&asker(reset, ask)), Holds);
    // Stopped with the question before it, it never answers; removed, neither.
    assert_eq!(with(&asker(ask, "llSetScriptState(\"b\", FALSE);")), Fails);
    assert_eq!(with(&asker(ask, "llRemoveInventory(\"b\");")), Fails);
    // Whether the question still waits when it is started again is told nowhere.
    let again = "llSetScriptState(\"b\", FALSE); llSetScriptState(\"b\", TRUE);";
    assert_eq!(with(&asker(ask, again)), Possible);
    assert_eq!(with(&asker(again, ask)), Holds);
}

/// The box pays everything back. A payment that comes while it is stopped nobody pays back, nor one whose handler
/// is not brought to its end.
#[test]
fn a_payment_to_a_script_that_is_halted_is_lost() {
    let back = "\
        //@ ghost integer owed;\n\
        //@ on paid(who, amount) { owed += amount; }\n\
        //@ on call llGiveMoney(who, amount) { owed -= amount; }\n\
        //@ property back: always owed <= 0;\n\
        default { money(key id, integer amount) { llGiveMoney(id, amount); } }\n";
    let with = |call: &str| {
        let boss = calls(call);
        let found = check(&[], &[("b", back), ("c", &boss)]);
        found
            .iter()
            .find(|(name, _)| name == "back")
            .expect("it is judged")
            .1
    };
    assert_eq!(with(""), Holds);
    assert_eq!(with("llSetScriptState(\"b\", FALSE);"), Fails);
    assert_eq!(with("llResetOtherScript(\"b\");"), Fails);
    assert_eq!(with("llRemoveInventory(\"b\");"), Fails);
    assert_eq!(with("llSetScriptState(\"c\", FALSE);"), Holds);
}

/// The timer goes with what the script knows of it: whoever keeps one and not the other finds a failure.
#[test]
fn a_reset_ends_the_timer() {
    let ticks = "integer set; integer wrong;\n\
        default {\n\
            touch_start(integer n) { set = 1; llSetTimerEvent(1); }\n\
            timer() { if (!set) wrong = 1; }\n\
        }";
    let boss = calls("llResetOtherScript(\"b\");");
    let scripts = [("b", ticks), ("c", &*boss)];
    assert_eq!(verdict("always b.wrong == 0", &scripts), Holds);
    assert_eq!(verdict("always b.set == 0", &scripts), Fails);
}

/// While `b` is stopped in the middle of a handler, the others act: claims about them are read then.
#[test]
fn claims_about_others_are_read_while_a_script_is_stopped_in_the_middle() {
    let boss = "integer stopped; integer x; integer ended;\n\
        default {\n\
            link_message(integer f, integer n, string s, key id) {\n\
                if (n == 1) { llSetScriptState(\"b\", FALSE); stopped = 1; }\n\
                if (n == 2) ended = 1;\n\
            }\n\
            touch_end(integer n) { if (stopped) x = 1; }\n\
        }";
    let scripts = [("a", boss), ("b", WORKER)];
    assert_eq!(verdict("always a.x <= a.ended", &scripts), Fails);
    // Nobody sees how far a script has come while it is in the middle.
    let worker = WORKER
        .replace(
            "default { touch_start(integer n) {",
            "integer y; integer z;\ndefault { touch_start(integer n) { y = 1 - y;",
        )
        .replace("2, \"\", \"\");", "2, \"\", \"\"); z = 1 - z;");
    let scripts = [("a", boss), ("b", &*worker)];
    assert_eq!(verdict("always b.y == b.z", &scripts), Holds);
}

/// A script that stops itself handles no other event. What stands behind the call may be done before.
#[test]
fn a_script_halts_itself() {
    let with = |call: &str, claim: &str| {
        let script = format!(
            "integer n; integer x; default {{ touch_start(integer c) {{ ++n; {call} x = 1; }} }}"
        );
        verdict(claim, &[("a", &script)])
    };
    let stop = "llSetScriptState(llGetScriptName(), FALSE);";
    assert_eq!(with(stop, "always a.n <= 1"), Holds);
    assert_eq!(with("", "always a.n <= 1"), Fails);
    let remove = "llRemoveInventory(\"a\");";
    assert_eq!(with(remove, "always a.n <= 1"), Holds);
    let reset = "llResetOtherScript(\"a\");";
    assert_eq!(with(reset, "always a.n <= 1"), Holds);
    assert_eq!(with(reset, "never call llOwnerSay(\"x\")"), Holds);
    assert_eq!(
        with(
            &format!("{reset} llOwnerSay(\"x\");"),
            "never call llOwnerSay(\"x\")"
        ),
        Possible
    );
}

/// Of two scripts that are made from one file, either may have its name.
#[test]
fn copies_in_one_prim_are_not_told_apart() {
    let boss = calls("llRemoveInventory(\"b\");");
    let answerer = "integer got; default { touch_start(integer n) { llMessageLinked(LINK_THIS, 1, \"\", \"\"); }\n\
         link_message(integer f, integer n, string s, key id) { got = 1; } }";
    let scripts = [("b", answerer), ("b", answerer), ("c", &*boss)];
    assert_eq!(verdict("always b.got == 0", &scripts), Possible);
    assert_eq!(verdict("always b@2.got == 0", &scripts), Possible);
}

/// A run-time error stops a script for good: to start it does not help.
#[test]
fn a_run_time_error_is_not_undone_by_starting_the_script() {
    let script = "integer wrong; integer zero; integer late; default {\n\
        touch_start(integer c) { wrong = 1; zero = 1 / zero; }\n\
        link_message(integer f, integer k, string s, key id) { if (wrong) late = 1; } }";
    let boss = calls("llSetScriptState(\"b\", TRUE); llMessageLinked(LINK_THIS, 1, \"\", \"\");");
    let scripts = [("b", script), ("c", &*boss)];
    assert_eq!(verdict("always b.late == 0", &scripts), Holds);
}

/// The first script looks for an item when it begins. Reset, it looks again, and by then somebody has put one there:
/// whoever takes it for the script's last look proves that it finds what it has found before.
#[test]
fn a_script_that_is_reset_looks_into_the_inventory_again() {
    let script = "default { state_entry() {\n\
        llMessageLinked(LINK_THIS, 1 + (llGetInventoryType(\"notes\") == INVENTORY_NOTECARD), \"\", \"\"); }\n\
        touch_start(integer n) { state other; } }\n\
        state other { touch_start(integer n) { } }";
    let boss = |call: &str| {
        format!(
            "integer none; integer late; default {{\n\
             link_message(integer f, integer n, string s, key id) {{\n\
                 if (n == 2 && none) late = 1;\n\
                 if (n == 1) none = 1;\n\
             }}\n\
             touch_end(integer n) {{ {call} }} }}"
        )
    };
    let with = |call: &str| {
        let boss = boss(call);
        verdict("always a.late == 0", &[("a", &boss), ("b", script)])
    };
    assert_eq!(with("llResetOtherScript(\"b\");"), Fails);
    assert_eq!(with(""), Holds);
}
