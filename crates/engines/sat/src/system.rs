//! One question about a circuit, made ready: the cone of what must not be reached, and what the
//! engines ask of it.

use std::collections::HashSet;

use circuit::{Aig, Circuit, InputId, LatchId, Lit, Node, Reset, Run};

/// A fact about a state, by which a set of states can be described: a latch, or a predicate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Signal {
    /// Its value now, over latches.
    pub(crate) now: Lit,
    /// Its value after the step, over latches and inputs.
    pub(crate) next: Lit,
    /// Its value in every initial state, if that is known without asking.
    pub(crate) reset: Option<bool>,
    /// The literal in the circuit that was asked about.
    pub(crate) origin: Lit,
    /// In which order invariants should speak of signals.
    pub(crate) rank: Rank,
}

/// What a signal is good for in an invariant: the lower, the better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Rank {
    /// A fact about numbers.
    Predicate,
    /// A bit that stands for itself.
    Control,
    /// A bit of a number.
    Data,
}

/// In what to speak of states.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Vocabulary<'a> {
    /// Gates over latches.
    pub(crate) predicates: &'a [Lit],
    /// Latches that are bits of numbers.
    pub(crate) data: &'a [Lit],
}

/// The cone of one bad literal.
///
/// A *state* satisfies `state`; a *step* satisfies `step`, which includes what makes its target
/// a state; a state is bad under some inputs if `bad` holds.
#[derive(Clone, Debug)]
pub(crate) struct System {
    pub(crate) circuit: Circuit,
    /// All of these hold in initial states, beside the resets.
    pub(crate) initial: Vec<Lit>,
    /// All of these hold in states that count: constraints, and what is known of reachable ones.
    pub(crate) state: Vec<Lit>,
    /// All of these hold for steps: over the state before and the inputs, the target being a
    /// state included.
    pub(crate) step: Vec<Lit>,
    /// All of these hold where it is bad.
    pub(crate) bad: Vec<Lit>,
    /// Latches first, in order; then predicates.
    pub(crate) signals: Vec<Signal>,
    /// Which latches and inputs of the whole circuit these are.
    pub(crate) latches: Vec<LatchId>,
    pub(crate) inputs: Vec<InputId>,
    /// The inputs as literals of the whole circuit.
    pub(crate) input_origins: Vec<Lit>,
    /// What the whole circuit says of reachable states, as far as it was believed.
    pub(crate) known: Vec<Lit>,
    /// Clauses that hold in all reachable states, each implied by the others after a step: here,
    /// and in the whole circuit.
    pub(crate) facts: Vec<(Vec<Lit>, Vec<Lit>)>,
}

