//! Tools that could as well have each other's numbers: the answers are those of all states, with fewer
//! of them; and where somebody could tell who is who, nothing is exchanged.

use std::collections::BTreeMap;

use model::{Claim, Program, Silent, Verdict};
use tscript::Options;

fn load(text: &str, bounds: &[(&str, &str)]) -> Program {
    let bounds = bounds.iter();
    let options = Options {
        bounds: bounds
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect(),
        ..Options::default()
    };
    let loaded = tscript::load("script.tb", text, &options);
    loaded.program.expect("it is accepted")
}

/// The verdicts about what can be reached, how many states that took, and whether any were exchanged.
fn found(program: &Program, symmetry: bool) -> (BTreeMap<String, String>, u64, bool) {
    let mut properties = program.properties.iter();
    let only = properties.by_ref().filter(|p| {
        matches!(
            p.claim,
            Claim::Always(_) | Claim::Check(_) | Claim::NoFault(_)
        )
    });
    let options = verify::Options {
        only: Some(only.map(|property| property.name.clone()).collect()),
        symmetry,
        jobs: 2,
        ..verify::Options::default()
    };
    let outcomes = verify::check(program, &options, &Silent);
    let verdicts = outcomes.iter().map(|outcome| {
        let name = program.properties[outcome.property.index()].name.clone();
        let verdict = match &outcome.verdict {
            Verdict::Holds { .. } => "holds".to_owned(),
            Verdict::Fails { .. } => "fails".to_owned(),
            other => format!("{other:?}"),
        };
        (name, verdict)
    });
    let verdicts = verdicts.collect();
    let states = outcomes.iter().map(|o| o.statistics.states).sum();
    let exchanged = outcomes
        .iter()
        .any(|outcome| outcome.statistics.reduction.contains("symmetry"));
    (verdicts, states, exchanged)
}

fn compare(text: &str, bounds: &[(&str, &str)]) -> BTreeMap<String, String> {
    let program = load(text, bounds);
    let (small, fewer, exchanged) = found(&program, true);
    let (large, all, _) = found(&program, false);
    assert_eq!(small, large, "{text}");
    assert!(
        exchanged && fewer < all,
        "{exchanged} {fewer} {all}: {text}"
    );
    small
}

#[test]
fn two_bidders_are_like_each_other() {
    let bounds = [("bidder", "2"), ("new-item", "1"), ("bid", "1..1")];
    let original = include_str!("../../../examples/tscript/auction/original.tb");
    let verdicts = compare(original, &bounds);
    assert_eq!(verdicts["deadlock"], "fails");
    assert_eq!(verdicts["expressions"], "holds");
    let repaired = include_str!("../../../examples/tscript/auction/repaired.tb");
    let verdicts = compare(repaired, &bounds);
    assert!(verdicts.values().all(|verdict| verdict == "holds"));
}

/// A master who lets workers in; what they do is to be filled in.
fn workers(work: &str, master: &str) -> String {
    format!(
        "%%@ bound worker = 3\n%%@ bound processes = 4\n\
         tool worker is {{ command = \"w\" }}\n\
         process Worker(W : worker) is\n  let N : int, T : worker, A : term in {work} endlet\n\
         process Master is\n  let W : worker, P : int, Q : int, First : worker in\n\
           ( rec-connect(W?) . create(Worker(W), P?) {master} ) * delta endlet\n\
         toolbus(Master)\n"
    )
}

#[test]
fn answers_are_the_same_whoever_comes_first() {
    // Who has come second blocks who has not, whatever the numbers are.
    let turns =
        "rec-event(W, ask(N?)) . snd-msg(want(W, N)) . rec-msg(W, A?) . snd-do(W, A) . delta";
    for (work, master) in [
        (turns, "+ rec-msg(want(First?, Q?)) . snd-msg(First, yes)"),
        (
            turns,
            "+ rec-msg(want(First?, Q?)) . if equal(Q, 1) then snd-msg(First, no) else tau fi",
        ),
        (
            "rec-event(W, ask(N?)) . snd-ack-event(W, ask(N)) . rec-disconnect(W) . delta",
            "",
        ),
        (
            "subscribe(all) . rec-note(all) . unsubscribe(all) . delta",
            "+ snd-note(all)",
        ),
    ] {
        compare(
            &workers(work, master),
            &[("connections", "1"), ("queue", "2")],
        );
    }
}

#[test]
fn who_can_be_told_apart_is_not_exchanged() {
    let plain = "rec-event(W, ask(N?)) . delta";
    let once = [("connections", "1")];
    let names = |text: &str, bounds: &[(&str, &str)]| {
        let alike = load(text, bounds).alike;
        alike.map_or(0, |alike| alike.names.len())
    };
    assert_eq!(names(&workers(plain, ""), &once), 1);
    assert_eq!(
        names(&workers(plain, ""), &[("connections", "2")]),
        0,
        "they come back"
    );
    for (work, master) in [
        (
            "subscribe(at(<worker>)) . rec-note(at(T?)) . delta",
            "+ snd-note(at(W))",
        ),
        ("A := [W] . rec-event(W, ask(N?)) . delta", ""),
        ("N := process-id . rec-event(W, ask(N?)) . delta", ""),
        (plain, ". if equal(P, 2) then delta else tau fi"),
    ] {
        assert_eq!(names(&workers(work, master), &once), 0, "{work} {master}");
    }
}
