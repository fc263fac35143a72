// One prim vendor, second edition: sells a copy of the object inside, gives change,
// sends back what is too little and what comes while the shelf is empty.
// Opens when the owner has granted debit, and talks with llRegionSayTo, since
// llInstantMessage sleeps for two seconds and the world goes on meanwhile.

integer PRICE = 4;

//@ bound amount = 0..6;
//@ bound avatars = 2;
//@ // A pay dialog that was opened under the old owner can still pay the new one,
//@ // whose permission the vendor does not have yet: no script can help that.
//@ assume owner stays for goods_or_money_back;
//@
//@ ghost integer kept;         // what the owner has kept of the latest payment
//@ ghost integer delivered;    // whether the goods went out for it
//@ on paid(id, amount) { kept = amount; delivered = FALSE; }
//@ on call llGiveMoney(who, n) when n > 0 && granted(PERMISSION_DEBIT) { kept -= n; }
//@ on call llGiveInventory(who, item) when llGetInventoryType(item) != INVENTORY_NONE
//@   { delivered = TRUE; }
//@
//@ property goods_or_money_back: always (kept == 0 && !delivered) || (kept == PRICE && delivered);
//@ property goods_in_stock:
//@   when call llGiveInventory(who, item) require llGetInventoryType(item) != INVENTORY_NONE;
//@ property goods_for_the_price:
//@   when call llGiveInventory(who, item) during money(id, amount) require who == id && amount >= PRICE;
//@ property payouts_succeed:
//@   when call llGiveMoney(who, n) require n > 0 && granted(PERMISSION_DEBIT);
//@ property change_to_the_payer:
//@   when call llGiveMoney(who, n) during money(id, amount)
//@     require who == id && (n == amount || n == amount - PRICE);

refund(key id, integer amount, string why)
{
    llRegionSayTo(id, 0, why);
    if (amount > 0) llGiveMoney(id, amount);
}

default
{
    state_entry()
    {
        llSetPayPrice(PAY_HIDE, [PAY_HIDE, PAY_HIDE, PAY_HIDE, PAY_HIDE]);
        llSetText("closed", <1.0, 0.0, 0.0>, 1.0);
        llRequestPermissions(llGetOwner(), PERMISSION_DEBIT);
    }

    touch_start(integer n)
    {
        if (llDetectedKey(0) == llGetOwner()) llRequestPermissions(llGetOwner(), PERMISSION_DEBIT);
    }

    run_time_permissions(integer perm)
    {
        if (perm & PERMISSION_DEBIT) state selling;
        llOwnerSay("I need to give change. Touch me to try again.");
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
        llSetPayPrice(PRICE, [PRICE, PAY_HIDE, PAY_HIDE, PAY_HIDE]);
        llSetText("Lava lamp\nL$" + (string)PRICE, <1.0, 1.0, 1.0>, 1.0);
    }

    money(key id, integer amount)
    {
        if (amount < PRICE)
        {
            refund(id, amount, "That is not enough, here is your money back.");
            return;
        }
        string item = llGetInventoryName(INVENTORY_OBJECT, 0);
        if (item == "")
        {
            refund(id, amount, "Sorry, sold out.");
            llOwnerSay("I am empty!");
            return;
        }
        llGiveInventory(id, item);
        refund(id, amount - PRICE, "Thank you! Your purchase is on its way.");
    }

    changed(integer change)
    {
        if (change & CHANGED_OWNER) llResetScript();
    }
}
