// A door. Touch it and it swings open; touch it again, or wait, and it closes.
// The owner says "lock" or "unlock" on channel 5.

integer CHANNEL = 5;
float   DELAY   = 8.0;          // seconds
vector  SWING   = <0.0, 0.0, 90.0>;

integer locked = FALSE;

//@ bound avatars = 2;
//@ assume timer keeps firing for open_door_closes;
//@
//@ property open_door_closes:    in open leads to in default;
//@ property locked_door_is_shut: always !(locked && in open);
//@ property touch_opens: touch_start(n) if (in default && !locked) leads to in open;
//@ property only_owner_locks:
//@   when locked changes during listen(channel, name, id, message)
//@     require id == llGetOwner() && channel == CHANNEL;
//@ property does_as_told:
//@   when locked changes during listen(channel, name, id, message)
//@     require (locked && message == "lock") || (!locked && message == "unlock");

swing(integer direction)
{
    rotation turn = llEuler2Rot(SWING * DEG_TO_RAD * direction);
    llSetLocalRot(turn * llGetLocalRot());
    llPlaySound("creak", 1.0);
}

// Only the owner is heard. A change of state ends all listens, so each state has its own.
hearOwner()
{
    llListen(CHANNEL, "", llGetOwner(), "");
}

default
{
    state_entry()
    {
        llSetTimerEvent(0.0);
        hearOwner();
    }

    touch_start(integer n)
    {
        if (locked) llPlaySound("rattle", 1.0);
        else state open;
    }

    listen(integer channel, string name, key id, string message)
    {
        if (message == "lock") locked = TRUE;
        else if (message == "unlock") locked = FALSE;
    }

    changed(integer change)
    {
        // the listen still hears the old owner
        if (change & CHANGED_OWNER) llResetScript();
    }
}

state open
{
    state_entry()
    {
        swing(1);
        hearOwner();
        llSetTimerEvent(DELAY);
    }

    touch_start(integer n)
    {
        state default;
    }

    listen(integer channel, string name, key id, string message)
    {
        if (message == "lock")
        {
            locked = TRUE;
            state default;
        }
    }

    timer()
    {
        state default;
    }

    changed(integer change)
    {
        if (change & CHANGED_OWNER) state default;
    }

    state_exit()
    {
        swing(-1);
    }
}
