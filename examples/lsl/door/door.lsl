// A door that opens at a touch, closes by itself, and can be locked by a word on channel 7.
//
// Two faults: the timer that closes the door keeps running, and since it swings the door
// whichever way, the door opens again on its own; and whoever knows the channel can unlock it.

//@ bound avatars = 2;

//@ property opens_by_hand:                     // fails
//@     never open changes if (open) during timer();

//@ property only_the_owner_unlocks:            // fails
//@     when locked changes during listen(_, _, id, _) require id == llGetOwner();

//@ property locked_stays_shut:
//@     when open changes if (open) during touch_start(_) require !locked;

//@ property closes_again:
//@     open leads to !open;

//@ assume timer keeps firing for closes_again;
//@ assume owner stays for only_the_owner_unlocks;

integer open;
integer locked;

swing()
{
    open = !open;
    llSetRot(llEuler2Rot(<0.0, 0.0, PI_BY_TWO * open>));
}

default
{
    state_entry()
    {
        llListen(7, "", NULL_KEY, "");
    }

    touch_start(integer n)
    {
        if (!open && !locked)
        {
            swing();
            llSetTimerEvent(10.0);
        }
    }

    listen(integer channel, string name, key id, string message)
    {
        if (message == "lock")
        {
            locked = TRUE;
        }
        else if (message == "unlock")
        {
            locked = FALSE;
        }
    }

    timer()
    {
        swing();
    }
}
