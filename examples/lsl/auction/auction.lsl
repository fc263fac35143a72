// The same auction as in paper.lsl. The seven properties of the paper hold; four more that
// bidders and owners would expect do not, and each failure is a way to lose money.

//@ bound amount = 0..10;           // payments, in L$
//@ bound bidders = 5;
//@ bound events-per-timer = 10;    // at most so many events between two timer events
//@ bound lost-payments = 2;        // payments that wait when the state changes

//@ assume owner grants PERMISSION_DEBIT for ends;       // without: nothing ever starts
//@ assume timer keeps firing for prize_delivered, ends;  // without: time may stand still

//@ property rising_bids:                       // 1: never replaced by an equal or lower bid
//@     when high_bid changes during money(id, amount)
//@         require high_bid > old(high_bid) && high_bid == amount;

//@ property winner_outbid_others:              // 2: who leads has outbid the leader before
//@     when high_bidder changes during money(id, amount)
//@         require amount > old(high_bid) && high_bidder == id;

//@ property prize_delivered:                   // 3: whoever leads: in the end the leader gets it
//@     high_bidder changes if (high_bidder != NULL_KEY)
//@         leads to call llGiveInventory(high_bidder, prize);

//@ property only_winner_gets_prize:            // 4
//@     when call llGiveInventory(who, item)
//@         require in closed && who == high_bidder && item == prize;

//@ property leader_refunded_only_if_outbid:    // 5
//@     when call llGiveMoney(who, n) during money(id, amount)
//@         if (who == high_bidder && who != id)
//@             require amount > high_bid && n == high_bid;

//@ property bidder_refunded_only_if_low:       // 6
//@     when call llGiveMoney(who, n) during money(id, amount)
//@         if (who == id && who != high_bidder)
//@             require amount <= high_bid && n == amount;

//@ property ends:                              // 7: termination
//@     eventually in closed;

//@ ghost integer held;                         // what the bidders have paid and not got back
//@ on paid(id, amount)         { held += amount; }
//@ on call llGiveMoney(who, n) { held -= n; }

//@ property books_balance:                     // fails: a bid lost at `state closed` is kept
//@     always held == high_bid;

//@ property can_refund:                        // fails: L$0 cannot be refunded, nor without leave
//@     when call llGiveMoney(who, n) require n > 0 && granted(PERMISSION_DEBIT);

//@ property prize_exists:                      // fails: nobody looks whether the box is empty
//@     when call llGiveInventory(who, item) require llGetInventoryType(item) != INVENTORY_NONE;

//@ property new_owner_new_auction:             // fails: the buyer of the box inherits the auction
//@     owner changes leads to in default;

string prize;
string high_bidder_name;
key high_bidder;
integer high_bid;

default
{
    state_entry()
    {
        llSetText("Initializing", <1,1,1>, 1.0);
        prize=llGetInventoryName(INVENTORY_OBJECT, 0);
        llSetText(prize, <1,1,1>, 1.0);
        llRequestPermissions(llGetOwner(), PERMISSION_DEBIT);
    }

    run_time_permissions(integer perm)
    {
        state auction;
    }
}

state auction
{
    state_entry()
    {
        high_bidder=NULL_KEY;
        high_bid=0;
        llSetText(prize+" \n Bidding Open! \n 0", <1,1,1>, 1.0);
        llSetTimerEvent(300);
    }

    money(key id, integer amount)
    {
        if(amount > high_bid)
        {
            if(high_bidder != NULL_KEY)
            {
                llOwnerSay("Refund:"+(string)high_bidder+" "+(string)high_bid);
                llGiveMoney(high_bidder, high_bid);
            }
            high_bidder=id;
            high_bidder_name=llKey2Name(high_bidder);
            high_bid=amount;
            llSetText(prize+" \n "+high_bidder_name+" \n "+(string)high_bid,
                <1,1,1>, 1.0);
        }
        else
        {
            llOwnerSay("Refund:"+(string)id+" "+(string)amount);
            llGiveMoney(id, amount);
            llInstantMessage(id, "You did not offer enough to outbid the highest bidder");
        }
    }

    timer()
    {
        state closed;
    }
}

state closed
{
    state_entry()
    {
        if(high_bidder != NULL_KEY)
        {
            llSetText(prize+" \n Bidding Closed! \n "+high_bidder_name+" wins! \n "+(string)high_bid, <1,1,1>, 1.0);
            llOwnerSay("Award:"+(string)high_bidder+" "+prize);
            llGiveInventory(high_bidder, prize);
        }
        else
        {
            llSetText(prize+" \n Bidding Closed.", <1,1,1>, 1.0);
        }
    }
}
