// Gives one free copy to everybody who touches it, for some time.
//
// Put the gift into the object. The owner touches it to begin: for TIME seconds everybody gets one
// copy, nobody two, and not more than MOST are given, so the list of those who have one cannot
// outgrow the script's memory. After that, or with another touch of the owner, it ends.

integer MOST = 3;               // copies; some hundreds fit into the memory
float   TIME = 3600.0;          // seconds

list    given;                  // who has a copy

//@ bound avatars = 3;
//@ bound touch_start.num_detected = 1..2;
//@ // Nothing else ends it if only the owner is there and does not touch it again.
//@ assume timer keeps firing for it_ends;
//@
//@ ghost integer copies;        // given in this round
//@ on call llGiveInventory(who, item) { copies += 1; }
//@ on state_entry() if (in default)   { copies = 0; }
//@
//@ property one_for_everybody:
//@     when call llGiveInventory(who, item) require llListFindList(given, [who]) == -1;
//@ property all_are_remembered: always in giving -> copies == llGetListLength(given);
//@ property not_too_many: always copies <= MOST;
//@ property gift_is_there:
//@     when call llGiveInventory(who, item) require llGetInventoryType(item) != INVENTORY_NONE;
//@ property only_while_open: when call llGiveInventory(who, item) require in giving;
//@ property it_ends: in giving leads to in default;

default
{
    state_entry()
    {
        given = [];
        llSetTimerEvent(0.0);
        llSetText("No gifts now", <1.0, 1.0, 1.0>, 1.0);
    }

    touch_start(integer n)
    {
        if (llDetectedKey(0) == llGetOwner()) state giving;
    }
}

state giving
{
    state_entry()
    {
        llSetTimerEvent(TIME);
        llSetText("Touch me for a gift", <0.0, 1.0, 0.0>, 1.0);
    }

    // Several touches may come in one event.
    touch_start(integer n)
    {
        integer i;
        for (i = 0; i < n; ++i)
        {
            key who = llDetectedKey(i);
            string gift = llGetInventoryName(INVENTORY_OBJECT, 0);
            if (who == llGetOwner()) state default;
            if (llListFindList(given, [who]) != -1) llRegionSayTo(who, 0, "You have one already.");
            else if (gift == "") llRegionSayTo(who, 0, "Sorry, the gifts are gone.");
            else
            {
                llGiveInventory(who, gift);
                given += [who];
                if (llGetListLength(given) == MOST) state default;
            }
        }
    }

    timer()
    {
        state default;
    }

    changed(integer change)
    {
        if (change & CHANGED_OWNER) llResetScript();
    }
}
