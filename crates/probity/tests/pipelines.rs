//! Reports for programs that run Probity: SARIF, JUnit's XML, annotations.

use probity::{InMemory, run};
use serde_json::Value;

const SHOP: &str = "\
integer sold;
//@ property never_three: always sold < 3;
//@ property once: always sold < 9;
//@ bound amount = 1..2;
default
{
    money(key id, integer amount)
    {
        if (sold < 8) ++sold;
        llSay(0, \"a < b & c\");
    }
}
";

/// The report on a script that is right but for one property, and one that cannot be read.
fn report(format: &str) -> (u8, String) {
    let system = InMemory::default()
        .with_file("my shop/till.lsl", SHOP)
        .with_file(
            "my shop/wrong.lsl",
            "default { state_entry() { llSay(0); } }",
        );
    let words = ["probity", "check", "my shop", "--format", format];
    (run(&words, &system), system.out())
}

#[test]
fn sarif_has_runs_as_code_flows() {
    let (status, text) = report("sarif");
    let log: Value = serde_json::from_str(&text).expect("SARIF is JSON");
    let run = &log["runs"][0];
    assert_eq!(log["version"], "2.1.0");
    assert_eq!(run["invocations"][0]["exitCode"], status);
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
    let results = run["results"].as_array().expect("a list of results");
    let ids: Vec<&Value> = results.iter().map(|result| &result["ruleId"]).collect();
    assert_eq!(ids, ["never_three", "LSL0303"]);
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    assert!(
        ids.iter()
            .all(|id| rules.iter().any(|rule| rule["id"] == **id))
    );

    let failure = &results[0];
    assert_eq!(failure["level"], "error");
    let at = &failure["locations"][0]["physicalLocation"];
    assert_eq!(at["artifactLocation"]["uri"], "my%20shop/till.lsl");
    let line = |place: &Value| place["physicalLocation"]["region"]["startLine"].as_u64();
    assert_eq!(line(&failure["relatedLocations"][0]), Some(2));
    let flow = &failure["codeFlows"][0]["threadFlows"][0]["locations"];
    let lines: Vec<_> = flow
        .as_array()
        .expect("a list of places")
        .iter()
        .filter(|place| place["importance"] == "important")
        .map(|place| line(&place["location"]))
        .collect();
    // The payments arrive one after the other; the third is one too many.
    assert!(lines.len() >= 3, "{lines:?}");
    assert!(
        lines
            .iter()
            .all(|line| line.is_some_and(|line| (7..=10).contains(&line)))
    );
    let texts = flow.to_string();
    assert!(texts.contains("3. ") && !texts.contains("4. "), "{texts}");
}

#[test]
fn test_results_have_a_case_for_each_property() {
    let (_, text) = report("junit");
    let counts = "<testsuites name=\"probity\" tests=\"3\" failures=\"1\" errors=\"1\"";
    assert!(text.contains(counts), "{text}");
    for part in [
        "<testsuite name=\"my shop/till.lsl\" tests=\"2\" failures=\"1\" errors=\"0\"",
        "<testsuite name=\"my shop/wrong.lsl\" tests=\"1\" failures=\"0\" errors=\"1\"",
        "<failure type=\"fails\" message=\"`never_three` fails: ",
        "<error type=\"not read\" message=\"the file has errors\">error[LSL0303]",
        "sold &lt; 3",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(text.matches("<testcase").count(), 3);
    assert!(!text.contains("sold < "), "{text}");
}

#[test]
fn annotations_name_the_line_that_matters() {
    let (status, text) = report("github");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert!(lines[0].starts_with("::error file=my shop/till.lsl,line="));
    assert!(lines[0].contains(",title=never_three::`never_three` fails: "));
    assert!(lines[1].starts_with("::error file=my shop/wrong.lsl,line=1,col=27,title=LSL0303::"));
    assert!(
        lines[2].ends_with(&format!("Exit status {status}: bad input.")),
        "{text}"
    );
}

#[test]
fn policies_are_compared_as_text_or_json_only() {
    let system = InMemory::default();
    let words = [
        "probity",
        "diff-policy",
        "a.wasm",
        "b.wasm",
        "--format",
        "sarif",
    ];
    assert_eq!(run(&words, &system), 2);
    assert!(
        system.err().contains("`diff-policy` writes no sarif"),
        "{}",
        system.err()
    );
}

#[test]
fn what_is_watched_is_checked_after_each_change() {
    let model =
        |bound: u32| format!("active proctype P() {{ byte x; x = 2; assert(x < {bound}) }}");
    let system = InMemory::default()
        .with_file("a.pml", model(2))
        .with_file("b.pml", "init { skip }")
        .with_edit("a.pml", model(3))
        .with_edit("a.pml", "init { nonsense }")
        .with_edit("a.pml", model(1));
    let status = run(&["probity", "check", "a.pml", "b.pml", "--watch"], &system);
    assert_eq!(status, 1);
    let out = system.out();
    let ends: Vec<&str> = out
        .lines()
        .filter(|line| line.contains("Exit status"))
        .collect();
    let statuses = [
        "1: some property fails.",
        "0: every property holds.",
        "2: bad input.",
        "1: some property fails.",
    ];
    assert_eq!(ends.len(), statuses.len(), "{out}");
    for (end, status) in ends.iter().zip(statuses) {
        assert!(end.ends_with(status), "{end}");
    }
}
