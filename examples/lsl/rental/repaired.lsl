// The rental box of rental.lsl, repaired: too little is refused, and change is given.

//@ bound amount = 1..9;
//@ bound avatars = 2;

//@ ghost integer held;                         // money for which there is no day
//@ on paid(id, amount)               { held += amount; }
//@ on call llGiveMoney(who, n)       { held -= n; }
//@ on days changes during money(_, _) { held -= (days - old(days)) * rent; }

//@ property no_free_ride:
//@     always rented -> days > 0;

//@ property every_coin_counts:
//@     always held == 0;

//@ property tenant_is_safe:                    // nobody takes over a room that is paid for
//@     when tenant changes during money(id, _) require old(days) == 0;

//@ property at_most_three_days:
//@     always days <= 3;

//@ property day_ends:                          // a tenant who pays no more leaves
//@     timer() leads to !rented || money(_, _);

//@ assume timer keeps firing for day_ends;
//@ assume owner stays for every_coin_counts;
//@ assume queue never overflows for every_coin_counts;

integer rent = 3;
integer rented;
key tenant;
integer days;

default
{
    state_entry()
    {
        llRequestPermissions(llGetOwner(), PERMISSION_DEBIT);
    }

    run_time_permissions(integer perm)
    {
        if (perm & PERMISSION_DEBIT)
        {
            state open;
        }
    }
}

state open
{
    state_entry()
    {
        llSetText("Free: L$" + (string)rent + " a day", <0.0, 1.0, 0.0>, 1.0);
        llSetTimerEvent(86400.0);
    }

    money(key id, integer amount)
    {
        integer bought = amount / rent;
        if (bought == 0 || days + bought > 3 || (rented && id != tenant))
        {
            llGiveMoney(id, amount);
            return;
        }
        if (amount % rent > 0)
        {
            llGiveMoney(id, amount % rent);
        }
        rented = TRUE;
        if (id != tenant)
        {
            tenant = id;
        }
        days += bought;
    }

    timer()
    {
        if (days > 0)
        {
            --days;
        }
        if (days == 0 && rented)
        {
            rented = FALSE;
            tenant = NULL_KEY;
            llSetText("Free: L$" + (string)rent + " a day", <0.0, 1.0, 0.0>, 1.0);
        }
    }
}
