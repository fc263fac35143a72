//! The checks of scripts that state no properties, by their names.

codes! {
    PAYMENT_KEPT = "payment-kept", "payment taken, and nothing given for it",
        what: "Asks whether each payer has been served or paid back when the handler of the payment ends.",
        why: "Whoever pays too little, too much or at the wrong moment loses the money: Second Life does not give it back.",
        example: "integer price = 10;\ndefault { money(key id, integer amount) { if (amount == price) llGiveInventory(id, \"Hat\"); } }",
        fix: "Pay back what is not served: `else llGiveMoney(id, amount);`, with the permission to.";
    PAYS_WITHOUT_DEBIT = "pays-without-debit", "pays without permission",
        what: "Asks whether the script has `PERMISSION_DEBIT` whenever it calls `llGiveMoney` or `llTransferLindenDollars` with more than L$0.",
        why: "Without it nothing is paid, and the script goes on as if it were.",
        example: "default { money(key id, integer amount) { llGiveMoney(id, amount); } }",
        fix: "Ask the owner with `llRequestPermissions`, and take payments in a state that is entered when `run_time_permissions` has granted it.";
    PAYS_NOTHING = "pays-nothing", "pays L$0 or less",
        what: "Asks whether what the script pays is more than L$0. Payments of L$0 to the script are left out.",
        why: "Second Life refuses such payments with an error. Shares of small amounts and differences end there.",
        example: "default {\n state_entry() { llRequestPermissions(llGetOwner(), PERMISSION_DEBIT); }\n money(key id, integer amount) { if (llGetPermissions() & PERMISSION_DEBIT) llGiveMoney(id, amount / 2); }\n}",
        fix: "Pay only if the amount is more than 0.";
    PAYMENT_LOST = "payment-lost", "payment that the script never sees",
        what: "Asks whether a payment is discarded: it waits while the script goes to another state, or comes in a state without a `money` handler.",
        why: "Events that wait are dropped when the state changes. The money has been taken by then.",
        example: "default { money(key id, integer amount) { llGiveInventory(id, \"Hat\"); state sold; } }\nstate sold { touch_start(integer n) { state default; } }",
        fix: "Stay in one state while payments may come, and keep in a variable what the states were for.";
    GOODS_MISSING = "goods-missing", "gives what is not there",
        what: "Asks whether what the script gives with `llGiveInventory` is in the object's inventory, in scripts that take money.",
        why: "The owner may have taken it out, or it was not to be copied and is gone. Nothing is given then, and the money is kept.",
        example: "default { money(key id, integer amount) { llGiveInventory(id, \"Hat\"); } }",
        fix: "Look first: `if (llGetInventoryType(\"Hat\") == INVENTORY_NONE)`, and pay back.";
    PAYS_MORE = "pays-more", "pays more than it has received",
        what: "Asks whether all payments of the script together are at most what it has received. What it pays its owner does not count.",
        why: "The difference is the owner's money: a refund that can be had twice empties the account.",
        example: "default {\n state_entry() { llRequestPermissions(llGetOwner(), PERMISSION_DEBIT); }\n money(key id, integer amount) { llGiveMoney(id, amount + 1); }\n}",
        fix: "Forget what has been paid back when it is, before anything else can happen.";
    AMOUNT_WRAPS = "amount-wraps", "payment too large for a product",
        what: "Asks whether products of a payment and constants in `money` handlers fit into an integer, for payments of up to L$100,000.",
        why: "An integer holds 2,147,483,647 at most. What is more comes out as another number, often below zero: `amount * 604800` seconds are for L$3,551 and more.",
        example: "integer paid_until;\ndefault { money(key id, integer amount) { paid_until = llGetUnixTime() + amount * 604800 / 350; } }",
        fix: "Divide first, compute with floats, or turn larger payments down.";
}
