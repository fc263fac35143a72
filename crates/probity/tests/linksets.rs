//! What the command line says of linksets: files that name the scripts of an object.

use probity::{InMemory, run};
use report::{Report, VerdictWord};

/// Checks a linkset; for each property its name, the verdict, and whether it is too weak, and the exit status.
fn check(files: &[(&str, &str)], more: &[&str]) -> (u8, Vec<(String, VerdictWord, bool)>) {
    let system = files
        .iter()
        .fold(InMemory::default(), |system, (name, text)| {
            system.with_file(*name, *text)
        });
    let words = [
        "probity",
        "check",
        "shop.toml",
        "--format",
        "json",
        "--timeout",
        "20s",
    ];
    let words: Vec<&str> = words.iter().chain(more).copied().collect();
    let status = run(&words, &system);
    let report: Report = serde_json::from_str(&system.out())
        .unwrap_or_else(|error| panic!("{error}: {}{}", system.out(), system.err()));
    let properties = report.files.iter().flat_map(|file| &file.properties);
    let found = properties.map(|p| (p.name.clone(), p.verdict, p.too_weak));
    (status, found.collect())
}

/// The verdict on a property.
fn of(found: &[(String, VerdictWord, bool)], name: &str) -> VerdictWord {
    let found = found.iter().find(|(other, ..)| other == name);
    found
        .unwrap_or_else(|| panic!("there is no property {name}"))
        .1
}

const TWO_IN_A_PRIM: &str = "queue = 2\n[[prim]]\nscripts = [\"a.lsl\", \"b.lsl\"]\n";

/// Two withdrawals are asked for before the first is paid: each script by itself does what it should.
#[test]
fn a_race_between_two_scripts_is_found() {
    let purse = "\
        integer balance = 1;\n\
        default { link_message(integer sender, integer n, string s, key id) {\n\
            if (s == \"balance?\") llMessageLinked(LINK_THIS, balance, \"balance\", \"\");\n\
            if (s == \"take\") --balance;\n\
        } }\n";
    let cashier = "\
        integer paid;\n\
        default {\n\
            touch_start(integer n) { llMessageLinked(LINK_THIS, 0, \"balance?\", \"\"); }\n\
            link_message(integer sender, integer n, string s, key id) {\n\
                if (s == \"balance\" && n > 0 && paid < 3) {\n\
                    ++paid; llMessageLinked(LINK_THIS, 0, \"take\", \"\");\n\
                }\n\
            }\n\
        }\n";
    let toml = format!("properties = [\"solvent: always a.balance >= 0\"]\n{TWO_IN_A_PRIM}");
    let files = [("shop.toml", &*toml), ("a.lsl", purse), ("b.lsl", cashier)];
    let (status, found) = check(&files, &[]);
    assert_eq!((status, of(&found, "solvent")), (1, VerdictWord::Fails));
    // The purse looks itself before it gives: no race is left.
    let careful = purse.replace("--balance", "if (balance > 0) --balance");
    let files = [
        ("shop.toml", &*toml),
        ("a.lsl", &*careful),
        ("b.lsl", cashier),
    ];
    let (status, found) = check(&files, &[]);
    assert_eq!((status, of(&found, "solvent")), (0, VerdictWord::Holds));
}

/// What is claimed of states is read between handlers, also where one is cut.
#[test]
fn claims_about_states_are_not_read_at_cuts() {
    let script = "\
        integer x; integer y;\n\
        //@ property together: always x == y;\n\
        //@ property apart: always x == 0;\n\
        default { touch_start(integer n) {\n\
            x = 1 - x; llMessageLinked(LINK_ALL_OTHERS, 0, \"\", \"\"); y = 1 - y;\n\
        } }\n";
    let other = "default { link_message(integer f, integer n, string s, key id) { } }";
    let files = [
        ("shop.toml", TWO_IN_A_PRIM),
        ("a.lsl", script),
        ("b.lsl", other),
    ];
    let (_, found) = check(&files, &[]);
    assert_eq!(of(&found, "together"), VerdictWord::Holds);
    assert_eq!(of(&found, "apart"), VerdictWord::Fails);
}

