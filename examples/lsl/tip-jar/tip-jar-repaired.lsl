// Club tip jar, second edition.
// The DJ touches the jar to sign in and again to sign out. Every tip is shared
// between the DJ on duty and the host. Odd lindens go to the host.
// The jar takes no money before it may pay out, and asks a new owner again.

integer DJ_SHARE = 70;          // percent, the host gets the rest
key     HOST     = "6d0f7e3c-52b1-4a0e-9c1d-8a4f0be27d15";
float   SHIFT    = 7200.0;      // two hours, then the DJ is signed out

key     dj = NULL_KEY;
integer total;                  // tips of this shift, for the floating text

//@ bound amount = 0..10;
//@ bound avatars = 2;
//@ bound lost-payments = 2;    // wait in the queue when it is emptied
//@ assume timer keeps firing for dj_signs_out;
//@
//@ ghost integer left;         // what is left of the latest tip
//@ on paid(id, amount)         { left = amount; }
//@ on call llGiveMoney(who, n) { left -= n; }
//@
//@ property payouts_within_tip:  always left >= 0;
//@ property payouts_are_money:   when call llGiveMoney(who, n) require n > 0;
//@ property debit_before_payout: when call llGiveMoney(who, n) require granted(PERMISSION_DEBIT);
//@ property partners_only:
//@   when call llGiveMoney(who, n) require who == HOST || (who == dj && dj != NULL_KEY);
//@ property dj_gets_a_share:
//@   money(id, n) if (n > 1 && dj != NULL_KEY) leads to call llGiveMoney(dj, _);
//@ property dj_signs_out:        dj != NULL_KEY leads to dj == NULL_KEY;

show()
{
    string text = "Tips for our DJ: L$" + (string)total;
    if (dj == NULL_KEY) text = "No DJ on duty";
    llSetText(text, <1.0, 0.8, 0.2>, 1.0);
}

signOut()
{
    llSay(0, "Thank you " + llKey2Name(dj) + ", you made L$" + (string)total + "!");
    dj = NULL_KEY;
    llSetTimerEvent(0.0);
    show();
}

pay(key who, integer amount)
{
    // llGiveMoney(who, 0) is a script error, so do not even try
    if (amount > 0) llGiveMoney(who, amount);
}

// No money handler here: nobody can pay until the owner has agreed.
default
{
    state_entry()
    {
        llSetText("Out of order", <1.0, 0.0, 0.0>, 1.0);
        llRequestPermissions(llGetOwner(), PERMISSION_DEBIT);
    }

    touch_start(integer n)
    {
        if (llDetectedKey(0) == llGetOwner()) llRequestPermissions(llGetOwner(), PERMISSION_DEBIT);
    }

    run_time_permissions(integer perm)
    {
        if (perm & PERMISSION_DEBIT) state open;
        llOwnerSay("I cannot share the tips without that. Touch me to try again.");
    }

    changed(integer change)
    {
        if (change & CHANGED_OWNER) llResetScript();
    }
}

state open
{
    state_entry()
    {
        show();
    }

    touch_start(integer n)
    {
        key who = llDetectedKey(0);
        if (who == dj)
        {
            signOut();
        }
        else if (dj == NULL_KEY)
        {
            dj = who;
            total = 0;
            llSetTimerEvent(SHIFT);
            show();
        }
    }

    money(key id, integer amount)
    {
        llSay(0, "Thank you for the tip, " + llKey2Name(id) + "!");
        total += amount;
        integer share;
        if (dj != NULL_KEY) share = amount * DJ_SHARE / 100;
        pay(dj, share);
        pay(HOST, amount - share);
        show();
    }

    timer()
    {
        signOut();
    }

    changed(integer change)
    {
        if (change & CHANGED_OWNER) llResetScript();
    }
}
