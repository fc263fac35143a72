//! The auction of the ToolBus beside a translation to mCRL2 that was made by hand: the verdicts on
//! each variant, the longest queues, and the run behind the third finding.
//!
//! `PROBITY_REFERENCE` says where mCRL2's answers are; without it the comparison is skipped. Two
//! answers of the reference are not ours, and the table of [`DIFFERENT`] says why.

#![expect(clippy::print_stderr, reason = "what is skipped is for people to read")]

use std::collections::BTreeMap;
use std::path::PathBuf;

use probity::{InMemory, run};

const ORIGINAL: &str = include_str!("../../../examples/tscript/auction/original.tb");
const STEPS: &str = include_str!("../../../examples/tscript/auction/steps.tb");

/// A file of the reference, if there is one.
fn reference(name: &str) -> Option<String> {
    let Some(folder) = std::env::var_os("PROBITY_REFERENCE") else {
        eprintln!("skipped: PROBITY_REFERENCE does not say where mCRL2's answers are");
        return None;
    };
    let path = PathBuf::from(folder).join("tscript").join(name);
    match std::fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(error) => {
            eprintln!("skipped: {}: {error}", path.display());
            None
        }
    }
}

/// What a switch of the reference is called here.
const SWITCHES: [(&str, &[&str]); 10] = [
    ("FixEarly", &["-D", "EARLY"]),
    ("FixMsg", &["-D", "HANDSHAKE"]),
    ("FixUnsub", &["-D", "UNSUBSCRIBE"]),
    ("FixChoice", &["-D", "CHOICE"]),
    ("FixTag", &["-D", "TAG"]),
    ("FixSold", &["-D", "CLOSED"]),
    ("FixConn", &["-D", "GONE"]),
    // Whoever ends takes its subscriptions with it.
    ("AutoClean", &["--dialect", "c"]),
    ("Two", &["--bound", "bidder=2"]),
    // Tools that may vanish are the default.
    ("Crash", &[]),
];

/// The options for a variant of the reference.
fn options(switches: &str) -> Vec<String> {
    let mut options: Vec<String> = Vec::new();
    if !switches.contains("Crash=true") {
        options.push("--polite-tools".to_owned());
    }
    for switch in switches.split_whitespace() {
        let (name, value) = switch.split_once('=').expect("a switch has a value");
        if value == "true" {
            let known = SWITCHES.iter().find(|known| known.0 == name);
            let words = known.unwrap_or_else(|| panic!("{name} is known")).1;
            options.extend(words.iter().map(|word| (*word).to_owned()));
            continue;
        }
        let bound = match name {
            "MaxConn" => format!("connections={value}"),
            "MaxItem" => format!("new-item={value} distinct"),
            "MaxBid" => format!("bid=1..{value}"),
            _ => panic!("{name} is known"),
        };
        options.extend(["--bound".to_owned(), bound]);
    }
    options
}

/// What a property of the reference is called here.
const PROPERTIES: [(&str, &str); 6] = [
    ("f1_wedge", "wedge-Auction"),
    ("f2_unsub", "unsubscribed"),
    ("f2_resub", "F2-again"),
    ("f3_wrongitem", "F3"),
    ("f3_answer", "F3-answer"),
    ("f5_forget", "F5"),
];

/// Where the reference's answer is not ours: its variant, the property, and whether it holds here.
const DIFFERENT: [(&str, &str, bool); 2] = [
    // There one process for each bidder comes back, and its old subscription stands in the way;
    // here, as in both buses, `create` makes a new one with subscriptions of its own.
    ("b_orig_reconn", "f2_resub", true),
    // There the time was over.
    ("t_all_3bids", "f3_wrongitem", true),
];

/// The verdicts by property: whether it holds, where that is known.
fn verdicts(text: &str, options: &[String]) -> BTreeMap<String, bool> {
    let system = InMemory::default().with_file("auction.tb", text);
    let mut words = ["probity", "check", "auction.tb", "--readings", "one"]
        .map(str::to_owned)
        .to_vec();
    words.extend(options.iter().cloned());
    let status = run(&words, &system);
    assert!(status != 2, "{}", system.err());
    let mut found = BTreeMap::new();
    for line in system.out().lines() {
        if let Some(holds) = line.strip_prefix("  holds ") {
            let name = holds.split_whitespace().next().expect("it has a name");
            found.insert(name.to_owned(), true);
        } else if let Some(fails) = line.strip_prefix("  fails ") {
            let name = fails.split_whitespace().next().expect("it has a name");
            found.insert(name.to_owned(), false);
        }
    }
    found
}

