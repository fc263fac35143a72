// The tip jar of tip_jar.lsl, repaired: it waits for the permission to pay before it takes tips,
// and carries over what is too small to be paid.

//@ bound amount = 1..5;
//@ bound avatars = 2;

//@ ghost integer due;                          // what the partner should still get, in L$ 1/100
//@ on paid(id, amount)                 { due += amount * percent; }
//@ on call llGiveMoney(partner, n) if (granted(PERMISSION_DEBIT)) { due -= n * 100; }

//@ property partner_gets_share:
//@     always 0 <= due && due < 100;

//@ property can_pay:
//@     when call llGiveMoney(who, n) require n > 0 && granted(PERMISSION_DEBIT);

//@ property nobody_else_is_paid:
//@     when call llGiveMoney(who, _) require who == partner;

//@ assume owner stays for partner_gets_share;
//@ assume queue never overflows for partner_gets_share;

key partner = "9a3f1c52-5b1e-4d0a-8f66-0c1f2d3e4b5a";
integer percent = 50;
integer carried;
integer total;

default
{
    state_entry()
    {
        llSetText("Not open yet", <1.0, 1.0, 0.0>, 1.0);
        llRequestPermissions(llGetOwner(), PERMISSION_DEBIT);
    }

    run_time_permissions(integer perm)
    {
        if (perm & PERMISSION_DEBIT)
        {
            state collecting;
        }
    }

    changed(integer change)
    {
        if (change & CHANGED_OWNER)
        {
            llResetScript();
        }
    }
}

state collecting
{
    state_entry()
    {
        llSetText("Tips welcome", <1.0, 1.0, 0.0>, 1.0);
    }

    money(key id, integer amount)
    {
        total += amount;
        carried += amount * percent;
        integer share = carried / 100;
        if (share > 0 && (llGetPermissions() & PERMISSION_DEBIT))
        {
            carried -= share * 100;
            llGiveMoney(partner, share);
        }
        llSetText("Tips so far: L$" + (string)total, <1.0, 1.0, 0.0>, 1.0);
        llRegionSayTo(id, 0, "Thank you!");
    }

    changed(integer change)
    {
        if (change & CHANGED_OWNER)
        {
            llResetScript();
        }
    }
}
