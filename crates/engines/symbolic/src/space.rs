//! A circuit's latches and inputs as variables, its gates as diagrams.

use std::collections::HashSet;

use circuit::{Circuit, Lit, Node, Reset};

use crate::diagram::{Bdd, Limits, Manager, Result, Var};
use crate::order::{Item, conjuncts, first_order};

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
    pub(crate) fn new(circuit: &'c Circuit, limits: Limits, known: &[Item]) -> Space<'c> {
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
        let mut order = first_order(circuit, &|input| taken[input].is_some());
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
        let mut made: Vec<Option<Bdd>> = vec![None; nodes.len()];
        for (index, &node) in nodes.iter().enumerate() {
            if !needed[index] {
                continue;
            }
            made[index] = Some(match node {
                Node::False => self.m.zero(),
                Node::Input(id) => self.m.variable(self.inputs[id.index()])?,
                Node::Latch(id) => self.m.variable(self.current[id.index()])?,
                Node::And(a, b) => {
                    let (f, g) = (of(&made, a), of(&made, b));
                    let result = self.m.and(&f, &g)?;
                    for operand in [a, b] {
                        let operand = operand.node().index();
                        uses[operand] -= 1;
                        if uses[operand] == 0 {
                            made[operand] = None;
                        }
                    }
                    result
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

    /// The conjunction of some functions, small ones first.
    pub(crate) fn all(&mut self, functions: &[Bdd]) -> Result<Bdd> {
        let mut sorted: Vec<&Bdd> = functions.iter().collect();
        sorted.sort_by_key(|f| self.m.size(&[f]));
        let mut result = self.m.one();
        for f in sorted {
            result = self.m.and(&result, f)?;
        }
        Ok(result)
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
        let mut result = self.m.literals(&resets)?;
        let parts = self.parts(&self.circuit.initial.clone())?;
        for part in &parts {
            result = self.m.and(&result, part)?;
        }
        Ok(result)
    }
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
