//! A circuit's latches and inputs as variables, its gates as diagrams.

use std::collections::HashSet;

use circuit::{Circuit, Lit, Node, Reset};

use crate::diagram::{Bdd, Limits, Manager, Result, Var};
use crate::order::{Item, conjuncts, first_order};

/// Operands from which on the gates of a conjunction do not say in which order they meet.
const MANY: u32 = 8;

/// The variables of a circuit.
pub(crate) struct Space<'c> {
    pub(crate) circuit: &'c Circuit,
    pub(crate) m: Manager,
    /// The present value of each latch.
    pub(crate) current: Vec<Var>,
    /// The value of each latch after the step.
    pub(crate) next: Vec<Var>,
    /// Each input. If a latch just takes over the value of an input, that is its next value.
    pub(crate) inputs: Vec<Var>,
    /// For each input whether it is the next value of a latch.
    pub(crate) is_next: Vec<bool>,
}

impl<'c> Space<'c> {
    /// The variables of a circuit, in a known order as far as that goes, what it does not name
    /// above; in one that is guessed if none is known.
    pub(crate) fn new(
        circuit: &'c Circuit,
        limits: Limits,
        known: &[Item],
        asked: &[Lit],
    ) -> Space<'c> {
        let mut m = Manager::new(limits);
        let mut taken: Vec<Option<usize>> = vec![None; circuit.inputs.len()];
        for (index, latch) in circuit.latches.iter().enumerate() {
            if let Some(input) = circuit.input_of(latch.next) {
                taken[input.index()].get_or_insert(index);
            }
        }
        let none = Var(u32::MAX);
        let mut current = vec![none; circuit.latches.len()];
        let mut next = vec![none; circuit.latches.len()];
        let mut inputs = vec![none; circuit.inputs.len()];
        let mut order = first_order(circuit, asked, &|input| taken[input].is_some());
        if !known.is_empty() {
            let named: HashSet<&Item> = known.iter().collect();
            order.retain(|item| !named.contains(item));
            let has = |item: &&Item| !matches!(item, Item::Input(i) if taken[*i].is_some());
            order.extend(known.iter().filter(has));
        }
        for item in order {
            match item {
                Item::Latch(latch) => {
                    let pair = m.add_block(2);
                    (current[latch], next[latch]) = (pair[0], pair[1]);
                }
                Item::Input(input) => inputs[input] = m.add_block(1)[0],
            }
        }
        for (input, latch) in taken.iter().enumerate() {
            if let Some(latch) = latch {
                inputs[input] = next[*latch];
            }
        }
        Space {
            circuit,
            m,
            current,
            next,
            inputs,
            is_next: taken.iter().map(Option::is_some).collect(),
        }
    }

    /// The order that the variables have come to.
    pub(crate) fn order(&self) -> Vec<Item> {
        let mut items: Vec<(usize, Item)> = Vec::new();
        let mut level = vec![0; self.m.variable_count()];
        for (place, var) in self.m.order().into_iter().enumerate() {
            level[var.index()] = place;
        }
        for (latch, var) in self.current.iter().enumerate() {
            items.push((level[var.index()], Item::Latch(latch)));
        }
        for (input, var) in self.inputs.iter().enumerate() {
            if !self.is_next[input] {
                items.push((level[var.index()], Item::Input(input)));
            }
        }
        items.sort_unstable();
        items.into_iter().map(|(_, item)| item).collect()
    }

    /// The inputs that are not next values.
    pub(crate) fn free_inputs(&self) -> Vec<Var> {
        let inputs = self.inputs.iter().zip(&self.is_next);
        inputs
            .filter(|(_, is_next)| !**is_next)
            .map(|(var, _)| *var)
            .collect()
    }

    /// The functions of some literals, over current values and inputs.
    pub(crate) fn functions(&mut self, roots: &[Lit]) -> Result<Vec<Bdd>> {
        let nodes = self.circuit.aig.nodes();
        let needed = self.circuit.aig.support(roots);
        // How often each node is still to be looked at: what nobody needs is given back.
        let mut uses = vec![0u32; nodes.len()];
        for root in roots {
            uses[root.node().index()] += 1;
        }
        for (node, _) in nodes.iter().zip(&needed).filter(|(_, needed)| **needed) {
            if let Node::And(a, b) = *node {
                uses[a.node().index()] += 1;
                uses[b.node().index()] += 1;
            }
        }
        let within = inner_conjunctions(nodes, &needed, &uses);
        let mut made: Vec<Option<Bdd>> = vec![None; nodes.len()];
        for (index, &node) in nodes.iter().enumerate() {
            if !needed[index] || within[index] {
                continue;
            }
            made[index] = Some(match node {
                Node::False => self.m.zero(),
                Node::Input(id) => self.m.variable(self.inputs[id.index()])?,
                Node::Latch(id) => self.m.variable(self.current[id.index()])?,
                Node::And(a, b) => {
                    let mut open = vec![a, b];
                    let mut factors = Vec::new();
                    while let Some(operand) = open.pop() {
                        let at = operand.node().index();
                        match nodes[at] {
                            Node::And(a, b) if within[at] => {
                                open.extend([a, b]);
                                continue;
                            }
                            _ => factors.push(of(&made, operand)),
                        }
                        uses[at] -= 1;
                        if uses[at] == 0 {
                            made[at] = None;
                        }
                    }
                    self.all(factors)?
                }
            });
        }
        Ok(roots.iter().map(|&root| of(&made, root)).collect())
    }

    /// The function of one literal.
    pub(crate) fn function(&mut self, lit: Lit) -> Result<Bdd> {
        Ok(self.functions(&[lit])?.remove(0))
    }

    /// The functions of the parts of some conjunctions.
    pub(crate) fn parts(&mut self, lits: &[Lit]) -> Result<Vec<Bdd>> {
        let mut parts: Vec<Lit> = lits
            .iter()
            .flat_map(|&lit| conjuncts(self.circuit, lit))
            .collect();
        parts.sort_unstable();
        parts.dedup();
        self.functions(&parts)
    }

    /// The conjunction of some functions, neighbours first. Functions that begin at about the same
    /// level tend to speak of the same variables: their product stays small, and what lies below
    /// its first level is done with. One long chain would walk through all that it has gathered
    /// again for each function that is added.
    pub(crate) fn all(&mut self, mut functions: Vec<Bdd>) -> Result<Bdd> {
        functions.sort_by_key(|f| std::cmp::Reverse(self.m.top(f)));
        while functions.len() > 1 {
            let mut products = Vec::with_capacity(functions.len().div_ceil(2));
            let mut left = functions.into_iter();
            while let Some(f) = left.next() {
                products.push(match left.next() {
                    Some(g) => self.m.and(&f, &g)?,
                    None => f,
                });
            }
            functions = products;
        }
        Ok(functions.pop().unwrap_or_else(|| self.m.one()))
    }

    /// The initial states, as far as resets and initial constraints say.
    pub(crate) fn initial(&mut self) -> Result<Bdd> {
        let mut resets = Vec::new();
        for (latch, &var) in self.circuit.latches.iter().zip(&self.current) {
            match latch.reset {
                Reset::Zero => resets.push((var, false)),
                Reset::One => resets.push((var, true)),
                Reset::Free => {}
            }
        }
        let resets = self.m.literals(&resets)?;
        // What the resets say makes the parts smaller before they meet.
        let mut parts = self.parts(&self.circuit.initial)?;
        for part in &mut parts {
            *part = self.m.restrict(part, &resets)?;
        }
        let rest = self.all(parts)?;
        self.m.and(&resets, &rest)
    }
}

