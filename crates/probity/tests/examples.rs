//! The scripts in `examples`: what holds, what fails, and that each repair is needed.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use probity::{InMemory, run};
use report::{FileReport, Report, VerdictWord};

/// The examples of this folder that fail, with the properties that do. All others hold.
const FAILING: &[(&str, &[&str])] = &[
    ("aiger/arbiter/arbiter.aag", &["left_starves"]),
    ("java/counter/Broken.java", &["race-Broken.count"]),
    ("java/stack/Broken.java", &["lost-Node"]),
    ("java/transfer/Broken.java", &["deadlock"]),
    (
        "lsl/auction/auction.lsl",
        &[
            "books_balance",
            "can_refund",
            "new_owner_new_auction",
            "prize_exists",
        ],
    ),
    ("lsl/auction/mutants/1.lsl", &["rising_bids"]),
    ("lsl/auction/mutants/2.lsl", &["winner_outbid_others"]),
    ("lsl/auction/mutants/3.lsl", &["prize_delivered"]),
    ("lsl/auction/mutants/4.lsl", &["only_winner_gets_prize"]),
    (
        "lsl/auction/mutants/5.lsl",
        &["leader_refunded_only_if_outbid"],
    ),
    (
        "lsl/auction/mutants/6.lsl",
        &["bidder_refunded_only_if_low"],
    ),
    (
        "lsl/door/door-faulty.lsl",
        &[
            "locked_door_is_shut",
            "only_owner_locks",
            "open_door_closes",
        ],
    ),
    (
        "lsl/linkset/vendor-faulty.toml",
        &["never_twice", "right_buyer"],
    ),
    (
        "lsl/raffle/raffle.lsl",
        &["nobody_wins_twice", "winners_have_tickets"],
    ),
    (
        "lsl/rental-box/rental-box.lsl",
        &["payouts_succeed", "refund_within_rent", "rent_buys_a_stay"],
    ),
    (
        "lsl/tip-jar/tip-jar.lsl",
        &[
            "debit_before_payout",
            "payouts_are_money",
            "payouts_within_tip",
        ],
    ),
    (
        "lsl/vendor/vendor.lsl",
        &["goods_in_stock", "goods_or_money_back", "payouts_succeed"],
    ),
    (
        "promela/alternating-bit/any-acknowledgement.pml",
        &["assertions"],
    ),
    ("promela/dining/dining.pml", &["deadlock"]),
    ("promela/lock/lock.pml", &["assertions"]),
    ("promela/transfer/transfer.pml", &["lost_money"]),
    (
        "tscript/auction/original.tb",
        &[
            "F3",
            "F3-answer",
            "F3-later",
            "F5",
            "acknowledged-new-item",
            "deadlock",
            "early-notes",
            "handled-new-item",
            "handled-quit",
            "outdated-bid",
            "stale-any-higher-bid",
            "stale-sold",
            "stale-update-bid",
            "unsubscribed",
            "wedge-Auction",
        ],
    ),
    (
        "tscript/auction/steps.tb",
        &[
            "F3",
            "F3-answer",
            "F3-later",
            "F5",
            "acknowledged-new-item",
            "deadlock",
            "early-notes",
            "handled-new-item",
            "handled-quit",
            "outdated-bid",
            "stale-any-higher-bid",
            "stale-sold",
            "stale-update-bid",
            "unsubscribed",
            "wedge-Auction",
        ],
    ),
    (
        "tscript/dining/dining.tb",
        &[
            "deadlock",
            "wedge-Fork",
            "wedge-Fork-2",
            "wedge-Fork-3",
            "wedge-Guest",
            "wedge-Guest-2",
            "wedge-Guest-3",
        ],
    ),
    (
        "tscript/notes/race.tb",
        &["deadlock", "early-notes", "wedge-Reader"],
    ),
    ("tvm/mutex/broken.tvm", &["mutualExclusion"]),
    (
        "tvm/insertion/broken.tvm",
        &["acyclic", "nothingIsLost", "nothingIsShared"],
    ),
    ("tvm/pool/broken.tvm", &["aloneAtWork", "taken"]),
    ("tvm/producers/broken.tvm", &["nothingIsLost"]),
    ("tvm/reversal/broken.tvm", &["nothingIsLost"]),
    (
        "tvm/two_lock_queue/broken.tvm",
        &["append", "nothingIsLost", "tailIsListed"],
    ),
    ("tvm/readers_writers/broken.tvm", &["noReaderWhileWriting"]),
    ("tvm/two_locks/two_locks.tvm", &["mutualExclusion"]),
];

