//! Runs of a circuit, as engines hand them out, and their check by simulation.

use circuit::{Circuit, Lit};

/// A run: the latches at its beginning, and the inputs of each step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// The latches of the first state.
    pub initial: Vec<bool>,
    /// The inputs at each state. A finite run ends in the state at which the last of them are
    /// read (a bad literal may read them); a run for ever takes a step with each.
    pub inputs: Vec<Vec<bool>>,
    /// For a run for ever: the position to which its last step leads back.
    pub back_to: Option<usize>,
}

impl Trace {
    /// The latches at each position.
    #[must_use]
    pub fn states(&self, circuit: &Circuit) -> Vec<Vec<bool>> {
        let mut states = vec![self.initial.clone()];
        for inputs in &self.inputs {
            let last = states.last().map_or(&[][..], Vec::as_slice);
            let next = circuit.evaluate(last, inputs).next_state();
            states.push(next);
        }
        states.truncate(self.inputs.len().max(1));
        states
    }

    /// Whether it is a run of the circuit that ends where `bad` holds.
    #[must_use]
    pub fn reaches(&self, circuit: &Circuit, bad: Lit) -> bool {
        let Some(last) = self.inputs.len().checked_sub(1) else {
            return false;
        };
        let states = self.states(circuit);
        states.iter().enumerate().all(|(position, state)| {
            let values = circuit.evaluate(state, &self.inputs[position]);
            let start = position > 0 || values.is_initial();
            if position < last {
                start && values.is_state() && values.is_step()
            } else {
                start && values.is_state() && values.holds(bad)
            }
        })
    }

    /// Whether it is a run for ever of the circuit on whose loop each of `often` holds somewhere.
    #[must_use]
    pub fn loops_through(&self, circuit: &Circuit, often: &[Lit]) -> bool {
        let Some(back_to) = self.back_to else {
            return false;
        };
        let states = self.states(circuit);
        let mut seen = vec![false; often.len()];
        for (position, state) in states.iter().enumerate() {
            let values = circuit.evaluate(state, &self.inputs[position]);
            if position == 0 && !values.is_initial() || !values.is_state() || !values.is_step() {
                return false;
            }
            if position >= back_to {
                for (seen, lit) in seen.iter_mut().zip(often) {
                    *seen |= values.holds(*lit);
                }
            }
            if position + 1 == states.len() && Some(&values.next_state()) != states.get(back_to) {
                return false;
            }
        }
        back_to < self.inputs.len() && seen.iter().all(|seen| *seen)
    }
}
