// Rents a place, and lets the tenant pay for more days before the time is up.
//
// A payment must be for one or more whole days, and not for more than MOST days ahead. Anything
// else goes back: wrong amounts, stays that would be too long, and what anybody but the tenant
// pays while the place is taken. When the time is up the place is free again. The box opens when
// its owner has granted debit, and starts anew for a new owner.

integer RENT = 10;              // L$ a day
integer MOST = 3;               // days ahead
float   DAY  = 86400.0;         // seconds

key     tenant = NULL_KEY;
integer days;                   // that the tenant has paid for and not used up

//@ bound amount = 0..40;        // payments, in L$
//@ bound lost-payments = 1;     // wait in the queue when it is emptied
//@ // Without a timer event the tenant stays for ever.
//@ assume timer keeps firing for stays_end;
//@ // A pay dialog that was opened under the old owner can pay the new one, whose permission the
//@ // box does not have yet. No script can refund that.
//@ assume owner stays for rent_or_money_back, refund_to_the_payer;
//@
//@ ghost key payer;             // who paid last
//@ ghost integer owed;          // what they have neither got days for nor back, in L$
//@ on paid(id, amount) { payer = id; owed = amount; }
//@ on call llGiveMoney(who, n) when who == payer && n == owed { owed = 0; }
//@ on days changes when tenant == payer && (days - old(days)) * RENT == owed { owed = 0; }
//@
//@ property rent_or_money_back: always owed == 0;
//@ property refund_to_the_payer:
//@     when call llGiveMoney(who, n) require who == payer && n == old(owed);
//@ property payouts_succeed:
//@     when call llGiveMoney(who, n) require n > 0 && granted(PERMISSION_DEBIT);
//@ property nobody_is_displaced:
//@     when tenant changes during money(id, amount) require old(tenant) == NULL_KEY && tenant == id;
//@ property a_day_is_a_day: when days changes during timer() require days == old(days) - 1;
//@ property not_evicted_early: when tenant changes during timer() require days == 0;
//@ property stay_is_limited: always 0 <= days && days <= MOST && (days == 0 || tenant != NULL_KEY);
//@ property stays_end:
//@     tenant != NULL_KEY leads to tenant == NULL_KEY || money(tenant, _);

refund(key who, integer amount, string why)
{
    if (amount > 0) llGiveMoney(who, amount);
    llRegionSayTo(who, 0, why + " Here is your money back.");
}

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
        if (perm & PERMISSION_DEBIT) state renting;
        llOwnerSay("I need that permission to refund wrong amounts. Touch me to try again.");
    }

    changed(integer change)
    {
        if (change & CHANGED_OWNER) llResetScript();
    }
}

state renting
{
    state_entry()
    {
        llSetPayPrice(RENT, [RENT, RENT * 2, RENT * 3, PAY_HIDE]);
        llSetText("For rent: L$" + (string)RENT + " a day", <0.0, 1.0, 0.0>, 1.0);
    }

    money(key id, integer amount)
    {
        integer more = amount / RENT;
        if (tenant != NULL_KEY && tenant != id)
        {
            refund(id, amount, "The place is taken.");
        }
        else if (more < 1 || more * RENT != amount)
        {
            refund(id, amount, "A day is L$" + (string)RENT + ".");
        }
        else if (more > MOST - days)
        {
            refund(id, amount, "Not more than " + (string)MOST + " days ahead.");
        }
        else
        {
            // An extension must not start the day anew.
            if (tenant == NULL_KEY) llSetTimerEvent(DAY);
            tenant = id;
            days += more;
            llSetText("Rented", <1.0, 1.0, 1.0>, 1.0);
            llRegionSayTo(id, 0, "The place is yours for " + (string)days + " days.");
        }
    }

    timer()
    {
        --days;
        if (days > 0) return;
        llRegionSayTo(tenant, 0, "Your time is up. Good bye!");
        tenant = NULL_KEY;
        llSetTimerEvent(0.0);
        llSetText("For rent: L$" + (string)RENT + " a day", <0.0, 1.0, 0.0>, 1.0);
    }

    changed(integer change)
    {
        if (change & CHANGED_OWNER) llResetScript();
    }
}