/// Examples that hold, a line of each, a fault in its place, and what fails then.
const PLANTED: &[(&str, &str, &str, &[&str])] = &[
    (
        "lsl/tip-jar/tip-jar-repaired.lsl",
        "pay(HOST, amount - share);",
        "pay(HOST, amount * 30 / 100 + 1);",
        &["payouts_within_tip"],
    ),
    (
        "lsl/tip-jar/tip-jar-repaired.lsl",
        "if (amount > 0) llGiveMoney(who, amount);",
        "llGiveMoney(who, amount);",
        &["partners_only", "payouts_are_money"],
    ),
    (
        "lsl/tip-jar/tip-jar-repaired.lsl",
        "if (perm & PERMISSION_DEBIT) state open;",
        "state open;",
        &["debit_before_payout"],
    ),
    (
        "lsl/tip-jar/tip-jar-repaired.lsl",
        "llSetTimerEvent(SHIFT);",
        "",
        &["dj_signs_out"],
    ),
    (
        "lsl/tip-jar/tip-jar-repaired.lsl",
        "pay(dj, share);",
        "pay(HOST, share);",
        &["dj_gets_a_share"],
    ),
    (
        "lsl/vendor/vendor-repaired.lsl",
        "if (item == \"\")",
        "if (FALSE)",
        &["goods_in_stock", "goods_or_money_back"],
    ),
    (
        "lsl/vendor/vendor-repaired.lsl",
        "refund(id, amount - PRICE,",
        "refund(id, amount,",
        &["goods_or_money_back"],
    ),
    (
        "lsl/vendor/vendor-repaired.lsl",
        "if (amount < PRICE)",
        "if (amount < PRICE - 1)",
        &["goods_for_the_price", "goods_or_money_back"],
    ),
    (
        "lsl/vendor/vendor-repaired.lsl",
        "if (perm & PERMISSION_DEBIT) state selling;",
        "state selling;",
        &["goods_or_money_back", "payouts_succeed"],
    ),
    (
        "lsl/vendor/vendor-repaired.lsl",
        "if (amount > 0) llGiveMoney(id, amount);",
        "llGiveMoney(id, amount);",
        &["payouts_succeed"],
    ),
    (
        "lsl/vendor/vendor-repaired.lsl",
        "llGiveMoney(id, amount);",
        "llGiveMoney(llGetOwner(), amount);",
        &["change_to_the_payer"],
    ),
    (
        "lsl/rental-box/rental-box-repaired.lsl",
        "pay(tenant, days * RENT);",
        "pay(tenant, (days + free) * RENT);",
        &["refund_within_rent"],
    ),
    (
        "lsl/rental-box/rental-box-repaired.lsl",
        "if (llDetectedKey(0) != tenant) return;\n        pay(tenant,",
        "pay(llDetectedKey(0),",
        &["refund_within_rent"],
    ),
    (
        "lsl/rental-box/rental-box-repaired.lsl",
        "pay(id, amount % RENT);",
        "",
        &["rent_buys_a_stay"],
    ),
    (
        "lsl/rental-box/rental-box-repaired.lsl",
        "llSetTimerEvent(DAY);",
        "",
        &["stays_end"],
    ),
    (
        "lsl/rental-box/rental-box-repaired.lsl",
        "if (perm & PERMISSION_DEBIT) state renting;",
        "state renting;",
        &["payouts_succeed"],
    ),
    (
        "lsl/raffle/raffle-repaired.lsl",
        "tickets = llDeleteSubList(tickets, i, i);",
        "llDeleteSubList(tickets, i, i);",
        &["nobody_wins_twice"],
    ),
    (
        "lsl/raffle/raffle-repaired.lsl",
        "(integer)llFrand(llGetListLength(tickets))",
        "llCeil(llFrand(llGetListLength(tickets)))",
        &["nobody_wins_twice", "winners_have_tickets"],
    ),
    (
        "lsl/raffle/raffle-repaired.lsl",
        "llSetTimerEvent(TIME);",
        "",
        &["raffle_ends"],
    ),
    (
        "lsl/raffle/raffle-repaired.lsl",
        "llGiveInventory(lucky, PRIZE);",
        "llGiveInventory(lucky, \"\");",
        &["prizes_only_when_drawn"],
    ),
    (
        "lsl/door/door.lsl",
        "llListen(CHANNEL, \"\", llGetOwner(), \"\");",
        "llListen(CHANNEL, \"\", NULL_KEY, \"\");",
        &["only_owner_locks"],
    ),
    (
        "lsl/door/door.lsl",
        "llSetTimerEvent(DELAY);",
        "",
        &["open_door_closes"],
    ),
    (
        "lsl/door/door.lsl",
        "locked = TRUE;\n            state default;",
        "locked = TRUE;",
        &["locked_door_is_shut"],
    ),
    (
        "lsl/door/door.lsl",
        "else state open;",
        "",
        &["touch_opens"],
    ),
    (
        "lsl/door/door.lsl",
        "// the listen still hears the old owner\n        if (change & CHANGED_OWNER) llResetScript();",
        "",
        &["only_owner_locks"],
    ),
    (
        "lsl/door/door.lsl",
        "else if (message == \"unlock\") locked = FALSE;",
        "else locked = FALSE;",
        &["does_as_told"],
    ),
    (
        "promela/alternating-bit/alternating-bit.pml",
        ":: bitOf == expected ->",
        ":: true ->",
        &["assertions"],
    ),
    (
        "promela/dining/dining-repaired.pml",
        "first = 0; second = _pid",
        "skip",
        &["deadlock"],
    ),
    (
        "promela/leader/leader.pml",
        ":: number < me                           /* swallowed */",
        ":: number < me -> right!candidate,number",
        &["assertions"],
    ),
    (
        "promela/leader/leader.pml",
        "right!elected,me",
        "skip",
        &["all_know", "deadlock"],
    ),
    (
        "promela/lock/lock-repaired.pml",
        "atomic { !taken -> taken = true };",
        "!taken; taken = true;",
        &["assertions"],
    ),
    (
        "promela/lock/lock-repaired.pml",
        "inside--;\n       taken = false",
        "inside--",
        &["deadlock", "given_back"],
    ),
    (
        "promela/lock/peterson.pml",
        "!wants[other] || turn == me;",
        "!wants[other] || turn == other;",
        &["exclusive", "no_overtaking"],
    ),
    (
        "promela/lock/peterson.pml",
        "turn = other;",
        "skip;",
        &["exclusive"],
    ),
    (
        "promela/transfer/transfer-repaired.pml",
        "    ledger?_;\n    before = accounts[from].balance;",
        "    before = accounts[from].balance;\n    ledger?_;",
        &["lost_money"],
    ),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

fn text(name: &str) -> String {
    std::fs::read_to_string(folder().join(name)).unwrap()
}

/// Whether a folder holds linksets: its scripts are parts of these.
fn holds_linksets(folder: &Path) -> bool {
    let mut entries = std::fs::read_dir(folder).unwrap();
    entries.any(|entry| {
        entry
            .unwrap()
            .path()
            .extension()
            .is_some_and(|e| e == "toml")
    })
}

/// The scripts of a folder and its folders, by their paths within `examples`.
fn scripts(folder: &Path, prefix: &str, into: &mut BTreeSet<String>) {
    let parts = holds_linksets(folder);
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let within = format!("{prefix}{name}");
        if path.is_dir() {
            scripts(&path, &format!("{within}/"), into);
        } else if [".lsl", ".toml", ".pml", ".tb", ".aag", ".tvm", ".java"]
            .iter()
            .any(|end| within.ends_with(end))
            && !(parts && within.ends_with(".lsl"))
        {
            into.insert(within);
        }
    }
}

