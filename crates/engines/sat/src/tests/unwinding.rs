//! Runs that are laid out, against a search through all states: any latches may say where control
//! is, and any inputs which move is made.

use circuit::{Circuit, Lit, Reset};
use model::{Budget, Silent};

use super::{obvious, random_circuit};
use crate::testing::Dice;
use crate::{Answer, Control, Options, Tuning, check};

/// Some of the latches that have one first value, and some of the inputs.
fn some_control(circuit: &Circuit, dice: &mut Dice) -> Control {
    let at = circuit.latches.iter();
    let at = at.filter(|latch| latch.reset != Reset::Free);
    let mut control = Control {
        at: at.map(|latch| latch.lit).collect(),
        moves: circuit.inputs.iter().map(|input| input.lit).collect(),
    };
    let mut keep = |lits: &mut Vec<Lit>| lits.retain(|_| dice.below(3) > 0);
    keep(&mut control.at);
    keep(&mut control.moves);
    control
}

/// A latch that counts rounds up to a bound, where no step is possible any more.
fn bounded(circuit: &mut Circuit, dice: &mut Dice) {
    let bits: Vec<Lit> = (0..2)
        .map(|bit| circuit.latch(format!("round{bit}"), Reset::Zero))
        .collect();
    let next = circuit.aig.xor(bits[0], bits[1]);
    circuit.set_next(bits[0], !bits[0]);
    circuit.set_next(bits[1], next);
    let last = circuit.aig.and(bits[0], bits[1]);
    if dice.below(4) > 0 {
        circuit.step_constraints.push(!last);
    }
}

#[test]
fn laid_out_runs_agree_with_a_search_through_all_states() {
    let mut dice = Dice::new(17);
    let (mut reached, mut deep, mut all, mut open) = (0, 0, 0, 0);
    for round in 0..3000 {
        let (mut circuit, _) = random_circuit(&mut dice);
        circuit.state_constraints.clear();
        if round % 2 == 0 {
            bounded(&mut circuit, &mut dice);
        }
        let bad = circuit.bads[0].lit;
        let options = Options {
            control: Some(some_control(&circuit, &mut dice)),
            first_depth: 0,
            induction_depth: 0,
            ic3: false,
            tuning: Tuning::usual(),
            ..Options::default()
        };
        let expected = obvious(&circuit, bad);
        match (
            expected,
            check(&circuit, bad, &options, &Budget::default(), &Silent),
        ) {
            (Some(steps), Answer::Refuted { run, by }) => {
                assert!(run.steps.len() >= steps, "round {round}");
                reached += u32::from(by == "unwinding");
                deep += u32::from(by == "unwinding" && steps > 2);
            }
            (None, Answer::AllRuns { .. }) => all += 1,
            (None, Answer::Proved { .. }) => {}
            (_, Answer::Unknown { .. }) => open += 1,
            (expected, answer) => {
                panic!("round {round}: {expected:?}, but {answer:?} of {circuit:?}")
            }
        }
    }
    let counts = (reached, deep, all, open);
    assert!(reached > 300 && deep > 30 && all > 300, "{counts:?}");
    assert!(open < 900, "{counts:?}");
}
