//! Small scripts about what happens every day, each with a property that a run breaks: none of them
//! may be said to hold, and the concrete world must be able to show it.

/// What it is about, and the script. The property `p` says that `x` is never 1.
pub(crate) const SCRIPTS: &[(&str, &str)] = &[
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
        "removing one listen of a call leaves the other open",
        "integer a; integer b;
        integer open(integer c) { return llListen(c, \"\", \"\", \"\"); }
        default {
            state_entry() { a = open(1); b = open(2); llListenRemove(a); }
            listen(integer c, string n, key k, string m) { if (c == 2) x = 1; }
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
];

/// The text of a script of the table.
pub(crate) fn text(body: &str) -> String {
    format!("//@ property p: never x == 1;\ninteger x;\n{body}\n")
}
