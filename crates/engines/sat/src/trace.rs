//! Whether a run that an engine hands out shows what it says.

use circuit::{Circuit, Lit, Run};

/// Whether this is a run of the circuit that ends where `bad` holds.
#[must_use]
pub fn reaches(circuit: &Circuit, run: &Run, bad: Lit) -> bool {
    let Ok(states) = circuit.states(run) else {
        return false;
    };
    let last = states.last().map_or(&[][..], Vec::as_slice);
    run.loop_start.is_none() && circuit.evaluate(last, &run.last).holds(bad)
}
