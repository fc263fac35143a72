//! Suspicions about scripts with money (LSL07..): right scripts raise none. The examples of the codes
//! are the wrong ones.

mod elements;
mod meanwhile;

use lsl::{Options, load};

fn found(text: &str) -> Vec<&'static str> {
    let loaded = load("s.lsl", text, &Options::default());
    let codes = loaded.diagnostics.iter().map(|found| found.code);
    codes.filter(|code| code.starts_with("LSL07")).collect()
}

const CHANGED: &str = "changed(integer c) { if (c & CHANGED_OWNER) llResetScript(); }";

#[test]
fn right_scripts_raise_no_suspicion() {
    for text in [
        // A reply is matched.
        "key wait;
default {
 money(key id, integer n) { wait = llHTTPRequest(\"http://a\", [], \"\"); }
 http_response(key q, integer status, list l, string body) { if (q != wait) return; llSay(0, body); }
}",
        // One request in a script without money has nothing to be mixed up with.
        "key wait;
default {
 state_entry() { wait = llGetNotecardLine(\"a\", 0); }
 dataserver(key q, string line) { llSay(0, line); }
}",
        // The owner alone is heard, and everybody where it is looked who speaks.
        "integer price;
default {
 state_entry() { llListen(5, \"\", llGetOwner(), \"\"); llListen(6, \"\", NULL_KEY, \"\"); }
 listen(integer c, string name, key id, string text) { if (id == llGetOwner()) price = 1; }
 money(key id, integer n) { llSay(price, \"thanks\"); }
 changed(integer c) { if (c & CHANGED_OWNER) llResetScript(); }
}",
        // The same listen again is no other; one that is removed does not stay.
        "integer h;
default {
 touch_start(integer n) { llListen(5, \"\", llGetOwner(), \"\"); h = llListen(6, \"\", llDetectedKey(0), \"\"); }
 listen(integer c, string name, key id, string text) { llListenRemove(h); }
}",
        // All buttons are handled, or handled by what is looked for in a list.
        "default {
 touch_start(integer n) { llListen(5, \"\", \"\", \"\"); llDialog(llDetectedKey(0), \"?\", [\"Rent\", \"Cancel\"], 5); }
 listen(integer c, string name, key id, string text) { if (text == \"Rent\") llSay(0, \"rented\"); }
}",
        "list known;
default {
 touch_start(integer n) { llListen(5, \"\", \"\", \"\"); llDialog(llDetectedKey(0), \"?\", [\"Rent\", \"Buy\"], 5); }
 listen(integer c, string name, key id, string text) { if (llListFindList(known, [text]) >= 0) llSay(0, \"\"); }
}",
        // A state that is never left, but pays, and one that holds nothing because payments are settled at once.
        "key payer; integer sum;
default {
 state_entry() { llRequestPermissions(llGetOwner(), PERMISSION_DEBIT); }
 money(key id, integer n) { payer = id; sum = n; state over; }
 changed(integer c) { if (c & CHANGED_OWNER) llResetScript(); }
}
state over {
 state_entry() { if (llGetPermissions() & PERMISSION_DEBIT) llGiveMoney(payer, sum); }
 changed(integer c) { if (c & CHANGED_OWNER) llResetScript(); }
}",
        "default {
 state_entry() { llRequestPermissions(llGetOwner(), PERMISSION_DEBIT); }
 money(key id, integer n) { llGiveMoney(id, n); state over; }
 changed(integer c) { if (c & CHANGED_OWNER) llResetScript(); }
}
state over { touch_start(integer n) { llSay(0, \"over\"); } }",
        // The reply is handled where the script goes, or the script goes when it has come.
        "key wait;
default {
 state_entry() { wait = llGetNotecardLine(\"a\", 0); state ready; }
}
state ready {
 dataserver(key q, string line) { if (q == wait) state default; }
 touch_start(integer n) { wait = llGetNotecardLine(\"a\", 1); }
}",
        // Who tells whom to pay is looked at, and who is paid is kept.
        &format!("key payer;
default {{
 state_entry() {{ llRequestPermissions(llGetOwner(), PERMISSION_DEBIT); llListen(-7, \"\", NULL_KEY, \"\"); }}
 money(key id, integer n) {{ payer = id; llGiveMoney(payer, n - 1); }}
 listen(integer c, string name, key id, string text) {{ if (llGetOwnerKey(id) == llGetOwner()) llGiveMoney((key)text, 1); }}
 {CHANGED}
}}"),
        // Constants on purpose, and masks of the event.
        "default { changed(integer c) { while (TRUE && c & CHANGED_REGION) llSleep(1.0); } }",
        // What is taken from does not grow without bound.
        "list seen;
default { touch_start(integer n) { seen += [llDetectedKey(0)]; if (llGetListLength(seen) > 9) seen = llDeleteSubList(seen, 0, 0); } }",
    ] {
        assert_eq!(found(text), Vec::<&str>::new(), "{text}");
    }
}

#[test]
fn a_payer_is_kept_until_served() {
    let shop = |money: &str, rest: &str| {
        format!(
            "key payer; key wait; integer busy;
default {{
 {money}
 http_response(key q, integer status, list l, string body) {{ if (q == wait) {{ llGiveInventory(payer, \"Hat\"); busy = FALSE; }} }}
}}
{rest}"
        )
    };
    let asks = "payer = id; wait = llHTTPRequest(\"http://a\", [], \"\");";
    let careless = shop(&format!("money(key id, integer n) {{ {asks} }}"), "");
    assert_eq!(found(&careless), ["LSL0710"]);
    let guarded = format!(
        "money(key id, integer n) {{ if (busy) {{ llGiveMoney(id, n); return; }} busy = TRUE; {asks} }} {CHANGED}"
    );
    assert_eq!(found(&shop(&guarded, "")), Vec::<&str>::new());
    let closes = format!("money(key id, integer n) {{ {asks} state closed; }} {CHANGED}");
    let closed = "state closed {
 touch_start(integer n) { state default; }
 http_response(key q, integer status, list l, string body) { if (q == wait) llGiveInventory(payer, \"Hat\"); }
}";
    assert_eq!(found(&shop(&closes, closed)), Vec::<&str>::new());
}

#[test]
fn a_comment_silences_what_it_names_on_its_line() {
    let text = |comment: &str| {
        format!(
            "default {{\n timer() {{ llSay(0, \"late\"); }} {comment}\n listen(integer c, string n, key k, string t) {{ llSay(0, t); }}\n}}"
        )
    };
    assert_eq!(found(&text("")), ["LSL0708", "LSL0708"]);
    assert_eq!(found(&text("// probity: allow LSL0708")), ["LSL0708"]);
    assert_eq!(found(&text("// probity: allow LSL0707")).len(), 2);
}

/// What is found in a script with and without a part.
fn with_and_without(text: &str, part: &str, instead: &str) -> [Vec<&'static str>; 2] {
    assert!(text.contains(part), "{part}");
    [found(text), found(&text.replace(part, instead))]
}

const NONE: Vec<&str> = Vec::new();

#[test]
fn a_listen_for_somebody_detected_hears_everybody_where_nobody_is() {
    let text = "integer price;
default {
 state_entry() { llListen(5, \"\", llDetectedKey(0), \"\"); }
 listen(integer c, string name, key id, string text) { price = (integer)text; }
 money(key id, integer n) { llSay(price, \"thanks\"); }
}";
    let wrong = with_and_without(text, "state_entry()", "touch_start(integer n)");
    assert_eq!(wrong, [vec!["LSL0702"], vec!["LSL0703"]]);
}

#[test]
fn who_speaks_may_be_asked_for_in_two_steps() {
    let text = "list known; integer handle; integer price;
default {
 touch_start(integer n) { handle = llListen(5, \"\", \"\", \"\"); }
 listen(integer c, string name, key id, string text) { price = (integer)text; }
 money(key id, integer n) { llListenRemove(handle); llSay(price, \"thanks\"); }
}";
    let sets = "{ price = (integer)text; }";
    for right in [
        "{ integer at = llListFindList(known, [id]); if (at < 0) return; price = (integer)text; }",
        // To end the listen is nothing that others must not do.
        "{ if (text == \"OK\") { llListenRemove(handle); handle = 0; } }",
    ] {
        let both = with_and_without(text, sets, right);
        assert_eq!(both, [vec!["LSL0702"], NONE], "{right}");
    }
    let said = "{ string said = llToUpper(text); if (said != \"\") price = (integer)said; }";
    let both = with_and_without(text, sets, said);
    assert_eq!(both, [vec!["LSL0702"], vec!["LSL0702"]]);
}

#[test]
fn what_only_the_owner_is_shown_is_for_the_owner_to_say() {
    let text = "integer open; key boss; string RESET = \"Reset\";
list buttons(key who) { if (who != boss) return [\"Info\"]; return [\"Info\", RESET]; }
default {
 state_entry() { boss = llGetOwner(); }
 touch_start(integer n) { integer c = 7; llListen(c, \"\", llDetectedKey(0), \"\"); llDialog(llDetectedKey(0), \"?\", buttons(llDetectedKey(0)), c); state_change(); }
 listen(integer c, string name, key id, string text) {
  if (text == \"Info\") llInstantMessage(id, \"a shop\");
  else if (text == RESET) llResetScript();
  llListenRemove(c);
 }
 money(key id, integer n) { llSay(0, \"thanks\"); }
 changed(integer c) { if (c & CHANGED_OWNER) llResetScript(); }
}"
    .replace(" state_change();", "");
    // The speaker is asked for in the same condition, around it, or before.
    for asked in [
        ("text == RESET", "text == RESET && id == boss"),
        (
            "llResetScript();\n",
            "{ if (id == boss) llResetScript(); }\n",
        ),
        (
            "if (text == \"Info\")",
            "if (id != boss) return; if (text == \"Info\")",
        ),
        // It is no command if nothing is done.
        ("llResetScript();\n", "llSay(0, \"no\");\n"),
        // Everybody is shown it.
        ("return [\"Info\"]", "return [\"Info\", \"Reset\"]"),
        // Nobody else is heard.
        (
            "llListen(c, \"\", llDetectedKey(0)",
            "llListen(c, \"\", boss",
        ),
    ] {
        let wrong = with_and_without(&text, asked.0, asked.1);
        assert_eq!(wrong, [vec!["LSL0702"], NONE], "{}", asked.1);
    }
    for told in [
        // The owner's branch comes first.
        (
            "if (who != boss) return [\"Info\"]; return [\"Info\", RESET];",
            "if (who == boss) { return [\"Info\", RESET]; } return [\"Info\"];",
        ),
        (
            "if (who != boss) return [\"Info\"]; return [\"Info\", RESET];",
            "list l = [\"Info\"]; if (who == boss) l += [\"Reset\"]; return l;",
        ),
    ] {
        let both = with_and_without(&text, told.0, told.1);
        assert_eq!(both, [vec!["LSL0702"], vec!["LSL0702"]], "{}", told.1);
    }
}

#[test]
fn a_handle_stays_until_its_listen_is_removed() {
    let text = "integer h; integer c;
default {
 touch_start(integer n) { c = (integer)llFrand(9999.0); h = llListen(c, \"\", llDetectedKey(0), \"\"); }
 listen(integer channel, string name, key id, string text) { llListenRemove(h); }
}";
    for right in [
        ("h = llListen", "llListenRemove(h); h = llListen"),
        (
            "listen(integer",
            "timer() { llListenRemove(h); llSetTimerEvent(0.0); } touch_end(integer n) { llSetTimerEvent(60.0); } listen(integer",
        ),
        ("c = (integer)llFrand(9999.0);", ""),
    ] {
        let both = with_and_without(text, right.0, right.1);
        assert_eq!(both, [vec!["LSL0703"], NONE], "{}", right.1);
    }
}

#[test]
fn a_dialog_is_answered_in_a_state_that_listens() {
    let text = "ask(key who) { llListen(5, \"\", who, \"\"); llDialog(who, \"?\", [\"Rent\", \"Cancel\"], 5); }
default {
 touch_start(integer n) { ask(llDetectedKey(0)); }
 listen(integer c, string name, key id, string text) { llListenRemove(c); if (text == \"Rent\") state rented; }
}
state rented { touch_start(integer n) { ask(llDetectedKey(0)); } }";
    for right in [
        // It is not asked there, or goes to where it is heard, or nothing is to be answered.
        (
            "state rented { touch_start(integer n) { ask(llDetectedKey(0)); } }",
            "state rented { touch_start(integer n) { state default; } }",
        ),
        (
            "state rented { touch_start(integer n) { ask(llDetectedKey(0)); } }",
            "state rented { touch_start(integer n) { ask(llDetectedKey(0)); state default; } }",
        ),
        (
            "state rented { touch_start(integer n) { ask(llDetectedKey(0)); } }",
            "state rented { touch_start(integer n) { llDialog(llDetectedKey(0), \"?\", [\"OK\"], 6); } }",
        ),
    ] {
        let both = with_and_without(text, right.0, right.1);
        assert_eq!(both, [vec!["LSL0704"], NONE], "{}", right.1);
    }
    let deaf = text.replace(
        "state rented { touch_start(integer n) { ask(llDetectedKey(0)); } }",
        "state rented {
 touch_start(integer n) { llDialog(llDetectedKey(0), \"?\", [\"Rent\"], 5); }
 listen(integer c, string name, key id, string text) { if (text == \"Rent\") state default; }
}",
    );
    assert_eq!(found(&deaf), ["LSL0704", "LSL0708"]);
}

#[test]
fn buttons_may_stand_in_a_variable() {
    let text = "list buttons;
default {
 touch_start(integer n) { llListen(5, \"\", \"\", \"\"); buttons = [\"Rent\", \"Ban\"]; llDialog(llDetectedKey(0), \"?\", buttons, 5); }
 listen(integer c, string name, key id, string text) { if (text == \"Rent\") llSay(0, \"rented\"); }
}";
    let both = with_and_without(text, ", \"Ban\"", "");
    assert_eq!(both, [vec!["LSL0704"], NONE]);
    let later = text.replace("\"Ban\"]", "\"Fee\"]; buttons += [\"Ban\"]");
    let later = later.replace("\"Rent\")", "\"Rent\" || text == \"Fee\")");
    assert_eq!(found(&later), ["LSL0704"]);
}

#[test]
fn what_is_said_on_other_channels_handles_no_button() {
    let text = "list known; integer menu = 5; integer box = 6;
default {
 touch_start(integer n) { llListen(menu, \"\", \"\", \"\"); llListen(box, \"\", \"\", \"\"); llDialog(llDetectedKey(0), \"?\", [\"Rent\", \"Ban\"], menu); }
 listen(integer c, string name, key id, string text) {
  if (c == menu) { if (text == \"Rent\") llSay(0, \"rented\"); }
  else if (c == box) { if (llListFindList(known, [text]) >= 0) llSay(0, \"\"); }
 }
}";
    let both = with_and_without(text, "c == box", "c != 0");
    assert_eq!(both, [vec!["LSL0704"], NONE]);
}

#[test]
fn what_one_state_listens_to_is_not_heard_in_the_next() {
    let text = "default {
 state_entry() { llListen(5, \"\", llGetCreator(), \"\"); }
 listen(integer c, string name, key id, string text) { state other; }
}
state other {
 listen(integer c, string name, key id, string text) { state default; }
 touch_start(integer n) { state default; }
}";
    let both = with_and_without(
        text,
        "state other {\n",
        "state other {\n state_entry() { llListen(5, \"\", llGetCreator(), \"\"); }\n",
    );
    assert_eq!(both, [vec!["LSL0708"], NONE]);
    // A timer goes on.
    let timer = "default { state_entry() { llSetTimerEvent(1.0); state other; } }
state other { timer() { state default; } }";
    assert_eq!(found(timer), NONE);
}

#[test]
fn a_condition_is_asked_again_only_after_something_has_happened() {
    let text = "string last;
default {
 touch_start(integer n) {
  if (llGetSubString(last, 0, 1) == \"ab\") llSay(0, \"1\");
  else if (last == \"c\") llSay(0, \"2\");
  else if ((llGetSubString(last, 0, 1)) == \"ab\") llSay(0, \"3\");
 }
}";
    for right in [
        ("== \"ab\") llSay(0, \"3\")", "== \"ac\") llSay(0, \"3\")"),
        (
            "(llGetSubString(last, 0, 1)) ==",
            "(llGetSubString(last, 0, 2)) ==",
        ),
        (
            "(llGetSubString(last, 0, 1)) ==",
            "(llGetSubString(last, 0, 1)) !=",
        ),
    ] {
        let both = with_and_without(text, right.0, right.1);
        assert_eq!(both, [vec!["LSL0715"], NONE], "{}", right.1);
    }
    // Chance, and what the world decides, may give something else.
    let drawn = "default { touch_start(integer n) { if (llFrand(2.0) < 1.0) llSay(0, \"1\"); else if (llFrand(2.0) < 1.0) llSay(0, \"2\"); } }";
    assert_eq!(found(drawn), NONE);
}

#[test]
fn no_answer_has_the_key_of_a_request_that_is_not_kept() {
    let text = "key ban; key wait;
default {
 touch_start(integer n) { wait = llHTTPRequest(\"http://a\", [], \"\"); }
 http_response(key q, integer status, list l, string body) {
  if (q == wait) llSay(0, body);
  else if (q == ban) llSay(0, \"banned\");
 }
}";
    assert_eq!(
        with_and_without(text, "else if (q == ban)", "else if (q != ban)"),
        [vec!["LSL0708"], vec![]]
    );
    assert_eq!(
        with_and_without(
            text,
            "{ wait =",
            "{ ban = llHTTPRequest(\"http://b\", [], \"\"); wait ="
        ),
        [vec!["LSL0708"], vec![]]
    );
}

#[test]
fn an_owner_who_is_listened_to_is_not_the_next_one() {
    let text = "integer open;
default {
 state_entry() { llListen(5, \"\", llGetOwner(), \"\"); }
 listen(integer c, string name, key id, string text) { open = !open; }
 money(key id, integer n) { llSay(open, \"thanks\"); }
}";
    assert_eq!(
        with_and_without(text, "llGetOwner()", "llGetCreator()"),
        [vec!["LSL0705"], vec![]]
    );
}

/// Without money, where nothing in the script looks for a new owner.
#[test]
fn a_door_that_its_owner_locks_hears_the_next_one() {
    let text = "integer locked;
default {
 state_entry() { llListen(5, \"\", llGetOwner(), \"\"); }
 listen(integer c, string name, key id, string text) { locked = text == \"lock\"; }
 touch_start(integer n) { if (!locked) state open; }
}
state open {
 state_entry() { llListen(5, \"\", llGetOwner(), \"\"); }
 listen(integer c, string name, key id, string text) { state default; }
}";
    for notices in [
        "on_rez(integer p) { llResetScript(); } touch_start",
        "changed(integer c) { if (c & CHANGED_OWNER) llResetScript(); } touch_start",
    ] {
        assert_eq!(
            with_and_without(text, "touch_start", notices),
            [vec!["LSL0705"], vec![]]
        );
    }
}

#[test]
fn a_state_that_waits_for_people_notices_a_new_owner_if_others_do() {
    let text = "integer open;
default {
 state_entry() { llListen(5, \"\", llGetOwner(), \"\"); }
 listen(integer c, string name, key id, string text) { open = !open; state rented; }
 money(key id, integer n) { llSay(open, \"thanks\"); }
 changed(integer what) { if (what & CHANGED_OWNER) llResetScript(); }
}
state rented {
 touch_start(integer n) { state default; }
}";
    assert_eq!(
        with_and_without(
            text,
            "touch_start(integer n) { state default; }",
            "touch_start(integer n) { state default; } on_rez(integer p) { llResetScript(); }"
        ),
        [vec!["LSL0705"], vec![]]
    );
    assert_eq!(
        with_and_without(text, "{ state default; }", "{ llSay(0, \"rented\"); }"),
        [vec!["LSL0705"], vec![]]
    );
}

#[test]
fn what_a_timer_pays_is_noted_or_paid_again() {
    let text = "integer seconds; integer most = 600;
pay() { llGiveMoney(llAvatarOnSitTarget(), 4); }
default {
 state_entry() { llRequestPermissions(llGetOwner(), PERMISSION_DEBIT); }
 changed(integer c) { if (c & CHANGED_OWNER) llResetScript(); seconds = 0; llSetTimerEvent(1.0); }
 timer() { ++seconds; if (llAvatarOnSitTarget()) { if (seconds > most) { pay(); llUnSit(llAvatarOnSitTarget()); } } }
}";
    for mended in [
        "{ seconds = 0; pay();",
        "{ pay(); llSetTimerEvent(0.0);",
        "{ pay(); llResetScript();",
        "{ pay(); seconds -= most;",
    ] {
        let both = with_and_without(text, "{ pay();", mended);
        assert_eq!(both, [vec!["LSL0716"], NONE], "{mended}");
    }
    // A wage for each tick, and one that is stopped outside.
    for (part, instead) in [
        ("if (seconds > most)", ""),
        ("if (seconds > most)", "if (most > 5)"),
        ("timer() {", "timer() { llSetTimerEvent(0.0);"),
        ("++seconds;", "++seconds; seconds = 0;"),
    ] {
        assert_eq!(
            with_and_without(text, part, instead),
            [vec!["LSL0716"], NONE]
        );
    }
}

#[test]
fn a_test_that_lets_every_payment_through_keeps_none_away() {
    let text = "key payer; integer waiting;
default {
 state_entry() { llListen(5, \"\", llGetOwner(), \"\"); }
 money(key id, integer n) { if (waiting) llSay(0, \"again\"); payer = id; waiting = TRUE; }
 listen(integer c, string name, key id, string text) { if (waiting) llGiveInventory(payer, \"Hat\"); waiting = FALSE; }
 changed(integer what) { if (what & CHANGED_OWNER) llResetScript(); }
}";
    assert_eq!(
        with_and_without(
            text,
            "llSay(0, \"again\");",
            "{ llSay(0, \"wait\"); return; }"
        ),
        [vec!["LSL0710"], vec![]]
    );
    let by_function = text
        .replace("if (waiting) llSay", "if (is_waiting()) llSay")
        .replace(
            "default {",
            "integer is_waiting() { return waiting; }\ndefault {",
        );
    assert_eq!(
        with_and_without(
            &by_function,
            "llSay(0, \"again\");",
            "{ llSay(0, \"wait\"); return; }"
        ),
        [vec!["LSL0710"], vec![]]
    );
}

#[test]
fn who_becomes_the_tenant_later_is_served_later() {
    let text = "key payer; key tenant;
default {
 state_entry() { llListen(5, \"\", llGetOwner(), \"\"); }
 money(key id, integer n) { payer = id; }
 listen(integer c, string name, key id, string text) { tenant = payer; llRegionSayTo(tenant, 0, \"welcome\"); }
 changed(integer what) { if (what & CHANGED_OWNER) llResetScript(); }
}";
    assert_eq!(
        with_and_without(text, "tenant = payer;", "tenant = id;"),
        [vec!["LSL0710"], vec![]]
    );
}

#[test]
fn who_is_told_something_later_is_served_later() {
    let text = "key payer; key wait;
default {
 money(key id, integer n) { payer = id; wait = llHTTPRequest(\"http://a\", [], \"\"); }
 http_response(key q, integer status, list l, string body) { if (q == wait) llInstantMessage(payer, body); }
}";
    assert_eq!(
        with_and_without(text, "llInstantMessage(payer, body)", "llOwnerSay(body)"),
        [vec!["LSL0710"], vec![]]
    );
}

/// A till whose rest is given: it asks for permissions and notices a new owner.
fn till(globals: &str, handlers: &str) -> String {
    format!(
        "{globals}
default {{
 state_entry() {{ llRequestPermissions(llGetOwner(), PERMISSION_DEBIT); llListen(-5, \"\", NULL_KEY, \"\"); }}
 changed(integer c) {{ if (c & CHANGED_OWNER) llResetScript(); }}
{handlers}
}}"
    )
}
