//! A loop that is found by walking: far from the initial states, where no search in breadth comes.
//!
//! A walk takes one step after the other, each any that there is, with a little chance in it; now
//! and then it asks for a short loop that begins where it is. From one state that is known, the copies of a
//! circuit fold to little, so that loops are found hundreds of steps away that bounded model
//! checking from the initial states would pay for with hundreds of copies. It is blind: that it finds
//! nothing says nothing. Simulation mixed with exact search from where it led is old
//! (Yang and Dill: *Validation with guided search of the state space*, 1998).

use circuit::{InputId, Lit, Reset};
use model::UnknownReason;

use crate::bmc::{Bmc, Found};
use crate::cnf::{Encoder, Polarity};
use crate::signal_correspondence::Random;
use crate::system::System;
use solver::{Limits, Literal, MakeSolver, Outcome, Solver};

/// Steps of a walk.
const LONGEST: usize = 1024;
/// Loops are looked for after so many steps at first, and then after four times as many each time.
const FIRST: usize = 8;
/// Loops are of at most so many steps.
const LOOP: usize = 12;
/// Conflicts that a question about a loop may take.
const QUICK: u64 = 400;
/// So many inputs are chosen by chance.
const CHANCES: usize = 2;

/// A run: the first state, and the inputs of each step and at its end.
pub(crate) type Walked = (Vec<bool>, Vec<Vec<bool>>);

/// A run to what is bad in a [reduction to loops](crate::Reduction::Loops), whose input `save` says
/// where the loop begins: `save` does not hold on the walk.
pub(crate) fn look_for_loop<M: MakeSolver>(
    system: &System,
    save: InputId,
    make: &M,
    limits: &Limits<'_>,
) -> Option<Walked> {
    let save = system.inputs.iter().position(|id| *id == save)?;
    let mut steps = Steps::new(system, save, make);
    let initial = steps.initial(make, limits)?;
    let mut state = initial.clone();
    let mut inputs = Vec::new();
    let mut look_at = FIRST;
    while inputs.len() < LONGEST && !limits.expired() {
        let taken = steps.from(&state, limits)?;
        state = system.circuit.evaluate(&state, &taken).next_state();
        inputs.push(taken);
        if inputs.len() == look_at {
            look_at *= 4;
            if let Some(found) = loop_from(system, save, &state, make, limits) {
                inputs.extend(found);
                return Some((initial, inputs));
            }
        }
    }
    None
}

/// Inputs that lead round a loop from a state.
fn loop_from<M: MakeSolver>(
    system: &System,
    save: usize,
    state: &[bool],
    make: &M,
    limits: &Limits<'_>,
) -> Option<Vec<Vec<bool>>> {
    let mut here = system.clone();
    for (latch, &value) in here.circuit.latches.iter_mut().zip(state) {
        latch.reset = if value { Reset::One } else { Reset::Zero };
    }
    here.initial.clone_from(&here.state);
    // It begins here, which makes it much easier to find than one that begins anywhere.
    here.initial.push(here.circuit.inputs[save].lit);
    let limits = limits.conflicts(QUICK);
    let mut bmc = Bmc::new(&here, make);
    while bmc.done <= LOOP {
        match bmc.step(&limits) {
            Ok(Found::Run { inputs, .. }) => return Some(inputs),
            Ok(Found::None) => {}
            // Longer ones may be easier to find.
            Err(UnknownReason::Bound(_)) => bmc.done += 1,
            Ok(Found::Exhausted) | Err(_) => break,
        }
    }
    None
}

/// The steps of a system, one at a time.
struct Steps<'s, S> {
    system: &'s System,
    solver: S,
    latches: Vec<Literal>,
    inputs: Vec<Literal>,
    /// The input that stays false.
    save: usize,
    random: Random,
}

impl<'s, S: Solver> Steps<'s, S> {
    fn new<M: MakeSolver<Solver = S>>(system: &'s System, save: usize, make: &M) -> Self {
        let mut solver = make.make();
        let aig = &system.circuit.aig;
        let mut encoder = Encoder::new();
        let mut literal =
            |lit: Lit, polarity, solver: &mut S| encoder.literal(aig, lit, polarity, solver);
        let latches = system.circuit.latches.iter();
        let latches = latches
            .map(|latch| literal(latch.lit, Polarity::BOTH, &mut solver))
            .collect();
        let inputs = system.circuit.inputs.iter();
        let inputs: Vec<Literal> = inputs
            .map(|input| literal(input.lit, Polarity::BOTH, &mut solver))
            .collect();
        for &constraint in system.step.iter().chain(&system.state) {
            let holds = literal(constraint, Polarity::TRUE, &mut solver);
            solver.add_clause(&[holds]);
        }
        solver.add_clause(&[!inputs[save]]);
        Steps {
            system,
            solver,
            latches,
            inputs,
            save,
            random: Random(fastrand::Rng::with_seed(1)),
        }
    }

