//! `check --unreached`: which statements no run reaches, language by language. What a language does not tell
//! apart, no report says anything about.

use probity::{InMemory, run};
use report::Report;

/// The report on one file of several, with what no run reaches.
fn report(files: &[(&str, &str)], more: &[&str]) -> Report {
    let system = files
        .iter()
        .fold(InMemory::default(), |system, (name, text)| {
            system.with_file(*name, *text)
        });
    let words = [
        "probity",
        "check",
        files[0].0,
        "--unreached",
        "--timeout",
        "60s",
        "--format",
        "json",
    ];
    let words: Vec<&str> = words.iter().chain(more).copied().collect();
    run(&words, &system);
    serde_json::from_str(&system.out())
        .unwrap_or_else(|error| panic!("{error}: {}{}", system.out(), system.err()))
}

/// Which statements are listed, by line and text, and whether all others are known to be reached.
fn unreached(files: &[(&str, &str)], more: &[&str]) -> (Vec<(u32, String)>, bool) {
    let report = report(files, more);
    let found = report.files[0].unreached.clone();
    let found = found.unwrap_or_else(|| panic!("nothing is said of what is reached"));
    let statements = found.statements.into_iter().map(|statement| {
        let line = statement.line.as_ref().map_or(0, |line| line.line);
        (line, statement.text)
    });
    (statements.collect(), found.why.is_none())
}

fn lines(files: &[(&str, &str)], more: &[&str]) -> (Vec<u32>, bool) {
    let (statements, is_known) = unreached(files, more);
    (
        statements.into_iter().map(|(line, _)| line).collect(),
        is_known,
    )
}

const SCRIPT: &str = "integer n;
integer twice(integer x) {
    if (x > 100) {
        llOwnerSay(\"big\");
    }
    return x * 2;
}
never() {
    llOwnerSay(\"nobody calls this\");
}
default {
    state_entry() {
        n = 1;
        if (FALSE) {
            llOwnerSay(\"never\");
            n = 7;
        }
        while (n < 1) {
            n += 1;
        }
    }
    touch_start(integer k) {
        n = twice(n);
        if (n > 5) n = 0; else if (n == 5) n = 3;
        return;
        llOwnerSay(\"too late\");
    }
    timer() {
        n = 4;
    }
}
state other {
    touch_start(integer k) { n = 2; }
}
";

#[test]
fn statements_of_lsl_are_told_apart() {
    let (found, is_known) = unreached(&[("s.lsl", SCRIPT)], &[]);
    assert!(is_known, "{found:?}");
    let lines: Vec<u32> = found.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [4, 8, 15, 16, 19, 24, 26, 28, 33], "{found:?}");
    let texts: Vec<&str> = found.iter().map(|(_, text)| &**text).collect();
    assert_eq!(texts[2], "llOwnerSay(\"never\")");
    assert_eq!(texts[5], "n = 3");
    // With no passes, it is the same.
    let (without, is_known) = unreached(&[("s.lsl", SCRIPT)], &["--passes", "none"]);
    assert!(is_known);
    assert_eq!(found, without);
}

#[test]
fn a_script_whose_statements_are_all_reached_has_none_to_list() {
    let text = "integer n; default { touch_start(integer k) { if (n == 0) n = 1; else { n = 0; llResetScript(); } } }";
    assert_eq!(unreached(&[("s.lsl", text)], &[]), (Vec::new(), true));
}

#[test]
fn what_no_control_flow_leads_to_is_told_where_the_rest_is_not_known() {
    let text = "integer n;
default {
    money(key id, integer amount) {
        n += amount;
        if (n * n == 2) {
            n = 1;
        }
        if (FALSE) {
            n = 2;
        }
    }
}
";
    // There are too many sums to try all, and no square ends with the bits `10`.
    let limit = ["--memory", "20M"];
    assert_eq!(lines(&[("s.lsl", text)], &limit), (vec![9], false));
}

#[test]
fn each_script_of_a_linkset_has_its_own_statements() {
    let toml = "queue = 2\n[[prim]]\nscripts = [\"a.lsl\", \"b.lsl\"]\n";
    let a = "default {\n touch_start(integer n) { llMessageLinked(LINK_SET, 1, \"\", \"\"); }\n}\n";
    let b = "integer got;
default {
    link_message(integer sender, integer number, string text, key id) {
        if (number == 1) got = 1;
        else got = 2;
    }
}
";
    let files = [("shop.toml", toml), ("a.lsl", a), ("b.lsl", b)];
    assert_eq!(
        lines(&files, &["--property", "always b.got >= 0"]),
        (vec![5], true)
    );
}

#[test]
fn actions_of_tscript_are_told_apart() {
    let text = "process P is\nlet X : int in\n  X := 1 .\n  ( if equal(X,2) then printf(\"a\")\n    else printf(\"b\") fi )\nendlet\ntoolbus(P)\n";
    let (found, is_known) = unreached(&[("s.tb", text)], &[]);
    assert_eq!(found, [(4, "printf(\"a\")".to_owned())]);
    assert!(is_known);
}

#[test]
fn languages_whose_statements_are_no_steps_make_no_claim() {
    let c =
        "int get(void);\nint main(void) {\n  int n = get();\n  if (0) { n = 5; }\n  return n;\n}\n";
    let smv = "MODULE main\nVAR b : boolean;\nASSIGN init(b) := FALSE; next(b) := !b;\nINVARSPEC b | !b\n";
    for (name, text) in [("m.c", c), ("m.smv", smv)] {
        assert_eq!(
            unreached(&[(name, text)], &[]),
            (Vec::new(), false),
            "{name}"
        );
    }
}
