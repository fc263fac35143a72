//! What no enumeration can show: the auction with payments of any amount a 32-bit integer can be,
//! any number of bidders and bids, and no bound on time.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn auction(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples/lsl/auction")
        .join(file)
}

/// The report on a script whose bounds are taken away.
fn unbounded(file: &str, more: &[&str]) -> Vec<Value> {
    let output = Command::new(env!("CARGO_BIN_EXE_probity"))
        .arg("check")
        .arg(auction(file))
        .args(["--bound", "amount=any", "--bound", "bidders=any"])
        .args(["--bound", "events-per-timer=any", "--format", "json"])
        .args(more)
        .output()
        .expect("the program runs");
    let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
    report["files"][0]["properties"]
        .as_array()
        .expect("properties")
        .clone()
}

#[test]
fn the_paper_s_requirements_are_proved_for_all_amounts() {
    let properties = unbounded("paper.lsl", &[]);
    assert_eq!(properties.len(), 7);
    for property in &properties {
        let name = property["name"].as_str().unwrap();
        assert_eq!(property["verdict"], "holds", "{name}: {property}");
        assert_eq!(property["strength"], "proved", "{name}");
        // That it ends is seen in few states.
        if name != "ends" {
            assert_eq!(property["engine"], "sat", "{name}");
            assert_eq!(property["evidence"]["audited"], true, "{name}: {property}");
        }
    }
}

#[test]
fn each_mutant_is_refuted_for_wide_amounts_too() {
    for number in 1..=6 {
        let properties = unbounded(&format!("mutants/{number}.lsl"), &["--engine", "sat"]);
        for (index, property) in properties.iter().enumerate() {
            let expected = if index + 1 == number {
                "fails"
            } else {
                "holds"
            };
            assert_eq!(
                property["verdict"], expected,
                "mutant {number}, {}: {property}",
                property["name"]
            );
        }
    }
}

/// Who pays and how much is in the list; only how long it is matters.
#[test]
fn every_engine_follows_how_long_a_list_is() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("queue.lsl");
    let script = r#"
        //@ property short: always llGetListLength(queue) <= 20;
        //@ property shorter: always llGetListLength(queue) <= 19;
        //@ property served: when call llGiveMoney(_, _) require queue != [];
        list queue;
        default
        {
            state_entry() { llRequestPermissions(llGetOwner(), PERMISSION_DEBIT); }
            money(key who, integer amount)
            {
                queue += [who, amount];
                if (llGetListLength(queue) > 20) queue = llDeleteSubList(queue, 0, 1);
            }
            touch_start(integer n)
            {
                if (queue) llGiveMoney(llList2Key(queue, 0), llList2Integer(queue, 1));
                queue = llList2List(queue, 2, -1);
            }
        }"#;
    std::fs::write(&file, script).expect("the script is written");
    for engine in ["sat", "explicit", "auto"] {
        let output = Command::new(env!("CARGO_BIN_EXE_probity"))
            .arg("check")
            .arg(&file)
            .args([
                "--engine",
                engine,
                "--format",
                "json",
                "--bound",
                "amount=any",
            ])
            .output()
            .expect("the program runs");
        let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
        let verdict = |name: &str| {
            let properties = report["files"][0]["properties"].as_array().unwrap();
            let found = properties.iter().find(|property| property["name"] == name);
            found.expect("the property")["verdict"].clone()
        };
        assert_eq!(verdict("short"), "holds", "{engine}: {report}");
        assert_eq!(verdict("shorter"), "fails", "{engine}: {report}");
        assert_eq!(verdict("served"), "holds", "{engine}: {report}");
    }
}

/// What the proof needs, how far apart the numbers are, stands nowhere in the model.
#[test]
fn what_proves_a_property_is_told() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("apart.smv");
    let model = "MODULE main
        IVAR step : unsigned word[32];
        VAR x : unsigned word[32]; y : unsigned word[32];
        ASSIGN init(x) := 0ud32_1000; init(y) := 0ud32_993;
          next(x) := x + step; next(y) := y + step;
        INVARSPEC x = 0ud32_0 -> y > 0ud32_100;";
    std::fs::write(&file, model).expect("the model is written");
    let told = |options: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_probity"))
            .arg("check")
            .arg(&file)
            .args(["--engine", "sat"])
            .args(options)
            .output()
            .expect("the program runs");
        String::from_utf8(output.stdout).expect("text")
    };
    let verbose = told(&["--verbose"]);
    assert!(
        verbose.contains(" holds, since always:\n  x == y + 7\n"),
        "{verbose}"
    );
    assert!(!told(&[]).contains("x == y"));
}

#[test]
fn a_proof_about_a_process_that_ends_is_accepted() {
    let folder = std::env::temp_dir().join(format!("probity-proofs-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("there is room for a file");
    let path = folder.join("ends.c");
    let text = "long ask(void);\nint main(void)\n{\n    char c;\n    long n = ask();\n    \
                if (n >= 0 && n < 2)\n        c = n;\n    return 3 / (n + 2 ? n + 2 : 1);\n}\n";
    std::fs::write(&path, text).expect("there is room for a file");
    let output = Command::new(env!("CARGO_BIN_EXE_probity"))
        .arg("check")
        .arg(&path)
        .args(["--engine", "sat", "--format", "json"])
        .output()
        .expect("the program runs");
    std::fs::remove_dir_all(&folder).expect("it was made above");
    let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
    let properties = report["files"][0]["properties"].as_array().expect("some");
    assert!(!properties.is_empty());
    for property in properties {
        let why = property["why"].as_str().unwrap_or_default();
        assert!(!why.contains("not accepted"), "{property}");
    }
}

#[test]
fn predicates_from_preconditions_read_nothing_that_a_step_chooses() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/c_programs/loops/steps_of_two_or_three.c");
    let output = Command::new(env!("CARGO_BIN_EXE_probity"))
        .arg("check")
        .arg(file)
        .args(["--engine", "sat", "--timeout", "10s"])
        .output()
        .expect("the program runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!said.contains("internal error"), "{said}");
}

/// In bits, a text that is not known has a number, too; what is proved of a text that is one of few has to
/// say so of the script.
#[test]
fn a_proof_says_which_texts_a_variable_holds() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("prize.lsl");
    let script = r#"
        //@ property prize_exists:
        //@     when call llGiveInventory(who, item) require llGetInventoryType(item) != INVENTORY_NONE;
        string prize;
        default
        {
            state_entry()
            {
                llOwnerSay("up " + (string)llFrand(9.0));
                prize = llGetInventoryName(INVENTORY_OBJECT, 0);
                llSetTimerEvent(300);
            }
            timer()
            {
                if (llGetInventoryType(prize) == INVENTORY_NONE) llOwnerSay("gone");
                else llGiveInventory(llGetOwner(), prize);
            }
        }"#;
    std::fs::write(&file, script).expect("the script is written");
    let output = Command::new(env!("CARGO_BIN_EXE_probity"))
        .arg("check")
        .arg(&file)
        .args(["--engine", "sat", "--format", "json"])
        .output()
        .expect("the program runs");
    let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
    let property = &report["files"][0]["properties"][0];
    assert_eq!(property["verdict"], "holds", "{property}");
    assert_eq!(property["evidence"]["audited"], true, "{property}");
}