/// What the reference says of a variant.
#[derive(Default)]
struct Variant<'t> {
    switches: &'t str,
    /// Whether it has no deadlock.
    lives: Option<bool>,
    /// The answers by property: `true`, `false`, or that the time was over.
    answers: Vec<(&'t str, &'t str)>,
}

/// The variants of a table: lines with a variant's switches and the size of its graph, lines with
/// an answer.
fn variants(text: &str) -> BTreeMap<&str, Variant<'_>> {
    let mut variants: BTreeMap<&str, Variant<'_>> = BTreeMap::new();
    for line in text.lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        let [name, second, third, ..] = cells.as_slice() else {
            // What a tool went on to say on a line of its own.
            continue;
        };
        let variant = variants.entry(name).or_default();
        if PROPERTIES.iter().any(|known| known.0 == *second) {
            variant.answers.push((second, third));
        } else {
            variant.switches = second;
            let deadlocks = cells
                .iter()
                .find_map(|cell| cell.strip_prefix("deadlocks "));
            variant.lives = deadlocks.map(|count| count == "0");
        }
    }
    variants.retain(|_, variant| !variant.answers.is_empty());
    variants
}

/// Compares all variants of a table; how many answers were compared.
fn compare(table: &str) -> Option<usize> {
    let text = reference(table)?;
    let mut compared = 0;
    for (name, variant) in variants(&text) {
        let options = options(variant.switches);
        let ours = verdicts(STEPS, &options);
        for (theirs, answer) in &variant.answers {
            let known = PROPERTIES.iter().find(|known| known.0 == *theirs);
            let property = known.expect("only known ones are kept").1;
            // The bus in C leaves no subscription, so it is not asked there.
            let bus = property == "unsubscribed" && variant.switches.contains("AutoClean");
            let mine = if bus {
                Some(true)
            } else {
                ours.get(property).copied()
            };
            let different = DIFFERENT
                .iter()
                .find(|different| different.0 == name && different.1 == *theirs);
            match different {
                Some((_, _, holds)) => {
                    assert_ne!(*answer, holds.to_string(), "{name}: {theirs} is the same");
                    assert_eq!(mine, Some(*holds), "{name}: {theirs}, {options:?}");
                }
                None => assert_eq!(
                    mine.map(|holds| holds.to_string()).as_deref(),
                    Some(*answer),
                    "{name}: {theirs}, {options:?}"
                ),
            }
            compared += 1;
        }
        let lives = ours.get("deadlock").copied();
        assert_eq!(lives, variant.lives, "{name}: deadlocks, {options:?}");
    }
    Some(compared)
}

#[test]
fn verdicts_on_the_variants_are_those_of_the_reference() {
    if let Some(compared) = compare("variants.tsv") {
        assert_eq!(compared, 72);
    }
}

#[test]
fn verdicts_on_further_variants_are_those_of_the_reference() {
    if let Some(compared) = compare("variants2.tsv") {
        assert_eq!(compared, 54);
    }
}

#[test]
fn verdicts_with_two_bidders_are_those_of_the_reference() {
    if let Some(compared) = compare("two.tsv") {
        assert_eq!(compared, 5);
    }
}

/// The longest queue of the reference is ours: with room for one note more no queue is ever full,
/// with no more room than that one is.
#[test]
fn the_longest_queues_are_those_of_the_reference() {
    let Some(text) = reference("f4.tsv") else {
        return;
    };
    let mut compared = 0;
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [script, most, longest, ..] = cells.as_slice() else {
            panic!("{line}");
        };
        let longest: usize = longest.parse().expect("it is a number");
        let switches = match *script {
            "orig" => format!("MaxItem=1 MaxBid={most}"),
            "fixed" => format!(
                "FixEarly=true FixMsg=true FixUnsub=true FixChoice=true FixTag=true FixSold=true \
                 MaxItem=1 MaxBid={most}"
            ),
            _ => panic!("{line}"),
        };
        let holds = |room: usize| {
            let mut options = options(&switches);
            let more = format!("--property queues --bound queue={room}");
            options.extend(more.split_whitespace().map(str::to_owned));
            verdicts(STEPS, &options).get("queues").copied()
        };
        assert_eq!(holds(longest + 1), Some(true), "{line}");
        assert_eq!(holds(longest), None, "{line}");
        compared += 1;
    }
    assert_eq!(compared, 8);
}