/// Checks a script; the exit status and the report on it.
fn check(name: &str, text: String) -> (u8, FileReport) {
    let file = match name {
        name if name.contains(".pml") => "script.pml",
        name if name.contains(".tb") => "script.tb",
        name if name.contains(".aag") => "script.aag",
        name if name.contains(".tvm") => "script.tvm",
        name if name.contains(".java") => "script.java",
        name if name.contains(".toml") => "linkset.toml",
        _ => "script.lsl",
    };
    let mut system = InMemory::default().with_file(file, text);
    if file.ends_with(".toml") {
        let folder = folder().join(name);
        for entry in std::fs::read_dir(folder.parent().unwrap()).unwrap() {
            let part = entry.unwrap().path();
            if part.extension().is_some_and(|extension| extension == "lsl") {
                let name = part.file_name().unwrap().to_str().unwrap();
                system = system.with_file(name, std::fs::read(&part).unwrap());
            }
        }
    }
    let mut arguments = vec!["probity", "check", file, "--format", "json"];
    if file.ends_with(".tb") {
        arguments.extend(["--readings", "one"]);
    }
    let arguments: Vec<String> = arguments.into_iter().map(str::to_owned).collect();
    let status = run(&arguments, &system);
    let report: Report = serde_json::from_str(&system.out())
        .unwrap_or_else(|error| panic!("{name}: {error}: {}", system.err()));
    assert_eq!(report.status, status, "{name}");
    let [file] = <[FileReport; 1]>::try_from(report.files).unwrap();
    assert!(!file.refused, "{name}: {}", system.err());
    (status, file)
}

