// The till of a vendor, in the root prim. It takes the money and asks the shelf, in another prim,
// whether there is a hat left. What it knows of a sale travels with the question and comes back with
// the answer, so it does not matter who else pays meanwhile.

integer PRICE = 10;
string HAT = "hat";
integer sold;

//@ assume owner grants PERMISSION_DEBIT;
//@ assume owner stays for never_twice;
//@ bound amount = 9..11;

// What was paid and not yet answered for, with a hat or with money.
//@ ghost integer held;
//@ on paid(id, amount) { held += amount; }
//@ on call llGiveMoney(who, n) { held -= n; }
//@ on call llGiveInventory(who, item) { held -= PRICE; }

//@ property never_twice: always held >= 0;
//@ property right_buyer: when call llGiveInventory(who, item) during link_message(sender, n, word, id)
//@     require who == id;

default
{
    state_entry()
    {
        llRequestPermissions(llGetOwner(), PERMISSION_DEBIT);
    }

    run_time_permissions(integer perm)
    {
        if (perm & PERMISSION_DEBIT) state open;
    }

    changed(integer change)
    {
        if (change & CHANGED_OWNER) llResetScript();
    }
}

state open
{
    money(key id, integer amount)
    {
        if (amount >= PRICE)
            llMessageLinked(LINK_ALL_CHILDREN, amount, "ask", id);
        else if (amount > 0)
            llGiveMoney(id, amount);
    }

    link_message(integer sender, integer amount, string word, key id)
    {
        if (word == "yes" && llGetInventoryType(HAT) == INVENTORY_OBJECT)
        {
            ++sold;
            llGiveInventory(id, HAT);
            if (amount > PRICE) llGiveMoney(id, amount - PRICE);
        }
        else if (word == "yes" || word == "no")
        {
            llGiveMoney(id, amount);
        }
    }

    changed(integer change)
    {
        if (change & CHANGED_OWNER) llResetScript();
    }
}