/// An event is seen although its handler is cut behind it.
#[test]
fn events_are_not_missed_where_handlers_are_cut() {
    let says = "//@ property own: never call llOwnerSay(text);\n\
        default { touch_start(integer n) {\n\
            llOwnerSay(\"x\"); llMessageLinked(LINK_ALL_OTHERS, 1, \"\", \"\"); } }";
    let other = "//@ property foreign: never call llOwnerSay(text);\n\
        default { link_message(integer f, integer n, string s, key id) { } }";
    let toml = format!("properties = [\"common: never call llOwnerSay(text)\"]\n{TWO_IN_A_PRIM}");
    let files = [("shop.toml", &*toml), ("a.lsl", says), ("b.lsl", other)];
    let (_, found) = check(&files, &[]);
    for name in ["own", "foreign", "common"] {
        assert_eq!(of(&found, name), VerdictWord::Fails, "{name}");
    }
}

/// A pattern about calls that a script never makes is about those of the others.
#[test]
fn calls_of_others_are_seen() {
    let asks = "//@ property never_pays: when call llGiveMoney(who, n) require n < 5;\n\
        default { touch_start(integer n) { llMessageLinked(LINK_THIS, 1, \"\", \"\"); } }";
    let pays = "default { link_message(integer f, integer n, string s, key id) {\n\
        llGiveMoney(llGetOwner(), n + 4); } }";
    let toml = format!(
        "properties = [\"common: when call llGiveMoney(who, n) require n > 0\",\n\
         \"no_dialogs: never call llDialog(a, b, c, d)\"]\n{TWO_IN_A_PRIM}"
    );
    let files = [("shop.toml", &*toml), ("a.lsl", asks), ("b.lsl", pays)];
    let (_, found) = check(&files, &[]);
    assert_eq!(of(&found, "never_pays"), VerdictWord::Fails);
    assert_eq!(of(&found, "common"), VerdictWord::Holds);
    assert_eq!(of(&found, "no_dialogs"), VerdictWord::Holds);
    let (_, found) = check(
        &files,
        &["--property", "when call llGiveMoney(who, n) require n > 5"],
    );
    assert!(
        found
            .iter()
            .any(|(_, verdict, _)| *verdict == VerdictWord::Fails)
    );
}

/// Nothing but the calls themselves is seen of these handlers: their order among all scripts still matters.
#[test]
fn calls_of_one_handler_are_parted_by_those_of_others() {
    let steps = |first: &str, second: &str| {
        format!(
            "default {{ touch_start(integer n) {{ llSetText(\"{first}\", <1, 1, 1>, 1);\n\
             llSetText(\"{second}\", <1, 1, 1>, 1); }} }}"
        )
    };
    let (one, other) = (steps("a", "b"), steps("c", "c"));
    // The calls one after the other: 1 for `a`, 2 for `c` behind it, 3 for `b` behind both.
    let toml = "properties = [\"parted: always seen < 3\"]\nannotations = \"\"\"\n\
        ghost integer seen;\n\
        on call llSetText(text, colour, alpha) when text == \"a\" { seen = 1; }\n\
        on call llSetText(text, colour, alpha) when text == \"c\" && seen == 1 { seen = 2; }\n\
        on call llSetText(text, colour, alpha) when text == \"b\" && seen == 2 { seen = 3; }\n\
        \"\"\"\n[[prim]]\nscripts = [\"a.lsl\"]\n[[prim]]\nscripts = [\"b.lsl\"]\n";
    let files = [("shop.toml", toml), ("a.lsl", &*one), ("b.lsl", &*other)];
    let (_, found) = check(&files, &[]);
    assert_eq!(of(&found, "parted"), VerdictWord::Fails);
}

/// Each prim has the notecards that stand with it.
#[test]
fn notecards_belong_to_a_prim() {
    let script = "string price; key asked;\n\
        default {\n\
            state_entry() { asked = llGetNotecardLine(\"config\", 0); }\n\
            dataserver(key id, string line) { if (id == asked) price = line; }\n\
        }\n";
    let toml = "properties = [\"first: always a.price != \\\"20\\\"\",\n\
        \"second: always a@2.price != \\\"20\\\"\"]\n\
        [[prim]]\nscripts = [\"a.lsl\"]\nnotecards = [\"config=one.txt\"]\n\
        [[prim]]\nscripts = [\"a.lsl\"]\nnotecards = [\"two/config.txt\"]\n";
    let files = [
        ("shop.toml", toml),
        ("a.lsl", script),
        ("one.txt", "10\n"),
        ("two/config.txt", "20\n"),
    ];
    let (_, found) = check(&files, &[]);
    assert_eq!(of(&found, "first"), VerdictWord::Holds);
    assert_eq!(of(&found, "second"), VerdictWord::Fails);
}

