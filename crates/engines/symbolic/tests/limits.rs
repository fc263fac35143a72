//! What goes past a limit is an answer, whatever was being done.

use std::time::{Duration, Instant};

use circuit::{Circuit, LatchId, Lit, Reset};
use logic::{Ctl, Ltl, Quantifier};
use model::{Budget, Silent, UnknownReason};
use symbolic::{Options, Query, Verdict, check};

/// Two numbers that change freely, and a bit of their product's middle: no order makes it small.
fn product_of(bits: usize) -> (Circuit, Lit) {
    let mut circuit = Circuit::default();
    let mut number = |name: &str| -> Vec<Lit> {
        (0..bits)
            .map(|bit| {
                let input = circuit.input(format!("{name}{bit}'"));
                let latch = circuit.latch(format!("{name}{bit}"), Reset::Zero);
                circuit.set_next(latch, input);
                latch
            })
            .collect()
    };
    let (x, y) = (number("x"), number("y"));
    let mut sum = vec![Lit::FALSE; 2 * bits];
    for (shift, &y) in y.iter().enumerate() {
        let mut carry = Lit::FALSE;
        for (at, &x) in x.iter().enumerate() {
            let aig = &mut circuit.aig;
            let term = aig.and(x, y);
            let place = sum[shift + at];
            let half = aig.xor(place, term);
            let both = aig.and(place, term);
            sum[shift + at] = aig.xor(half, carry);
            let more = aig.and(half, carry);
            carry = aig.or(both, more);
        }
        sum[shift + bits] = carry;
    }
    (circuit, sum[bits])
}

fn every_query(circuit: &Circuit, lit: Lit) -> Vec<Query> {
    let atom = || std::sync::Arc::new(Ctl::Atom(lit));
    vec![
        Query::Never(lit),
        Query::Branching(Ctl::Always(Quantifier::Some, atom())),
        Query::Branching(Ctl::Until(Quantifier::All, atom(), atom())),
        Query::Linear(Ltl::leads_to(Ltl::atom(lit), Ltl::next(Ltl::atom(!lit)))),
        Query::Count((0..circuit.latches.len() as u32).map(LatchId).collect()),
    ]
}

fn reasons(circuit: &Circuit, queries: &[Query], budget: &Budget) -> Vec<Option<UnknownReason>> {
    let answers = check(circuit, queries, Options::default(), budget, &Silent);
    let reason = |verdict| match verdict {
        Verdict::Unknown(reason) => Some(reason),
        _ => None,
    };
    answers
        .into_iter()
        .map(|answer| reason(answer.verdict))
        .collect()
}

#[test]
fn no_time_is_no_answer() {
    let (circuit, lit) = product_of(24);
    let queries = &every_query(&circuit, lit)[..4];
    let budget = Budget {
        deadline: Some(Instant::now() + Duration::from_millis(300)),
        ..Budget::default()
    };
    let began = Instant::now();
    for reason in reasons(&circuit, queries, &budget) {
        assert_eq!(reason, Some(UnknownReason::Time));
    }
    assert!(
        began.elapsed() < Duration::from_secs(60),
        "it does not go on for ever"
    );
}

#[test]
fn no_memory_is_no_answer() {
    let (circuit, lit) = product_of(20);
    let queries = &every_query(&circuit, lit)[..4];
    let budget = Budget {
        memory: Some(2 << 20),
        ..Budget::default()
    };
    for reason in reasons(&circuit, queries, &budget) {
        assert_eq!(reason, Some(UnknownReason::Memory));
    }
}

#[test]
fn whoever_stops_it_is_heard() {
    let (circuit, lit) = product_of(24);
    let queries = &every_query(&circuit, lit)[..4];
    let budget = Budget::default();
    budget
        .stop
        .store(true, std::sync::atomic::Ordering::Relaxed);
    for reason in reasons(&circuit, queries, &budget) {
        assert_eq!(reason, Some(UnknownReason::Interrupted));
    }
}

/// Diagrams thousands of variables deep: recursion has the room that it needs.
#[test]
fn depth_is_no_limit() {
    let mut circuit = Circuit::default();
    let latches: Vec<Lit> = (0..3_000)
        .map(|number| circuit.latch(format!("l{number}"), Reset::Free))
        .collect();
    let mut odd = Lit::FALSE;
    for &latch in &latches {
        odd = circuit.aig.xor(odd, latch);
    }
    let all = circuit.aig.all(&latches);
    let odd_and_all = circuit.aig.and(odd, all);
    let queries = [
        Query::Never(odd_and_all),
        Query::Never(all),
        Query::Branching(Ctl::Always(
            Quantifier::All,
            std::sync::Arc::new(Ctl::Atom(!odd)),
        )),
        Query::Count((0..3_000).map(LatchId).collect()),
    ];
    let answers = check(
        &circuit,
        &queries,
        Options::default(),
        &Budget::default(),
        &Silent,
    );
    assert_eq!(answers[0].verdict, Verdict::Holds);
    let Verdict::Fails(run) = &answers[1].verdict else {
        panic!("{:?}", answers[1].verdict);
    };
    assert!(run.initial.iter().all(|&bit| bit));
    assert!(matches!(answers[2].verdict, Verdict::Fails(_)));
    let Verdict::Counted(count) = answers[3].verdict else {
        panic!("{:?}", answers[3].verdict);
    };
    assert!((count.log2() - 3_000.0).abs() < 1e-9);
}
