//! LSL07..: what goes wrong in scripts that take or give money, as far as the text alone tells.

codes! {
    UNMATCHED_REPLY = "LSL0701", "reply not matched to its request",
        what: "Points at handlers of `dataserver`, `http_response` and `transaction_result` that never look at the key of the request, in scripts that take or give money or make several such requests.",
        why: "These events come to every script of the prim, whichever of them made the request, and late answers come as well. Without a look at the key, an answer to something else is taken for the one that is waited for.",
        example: "key wait;\ndefault {\n money(key id, integer n) { wait = llHTTPRequest(\"http://a\", [], \"\"); }\n http_response(key q, integer status, list l, string body) { llSay(0, body); }\n}",
        fix: "Keep the key that the request gives, and begin the handler with `if (q != wait) return;`.";
    OPEN_LISTEN = "LSL0702", "anybody may command",
        what: "Points at `llListen` calls that hear everybody, in scripts with money, where the handler gives, pays, resets or stores something and never looks at who speaks. Such is also a listen for `llDetectedKey` where nobody is detected. Points at commands, too, that a menu shows to the owner only, and that others who are heard may say, and at places that know the speaker by name only: any object may be given any name.",
        why: "Whoever knows or guesses the channel can say the words, objects included.",
        example: "integer price;\ndefault {\n state_entry() { llListen(5, \"\", NULL_KEY, \"\"); }\n listen(integer c, string name, key id, string text) { price = (integer)text; }\n money(key id, integer n) { if (n == price) llGiveInventory(id, \"Hat\"); else llGiveMoney(id, n); }\n}",
        fix: "Listen to one avatar (`llListen(5, \"\", llGetOwner(), \"\")`), or compare `id` or `llGetOwnerKey(id)` in the handler.";
    LEAKED_LISTEN = "LSL0703", "listens pile up",
        what: "Points at `llListen` calls whose channel or speaker changes from call to call, in handlers that run again and again, in scripts that never call `llListenRemove`, and at those on a channel drawn anew whose handle takes the place of the last one's, which neither the handler nor a timer has removed.",
        why: "A script can have 65 listens. The next one stops it with an error.",
        example: "default {\n touch_start(integer n) { llListen(5, \"\", llDetectedKey(0), \"\"); }\n listen(integer c, string name, key id, string text) { llSay(0, text); }\n}",
        fix: "Keep the handle that `llListen` gives, and call `llListenRemove` with it when the answer is there or a timer has run out.";
    UNHANDLED_BUTTON = "LSL0704", "button that nothing handles",
        what: "Points at dialogs with a button whose text no handler compares with anything, and at dialogs in a state that does not listen, where another does.",
        why: "Whoever presses it gets no answer, and a script that waits for one waits in vain.",
        example: "default {\n touch_start(integer n) { llListen(5, \"\", \"\", \"\"); llDialog(llDetectedKey(0), \"?\", [\"Rent\", \"Refund\"], 5); }\n listen(integer c, string name, key id, string text) { if (text == \"Rent\") llSay(0, \"rented\"); }\n}",
        fix: "Handle the button in `listen`, or leave it out.";
    OWNER_CHANGE = "LSL0705", "new owner not noticed",
        what: "Points at states that take or give money, in scripts that ask the owner for permissions, listen to the owner or keep the owner's key, if the state neither handles `CHANGED_OWNER` nor begins anew when the object is rezzed. In scripts without money it points at a listen for the owner alone, if no state does.",
        why: "When the object is sold, the permissions of the old owner end and a key that was kept or is listened to is still the old owner's: payments go on, refunds and shares do not. A listen for the old owner does not hear the new one.",
        example: "default {\n state_entry() { llRequestPermissions(llGetOwner(), PERMISSION_DEBIT); }\n money(key id, integer n) { if (llGetPermissions() & PERMISSION_DEBIT) llGiveMoney(id, n); }\n}",
        fix: "Add `changed(integer c) { if (c & CHANGED_OWNER) llResetScript(); }`.";
    CONSTANT_OPERAND = "LSL0706", "constant operand of `&&` or `||`",
        what: "Points at operands of `&&` and `||` that are constants, and at conditions that or something with a constant.",
        why: "The operand decides nothing or everything. Most often a single `&` was meant: `perm && PERMISSION_DEBIT` is true for every permission.",
        example: "integer perm;\nif (perm && PERMISSION_DEBIT) { }",
        fix: "Write `perm & PERMISSION_DEBIT`, or leave the operand out.";
    UNREACHABLE_STATE = "LSL0707", "state that nothing leads to",
        what: "Points at states to which no `state` statement leads that can be reached.",
        why: "Nothing in it ever runs.",
        example: "default { state_entry() { } }\nstate open { state_entry() { } }",
        fix: "Lead to it, or remove it.";
    DEAD_HANDLER = "LSL0708", "handler that nothing calls",
        what: "Points at handlers of events that the script never asks for: `timer` without `llSetTimerEvent`, `listen` without `llListen`, and the like. What another state listens to, or looks for with a sensor, ends when that state is left. Points, too, at conditions that compare the key of an answer with a variable that nothing is ever assigned to.",
        why: "The handler never runs, or what follows the condition is never done.",
        example: "default { timer() { llSay(0, \"late\"); } }",
        fix: "Ask for the event, or remove the handler.";
    GROWTH = "LSL0709", "grows without bound",
        what: "Points at lists and strings to which handlers add, and from which nothing is ever taken.",
        why: "A script has 64 KiB of memory. When it is full the script stops, with what it holds.",
        example: "list seen;\ndefault { touch_start(integer n) { seen += [llDetectedKey(0)]; } }",
        fix: "Keep the last few: `seen = llList2List(seen, -20, -1) + [id];`.";
    WRONG_FLAG = "LSL0711", "flag of something else",
        what: "Points at `&` between the mask that `changed` or `run_time_permissions` brings and a constant that is no flag of that event.",
        why: "The bits mean something else there: `change & INVENTORY_NOTECARD` is true when the colour or the shape changes, too.",
        example: "default { changed(integer change) { if (change & INVENTORY_NOTECARD) llResetScript(); } }",
        fix: "Use the flags of the event: `change & CHANGED_INVENTORY`.";
    STALE_PAYER = "LSL0710", "next payer takes the place of the last",
        what: "Points at the place where `money` keeps the payer in a variable that another handler serves or pays, if nothing keeps a second payment away meanwhile.",
        why: "If somebody else pays before the first is served, the first is forgotten and the second is served twice.",
        example: "key payer; key wait;\ndefault {\n money(key id, integer n) { payer = id; wait = llHTTPRequest(\"http://a\", [], \"\"); }\n http_response(key q, integer status, list l, string body) { if (q == wait) llGiveInventory(payer, \"Hat\"); }\n}",
        fix: "Go to a state without `money` until the payer is served, or keep all payers in a list with their requests.";
    REPLY_ELSEWHERE = "LSL0712", "reply awaited in another state",
        what: "Points at requests (`llGetNotecardLine`, `llHTTPRequest`, `llTransferLindenDollars`, ...) right before the script goes to a state without a handler for their answers.",
        why: "A reply comes to the state in which the script is then. It is dropped there, and whoever waits for it waits in vain.",
        example: "default {\n state_entry() { llGetNotecardLine(\"prices\", 0); state ready; }\n dataserver(key q, string line) { llOwnerSay(line); }\n}\nstate ready { touch_start(integer n) { state default; } }",
        fix: "Go to the other state when the reply has come, or handle it there.";
    TOLD_PAYEE = "LSL0713", "a message says who is paid",
        what: "Points at payments to a key that is taken out of what somebody has said, sent to the script's URL or mailed, in scripts that do not look who has.",
        why: "Whoever knows the channel or the address can have the owner's money sent to themselves.",
        example: "default {\n state_entry() { llRequestPermissions(llGetOwner(), PERMISSION_DEBIT); llListen(-7, \"\", NULL_KEY, \"\"); }\n listen(integer c, string name, key id, string text) { list parts = llCSV2List(text); llGiveMoney((key)llList2String(parts, 0), (integer)llList2String(parts, 1)); }\n changed(integer c) { if (c & CHANGED_OWNER) llResetScript(); }\n}",
        fix: "Keep the key of the payer in the script. Where another object has to tell it, compare `llGetOwnerKey(id)` with `llGetOwner()`.";
    STUCK_MONEY = "LSL0714", "money that stays in a state for ever",
        what: "Points at states that are never left and pay nothing, in scripts that take money and pay it out in a later event.",
        why: "What has been paid and is still due when the script gets there cannot be paid back any more.",
        example: "key bidder; integer bid;\ndefault {\n state_entry() { llRequestPermissions(llGetOwner(), PERMISSION_DEBIT); }\n money(key id, integer n) { if (bid) llGiveMoney(bidder, bid); bidder = id; bid = n; }\n touch_start(integer n) { if (llDetectedKey(0) == llGetOwner()) state closed; llGiveMoney(bidder, bid); }\n changed(integer c) { if (c & CHANGED_OWNER) llResetScript(); }\n}\nstate closed { touch_start(integer n) { llSay(0, \"Closed.\"); } }",
        fix: "Pay what is due before the script goes there, or let the owner lead it back.";
    REPEATED_CONDITION = "LSL0715", "condition that was asked before",
        what: "Points at branches of an `if` with the condition of an earlier branch.",
        why: "The earlier branch is taken whenever the condition is true: what stands in this one is never done.",
        example: "integer n;\ndefault { touch_start(integer k) { if (n == 1) n = 2; else if (n == 1) n = 3; } }",
        fix: "Ask for what was meant, or remove the branch.";
    PAID_AGAIN = "LSL0716", "payment that the next tick makes again",
        what: "Points at payments in `timer` under a condition on variables that nothing under it changes, where the timer goes on.",
        why: "The condition is as true at the next tick, and the payment is made again. What the script sets off to end it, such as `llUnSit`, is only heard of in an event of its own, and a tick may come before that.",
        example: "integer seconds;\ndefault {\n state_entry() { llRequestPermissions(llGetOwner(), PERMISSION_DEBIT); }\n changed(integer c) { if (c & CHANGED_OWNER) llResetScript(); seconds = 0; llSetTimerEvent(1.0); }\n timer() { ++seconds; if (seconds > 600) { llGiveMoney(llAvatarOnSitTarget(), 4); llUnSit(llAvatarOnSitTarget()); } }\n}",
        fix: "Set the variable back next to the payment, or call `llSetTimerEvent(0.0)`.";
    UNFOUND_POSITION = "LSL0717", "last element instead of none",
        what: "Points at the position that `llListFindList` gives for what an event has brought, where a list is read or cut at that position before any condition has asked for it, in scripts with money; and at `llCeil(llFrand(n)) - 1`.",
        why: "What is not in the list is at -1, and -1 is the last position: somebody who never paid is served, or paid, like the last one who did.",
        example: "list payers; list amounts;\ndefault {\n state_entry() { llRequestPermissions(llGetOwner(), PERMISSION_DEBIT); }\n money(key id, integer n) { payers += [id]; amounts += [n]; if (llGetListLength(payers) > 9) llResetScript(); }\n touch_start(integer k) { integer at = llListFindList(payers, [llDetectedKey(0)]); llGiveMoney(llDetectedKey(0), llList2Integer(amounts, at)); }\n changed(integer c) { if (c & CHANGED_OWNER) llResetScript(); }\n}",
        fix: "Ask `if (at == -1) return;` before the position is used.";
    MIXED_LISTS = "LSL0718", "list that becomes the rest of another",
        what: "Points at `a = llDeleteSubList(b, ...)` and `a = llListReplaceList(b, ...)` beside the same change of other lists, each by itself, `b` among them.",
        why: "Lists that are kept side by side are cut together. Here one of them becomes a copy of another: a name too much in a line that was copied.",
        example: "list names; list amounts; list times;\nclean(integer at) { names = llDeleteSubList(names, at, at); amounts = llDeleteSubList(amounts, at, at); times = llDeleteSubList(amounts, at, at); }\ndefault { touch_start(integer n) { clean(0); } }",
        fix: "Write the list itself: `times = llDeleteSubList(times, at, at);`.";
    STOPPED_FOR_ALL = "LSL0719", "timer stopped for everybody",
        what: "Points at `llSetTimerEvent(0)` in handlers of payments, touches and chat, where the timer goes through a list with an entry for each person who waits, unless a condition on such a list or on the owner comes first.",
        why: "Whoever is done stops the timer for those who still wait: they are neither served nor paid back.",
        example: "list payers; list until;\ndefault {\n state_entry() { llRequestPermissions(llGetOwner(), PERMISSION_DEBIT); llListen(5, \"\", NULL_KEY, \"\"); }\n money(key id, integer n) { payers += [id]; until += [llGetUnixTime() + 60]; llSetTimerEvent(60.0); }\n listen(integer c, string name, key id, string text) { integer at = llListFindList(payers, [id]); if (at == -1) return; payers = llDeleteSubList(payers, at, at); until = llDeleteSubList(until, at, at); llSetTimerEvent(0.0); }\n timer() { integer i; for (i = 0; i < llGetListLength(payers); i++) if (llList2Integer(until, i) < llGetUnixTime()) llGiveMoney(llList2Key(payers, i), 1); payers = []; }\n changed(integer c) { if (c & CHANGED_OWNER) llResetScript(); }\n}",
        fix: "Stop it when the list is empty: `if (payers == []) llSetTimerEvent(0.0);`.";
    RESTARTED = "LSL0720", "restarts when somebody else sits down",
        what: "Points at variables that the timer counts and that `changed` resets whenever somebody sits on the object, in scripts with money.",
        why: "`CHANGED_LINK` comes as well when a second avatar sits down or a prim is linked. The avatar who is already seated is then counted from the beginning, and may be paid without end.",
        example: "integer left; key guest;\ndefault {\n state_entry() { llRequestPermissions(llGetOwner(), PERMISSION_DEBIT); }\n changed(integer c) { if (c & CHANGED_OWNER) llResetScript(); if (c & CHANGED_LINK) { if (llAvatarOnSitTarget() != NULL_KEY) { left = 10; guest = llAvatarOnSitTarget(); llSetTimerEvent(60.0); } else llSetTimerEvent(0.0); } }\n timer() { if (left > 0) { --left; llGiveMoney(guest, 1); } }\n}",
        fix: "Keep who sits there, and do nothing when it is the same avatar: `if (llAvatarOnSitTarget() == guest) return;`.";
    CHANGING_GOODS = "LSL0721", "goods that change before they are paid",
        what: "Points at items that `money` hands over, chosen by a variable that a touch, a timer, chat or a linked message may change for anybody.",
        why: "A pay window stays open while somebody looks at the next item, or the timer shows it: what is handed over is not what was shown to the buyer.",
        example: "integer shown;\ndefault {\n touch_start(integer n) { shown = (shown + 1) % llGetInventoryNumber(INVENTORY_OBJECT); llSetText(llGetInventoryName(INVENTORY_OBJECT, shown), <1.0, 1.0, 1.0>, 1.0); }\n money(key id, integer n) { llGiveInventory(id, llGetInventoryName(INVENTORY_OBJECT, shown)); }\n}",
        fix: "Give each item a price of its own and compare it, or keep for each avatar what they were shown.";
    KEPT_ANSWER = "LSL0722", "answer of whoever was asked before",
        what: "Points at places where a script asks the next person, but keeps the answer of the last one in a variable that decides who is paid or given something.",
        why: "The next person seems to have answered already.",
        example: "key winner; string answer; list guests;\ndefault {\n state_entry() { llListen(-5, \"\", NULL_KEY, \"\"); llSetTimerEvent(60.0); }\n touch_start(integer n) { if (llGetListLength(guests) < 20) guests += [llDetectedKey(0)]; }\n listen(integer c, string name, key id, string text) { if (id == winner) answer = text; }\n timer() { if (answer == \"yes\") llGiveInventory(winner, \"Hat\"); winner = llList2Key(guests, (integer)llFrand(llGetListLength(guests))); llDialog(winner, \"Do you want it?\", [\"yes\", \"no\"], -5); guests = []; }\n}",
        fix: "Set it back where the next one is asked: `answer = \"\";`.";
    NEVER_TAKEN = "LSL0723", "branch that is never taken",
        what: "Points at a branch on a variable that always has one value, because the script gives it another one only behind such a condition. Variables that nothing else assigns to are settings, and left alone.",
        why: "Nothing in it ever happens: a raffle whose entrants are noted only when there are entrants is never held.",
        example: "list entrants; list present;\ndefault {\n touch_start(integer n) { if (llGetListLength(present) < 20) present += [llDetectedKey(0)]; llSetTimerEvent(60.0); }\n timer() { if (llGetListLength(entrants) == 0) llSay(0, \"Nobody is here.\"); else { entrants = present; present = []; llGiveInventory(llList2Key(entrants, 0), \"Hat\"); } entrants = []; }\n}",
        fix: "Set the variable where the script can come to, or remove the branch.";
    ANY_AMOUNT = "LSL0724", "amount that nobody looks at",
        what: "Points at what `money` hands over in scripts that hide the field for other amounts (`llSetPayPrice(PAY_HIDE, ...)`), if no condition asks for the amount, and it is neither kept nor handed on.",
        why: "The pay window is made by the buyer's viewer, and may be older than the price: other amounts come. Less buys the same, and more is kept.",
        example: "integer price = 50;\ndefault {\n state_entry() { llSetPayPrice(PAY_HIDE, [price, PAY_HIDE, PAY_HIDE, PAY_HIDE]); }\n money(key id, integer amount) { llGiveInventory(id, \"Hat\"); }\n}",
        fix: "Compare it: `if (amount != price) { llGiveMoney(id, amount); return; }`.";
    READ_TWICE = "LSL0725", "one element kept as two things",
        what: "Points at an element of a list that is kept in two variables, by different functions (`llList2Key`, `llList2String`, ...), while an element before the last that is read is not read at all.",
        why: "A name is taken for a key: what is paid or given to it goes nowhere.",
        example: "key renter; string name;\ndefault { state_entry() { list saved = llParseString2List(llGetObjectDesc(), [\"|\"], []); renter = llList2Key(saved, 1); name = llList2String(saved, 1); } }",
        fix: "Read each element at its own position.";
    COUNTED_AS_OTHERS = "LSL0726", "counted as another kind",
        what: "Points at `llGetInventoryName` with a position that varies, for a kind of inventory that the loop, or the handler or function, does not count, though it counts another.",
        why: "If there are fewer of this kind, the names behind the last are empty, and what has no name cannot be given; if there are more, some are left out.",
        example: "default { state_entry() { integer i; for (i = 0; i < llGetInventoryNumber(INVENTORY_OBJECT); ++i) llSay(0, llGetInventoryName(INVENTORY_SOUND, i)); } }",
        fix: "Count the kind that is named.";
    FOR_NOTHING = "LSL0727", "served for nothing",
        what: "Points at `llGiveMoney(id, amount % price)` in `money` handlers that also note or give something and never compare the amount with anything.",
        why: "A payment below the price is its own remainder: all of it goes back, and the payer is served as if it had been enough.",
        example: "integer rate = 10; key renter; integer days;\ndefault {\n state_entry() { llRequestPermissions(llGetOwner(), PERMISSION_DEBIT); }\n money(key id, integer amount) { if (amount % rate) llGiveMoney(id, amount % rate); renter = id; days = amount / rate; llSay(0, \"Welcome!\"); }\n changed(integer c) { if (c & CHANGED_OWNER) llResetScript(); }\n}",
        fix: "Begin with `if (amount < rate) { llGiveMoney(id, amount); return; }`.";
}
