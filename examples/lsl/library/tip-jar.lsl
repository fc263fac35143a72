// Tip jar that gives back a tip paid by mistake.
//
// Thanks for every tip of at least LEAST; what is less, it sends back. Who has just tipped may
// touch the jar within UNDO seconds and gets that tip back, once. Then, or with the next tip, the
// tip is final. The jar opens when its owner has granted debit, and starts anew for a new owner.

integer LEAST = 10;             // in L$
float   UNDO  = 60.0;           // seconds

key     tipper;                 // who gave the latest tip
integer tip;                    // what they may still take back, in L$

//@ bound amount = 0..15;        // payments, in L$
//@ bound lost-payments = 1;     // wait in the queue when it is emptied
//@ // Without a timer event no tip becomes final, unless another comes.
//@ assume timer keeps firing for tips_become_final;
//@ // A pay dialog that was opened under the old owner can pay the new one, whose permission the
//@ // jar does not have yet. No script can refund that.
//@ assume owner stays for small_tips_return, undo_is_offered;
//@
//@ ghost key payer;             // who paid last
//@ ghost integer small;         // what is left of that payment, if it was less than LEAST
//@ ghost key giver;             // who gave the latest tip
//@ ghost integer given;         // what of it they may take back, in L$
//@ on paid(id, amount)
//@ {
//@     payer = id;
//@     small = 0;
//@     if (amount < LEAST) small = amount;
//@     else { giver = id; given = amount; }
//@ }
//@ on call llGiveMoney(who, n) during money(_, _)    { small -= n; }
//@ on call llGiveMoney(who, n) during touch_start(_) { given = 0; }
//@ on timer()                                        { given = 0; }
//@
//@ property small_tips_return: always small == 0;
//@ property small_tips_return_to_the_payer:
//@     when call llGiveMoney(who, n) during money(_, _) require who == payer && n == old(small);
//@ property undo_once_and_for_the_giver:
//@     when call llGiveMoney(who, n) during touch_start(_) require who == giver && n == old(given);
//@ property undo_is_offered: always given == tip && (given > 0 -> giver == tipper);
//@ property payouts_succeed:
//@     when call llGiveMoney(who, n) require n > 0 && granted(PERMISSION_DEBIT);
//@ property tips_become_final: tip > 0 leads to tip == 0;

// Nobody can pay here: without a `money` handler the viewer offers no "Pay".
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
        llOwnerSay("I need that permission to give tips back. Touch me to try again.");
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
        llSetPayPrice(LEAST, [LEAST, LEAST * 2, LEAST * 5, LEAST * 10]);
        llSetText("Tips are welcome", <0.0, 1.0, 0.0>, 1.0);
    }

    money(key id, integer amount)
    {
        if (amount < LEAST)
        {
            if (amount > 0) llGiveMoney(id, amount);
            llRegionSayTo(id, 0, "Tips are L$" + (string)LEAST + " or more. Here is yours back.");
            return;
        }
        tipper = id;
        tip = amount;
        llSetTimerEvent(UNDO);
        llRegionSayTo(id, 0, "Thank you! Touch me within a minute to take your tip back.");
    }

    touch_start(integer n)
    {
        key who = llDetectedKey(0);
        if (tip == 0 || who != tipper) return;
        llGiveMoney(tipper, tip);
        llRegionSayTo(tipper, 0, "Here is your tip back.");
        tip = 0;
        llSetTimerEvent(0.0);
    }

    timer()
    {
        tip = 0;
        llSetTimerEvent(0.0);
    }

    changed(integer change)
    {
        if (change & CHANGED_OWNER) llResetScript();
    }
}
