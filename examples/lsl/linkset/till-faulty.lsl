// The same till, which remembers who has paid, and how much. It works as long as nobody pays while
// the shelf is asked for somebody else: then the answer to the first question is taken for one to the
// second, and so is the answer to the second.

integer PRICE = 10;
string HAT = "hat";
integer sold;
key buyer = NULL_KEY;
integer paid;

//@ assume owner grants PERMISSION_DEBIT;
//@ assume owner stays for never_twice;
//@ bound amount = 9..11;

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
        {
            buyer = id;
            paid = amount;
            llMessageLinked(LINK_ALL_CHILDREN, amount, "ask", id);
        }
        else if (amount > 0)
        {
            llGiveMoney(id, amount);
        }
    }

    link_message(integer sender, integer n, string word, key id)
    {
        if (word == "yes" && llGetInventoryType(HAT) == INVENTORY_OBJECT)
        {
            ++sold;
            llGiveInventory(buyer, HAT);
            if (paid > PRICE) llGiveMoney(buyer, paid - PRICE);
        }
        else if (word == "yes" || word == "no")
        {
            llGiveMoney(buyer, paid);
        }
    }

    changed(integer change)
    {
        if (change & CHANGED_OWNER) llResetScript();
    }
}
