// Auctions one object, and holds the highest bid until it is over.
//
// Put the object into this one. The first bid of LEAST or more starts the clock; for TIME seconds
// whoever pays more becomes the highest bidder, and who held that place before gets the money
// back. Lower bids go back at once. At the end the winner gets the object and the next auction can
// begin; if the object is missing, the winner gets the money back instead. It takes and settles
// bids within one state: a `state` change would throw away bids that wait in the queue. It opens
// when its owner has granted debit, and starts anew for a new owner.

integer LEAST = 5;              // in L$
float   TIME  = 300.0;          // seconds

key     leader = NULL_KEY;
integer highest;                // what the leader has paid, in L$

//@ bound amount = 0..15;        // payments, in L$
//@ bound lost-payments = 1;     // wait in the queue when it is emptied
//@ // Without a timer event no auction ends.
//@ assume timer keeps firing for auction_ends;
//@ // A new owner has neither the bids nor granted debit; what the old one holds, and what is paid
//@ // through a pay dialog that was opened before, no script can refund.
//@ assume owner stays for books_balance, auction_ends, winner_gets_object_or_money;
//@
//@ ghost integer held;          // what bidders have paid and not got back, in L$
//@ on paid(id, amount)         { held += amount; }
//@ on call llGiveMoney(who, n) { held -= n; }
//@ on call llGiveInventory(who, item) { held -= highest; }
//@
//@ property books_balance: always held == highest && (highest == 0 || highest >= LEAST);
//@ property bids_only_rise:
//@     when highest changes during money(id, amount)
//@         require highest > old(highest) && highest == amount;
//@ property leader_has_bid: when leader changes during money(id, amount) require leader == id;
//@ property refund_in_full:
//@     when call llGiveMoney(who, n) during money(id, amount)
//@         require (who == leader && n == highest && amount > highest)
//@             || (who == id && n == amount && (amount <= highest || amount < LEAST));
//@ property winner_gets_object_or_money:
//@     timer() if (highest > 0) leads to call llGiveInventory(_, _) || call llGiveMoney(_, _);
//@ property object_is_the_winners:
//@     when call llGiveInventory(who, item) require who == leader && highest >= LEAST;
//@ property object_is_there:
//@     when call llGiveInventory(who, item) require llGetInventoryType(item) != INVENTORY_NONE;
//@ property payouts_succeed:
//@     when call llGiveMoney(who, n) require n > 0 && granted(PERMISSION_DEBIT);
//@ property auction_ends: highest > 0 leads to highest == 0;

// Nobody can pay here: without a `money` handler the viewer offers no "Pay".
default
{
    state_entry()
    {
        llSetText("Closed", <1.0, 0.0, 0.0>, 1.0);
        llRequestPermissions(llGetOwner(), PERMISSION_DEBIT);
    }

    touch_start(integer n)
    {
        if (llDetectedKey(0) == llGetOwner()) llRequestPermissions(llGetOwner(), PERMISSION_DEBIT);
    }

    run_time_permissions(integer perm)
    {
        if (perm & PERMISSION_DEBIT) state bidding;
        llOwnerSay("I need that permission to refund bids. Touch me to try again.");
    }

    changed(integer change)
    {
        if (change & CHANGED_OWNER) llResetScript();
    }
}

state bidding
{
    state_entry()
    {
        llSetText("Bids from L$" + (string)LEAST, <1.0, 1.0, 1.0>, 1.0);
    }

    money(key id, integer amount)
    {
        if (amount <= highest || amount < LEAST)
        {
            if (amount > 0) llGiveMoney(id, amount);
            llRegionSayTo(id, 0, "That is not enough. Here is your money back.");
            return;
        }
        if (highest > 0) llGiveMoney(leader, highest);
        else llSetTimerEvent(TIME);
        leader = id;
        highest = amount;
        llSetText("Highest bid: L$" + (string)highest, <1.0, 1.0, 1.0>, 1.0);
    }

    timer()
    {
        llSetTimerEvent(0.0);
        string object = llGetInventoryName(INVENTORY_OBJECT, 0);
        if (object == "")
        {
            llGiveMoney(leader, highest);
            llRegionSayTo(leader, 0, "Sorry, the object is gone. Here is your money back.");
        }
        else
        {
            llGiveInventory(leader, object);
        }
        leader = NULL_KEY;
        highest = 0;
        llSetText("Bids from L$" + (string)LEAST, <1.0, 1.0, 1.0>, 1.0);
    }

    changed(integer change)
    {
        if (change & CHANGED_OWNER) llResetScript();
    }
}
