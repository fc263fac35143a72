//! Suspicions about what happens between two events: to others who wait, and to what was shown or said.

use super::{NONE, found, till, with_and_without};

#[test]
fn a_timer_for_several_is_stopped_when_nobody_waits() {
    let text = till(
        "list payers; list until;",
        " money(key id, integer n) { payers += [id]; until += [llGetUnixTime() + 60]; llSetTimerEvent(60.0); }
 listen(integer c, string name, key id, string text) { if (id == NULL_KEY) return; payers = llList2List(payers, 1, -1); until = llList2List(until, 1, -1); llSetTimerEvent(0.0); }
 timer() { integer i; for (i = 0; i < llGetListLength(payers); i++) if (llList2Integer(until, i) < llGetUnixTime()) llInstantMessage(llList2Key(payers, i), \"late\"); payers = []; until = []; }",
    );
    for mended in [
        "if (payers == []) llSetTimerEvent(0.0);",
        "if (llGetListLength(until) == 0) { llSetTimerEvent(0.0); }",
        "if (llGetListLength(until) > 0) return; llSetTimerEvent(0.0);",
        "payers = []; until = []; llSetTimerEvent(0.0);",
        "if (id == llGetOwner()) llSetTimerEvent(0.0);",
        "llSetTimerEvent(30.0);",
    ] {
        let both = with_and_without(&text, "llSetTimerEvent(0.0);", mended);
        assert_eq!(both, [vec!["LSL0719"], NONE], "{mended}");
    }
}

#[test]
fn who_sits_already_is_not_counted_anew() {
    let text = "integer left; key guest;
default {
 state_entry() { llRequestPermissions(llGetOwner(), PERMISSION_DEBIT); llSetTimerEvent(60.0); }
 changed(integer c) { if (c & CHANGED_OWNER) llResetScript(); if (c & CHANGED_LINK) { key sitter = llAvatarOnSitTarget(); if (sitter != NULL_KEY) { left = 10; guest = sitter; } } }
 timer() { if (left > 0) { --left; llGiveMoney(guest, 1); } }
}";
    for mended in [
        "if (sitter != NULL_KEY && sitter != guest)",
        "if (sitter == guest) return; if (sitter != guest)",
        "if (sitter != NULL_KEY) if (sitter != guest)",
    ] {
        let both = with_and_without(text, "if (sitter != NULL_KEY)", mended);
        assert_eq!(both, [vec!["LSL0720"], NONE], "{mended}");
    }
    for (part, instead) in [
        ("left = 10;", ""),
        (
            "left = 10;",
            "llRequestPermissions(sitter, PERMISSION_TRIGGER_ANIMATION); left = 10;",
        ),
    ] {
        assert_eq!(
            with_and_without(text, part, instead),
            [vec!["LSL0720"], NONE]
        );
    }
    let direct = text.replace(
        "key sitter = llAvatarOnSitTarget(); if (sitter != NULL_KEY)",
        "if (llAvatarOnSitTarget())",
    );
    assert_eq!(
        found(&direct.replace("guest = sitter", "guest = llAvatarOnSitTarget()")),
        ["LSL0720"]
    );
}

#[test]
fn what_is_bought_is_what_was_shown() {
    let text = till(
        "integer shown; list items = [\"Hat\", \"Coat\"]; key buyer;
next() { shown = (shown + 1) % 2; }
string item() { return llList2String(items, shown); }",
        " touch_start(integer n) { next(); }
 money(key id, integer n) { llGiveInventory(id, item()); }",
    );
    for (part, instead) in [
        (
            "{ next(); }",
            "{ if (llDetectedKey(0) == llGetOwner()) next(); }",
        ),
        (
            "{ next(); }",
            "{ if (buyer != llDetectedKey(0)) return; next(); }",
        ),
        ("{ next(); }", "{ llSay(0, \"pay me\"); }"),
        (
            "llGiveInventory(id, item())",
            "llGiveInventory(id, \"Hat\")",
        ),
        (
            "llGiveInventory(id, item())",
            "shown = n % 2; llGiveInventory(id, llList2String(items, shown))",
        ),
        (
            "llGiveInventory(id, item())",
            "llGiveInventoryList(id, (string)shown, items)",
        ),
        ("touch_start(integer n)", "on_rez(integer n)"),
    ] {
        let text = text.replace("item())", "llList2String(items, shown))");
        let part = part.replace("item()", "llList2String(items, shown)");
        let instead = instead.replace("item()", "llList2String(items, shown)");
        assert_eq!(
            with_and_without(&text, &part, &instead),
            [vec!["LSL0721"], NONE],
            "{instead}"
        );
    }
}

#[test]
fn an_answer_is_forgotten_when_the_next_is_asked() {
    let text = till(
        "key winner; string answer; list guests;
choose() { winner = llList2Key(guests, 0); }
grant(key who) { llGiveInventory(who, \"Hat\"); }",
        " touch_start(integer n) { guests = [llDetectedKey(0)]; llSetTimerEvent(60.0); }
 listen(integer c, string name, key id, string text) { if (id == winner) answer = text; }
 timer() { if (answer == \"yes\") grant(winner); choose(); }",
    );
    for (part, instead) in [
        ("choose(); }", "answer = \"\"; choose(); }"),
        (
            "{ winner = llList2Key(guests, 0); }",
            "{ winner = llList2Key(guests, 0); answer = \"\"; }",
        ),
        (
            "{ winner = llList2Key(guests, 0); }",
            "{ winner = NULL_KEY; }",
        ),
        ("if (answer == \"yes\") grant(winner);", "llSay(0, answer);"),
        ("grant(winner)", "llSay(0, \"yes\")"),
    ] {
        assert_eq!(
            with_and_without(&text, part, instead),
            [vec!["LSL0722"], NONE],
            "{instead}"
        );
    }
}

#[test]
fn a_branch_that_only_itself_would_open_is_never_taken() {
    let text = "list entrants; list present;
default {
 touch_start(integer n) { present = [llDetectedKey(0)]; llSetTimerEvent(60.0); }
 timer() { if (llGetListLength(entrants) == 0) llSay(0, \"Nobody.\"); else { entrants = present; llSay(0, \"Go!\"); } entrants = []; }
}";
    for (part, instead) in [
        (
            "present = [llDetectedKey(0)];",
            "present = [llDetectedKey(0)]; entrants = present;",
        ),
        (" entrants = []; }", " }"),
        ("entrants = present;", "present = [];"),
        ("list entrants;", "list entrants = [1];"),
    ] {
        assert_eq!(
            with_and_without(text, part, instead),
            [vec!["LSL0723"], NONE],
            "{instead}"
        );
    }
    let flag = "integer open; integer test = FALSE;
default { touch_start(integer n) { if (open) { open = FALSE; llSay(0, \"closed\"); } open = FALSE; } timer() { if (open == 1) open = TRUE; } state_entry() { llSetTimerEvent(1.0); } }";
    assert_eq!(found(flag), ["LSL0723"]);
    assert_eq!(
        found(
            &flag
                .replace("(open)", "(open && test)")
                .replace("(open == 1)", "(open == 1 && test)")
        ),
        NONE
    );
}

#[test]
fn a_name_is_nobodys_own() {
    let text = till(
        "integer price;",
        " listen(integer c, string name, key id, string text) { if (c == 5 && id == llGetOwner()) price = 1; else if (name == llGetObjectName()) price = 2; }
 money(key id, integer n) { llSay(price, \"thanks\"); }",
    );
    for mended in [
        "if (llGetOwnerKey(id) == llGetOwner() && name == llGetObjectName())",
        "if (llGetOwnerKey(id) != llGetOwner()) return; else if (name == llGetObjectName())",
        "if (c == 6)",
    ] {
        let both = with_and_without(
            &text.replace("else if", "if"),
            "if (name == llGetObjectName())",
            mended,
        );
        assert_eq!(both, [vec!["LSL0702"], NONE], "{mended}");
    }
}

#[test]
fn the_amount_is_looked_at_where_there_is_one_price() {
    let text = "integer price = 50; integer last;
buy(key who, integer amount) { if (amount == price) llGiveInventory(who, \"Hat\"); }
default {
 state_entry() { llSetPayPrice(PAY_HIDE, [price, PAY_HIDE, PAY_HIDE, PAY_HIDE]); }
 money(key id, integer amount) { llGiveInventory(id, \"Hat\"); llSay(last, (string)amount); }
}";
    for (part, instead) in [
        (
            "llGiveInventory(id, \"Hat\");",
            "if (amount == price) llGiveInventory(id, \"Hat\");",
        ),
        ("llGiveInventory(id, \"Hat\");", "buy(id, amount);"),
        (
            "llGiveInventory(id, \"Hat\");",
            "last = amount; llGiveInventory(id, \"Hat\");",
        ),
        ("llGiveInventory(id, \"Hat\");", "llSay(0, \"thanks\");"),
        ("llSetPayPrice(PAY_HIDE,", "llSetPayPrice(price,"),
    ] {
        assert_eq!(
            with_and_without(text, part, instead),
            [vec!["LSL0724"], NONE],
            "{instead}"
        );
    }
}

#[test]
fn what_is_given_back_as_a_whole_is_not_served() {
    let text = till(
        "integer rate = 10; key renter;",
        " money(key id, integer amount) { if ((amount % rate) != 0) { llGiveMoney(id, (amount % rate)); } renter = id; llSay(0, llKey2Name(renter)); }",
    );
    for (part, instead) in [
        (
            "{ if ((amount",
            "{ if (amount < rate) { llGiveMoney(id, amount); return; } if ((amount",
        ),
        (
            "llGiveMoney(id, (amount % rate))",
            "llSay(0, (string)(amount % rate))",
        ),
        ("renter = id; ", ""),
    ] {
        assert_eq!(
            with_and_without(&text, part, instead),
            [vec!["LSL0727"], NONE],
            "{instead}"
        );
    }
}
