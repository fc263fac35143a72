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

#[test]
fn answers_to_several_requests_for_lines_come_in_any_order() {
    let script = r#"
        string first; string last; integer asked;
        //@ property in_order: always first != "b";
        //@ property from_the_card: always first == "" || first == "a" || first == "b" || asked;
        default {
            state_entry() { llGetNotecardLine("config", 0); llGetNotecardLine("config", 1); }
            dataserver(key id, string data) { if (first == "") first = data; last = data; }
            touch_start(integer n) { asked = 1; llGetNotecardLine("other", 0); }
        }"#;
    let card = Notecard::new("config", "config.txt", "a\nb");
    let options = Options {
        notecards: vec![card],
        ..Options::default()
    };
    let program = lsl::load("two.lsl", script, &options).program.unwrap();
    let outcomes = verify::check(&program, &verify::Options::default(), &Silent);
    assert!(
        !matches!(outcomes[0].verdict, Verdict::Holds { .. }),
        "{:?}",
        outcomes[0].verdict
    );
    let script = Script::read("two.lsl", script, &options).unwrap();
    let mut broken = false;
    for seed in 0..100 {
        let plan = Plan {
            seed,
            steps: 10,
            habits: Habits::default(),
        };
        broken |= run(&script, &plan).standings[0].broken.is_some();
    }
    assert!(broken, "the second line may come first");
}
