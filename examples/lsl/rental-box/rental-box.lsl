// Rental box for a skybox. Pay for some days in advance; three days or more
// bring one day for free. The tenant may touch the box to leave early and get
// the rent of the remaining days back.

integer RENT      = 2;          // L$ a day
integer LONG_STAY = 3;          // days
integer MAX_DAYS  = 4;
float   DAY       = 86400.0;

key     tenant = NULL_KEY;
integer days;                   // left, the free one included

//@ bound amount = 0..10;
//@ bound avatars = 2;
//@ bound lost-payments = 2;    // wait in the queue when it is emptied
//@ assume timer keeps firing for stays_end;
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

default
{
    state_entry()
    {
        tenant = NULL_KEY;
        llSetTimerEvent(0.0);
        llSetText("For rent: L$" + (string)RENT + " a day", <0.0, 1.0, 0.0>, 1.0);
        llRequestPermissions(llGetOwner(), PERMISSION_DEBIT);
    }

    money(key id, integer amount)
    {
        days = amount / RENT;
        if (days < 1 || days > MAX_DAYS)
        {
            llGiveMoney(id, amount);
            llInstantMessage(id, "Please pay for 1 to " + (string)MAX_DAYS + " days.");
            return;
        }
        if (amount % RENT) llGiveMoney(id, amount % RENT);
        tenant = id;
        if (days >= LONG_STAY) days += 1;
        state rented;
    }
}

state rented
{
    state_entry()
    {
        llSetText("Rented to " + llKey2Name(tenant), <1.0, 1.0, 1.0>, 1.0);
        llSetTimerEvent(DAY);
    }

    touch_start(integer count)
    {
        if (llDetectedKey(0) != tenant) return;
        llGiveMoney(tenant, days * RENT);
        llInstantMessage(tenant, "Here is your refund. Good bye!");
        state default;
    }

    timer()
    {
        days -= 1;
        if (days == 0)
        {
            llInstantMessage(tenant, "Your time is up. Good bye!");
            state default;
        }
    }
}