/// What happens in the reference's run, as it is named here; nothing for what has no name of its
/// own here, or comes with something else.
fn translated(label: &str) -> Option<String> {
    let (name, arguments) = label.split_once('(')?;
    let arguments: Vec<&str> = arguments.trim_end_matches(')').split(", ").collect();
    let item = |number: &str| format!("\"new-item-{}\"", number.trim_end_matches(')'));
    let amount = arguments.last()?.rsplit('(').next()?;
    Some(match name {
        "new_item_event" => format!("rec-event(_, new-item({}))", item(arguments[0])),
        "sale_ack" => format!("snd-ack-event(_, new-item({}))", item(arguments[0])),
        "connect" => "rec-connect(_)".to_owned(),
        "create" => "create(Bidder(_))".to_owned(),
        "msg_new" => format!("msg(_, new-item({}, {amount}))", item(arguments[1])),
        "do_new" => format!("snd-do(_, new-item({}, {amount}))", item(arguments[1])),
        "bid" => format!("rec-event(_, bid({amount}))"),
        "msg_bid" => format!("msg(bid(_, {}))", arguments[1]),
        "msg_acc" => format!("msg(_, {amount})"),
        "do_accept" => format!("snd-do(_, accept({amount}))"),
        "ack" => "snd-ack-event(_, bid(_))".to_owned(),
        "do_sold" => format!("snd-do(_, sold({amount}))"),
        "rec_note" => format!("rec-note(sold({amount}))"),
        "snd_note" => match *arguments.first()? {
            "any_higher" => "snd-note(any-higher-bid)".to_owned(),
            sold if sold.starts_with("sold(") => format!("snd-note(sold({amount}))"),
            new => {
                let number = new.strip_prefix("new_item(")?;
                format!("snd-note(new-item({}, {amount}))", item(number))
            }
        },
        // The four subscriptions are one there; the name is asked for in between.
        "subscribe" | "eval" | "value" | "m_new_bidder" => return None,
        _ => panic!("{label} is known"),
    })
}

/// The reference's run to the third finding is one of ours, action by action; what was changed in
/// it is none.
#[test]
fn the_run_of_the_reference_is_one_of_ours() {
    let Some(text) = reference("f3.cex.aut") else {
        return;
    };
    let labels: Vec<String> = text
        .lines()
        .filter_map(|line| line.split('"').nth(1))
        .filter_map(translated)
        .collect();
    assert_eq!(labels.len(), 18, "{labels:?}");
    // In between happens nothing of what it speaks of.
    let quiet = "(!(rec-event(_, _) || snd-note(_) || msg(_) || msg(_, _) || rec-note(_) || \
                 snd-ack-event(_, _) || create(_) || rec-connect(_)))*";
    let is_run = |labels: &[String]| {
        let steps = labels.join(&format!(" . {quiet} . "));
        let none = format!("[{quiet} . {steps}] false");
        let options = ["--polite-tools", "--property", &none].map(str::to_owned);
        let verdicts = verdicts(ORIGINAL, &options);
        assert_eq!(verdicts.len(), 1, "{none}");
        verdicts.into_values().any(|holds| !holds)
    };
    assert!(is_run(&labels), "{labels:?}");
    // The bid is answered before the next item comes: then it has to be rejected.
    let place = |word: &str| labels.iter().position(|label| label.starts_with(word));
    let (next, bid) = (
        labels
            .iter()
            .rposition(|label| label.contains("new-item-2")),
        place("msg(bid(").expect("there is a bid"),
    );
    let next = next.expect("there is a second item");
    assert!(next < bid);
    let mut changed = labels.clone();
    changed[next - 1..=bid].rotate_right(1);
    assert!(!is_run(&changed), "{changed:?}");
}
