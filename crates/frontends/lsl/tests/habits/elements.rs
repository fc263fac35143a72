//! Suspicions about lists and positions in them.

use super::{NONE, found, till, with_and_without};

#[test]
fn a_position_is_asked_for_before_it_is_used() {
    let text = till(
        "list payers; list amounts; integer kept;",
        " money(key id, integer n) { if (llGetListLength(payers) > 9) llResetScript(); payers += [id]; amounts += [n]; payers = llList2List(payers, -9, -1); amounts = llList2List(amounts, -9, -1); }
 touch_start(integer k) { key who = llDetectedKey(0); integer at = llListFindList(payers, [who]); if (kept) return; llGiveMoney(who, llList2Integer(amounts, at)); }",
    );
    for mended in [
        "if (at == -1) return;",
        "if (~at) llSay(0, \"known\"); else { payers += [who]; amounts += [1]; }",
        "if (llListFindList(payers, [who]) < 0) return;",
        "while (at < 0) { payers += [who]; amounts += [0]; at = llListFindList(payers, [who]); }",
    ] {
        let both = with_and_without(&text, "if (kept) return;", mended);
        assert_eq!(both, [vec!["LSL0717"], NONE], "{mended}");
    }
    // What the script itself has put there is there.
    let own = with_and_without(&text, "[who]); if", "[llGetScriptName()]); if");
    assert_eq!(own, [vec!["LSL0717"], NONE]);
    let drawn = till(
        "list guests = [\"a\", \"b\"];",
        " money(key id, integer n) { llGiveMoney(llList2Key(guests, llCeil(llFrand(2.0)) - 1), n); }",
    );
    assert_eq!(
        with_and_without(&drawn, "llCeil(llFrand(2.0)) - 1", "(integer)llFrand(2.0)"),
        [vec!["LSL0717"], NONE]
    );
}

#[test]
fn lists_side_by_side_are_cut_each_by_itself() {
    let text = "list a; list b; list c;
clean(integer at) { a = llDeleteSubList(a, at, at); b = llDeleteSubList(b, at, at); c = llDeleteSubList(b, at, at); }
default { touch_start(integer n) { clean(n); } }";
    for mended in [
        "c = llDeleteSubList(c, at, at);",
        "c = llListReplaceList(b, [1], at, at);",
        "c = b;",
    ] {
        let both = with_and_without(text, "c = llDeleteSubList(b, at, at);", mended);
        assert_eq!(both, [vec!["LSL0718"], NONE], "{mended}");
    }
    // A copy without the first may be wanted where nothing else is cut alike.
    assert_eq!(
        found(&text.replace("a = llDeleteSubList(a, at, at);", "")),
        NONE
    );
}

#[test]
fn each_element_is_one_thing() {
    let text = "key renter; string name; integer till;
default { state_entry() { list saved = llCSV2List(llGetObjectDesc()); renter = llList2Key(saved, 01); name = llList2String(saved, 1); till = llList2Integer(saved, 2); } }";
    for (part, instead) in [
        ("llList2Key(saved, 01)", "llList2Key(saved, 0)"),
        (
            "renter = llList2Key(saved, 01);",
            "llSay(0, llList2Key(saved, 1));",
        ),
        (
            "llList2Key(saved, 01);",
            "llList2Key(saved, 1); till = llList2Integer(saved, 0);",
        ),
        ("llList2Key(saved, 01)", "llList2String(saved, 1)"),
    ] {
        assert_eq!(
            with_and_without(text, part, instead),
            [vec!["LSL0725"], NONE],
            "{instead}"
        );
    }
}

#[test]
fn what_is_named_is_counted() {
    let text = "default { state_entry() { integer n = llGetInventoryNumber(INVENTORY_OBJECT); while (n--) llSay(0, llGetInventoryName(INVENTORY_SOUND, n)); } }";
    for (part, instead) in [
        ("INVENTORY_SOUND, n", "INVENTORY_OBJECT, n"),
        ("INVENTORY_SOUND, n", "INVENTORY_SOUND, 0"),
        ("(INVENTORY_OBJECT)", "(INVENTORY_ALL)"),
        (
            "(INVENTORY_OBJECT);",
            "(INVENTORY_OBJECT) + llGetInventoryNumber(INVENTORY_SOUND);",
        ),
        ("llGetInventoryNumber(INVENTORY_OBJECT)", "7"),
    ] {
        assert_eq!(
            with_and_without(text, part, instead),
            [vec!["LSL0726"], NONE],
            "{instead}"
        );
    }
    let looped = "default { state_entry() { if (llGetInventoryNumber(INVENTORY_SOUND)) { integer n; for (n = 0; n < llGetInventoryNumber(INVENTORY_OBJECT); ++n) llSay(0, llGetInventoryName(INVENTORY_SOUND, n)); } } }";
    assert_eq!(
        with_and_without(
            looped,
            "n < llGetInventoryNumber(INVENTORY_OBJECT)",
            "n < llGetInventoryNumber(INVENTORY_SOUND)"
        ),
        [vec!["LSL0726"], NONE]
    );
}
