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
    let late = "process P is printf(\"a\") timeout(sec(1)) toolbus(P)";
    assert_eq!(runs(late, &timed(Time::Discrete)).0, set(&["a", "||"]));
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