/// One touch is heard by both scripts of a prim: that each hears some is more than can happen.
#[test]
fn runs_in_which_scripts_share_an_event_are_possible_only() {
    let script = "integer x; default { touch_start(integer n) { x = 1; } }";
    let toml =
        format!("properties = [\"no: always a.x == 0\", \"yes: always a.x < 2\"]\n{TWO_IN_A_PRIM}");
    let files = [("shop.toml", &*toml), ("a.lsl", script), ("b.lsl", script)];
    let (status, found) = check(&files, &[]);
    assert_eq!(of(&found, "no"), VerdictWord::Possible);
    assert_eq!(of(&found, "yes"), VerdictWord::Holds);
    assert_eq!(status, 3);
    // In prims of their own they are touched each by itself.
    let toml = toml.replace("\", \"b", "\"]\n[[prim]]\nscripts = [\"b");
    let files = [("shop.toml", &*toml), ("a.lsl", script), ("b.lsl", script)];
    let (_, found) = check(&files, &[]);
    assert_eq!(of(&found, "no"), VerdictWord::Fails);
}

/// What is not followed proves nothing.
#[test]
fn what_is_not_followed_keeps_from_holding() {
    let script = "integer x = 1; default { touch_start(integer n) {\n\
        llRemoteLoadScriptPin(llGetOwner(), \"b\", 1, TRUE, 0); x = 2; } }";
    let other = "integer y; default { state_entry() { y = 1; } }";
    let toml = "properties = [\"p: always b.y < 2\", \"q: always a.x == 1\"]\n\
        [[prim]]\nscripts = [\"a.lsl\"]\n[[prim]]\nscripts = [\"b.lsl\"]\n";
    let files = [("shop.toml", toml), ("a.lsl", script), ("b.lsl", other)];
    let (status, found) = check(&files, &[]);
    assert_eq!(status, 3);
    assert_ne!(of(&found, "p"), VerdictWord::Holds);
    assert_eq!(of(&found, "q"), VerdictWord::Possible);
}

/// The code of a function that sends messages stands in place of its calls, but in `state_exit` and where it calls
/// itself.
#[test]
fn functions_that_send_messages_are_followed() {
    let other = "integer got; default { link_message(integer f, integer n, string s, key id) { got = 1; } }";
    let toml = format!("properties = [\"p: always b.got <= 1\"]\n{TWO_IN_A_PRIM}");
    let with = |rest: &str| {
        let script = format!("tell() {{ llMessageLinked(LINK_THIS, 1, \"\", \"\"); }}\n{rest}");
        let files = [("shop.toml", &*toml), ("a.lsl", &*script), ("b.lsl", other)];
        of(&check(&files, &[]).1, "p")
    };
    let touched = "default { touch_start(integer n) { tell(); } }";
    assert_eq!(with(touched), VerdictWord::Holds);
    let leaves = "default { touch_start(integer n) { tell(); state other; } state_exit() { tell(); } }\n\
        state other { touch_start(integer n) { } }";
    assert_ne!(with(leaves), VerdictWord::Holds);
    let again = "again(integer n) { tell(); if (n) again(n - 1); }\n\
        default { touch_start(integer n) { again(2); } }";
    assert_ne!(with(again), VerdictWord::Holds);
}

/// A message that waits is handled some time; one that nobody sends is not.
#[test]
fn every_script_goes_on_some_time() {
    let asks = "integer asked; integer answered;\n\
        //@ property answer: asked == 1 leads to answered == 1;\n\
        //@ property question: eventually asked == 1;\n\
        default {\n\
            touch_start(integer n) { asked = 1; llMessageLinked(LINK_ALL_OTHERS, 1, \"\", \"\"); }\n\
            link_message(integer f, integer n, string s, key id) { answered = 1; }\n\
        }\n";
    let answers = "default { link_message(integer f, integer n, string s, key id) {\n\
        llMessageLinked(f, 2, \"\", \"\"); } }";
    let toml = "queue = 1\n[[prim]]\nscripts = [\"a.lsl\"]\n[[prim]]\nscripts = [\"b.lsl\"]\n";
    let files = [("shop.toml", toml), ("a.lsl", asks), ("b.lsl", answers)];
    let (_, found) = check(&files, &[]);
    assert_eq!(of(&found, "answer"), VerdictWord::Holds);
    assert_eq!(of(&found, "question"), VerdictWord::Fails);
    let deaf = "default { touch_start(integer n) { } }";
    let files = [("shop.toml", toml), ("a.lsl", asks), ("b.lsl", deaf)];
    let (_, found) = check(&files, &[]);
    assert_eq!(of(&found, "answer"), VerdictWord::Fails);
}

