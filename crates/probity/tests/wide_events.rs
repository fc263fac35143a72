//! Events with very many ways: what is found on some of them is told, whatever becomes of the others.

use probity::{InMemory, run};

fn check(text: &str, options: &str) -> (u8, String) {
    let system = InMemory::default().with_file("t.lsl", text);
    let line = format!("probity check t.lsl --jobs 1 --timeout 60s {options}");
    let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    (run(&words, &system), system.out())
}

/// Counts to a number that somebody else's script sends, up to 2^31 - 1.
const COUNTS: &str = "\
//@ property small: never found == 1;
//@ property other: never found == 2;
integer found;
default
{
    link_message(integer from, integer most, string text, key id)
    {
        integer i;
        while (i < most) ++i;
        if (i == 3) found = 1;
    }
}
";

#[test]
fn a_way_that_is_too_long_does_not_hide_a_failure_on_a_short_one() {
    let (status, out) = check(COUNTS, "--engine explicit");
    assert_eq!(status, 1, "{out}");
    assert!(out.contains("fails      small"), "{out}");
    // And of the long one it is not said that nothing is wrong there.
    assert!(out.contains("not known  other"), "{out}");
    assert!(
        out.contains("one event takes the script too many steps"),
        "{out}"
    );
}

/// Gives back what it takes, but for what waits when it changes its state.
const LOSES: &str = "\
//@ ghost integer held;
//@ on paid(id, n) { held += n; }
//@ on call llGiveMoney(id, n) { held -= n; }
//@ property few: always held <= 10;
//@ property each: when discarded(id, n) require n <= 6;
default { money(key id, integer n) { llGiveMoney(id, n); if (n == 3) state other; } }
state other { touch_start(integer n) { llResetScript(); } }
";

#[test]
fn how_many_payments_wait_need_not_be_stated() {
    let (status, out) = check(LOSES, "--bound amount=0..6");
    assert_eq!(status, 1, "{out}");
    assert!(out.contains("fails      few"), "{out}");
    let (_, out) = check(
        LOSES,
        "--bound amount=0..6 --engine explicit --property each",
    );
    assert!(out.contains("only samples were tried of"), "{out}");
    assert!(out.contains("lost-payments"), "{out}");
    assert!(out.contains("--bound lost-payments=LOW..HIGH"), "{out}");
}

#[test]
fn what_was_sampled_is_named_with_its_line_and_what_to_do() {
    let text = "integer most;\n//@ property p: always most != 77777 || most > 0;\ndefault\n{\n    \
                money(key id, integer amount)\n    {\n        \
                if (amount > most) most = amount;\n    }\n}\n";
    let (status, out) = check(text, "--engine explicit");
    assert_eq!(status, 3, "{out}");
    assert!(
        out.contains("only samples were tried of amount (line 5)"),
        "{out}"
    );
    assert!(out.contains("state --bound amount=LOW..HIGH"), "{out}");
}
