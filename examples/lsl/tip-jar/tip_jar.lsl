// A tip jar that shares each tip with a partner, half and half.
//
// Two faults, both common: the jar takes tips before the owner has allowed it to pay, so those
// are never shared; and half of L$1 is L$0, which nobody can be paid, so small tips are not
// shared either.

//@ bound amount = 1..5;
//@ bound avatars = 2;

//@ ghost integer due;                          // what the partner should still get, in L$ 1/100
//@ on paid(id, amount)                 { due += amount * percent; }
//@ on call llGiveMoney(partner, n) if (granted(PERMISSION_DEBIT)) { due -= n * 100; }

//@ property partner_gets_share:                // fails
//@     always 0 <= due && due < 100;

//@ property can_pay:                           // fails
//@     when call llGiveMoney(who, n) require n > 0 && granted(PERMISSION_DEBIT);

//@ property nobody_else_is_paid:
//@     when call llGiveMoney(who, _) require who == partner;

//@ assume owner stays for partner_gets_share;

key partner = "9a3f1c52-5b1e-4d0a-8f66-0c1f2d3e4b5a";
integer percent = 50;
integer total;

default
{
    state_entry()
    {
        llSetText("Tips welcome", <1.0, 1.0, 0.0>, 1.0);
        llRequestPermissions(llGetOwner(), PERMISSION_DEBIT);
    }

    money(key id, integer amount)
    {
        total += amount;
        llGiveMoney(partner, amount * percent / 100);
        llSetText("Tips so far: L$" + (string)total, <1.0, 1.0, 0.0>, 1.0);
        llRegionSayTo(id, 0, "Thank you!");
    }
}