/// A folder is checked file by file, its linkset files among them.
#[test]
fn a_folder_is_checked_file_by_file() {
    let script = "integer x; default { touch_start(integer n) { x = 1; } }";
    let system = InMemory::default()
        .with_file("all/shop.toml", "[[prim]]\nscripts = [\"a.lsl\"]\n")
        .with_file("all/a.lsl", script)
        .with_file("all/Cargo.toml", "[package]\nname = \"x\"\n");
    assert_eq!(
        run(&["probity", "check", "all", "--format", "json"], &system),
        0
    );
    let report: Report = serde_json::from_str(&system.out()).unwrap();
    let names: Vec<&str> = report.files.iter().map(|file| file.file.as_str()).collect();
    assert_eq!(names, ["all/a.lsl", "all/shop.toml"]);
}

#[test]
fn a_bound_stands_where_it_is_written() {
    let toml = "queue = 2\nbounds = [\"amount = 1..3\"]\n[[prim]]\nscripts = [\"a.lsl\"]\n";
    let script = "integer sum;\n//@ property small: always sum < 9;\ndefault { money(key id, integer amount) { \
                  if (sum < 6) sum += amount; } }";
    let said = |options: &[&str]| {
        let system = InMemory::default()
            .with_file("box.toml", toml)
            .with_file("a.lsl", script);
        let words = [&["probity", "check", "box.toml"], options].concat();
        assert_eq!(run(&words, &system), 0, "{}{}", system.out(), system.err());
        let out = system.out();
        let line = out.lines().find(|line| line.contains("payments are of"));
        line.unwrap_or_default().to_owned()
    };
    assert!(
        said(&[]).ends_with("L$1 to L$3  (box.toml:2)"),
        "{}",
        said(&[])
    );
    let over = said(&["--bound", "amount=1..2"]);
    assert!(over.ends_with("L$1 to L$2  (command line)"), "{over}");
}

const TILL: &str = "\
    default { money(key id, integer amount) {\n\
        if (amount > 0) llMessageLinked(LINK_SET, amount, \"refund\", id);\n\
    } }\n";

const BANK: &str = "\
    default {\n\
        state_entry() { llRequestPermissions(llGetOwner(), PERMISSION_DEBIT); }\n\
        link_message(integer sender, integer n, string word, key id) {\n\
            if (word == \"refund\" && (llGetPermissions() & PERMISSION_DEBIT)) llGiveMoney(id, n);\n\
        }\n\
    }\n";

const TWO_PRIMS: &str =
    "queue = 1\n[[prim]]\nscripts = [\"till.lsl\"]\n[[prim]]\nscripts = [\"bank.lsl\"]\n";

/// The checks of scripts that run together know who sends messages, and what.
#[test]
fn checks_are_made_of_scripts_as_they_run_together() {
    let files = [
        ("shop.toml", TWO_PRIMS),
        ("till.lsl", TILL),
        ("bank.lsl", BANK),
    ];
    let (_, found) = check(&files, &[]);
    assert_eq!(of(&found, "bank.pays-nothing"), VerdictWord::Holds);
    assert_eq!(of(&found, "bank.pays-without-debit"), VerdictWord::Holds);
    assert_eq!(of(&found, "till.payment-kept"), VerdictWord::Holds);
    // What nobody sends by itself: the bank alone may be sent anything.
    let alone = [
        (
            "shop.toml",
            "queue = 1\n[[prim]]\nscripts = [\"bank.lsl\"]\n",
        ),
        ("bank.lsl", BANK),
    ];
    let (_, found) = check(&alone, &[]);
    assert_eq!(of(&found, "bank.pays-nothing"), VerdictWord::Vacuous);
    // A sender that refunds L$0, too.
    let careless = TILL.replace("if (amount > 0) ", "if (amount > 0) amount = amount - 1; ");
    let files = [
        ("shop.toml", TWO_PRIMS),
        ("till.lsl", &*careless),
        ("bank.lsl", BANK),
    ];
    let (_, found) = check(&files, &[]);
    assert_eq!(of(&found, "bank.pays-nothing"), VerdictWord::Fails);
}

