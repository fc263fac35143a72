// Shares every payment between the owner and a partner.
//
// The partner gets PERCENT of each payment, rounded down; what is left stays with the owner, whose
// it is anyway. It works out the share so that no payment is too large for it: `amount * PERCENT`
// would overflow from L$30,678,338 on. It takes money only while it may pay the partner, and
// starts anew for a new owner.

key     PARTNER = "6d0f7e3c-52b1-4a0e-9c1d-8a4f0be27d15";
integer PERCENT = 70;

//@ // A pay dialog that was opened under the old owner can pay the new one, whose permission the
//@ // splitter does not have yet.
//@ assume owner stays for partner_is_paid;
//@
//@ ghost integer due;           // whether the partner waits for a share of the latest payment
//@ on paid(id, amount) { due = amount >= 2; }
//@ on call llGiveMoney(who, n) when who == PARTNER { due = FALSE; }
//@
//@ property partner_is_paid: always !due;
//@ property only_the_partner_and_once:
//@     when call llGiveMoney(who, n) require who == PARTNER && old(due);
//@ property the_share_is_right:
//@     when call llGiveMoney(who, n) during money(id, amount)
//@         require n == amount / 100 * PERCENT + amount % 100 * PERCENT / 100;
//@ property never_more_than_received:
//@     when call llGiveMoney(who, n) during money(id, amount) require n <= amount;
//@ property payouts_succeed:
//@     when call llGiveMoney(who, n) require n > 0 && granted(PERMISSION_DEBIT);

// Nobody can pay here: without a `money` handler the viewer offers no "Pay".
default
{
    state_entry()
    {
        llSetText("Closed", <1.0, 0.0, 0.0>, 1.0);
        llRequestPermissions(llGetOwner(), PERMISSION_DEBIT);
    }

    touch_start(integer n)
    {
        if (llDetectedKey(0) == llGetOwner()) llRequestPermissions(llGetOwner(), PERMISSION_DEBIT);
    }

    run_time_permissions(integer perm)
    {
        if (perm & PERMISSION_DEBIT) state open;
        llOwnerSay("I need that permission to pay your partner. Touch me to try again.");
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
        llSetText("Open", <0.0, 1.0, 0.0>, 1.0);
    }

    money(key id, integer amount)
    {
        integer share = amount / 100 * PERCENT + amount % 100 * PERCENT / 100;
        if (share > 0) llGiveMoney(PARTNER, share);
        llRegionSayTo(id, 0, "Thank you!");
    }

    changed(integer change)
    {
        if (change & CHANGED_OWNER) llResetScript();
    }
}