impl System {
    /// The cone of `bad` in a circuit. Predicates, which have to be over latches, are taken where
    /// all their latches are in the cone. If `trusting`, what the circuit says of reachable states
    /// is used; an invariant then has to include it.
    pub(crate) fn new(
        whole: &Circuit,
        bad: Lit,
        vocabulary: Vocabulary<'_>,
        trusting: bool,
    ) -> Self {
        let cone = whole.cone(&[bad]);
        let mut spoken: Vec<Lit> = Vec::new();
        for &predicate in vocabulary.predicates {
            let support = whole.aig.support(&[predicate]);
            let inside = whole
                .aig
                .nodes()
                .iter()
                .zip(&support)
                .all(|(node, needed)| {
                    !needed
                        || match *node {
                            Node::Latch(id) => cone.latches[id.index()],
                            Node::Input(_) => false,
                            _ => true,
                        }
                });
            let plain = predicate.invert_if(predicate.is_inverted());
            let is_gate = matches!(whole.aig.node(plain.node()), Node::And(..));
            if inside && is_gate && !spoken.contains(&plain) {
                spoken.push(plain);
            }
        }
        let mut roots = vec![bad];
        roots.extend(&spoken);
        let part = whole.restricted(&roots, false);
        let mut circuit = part.circuit;
        let known = if trusting {
            known_facts(whole, &part.map)
        } else {
            Vec::new()
        };
        circuit.invariants = part.map.row(&known);
        let bad_lit = part.map.lit(bad);

        let before = circuit.aig.clone();
        let prime = |aig: &mut Aig, lits: &[Lit]| {
            let mut leaves = vec![None; before.nodes().len()];
            for latch in &circuit.latches {
                leaves[latch.lit.node().index()] = Some(latch.next);
            }
            aig.copy(&before, leaves, lits).row(lits)
        };
        let after = prime(&mut circuit.aig, &circuit.state_constraints);
        let predicates_now = part.map.row(&spoken);
        let predicates_next = prime(&mut circuit.aig, &predicates_now);

        let mut step = circuit.step_constraints.clone();
        step.extend(after);
        let distinct = |lits: &mut Vec<Lit>| {
            lits.sort_unstable();
            lits.dedup();
            lits.retain(|lit| *lit != Lit::TRUE);
        };
        distinct(&mut step);
        let mut state = circuit.state_constraints.clone();
        state.extend(&circuit.invariants);
        distinct(&mut state);
        let mut initial = circuit.initial.clone();
        initial.extend(&state);
        distinct(&mut initial);

        let data: HashSet<Lit> = vocabulary.data.iter().copied().collect();
        let mut signals: Vec<Signal> = circuit
            .latches
            .iter()
            .zip(&part.latches)
            .map(|(latch, id)| Signal {
                now: latch.lit,
                next: latch.next,
                reset: match latch.reset {
                    Reset::Zero => Some(false),
                    Reset::One => Some(true),
                    Reset::Free => None,
                },
                origin: whole.latches[id.index()].lit,
                rank: if data.contains(&whole.latches[id.index()].lit) {
                    Rank::Data
                } else {
                    Rank::Control
                },
            })
            .collect();
        for (position, &predicate) in spoken.iter().enumerate() {
            let now = predicates_now[position];
            signals.push(Signal {
                now,
                next: predicates_next[position],
                reset: None,
                origin: predicate,
                rank: Rank::Predicate,
            });
        }
        System {
            initial,
            state,
            step,
            bad: vec![bad_lit],
            signals,
            known,
            facts: Vec::new(),
            latches: part.latches,
            input_origins: (part.inputs.iter())
                .map(|id| whole.inputs[id.index()].lit)
                .collect(),
            inputs: part.inputs,
            circuit,
        }
    }

    /// Everything that is encoded.
    pub(crate) fn roots(&self) -> Vec<Lit> {
        let mut roots = [&self.initial[..], &self.state, &self.step, &self.bad].concat();
        for signal in &self.signals {
            roots.extend([signal.now, signal.next]);
        }
        roots.extend(self.facts.iter().flat_map(|(fact, _)| fact));
        roots
    }

    /// What was believed or found of all reachable states, as clauses of the whole circuit.
    pub(crate) fn background(&self) -> impl Iterator<Item = Vec<Lit>> + '_ {
        let known = self.known.iter().map(|&lit| vec![lit]);
        known.chain(self.facts.iter().map(|(_, whole)| whole.clone()))
    }

    /// The value of each signal in a state.
    pub(crate) fn signal_values(&self, state: &[bool]) -> Vec<bool> {
        let mut values = state.to_vec();
        if self.signals.len() > state.len() {
            let nodes = self.circuit.evaluate(state, &[]);
            let predicates = self.signals[state.len()..].iter();
            values.extend(predicates.map(|signal| nodes.holds(signal.now)));
        }
        values
    }

    /// A run of the whole circuit: what is outside of the cone starts from its reset and is fed
    /// with nothing. The last inputs are those at the end.
    pub(crate) fn widen(&self, whole: &Circuit, initial: &[bool], inputs: &[Vec<bool>]) -> Run {
        let mut state = whole.reset_state();
        for (id, value) in self.latches.iter().zip(initial) {
            state[id.index()] = *value;
        }
        let widen = |row: &Vec<bool>| {
            let mut wide = vec![false; whole.inputs.len()];
            for (id, value) in self.inputs.iter().zip(row) {
                wide[id.index()] = *value;
            }
            wide
        };
        let mut steps: Vec<Vec<bool>> = inputs.iter().map(widen).collect();
        Run {
            initial: state,
            last: steps.pop().unwrap_or_default(),
            steps,
            loop_start: None,
        }
    }
}

/// The circuit's own invariants that are in the part.
fn known_facts(whole: &Circuit, map: &circuit::LitMap) -> Vec<Lit> {
    let mut known = whole.invariants.clone();
    known.retain(|&lit| map.get(lit).is_some());
    known
}
