// Dialog menu for one user at a time.
//
// Who touches the object gets the menu, unless somebody else has it. Only this user's answer
// counts, and only if it is a button of the menu: text on that channel may come from anybody. The listen ends with the answer or after thirty seconds: a
// change of state ends all listens, so there is never more than one. Put what the buttons do into `chosen`.

integer CHANNEL = -48151623;    // negative, so that nobody can type on it by hand
list    MENU    = ["Red", "Green", "Blue"];

key     user = NULL_KEY;         // who has the menu

//@ // An ignored dialog gives no answer: without a timer event the menu stays taken.
//@ assume timer keeps firing for menu_comes_free;
//@
//@ property only_the_user_chooses:
//@     when call chosen(who, what) during listen(c, name, id, message)
//@         require in asking && who == user && id == user && what == message && c == CHANNEL;
//@ property only_buttons_count:
//@     when call chosen(who, what) require what == "Red" || what == "Green" || what == "Blue";
//@ property listens_while_asking_only:
//@     when call llListen(c, name, id, message) require in asking && c == CHANNEL;
//@ property one_listen_at_most: never call llListen(_, _, _, _) during touch_start(_);
//@ property nobody_is_pushed_aside: never user changes during touch_start(_) if (in asking);
//@ property menu_comes_free: in asking leads to in default;

// What the buttons do.
chosen(key who, string what)
{
    llRegionSayTo(who, 0, "You have chosen " + what + ".");
}

hear()
{
    llListen(CHANNEL, "", NULL_KEY, "");
}

default
{
    touch_start(integer n)
    {
        user = llDetectedKey(0);
        state asking;
    }
}

state asking
{
    state_entry()
    {
        hear();
        llSetTimerEvent(30.0);
        llDialog(user, "Which colour?", MENU, CHANNEL);
    }

    touch_start(integer n)
    {
        key who = llDetectedKey(0);
        if (who == user) llDialog(user, "Which colour?", MENU, CHANNEL);
        else llRegionSayTo(who, 0, "Somebody else has the menu. Please wait.");
    }

    listen(integer channel, string name, key id, string message)
    {
        if (id != user) return;
        if (message != "Red" && message != "Green" && message != "Blue") return;
        chosen(id, message);
        state default;
    }

    timer()
    {
        llRegionSayTo(user, 0, "Too late. Touch me again.");
        state default;
    }

    changed(integer change)
    {
        if (change & CHANGED_OWNER) llResetScript();
    }

    // The timer survives a change of state, the listen does not.
    state_exit()
    {
        llSetTimerEvent(0.0);
    }
}
