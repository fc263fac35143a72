//! The auction of the ToolBus: what is found in it, and what each repair mends.

use std::collections::BTreeMap;

use probity::{InMemory, run};

const ORIGINAL: &str = include_str!("../../../examples/tscript/auction/original.tb");
const STEPS: &str = include_str!("../../../examples/tscript/auction/steps.tb");

/// The verdicts by property: whether it holds.
fn verdicts(text: &str, options: &[&str]) -> BTreeMap<String, bool> {
    let system = InMemory::default().with_file("auction.tb", text);
    let mut words = ["probity", "check", "auction.tb"]
        .map(str::to_owned)
        .to_vec();
    words.extend(options.iter().map(|word| (*word).to_owned()));
    let status = run(&words, &system);
    assert!(status <= 1, "{}{}", system.err(), system.out());
    let mut found = BTreeMap::new();
    for line in system.out().lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["holds", name, ..] if line.starts_with("  holds") => {
                found.insert((*name).to_owned(), true);
            }
            ["fails", name, ..] if line.starts_with("  fails") => {
                found.insert((*name).to_owned(), false);
            }
            _ => {}
        }
    }
    found
}

/// The verdicts on the findings, in this order.
const FINDINGS: [&str; 7] = [
    "deadlock",
    "wedge-Auction",
    "unsubscribed",
    "F2-again",
    "F3",
    "F3-answer",
    "F5",
];

fn row(options: &[&str]) -> String {
    let verdicts = verdicts(STEPS, options);
    let letter = |name: &&str| if verdicts[*name] { 'T' } else { 'F' };
    FINDINGS.iter().map(letter).collect()
}

/// Each repair mends what it is for, and the first try at the third finding does not mend it.
#[test]
fn each_repair_mends_its_finding() {
    const UNSUBSCRIBED: [&str; 7] = [
        "--polite-tools",
        "-D",
        "EARLY",
        "-D",
        "HANDSHAKE",
        "-D",
        "UNSUBSCRIBE",
    ];
    let with = |more: &[&'static str]| [&UNSUBSCRIBED[..], more].concat();
    assert_eq!(row(&["--polite-tools"]), "FFFTFFF", "as it was taught");
    let reconnect = ["--polite-tools", "--bound", "connections=2"];
    assert_eq!(row(&reconnect), "FFFTFFF", "bidders come back");
    assert_eq!(
        row(&UNSUBSCRIBED[..3]),
        "FFFTFFF",
        "the process comes later"
    );
    assert_eq!(row(&UNSUBSCRIBED[..5]), "TTFTFFF", "and is told what is on");
    assert_eq!(row(&UNSUBSCRIBED), "TTTTFFF", "and unsubscribes");
    assert_eq!(row(&with(&["-D", "CHOICE"])), "TTTTFFF", "first try");
    assert_eq!(
        row(&with(&["-D", "CHOICE", "-D", "CLOSED"])),
        "TTTTFTT",
        "nobody is let in late"
    );
    assert_eq!(
        row(&with(&["-D", "TAG"])),
        "TTTTTFF",
        "bids name their sale"
    );
    let all = with(&["-D", "CHOICE", "-D", "TAG", "-D", "CLOSED"]);
    assert_eq!(row(&all), "TTTTTTT", "all of it");
    // Tools that vanish: the name never comes.
    assert_eq!(row(&all[1..]), "FFTTTTT", "a bidder vanishes");
    let gone = [&all[1..], &["-D", "GONE"]].concat();
    assert_eq!(row(&gone), "TTTTTTT", "that is heard of");
}

/// Under a bus that listens to tools only when nothing else can happen, the race is gone.
#[test]
fn a_prompt_bus_hides_the_race() {
    let options = ["--polite-tools", "--schedule", "prompt"];
    assert_eq!(row(&options), "FFFTTTT");
}

/// The run behind the third finding is the one that was published: a bid for the first item is
/// taken as one for the second.
#[test]
fn a_late_bid_buys_the_next_item() {
    let system = InMemory::default().with_file("auction.tb", ORIGINAL);
    let words = [
        "probity",
        "check",
        "auction.tb",
        "--polite-tools",
        "--property",
        "F3-later",
    ];
    run(&words.map(str::to_owned), &system);
    let out = system.out();
    let told = [
        "snd-do(bidder(1), new-item(\"new-item-1\", 1))",
        "rec-event(bidder(1), bid(2))",
        "rec-event(master(1), new-item(\"new-item-2\"))",
        "msg(bid(bidder(1), 2))",
        "snd-do(bidder(1), accept(accepted))",
        "snd-do(bidder(1), sold(1))",
    ];
    let mut rest = out.as_str();
    for event in told {
        let at = rest.find(event);
        assert!(at.is_some(), "{event} is not told in its place:\n{out}");
        rest = &rest[at.unwrap() + event.len()..];
    }
}

/// Notes pile up without bound for a bidder that does not read them; not if the bus is prompt, and
/// not if only so many items are sold.
#[test]
fn queues_grow_by_a_run_that_repeats() {
    let queues = |options: &[&str]| {
        let mut all = vec!["--polite-tools", "--bound", "queue=any"];
        all.extend(options);
        verdicts(ORIGINAL, &all)["queues"]
    };
    assert!(!queues(&["--bound", "new-item=any"]));
    assert!(queues(&["--bound", "new-item=any", "--schedule", "prompt"]));
    assert!(queues(&["--bound", "new-item=2"]));
}