/// The properties that fail.
fn failing(file: &FileReport) -> BTreeSet<&str> {
    let failing = file
        .properties
        .iter()
        .filter(|property| property.verdict == VerdictWord::Fails);
    failing.map(|property| property.name.as_str()).collect()
}

#[test]
fn every_example_holds_or_fails_as_listed() {
    let mut names = BTreeSet::new();
    scripts(&folder(), "", &mut names);
    for (name, _) in FAILING {
        assert!(names.contains(*name), "there is no {name}");
    }
    assert!(names.len() > FAILING.len());
    for name in &names {
        let listed = FAILING.iter().find(|(listed, _)| listed == name);
        let expected = listed.map_or(&[] as &[&str], |(_, expected)| expected);
        let (status, file) = check(name, text(name));
        assert_eq!(failing(&file), expected.iter().copied().collect(), "{name}");
        for property in &file.properties {
            assert!(
                matches!(property.verdict, VerdictWord::Fails | VerdictWord::Holds)
                    && !property.too_weak,
                "{name}: {} is {:?}: {:?}",
                property.name,
                property.verdict,
                property.why
            );
        }
        assert_eq!(status, u8::from(!expected.is_empty()), "{name}");
    }
}

#[test]
fn no_repair_is_idle() {
    for (name, line, fault, expected) in PLANTED {
        let script = text(name);
        assert_eq!(script.matches(line).count(), 1, "{name}: {line}");
        let planted = script.replace(line, fault);
        let what = format!("{name} with `{fault}` for `{line}`");
        let (status, file) = check(&what, planted);
        assert_eq!(failing(&file), expected.iter().copied().collect(), "{what}");
        assert_eq!(status, 1, "{what}");
    }
}