    /// An initial state.
    fn initial<M: MakeSolver<Solver = S>>(
        &self,
        make: &M,
        limits: &Limits<'_>,
    ) -> Option<Vec<bool>> {
        let mut solver = make.make();
        let aig = &self.system.circuit.aig;
        let mut encoder = Encoder::new();
        let mut state = Vec::new();
        for latch in &self.system.circuit.latches {
            let literal = encoder.literal(aig, latch.lit, Polarity::BOTH, &mut solver);
            match latch.reset {
                Reset::Zero => solver.add_clause(&[!literal]),
                Reset::One => solver.add_clause(&[literal]),
                Reset::Free => {}
            }
            state.push(literal);
        }
        for &constraint in &self.system.initial {
            let holds = encoder.literal(aig, constraint, Polarity::TRUE, &mut solver);
            solver.add_clause(&[holds]);
        }
        if solver.solve(&[], None, limits) != Outcome::Satisfiable {
            return None;
        }
        let value = |literal: &Literal| solver.value(*literal).unwrap_or(false);
        Some(state.iter().map(value).collect())
    }

    /// The inputs of some step from a state, if there is one.
    fn from(&mut self, state: &[bool], limits: &Limits<'_>) -> Option<Vec<bool>> {
        let here = self.latches.iter().zip(state);
        let here: Vec<Literal> = here.map(|(l, &value)| l.negated_if(!value)).collect();
        let mut with_chance = here.clone();
        for _ in 0..CHANCES {
            let chance = self.random.next();
            let input = (chance >> 1) as usize % self.inputs.len().max(1);
            if let (Some(literal), true) = (self.inputs.get(input), input != self.save) {
                with_chance.push(literal.negated_if(chance & 1 == 0));
            }
        }
        for assumptions in [with_chance, here] {
            match self.solver.solve(&assumptions, None, limits) {
                Outcome::Satisfiable => {
                    let value = |literal: &Literal| self.solver.value(*literal).unwrap_or(false);
                    return Some(self.inputs.iter().map(value).collect());
                }
                Outcome::Unsatisfiable => {}
                Outcome::Unknown => return None,
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use circuit::Circuit;
    use model::Budget;

    use super::*;
    use crate::liveness::Reduction;
    use crate::product::product;
    use crate::system::Vocabulary;
    use solver::Own;

    /// A counter that stops at 100; what it does there is asked for.
    fn far_away() -> (Circuit, Lit) {
        let mut circuit = Circuit::default();
        let bits: Vec<Lit> = (0..7)
            .map(|bit| circuit.latch(format!("n{bit}"), Reset::Zero))
            .collect();
        let ones: Vec<Lit> = (0..7)
            .map(|bit| bits[bit].invert_if(100 >> bit & 1 == 0))
            .collect();
        let there = circuit.aig.all(&ones);
        let mut carry = !there;
        for &bit in &bits {
            let next = circuit.aig.xor(bit, carry);
            carry = circuit.aig.and(carry, bit);
            circuit.set_next(bit, next);
        }
        (circuit, there)
    }

    fn walk(circuit: &Circuit) -> Option<Walked> {
        let reduced = Reduction::Loops.of(&product(circuit, None));
        let system = System::new(&reduced.circuit, reduced.bad, Vocabulary::default(), true);
        let budget = Budget::default();
        let save = reduced.save.expect("loops are looked for");
        let found = look_for_loop(&system, save, &Own, &Limits::new(&budget))?;
        let run = system.widen(&reduced.circuit, &found.0, &found.1);
        assert!(crate::reaches(&reduced.circuit, &run, reduced.bad));
        Some(found)
    }

    #[test]
    fn a_loop_that_is_far_away_is_found() {
        let (mut circuit, there) = far_away();
        circuit.justice.push(there);
        let (_, inputs) = walk(&circuit).expect("a loop");
        // A row for each step, and one for the end.
        assert!(inputs.len() > 101, "{}", inputs.len());
    }

    #[test]
    fn none_is_found_where_there_is_none() {
        let (mut circuit, there) = far_away();
        circuit.justice.push(!there);
        assert!(walk(&circuit).is_none());
        // Nor where the run ends.
        let (mut circuit, there) = far_away();
        circuit.step_constraints.push(!there);
        assert!(walk(&circuit).is_none());
        let (mut circuit, _) = far_away();
        circuit.initial.push(Lit::FALSE);
        assert!(walk(&circuit).is_none());
        // Nor where the way to it is barred.
        let (mut circuit, there) = far_away();
        circuit.justice.push(there);
        let high: Vec<Lit> = circuit.latches[5..7]
            .iter()
            .map(|latch| latch.lit)
            .collect();
        let half_way = circuit.aig.and(!high[0], high[1]);
        circuit.step_constraints.push(!half_way);
        assert!(walk(&circuit).is_none());
    }
}