/// The conjunctions that are part of a conjunction of many, as nothing else needs them: its operands
/// meet in an order of their own ([`Space::all`]).
fn inner_conjunctions(nodes: &[Node], needed: &[bool], uses: &[u32]) -> Vec<bool> {
    let mut within = vec![false; nodes.len()];
    let mut operands = vec![1u32; nodes.len()];
    let needed = |index: &usize| needed[*index];
    for index in (0..nodes.len()).filter(needed) {
        if let Node::And(a, b) = nodes[index] {
            operands[index] = 0;
            for operand in [a, b] {
                let at = operand.node().index();
                within[at] =
                    !operand.is_inverted() && uses[at] == 1 && matches!(nodes[at], Node::And(..));
                operands[index] += if within[at] { operands[at] } else { 1 };
            }
        }
    }
    for index in (0..nodes.len()).rev().filter(needed) {
        if let (Node::And(a, b), false) = (nodes[index], within[index])
            && operands[index] < MANY
        {
            within[a.node().index()] = false;
            within[b.node().index()] = false;
        }
    }
    within
}

fn of(made: &[Option<Bdd>], lit: Lit) -> Bdd {
    let function = made[lit.node().index()]
        .as_ref()
        .expect("internal error: a gate before its operands");
    if lit.is_inverted() {
        function.not()
    } else {
        function.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits() -> Limits {
        Limits {
            budget: model::Budget::default(),
            reorder: false,
            sift_from: usize::MAX,
        }
    }

    fn latches(circuit: &mut Circuit, count: usize) -> Vec<Lit> {
        let names = 0..count;
        names
            .map(|index| {
                let latch = circuit.latch(format!("x{index}"), Reset::Free);
                circuit.set_next(latch, latch);
                latch
            })
            .collect()
    }

    fn lit(random: &mut fastrand::Rng, pool: &[Lit]) -> Lit {
        pool[random.usize(..pool.len())].invert_if(random.bool())
    }

    /// Conjunctions of many parts, some of which are shared or asked for themselves.
    #[test]
    fn functions_are_what_the_gates_say() {
        let mut random = fastrand::Rng::with_seed(11);
        let mut zeros = 0;
        for _ in 0..200 {
            let mut circuit = Circuit::default();
            let leaves = latches(&mut circuit, 6);
            let mut pool = leaves.clone();
            for _ in 0..12 {
                let mut gate = lit(&mut random, &pool);
                for _ in 0..random.usize(1..12) {
                    let other = lit(&mut random, &pool);
                    gate = circuit.aig.and(gate, other);
                }
                pool.push(gate.invert_if(random.bool()));
            }
            let roots: Vec<Lit> = (0..4).map(|_| lit(&mut random, &pool)).collect();
            let mut space = Space::new(&circuit, limits(), &[], &roots);
            let functions = space.functions(&roots).unwrap();
            zeros += functions.iter().filter(|f| f.is_zero()).count();
            for row in 0..1u32 << leaves.len() {
                let values: Vec<bool> = (0..leaves.len()).map(|bit| row >> bit & 1 == 1).collect();
                let evaluated = circuit.evaluate(&values, &[]);
                for (root, function) in roots.iter().zip(&functions) {
                    let holds = space.m.holds(function, &|var| {
                        let latch = space.current.iter().position(|&current| current == var);
                        values[latch.unwrap()]
                    });
                    assert_eq!(holds, evaluated.holds(*root));
                }
            }
        }
        assert!(zeros < 400, "most functions say something");
    }

    #[test]
    fn a_conjunction_is_that_of_a_chain() {
        let mut random = fastrand::Rng::with_seed(5);
        let mut circuit = Circuit::default();
        let leaves = latches(&mut circuit, 10);
        let mut kinds = [0; 2];
        for count in 0..60 {
            let mut clauses = Vec::new();
            for _ in 0..count {
                let parts = [(); 3].map(|()| lit(&mut random, &leaves));
                let either = circuit.aig.or(parts[0], parts[1]);
                clauses.push(circuit.aig.or(either, parts[2]));
            }
            let mut space = Space::new(&circuit, limits(), &[], &[]);
            let functions = space.functions(&clauses).unwrap();
            let mut chain = space.m.one();
            for function in &functions {
                chain = space.m.and(&chain, function).unwrap();
            }
            kinds[usize::from(chain.is_zero())] += 1;
            assert_eq!(space.all(functions).unwrap(), chain);
        }
        assert!(kinds.iter().all(|&count| count > 5), "{kinds:?}");
    }

    /// Nine pigeons in eight holes. In the order of the clauses, one after the other, this takes
    /// six times as many nodes.
    #[test]
    fn a_conjunction_of_many_parts_stays_small() {
        let (pigeons, holes) = (9, 8);
        let mut circuit = Circuit::default();
        let places = latches(&mut circuit, pigeons * holes);
        let at = |pigeon: usize, hole: usize| places[pigeon * holes + hole];
        for pigeon in 0..pigeons {
            let somewhere = (0..holes).fold(Lit::FALSE, |somewhere, hole| {
                circuit.aig.or(somewhere, at(pigeon, hole))
            });
            circuit.initial.push(somewhere);
        }
        for hole in 0..holes {
            for pigeon in 0..pigeons {
                for other in 0..pigeon {
                    let both = circuit.aig.and(at(pigeon, hole), at(other, hole));
                    circuit.initial.push(!both);
                }
            }
        }
        let mut space = Space::new(&circuit, limits(), &[], &[]);
        assert!(space.initial().unwrap().is_zero());
        assert!(space.m.peak < 30_000, "{} nodes", space.m.peak);
    }
}
