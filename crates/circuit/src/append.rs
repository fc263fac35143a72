//! Copies of one graph inside another: renaming, products with observers and automata.

use crate::aig::{Aig, Lit, Node};
use crate::circuit::{Bad, Circuit};

/// Where the literals of one graph are in another.
#[derive(Clone, Debug)]
pub struct LitMap {
    nodes: Vec<Option<Lit>>,
}

impl LitMap {
    /// The copy of a literal, where there is one.
    #[must_use]
    pub fn get(&self, lit: Lit) -> Option<Lit> {
        let copy = self.nodes.get(lit.node().index()).copied().flatten()?;
        Some(copy.invert_if(lit.is_inverted()))
    }

    /// The copy of a literal.
    ///
    /// # Panics
    /// If it was not copied: a mistake of the caller.
    #[must_use]
    pub fn lit(&self, lit: Lit) -> Lit {
        self.get(lit)
            .expect("internal error: a literal that was not copied")
    }

    /// The copies of some literals. Panics as [`LitMap::lit`] does.
    #[must_use]
    pub fn row(&self, lits: &[Lit]) -> Vec<Lit> {
        lits.iter().map(|&lit| self.lit(lit)).collect()
    }
}

impl Aig {
    /// Copies what `roots` need from another graph. `leaves` says what stands for its inputs and
    /// latches, by node; gates that have an entry are not copied either.
    ///
    /// # Panics
    /// If a leaf that is needed has no entry: a mistake of the caller.
    pub fn copy(&mut self, from: &Aig, leaves: Vec<Option<Lit>>, roots: &[Lit]) -> LitMap {
        let mut map = LitMap { nodes: leaves };
        map.nodes.resize(from.nodes().len(), None);
        map.nodes[0] = Some(Lit::FALSE);
        let needed = from.support(roots);
        for (index, node) in from.nodes().iter().enumerate() {
            if !needed[index] || map.nodes[index].is_some() {
                continue;
            }
            map.nodes[index] = match *node {
                Node::And(a, b) => {
                    let (a, b) = (map.lit(a), map.lit(b));
                    Some(self.and(a, b))
                }
                _ => None,
            };
        }
        for &root in roots {
            assert!(
                map.get(root).is_some(),
                "internal error: a leaf without a copy"
            );
        }
        map
    }
}

impl Circuit {
    /// Adds all of another circuit. `bindings` say which of its inputs are literals here (an
    /// observer's inputs are what it observes); the others become inputs here, its latches become
    /// latches, and all that it assumes and asks comes along. Returns where its literals are now.
    pub fn append(&mut self, other: &Circuit, bindings: &[(Lit, Lit)]) -> LitMap {
        let mut leaves = vec![None; other.aig.nodes().len()];
        for &(input, here) in bindings {
            leaves[input.node().index()] = Some(here.invert_if(input.is_inverted()));
        }
        for (index, node) in other.aig.nodes().iter().enumerate() {
            if leaves[index].is_some() {
                continue;
            }
            leaves[index] = match *node {
                Node::Input(id) => Some(self.input(other.inputs[id.index()].name.clone())),
                Node::Latch(id) => {
                    let latch = &other.latches[id.index()];
                    Some(self.latch(latch.name.clone(), latch.reset))
                }
                _ => None,
            };
        }
        let every: Vec<Lit> = (0..other.aig.nodes().len())
            .map(|index| crate::NodeId(u32::try_from(index).unwrap_or(u32::MAX)).lit())
            .collect();
        let map = self.aig.copy(&other.aig, leaves, &every);
        for latch in &other.latches {
            self.set_next(map.lit(latch.lit), map.lit(latch.next));
        }
        self.initial.extend(map.row(&other.initial));
        let constraints = map.row(&other.state_constraints);
        self.state_constraints.extend(constraints);
        let constraints = map.row(&other.step_constraints);
        self.step_constraints.extend(constraints);
        self.invariants.extend(map.row(&other.invariants));
        self.limits.extend(map.row(&other.limits));
        self.bads.extend(other.bads.iter().map(|bad| Bad {
            name: bad.name.clone(),
            lit: map.lit(bad.lit),
        }));
        self.justice.extend(map.row(&other.justice));
        let pairs = other.compassion.iter();
        self.compassion
            .extend(pairs.map(|&(p, q)| (map.lit(p), map.lit(q))));
        map
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::Reset;

    #[test]
    fn an_observer_reads_what_it_is_bound_to() {
        // Remembers whether `seen` has ever been true.
        let mut observer = Circuit::default();
        let seen = observer.input("seen");
        let ever = observer.latch("ever", Reset::Zero);
        let next = observer.aig.or(ever, seen);
        observer.set_next(ever, next);
        observer.bads.push(Bad {
            name: "ever".into(),
            lit: ever,
        });

        let mut circuit = Circuit::default();
        let go = circuit.input("go");
        let bit = circuit.latch("bit", Reset::Zero);
        circuit.set_next(bit, go);
        let map = circuit.append(&observer, &[(seen, bit)]);
        assert_eq!(circuit.inputs.len(), 1);
        assert_eq!(circuit.latches.len(), 2);
        let ever = map.lit(ever);
        assert_eq!(circuit.bads[0].lit, ever);

        let mut state = circuit.reset_state();
        let runs: Vec<bool> = [true, false, false]
            .iter()
            .map(|&input| {
                state = circuit.evaluate(&state, &[input]).next_state();
                circuit.evaluate(&state, &[]).holds(ever)
            })
            .collect();
        assert_eq!(runs, [false, true, true]);
    }
}
