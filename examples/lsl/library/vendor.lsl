// Vendor that sells one item at a fixed price.
//
// Put the item into the object, beside this script. Who pays exactly PRICE gets a copy; everybody
// else gets the money back: who pays another amount, and who pays while the item is missing.
// The vendor opens when its owner has granted debit, without which it could refund nothing, and
// starts anew for a new owner.

integer PRICE = 250;            // in L$

//@ // A pay dialog that was opened under the old owner can pay the new one, whose permission the
//@ // vendor does not have yet. No script can refund that.
//@ assume owner stays for copy_or_money_back;
//@
//@ ghost key payer;             // who paid last
//@ ghost integer owed;          // what they have neither got a copy for nor back, in L$
//@ on paid(id, amount) { payer = id; owed = amount; }
//@ on call llGiveMoney(who, n)        when who == payer && n == owed     { owed = 0; }
//@ on call llGiveInventory(who, item) when who == payer && owed == PRICE { owed = 0; }
//@
//@ property copy_or_money_back: always owed == 0;
//@ property copy_for_the_price:
//@     when call llGiveInventory(who, item) require who == payer && old(owed) == PRICE;
//@ property item_is_there:
//@     when call llGiveInventory(who, item) require llGetInventoryType(item) != INVENTORY_NONE;
//@ property refund_to_the_payer:
//@     when call llGiveMoney(who, n) require who == payer && n == old(owed);
//@ property payouts_succeed:
//@     when call llGiveMoney(who, n) require n > 0 && granted(PERMISSION_DEBIT);

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
        if (perm & PERMISSION_DEBIT) state selling;
        llOwnerSay("I need that permission to refund wrong amounts. Touch me to try again.");
    }

    changed(integer change)
    {
        if (change & CHANGED_OWNER) llResetScript();
    }
}

state selling
{
    state_entry()
    {
        llSetPayPrice(PAY_HIDE, [PRICE, PAY_HIDE, PAY_HIDE, PAY_HIDE]);
        llSetText("For sale: L$" + (string)PRICE, <1.0, 1.0, 1.0>, 1.0);
    }

    // The pay price is only a hint: any amount can arrive.
    money(key id, integer amount)
    {
        string item = llGetInventoryName(INVENTORY_OBJECT, 0);
        if (amount != PRICE)
        {
            refund(id, amount, "The price is L$" + (string)PRICE + ".");
        }
        else if (item == "")
        {
            refund(id, amount, "Sorry, sold out.");
            llOwnerSay("I am empty!");
        }
        else
        {
            llGiveInventory(id, item);
            llRegionSayTo(id, 0, "Thank you! Your purchase is on its way.");
        }
    }

    changed(integer change)
    {
        if (change & CHANGED_OWNER) llResetScript();
    }
}
