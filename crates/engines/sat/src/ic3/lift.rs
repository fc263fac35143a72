//! Widening a state to a cube, all of whose states do the same under the same inputs.
//!
//! Justification on the circuit: what has to be true is followed back through the gates, and of
//! the inputs that make an And false one suffices. Where both would do, one that is needed anyway is
//! taken, else the one that fewer latches can force (Goldstein's controllability, 1979). The cube
//! is what is reached among latches and predicates: a predicate that is met on the way is taken as
//! it is, without the bits below it.

use circuit::{Lit, Node};

use crate::system::System;

use super::cube::{Cube, SignalValue};

/// Widens states of one system.
pub(super) struct Lifter<'s> {
    system: &'s System,
    /// Per node: the signal that it is.
    signal: Vec<Option<u32>>,
    /// Per node: how many latches, roughly, it takes to make it false, and true.
    cost: Vec<[u32; 2]>,
    needed: Vec<bool>,
}

impl<'s> Lifter<'s> {
    pub(super) fn new(system: &'s System) -> Self {
        let nodes = system.circuit.aig.nodes();
        let mut signal = vec![None; nodes.len()];
        for (number, own) in system.signals.iter().enumerate() {
            // A predicate that is an inverted gate is the gate for this.
            signal[own.now.node().index()] = Some(number as u32);
        }
        let mut cost: Vec<[u32; 2]> = Vec::with_capacity(nodes.len());
        for (index, node) in nodes.iter().enumerate() {
            let of = |lit: Lit, value: bool| {
                cost[lit.node().index()][usize::from(value != lit.is_inverted())]
            };
            cost.push(match *node {
                Node::False | Node::Input(_) => [0, 0],
                Node::Latch(_) => [1, 1],
                Node::And(..) if signal[index].is_some() => [1, 1],
                Node::And(a, b) => [
                    of(a, false).min(of(b, false)),
                    of(a, true).saturating_add(of(b, true)).min(1 << 20),
                ],
            });
        }
        Lifter {
            system,
            signal,
            cost,
            needed: vec![false; nodes.len()],
        }
    }

    /// What has to be true so that a step leads into a cube.
    pub(super) fn targets(&self, cube: &Cube) -> Vec<Lit> {
        let mut targets = self.system.step.clone();
        for literal in &cube.literals {
            let next = self.system.signals[literal.signal()].next;
            targets.push(next.invert_if(!literal.value()));
        }
        targets
    }

    /// A cube around a state, all of whose states make the targets true under these inputs.
    pub(super) fn lift(&mut self, targets: &[Lit], state: &[bool], inputs: &[bool]) -> Cube {
        let aig = &self.system.circuit.aig;
        let spread = |row: &[bool]| row.iter().map(|&b| u64::from(b)).collect::<Vec<_>>();
        let values = aig.words(&spread(state), &spread(inputs));
        let holds = |lit: Lit| (values[lit.node().index()] & 1 == 1) != lit.is_inverted();
        debug_assert!(targets.iter().all(|&target| holds(target)));
        let mut highest = 0;
        for target in targets {
            let index = target.node().index();
            self.needed[index] = true;
            highest = highest.max(index);
        }
        let mut literals = Vec::new();
        for index in (0..=highest).rev() {
            if !std::mem::take(&mut self.needed[index]) {
                continue;
            }
            let value = values[index] & 1 == 1;
            if let Some(signal) = self.signal[index] {
                let now = self.system.signals[signal as usize].now;
                let value = value != now.is_inverted();
                literals.push(SignalValue::new(signal as usize, value));
                continue;
            }
            let Node::And(a, b) = aig.nodes()[index] else {
                continue;
            };
            let (mut first, mut second) = (value || !holds(a), value || !holds(b));
            if !value && first && second {
                let (x, y) = (a.node().index(), b.node().index());
                let cheaper =
                    |lit: Lit| self.cost[lit.node().index()][usize::from(lit.is_inverted())];
                if self.needed[x] || !self.needed[y] && cheaper(a) <= cheaper(b) {
                    second = false;
                } else {
                    first = false;
                }
            }
            self.needed[a.node().index()] |= first;
            self.needed[b.node().index()] |= second;
        }
        Cube::new(literals)
    }

    /// The predicates whose values follow from a cube (as three-valued evaluation sees it).
    pub(super) fn implied_predicates(&self, cube: &Cube) -> Vec<SignalValue> {
        let latches = self.system.circuit.latches.len();
        if self.system.signals.len() == latches {
            return Vec::new();
        }
        let mut known: Vec<Option<bool>> = vec![None; self.needed.len()];
        for literal in &cube.literals {
            let now = self.system.signals[literal.signal()].now;
            known[now.node().index()] = Some(literal.value() != now.is_inverted());
        }
        let last = self.system.signals[latches..].iter();
        let highest = last.map(|s| s.now.node().index()).max().unwrap_or(0);
        for (index, node) in self.system.circuit.aig.nodes()[..=highest]
            .iter()
            .enumerate()
        {
            if known[index].is_some() {
                continue;
            }
            known[index] = match *node {
                Node::False => Some(false),
                Node::And(a, b) => {
                    let of = |l: Lit| known[l.node().index()].map(|v| v != l.is_inverted());
                    match (of(a), of(b)) {
                        (Some(false), _) | (_, Some(false)) => Some(false),
                        (Some(true), Some(true)) => Some(true),
                        _ => None,
                    }
                }
                _ => None,
            };
        }
        (latches..self.system.signals.len())
            .filter_map(|number| {
                let now = self.system.signals[number].now;
                let value = known[now.node().index()]?;
                Some(SignalValue::new(number, value != now.is_inverted()))
            })
            .collect()
    }
}
