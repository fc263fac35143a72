// The auction of auction.lsl, repaired. All eleven properties hold.
//
// Bids are taken, settled and refused within one state, told apart by the flag `closed`: any
// `state` change discards the payments that wait in the queue, and the owner keeps them unseen.
// Nobody can pay before that state is entered, because `default` has no `money` handler.

//@ bound amount = 0..10;           // payments, in L$
//@ bound bidders = 5;
//@ bound events-per-timer = 10;    // at most so many events between two timer events

//@ assume owner grants PERMISSION_DEBIT for ends;
//@ assume timer keeps firing for prize_delivered, ends;
//@ assume owner stays for prize_delivered, ends, books_balance;   // a new owner starts anew
//@ assume inventory stays for prize_delivered;      // an owner who takes the prize out: refund
//@ assume queue never overflows for books_balance;  // 64 bids within one second

//@ property rising_bids:
//@     when high_bid changes during money(id, amount)
//@         require high_bid > old(high_bid) && high_bid == amount && !closed;

//@ property winner_outbid_others:
//@     when high_bidder changes during money(id, amount)
//@         require amount > old(high_bid) && high_bidder == id && !closed;

//@ property prize_delivered:
//@     high_bidder changes if (high_bidder != NULL_KEY)
//@         leads to call llGiveInventory(high_bidder, prize);

//@ property only_winner_gets_prize:
//@     when call llGiveInventory(who, item)
//@         require closed && who == high_bidder && item == prize;

//@ property leader_refunded_only_if_outbid:
//@     when call llGiveMoney(who, n) during money(id, amount)
//@         if (who == high_bidder && who != id)
//@             require !closed && amount > high_bid && n == high_bid;

//@ property bidder_refunded_only_if_low:
//@     when call llGiveMoney(who, n) during money(id, amount)
//@         if (who == id && who != high_bidder)
//@             require (closed || amount <= high_bid) && n == amount;

//@ property ends:
//@     eventually closed;

//@ ghost integer held;                         // what the bidders have paid and not got back
//@ on paid(id, amount)         { held += amount; }
//@ on call llGiveMoney(who, n) { held -= n; }

//@ property books_balance:
//@     always held == high_bid;

//@ property can_refund:
//@     when call llGiveMoney(who, n) require n > 0 && granted(PERMISSION_DEBIT);

//@ property prize_exists:
//@     when call llGiveInventory(who, item) require llGetInventoryType(item) != INVENTORY_NONE;

//@ property new_owner_new_auction:
//@     owner changes leads to in default;

string prize;
key high_bidder;
integer high_bid;
integer closed;

refund(key who, integer n)
{
    if (n > 0 && (llGetPermissions() & PERMISSION_DEBIT))
    {
        llGiveMoney(who, n);
    }
}

default
{
    state_entry()
    {
        llSetText("Initializing", <1,1,1>, 1.0);
        llRequestPermissions(llGetOwner(), PERMISSION_DEBIT);
    }

    run_time_permissions(integer perm)
    {
        if (perm & PERMISSION_DEBIT)
        {
            state auction;
        }
        llOwnerSay("I cannot refund bids without your leave to pay.");
        llRequestPermissions(llGetOwner(), PERMISSION_DEBIT);
    }

    changed(integer change)
    {
        if (change & CHANGED_OWNER)
        {
            llResetScript();
        }
    }
}

state auction
{
    state_entry()
    {
        high_bidder = NULL_KEY;
        high_bid = 0;
        prize = llGetInventoryName(INVENTORY_OBJECT, 0);
        if (prize == "")
        {
            closed = TRUE;
            llSetText("Nothing to sell", <1,1,1>, 1.0);
        }
        else
        {
            llSetText(prize + "\nBidding open!\n0", <1,1,1>, 1.0);
            llSetTimerEvent(300);
        }
    }

    money(key id, integer amount)
    {
        if (closed)
        {
            refund(id, amount);
            llRegionSayTo(id, 0, "The bidding is closed.");
        }
        else if (amount > high_bid)
        {
            if (high_bidder != NULL_KEY)
            {
                refund(high_bidder, high_bid);
            }
            high_bidder = id;
            high_bid = amount;
            llSetText(prize + "\n" + llKey2Name(id) + "\n" + (string)amount, <1,1,1>, 1.0);
        }
        else
        {
            refund(id, amount);
            llRegionSayTo(id, 0, "You did not offer enough to outbid the highest bidder.");
        }
    }

    timer()
    {
        llSetTimerEvent(0);
        closed = TRUE;
        if (high_bidder == NULL_KEY)
        {
            llSetText(prize + "\nBidding closed.", <1,1,1>, 1.0);
        }
        else if (llGetInventoryType(prize) == INVENTORY_NONE)
        {
            refund(high_bidder, high_bid);
            high_bidder = NULL_KEY;
            high_bid = 0;
            llSetText("The prize is gone; the highest bid has been refunded.", <1,1,1>, 1.0);
        }
        else
        {
            llSetText(prize + "\nBidding closed!\n" + llKey2Name(high_bidder) + " wins!", <1,1,1>, 1.0);
            llGiveInventory(high_bidder, prize);
        }
    }

    changed(integer change)
    {
        if (change & CHANGED_OWNER)
        {
            llResetScript();
        }
    }
}
