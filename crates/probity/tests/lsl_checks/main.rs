//! Checks of LSL scripts that state no properties each on a script that is wrong and on
//! one that is right, with verdicts known by construction.

mod pays_more;

use probity::{InMemory, run};

/// The verdict words of all checks of a script, by name.
fn verdicts(text: &str) -> Vec<(String, String)> {
    verdicts_by(text, &[])
}

/// The same, with more options.
fn verdicts_by(text: &str, options: &[&str]) -> Vec<(String, String)> {
    let system = InMemory::default().with_file("s.lsl", text);
    let words = ["probity", "check", "--timeout", "60s", "s.lsl"];
    let words = words.iter().chain(options);
    let words: Vec<String> = words.map(|&word| word.to_owned()).collect();
    run(&words, &system);
    assert!(!system.err().contains("error"), "{}", system.err());
    let out = system.out();
    let rows = out.lines().filter_map(|line| {
        let line = line.strip_prefix("  ")?;
        let (word, rest) = ["holds", "fails", "possible", "not known", "vacuous"]
            .into_iter()
            .find_map(|word| Some((word, line.strip_prefix(word)?)))?;
        let name = rest.split_whitespace().next()?;
        Some((name.to_owned(), word.to_owned()))
    });
    rows.collect()
}

fn verdict(text: &str, check: &str) -> String {
    let all = verdicts(text);
    let found = all.iter().find(|(name, _)| name == check);
    found
        .unwrap_or_else(|| panic!("{check}: {all:?}"))
        .1
        .clone()
}

/// A script that asks for the permission, and takes payments once it has it.
fn shop(globals: &str, body: &str) -> String {
    format!(
        "{globals}
default
{{
    state_entry() {{ llRequestPermissions(llGetOwner(), PERMISSION_DEBIT); }}
    run_time_permissions(integer perm) {{ if (perm & PERMISSION_DEBIT) state open; }}
}}
state open
{{
    money(key id, integer amount)
    {{
        {body}
    }}
    changed(integer change) {{ if (change & CHANGED_OWNER) llResetScript(); }}
}}"
    )
}

#[test]
fn a_payment_is_served_or_given_back() {
    let price = "integer price = 10;";
    for (globals, body, expected) in [
        // A vendor without an `else` keeps what is too little, and words are no service.
        (
            price,
            "if (amount == price) llGiveInventory(id, \"Hat\");",
            "fails",
        ),
        (
            price,
            "if (amount < price) llSay(0, \"too little\"); else llGiveInventory(id, \"Hat\");",
            "fails",
        ),
        (
            price,
            "if (amount == price) llGiveInventory(id, \"Hat\"); else llGiveMoney(id, amount);",
            "holds",
        ),
        // A jar serves by thanking.
        ("", "llSay(0, \"thanks\");", "holds"),
        ("", "if (amount > 5) llSay(0, \"thanks\");", "fails"),
        // A list of who has paid need not be followed.
        ("list payers;", "payers += [id, amount];", "holds"),
        ("list payers;", "if (amount >= 5) payers += [id];", "fails"),
        // Payments by the owner are nobody's loss.
        (
            "",
            "if (id != llGetOwner()) llGiveMoney(id, amount);",
            "holds",
        ),
    ] {
        assert_eq!(
            verdict(&shop(globals, body), "payment-kept"),
            expected,
            "{body}"
        );
    }
}

#[test]
fn a_key_that_is_not_followed_may_be_the_owners() {
    let asks = "key payer;
note(key id, integer n) { if (n / 50 == 3) payer = llList2Key([id], 0); else payer = id; }
default
{
    money(key id, integer amount)
    {
        note(llGetOwner(), amount);
        llRequestPermissions(payer, PERMISSION_DEBIT);
    }
    run_time_permissions(integer perm) { if (perm & PERMISSION_DEBIT) state closed; }
}
state closed { touch_start(integer n) { } }";
    assert_ne!(verdict(asks, "payment-lost"), "holds");
    let copies = asks.replace("if (n / 50 == 3) payer = llList2Key([id], 0); else", "");
    assert_eq!(verdict(&copies, "payment-lost"), "fails");
}

