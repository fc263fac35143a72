//! Suspicions about scripts with money (LSL07..): right scripts raise none. The examples of the codes
//! are the wrong ones.

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
