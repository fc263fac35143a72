//! The engines against a search through all states, on random circuits.

mod fair;
mod unwinding;

use std::collections::{HashMap, VecDeque};

use circuit::{Circuit, Lit, Reset};
use model::{Budget, Silent};

use crate::testing::Dice;
use crate::{Answer, Invariant, Options, Rejection, Technique, Tuning, check, check_invariant};

/// A random circuit, and predicates over its latches.
fn random_circuit(dice: &mut Dice) -> (Circuit, Vec<Lit>) {
    let mut circuit = Circuit::default();
    let latches: Vec<Lit> = (0..2 + dice.below(5))
        .map(|n| {
            let reset = match dice.below(5) {
                0 => Reset::Free,
                1 => Reset::One,
                _ => Reset::Zero,
            };
            circuit.latch(format!("l{n}"), reset)
        })
        .collect();
    let inputs: Vec<Lit> = (0..dice.below(3))
        .map(|n| circuit.input(format!("i{n}")))
        .collect();
    let mut over_latches = latches.clone();
    grow(&mut circuit, &mut over_latches, dice);
    let mut all = over_latches.clone();
    all.extend(inputs);
    grow(&mut circuit, &mut all, dice);
    let pick =
        |pool: &[Lit], dice: &mut Dice| pool[dice.below(pool.len())].invert_if(dice.below(2) == 0);
    for &latch in &latches {
        let next = pick(&all, dice);
        circuit.set_next(latch, next);
    }
    // Several literals, one of which holds: rarely false.
    let loose = |circuit: &mut Circuit, pool: &[Lit], dice: &mut Dice| {
        let lits: Vec<Lit> = (0..2 + dice.below(2)).map(|_| pick(pool, dice)).collect();
        circuit.aig.any(&lits)
    };
    if dice.below(4) == 0 {
        let lit = loose(&mut circuit, &over_latches, dice);
        circuit.initial.push(lit);
    }
    if dice.below(3) == 0 {
        let lit = loose(&mut circuit, &over_latches, dice);
        circuit.state_constraints.push(lit);
    }
    if dice.below(3) == 0 {
        let lit = loose(&mut circuit, &all, dice);
        circuit.step_constraints.push(lit);
    }
    let pool = if dice.below(3) == 0 {
        &all
    } else {
        &over_latches
    };
    let lits: Vec<Lit> = (0..1 + dice.below(4)).map(|_| pick(pool, dice)).collect();
    let bad = circuit.aig.all(&lits);
    circuit.bads.push(circuit::Bad {
        name: "bad".into(),
        lit: bad,
    });
    let predicates = (0..dice.below(4))
        .map(|_| pick(&over_latches, dice))
        .collect();
    (circuit, predicates)
}

fn grow(circuit: &mut Circuit, pool: &mut Vec<Lit>, dice: &mut Dice) {
    for _ in 0..12 {
        let mut pick = || pool[dice.below(pool.len())].invert_if(dice.below(2) == 0);
        let (a, b, c) = (pick(), pick(), pick());
        let made = match dice.below(4) {
            0 => circuit.aig.mux(a, b, c),
            1 => circuit.aig.xor(a, b),
            _ => circuit.aig.and(a, b),
        };
        if made.as_constant().is_none() {
            pool.push(made);
        }
    }
}

fn bits(number: usize, width: usize) -> Vec<bool> {
    (0..width).map(|bit| number >> bit & 1 == 1).collect()
}

/// The number of steps to something bad, by going through all states.
fn obvious(circuit: &Circuit, bad: Lit) -> Option<usize> {
    let width = circuit.latches.len();
    let choices: Vec<Vec<bool>> = (0..1 << circuit.inputs.len())
        .map(|n| bits(n, circuit.inputs.len()))
        .collect();
    let mut distance = HashMap::new();
    let mut queue = VecDeque::new();
    for number in 0..1 << width {
        let state = bits(number, width);
        if circuit.evaluate(&state, &choices[0]).is_initial() {
            distance.insert(state.clone(), 0);
            queue.push_back(state);
        }
    }
    while let Some(state) = queue.pop_front() {
        let here = distance[&state];
        for inputs in &choices {
            let values = circuit.evaluate(&state, inputs);
            if values.holds(bad) {
                return Some(here);
            }
        }
        for inputs in &choices {
            let values = circuit.evaluate(&state, inputs);
            let next = values.next_state();
            let is_state = circuit.evaluate(&next, &choices[0]).is_state();
            if values.is_step() && is_state && !distance.contains_key(&next) {
                distance.insert(next.clone(), here + 1);
                queue.push_back(next);
            }
        }
    }
    None
}

