//! Linear time: a circuit beside a Büchi automaton, as one circuit.
//!
//! The automaton becomes latches that take over what inputs choose, and a constraint that the
//! choice is one of its edges; the diagrams then know no automata. Acceptance becomes justice.

use std::sync::Arc;

use circuit::{Circuit, Lit, Node, Reset};
use logic::{Buchi, Ctl, Ltl, Quantifier};

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

/// The formula of branching time that says the same, where one is known, atoms are about states and
/// fairness is justice only: it can be answered without an automaton, beside others.
pub(crate) fn as_tree(circuit: &Circuit, formula: &Ltl<Lit>) -> Option<Ctl<Lit>> {
    let atoms: Vec<Lit> = formula.atoms().into_iter().copied().collect();
    if !circuit.compassion.is_empty() || reads_inputs(circuit, &atoms) {
        return None;
    }
    let tree = tree_of(formula)?;
    // Both translations are one another's proof.
    tree.linear().map(|_| tree)
}

fn reads_inputs(circuit: &Circuit, lits: &[Lit]) -> bool {
    let support = circuit.aig.support(lits);
    let nodes = support.iter().zip(circuit.aig.nodes());
    nodes
        .into_iter()
        .any(|(needed, node)| *needed && matches!(node, Node::Input(_)))
}

/// Each temporal operator with "on all paths" before it. Says the same for the formulas for which
/// [`Ctl::linear`] knows the way back (Maidl 2000).
fn tree_of(formula: &Ltl<Lit>) -> Option<Ctl<Lit>> {
    let all = Quantifier::All;
    let of = |p: &Ltl<Lit>| tree_of(p).map(Arc::new);
    let each = |ps: &[Ltl<Lit>]| ps.iter().map(tree_of).collect::<Option<Arc<[_]>>>();
    Some(match formula {
        Ltl::True => Ctl::True,
        Ltl::False => Ctl::False,
        Ltl::Atom(lit) => Ctl::Atom(*lit),
        Ltl::Not(p) => {
            let p = tree_of(p)?;
            if !p.is_local() {
                return None;
            }
            Ctl::not(p)
        }
        Ltl::And(ps) => Ctl::And(each(ps)?),
        Ltl::Or(ps) => Ctl::Or(each(ps)?),
        Ltl::Implies(p, q) => Ctl::Implies(of(p)?, of(q)?),
        Ltl::Iff(p, q) => Ctl::Iff(of(p)?, of(q)?),
        Ltl::Next(p) => Ctl::Next(all, of(p)?),
        Ltl::Eventually(p) => Ctl::Eventually(all, of(p)?),
        Ltl::Always(p) => Ctl::Always(all, of(p)?),
        Ltl::Until(p, q) => Ctl::Until(all, of(p)?, of(q)?),
        Ltl::Release(..) | Ltl::WeakUntil(..) => return None,
    })
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
        let pair = if reads_inputs(circuit, &[p, q]) {
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
