//! The cone of influence: the part of a circuit on which some literals depend.
//!
//! What restricts states and steps belongs to every cone, also where it shares nothing with the
//! roots: it may be what stops the circuit. E. M. Clarke, O. Grumberg, D. Peled, *Model Checking*
//! (1999), chapter 13.

use crate::aig::{InputId, LatchId, Lit, Node};
use crate::append::LitMap;
use crate::circuit::{Bad, Circuit};

/// The latches and inputs on which some literals depend, through any number of steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cone {
    /// For each latch whether it is in the cone.
    pub latches: Vec<bool>,
    /// For each input whether it is in the cone.
    pub inputs: Vec<bool>,
}

/// The part of a circuit on which some literals depend, as a circuit.
#[derive(Clone, Debug)]
pub struct Restricted {
    /// The part. It has no bads and no limits; justice and compassion stay where they were among the roots.
    pub circuit: Circuit,
    /// For each latch of the part which it was.
    pub latches: Vec<LatchId>,
    /// For each input of the part which it was.
    pub inputs: Vec<InputId>,
    /// Literals of the whole in the part. Those outside of the cone have none.
    pub map: LitMap,
}

impl Circuit {
    /// On what `roots` and all constraints depend.
    #[must_use]
    pub fn cone(&self, roots: &[Lit]) -> Cone {
        let mut cone = Cone {
            latches: vec![false; self.latches.len()],
            inputs: vec![false; self.inputs.len()],
        };
        let mut seen = vec![false; self.aig.nodes().len()];
        let mut open: Vec<Lit> = [roots, &self.constraints()].concat();
        while let Some(lit) = open.pop() {
            if std::mem::replace(&mut seen[lit.node().index()], true) {
                continue;
            }
            match self.aig.node(lit.node()) {
                Node::False => {}
                Node::And(a, b) => open.extend([a, b]),
                Node::Input(id) => cone.inputs[id.index()] = true,
                Node::Latch(id) => {
                    cone.latches[id.index()] = true;
                    open.push(self.latches[id.index()].next);
                }
            }
        }
        cone
    }

    /// The circuit without the latches and inputs on which neither `roots` nor constraints depend.
    /// Fairness is left out unless `fair`, and then belongs to the roots: leaving it out adds
    /// runs, so it is for questions about finite runs, and for what holds of all runs.
    #[must_use]
    pub fn restricted(&self, roots: &[Lit], fair: bool) -> Restricted {
        let mut all = roots.to_vec();
        if fair {
            all.extend(self.fairness());
        }
        let cone = self.cone(&all);
        let mut part = Circuit::default();
        let mut latches = Vec::new();
        let mut inputs = Vec::new();
        let mut leaves = vec![None; self.aig.nodes().len()];
        for (index, node) in self.aig.nodes().iter().enumerate() {
            match *node {
                Node::Input(id) if cone.inputs[id.index()] => {
                    leaves[index] = Some(part.input(self.inputs[id.index()].name.clone()));
                    inputs.push(id);
                }
                Node::Latch(id) if cone.latches[id.index()] => {
                    let latch = &self.latches[id.index()];
                    leaves[index] = Some(part.latch(latch.name.clone(), latch.reset));
                    latches.push(id);
                }
                _ => {}
            }
        }
        let nexts: Vec<Lit> = latches
            .iter()
            .map(|id| self.latches[id.index()].next)
            .collect();
        all.extend(self.constraints());
        all.extend(&nexts);
        let known = self.within(&cone);
        all.extend(&known);
        let map = part.aig.copy(&self.aig, leaves, &all);
        for (latch, next) in part.latches.iter_mut().zip(nexts) {
            latch.next = map.lit(next);
        }
        part.initial = map.row(&self.initial);
        part.state_constraints = map.row(&self.state_constraints);
        part.step_constraints = map.row(&self.step_constraints);
        part.invariants = map.row(&known);
        if fair {
            part.justice = map.row(&self.justice);
            let pair = |&(p, q): &(Lit, Lit)| (map.lit(p), map.lit(q));
            part.compassion = self.compassion.iter().map(pair).collect();
        }
        Restricted {
            circuit: part,
            latches,
            inputs,
            map,
        }
    }

    /// The invariants that speak of latches in the cone only.
    fn within(&self, cone: &Cone) -> Vec<Lit> {
        let mut inside: Vec<bool> = Vec::with_capacity(self.aig.nodes().len());
        for node in self.aig.nodes() {
            inside.push(match *node {
                Node::False => true,
                Node::Input(id) => cone.inputs[id.index()],
                Node::Latch(id) => cone.latches[id.index()],
                Node::And(a, b) => inside[a.node().index()] && inside[b.node().index()],
            });
        }
        let mut known = self.invariants.clone();
        known.retain(|lit| inside[lit.node().index()]);
        known
    }

    /// [`Circuit::restricted`] to one thing that must not be reached, which stays asked.
    #[must_use]
    pub fn restricted_to(&self, bad: &Bad) -> Restricted {
        let mut part = self.restricted(&[bad.lit], false);
        part.circuit.bads.push(Bad {
            name: bad.name.clone(),
            lit: part.map.lit(bad.lit),
        });
        part
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::Reset;

    #[test]
    fn constraints_pull_in_what_they_read() {
        let mut circuit = Circuit::default();
        let go = circuit.input("go");
        let unused = circuit.input("unused");
        let a = circuit.latch("a", Reset::Zero);
        let b = circuit.latch("b", Reset::Zero);
        let c = circuit.latch("c", Reset::One);
        let d = circuit.latch("d", Reset::Free);
        let moved = circuit.aig.and(b, go);
        circuit.set_next(a, moved);
        circuit.set_next(b, !b);
        circuit.set_next(c, unused);
        circuit.set_next(d, !c);
        let bad = Bad {
            name: "a".into(),
            lit: a,
        };
        let part = circuit.restricted_to(&bad);
        assert_eq!(part.latches, [LatchId(0), LatchId(1)]);
        assert_eq!(part.inputs, [InputId(0)]);
        assert_eq!(part.map.get(c), None);
        assert_eq!(part.circuit.bads[0].lit, part.circuit.latches[0].lit);

        circuit.state_constraints.push(d);
        let part = circuit.restricted_to(&bad);
        assert_eq!(part.latches.len(), 4);
        assert_eq!(part.inputs.len(), 2);

        circuit.state_constraints.clear();
        circuit.justice.push(c);
        assert_eq!(circuit.restricted(&[a], true).latches.len(), 3);
        assert_eq!(circuit.restricted(&[a], false).latches.len(), 2);
    }
}
