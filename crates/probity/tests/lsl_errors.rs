//! What is checked of LSL scripts without being asked, and what is said of text that is not read.

use probity::{InMemory, run};

/// The exit status, the verdict of each property (its first two words), and what is said besides.
fn check(text: &str, options: &str) -> (u8, Vec<String>, String, String) {
    let system = InMemory::default().with_file("t.lsl", text);
    let line = format!("probity check t.lsl --jobs 1 --timeout 60s {options}");
    let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    let status = run(&words, &system);
    let out = system.out();
    let verdicts = out
        .lines()
        .take_while(|line| !line.is_empty())
        .skip(1)
        .map(|line| {
            let line = line.trim().replace("not known", "not-known");
            let mut words = line.split_whitespace();
            let both = [words.next(), words.next()].map(Option::unwrap_or_default);
            both.join(" ")
        })
        .collect();
    (status, verdicts, out, system.err())
}

#[track_caller]
fn says(text: &str, status: u8, expected: &[&str]) -> String {
    let (found, verdicts, out, err) = check(text, "");
    assert_eq!(verdicts, expected, "{text}\n{out}{err}");
    assert_eq!(found, status, "{text}\n{out}{err}");
    out
}

#[test]
fn a_division_by_zero_fails_wherever_it_stands() {
    for division in [
        "y = 10 / y;",
        "y /= y;",
        "f /= f;",
        "1 % y;",
        "integer x = n / y;",
        "kept = [1 / y];",
        "kept += 1 / y;",
        "llGetListLength([1 / y, 2]);",
        "if ([1 / y] == kept) kept = [];",
        "if ((1 / y) > 3) llSay(0, \"much\");",
        "llSay(0, (string)(1 / y));",
        "llSleep(1 / y);",
        "y = FALSE && (1 / y);",
        "part(1 / y);",
        "over(y);",
        "while (1 / y) n = 3;",
    ] {
        let text = format!(
            "integer y; float f; list kept; part(integer a) {{ }} over(integer a) {{ 1 / a; }} \
             default {{ touch_start(integer n) {{ {division} }} money(key k, integer n) {{ y; }} }}"
        );
        let (_, said, out, _) = check(&text, "");
        for expected in ["fails math-error", "fails stops-with-money"] {
            assert!(said.iter().any(|one| one == expected), "{text}\n{out}");
        }
        // By what nobody follows, it may fail, or does.
        let change = "default { state_entry() { y = (integer)llGetObjectDesc(); f = y; }";
        let open = text.replace("default {", change);
        let (_, said, out, _) = check(&open, "--property math-error");
        assert!(!said[0].starts_with("holds"), "{open}\n{out}");
    }
}

#[test]
fn a_division_by_zero_fails_beside_what_holds_because_of_it() {
    let out = says(
        "//@ property small: always y <= 10;\ninteger y;\ndefault\n{\n touch_start(integer n)\n {\n  \
         llSay(0, \"hi\");\n  y = 10 / (n - 1);\n }\n}\n",
        1,
        &["holds small", "fails math-error"],
    );
    assert!(out.contains("t.lsl:8"), "the line of the division:\n{out}");
    assert!(out.contains("`math-error` says whether one"), "{out}");
    says(
        "integer y = 3; default { touch_start(integer n) { y = 10 / y; if (y == 0) y = 1; } }",
        0,
        &["holds math-error"],
    );
    says(
        "float f = 2.0; default { touch_end(integer n) { f = 1.0 / f; } touch_start(integer n) { f = 1.0 - 1.0; } }",
        1,
        &["fails math-error"],
    );
    // What somebody says may be zero.
    says(
        "float f; default { state_entry() { llListen(1, \"\", NULL_KEY, \"\"); } \
         listen(integer c, string n, key k, string m) { f = 3.0 / (float)m; } }",
        1,
        &["fails math-error"],
    );
}

/// What `math-error` says of a handler that reads something unknown into `n` and `l`.
fn math_error_of(statements: &str) -> String {
    let text = format!(
        "integer n; integer m; list l; float part = 0.905; float none; string s; \
         change() {{ n = (integer)s; }} \
         default {{ link_message(integer a, integer b, string text, key k) {{ s = text; \
         n = (integer)text; l = llParseString2List(text, [\",\"], []); {statements} }} \
         money(key k, integer amount) {{ l; n; m; }} }}"
    );
    let (_, said, out, err) = check(&text, "");
    let verdict = said.iter().find(|one| one.ends_with(" math-error"));
    let verdict = verdict.unwrap_or_else(|| panic!("{text}\n{out}{err}"));
    verdict
        .split_whitespace()
        .next()
        .unwrap_or_default()
        .to_owned()
}

#[test]
fn what_was_asked_before_a_division_is_heeded() {
    for statements in [
        "if (n > 0) m = 7 / n;",
        "if (0 != n) m = 7 / n;",
        "if (n) m = 7 % n;",
        "if (n == 0) return; m = 7 / n;",
        "if (!n) n = 1; m = 7 / n;",
        "if (n < 1) { m = 2; } else { m = 7 / -n; }",
        "if (m && n >= 1) m = 7 / n;",
        "if (m || n == 0) { } else m /= n;",
        "if (llGetListLength(l) > 0) m = 7 / llGetListLength(l);",
        "list parts = llCSV2List(text); integer c = llGetListLength(parts); if (c != 0) m = 7 / c;",
        "l += [text]; m = 7 / llGetListLength(l);",
        "while (n > 0) { m = 7 / n; --n; }",
        "if (n > 0) { float share = 5.0 / (float)n; m = (integer)share; }",
        "m = llRound(1 / (1 - part));",
    ] {
        assert_eq!(math_error_of(statements), "holds", "{statements}");
    }
}