#[test]
fn what_rests_on_values_that_are_not_followed_is_possible() {
    let body = "if (amount >= llList2Integer(prices, 0)) llGiveInventory(id, \"Hat\");";
    assert_eq!(
        verdict(&shop("list prices;", body), "payment-kept"),
        "possible"
    );
    let body = "if (llList2Integer(prices, 0) > 3) llGiveInventory(id, \"Hat\"); \
                else llGiveMoney(id, amount);";
    assert_eq!(
        verdict(&shop("list prices;", body), "payment-kept"),
        "holds"
    );
}

#[test]
fn a_script_pays_only_with_leave_and_something() {
    let bold = "default
{
    state_entry() { llRequestPermissions(llGetOwner(), PERMISSION_DEBIT); }
    money(key id, integer amount) { llGiveMoney(id, amount); }
}";
    assert_eq!(verdict(bold, "pays-without-debit"), "fails");
    assert_eq!(verdict(bold, "pays-nothing"), "holds");
    let waits = shop("", "llGiveMoney(id, amount);");
    assert_eq!(verdict(&waits, "pays-without-debit"), "holds");
    let looks = bold.replace(
        "llGiveMoney",
        "if (llGetPermissions() & PERMISSION_DEBIT) llGiveMoney",
    );
    assert_eq!(verdict(&looks, "pays-without-debit"), "holds");
    // L$0 is no payment: it fails with permission and without.
    let nothing = "default {
    money(key id, integer amount) { if (amount == 0) llGiveMoney(id, amount); }
    changed(integer change) { if (change & CHANGED_OWNER) llResetScript(); }
}";
    assert_eq!(verdict(nothing, "pays-without-debit"), "holds");
    let something = nothing.replace("amount == 0", "amount == 1");
    assert_eq!(verdict(&something, "pays-without-debit"), "fails");
    let change = shop("", "llGiveMoney(id, amount - 10);");
    assert_eq!(verdict(&change, "pays-nothing"), "fails");
}

#[test]
fn permissions_are_masks() {
    let asks = |mask: &str, test: &str| {
        format!(
            "default
{{
    state_entry() {{ llRequestPermissions(llGetOwner(), {mask}); }}
    run_time_permissions(integer perm) {{ if ({test}) state open; }}
}}
state open {{ money(key id, integer amount) {{ llGiveMoney(id, -1); }} }}"
        )
    };
    let joined = asks("PERMISSION_DEBIT | 16", "perm & PERMISSION_DEBIT");
    assert_eq!(verdict(&joined, "pays-without-debit"), "holds");
    // Of a mask that is not known, any bits may be granted, and others not.
    let test = "(perm & 4) && (perm & 16) && !(perm & 8)";
    let unknown = asks("(integer)llGetObjectDesc()", test);
    // The one engine follows such a value, the other does not: together, the quicker one answers.
    for (engine, expected) in [("explicit", "possible"), ("sat", "fails")] {
        let all = verdicts_by(&unknown, &["--engine", engine]);
        let said = (String::from("pays-nothing"), expected.to_owned());
        assert!(all.contains(&said), "{engine}: {all:?}");
    }
}

#[test]
fn what_follows_a_division_that_is_not_followed_is_reached() {
    for divided in [
        "integer n = llRound(since / week);",
        "since = since / week;",
        "since /= week; if (since / (week * week) > 2.0) llSay(0, \"late\");",
    ] {
        let body = format!("{divided} llGiveMoney(id, -1);");
        let script = shop("float since; float week = 604800.0;", &body);
        assert_eq!(verdict(&script, "pays-nothing"), "fails", "{divided}");
    }
}

