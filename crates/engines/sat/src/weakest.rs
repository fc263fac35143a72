//! Predicates from weakest preconditions along a spurious path.
//!
//! Where IC3 can exclude a state in bits, but not in words, the abstract path from that state to
//! something bad is infeasible, and the predicates cannot say why. What a predicate says after a step of
//! that path is a condition on the state before it: its weakest precondition under the move that is made
//! (E. W. Dijkstra, 1975). Where that does not depend on what is chosen in the step, it becomes a predicate
//! itself, and the search begins anew (S. Graf and H. Saïdi, *Construction of abstract state graphs with PVS*,
//! 1997; T. Henzinger, R. Jhala, R. Majumdar, G. Sutre: *Lazy abstraction*, 2002; here within the implicit
//! abstraction of A. Cimatti, A. Griggio, S. Mover, S. Tonetta, 2014).

use std::collections::HashSet;

use circuit::{Aig, Circuit, Lit, Node};

use crate::predicates::Predicate;
use crate::system::{Rank, Signal, System};
use crate::unwinding::{Control, Copier};

/// A state and the inputs under which it is left.
pub(crate) type Step = (Vec<bool>, Vec<bool>);

/// No more predicates than this are added at once.
const AT_ONCE: usize = 40;
/// Predicates of which there are so many are not added to.
const MOST: usize = 400;

/// Makes predicates of weakest preconditions along the steps of spurious paths. `said` are the
/// predicates that there are, `graph` is the one of the circuit that was asked about, with more at its
/// end.
pub(crate) fn add_preconditions(
    system: &mut System,
    graph: &mut Aig,
    (control, said): (&Control, &[Predicate]),
    steps: &[Step],
) -> Vec<Predicate> {
    let before = system.circuit.aig.clone();
    let fixed = Fixed::of(system, control);
    let mut copier = Copier::new(&before, &fixed.leaves(system));
    let mut seen: HashSet<Vec<bool>> = HashSet::new();
    let mut added = Vec::new();
    let old: Vec<Signal> = system.signals[system.circuit.latches.len()..].to_vec();
    for (state, inputs) in steps {
        if old.len() + added.len() > MOST || !seen.insert(fixed.values(state, inputs)) {
            continue;
        }
        fixed.set(system, (&before, &mut copier), (state, inputs));
        for signal in &old {
            if added.len() == AT_ONCE {
                return added;
            }
            let Some(now) = precondition(system, (&before, &mut copier), signal.next) else {
                continue;
            };
            let spoken = |other: &Signal| other.now.node() == now.node();
            if now.as_constant().is_some() || system.signals.iter().any(spoken) {
                continue;
            }
            let of = said.iter().find(|p| p.lit.node() == signal.origin.node());
            let name = of.map_or("a predicate", |of| of.name.as_str());
            let origin = add_signal(system, graph, now);
            added.push(Predicate {
                name: format!("one step before `{name}`"),
                negated: format!("not one step before `{name}`"),
                lit: origin,
            });
        }
    }
    added
}

/// What leads to a gate's being true after the step, if it is not for the step to choose.
fn precondition(
    system: &mut System,
    (before, copier): (&Aig, &mut Copier),
    next: Lit,
) -> Option<Lit> {
    let lit = copier.copy((before, next), &mut system.circuit, &mut |_, leaf| leaf);
    let support = system.circuit.aig.support(&[lit]);
    let nodes = system.circuit.aig.nodes().iter().zip(support);
    let mut inputs = nodes.filter(|(node, needed)| *needed && matches!(node, Node::Input(_)));
    inputs.next().is_none().then_some(lit)
}

/// Makes a gate over latches a signal; its literal in the whole circuit.
fn add_signal(system: &mut System, graph: &mut Aig, now: Lit) -> Lit {
    let own = &system.circuit.aig;
    let mut leaves = vec![None; own.nodes().len()];
    for (latch, signal) in system.circuit.latches.iter().zip(&system.signals) {
        leaves[latch.lit.node().index()] = Some(signal.origin);
    }
    let origin = graph.copy(own, leaves, &[now]).lit(now);
    push_signal(system, now, origin);
    origin
}

/// Makes a gate over latches a signal. `origin` is the same in the whole circuit.
pub(crate) fn push_signal(system: &mut System, now: Lit, origin: Lit) {
    let own = system.circuit.aig.clone();
    let mut leaves = vec![None; own.nodes().len()];
    for latch in &system.circuit.latches {
        leaves[latch.lit.node().index()] = Some(latch.next);
    }
    let next = system.circuit.aig.copy(&own, leaves, &[now]).lit(now);
    system.signals.push(Signal {
        now,
        next,
        reset: None,
        origin,
        rank: Rank::Predicate,
    });
}

/// The latches that say where control is and the inputs that say which move is made, by position.
struct Fixed {
    at: Vec<usize>,
    moves: Vec<usize>,
}

impl Fixed {
    fn of(system: &System, control: &Control) -> Fixed {
        let signals = &system.signals[..system.circuit.latches.len()];
        let latch = |lit: &Lit| signals.iter().position(|signal| signal.origin == *lit);
        let input = |lit: &Lit| system.input_origins.iter().position(|own| own == lit);
        Fixed {
            at: control.at.iter().filter_map(latch).collect(),
            moves: control.moves.iter().filter_map(input).collect(),
        }
    }

    fn leaves(&self, system: &System) -> Vec<Lit> {
        let circuit: &Circuit = &system.circuit;
        let at = self.at.iter().map(|&latch| circuit.latches[latch].lit);
        let moves = self.moves.iter().map(|&input| circuit.inputs[input].lit);
        at.chain(moves).collect()
    }

    fn values(&self, state: &[bool], inputs: &[bool]) -> Vec<bool> {
        let at = self.at.iter().map(|&latch| state[latch]);
        at.chain(self.moves.iter().map(|&input| inputs[input]))
            .collect()
    }

    fn set(
        &self,
        system: &System,
        (before, copier): (&Aig, &mut Copier),
        (state, inputs): (&[bool], &[bool]),
    ) {
        copier.begin(before);
        let values = self.values(state, inputs);
        for (leaf, value) in self.leaves(system).into_iter().zip(values) {
            copier.set(leaf, Lit::constant(value));
        }
    }
}