/// A script that pays for all is set against what all receive.
#[test]
fn what_one_script_pays_is_what_all_have_received() {
    let twice = BANK.replace("llGiveMoney(id, n)", "llGiveMoney(id, n * 2)");
    let files = [
        ("shop.toml", TWO_PRIMS),
        ("till.lsl", TILL),
        ("bank.lsl", &*twice),
    ];
    let (_, found) = check(&files, &[]);
    assert_eq!(of(&found, "bank.pays-more"), VerdictWord::Fails);
    let files = [
        ("shop.toml", TWO_PRIMS),
        ("till.lsl", TILL),
        ("bank.lsl", BANK),
    ];
    let (_, found) = check(&files, &[]);
    assert_ne!(of(&found, "bank.pays-more"), VerdictWord::Fails);
}

/// Where a script does not know what it sends, the others do not know it either.
#[test]
fn what_a_sender_does_not_know_proves_nothing() {
    let computed = TILL.replace(
        "amount, \"refund\", id",
        "llList2Integer([amount, 0, -amount], (integer)llFrand(3.0)), llToLower(\"REFUND\"), id",
    );
    let files = [
        ("shop.toml", TWO_PRIMS),
        ("till.lsl", &*computed),
        ("bank.lsl", BANK),
    ];
    let (_, found) = check(&files, &[]);
    assert_ne!(of(&found, "bank.pays-nothing"), VerdictWord::Holds);
}

/// What is said to the region is heard by who listens; those near may be too far.
#[test]
fn what_is_said_is_heard_some_time() {
    let speaker = "integer ready; integer said;\n\
        default {\n\
            link_message(integer sender, integer n, string s, key id) { ready = 1; }\n\
            touch_start(integer n) { if (ready) { said = 1; llRegionSay(-7, \"open\"); } }\n\
        }\n";
    let listener = "integer heard;\n\
        default {\n\
            state_entry() { llListen(-7, \"\", \"\", \"open\"); llMessageLinked(1, 0, \"\", \"\"); }\n\
            listen(integer c, string name, key id, string text) { heard = 1; }\n\
        }\n";
    let toml = "queue = 1\nbounds = [\"avatars = 1\"]\n\
        properties = [\"door: a.said == 1 leads to b.heard == 1\"]\n\
        [[prim]]\nscripts = [\"a.lsl\"]\n[[prim]]\nscripts = [\"b.lsl\"]\n";
    let files = [("shop.toml", toml), ("a.lsl", speaker), ("b.lsl", listener)];
    let (_, found) = check(&files, &[]);
    assert_eq!(of(&found, "door"), VerdictWord::Holds);
    let near = speaker.replace("llRegionSay", "llShout");
    let files = [("shop.toml", toml), ("a.lsl", &*near), ("b.lsl", listener)];
    let (_, found) = check(&files, &[]);
    assert_eq!(of(&found, "door"), VerdictWord::Fails);
}

/// Without a bound on what waits, few messages do, and nothing is said to hold.
#[test]
fn a_bound_that_nobody_states_proves_nothing() {
    let toml = TWO_PRIMS.replace("queue = 1\n", "");
    let early = BANK.replace("(llGetPermissions() & PERMISSION_DEBIT)", "TRUE");
    let files = [
        ("shop.toml", &*toml),
        ("till.lsl", TILL),
        ("bank.lsl", &*early),
    ];
    let (status, found) = check(&files, &[]);
    assert_eq!(status, 1);
    assert_eq!(of(&found, "bank.pays-without-debit"), VerdictWord::Fails);
    assert_ne!(of(&found, "bank.pays-nothing"), VerdictWord::Holds);
    // A bound on avatars is no property.
    let bound = format!("bounds = [\"avatars = 1\"]\n{TWO_PRIMS}");
    let files = [
        ("shop.toml", &*bound),
        ("till.lsl", TILL),
        ("bank.lsl", BANK),
    ];
    let (_, found) = check(&files, &[]);
    assert_eq!(of(&found, "bank.pays-nothing"), VerdictWord::Holds);
}