#[test]
fn payments_are_lost_where_the_state_changes() {
    let closes = shop("", "llSay(0, \"thanks\");").replace(
        "    changed(",
        "    touch_start(integer n) { state default; }\n    changed(",
    );
    assert_eq!(verdict(&closes, "payment-lost"), "fails");
    assert_eq!(
        verdict(&shop("", "llSay(0, \"thanks\");"), "payment-lost"),
        "holds"
    );
}

#[test]
fn goods_are_looked_for_before_they_are_given() {
    let gives = shop("", "llGiveInventory(id, \"Hat\");");
    assert_eq!(verdict(&gives, "goods-missing"), "fails");
    let looks = shop(
        "",
        "if (llGetInventoryType(\"Hat\") == INVENTORY_NONE) llGiveMoney(id, amount); \
         else llGiveInventory(id, \"Hat\");",
    );
    assert_eq!(verdict(&looks, "goods-missing"), "holds");
}

/// Loops of any length, functions, texts and floats: what is not followed may be anything, and no
/// more is claimed than is so.
#[test]
fn what_is_left_out_can_do_anything() {
    let loops = shop(
        "list payers; integer count;",
        "integer i; for (i = 0; i < llGetListLength(payers); i++) \
         { if (llList2Key(payers, i) == id) { count++; llGiveMoney(id, amount); return; } }",
    );
    assert_ne!(verdict(&loops, "payment-kept"), "holds");
    let deep = shop(
        "integer n;",
        "f(id, amount); }  touch_start(integer k) { n += k;",
    )
    .replacen(
        "default",
        "f(key who, integer a) { if (n < 3) llGiveMoney(who, a); }\ndefault",
        1,
    );
    assert_ne!(verdict(&deep, "payment-kept"), "holds");
    let scaled = shop("", "llGiveMoney(id, (integer)(amount * 0.01));");
    assert_ne!(verdict(&scaled, "pays-nothing"), "holds");
}

