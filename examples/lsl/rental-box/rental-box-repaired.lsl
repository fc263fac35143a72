// Rental box for a skybox, second edition. Pay for some days in advance; three days
// or more bring one day for free. The tenant may touch the box to leave early and get
// the rent of the remaining days back; the free day is the last one and worth nothing.
// Renting happens within one state: a change of state would throw away a payment that
// is waiting in the queue, and its payer would have neither the place nor the money.

integer RENT      = 2;          // L$ a day
integer LONG_STAY = 3;          // days
integer MAX_DAYS  = 4;
float   DAY       = 86400.0;

key     tenant = NULL_KEY;
integer days;                   // paid and left
integer free;                   // free and left

//@ bound amount = 0..10;
//@ bound avatars = 2;
//@ bound lost-payments = 2;    // wait in the queue when it is emptied
//@ assume timer keeps firing for stays_end;
//@ // The new owner of a box that is sold has not got the rent and has not granted debit.
//@ assume owner stays for rent_buys_a_stay;
//@
//@ ghost integer rent;         // what the tenant has paid for this stay
//@ ghost integer used;         // days of this stay that are over
//@ ghost integer unsettled;    // what came in last and is neither rent nor paid back
//@ on paid(id, amount)
//@   { unsettled = amount; if (tenant == NULL_KEY) { rent = amount; used = 0; } }
//@ on call llGiveMoney(who, n) during money(id, amount)
//@   { unsettled -= n; if (tenant == NULL_KEY) rent -= n; }
//@ on tenant changes during money(id, amount) { unsettled -= days * RENT; }
//@ on timer() { used += 1; }
//@
//@ property refund_within_rent:
//@   when call llGiveMoney(who, n) during touch_start(count)
//@     require who == tenant && n <= rent - used * RENT;
//@ property rent_buys_a_stay: always unsettled == 0;
//@ property payouts_succeed:
//@   when call llGiveMoney(who, n) require n > 0 && granted(PERMISSION_DEBIT);
//@ property stays_end: tenant != NULL_KEY leads to tenant == NULL_KEY;

pay(key who, integer amount)
{
    if (amount > 0) llGiveMoney(who, amount);
}

vacate(string why)
{
    llRegionSayTo(tenant, 0, why);
    tenant = NULL_KEY;
    days = 0;
    free = 0;
    llSetTimerEvent(0.0);
    llSetText("For rent: L$" + (string)RENT + " a day", <0.0, 1.0, 0.0>, 1.0);
}

default
{
    state_entry()
    {
        llSetText("Out of order", <1.0, 0.0, 0.0>, 1.0);
        llRequestPermissions(llGetOwner(), PERMISSION_DEBIT);
    }

    run_time_permissions(integer perm)
    {
        if (perm & PERMISSION_DEBIT) state renting;
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
        vacate("");
    }

    money(key id, integer amount)
    {
        integer wanted = amount / RENT;
        if (tenant != NULL_KEY || wanted < 1 || wanted > MAX_DAYS)
        {
            llRegionSayTo(id, 0, "Sorry, that is not possible now. Here is your money back.");
            pay(id, amount);
            return;
        }
        pay(id, amount % RENT);
        days = wanted;
        tenant = id;
        if (days >= LONG_STAY) free = 1;
        llSetTimerEvent(DAY);
        llSetText("Rented to " + llKey2Name(tenant), <1.0, 1.0, 1.0>, 1.0);
    }

    touch_start(integer count)
    {
        if (llDetectedKey(0) != tenant) return;
        pay(tenant, days * RENT);
        vacate("Here is your refund. Good bye!");
    }

    timer()
    {
        if (days > 0) days -= 1;
        else free -= 1;
        if (days + free == 0) vacate("Your time is up. Good bye!");
    }

    changed(integer change)
    {
        if (change & CHANGED_OWNER) llResetScript();
    }
}
