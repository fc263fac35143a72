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
    /// Per node: its value, if it belongs to the cone at hand.
    value: Vec<bool>,
    in_cone: Vec<bool>,
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
            value: vec![false; nodes.len()],
            in_cone: vec![false; nodes.len()],
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
        let cone = self.evaluate(targets, state, inputs);
        let system = self.system;
        let nodes = system.circuit.aig.nodes();
        debug_assert!(targets.iter().all(|&target| self.holds(target)));
        for target in targets {
            self.needed[target.node().index()] = true;
        }
        let mut literals = Vec::new();
        for &index in cone.iter().rev() {
            let index = index as usize;
            if !std::mem::take(&mut self.needed[index]) {
                continue;
            }
            let value = self.value[index];
            if let Some(signal) = self.signal[index] {
                let now = self.system.signals[signal as usize].now;
                let value = value != now.is_inverted();
                literals.push(SignalValue::new(signal as usize, value));
                continue;
            }
            let Node::And(a, b) = nodes[index] else {
                continue;
            };
            let (mut first, mut second) = (value || !self.holds(a), value || !self.holds(b));
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

    fn holds(&self, lit: Lit) -> bool {
        self.value[lit.node().index()] != lit.is_inverted()
    }

    /// Evaluates the cone of the targets; returns its nodes in topological order.
    fn evaluate(&mut self, targets: &[Lit], state: &[bool], inputs: &[bool]) -> Vec<u32> {
        let system = self.system;
        let nodes = system.circuit.aig.nodes();
        let mut cone: Vec<u32> = Vec::new();
        let mut add = |lit: Lit, cone: &mut Vec<u32>| {
            let index = lit.node().index();
            if !std::mem::replace(&mut self.in_cone[index], true) {
                cone.push(u32::try_from(index).expect("fewer than 2^32 nodes"));
            }
        };
        for &target in targets {
            add(target, &mut cone);
        }
        let mut next = 0;
        while let Some(&index) = cone.get(next) {
            if let Node::And(a, b) = nodes[index as usize] {
                add(a, &mut cone);
                add(b, &mut cone);
            }
            next += 1;
        }
        // Operands have lower numbers.
        cone.sort_unstable();
        for &index in &cone {
            let index = index as usize;
            self.in_cone[index] = false;
            self.value[index] = match nodes[index] {
                Node::False => false,
                Node::Input(input) => inputs[input.index()],
                Node::Latch(latch) => state[latch.index()],
                Node::And(a, b) => self.holds(a) && self.holds(b),
            };
        }
        cone
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
