//! Scripts that are configured by a notecard which is known: what is verified of them is kept in concrete
//! worlds whose object has this notecard, and is not without it.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use lsl::Options;
use lsl::watch::Notecard;
use lsl_concrete::{Habits, Plan, Script, run};
use model::{Silent, Verdict};

const SCRIPT: &str = r##"
integer price; string item; integer share; integer line; key request; integer ready; integer few;
//@ property loaded: always ready == 0 || (price == 25 && item == "Hat" && share == 40);
//@ property one_card: always few == 0;
//@ property lines_count: always count == 0 || count == 4;
//@ property never_ready: always ready == 0;
//@ property cheaper: always price != 25;
integer count; key counting;
default {
    state_entry() {
        if (llGetInventoryNumber(INVENTORY_NOTECARD) != 1) few = 1;
        counting = llGetNumberOfNotecardLines("config");
        request = llGetNotecardLine(llGetInventoryName(INVENTORY_NOTECARD, 0), line);
    }
    dataserver(key id, string data) {
        if (id == counting) count = (integer)data;
        if (id != request) return;
        if (data == EOF) { ready = 1; return; }
        if (llGetSubString(data, 0, 0) != "#") {
            list parts = llParseString2List(data, ["="], []);
            string name = llStringTrim(llList2String(parts, 0), STRING_TRIM);
            string value = llStringTrim(llList2String(parts, 1), STRING_TRIM);
            if (name == "price") price = (integer)value;
            else if (name == "item") item = value;
            else if (name == "owner_share") share = (integer)value;
        }
        ++line;
        request = llGetNotecardLine("config", line);
    }
}
"##;

fn options(text: Option<&str>) -> Options {
    let card = text.map(|text| Notecard::new("config", "config.txt", text));
    Options {
        notecards: card.into_iter().collect(),
        ..Options::default()
    }
}

/// Which properties hold, by verification, and which some run breaks.
fn judged(options: &Options) -> (Vec<bool>, Vec<bool>) {
    let program = lsl::load("card.lsl", SCRIPT, options).program.unwrap();
    let outcomes = verify::check(&program, &verify::Options::default(), &Silent);
    let hold = outcomes.iter().take(5);
    let hold = hold
        .map(|outcome| matches!(outcome.verdict, Verdict::Holds { .. }))
        .collect();
    let script = Script::read("card.lsl", SCRIPT, options).unwrap();
    let mut broken = vec![false; 5];
    for seed in 0..200 {
        let plan = Plan {
            seed,
            steps: 30,
            habits: Habits::default(),
        };
        for (broken, standing) in broken.iter_mut().zip(run(&script, &plan).standings) {
            *broken |= standing.broken.is_some();
        }
    }
    (hold, broken)
}

#[test]
fn what_stands_in_a_notecard_is_read() {
    let text = "price = 25\n# comment\nitem=Hat\nowner_share=40\n";
    let (hold, broken) = judged(&options(Some(text)));
    assert_eq!(hold, [true, true, true, false, false]);
    assert_eq!(broken, [false, false, false, true, true]);
}

#[test]
fn without_it_anything_may_be_read() {
    let (hold, broken) = judged(&options(None));
    assert_eq!(hold, [false; 5]);
    assert!(broken[1] && broken[3], "{broken:?}");
}

/// Verdicts of the properties of a script whose object has a notecard of two lines, and which of them some
/// run breaks.
fn with_two_lines(script: &str, count: usize) -> (Vec<bool>, Vec<bool>) {
    let card = Notecard::new("config", "config.txt", "a\nb");
    let options = Options {
        notecards: vec![card],
        ..Options::default()
    };
    let program = lsl::load("two.lsl", script, &options).program.unwrap();
    let outcomes = verify::check(&program, &verify::Options::default(), &Silent);
    let hold = outcomes.iter().take(count);
    let hold = hold.map(|outcome| matches!(outcome.verdict, Verdict::Holds { .. }));
    let script = Script::read("two.lsl", script, &options).unwrap();
    let mut broken = vec![false; count];
    for seed in 0..100 {
        let plan = Plan {
            seed,
            steps: 10,
            habits: Habits::default(),
        };
        for (broken, standing) in broken.iter_mut().zip(run(&script, &plan).standings) {
            *broken |= standing.broken.is_some();
        }
    }
    (hold.collect(), broken)
}

#[test]
fn answers_to_several_requests_for_lines_come_in_any_order() {
    let script = r#"
        string first;
        //@ property in_order: always first != "b";
        //@ property against_order: always first != "a";
        default {
            state_entry() { llGetNotecardLine("config", 0); llGetNotecardLine("config", 1); }
            dataserver(key id, string data) { if (first == "") first = data; }
        }"#;
    assert_eq!(with_two_lines(script, 2), (vec![false; 2], vec![true; 2]));
}

#[test]
fn who_asks_for_something_else_may_be_told_anything() {
    for request in [
        "llGetNotecardLine(name, 1)",
        "llRequestAgentData(llGetOwner(), DATA_ONLINE)",
    ] {
        let script = format!(
            r#"
        string first; string name;
        //@ property nothing: always first == "";
        //@ property one_line: always first == "" || first == "b";
        default {{
            state_entry() {{ name = llGetObjectDesc(); {request}; }}
            dataserver(key id, string data) {{ first = data; }}
        }}"#
        );
        assert_eq!(with_two_lines(&script, 2).0, [false; 2], "{request}");
    }
}
