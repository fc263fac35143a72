// Door that opens for those on a list.
//
// The owner says "add" or "remove" on CHANNEL, and who touches the door next is put on the list, or
// taken off. So it goes by keys, which nobody can take on, and never by names, which everybody can
// give an object. Who is on the list, and the owner, may open it by touch; it closes by itself. It
// hears nobody but its owner, and forgets the list for a new one.

integer CHANNEL = 7;
integer MOST    = 3;            // on the list; some hundreds fit into the memory

list    allowed;                // keys
integer open;
integer adding;                 // whether who touches it next is put on the list
integer removing;               // or taken off

//@ bound avatars = 3;
//@ // Nothing else closes the door if nobody is there.
//@ assume timer keeps firing for door_closes;
//@
//@ property only_the_owner_decides:
//@     when adding changes during listen(channel, name, id, message)
//@         require id == llGetOwner() && channel == CHANNEL;
//@ property list_grows_when_told:
//@     when allowed changes during touch_start(_) require adding || removing;
//@ property one_each_time: [] (allowed changes -> !adding && !removing);
//@ property only_the_listed_enter:
//@     when call enter(who) require who == llGetOwner() || llListFindList(allowed, [who]) != -1;
//@ property opens_only_to_enter: [] (open changes if (open) -> call enter(_));
//@ property list_is_limited: always llGetListLength(allowed) <= MOST;
//@ property door_closes: open leads to !open;
//@ property new_owner_new_list: owner changes leads to allowed == [];

enter(key who)
{
    open = TRUE;
    llSetTimerEvent(10.0);
}

default
{
    state_entry()
    {
        llListen(CHANNEL, "", llGetOwner(), "");
    }

    touch_start(integer n)
    {
        key who = llDetectedKey(0);
        integer place = llListFindList(allowed, [who]);
        if (adding)
        {
            if (place == -1 && llGetListLength(allowed) < MOST) allowed += [who];
            adding = FALSE;
        }
        else if (removing)
        {
            if (place != -1) allowed = llDeleteSubList(allowed, place, place);
            removing = FALSE;
        }
        else if (who == llGetOwner() || place != -1) enter(who);
        else llRegionSayTo(who, 0, "You are not on the list.");
    }

    listen(integer channel, string name, key id, string message)
    {
        adding = message == "add";
        removing = message == "remove";
    }

    timer()
    {
        open = FALSE;
        llSetTimerEvent(0.0);
    }

    changed(integer change)
    {
        if (change & CHANGED_OWNER) llResetScript();
    }
}
