//! The auction of the ToolBus beside a translation to mCRL2 that was made by hand: the verdicts on
//! each variant, the longest queues, and the run behind the third finding. `tests/reference` holds
//! mCRL2's answers.

use std::collections::BTreeMap;

use probity::{InMemory, run};

const ORIGINAL: &str = include_str!("../../../examples/tscript/auction/original.tb");
const STEPS: &str = include_str!("../../../examples/tscript/auction/steps.tb");
const ANSWERS: &str = include_str!("../../../tests/reference/tscript/auction.tsv");
const QUEUES: &str = include_str!("../../../tests/reference/tscript/queues.tsv");
const RUN: &str = include_str!("../../../tests/reference/tscript/wrong-item.run");

/// The words of options; a plus sign stands for a blank inside a word.
fn words(options: &str) -> Vec<String> {
    let words = options.split_whitespace();
    words.map(|word| word.replace('+', " ")).collect()
}

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

/// Whether mCRL2's answer is another one: there one process for each bidder comes back, and its old
/// subscription stands in the way; here, as in both buses, `create` makes a new one with
/// subscriptions of its own.
fn differs(options: &str, property: &str) -> bool {
    property == "F2-again" && options == "--polite-tools --bound connections=2"
}

/// Compares the variants that are asked for; how many answers were compared.
fn compare(is_asked: impl Fn(&str) -> bool) -> usize {
    let mut lines = ANSWERS.lines();
    let properties: Vec<&str> = lines.next().expect("a head").split('\t').skip(1).collect();
    let mut compared = 0;
    for line in lines {
        let (options, answers) = line.split_once('\t').expect("options and answers");
        if !is_asked(options) {
            continue;
        }
        let ours = verdicts(STEPS, &words(options));
        for (property, answer) in properties.iter().zip(answers.split('\t')) {
            let holds = match answer {
                // It was not asked.
                "-" => continue,
                // mCRL2's time was over; it holds here.
                "time" => true,
                answer => (answer == "holds") != differs(options, property),
            };
            let mine = ours.get(*property).copied();
            assert_eq!(mine, Some(holds), "{property}: {options}");
            compared += 1;
        }
    }
    compared
}

fn has_two_bidders(options: &str) -> bool {
    options.contains("bidder=2")
}

fn closes(options: &str) -> bool {
    options.contains("CLOSED")
}

#[test]
fn verdicts_on_open_variants_are_those_of_mcrl2() {
    let compared = compare(|options| !closes(options) && !has_two_bidders(options));
    assert_eq!(compared, 90);
}

#[test]
fn verdicts_on_closed_variants_are_those_of_mcrl2() {
    let compared = compare(|options| closes(options) && !has_two_bidders(options));
    assert_eq!(compared, 56);
}

#[test]
fn verdicts_with_two_bidders_are_those_of_mcrl2() {
    assert_eq!(compare(has_two_bidders), 7);
}

/// With room for one note more than mCRL2's longest queue no queue is ever full; with no more room
/// than that one is.
#[test]
fn the_longest_queues_are_those_of_mcrl2() {
    let mut compared = 0;
    for line in QUEUES.lines().skip(1) {
        let (options, longest) = line.split_once('\t').expect("options and a number");
        let longest: usize = longest.parse().expect("it is a number");
        let holds = |room: usize| {
            let options = format!("{options} --property queues --bound queue={room}");
            verdicts(STEPS, &words(&options)).get("queues").copied()
        };
        assert_eq!(holds(longest + 1), Some(true), "{line}");
        assert_eq!(holds(longest), None, "{line}");
        compared += 1;
    }
    assert_eq!(compared, 8);
}

/// What happens in mCRL2's run, as it is named here; nothing for what has no name of its
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

/// mCRL2's run to the third finding is one of ours, action by action; what was changed in
/// it is none.
#[test]
fn the_run_of_mcrl2_is_one_of_ours() {
    let labels: Vec<String> = RUN.lines().filter_map(translated).collect();
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