#[test]
fn what_was_asked_before_something_changed_is_not() {
    for statements in [
        "if (n >= 0) m = 7 / n;",
        "if (n != 1) m = 7 / n;",
        "if (n > 0) { n = (integer)text; m = 7 / n; }",
        "if (n > 0) { --n; m = 7 / n; }",
        "if (n > 0) { change(); m = 7 / n; }",
        "if (n > 0) { @again; m = 7 / n; n = 0; if (m) jump again; }",
        "if (n > 0) { while (m < 9) { m += 7 / n; n = (integer)llGetSubString(text, m, m); } }",
        "if (n > 0 || m) m = 7 / n;",
        "if (n > 0) { } m = 7 / n;",
        "if (n = (integer)text) { } m = 7 / n;",
        "if ((n = 0) == 0 && n > 0) m = 7 / n;",
        "if (n > 0) { integer n = (integer)text; m = 7 / n; }",
        "l += []; m = 7 / llGetListLength(l);",
        "if (llGetListLength(l) > 0) { l = llDeleteSubList(l, 0, 0); m = 7 / llGetListLength(l); }",
        "float f = (float)text; m = (integer)(f / part);",
        "m = llRound(1 / (0.905 - part));",
        "m = llRound(1 / none);",
        "do { m = 7 / n; } while (n > 0);",
    ] {
        assert_ne!(math_error_of(statements), "holds", "{statements}");
    }
}

#[test]
fn errors_that_cannot_be_are_not_asked_for() {
    says(
        "//@ property p: always y < 5;\ninteger y; default { touch_start(integer n) { y = (y + 1) / 2; } }",
        0,
        &["holds p"],
    );
    says(
        "default { touch_start(integer n) { llSay(0, \"hi\"); } }",
        0,
        &["holds run-time-errors"],
    );
}

#[test]
fn calls_without_end_are_a_collision() {
    let script = |start: &str| {
        format!(
            "integer f(integer n) {{ if (n == 0) return 0; return 1 + f(n - 1); }}\n\
             default {{ touch_start(integer n) {{ llSay(0, (string)f({start})); }} }}"
        )
    };
    says(&script("5"), 0, &["holds stack-heap-collision"]);
    says(&script("-5"), 1, &["fails stack-heap-collision"]);
}

#[test]
fn a_payment_is_held_until_something_is_given_for_it() {
    let script = |given: &str| {
        format!(
            "//@ bound amount = 0..3;\ninteger z;\ndefault {{\n\
             money(key id, integer amount) {{ {given} }}\n\
             touch_start(integer n) {{ z = 1 / z; }} }}"
        )
    };
    for settles in [
        "llGiveInventory(id, \"Hat\");",
        "llGiveMoney(id, amount);",
        "llGiveMoney(id, amount + 1);",
        "if (amount > 0) llGiveMoney(id, amount);",
    ] {
        says(
            &script(settles),
            1,
            &["fails math-error", "holds stops-with-money"],
        );
    }
    for keeps in [
        "llSay(0, \"thanks\");",
        "llGiveMoney(id, amount - 1);",
        "llGiveMoney(llGetOwner(), amount);",
        "if (amount == 2) llGiveInventory(id, \"Hat\");",
        "z = 1 / z; llGiveInventory(id, \"Hat\");",
    ] {
        says(
            &script(keeps),
            1,
            &["fails math-error", "fails stops-with-money"],
        );
    }
    let dies = "default { money(key id, integer n) { llSay(0, \"!\"); } touch_start(integer n) { llDie(); } }";
    says(dies, 1, &["holds payment-kept", "fails stops-with-money"]);
}

#[test]
fn properties_are_selected_as_before() {
    let text = "//@ property small: always y <= 10;\ninteger y; \
                default { touch_start(integer n) { y = 10 / (n - 1); } }";
    assert_eq!(check(text, "--property small").1, ["holds small"]);
    assert_eq!(check(text, "--property math-error").1, ["fails math-error"]);
    let words = ["probity", "check", "t.lsl", "--property", "always y <= 11"];
    let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
    let system = InMemory::default().with_file("t.lsl", text);
    assert_eq!(run(&words, &system), 0, "{}", system.out());
    assert!(!system.out().contains("fails"), "{}", system.out());
    assert!(
        system.out().contains("holds      property"),
        "{}",
        system.out()
    );
}

#[test]
fn a_directive_that_is_not_read_is_said() {
    let text =
        "// @property p: always y <= 10;\ninteger y; default { touch_start(integer n) { y = n; } }";
    let (_, verdicts, _, err) = check(text, "");
    assert_eq!(verdicts, ["holds run-time-errors"]);
    assert!(
        err.contains("LSL0516") && err.contains("//@ property"),
        "{err}"
    );
}

#[test]
fn permissions_are_there_before_the_script_hears_of_them() {
    let script = |property: &str| {
        format!(
            "//@ property p: {property};\n\
             default {{ state_entry() {{ llRequestPermissions(llGetOwner(), PERMISSION_DEBIT); }}\n \
             touch_start(integer n) {{ llOwnerSay(\"hi\"); }}\n \
             run_time_permissions(integer p) {{ state open; }} }}\nstate open {{ state_entry() {{ }} }}\n"
        )
    };
    for property in [
        "when call llOwnerSay(t) require !granted(PERMISSION_DEBIT)",
        "when call llOwnerSay(t) require granted(PERMISSION_DEBIT) == FALSE",
        "when call llOwnerSay(t) if (granted(PERMISSION_DEBIT)) require t == \"\"",
        "when call llOwnerSay(t) require granted(PERMISSION_DEBIT)",
    ] {
        says(&script(property), 1, &["fails p"]);
    }
}
