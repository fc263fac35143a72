// The raffle of raffle.lsl, repaired: the winner is taken out of the list.

//@ bound avatars = 3;
//@ bound touch_start.num_detected = 1..1;

//@ ghost key last;
//@ on call llGiveInventory(who, _) { last = who; }

//@ property nobody_wins_twice:
//@     when call llGiveInventory(who, _) require who != old(last);

//@ property winners_have_entered:
//@     when call llGiveInventory(who, _) require llListFindList(entrants, [who]) != -1;

//@ property entered_once:
//@     always llGetListLength(entrants) <= 3;

//@ property drawn_at_last:
//@     in drawing leads to in done;

//@ assume timer keeps firing for drawn_at_last;

list entrants;
integer winners;

default
{
    touch_start(integer n)
    {
        key who = llDetectedKey(0);
        if (llListFindList(entrants, [who]) == -1)
        {
            entrants += [who];
            llSay(0, "You are in.");
        }
        if (llGetListLength(entrants) == 3)
        {
            state drawing;
        }
    }
}

state drawing
{
    state_entry()
    {
        llSetTimerEvent(10.0);
    }

    timer()
    {
        integer i = (integer)llFrand((float)llGetListLength(entrants));
        llGiveInventory(llList2Key(entrants, i), "Prize");
        entrants = llDeleteSubList(entrants, i, i);
        ++winners;
        if (winners == 2)
        {
            state done;
        }
    }
}

state done
{
    state_entry()
    {
        llSetTimerEvent(0.0);
        llSay(0, "The raffle is over.");
    }
}
