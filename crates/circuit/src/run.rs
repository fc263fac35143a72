//! Runs of a circuit, and whether what is said to be one is one.

use thiserror::Error;

use crate::circuit::Circuit;

/// A run: what the latches are at first, and the inputs of each step.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Run {
    /// The latches at the beginning.
    pub initial: Vec<bool>,
    /// The inputs, step by step.
    pub steps: Vec<Vec<bool>>,
    /// The inputs at the end, where no step is taken any more: a bad may read them. What is
    /// missing is false.
    pub last: Vec<bool>,
    /// The run goes on for ever by repeating the steps from this position on.
    pub loop_start: Option<usize>,
}

/// Why something is no run.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NoRun {
    /// The first state is not initial.
    #[error("begin in an initial state")]
    Initial,
    /// A constraint on states does not hold after so many steps.
    #[error("stay within the state constraints after {0} steps")]
    State(usize),
    /// A constraint on steps does not hold for the step with this number, from 0.
    #[error("take step {0}, which the step constraints rule out")]
    Step(usize),
    /// The last state is not where the loop begins.
    #[error("come back to where the loop begins")]
    Loop,
}

impl Circuit {
    /// The states of a run.
    ///
    /// # Errors
    /// If it is none.
    pub fn states(&self, run: &Run) -> Result<Vec<Vec<bool>>, NoRun> {
        let mut states = vec![run.initial.clone()];
        if !self.evaluate(&run.initial, &[]).is_initial() {
            return Err(NoRun::Initial);
        }
        for (number, inputs) in run.steps.iter().enumerate() {
            let values = self.evaluate(&states[number], inputs);
            if !values.is_state() {
                return Err(NoRun::State(number));
            }
            if !values.is_step() {
                return Err(NoRun::Step(number));
            }
            states.push(values.next_state());
        }
        let count = run.steps.len();
        if !self.evaluate(&states[count], &run.last).is_state() {
            return Err(NoRun::State(count));
        }
        match run.loop_start {
            Some(start) if start >= count || states[start] != states[count] => Err(NoRun::Loop),
            _ => Ok(states),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::Reset;

    #[test]
    fn what_breaks_a_rule_is_no_run() {
        let mut circuit = Circuit::default();
        let go = circuit.input("go");
        let bit = circuit.latch("bit", Reset::Zero);
        let other = circuit.latch("other", Reset::Free);
        let next = circuit.aig.xor(bit, go);
        circuit.set_next(bit, next);
        circuit.step_constraints.push(go);
        let both = circuit.aig.and(bit, other);
        circuit.state_constraints.push(!both);
        let run = |initial: [bool; 2], steps: &[bool], loop_start| Run {
            initial: initial.to_vec(),
            steps: steps.iter().map(|&step| vec![step]).collect(),
            last: Vec::new(),
            loop_start,
        };
        let states = |run: Run| circuit.states(&run).map(|states| states.len());
        assert_eq!(states(run([false, false], &[true, true], Some(0))), Ok(3));
        assert_eq!(
            states(run([false, false], &[true], Some(0))),
            Err(NoRun::Loop)
        );
        assert_eq!(states(run([true, false], &[], None)), Err(NoRun::Initial));
        assert_eq!(
            states(run([false, true], &[true], None)),
            Err(NoRun::State(1))
        );
        assert_eq!(
            states(run([false, false], &[false], None)),
            Err(NoRun::Step(0))
        );
    }
}