/// Where a call has an argument that is not followed, all that it may lead to still happens.
#[test]
fn arguments_that_are_not_followed_may_be_anything() {
    let open = "state open { money(key id, integer amount) { if (amount > 5) llSay(0, \"hi\"); } }";
    for default in [
        "list l; default { state_entry() { l = [llGetOwner()];
            llRequestPermissions(llList2Key(l, 0), PERMISSION_DEBIT); }
            run_time_permissions(integer p) { if (p & PERMISSION_DEBIT) state open; } }",
        "float gap; default { state_entry() { gap = 1.0 + llFrand(3.0); llSetTimerEvent(gap); }
            timer() { state open; } }",
        "list l; default { state_entry() { l = [\"x\"]; llListen((integer)llFrand(9.0),
            llList2String(l, 0), llList2Key(l, 0), llList2String(l, 0)); }
            listen(integer c, string n, key k, string t) { if (t == \"go\") state open; } }",
        "list l; integer i; default { state_entry() { ++i; llGetNotecardLine(llList2String(l, 0), i); }
            dataserver(key q, string data) { if (data == EOF) state open; } }",
        "default { link_message(integer s, integer n, string t, key k) { if (n == -77) state open; } }",
        "default { link_message(integer s, integer n, string t, key k) { if (n == ~77) state open; } }",
        "default { link_message(integer s, integer n, string t, key k)
            { if (n == CHANGED_TELEPORT) state open; } }",
        "integer n; default { touch_start(integer k) { if (++n > 1000) state open; } }",
        "default { http_response(key q, integer status, list m, string b) { if (status == 200) state open; }
            state_entry() { llHTTPRequest(\"http://x\", [], \"\"); } }",
        "default { sensor(integer n) { if (n > 3) state open; }
            state_entry() { llSensorRepeat(\"\", \"\", AGENT, llFrand(9.0), PI, llFrand(9.0)); } }",
        "default { on_rez(integer n) { if (n == 42) state open; } }",
        "default { link_message(integer s, integer n, string t, key k)
            { if (n / 50 == 3 && t == \"go\") state open; } }",
        "integer g; f(integer n) { g = n; } default { on_rez(integer n) { f(n); if (g == 77) state open; } }",
        "integer a; integer b; default { on_rez(integer n) { a = n; }
            touch_start(integer n) { b = a; if (b == 1234) state open; } }",
        "default { link_message(integer s, integer n, string t, key k)
            { if (n & 64 && t == \"go\") state open; } }",
        "default { link_message(integer s, integer n, string t, key k)
            { if (n - s == 17 || t == \"never\" && n == 4) state open; } }",
    ] {
        let word = verdict(&format!("{default} {open}"), "payment-kept");
        assert_ne!(word, "holds", "{default}");
    }
}

/// The paper's auction, and its repaired twin, both without a word of what is to be verified.
#[test]
fn the_auction_is_wrong_without_annotations_too() {
    let bare = |text: &str| {
        let lines = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//@"));
        lines.collect::<Vec<_>>().join("\n")
    };
    let paper = bare(include_str!("../../../../examples/lsl/auction/paper.lsl"));
    assert_eq!(verdict(&paper, "payment-lost"), "fails");
    assert_eq!(verdict(&paper, "pays-without-debit"), "fails");
    let repaired = verdicts(&bare(include_str!(
        "../../../../examples/lsl/auction/repaired.lsl"
    )));
    assert!(repaired.len() >= 5, "{repaired:?}");
    assert!(
        repaired.iter().all(|(_, word)| word != "fails"),
        "{repaired:?}"
    );
}

#[test]
fn properties_of_the_script_are_asked_instead() {
    let text = "//@ property p: always n >= 0;\ninteger n;\ndefault { touch_start(integer k) { } }";
    let names: Vec<String> = verdicts(text).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["p"]);
}

#[test]
fn what_is_proposed_can_be_pasted_into_the_script() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/lsl");
    let mut proposed = 0;
    for entry in std::fs::read_dir(folder).expect("examples") {
        let Ok(scripts) = std::fs::read_dir(entry.expect("a folder").path()) else {
            continue;
        };
        for script in scripts {
            let path = script.expect("a script").path();
            if path.extension().is_none_or(|extension| extension != "lsl") {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a text");
            let lines = text.lines().map(|line| line.split("//@").next());
            let bare: Vec<&str> = lines.flatten().collect();
            let bare = bare.join("\n");
            let options = lsl::Options {
                checks: true,
                ..lsl::Options::default()
            };
            let read = lsl::load("s.lsl", &bare, &options);
            let proposals = read.program.expect("a program").display.proposals;
            assert!(proposals.len() <= 3, "{}", path.display());
            proposed += proposals.len();
            let whole = format!("{}\n{bare}", proposals.join("\n"));
            let read = lsl::load("s.lsl", &whole, &lsl::Options::default());
            assert!(
                read.program.is_some(),
                "{}: {:#?}\n{proposals:#?}",
                path.display(),
                read.diagnostics
            );
            let program = read.program.expect("a program");
            for proposal in &proposals {
                let words = proposal.split([' ', ':']).nth(2);
                let stated = program.properties.iter();
                let mut names = stated.map(|property| property.name.as_str());
                assert!(names.any(|name| Some(name) == words), "{proposal}");
            }
        }
    }
    assert!(proposed > 25, "{proposed}");
}

#[test]
fn what_explains_a_check_fails_it() {
    let docs = lsl::CODES.iter().flat_map(|table| table.iter());
    let checks: Vec<_> = docs.filter(|doc| !doc.code.starts_with("LSL")).collect();
    assert_eq!(checks.len(), 7);
    for doc in checks {
        let example = doc.example("lsl").unwrap_or_default();
        assert_eq!(verdict(example, doc.code), "fails", "{}", doc.code);
    }
}

#[test]
fn names_of_the_script_are_not_those_of_the_checks() {
    let names = [
        "integer amount; integer n; key id; key who; string item;",
        "integer balance; integer unsettled; integer spent; integer uncovered;",
        "amount(integer n) { } id() { }",
    ];
    let refund = |extra: &str| shop("", &format!("llGiveMoney(id, amount{extra});"));
    for name in names {
        for (body, check, expected) in [
            ("llSay(0, \"mine\");", "payment-kept", "fails"),
            ("llGiveMoney(id, amount);", "payment-kept", "holds"),
            ("llGiveMoney(id, amount);", "pays-more", "holds"),
            ("llGiveMoney(id, amount + 1);", "pays-more", "fails"),
            ("llGiveMoney(id, amount / 2);", "pays-nothing", "fails"),
            ("llGiveInventory(id, \"Hat\");", "goods-missing", "fails"),
        ] {
            let service = "if (amount > 99) { llGiveInventory(id, \"Hat\"); return; }";
            let served = format!("{service} {body}");
            let body = if check == "payment-kept" {
                &served
            } else {
                body
            };
            assert_eq!(verdict(&shop(name, body), check), expected, "{name} {body}");
        }
    }
    assert_eq!(verdict(&refund(""), "pays-more"), "holds");
}

#[test]
fn products_of_payments_fit_into_an_integer() {
    let globals = "integer DAY = 86400; integer price = 10; integer paid_until; integer rate = 7;";
    for (body, expected) in [
        (
            "paid_until = llGetUnixTime() + amount * DAY / price;",
            "fails",
        ),
        // 24,855 days are as many as there can be.
        (
            "if (amount > 24856) llGiveMoney(id, amount); else paid_until = amount * DAY;",
            "fails",
        ),
        (
            "if (amount > 24855) llGiveMoney(id, amount); else paid_until = amount * DAY;",
            "holds",
        ),
        ("if (DAY * (amount * 7) > 0) paid_until = 1;", "fails"),
        ("integer days = amount * -604800;", "fails"),
        ("integer days = amount * -DAY;", "fails"),
        (
            "integer days = amount * (DAY - 10 * (8000 + 1));",
            "not checked",
        ),
        ("integer days = amount * (60 * (1 + 59) * 24);", "fails"),
        (
            "if (id == llGetOwner()) rate = 1; else if (amount * DAY < 0) rate = 2;",
            "fails",
        ),
        ("while (rate > amount * DAY) --rate;", "fails"),
        // On the way to the ceiling L$21,474 are the most that a factor bears.
        ("paid_until = amount * 21474;", "not checked"),
        ("paid_until = (integer)(1.0 * amount * DAY);", "not checked"),
        // What the script computes with may be small by then.
        (
            "amount = amount / price; paid_until = amount * DAY;",
            "not checked",
        ),
        ("rate = 8; paid_until = amount * rate * DAY;", "not checked"),
    ] {
        let text = shop(globals, &format!("{body} llGiveInventory(id, \"Key\");"));
        let all = verdicts(&text);
        let found = all.iter().find(|(name, _)| name == "amount-wraps");
        let found = found.map_or("not checked", |(_, word)| word);
        assert_eq!(found, expected, "{body}");
    }
}

#[test]
fn keys_from_a_notecard_are_not_followed_where_there_are_many() {
    let keys = 0..9;
    let declared: String = keys.clone().map(|i| format!("key m{i}; ")).collect();
    let read: String = keys
        .clone()
        .map(|i| format!("else if (line == {i}) m{i} = (key)data; "))
        .collect();
    let asked: String = keys.map(|i| format!(" || who == m{i}")).collect();
    let text = format!(
        "{declared} key wait; integer line;
default {{
    state_entry() {{ wait = llGetNotecardLine(\"team\", 0); }}
    dataserver(key q, string data) {{
        if (q != wait) return;
        if (data == EOF) llRequestPermissions(llGetOwner(), PERMISSION_DEBIT);
        {read}
        ++line;
        wait = llGetNotecardLine(\"team\", line);
    }}
    run_time_permissions(integer perm) {{ if (perm & PERMISSION_DEBIT) state open; }}
}}
state open {{
    touch_start(integer n) {{
        key who = llDetectedKey(0);
        if (who == llGetOwner(){asked}) state default;
    }}
    money(key id, integer amount) {{ llGiveMoney(id, amount); }}
    changed(integer c) {{ if (c & CHANGED_OWNER) llResetScript(); }}
}}"
    );
    let all = verdicts(&text);
    for check in [
        "payment-kept",
        "pays-without-debit",
        "pays-nothing",
        "pays-more",
    ] {
        let found = all.iter().find(|(name, _)| name == check);
        assert_eq!(
            found.map(|(_, word)| &**word),
            Some("holds"),
            "{check}: {all:?}"
        );
    }
}

/// Settings that a notecard brings are not followed where there are many: there would be a state for each
/// combination of what they are compared with.
#[test]
fn settings_from_a_notecard_are_not_followed_where_there_are_many() {
    let settings = ["daily", "weekly", "monthly", "least", "most", "deposit"];
    let declared: String = settings.map(|name| format!("integer {name}; ")).concat();
    let read: String = settings
        .iter()
        .enumerate()
        .map(|(line, name)| {
            format!(
                "else if (count == {line}) {{ if (number >= 0) {name} = number; else {name} = 0; }}"
            )
        })
        .collect();
    let compared: String = settings
        .iter()
        .zip(1..)
        .map(|(name, digit)| {
            format!("if (amount == {name} && {name} != 10{digit}) wrong = FALSE; ")
        })
        .collect();
    let text = format!(
        "integer count; integer permitted; key line; {declared} \
         default {{ \
         state_entry() {{ line = llGetNotecardLine(\"settings\", 0); \
         llRequestPermissions(llGetOwner(), PERMISSION_DEBIT); }} \
         run_time_permissions(integer given) {{ if (given & PERMISSION_DEBIT) permitted = TRUE; }} \
         dataserver(key id, string data) {{ integer number = (integer)data; \
         if (id != line) return; {read} \
         count++; line = llGetNotecardLine(\"settings\", count); }} \
         money(key id, integer amount) {{ integer wrong = TRUE; {compared} \
         if (wrong && permitted) llGiveMoney(id, amount); }} }}",
        read = read.strip_prefix("else ").unwrap_or_default(),
    );
    for check in ["pays-more", "pays-nothing", "pays-without-debit"] {
        assert_eq!(verdict(&text, check), "holds", "{check}");
    }
}

/// Of a chain of conditions that nobody follows, what each was made of is forgotten when it is decided.
#[test]
fn many_conditions_one_after_the_other_are_decided_one_by_one() {
    let names = ["ann", "ben", "cy", "dan", "eve", "flo", "gus", "hal"];
    let declared: String = names.map(|name| format!("key {name}; ")).concat();
    let looked_up: String = names
        .map(|name| format!("{name} = llList2Key(staff, llListFindList(staff, [\"{name}\"]));"))
        .concat();
    let asked: String = names
        .map(|name| {
            format!("if (llDetectedKey(x) == {name}) {{ llGiveMoney({name}, 5); return; }} else ")
        })
        .concat();
    let text = format!(
        "list staff; {declared} default {{ \
         state_entry() {{ llRequestPermissions(llGetOwner(), PERMISSION_DEBIT); {looked_up} }} \
         touch_start(integer n) {{ integer x; for (x = 0; x < n; x += 1) {{ {asked} llSay(0, \"?\"); }} }} \
         money(key id, integer amount) {{ llSay(0, \"thanks\"); }} }}"
    );
    assert_eq!(verdict(&text, "pays-nothing"), "holds");
    assert_ne!(verdict(&text, "pays-more"), "not known");
}

#[test]
fn what_the_next_payer_is_shown_serves_nobody() {
    let thanks = "default { money(key id, integer amount) { llSetPayPrice(5, [5, 10, 20, 50]); llSay(0, \"Thanks!\"); } }";
    assert_eq!(verdict(thanks, "payment-kept"), "holds");
    let silent = thanks.replace(
        "llSay(0, \"Thanks!\")",
        "llSetClickAction(CLICK_ACTION_PAY)",
    );
    assert_eq!(verdict(&silent, "payment-kept"), "fails");
}

#[test]
fn an_item_may_be_named_by_a_variable_that_never_changes() {
    let text = "string card = \"CONFIG\"; key query; key who;
default
{
    state_entry()
    {
        llRequestPermissions(llGetOwner(), PERMISSION_DEBIT);
        if (llGetInventoryType(card) == INVENTORY_NOTECARD) query = llGetNotecardLine(card, 0);
        else llOwnerSay(card + \" is not here.\");
    }
    dataserver(key asked, string line) { if (asked == query) who = (key)line; }
    money(key id, integer amount)
    {
        if (who) llInstantMessage(who, \"A gift.\");
        else llGiveMoney(id, amount);
    }
}";
    assert_eq!(verdict(text, "pays-without-debit"), "fails");
}

/// What else is granted takes the place of the permission to pay before the script hears of it.
#[test]
fn another_permission_takes_the_place_of_the_first_at_once() {
    let script = "key asked;
default
{
    state_entry() { llRequestPermissions(llGetOwner(), PERMISSION_DEBIT); }
    attach(key id) { llRequestPermissions(llGetOwner(), PERMISSION_ATTACH); }
    run_time_permissions(integer perm)
    {
        if (perm & PERMISSION_DEBIT) llSetTimerEvent(15.0);
        else llDie();
    }
    timer() { asked = llHTTPRequest(\"http://a\", [], \"\"); }
    http_response(key id, integer status, list meta, string body)
    {
        if (id == asked) llGiveMoney(llGetCreator(), 5);
    }
}";
    assert_eq!(verdict(script, "pays-without-debit"), "fails");
    let alone = script.replace("llRequestPermissions(llGetOwner(), PERMISSION_ATTACH);", "");
    assert_eq!(verdict(&alone, "pays-without-debit"), "holds");
}

/// An object that is rezzed is a new one: nobody has paid it when the script hears of that.
#[test]
fn nothing_is_lost_when_an_object_is_rezzed() {
    let rezzed = "on_rez(integer n) { llResetScript(); }";
    let waits = format!(
        "integer old;
default
{{
    state_entry() {{ llRequestPermissions(llGetOwner(), PERMISSION_DEBIT); }}
    run_time_permissions(integer perm) {{ if (perm & PERMISSION_DEBIT) state ready; }}
}}
state ready
{{
    {rezzed}
    money(key id, integer amount) {{ llGiveMoney(id, amount); }}
}}"
    );
    assert_eq!(verdict(&waits, "payment-lost"), "holds");
    for loses in [
        "on_rez(integer n) { llSleep(1.0); llResetScript(); }",
        "on_rez(integer n) { state default; } state_exit() { llSleep(1.0); }",
        "on_rez(integer n) { old = TRUE; } touch_start(integer n) { if (old) llResetScript(); }",
        "touch_start(integer n) { llResetScript(); }",
    ] {
        let script = waits.replace(rezzed, loses);
        assert_eq!(verdict(&script, "payment-lost"), "fails", "{loses}");
    }
}

/// A loop without an end that makes a longer text each time is given up before it takes all memory.
#[test]
fn texts_that_grow_without_end_are_given_up() {
    let script = "string text;
default
{
    touch_start(integer n)
    {
        integer rest = -n;
        do text = (string)rest + text; while (rest = rest >> 1);
    }
}
//@ property short: never text == \"-1\";";
    let system = InMemory::default().with_file("s.lsl", script);
    let words = ["probity", "check", "--timeout", "20s", "s.lsl"].map(str::to_owned);
    run(&words, &system);
    assert!(
        !system.err().contains("cannot be stopped"),
        "{}",
        system.err()
    );
    assert!(
        system.out().contains("not known  short"),
        "{}",
        system.out()
    );
}

/// The inventory changes whether or not the script can name what is in it.
#[test]
fn scripts_that_name_no_item_hear_of_the_inventory_too() {
    let script = "list goods;
default { state_entry() { state ready; } }
state ready
{
    money(key id, integer amount) { llGiveInventory(id, llList2String(goods, 0)); }
    changed(integer change) { if (change & CHANGED_INVENTORY) llResetScript(); }
}";
    assert_eq!(verdict(script, "payment-lost"), "fails");
    let deaf = script.replace("llResetScript();", "llSay(0, \"new goods\");");
    assert_eq!(verdict(&deaf, "payment-lost"), "holds");
}

/// A change of the inventory may be one of an item that the script cannot name.
#[test]
fn items_that_a_script_does_not_name_change_too() {
    let script = "integer had;
default
{
    state_entry()
    {
        llRequestPermissions(llGetOwner(), PERMISSION_DEBIT);
        had = llGetInventoryType(\"Prize\") != INVENTORY_NONE;
    }
    changed(integer change)
    {
        if (change & CHANGED_OWNER) llResetScript();
        if (change & CHANGED_INVENTORY)
        {
            integer has = llGetInventoryType(\"Prize\") != INVENTORY_NONE;
            if (had && has) llGiveMoney(llGetOwner(), 0);
            had = has;
        }
    }
}";
    assert_eq!(verdict(script, "pays-nothing"), "fails");
    let pays = "//@ property pays: when call llGiveMoney(_, n) require n > 0;";
    let stated = format!("{pays}\n{script}");
    assert_eq!(verdict(&stated, "pays"), "fails");
    let stays = format!("//@ assume inventory stays;\n{stated}");
    assert_eq!(verdict(&stays, "pays"), "vacuous");
}

/// Differences are not followed where finitely many numbers stand for all.
#[test]
fn change_is_more_than_nothing() {
    let pays = "if (amount > price) { change = amount - price; llGiveMoney(id, change); }";
    let script = shop("integer price = 10; integer change;", pays);
    assert_eq!(verdict(&script, "pays-nothing"), "holds");
    let script = script.replace("amount > price", "amount >= price");
    assert_eq!(verdict(&script, "pays-nothing"), "fails");
}

/// L$0 is nothing to lose, and somebody who pays hardly pays that.
#[test]
fn what_is_lost_is_something() {
    let text = "default { touch_start(integer n) { state open; } money(key id, integer n) { state open; } }
state open { touch_start(integer n) { state default; } }";
    let system = InMemory::default().with_file("s.lsl", text);
    let words = ["probity", "check", "s.lsl", "--property", "payment-lost"];
    let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
    run(&words, &system);
    let out = system.out();
    assert!(out.contains("pays L$1"), "{out}");
}

#[test]
fn a_draw_that_decides_nothing_serves_nobody() {
    let gives = "integer at = (integer)llFrand(3.0);
        if (at == 3) at = 2;
        if (amount != price) { llInstantMessage(id, \"Too little.\"); return; }
        llGiveInventory(id, llGetInventoryName(INVENTORY_OBJECT, at));";
    let script = shop("integer price = 10;", gives);
    assert_eq!(verdict(&script, "payment-kept"), "fails");
    // Here it does.
    let gives = "integer at = (integer)llFrand(3.0);
        if (at == 2) llGiveInventory(id, \"Hat\");";
    assert_eq!(verdict(&shop("", gives), "payment-kept"), "holds");
    let gives = "if (roll() != 6) { llInstantMessage(id, \"Sorry.\"); return; } llGiveInventory(id, \"Hat\");";
    let roll = "integer roll() { return 1 + (integer)llFrand(6.0); }";
    assert_eq!(verdict(&shop(roll, gives), "payment-kept"), "holds");
}

#[test]
fn who_is_written_down_where_nobody_looks_is_not_served() {
    let gives = "last = llKey2Name(id); if (amount == price) llGiveInventory(id, \"Hat\");";
    let globals = "integer price = 10; string last;";
    assert_eq!(verdict(&shop(globals, gives), "payment-kept"), "fails");
    let gives = format!("{gives} llOwnerSay(last);");
    assert_eq!(verdict(&shop(globals, &gives), "payment-kept"), "holds");
}
