//! What a script computes, and what its properties say of it, run by run.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use lsl_concrete::{Habits, Plan, Script, Shown, run};

fn script(text: &str) -> Script {
    Script::read("t.lsl", text, &lsl::Options::default()).unwrap()
}

fn one_run(script: &Script, seed: u64, steps: usize) -> Shown {
    let habits = Habits::default();
    run(
        script,
        &Plan {
            seed,
            steps,
            habits,
        },
    )
}

/// What a script says in its first `state_entry`.
fn said(body: &str, functions: &str) -> Vec<String> {
    let text = format!("{functions} default {{ state_entry() {{ {body} }} }}");
    let shown = one_run(&script(&text), 1, 1);
    assert_eq!(shown.lost, None);
    let says = |line: &String| {
        Some(
            line.trim()
                .strip_prefix("llOwnerSay(")?
                .strip_suffix(')')?
                .to_owned(),
        )
    };
    shown.story.iter().filter_map(says).collect()
}

/// Whether each property is broken in some of many runs.
fn broken(text: &str) -> Vec<bool> {
    let script = script(text);
    let mut broken = vec![false; script.properties().count()];
    for seed in 0..150 {
        for (broken, standing) in broken.iter_mut().zip(one_run(&script, seed, 60).standings) {
            *broken |= standing.broken.is_some();
        }
    }
    broken
}

#[test]
fn operands_are_evaluated_from_right_to_left_and_arguments_from_left_to_right() {
    let tell = "integer f(integer n) { llOwnerSay((string)n); return n; } \
                integer g(integer a, integer b) { return a + b; }";
    assert_eq!(
        said("f(1) + f(2) * f(3);", tell),
        [r#""3""#, r#""2""#, r#""1""#]
    );
    assert_eq!(said("g(f(1), f(2));", tell), [r#""1""#, r#""2""#]);
    // Both sides, always.
    assert_eq!(said("if (f(0) && f(1)) f(9);", tell), [r#""1""#, r#""0""#]);
}

#[test]
fn jumps_leave_and_enter_blocks() {
    let body = "integer i; while (TRUE) { if (i == 3) jump out; ++i; } @out; \
                llOwnerSay((string)i); if (i < 5) { jump within; } \
                for (i = 0; i < 2; ++i) { llOwnerSay(\"no\"); @within; llOwnerSay(\"in\"); i = 7; }";
    assert_eq!(said(body, ""), [r#""3""#, r#""in""#]);
}

#[test]
fn variables_store_what_their_type_can() {
    let body = "float f = 0.1; llOwnerSay((string)(f == 0.1)); integer i = 7; i *= 0.5; \
                llOwnerSay((string)i); vector v = <1, 2, 3>; v.y += 4; llOwnerSay((string)v.y); \
                list l = [1] + \"a\"; l += 2.5; llOwnerSay(llDumpList2String(l, \"|\"));";
    let body = body.replace("v.y)", "(v * v))");
    let said = said(&body, "");
    assert_eq!(said[1], r#""3""#);
    assert_eq!(said[2], r#""46.000000""#);
    assert_eq!(said[3], r#""1|a|2.500000""#);
}

#[test]
fn a_payment_that_waits_at_a_change_of_state_is_lost() {
    let text = "//@ ghost integer held;
//@ on paid(id, amount) { held += amount; }
//@ property balanced: always held == deposit;
//@ property kept: never discarded(_, _);
//@ property zero: when money(id, amount) require amount > 0;
//@ bound amount = 0..4;
integer deposit;
default { money(key id, integer amount) { deposit += amount; if (amount == 3) state shut; } }
state shut { state_entry() { llSetTimerEvent(1.0); } timer() { state default; } }";
    assert_eq!(broken(text), [true, true, true]);
    // Without the change of state nothing is lost, and the books are kept.
    let open = text.replace("if (amount == 3) state shut;", "");
    assert_eq!(broken(&open), [false, false, true]);
    // What is assumed is not counted against the script.
    let assumed =
        format!("//@ assume payments are positive;\n//@ assume no payment is lost;\n{text}");
    assert!(!broken(&assumed)[1..].contains(&true));
}

#[test]
fn bounds_narrow_what_events_come_with() {
    let text = "//@ bound amount = 2..4;
//@ bound touch_start.num_detected = 1..2;
//@ property small: always most <= 4;
//@ property least: when money(id, amount) require amount >= 2;
//@ property few: when touch_start(n) require n <= 2;
//@ property one: when touch_start(n) require n == 1;
integer most;
default { money(key id, integer amount) { most = amount; } touch_start(integer n) { most = n; } }";
    assert_eq!(broken(text), [false, false, false, true]);
}

#[test]
fn old_and_during_are_about_the_moment() {
    let text = "//@ property grows: when x changes require x == old(x) + 1;
//@ property within: when x changes during touch_start(n) require n == 1;
//@ property elsewhere: never call llOwnerSay(_) during touch_start(_);
//@ property said: never call llOwnerSay(\"exit\") during touch_start(_);
//@ bound touch_start.num_detected = 1..1;
integer x;
default
{
    touch_start(integer n) { ++x; state next; }
    state_exit() { llOwnerSay(\"exit\"); }
}
state next
{
    state_entry() { llOwnerSay(\"entry\"); }
    touch_start(integer n) { state default; }
}";
    assert_eq!(broken(text), [false, false, true, true]);
}

#[test]
fn a_script_that_divides_by_zero_stops() {
    let text = "//@ property alive: always n <= 1;
//@ property stops: never x == 2;
integer n; integer x;
default { touch_start(integer p) { ++n; x = 1 / (n - 1); x = 2; } }";
    assert_eq!(broken(text), [false, false]);
}

#[test]
fn a_notecard_ends_and_other_scripts_speak() {
    let text = "//@ property never_ends: never ended;
//@ property never_reads: never read;
//@ property nobody: never told;
integer ended; integer read; integer told; integer line; key query;
default
{
    state_entry() { query = llGetNotecardLine(\"Config\", line); }
    touch_start(integer n) { llResetScript(); }
    dataserver(key id, string data)
    {
        if (id != query) return;
        if (data == EOF) { ended = TRUE; return; }
        read = TRUE;
        query = llGetNotecardLine(\"Config\", ++line);
    }
    link_message(integer from, integer number, string text, key id)
    {
        if ((string)id == \"PAY\") told = TRUE;
    }
}";
    assert_eq!(broken(text), [true, true, true]);
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let text = "default { touch_start(integer n) { llOwnerSay((string)llFrand(9.0)); } \
                money(key id, integer amount) { llOwnerSay(llGetTimestamp()); } }";
    let script = script(text);
    assert_eq!(one_run(&script, 5, 80).story, one_run(&script, 5, 80).story);
    assert_ne!(one_run(&script, 5, 80).story, one_run(&script, 6, 80).story);
}
