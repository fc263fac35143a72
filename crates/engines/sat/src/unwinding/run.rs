//! The run that an assignment to what was laid out stands for.

use circuit::Lit;
use solver::{MakeSolver, Solver};

use super::places::Code;
use super::{Laid, Unwinding};

impl<M: MakeSolver> Unwinding<'_, M> {
    /// Reads the run off that the solver has just found: from place to place, up to something bad.
    /// States follow by evaluation; only the inputs are read.
    pub(super) fn run(&self) -> Option<Laid> {
        let circuit = &self.system.circuit;
        let first: Vec<bool> = self.first.iter().map(|&lit| self.value(lit)).collect();
        let (mut state, mut inputs, mut number) = (first.clone(), Vec::new(), 0);
        loop {
            let row = self.inputs(number);
            let values = circuit.evaluate(&state, &row);
            if self.system.bad.iter().all(|&bad| values.holds(bad)) {
                inputs.push(row);
                return Some(Laid::Run {
                    initial: first,
                    inputs,
                });
            }
            let (row, next, after) = self.step(number, &state, &row)?;
            inputs.push(row);
            (state, number) = (next, after);
        }
    }

    fn value(&self, lit: Lit) -> bool {
        if let Some(value) = lit.as_constant() {
            return value;
        }
        let literal = self.encoder.get(lit);
        let value = literal.and_then(|literal| self.solver.value(literal));
        value.unwrap_or(false)
    }

    /// The inputs of the system at a visit.
    fn inputs(&self, visit: usize) -> Vec<bool> {
        let mut row = vec![false; self.system.circuit.inputs.len()];
        for (&input, &lit) in &self.visits[visit].inputs {
            row[input] = self.value(lit);
        }
        row
    }

    /// The move that is made at a visit: its inputs, the state after it, the visit that it leads to.
    fn step(
        &self,
        number: usize,
        state: &[bool],
        row: &[bool],
    ) -> Option<(Vec<bool>, Vec<bool>, usize)> {
        let circuit = &self.system.circuit;
        let visit = &self.visits[number];
        let ways = &self.places.all[&visit.place].ways;
        for (way, after) in ways.iter().zip(&visit.ways) {
            let Some(after) = *after else {
                continue;
            };
            let mut row = row.to_vec();
            let mut chosen = true;
            for &(leaf, value) in &way.moves {
                let input = self.places.inputs[&leaf];
                chosen &= row[input] == value;
                row[input] = value;
            }
            let values = circuit.evaluate(state, &row);
            let taken = self.system.step.iter().all(|&step| values.holds(step));
            let next = values.next_state();
            if taken && self.place_of(&next) == way.to && (chosen || !visit.selected) {
                return Some((row, next, after));
            }
        }
        None
    }

    fn place_of(&self, state: &[bool]) -> Code {
        let bits = self.places.at.iter().enumerate();
        bits.map(|(bit, &latch)| Code::from(state[latch]) << bit)
            .sum()
    }
}
