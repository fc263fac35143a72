// Raffle, second edition: the owner touches the drum to open it, everybody else touches it to get a
// ticket. After ten minutes the winners are drawn, one prize each,
// as long as there are tickets.

string PRIZE  = "Golden Ticket";
integer PRIZES = 2;
float  TIME   = 600.0;
float  PAUSE  = 10.0;

list    tickets;                // keys of those who have a ticket
integer prizes;                 // still to be drawn in this round

//@ bound avatars = 3;
//@ assume timer keeps firing for raffle_ends;
//@
//@ ghost key winner = NULL_KEY; // the latest of this round
//@ on prizes changes if (prizes == PRIZES)   { winner = NULL_KEY; }
//@ on call llGiveInventory(who, item)        { winner = who; }
//@
//@ property winners_have_tickets:
//@   when call llGiveInventory(who, item) require llListFindList(tickets, [who]) != -1;
//@ property nobody_wins_twice:
//@   when call llGiveInventory(who, item) require who != old(winner);
//@ property prizes_only_when_drawn:
//@   when call llGiveInventory(who, item) require in drawing && prizes > 0 && item == PRIZE;
//@ property raffle_ends: in selling || in drawing leads to in default;

default
{
    state_entry()
    {
        tickets = [];
        llSetText("The raffle is closed", <1.0, 0.5, 0.0>, 1.0);
    }

    touch_start(integer n)
    {
        if (llDetectedKey(0) == llGetOwner()) state selling;
    }
}

state selling
{
    state_entry()
    {
        prizes = PRIZES;
        llSetText("Touch me for a ticket!", <0.0, 1.0, 0.0>, 1.0);
        llSetTimerEvent(TIME);
    }

    touch_start(integer n)
    {
        key who = llDetectedKey(0);
        if (llListFindList(tickets, [who]) == -1)
        {
            tickets += [who];
            llRegionSayTo(who, 0, "Your ticket is number " + (string)llGetListLength(tickets));
        }
    }

    timer()
    {
        state drawing;
    }
}

state drawing
{
    state_entry()
    {
        llSetText("And the winner is...", <1.0, 1.0, 0.0>, 1.0);
        llSetTimerEvent(PAUSE);
    }

    timer()
    {
        if (tickets == [] || prizes == 0)
        {
            llSetTimerEvent(0.0);
            state default;
        }
        integer i = (integer)llFrand(llGetListLength(tickets));
        key lucky = llList2Key(tickets, i);
        llSay(0, "Congratulations, " + llKey2Name(lucky) + "!");
        llGiveInventory(lucky, PRIZE);
        tickets = llDeleteSubList(tickets, i, i);   // everybody wins only once
        prizes -= 1;
    }
}
