//! Small changes of scripts that no property notices.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use probity::{InMemory, run};
use serde_json::Value;

/// What `check --mutants` says of a script: as text, and as a value.
fn tried(file: &str, text: &str) -> (String, Value) {
    let said = |format: &str| {
        let system = InMemory::default().with_file(file, text);
        let words = [
            "probity",
            "check",
            file,
            "--no-cache",
            "--mutants",
            "--format",
            format,
        ];
        run(&words, &system);
        format!("{}{}", system.out(), system.err())
    };
    let report: Value = serde_json::from_str(&said("json")).unwrap();
    (said("text"), report["files"][0]["mutants"].clone())
}

/// The verdicts of a script.
fn verdicts(file: &str, text: &str) -> Vec<String> {
    let system = InMemory::default().with_file(file, text);
    let words = ["probity", "check", file, "--no-cache", "--format", "json"];
    run(&words, &system);
    let report: Value = serde_json::from_str(&system.out()).unwrap();
    let properties = report["files"][0]["properties"].as_array().unwrap();
    let word = |property: &Value| property["verdict"].as_str().unwrap().to_owned();
    properties.iter().map(word).collect()
}

const COUNTER: &str = "\
byte n, m;
active proctype P() {
    do
    :: n < 5 -> n++
    :: n == 5 -> n = 0; m = 1 /* 7 */
    od
}
ltl small { [] (n <= 6) }
";

#[test]
fn what_no_property_notices_is_told_in_the_order_of_the_script() {
    let (text, mutants) = tried("counter.pml", COUNTER);
    let head = "small changes of the script, ";
    assert!(text.contains(head), "{text}");
    for told in [
        "  counter.pml:4    without `n++`",
        "  counter.pml:5    without `n == 5`",
        "  counter.pml:5    without `n = 0`",
        "  counter.pml:5    `1` for `0` in `:: n == 5 -> n = 0; m = 1 /* 7 */`",
        "  counter.pml:5    without `m = 1`",
        "  counter.pml:5    `2` for `1` in `:: n == 5 -> n = 0; m = 1 /* 7 */`",
    ] {
        assert!(text.contains(told), "{told}\n{text}");
    }
    // Each of these leads beyond 6, or to where nothing is possible.
    for noticed in [
        "<=",
        "--",
        "!=",
        "`6` for",
        "without `n < 5`",
        "`7` for",
        "8",
    ] {
        assert!(!text.contains(noticed), "{noticed}\n{text}");
    }
    assert_eq!(mutants["noticed"], 6, "{mutants}");
    assert_eq!(mutants["open"], 0, "{mutants}");
    assert_eq!(mutants["untried"], 0, "{mutants}");
}

/// Each change that is told is made by hand, and all holds; and where a change is told as noticed, it is
/// because some change is not told.
#[test]
fn what_is_told_can_be_repeated_by_hand() {
    let scripts = [
        ("counter.pml", COUNTER),
        (
            "lock.pml",
            include_str!("../../../examples/promela/lock/lock-repaired.pml"),
        ),
        (
            "tip-jar.lsl",
            include_str!("../../../examples/lsl/tip-jar/tip-jar-repaired.lsl"),
        ),
        (
            "counter.smv",
            "MODULE main\nVAR n : 0..3;\nASSIGN init(n) := 0;\n next(n) := case n < 2 : n + 1; TRUE : 0; esac;\nINVARSPEC n <= 2;\n",
        ),
    ];
    let mut repeated = 0;
    for (file, text) in scripts {
        let holding = verdicts(file, text);
        assert!(holding.iter().all(|verdict| verdict == "holds"), "{file}");
        let (said, mutants) = tried(file, text);
        assert!(mutants["noticed"].as_u64().unwrap() > 0, "{said}");
        for mutant in mutants["unnoticed"].as_array().unwrap() {
            let at = mutant["line"]["line"].as_u64().unwrap() as usize;
            let old = mutant["old"].as_str().unwrap();
            let nothing = if file.ends_with(".pml") { "skip" } else { "" };
            let new = mutant["new"].as_str().unwrap_or(nothing);
            let column = mutant["line"]["column"].as_u64().unwrap() as usize - 1;
            let changed: Vec<String> = text
                .lines()
                .enumerate()
                .map(|(number, line)| {
                    if number + 1 != at {
                        return line.to_owned();
                    }
                    let (before, after) = line.split_at(column);
                    format!("{before}{}", after.replacen(old, new, 1))
                })
                .collect();
            let changed = changed.join("\n");
            if changed == text.trim_end() {
                // A statement on several lines.
                continue;
            }
            repeated += 1;
            let verdicts = verdicts(file, &changed);
            assert!(verdicts.iter().all(|it| it == "holds"), "{file}: {mutant}");
        }
    }
    assert!(repeated >= 10, "{repeated}");
}

#[test]
fn it_is_said_why_nothing_is_tried() {
    let (text, mutants) = tried("p.smv", "MODULE main\nVAR b : boolean;\nINVARSPEC b\n");
    let why = "no property holds that could notice a change";
    assert!(text.contains(why), "{text}");
    assert_eq!(mutants["why"], why);
    let graph = "aag 1 0 1 1 0\n2 2\n2\n";
    let (text, mutants) = tried("c.aag", graph);
    let why = "scripts of this language are not changed";
    assert!(text.contains(why), "{text}");
    assert_eq!(mutants["why"], why);
}

#[test]
fn time_that_is_over_is_told() {
    // On a busy machine a millisecond is over before the file is read.
    for limit in ["1ms", "3ms", "10ms", "30ms", "100ms"] {
        let system = InMemory::default().with_file("counter.pml", COUNTER);
        let words = format!("probity check counter.pml --no-cache --mutants --timeout {limit}");
        let words: Vec<&str> = words.split_whitespace().collect();
        run(&words, &system);
        let out = system.out();
        if out.contains("1 file not known") {
            continue;
        }
        assert!(
            out.contains("there was no time for") || out.contains("no property holds"),
            "{out}"
        );
        return;
    }
    panic!("the file is never read");
}
