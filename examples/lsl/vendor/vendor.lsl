// Sells one picture, once, and gives change.
//
// The fault: after the sale the script goes to another state. Payments that wait at that moment
// are discarded with the queue, and a pay dialog that is still open on somebody's screen pays
// into a state that does not listen. Either way the owner keeps the money and the buyer gets
// nothing.

//@ bound amount = 0..6;
//@ bound avatars = 2;

//@ ghost integer held;                         // money that belongs to buyers
//@ on paid(id, amount)            { held += amount; }
//@ on call llGiveMoney(who, n)    { held -= n; }
//@ on call llGiveInventory(_, _)  { held -= price; }

//@ property nobody_is_cheated:                 // fails
//@     always held == 0;

//@ property sold_to_who_pays:
//@     when call llGiveInventory(who, item) during money(id, amount)
//@         require who == id && amount >= price && item == picture;

//@ property change_is_right:
//@     when call llGiveMoney(who, n) during money(id, amount)
//@         require who == id && n > 0 && (n == amount || n == amount - price);

//@ property sold_once:
//@     always copies <= 1;
//@ ghost integer copies;
//@ on call llGiveInventory(_, _) { ++copies; }

//@ assume owner stays for nobody_is_cheated;

string picture = "Sunset";
integer price = 5;

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
            state selling;
        }
    }
}

state selling
{
    state_entry()
    {
        llSetText(picture + ": L$" + (string)price, <1.0, 1.0, 1.0>, 1.0);
    }

    money(key id, integer amount)
    {
        if (amount < price)
        {
            if (amount > 0)
            {
                llGiveMoney(id, amount);
            }
            return;
        }
        if (amount > price)
        {
            llGiveMoney(id, amount - price);
        }
        llGiveInventory(id, picture);
        state sold;
    }
}

state sold
{
    state_entry()
    {
        llSetText("Sold", <1.0, 0.0, 0.0>, 1.0);
    }
}
