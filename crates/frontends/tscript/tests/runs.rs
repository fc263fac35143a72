//! All runs of small scripts, on the interpreter: what they print, and which checks fail on them.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::{BTreeSet, HashSet, VecDeque};

use model::interp::{Interp, Occurrence};
use model::{Rich, Value};
use tscript::{Dialect, Options, Schedule, Time, load};

/// What is printed in all that can happen, `|` for a tick; and the checks that fail.
fn runs(text: &str, options: &Options<'_>) -> (BTreeSet<String>, BTreeSet<String>) {
    let loaded = load("t.tb", text, options);
    let errors: Vec<_> = loaded.diagnostics.iter().filter(|d| d.is_error()).collect();
    let program = loaded.program.unwrap_or_else(|| panic!("{errors:?}"));
    let interp = Interp::new(&program);
    let (_, first) = interp.initial().unwrap().remove(0);
    let (mut printed, mut failed) = (BTreeSet::new(), BTreeSet::new());
    let mut seen = HashSet::from([(first.clone(), String::new())]);
    let mut waiting = VecDeque::from([(first, String::new())]);
    while let Some((state, so_far)) = waiting.pop_front() {
        assert!(seen.len() < 20_000, "there is no end to it");
        for successor in interp.expand(&state).unwrap().successors {
            let mut now = so_far.clone();
            let (replayed, _) = interp.replay_step(0, &state, &successor.step).unwrap();
            for occurrence in replayed.occurrences {
                match occurrence {
                    Occurrence::Event { event, args, .. } => {
                        match program.events[event.index()].name.as_str() {
                            "tick" => now.push('|'),
                            "printf" => {
                                if let Some(Value::Rich(text)) = args.first()
                                    && let Rich::Text(text) = &*program.rich.get(*text)
                                {
                                    now.push_str(text);
                                }
                            }
                            _ => {}
                        }
                    }
                    Occurrence::Failed { check, .. } => {
                        failed.insert(program.checks[check.index()].name.clone());
                    }
                    _ => {}
                }
            }
            printed.insert(now.clone());
            if seen.insert((successor.state.clone(), now.clone())) {
                waiting.push_back((successor.state, now));
            }
        }
    }
    // Only what is printed to the end.
    let all = printed.clone();
    printed.retain(|text| {
        !all.iter()
            .any(|other| other != text && other.starts_with(text))
    });
    (printed, failed)
}

fn set(all: &[&str]) -> BTreeSet<String> {
    all.iter().map(|text| (*text).to_owned()).collect()
}

fn timed(time: Time) -> Options<'static> {
    Options {
        time,
        ..Options::default()
    }
}

#[test]
fn what_is_preferred_is_taken() {
    let text = "process Q is printf(\"no\") +> printf(\"yes\") toolbus(Q)";
    assert_eq!(runs(text, &Options::default()).0, set(&["yes"]));
}

