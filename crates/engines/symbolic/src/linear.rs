//! Linear time: a circuit beside a Büchi automaton, as one circuit.
//!
//! The automaton becomes latches that take over what inputs choose, and a constraint that the
//! choice is one of its edges; the diagrams then know no automata. Acceptance becomes justice.

use circuit::{Circuit, Lit, Reset};
use logic::Buchi;

/// The circuit whose fair runs are those that the automaton accepts. Its first latches and inputs
/// are those of the circuit. Atoms are over latches and inputs.
pub(crate) fn product(circuit: &Circuit, automaton: &Buchi<Lit>) -> Circuit {
    let mut product = circuit.clone();
    let bits = bits_for(automaton.state_count());
    let initial = automaton.initial.index();
    let mut now = Vec::new();
    let mut then = Vec::new();
    for bit in 0..bits {
        let reset = if initial >> bit & 1 == 1 {
            Reset::One
        } else {
            Reset::Zero
        };
        now.push(product.latch(format!("automaton.{bit}"), reset));
        then.push(product.input(format!("automaton.{bit}'")));
    }
    for (&latch, &next) in now.iter().zip(&then) {
        product.set_next(latch, next);
    }
    let accepted = product.latch("automaton.accepts", Reset::Zero);
    let accepts = product.input("automaton.accepts'");
    product.set_next(accepted, accepts);
    let mut choices = Vec::new();
    for state in automaton.states() {
        let here = code(&mut product, &now, state.index());
        for edge in automaton.edges_from(state) {
            let mut parts = vec![here];
            for (index, &atom) in automaton.atoms.iter().enumerate() {
                if edge.label.pos >> index & 1 == 1 {
                    parts.push(atom);
                }
                if edge.label.neg >> index & 1 == 1 {
                    parts.push(!atom);
                }
            }
            parts.push(code(&mut product, &then, edge.target.index()));
            parts.push(accepts.invert_if(!edge.accepting));
            choices.push(product.aig.all(&parts));
        }
    }
    let some_edge = product.aig.any(&choices);
    product.step_constraints.push(some_edge);
    product.justice.push(accepted);
    product
}

fn bits_for(states: usize) -> usize {
    (usize::BITS - states.saturating_sub(1).leading_zeros()) as usize
}

fn code(circuit: &mut Circuit, bits: &[Lit], number: usize) -> Lit {
    let parts: Vec<Lit> = bits
        .iter()
        .enumerate()
        .map(|(bit, lit)| lit.invert_if(number >> bit & 1 == 0))
        .collect();
    circuit.aig.all(&parts)
}

/// The circuit in which what compassion speaks of is remembered for a step, where it is about
/// inputs: sets of states then say it all.
pub(crate) fn remembering(circuit: &Circuit) -> Circuit {
    let mut result = circuit.clone();
    let pairs = std::mem::take(&mut result.compassion);
    for (p, q) in pairs {
        let about_inputs = circuit
            .aig
            .support(&[p, q])
            .iter()
            .zip(circuit.aig.nodes())
            .any(|(needed, node)| *needed && matches!(node, circuit::Node::Input(_)));
        let pair = if about_inputs {
            [p, q].map(|lit| {
                let latch = result.latch("compassion", Reset::Zero);
                result.set_next(latch, lit);
                latch
            })
        } else {
            [p, q]
        };
        result.compassion.push((pair[0], pair[1]));
    }
    result
}
