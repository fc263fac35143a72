//! Small scripts about what happens every day, each with a property that a run breaks: none of them
//! may be said to hold, and the concrete world must be able to show it.

/// What it is about, and the script. The property `p` says that `x` is never 1.
pub(crate) const SCRIPTS: &[(&str, &str)] = &[
    (
        "what is no object is its own owner",
        "key who; default { touch_start(integer n) { if (llGetOwnerKey(who) == who) x = 1; } }",
    ),
    (
        "what is written and is no object is its own owner",
        "default { touch_start(integer n) { if (llGetOwnerKey(\"a\") == \"a\") x = 1; } }",
    ),
    (
        "`changed` tells of kinds whose numbers the script does not write",
        "default { changed(integer c) { if (c / 1000 > 1) x = 1; } }",
    ),
    (
        "two requests that fail have the same key",
        "default {
            touch_start(integer n) {
                key a = llGetNotecardLine(\"Config\", 0);
                if (llGetNotecardLine(\"Config\", 0) == a) x = 1;
            }
        }",
    ),
    (
        "a second call of one listen has a handle of its own",
        "integer a; integer b;
        integer open(integer c) { return llListen(c, \"\", \"\", \"\"); }
        default {
            state_entry() { a = open(1); b = open(2); if (a != b) x = 1; }
            listen(integer c, string n, key k, string m) { }
        }",
    ),
    (
        "the same listen, opened elsewhere, has the same handle",
        "integer a; integer b;
        default {
            state_entry() {
                a = llListen(5, \"\", \"\", \"\"); b = llListen(5, \"\", \"\", \"\");
                if (a == b) x = 1;
            }
            listen(integer c, string n, key k, string m) { }
        }",
    ),
    (
        "of two listens of a call the first goes on hearing",
        "integer open(integer c) { return llListen(c, \"\", \"\", \"\"); }
        default {
            state_entry() { open(1); open(2); }
            listen(integer c, string n, key k, string m) { if (c == 1) x = 1; }
        }",
    ),
    (
        "removing one listen of a call leaves the other open",
        "integer a; integer b;
        integer open(integer c) { return llListen(c, \"\", \"\", \"\"); }
        default {
            state_entry() { a = open(1); b = open(2); llListenRemove(a); }
            listen(integer c, string n, key k, string m) { if (c == 2) x = 1; }
        }",
    ),
    (
        "a listen whose handle nobody keeps is not ended with another",
        "integer b;
        default {
            state_entry() {
                llListen(1, \"\", \"\", \"\");
                b = llListen(2, \"\", \"\", \"\");
                llListenRemove(b);
            }
            listen(integer c, string n, key k, string m) { if (c == 1) x = 1; }
        }",
    ),
    (
        "an old handle does not end a listen that was opened later",
        "integer a;
        integer open() { return llListen(5, \"\", \"\", \"\"); }
        default {
            state_entry() { a = open(); llListenRemove(a); open(); llListenRemove(a); }
            listen(integer c, string n, key k, string m) { x = 1; }
        }",
    ),
    (
        "a handle may be any number",
        "integer a;
        default {
            touch_start(integer n) { a = llListen(n, \"\", \"\", \"\"); if (a == 2) x = 1; }
            listen(integer c, string m, key k, string t) { }
        }",
    ),
    (
        "a listen that is switched off can be switched on",
        "integer a;
        default {
            state_entry() { a = llListen(5, \"\", \"\", \"\"); llListenControl(a, FALSE); }
            touch_start(integer n) { llListenControl(a, TRUE); }
            listen(integer c, string m, key k, string t) { x = 1; }
        }",
    ),
    (
        "removing one target leaves the other",
        "integer a; integer b;
        default {
            state_entry() {
                a = llTarget(<1.0, 2.0, 3.0>, 1.0); b = llTarget(<4.0, 5.0, 6.0>, 1.0);
                llTargetRemove(a);
            }
            at_target(integer t, vector v, vector w) { x = 1; }
        }",
    ),
    (
        "what is given away by a computed name is gone",
        "default {
            touch_start(integer n) {
                string name = llGetObjectDesc();
                if (llGetInventoryType(\"prize\") != -1) {
                    llGiveInventory(llDetectedKey(0), name);
                    if (llGetInventoryType(\"prize\") == -1) x = 1;
                }
            }
        }",
    ),
    (
        "what is taken out by a name that somebody says is gone",
        "default {
            link_message(integer s, integer n, string name, key k) {
                if (llGetInventoryType(\"prize\") != -1) {
                    llRemoveInventory(name);
                    if (llGetInventoryType(\"prize\") == -1) x = 1;
                }
            }
        }",
    ),
    (
        "what collides has an owner",
        "default {
            collision_start(integer n) { if (llDetectedOwner(0) != llDetectedKey(0)) x = 1; }
        }",
    ),
    (
        "somebody who is not here has no name",
        "//@ assume owner stays;
        string name;
        default {
            state_entry() { name = llKey2Name(llGetOwner()); }
            touch_start(integer n) { if (llKey2Name(llGetOwner()) != name) x = 1; }
        }",
    ),
    (
        "others than the owner grant permissions",
        "default {
            touch_start(integer n) { llRequestPermissions(llDetectedKey(0), 16); }
            run_time_permissions(integer p) {
                if (p) if (llGetPermissionsKey() != llGetOwner()) x = 1;
            }
        }",
    ),
    (
        "two requests are answered",
        "default {
            state_entry() {
                llRequestPermissions(llGetOwner(), 4); llRequestPermissions(llGetOwner(), 16);
            }
            run_time_permissions(integer p) { if (p == 4) x = 1; }
        }",
    ),
    (
        "releasing controls gives the permission back",
        "default {
            state_entry() { llRequestPermissions(llGetOwner(), 4); }
            run_time_permissions(integer p) {
                if (p) { llReleaseControls(); if (!(llGetPermissions() & 4)) x = 1; }
            }
        }",
    ),
    (
        "whoever is animated ends it",
        "default {
            state_entry() { llRequestPermissions(llGetOwner(), 16); }
            run_time_permissions(integer p) { if (p) llSetTimerEvent(1.0); }
            timer() { if (!(llGetPermissions() & 16)) x = 1; }
        }",
    ),
    (
        "permissions are granted before the script hears of it",
        "integer g;
        default {
            state_entry() { llRequestPermissions(llGetOwner(), 16); }
            touch_start(integer n) { if (llGetPermissions() & 16) g = 1; }
            run_time_permissions(integer p) { if (g) x = 1; }
        }",
    ),
    (
        "an experience grants permissions",
        "default {
            touch_start(integer n) { llRequestExperiencePermissions(llDetectedKey(0), \"\"); }
            experience_permissions(key k) {
                if (llGetPermissions() & 16) if (llGetPermissionsKey() == k) x = 1;
            }
        }",
    ),
    (
        "one event tells of a new owner and of more",
        "default {
            changed(integer c) { if (c & CHANGED_OWNER) if (c & CHANGED_INVENTORY) x = 1; }
        }",
    ),
    (
        "a notecard ends",
        "integer line; key q;
        default {
         state_entry() { q = llGetNotecardLine(\"Config\", 0); }
         dataserver(key r, string d) {
          if (r == q) { if (d == EOF) x = 1; else q = llGetNotecardLine(\"Config\", ++line); }
         }
        }",
    ),
    (
        "answers come in another order",
        "key a; key b; integer late;
        default {
         state_entry() { a = llGetNotecardLine(\"Config\", 0); b = llGetNotecardLine(\"Config\", 1); }
         dataserver(key r, string d) { if (r == b) late = 1; if (r == a) if (late) x = 1; }
        }",
    ),
    (
        "each request has a key of its own",
        "key q; key before;
        default {
         touch_start(integer n) { before = q; q = llHTTPRequest(\"http://example.com\", [], \"\"); }
         http_response(key r, integer status, list m, string body) { if (r != q) if (r == before) x = 1; }
        }",
    ),
    (
        "a request by HTTP fails in many ways",
        "default {
         touch_start(integer n) { llHTTPRequest(\"http://example.com\", [], \"\"); }
         http_response(key r, integer status, list m, string body) { if (status == 415) x = 1; }
        }",
    ),
    (
        "an answer comes in the next state",
        "key q;
        default { touch_start(integer n) { q = llHTTPRequest(\"http://example.com\", [], \"\"); state two; } }
        state two { http_response(key r, integer status, list m, string body) { if (r == q) x = 1; } }",
    ),
    (
        "an URL is denied",
        "key q;
        default {
         state_entry() { q = llRequestURL(); }
         http_request(key r, string method, string body) {
          if (r == q) if (method == URL_REQUEST_DENIED) x = 1;
         }
        }",
    ),
    (
        "an argument that nobody looks at divides by zero",
        "integer sides;
        default {
         touch_start(integer n) {
          x = 1;
          if (llGetLinkNumberOfSides(10 / (n - 1)) == 3) sides = 3;
         }
        }",
    ),
    (
        "a script's own message comes back",
        "default {
         touch_start(integer n) { llMessageLinked(LINK_THIS, 7 * n, \"a\" + \"b\", \"\"); }
         link_message(integer s, integer n, string text, key id) { if (text == \"ab\") if (n == 7) x = 1; }
        }",
    ),
    (
        "a key that was made up comes back",
        "key token;
        default {
         touch_start(integer n) { token = llGenerateKey(); llMessageLinked(LINK_THIS, 0, \"\", token); }
         link_message(integer s, integer n, string text, key id) { if (id == token) if (token) x = 1; }
        }",
    ),
    (
        "a key that was made up and said is said by somebody else",
        "key token;
        default {
         touch_start(integer n) { token = llGenerateKey(); llSay(5, (string)token); }
         link_message(integer s, integer n, string text, key id) { if (token) if (id == token) x = 1; }
        }",
    ),
    (
        "a text that was put together and said is said by somebody else",
        "default {
         state_entry() { llListen(5, \"\", \"\", \"\"); }
         touch_start(integer n) { llSay(5, \"by \" + llGetRegionName()); }
         listen(integer c, string name, key id, string m) { if (m == \"by \" + llGetRegionName()) x = 1; }
        }",
    ),
    (
        "a made up key is new each time",
        "key last;
        default {
         touch_start(integer n) { key k = llGenerateKey(); if (last) if (k != last) x = 1; last = k; }
        }",
    ),
    (
        "a dialog is answered with words that are no button",
        "default {
         state_entry() { llListen(5, \"\", \"\", \"\"); }
         touch_start(integer n) { llDialog(llDetectedKey(0), \"?\", [\"a\", \"b\"], 5); }
         listen(integer c, string name, key id, string m) { if (m != \"a\") if (m != \"b\") x = 1; }
        }",
    ),
    (
        "a listen for one text hears it",
        "default {
         state_entry() { llListen(5, \"\", \"\", \"open\"); }
         listen(integer c, string name, key id, string m) { if (m == \"open\") x = 1; }
        }",
    ),
    (
        "a hard-coded key is somebody's",
        "default {
         touch_start(integer n) {
          if (llDetectedKey(0) == (key)\"3c1b0f9e-0001-4a5b-8c7d-000000000abc\") x = 1;
         }
        }",
    ),
    (
        "several touch at once",
        "default { touch_start(integer n) { if (n > 1) x = 1; } }",
    ),
    (
        "one who touched touches again",
        "key last;
        default { touch_start(integer n) { if (llDetectedKey(0) == last) x = 1; last = llDetectedKey(0); } }",
    ),
    (
        "what was attached is taken off",
        "default { attach(key id) { if (id == NULL_KEY) x = 1; } }",
    ),
    (
        "nobody sits",
        "default { touch_start(integer n) { if (llAvatarOnSitTarget() == NULL_KEY) x = 1; } }",
    ),
    (
        "somebody else sits",
        "key s;
        default {
         touch_start(integer n) {
          key now = llAvatarOnSitTarget();
          if (s != NULL_KEY) if (now != NULL_KEY) if (s != \"\") if (now != s) x = 1;
          s = now;
         }
        }",
    ),
    (
        "a new owner has not allowed to take money",
        "integer ok;
        default {
         state_entry() { llRequestPermissions(llGetOwner(), 2); }
         run_time_permissions(integer p) { ok = p & 2; }
         touch_start(integer n) { if (ok) if (!(llGetPermissions() & 2)) x = 1; }
        }",
    ),
    (
        "permissions are refused",
        "default {
         state_entry() { llRequestPermissions(llGetOwner(), 2); }
         run_time_permissions(integer p) { if (!(p & 2)) x = 1; }
        }",
    ),
    (
        "a request to nobody leaves the owner's money asked for",
        "key nobody;
        default {
         state_entry() {
          llRequestPermissions(llGetOwner(), 2);
          llRequestPermissions(nobody, 2);
         }
         run_time_permissions(integer p) { if (p & 2) x = 1; }
        }",
    ),
    (
        "the creator may be the owner",
        "default { state_entry() { if (llGetCreator() == llGetOwner()) x = 1; } }",
    ),
    (
        "a timer fires again and again",
        "integer c;
        default {
         touch_start(integer n) { llSetTimerEvent(1.0); }
         timer() { if (++c == 3) x = 1; }
        }",
    ),
    (
        "a timer outlives its state",
        "default { touch_start(integer n) { llSetTimerEvent(1.0); state two; } }
        state two { timer() { x = 1; } }",
    ),
    (
        "time passes between events",
        "integer t;
        default { touch_start(integer n) { if (t) if (llGetUnixTime() > t) x = 1; t = llGetUnixTime(); } }",
    ),
    (
        "the script's clock passes a minute",
        "default { touch_start(integer n) { if (llGetTime() > 60.0) x = 1; } }",
    ),
    (
        "two sensors find something",
        "integer c;
        default {
         state_entry() { llSensor(\"\", \"\", AGENT, 10.0, PI); llSensor(\"\", \"\", AGENT, 20.0, PI); }
         sensor(integer n) { if (++c == 2) x = 1; }
         no_sensor() { }
        }",
    ),
    (
        "a sensor finds nobody after it found somebody",
        "integer found;
        default {
         state_entry() { llSensorRepeat(\"\", \"\", AGENT, 10.0, PI, 1.0); }
         sensor(integer n) { found = 1; }
         no_sensor() { if (found) x = 1; }
        }",
    ),
    (
        "what was rezzed appears in the next state",
        "default {
         touch_start(integer n) { llRezObject(\"go\", llGetPos(), ZERO_VECTOR, ZERO_ROTATION, 1); state two; }
        }
        state two { object_rez(key id) { x = 1; } }",
    ),
    (
        "a start parameter is any number",
        "default { on_rez(integer start) { if (start == 42) x = 1; } }",
    ),
    (
        "another start parameter is given later",
        "integer s;
        default {
         touch_start(integer n) { if (s == 1) if (llGetStartParameter() == 2) x = 1; s = llGetStartParameter(); }
        }",
    ),
    (
        "another region has no start parameter",
        "integer s;
        default {
         on_rez(integer start) { s = start; }
         touch_start(integer n) { if (s == 1) if (llGetStartParameter() == 0) x = 1; }
        }",
    ),
    (
        "a description is changed by somebody else",
        "default {
         state_entry() { llSetObjectDesc(\"1\"); }
         touch_start(integer n) { if (llGetObjectDesc() != \"1\") x = 1; }
        }",
    ),
    (
        "a description counts up",
        "default {
         touch_start(integer n) {
          llSetObjectDesc((string)((integer)llGetObjectDesc() + 1));
          if (llGetObjectDesc() == \"3\") x = 1;
         }
        }",
    ),
    (
        "data of the linkset is deleted by another script",
        "integer set;
        default {
         touch_start(integer n) {
          if (set) if (llLinksetDataRead(\"k\") == \"\") x = 1;
          llLinksetDataWrite(\"k\", \"v\"); set = 1;
         }
        }",
    ),
    (
        "what cannot be copied is gone when it is given away",
        "default {
         touch_start(integer n) {
          if (llGetInventoryType(\"go\") != -1) {
           llGiveInventory(llGetOwner(), \"go\");
           if (llGetInventoryType(\"go\") == -1) x = 1;
          }
         }
        }",
    ),
    (
        "the inventory changes while the script sleeps",
        "default {
         touch_start(integer n) {
          integer before = llGetInventoryType(\"go\");
          llSleep(1.0);
          if (llGetInventoryType(\"go\") != before) x = 1;
         }
        }",
    ),
    (
        "another item stands in the place",
        "string name;
        default {
         state_entry() { name = llGetInventoryName(INVENTORY_NOTECARD, 0); }
         touch_start(integer n) { if (name) if (llGetInventoryName(INVENTORY_NOTECARD, 0) != name) x = 1; }
        }",
    ),
    (
        "a transfer fails",
        "key q;
        default {
         touch_start(integer n) { q = llTransferLindenDollars(llDetectedKey(0), 5); }
         transaction_result(key r, integer ok, string d) { if (r == q) if (!ok) x = 1; }
        }",
    ),
    (
        "the owner pays",
        "default { money(key id, integer amount) { if (id == llGetOwner()) x = 1; } }",
    ),
    (
        "an experience is declined",
        "default {
         touch_start(integer n) { llRequestExperiencePermissions(llDetectedKey(0), \"\"); }
         experience_permissions_denied(key k, integer reason) { if (reason == 4) x = 1; }
        }",
    ),
    (
        "mail waits",
        "default { email(string t, string a, string s, string m, integer left) { if (left == 2) x = 1; } }",
    ),
    (
        "a random number is large",
        "default { touch_start(integer n) { if (llFrand(10.0) > 9.0) x = 1; } }",
    ),
    (
        "an argument divides by zero",
        "default {
         state_entry() { x = 1; }
         touch_start(integer n) { llTakeControls(1, 1, 1 / (n - n)); x = 0; }
        }",
    ),
];

/// The text of a script of the table.
pub(crate) fn text(body: &str) -> String {
    format!("//@ property p: never x == 1;\ninteger x;\n{body}\n")
}
