//! Runs of the whole circuit, from paths of a part.

use circuit::{Circuit, Reset, Restricted, Run};

use crate::path::Path;

/// How often a loop is unrolled for the latches beside it to come around too.
const UNROLL: usize = 2_000;

/// The run of the whole that does in its part what a path does. The rest of the circuit is not
/// constrained: its inputs are false, its latches follow.
pub(crate) fn whole(
    circuit: &Circuit,
    part: &Restricted,
    path: &Path,
    inputs: &[Vec<bool>],
) -> Run {
    let input_row = |row: &Vec<bool>| {
        let mut whole = vec![false; circuit.inputs.len()];
        for (input, &value) in part.inputs.iter().zip(row) {
            whole[input.index()] = value;
        }
        whole
    };
    let mut inputs: Vec<Vec<bool>> = inputs.iter().map(input_row).collect();
    let last = inputs.split_off(path.steps.len()).pop();
    let mut initial: Vec<bool> = circuit
        .latches
        .iter()
        .map(|latch| latch.reset == Reset::One)
        .collect();
    for (latch, &value) in part.latches.iter().zip(&path.states[0].values) {
        initial[latch.index()] = value;
    }
    let mut run = Run {
        initial: initial.clone(),
        steps: inputs,
        last: last.unwrap_or_default(),
        loop_start: path.loop_start,
    };
    let Some(start) = path.loop_start else {
        return run;
    };
    // Each time around, the state is the one that the loop begins with, in the part.
    let around = run.steps[start..].to_vec();
    let after = |state: Vec<bool>, rows: &[Vec<bool>]| {
        rows.iter().fold(state, |state, row| {
            circuit.evaluate(&state, row).next_state()
        })
    };
    let mut heads = vec![after(initial, &run.steps[..start])];
    for times in 1..UNROLL {
        let head = after(heads[times - 1].clone(), &around);
        if let Some(at) = heads.iter().position(|other| *other == head) {
            run.loop_start = Some(start + at * around.len());
            return run;
        }
        heads.push(head);
        run.steps.extend_from_slice(&around);
    }
    run
}
