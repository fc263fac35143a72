integer count;
key last;
//@ bound amount = 0..5;
//@ bound bidders = 2;
//@ property small: always count < 4;
//@ property back: count == 3 leads to count == 0;
default {
    state_entry() { count = 0; llSetTimerEvent(5.0); }
    touch_start(integer n) {
        if (count < 3) { ++count; last = llDetectedKey(0); }
        else { count = 0; }
    }
    timer() { llOwnerSay((string)count); state other; }
}
state other {
    money(key id, integer amount) { if (amount > 2) llGiveMoney(id, amount - 2); state default; }
    listen(integer c, string name, key id, string msg) { if (msg == "stop") count = (integer)msg; }
}