#[test]
fn engines_agree_with_a_search_through_all_states() {
    let budget = Budget::default();
    let alone = |ic3, first_depth, induction_depth| Options {
        ic3,
        first_depth,
        induction_depth,
        tuning: Tuning::subset(u64::MAX),
        ..Options::default()
    };
    let mut dice = Dice::new(3);
    let (mut told, mut reached, mut deep, mut proved, mut proved_by_induction) = (0, 0, 0, 0, 0);
    for round in 0..1500 {
        let (mut circuit, predicates) = random_circuit(&mut dice);
        let bad = circuit.bads[0].lit;
        // What is known may take facts to show that are not told.
        let mut known = predicates.clone();
        known.retain(|&lit| dice.below(3) == 0 && obvious(&circuit, !lit).is_none());
        told += known.len();
        circuit.invariants = known;
        let expected = obvious(&circuit, bad);
        let mut only_ic3 = alone(true, 0, 0);
        let predicates_again = predicates.clone();
        only_ic3.predicates = predicates;
        let informed = Options {
            tuning: Tuning::usual()
                .without(Technique::BmcBesideIc3)
                .with(Technique::Ic3First, round % 2),
            predicates: predicates_again,
            ..alone(true, 0, 3)
        };
        for options in [only_ic3, informed, alone(false, 80, 80)] {
            let answer = check(&circuit, bad, &options, &budget, &Silent);
            match (expected, &answer) {
                (Some(steps), Answer::Refuted { run, by }) => {
                    assert!(run.steps.len() >= steps);
                    assert!(*by == "IC3" || run.steps.len() == steps);
                    reached += 1;
                    deep += u32::from(steps > 2);
                }
                (None, Answer::Proved { by, .. }) => {
                    proved += 1;
                    proved_by_induction += u32::from(*by == "k-induction");
                }
                // Runs that all end are left to IC3.
                (None, Answer::Unknown { reached, .. }) if !options.ic3 && *reached < 80 => {}
                _ => panic!("round {round}: {expected:?}, but {answer:?} of {circuit:?}"),
            }
        }
    }
    let counts = (told, reached, deep, proved, proved_by_induction);
    assert!(told > 40 && reached > 500 && deep > 40, "{counts:?}");
    assert!(proved > 500 && proved_by_induction > 300, "{counts:?}");
}

/// An invariant that is changed a little is not taken any more, unless it is still right.
#[test]
fn corrupted_invariants_are_rejected() {
    let budget = Budget::default();
    let own = audit::Recheck;
    let mut dice = Dice::new(11);
    let mut rejected: HashMap<&str, u32> = HashMap::new();
    let (mut initially, mut step, mut bads) = (0, 0, 0);
    for _ in 0..600 {
        let (circuit, _) = random_circuit(&mut dice);
        let bad = circuit.bads[0].lit;
        let options = Options {
            first_depth: 0,
            induction_depth: 0,
            tuning: Tuning::subset(u64::MAX),
            ..Options::default()
        };
        let Answer::Proved { invariant, .. } = check(&circuit, bad, &options, &budget, &Silent)
        else {
            continue;
        };
        if invariant.clauses.iter().any(Vec::is_empty) || invariant.clauses.is_empty() {
            continue;
        }
        let mut try_with = |what: &'static str, invariant: &Invariant| {
            // What is still right may stay; what is not must be seen by the search as well.
            match check_invariant(&circuit, bad, invariant, &own, &budget) {
                Ok(()) => assert!(holds_everywhere(&circuit, invariant)),
                Err(rejection) => {
                    *rejected.entry(what).or_default() += 1;
                    match rejection {
                        Rejection::Initially(_) => initially += 1,
                        Rejection::Step(_) => step += 1,
                        Rejection::Bad => bads += 1,
                        Rejection::Flawed(flaw) => panic!("{flaw}"),
                        Rejection::Malformed | Rejection::Limit => {}
                    }
                }
            }
        };
        let at = dice.below(invariant.clauses.len());
        let mut dropped = invariant.clone();
        dropped.clauses.remove(at);
        try_with("dropped", &dropped);
        let mut turned = invariant.clone();
        let literal = dice.below(turned.clauses[at].len());
        turned.clauses[at][literal] = !turned.clauses[at][literal];
        try_with("turned", &turned);
        let mut shortened = invariant.clone();
        shortened.clauses[at].remove(literal);
        try_with("shortened", &shortened);
        let mut emptied = invariant.clone();
        emptied.clauses.clear();
        try_with("emptied", &emptied);
        if let Some(input) = circuit.inputs.first() {
            let mut foreign = invariant.clone();
            foreign.clauses[at].push(input.lit);
            assert_eq!(
                check_invariant(&circuit, bad, &foreign, &own, &budget),
                Err(Rejection::Malformed)
            );
        }
    }
    for what in ["dropped", "turned", "shortened", "emptied"] {
        assert!(rejected.get(what).is_some_and(|&n| n > 20), "{rejected:?}");
    }
    assert!(
        initially > 20 && step > 20 && bads > 20,
        "{initially} {step} {bads}"
    );
}

/// Whether each clause holds in each state that a search reaches.
fn holds_everywhere(circuit: &Circuit, invariant: &Invariant) -> bool {
    let mut with = circuit.clone();
    let clauses = invariant.clauses.iter();
    let broken: Vec<Lit> = clauses.map(|clause| !with.aig.any(clause)).collect();
    let any = with.aig.any(&broken);
    obvious(&with, any).is_none()
}
