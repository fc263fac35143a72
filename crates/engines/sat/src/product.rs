//! A circuit in which the runs asked for are those where some literals hold infinitely often.
//!
//! The automaton becomes latches, one a state, and an input word that says which of a state's edges
//! is taken; a step is one only if its letter allows the edge. Compassion becomes justice by a
//! guess, made once, that the first of the pair will not hold any more.

use circuit::{Circuit, Lit, Reset, Word};
use logic::Buchi;

/// The circuit, and what has to hold infinitely often.
#[derive(Clone, Debug)]
pub(crate) struct Product {
    pub(crate) circuit: Circuit,
    pub(crate) often: Vec<Lit>,
    /// Where each of these comes from.
    pub(crate) origins: Vec<Often>,
}

/// Something that has to hold infinitely often.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Often {
    /// The circuit's justice at this position.
    Justice(usize),
    /// The circuit's compassion at this position: its second literal holds, or the first never will
    /// again.
    Compassion(usize),
    /// The automaton takes an accepting edge.
    Accepted,
}

/// The fair runs of a circuit that an automaton over its literals accepts; all fair runs if there
/// is none. The circuit's latches and inputs come first in the product, in their order.
pub(crate) fn product(circuit: &Circuit, automaton: Option<&Buchi<Lit>>) -> Product {
    let mut circuit = circuit.clone();
    let justice = std::mem::take(&mut circuit.justice).into_iter().enumerate();
    let mut often: Vec<(Lit, Often)> = justice
        .map(|(number, lit)| (lit, Often::Justice(number)))
        .collect();
    for (number, (first, second)) in std::mem::take(&mut circuit.compassion)
        .into_iter()
        .enumerate()
    {
        let guess = circuit.input(format!("compassion{number}.guess"));
        let never = circuit.latch(format!("compassion{number}.never"), Reset::Zero);
        let next = circuit.aig.or(never, guess);
        circuit.set_next(never, next);
        let kept = !circuit.aig.and(never, first);
        circuit.step_constraints.push(kept);
        let often_enough = circuit.aig.or(never, second);
        often.push((often_enough, Often::Compassion(number)));
    }
    if let Some(automaton) = automaton {
        often.push((attach(&mut circuit, automaton), Often::Accepted));
    }
    often.sort_unstable();
    often.dedup_by_key(|(lit, _)| *lit);
    often.retain(|&(lit, _)| lit != Lit::TRUE);
    let (often, origins) = often.into_iter().unzip();
    Product {
        circuit,
        often,
        origins,
    }
}

/// Adds an automaton; the literal that says that an accepting edge is taken.
fn attach(circuit: &mut Circuit, automaton: &Buchi<Lit>) -> Lit {
    let states: Vec<Lit> = automaton
        .states()
        .map(|state| {
            let reset = if state == automaton.initial {
                Reset::One
            } else {
                Reset::Zero
            };
            circuit.latch(format!("automaton.{state}"), reset)
        })
        .collect();
    let most = automaton.edges.iter().map(Vec::len).max().unwrap_or(0);
    let width = most.next_power_of_two().trailing_zeros() as usize;
    let choice = (0..width).map(|bit| circuit.input(format!("automaton.edge.{bit}")));
    let choice = Word::new(choice.collect(), false);
    let aig = &mut circuit.aig;
    let mut taken = Vec::new();
    let mut accepting = Vec::new();
    let mut into = vec![Vec::new(); states.len()];
    for state in automaton.states() {
        for (number, edge) in automaton.edges_from(state).iter().enumerate() {
            let mut all = vec![states[state.index()]];
            all.push(aig.eq(&choice, &Word::constant(number as i128)));
            for (bit, &atom) in automaton.atoms.iter().enumerate() {
                if edge.label.pos >> bit & 1 == 1 {
                    all.push(atom);
                }
                if edge.label.neg >> bit & 1 == 1 {
                    all.push(!atom);
                }
            }
            let here = aig.all(&all);
            taken.push(here);
            into[edge.target.index()].push(here);
            if edge.accepting {
                accepting.push(here);
            }
        }
    }
    let nexts: Vec<Lit> = into.iter().map(|edges| aig.any(edges)).collect();
    let moves = aig.any(&taken);
    let one = aig.at_most_one(&states);
    let accepted = aig.any(&accepting);
    for (state, next) in states.into_iter().zip(nexts) {
        circuit.set_next(state, next);
    }
    circuit.step_constraints.push(moves);
    circuit.invariants.push(one);
    accepted
}
