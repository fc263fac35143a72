//@ ghost integer held;
//@ on paid(id, amount) { held += amount; }
//@ on call llGiveMoney(who, n) { held -= n; }
//@ property books: always held == pot;
//@ property served: when call llGiveInventory(who, what) require who != NULL_KEY;
//@ bound amount = 1..3;
//@ assume inventory stays;
integer pot;
default {
    state_entry() { llRequestPermissions(llGetOwner(), PERMISSION_DEBIT); }
    run_time_permissions(integer perm) { if (perm & PERMISSION_DEBIT) state open; }
    on_rez(integer p) { llResetScript(); }
}
state open {
    state_entry() { llSetTimerEvent(30); }
    money(key id, integer amount) { pot += amount; llGiveInventory(id, "prize"); }
    timer() { llGiveMoney(llGetOwner(), pot); pot = 0; }
    changed(integer what) { if (what & CHANGED_OWNER) llResetScript(); }
}
