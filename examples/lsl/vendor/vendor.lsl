// One prim vendor: sells a copy of the object inside, gives change,
// sends back what is too little.

integer PRICE = 4;

//@ bound amount = 0..6;
//@ bound avatars = 2;
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

default
{
    state_entry()
    {
        llSetPayPrice(PRICE, [PRICE, PAY_HIDE, PAY_HIDE, PAY_HIDE]);
        llSetText("Lava lamp\nL$" + (string)PRICE, <1.0, 1.0, 1.0>, 1.0);
        llRequestPermissions(llGetOwner(), PERMISSION_DEBIT);
    }

    on_rez(integer start)
    {
        llResetScript();
    }

    money(key id, integer amount)
    {
        if (amount < PRICE)
        {
            llInstantMessage(id, "That is not enough, here is your money back.");
            llGiveMoney(id, amount);
            return;
        }
        llInstantMessage(id, "Thank you! Your purchase is on its way.");
        llGiveInventory(id, llGetInventoryName(INVENTORY_OBJECT, 0));
        if (amount > PRICE)
        {
            llGiveMoney(id, amount - PRICE);
        }
    }
}