#[test]
fn the_note_that_came_first_is_read_first() {
    let text = "process P is let X : int in subscribe(n(<int>)) . snd-note(n(1)) . snd-note(n(2)) .
            rec-note(n(X?)) . printf(\"%d\", X) endlet
        toolbus(P)";
    assert_eq!(runs(text, &Options::default()).0, set(&["1"]));
}

#[test]
fn what_waits_when_a_subscription_is_undone() {
    let text = "process P is subscribe(a) . snd-note(a) . unsubscribe(a) .
            ( rec-note(a) . printf(\"kept\") + no-note(a) . printf(\"gone\") )
        toolbus(P)";
    let with = |dialect| {
        let options = Options {
            dialect,
            ..Options::default()
        };
        runs(text, &options).0
    };
    assert_eq!(with(Dialect::Ng), set(&["kept"]));
    assert_eq!(with(Dialect::C), set(&["gone"]));
}

/// `not`, `and` and `or` need truth values on both sides: a variable without value is none.
#[test]
fn what_has_no_value_is_no_truth_value() {
    for (test, printed) in [
        ("not(B)", &[][..]),
        ("or(equal(1, 1), B)", &[]),
        ("and(equal(1, 2), less(B, 1))", &[]),
        ("or(equal(1, 1), equal(B, 1))", &["yes"]),
    ] {
        let text = format!(
            "process P is let B : bool in if {test} then printf(\"yes\") else printf(\"no\") fi endlet
             toolbus(P)"
        );
        let found = runs(&text, &Options::default()).0;
        let found: BTreeSet<String> = found.into_iter().filter(|text| !text.is_empty()).collect();
        assert_eq!(found, set(printed), "{test}");
    }
}

#[test]
fn ticks_are_counted() {
    let twice = "process P is printf(\"a\") delay(sec(2)) . printf(\"b\") delay(sec(1)) toolbus(P)";
    assert_eq!(runs(twice, &timed(Time::Maximal)).0, set(&["||a|b"]));
    // Untimed, nothing is counted.
    assert_eq!(runs(twice, &timed(Time::Untimed)).0, set(&["ab"]));
    // In the bus in Java there is still time at the very end.
    let late = "process P is printf(\"a\") timeout(sec(1)) toolbus(P)";
    let late_in = |dialect: Dialect| {
        let options = Options {
            dialect,
            ..timed(Time::Discrete)
        };
        runs(late, &options).0
    };
    assert_eq!(late_in(Dialect::Ng), set(&["a", "|a", "||"]));
    assert_eq!(late_in(Dialect::C), set(&["a", "||"]));
    // The clock stops where nobody asks it any more.
    let both = "process P is printf(\"a\") delay(sec(1)) process Q is printf(\"b\") delay(sec(2))
        toolbus(P, Q)";
    assert_eq!(runs(both, &timed(Time::Maximal)).0, set(&["|a|b"]));
    assert!(runs(both, &timed(Time::Discrete)).0.contains("||ba"));
}

#[test]
fn a_prompt_bus_listens_last() {
    let text = "process P is let T : t in
            execute(t, T?) . ( rec-event(T, x) . printf(\"x\") || printf(\"p\") ) endlet
        toolbus(P)";
    let with = |schedule| {
        let options = Options {
            schedule,
            ..Options::default()
        };
        runs(text, &options).0
    };
    assert_eq!(with(Schedule::Free), set(&["px", "xp"]));
    assert_eq!(with(Schedule::Prompt), set(&["px"]));
}

#[test]
fn checks_fail_where_they_should() {
    let cases: [(&str, &[&str]); 9] = [
        // On its way to subscribe: nobody is waited for.
        (
            "process R is tau . subscribe(n) . rec-note(n) . unsubscribe(n)
             process M is let P : int in create(R, P?) . snd-note(n) endlet toolbus(M)",
            &["early-notes"],
        ),
        // It waits to be told when to come.
        (
            "process R is rec-msg(go) . subscribe(n) . snd-msg(ok) . rec-note(n) . unsubscribe(n)
             process M is snd-note(n) . snd-msg(go) . rec-msg(ok) . snd-note(n) toolbus(M, R)",
            &[],
        ),
        // It has been told to come, and what is sent since then is the teller's own affair.
        (
            "process R is rec-msg(go) . subscribe(n) . unsubscribe(n)
             process M is snd-msg(go) . snd-note(n) toolbus(M, R)",
            &[],
        ),
        // Ends subscribed.
        (
            "process R is subscribe(n) . rec-note(n) process M is snd-note(n) + tau
             toolbus(R, M)",
            &["early-notes", "unsubscribed"],
        ),
        // What was sent before the last round is read after a message of this round.
        (
            "process S is ( snd-note(n) . snd-msg(round) ) * delta
             process R is subscribe(n) . rec-msg(round) . rec-msg(round) . rec-note(n) .
                unsubscribe(n)
             toolbus(S, R)",
            &["early-notes", "stale-n"],
        ),
        // A message of somebody else tells nothing of that round.
        (
            "process S is snd-msg(ready) . ( snd-note(n) . rec-msg(next) ) * delta
             process O is snd-msg(round) . snd-msg(next) . snd-msg(round)
             process R is subscribe(n) . rec-msg(ready) . rec-msg(round) . rec-msg(round) .
                rec-note(n) . unsubscribe(n)
             toolbus(S, O, R)",
            &[],
        ),
        // The bid is for what has been sold.
        (
            "process S is snd-msg(ready) . ( snd-note(sold) . ( rec-msg(bid) + tau ) ) * delta
             process B is subscribe(sold) . rec-msg(ready) . snd-msg(bid) . snd-msg(bid) .
                unsubscribe(sold) . rec-note(sold)
             toolbus(S, B)",
            &["outdated-bid"],
        ),
        // It is held back until what waits has been read.
        (
            "process S is snd-msg(ready) . ( snd-note(sold) . ( rec-msg(bid) + tau ) ) * delta
             process B is subscribe(sold) . rec-msg(ready) .
                ( snd-msg(bid) +> rec-note(sold) ) * delta
             toolbus(S, B)",
            &[],
        ),
        // An observer that does something on its own in between.
        (
            "%%@ observer W
             process W is let N : int, M : int in
                snd-msg(a(N?)) . M := add(N, 1) . rec-msg(b(M)) . shutdown(\"one more\") endlet
             process P is snd-msg(a(1)) . snd-msg(b(2))
             process Q is rec-msg(a(1)) . rec-msg(b(2)) toolbus(P, Q)",
            &["W"],
        ),
    ];
    for (text, expected) in cases {
        let bounds = vec![("queue".to_owned(), "3".to_owned())];
        let options = Options {
            bounds: if text.contains("note") {
                bounds
            } else {
                Vec::new()
            },
            ..Options::default()
        };
        assert_eq!(runs(text, &options).1, set(expected), "{text}");
    }
}

/// What the bus in Java does, all of it checked against the bus itself.
#[test]
fn the_bus_in_java_has_its_ways() {
    let cases: [(&str, &[&str]); 18] = [
        // Of a variable that is filled twice the last of a list counts, and the first of a term.
        (
            "process P is snd-msg(1, f(1, 2), [1, [2, 3]])
             process Q is let A : int, B : int, C : int in
                rec-msg(A?, f(B?, B?), [C?, [C?, C?]]) . printf(\"%d%d%d\", A, B, C) endlet
             toolbus(P, Q)",
            &["113"],
        ),
        (
            "process P is let A : int in subscribe(n(<list>)) . snd-note(n([1, 2])) .
                rec-note(n([A?, A?])) . printf(\"%d\", A) endlet
             toolbus(P)",
            &["2"],
        ),
        // A parameter is what was given, by name, also while something else runs beside the call.
        (
            "process C(N : int) is snd-msg(a) . rec-msg(b) . printf(\"%d\", N)
             process P is let N : int in N := 1 . (C(N) || rec-msg(c) . N := 2 . snd-msg(b)) endlet
             process Q is rec-msg(a) . snd-msg(c)
             toolbus(P, Q)",
            &["2"],
        ),
        (
            "process C(A : int, B : int?) is B := add(A, 1) . printf(\"%d\", A)
             process P is let N : int in N := 1 . C(N, N?) endlet
             toolbus(P)",
            &["2"],
        ),
        // Who waits for a message does nothing to get it: so nothing stands back for that, and it does
        // not stand back.
        (
            "process P is printf(\"a\") +> rec-msg(m)
             process Q is snd-msg(m) + delta
             toolbus(P, Q)",
            &["a", ""],
        ),
        (
            "process P is (rec-msg(m) . printf(\"a\")) +> printf(\"b\")
             process Q is snd-msg(m)
             toolbus(P, Q)",
            &["a", "b"],
        ),
        // Who sends one can be sure of it, if somebody waits.
        (
            "process P is printf(\"a\") +> (snd-msg(m) . printf(\"b\"))
             process Q is rec-msg(m)
             toolbus(P, Q)",
            &["b"],
        ),
        // `+>` binds less than `+`; and what stands beside it is no part of it.
        ("process P is printf(\"a\") + printf(\"b\") +> tau toolbus(P)", &[""]),
        (
            "process P is printf(\"a\") + printf(\"b\") +> rec-msg(m) toolbus(P)",
            &["a", "b"],
        ),
        (
            "process P is (printf(\"a\") +> rec-note(n)) + (tau . printf(\"b\")) toolbus(P)",
            &["a", "b"],
        ),
        (
            "process P is (printf(\"a\") +> rec-note(n)) || printf(\"b\") toolbus(P)",
            &["ab", "ba"],
        ),
        // `>>` binds most.
        (
            "process P is printf(\"a\") . delta >> printf(\"b\") . printf(\"c\") toolbus(P)",
            &["abc"],
        ),
        // A tool may still be busy with what it was told.
        (
            "tool t is { command = \"t\" }
             process P is let T : t in execute(t, T?) . (printf(\"a\") +> snd-do(T, x)) .
                (printf(\"b\") +> snd-do(T, y)) endlet
             toolbus(P)",
            &["b", ""],
        ),
        // A tool that has been told to go does so when it likes; and what is acknowledged is so in any case.
        (
            "tool t is { command = \"t\" }
             process P is let T : t in execute(t, T?) . snd-terminate(T, x) .
                (rec-event(T, e) . printf(\"e\") + tau) . snd-ack-event(T, e) . printf(\"a\") endlet
             toolbus(P)",
            &["a", "ea"],
        ),
        // What has no value is let through by every type, and actions meet that have types alike.
        (
            "process P is let X : str in snd-msg(m(undefined)) . snd-msg(k(X)) endlet
             process Q is let N : int in rec-msg(m(N?)) . printf(\"%d\", N) .
                (rec-msg(k(N?)) . printf(\"a\") + tau) endlet
             toolbus(P, Q)",
            &["undefined"],
        ),
        // A test is asked before a tool's value is taken, and so is what stands beside it in the term.
        (
            "%%@ bound answers = polite
             tool t is { command = \"t\" }
             process P is let T : t, X : int, Y : int in X := 1 . execute(t, T?) . snd-eval(T, q) .
                if not-equal(X, Y) then rec-value(T, v(Y?)) fi .
                if equal(X, Y) then printf(\"same\") fi endlet
             toolbus(P)",
            &["same"],
        ),
        (
            "tool t is { command = \"t\" }
             process P is let T : t, X : int in X := 1 . execute(t, T?) .
                rec-event(T, e(X?, X)) . if equal(X, 2) then printf(\"%d\", X) fi endlet
             toolbus(P)",
            &["2"],
        ),
        // Words are joined like texts.
        (
            "process P is let X : str, Z : term in Z := w . X := concat(\"a\", Z) . printf(\"%s\", X) endlet
             toolbus(P)",
            &["\"aw\""],
        ),
    ];
    for (text, expected) in cases {
        let (mut printed, _) = runs(text, &Options::default());
        let mut expected = set(expected);
        // Only what is printed to the end is told.
        if printed.len() > 1 || printed.iter().any(|text| !text.is_empty()) {
            printed.remove("");
            expected.remove("");
        }
        assert_eq!(printed, expected, "{text}");
    }
}

/// What is not followed stands among the assumptions, so that nothing that holds is called proved.
#[test]
fn what_is_not_followed_is_said() {
    let cases = [
        (
            "process P is let R : real, S : real in R := rdiv(0.0, 0.0) . S := rsub(R, R) .
                if equal(R, S) then tau fi endlet
             toolbus(P)",
            Some("is taken to equal itself"),
        ),
        (
            "process P is let R : real, L : list in R := rmul(2.0, 0.5) . L := [R] .
                if member(R, L) then tau fi endlet
             toolbus(P)",
            Some("is taken to equal itself"),
        ),
        // With a literal it can be told.
        (
            "process P is let R : real in R := rdiv(1.0, 3.0) . if equal(R, 0.5) then tau fi endlet
             toolbus(P)",
            None,
        ),
        (
            "process P is let R : real, S : real in R := 1.0 . S := R . if equal(R, S) then tau fi endlet
             toolbus(P)",
            None,
        ),
        (
            "tool t is { command = \"t\" }
             process P is let T : t in execute(t, T?) . if equal(T, quote(t(0))) then tau fi endlet
             toolbus(P)",
            Some("numbered"),
        ),
        (
            "tool t is { command = \"t\" }
             process P is let T : t, L : list in execute(t, T?) . L := args(T) . snd-do(T, x) endlet
             toolbus(P)",
            Some("numbered"),
        ),
        (
            "tool t is { command = \"t\" }
             process P is let T : t, U : t in execute(t, T?) . execute(t, U?) .
                if equal(T, U) then tau fi endlet
             toolbus(P)",
            None,
        ),
        // Numbers are given again here, however many processes run at a time.
        (
            "%%@ bound processes = 3
             process P is let N : int in
                ( create(Q, N?) . rec-msg(m) . if greater(N, 5) then tau fi ) * delta endlet
             process Q is snd-msg(m)
             toolbus(P)",
            Some("no number is given twice"),
        ),
        // What is asked of a real that has been a number is asked of the number.
        (
            "tool t is { command = \"t\" }
             process P is let T : t, N : int in execute(t, T?) . rec-event(T, e(N?)) .
                if rgreater(int-to-real(N), 7.5) then tau fi endlet
             toolbus(P)",
            Some("numbers that come with `e`"),
        ),
    ];
    for (text, expected) in cases {
        let program = load("t.tb", text, &Options::default()).program.unwrap();
        let cuts: Vec<&String> = program
            .assumptions
            .iter()
            .filter(|assumption| assumption.origin == model::Origin::Narrowed)
            .map(|assumption| &assumption.text)
            .collect();
        match expected {
            Some(part) => assert!(
                cuts.iter().any(|cut| cut.contains(part)),
                "{text}: {cuts:?}"
            ),
            None => assert!(cuts.is_empty(), "{text}: {cuts:?}"),
        }
    }
}

/// An action that nobody takes part in asks its test nonetheless.
#[test]
fn tests_are_asked_of_what_cannot_be_done() {
    for (body, fails) in [
        ("if less(X, 1) then snd-msg(m) fi", true),
        ("if less(X, 1) then rec-msg(m) fi", false),
        ("if equal(X, 1) then snd-msg(m) fi", false),
    ] {
        let text = format!("process P is let X : int in {body} endlet toolbus(P)");
        let program = load("t.tb", &text, &Options::default()).program.unwrap();
        let interp = Interp::new(&program);
        let (_, first) = interp.initial().unwrap().remove(0);
        let faults = interp
            .expand(&first)
            .unwrap()
            .successors
            .iter()
            .any(|successor| {
                let (replayed, _) = interp.replay_step(0, &first, &successor.step).unwrap();
                let mut all = replayed.occurrences.iter();
                all.any(|occurrence| matches!(occurrence, Occurrence::Fault { .. }))
            });
        assert_eq!(faults, fails, "{body}");
    }
}

#[test]
fn a_timeout_of_nothing_is_none() {
    let text =
        "process P is printf(\"a\") timeout(sec(0)) . printf(\"b\") delay(sec(1)) timeout(sec(1))
        toolbus(P)";
    let (printed, _) = runs(text, &timed(Time::Discrete));
    assert!(printed.contains("a|b"), "{printed:?}");
    let options = Options {
        dialect: Dialect::C,
        ..timed(Time::Discrete)
    };
    assert_eq!(runs(text, &options).0, set(&["||"]));
}

/// Where the bus in Java does something else than its guide says, the report says so.
#[test]
fn differences_from_the_bus_are_said() {
    for (body, said) in [
        ("let F : f(int) in rec-msg(F?) endlet", "the last one"),
        ("rec-msg(m(<int>))", "placeholders"),
        ("subscribe(n(<bool>))", "lets truth values in"),
        (
            "if true then (tau || printf(\"a\")) . tau fi",
            "begins with `||`",
        ),
        ("(tau >> printf(\"a\")) . tau", "disrupts"),
        ("rec-msg(m(2)) + snd-msg(m(2))", "alternative of its own"),
        (
            "let T : t, N : int in rec-event(T, e(N?)) endlet",
            "`undefined`",
        ),
    ] {
        let text = format!("process P is {body} process Q is snd-msg(m(1)) toolbus(P, Q)");
        let says = |dialect: Dialect| {
            let options = Options {
                dialect,
                ..Options::default()
            };
            let program = load("t.tb", &text, &options).program.unwrap();
            let mut all = program.assumptions.iter();
            all.any(|assumption| assumption.text.contains(said))
        };
        assert!(says(Dialect::Ng), "{body}");
        assert!(!says(Dialect::C), "{body}");
    }
    let plain = "process P is let N : int in subscribe(n(<int>)) . rec-msg(m(N?)) .
        (snd-msg(k) || rec-msg(k)) . (snd-msg(k) + rec-msg(l)) .
        if equal(N, 1) then tau fi endlet process Q is snd-msg(m(1)) toolbus(P, Q)";
    let program = load("t.tb", plain, &Options::default()).program.unwrap();
    let mut all = program.assumptions.iter();
    assert!(!all.any(|assumption| assumption.text.contains("in the bus in Java")));
}
