// The door of door.lsl, repaired: the timer closes the door and stops, and only the owner is
// listened to.

//@ bound avatars = 2;

//@ property opens_by_hand:
//@     never open changes if (open) during timer();

//@ property only_the_owner_unlocks:
//@     when locked changes during listen(_, _, id, _) require id == llGetOwner();

//@ property locked_stays_shut:
//@     when open changes if (open) during touch_start(_) require !locked;

//@ property closes_again:
//@     open leads to !open;

//@ assume timer keeps firing for closes_again;

integer open;
integer locked;

swing(integer to)
{
    open = to;
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
            swing(TRUE);
            llSetTimerEvent(10.0);
        }
    }

    listen(integer channel, string name, key id, string message)
    {
        if (id != llGetOwner())
        {
            return;
        }
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
        llSetTimerEvent(0.0);
        swing(FALSE);
    }
}
