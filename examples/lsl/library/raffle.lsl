// Raffle with paid tickets.
//
// Who pays exactly PRICE has a ticket; everybody else gets the money back. When LAST tickets are
// sold, or when the owner touches the box, one of the tickets wins the object in it. Every ticket
// has the same chance: the n-th takes the place of the one drawn so far with a chance of 1 to n
// ("reservoir sampling"), so the script keeps one key however many tickets there are.
// Without a prize in the box it sells no tickets. It opens when its owner has granted debit, and
// starts anew for a new owner.

integer PRICE = 50;             // in L$
integer LAST  = 100;            // tickets

key     lucky;                  // who wins, if no more tickets are sold
integer tickets;                // sold

//@ bound amount = 0..60;        // payments, in L$
//@ bound lost-payments = 1;     // wait in the queue when it is emptied
//@ // A pay dialog that was opened under the old owner can pay the new one, whose permission the
//@ // raffle does not have yet. No script can refund that.
//@ assume owner stays for ticket_or_money_back;
//@
//@ ghost key payer;             // who paid last
//@ ghost integer owed;          // what they have neither got a ticket for nor back, in L$
//@ on paid(id, amount) { payer = id; owed = amount; }
//@ on call llGiveMoney(who, n) when who == payer && n == owed { owed = 0; }
//@ on tickets changes if (tickets == old(tickets) + 1 && owed == PRICE) { owed = 0; }
//@
//@ property ticket_or_money_back: always owed == 0;
//@ property refund_to_the_payer:
//@     when call llGiveMoney(who, n) during money(id, amount) require who == id && n == amount;
//@ property payouts_only_for_payments: never call llGiveMoney(_, _) during touch_start(_);
//@ property payouts_succeed:
//@     when call llGiveMoney(who, n) require n > 0 && granted(PERMISSION_DEBIT);
//@ property the_lucky_one_has_paid: when lucky changes during money(id, n) require lucky == id;
//@ property prize_for_the_lucky_one:
//@     when call llGiveInventory(who, item) require who == lucky && tickets > 0;
//@ property prize_is_there:
//@     when call llGiveInventory(who, item) require llGetInventoryType(item) != INVENTORY_NONE;
//@ property one_prize_a_round: [] (call llGiveInventory(_, _) -> tickets == 0);
//@ property no_more_than_the_last: always 0 <= tickets && tickets < LAST;

refund(key who, integer amount, string why)
{
    if (amount > 0) llGiveMoney(who, amount);
    llRegionSayTo(who, 0, why + " Here is your money back.");
}

show()
{
    llSetText("Tickets: L$" + (string)PRICE + "\nSold: " + (string)tickets, <1.0, 1.0, 1.0>, 1.0);
}

draw()
{
    string prize = llGetInventoryName(INVENTORY_OBJECT, 0);
    if (prize == "")
    {
        llOwnerSay("The prize is gone. Put it back and touch me.");
        return;
    }
    llGiveInventory(lucky, prize);
    llSay(0, "Congratulations, secondlife:///app/agent/" + (string)lucky + "/about!");
    tickets = 0;
    show();
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
        show();
    }

    money(key id, integer amount)
    {
        if (amount != PRICE)
        {
            refund(id, amount, "A ticket is L$" + (string)PRICE + ".");
        }
        else if (tickets >= LAST - 1 && llGetInventoryName(INVENTORY_OBJECT, 0) == "")
        {
            refund(id, amount, "There is no prize at the moment.");
        }
        else
        {
            ++tickets;
            if (llFrand(tickets) < 1.0) lucky = id;
            if (tickets == LAST) draw();
            show();
        }
    }

    touch_start(integer n)
    {
        if (llDetectedKey(0) == llGetOwner() && tickets > 0) draw();
    }

    changed(integer change)
    {
        if (change & CHANGED_OWNER) llResetScript();
    }
}
