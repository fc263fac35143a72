//! From gates to clauses.
//!
//! Tseitin's encoding, one variable a gate, with what keeps the clauses few: multiplexers and
//! exclusive ors are recognised in their three And gates and become one gate (as in Eén, Mishchenko,
//! Sörensson: *Applying Logic Synthesis for Speeding Up SAT*, 2007), Ands that only one And reads are
//! merged with it, and each gate gets only the direction that is asked for (Plaisted, Greenbaum: *A
//! structure-preserving clause form translation*, 1986). A gate whose other direction is asked for
//! later gets it then, so that a growing graph can be encoded as it grows.

use circuit::{Aig, Lit, Node};

use solver::{Clauses, Literal, Var};

/// Asked for as true, as false, or both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Polarity(u8);

impl Polarity {
    const NONE: Polarity = Polarity(0);
    /// It is only ever asked to be true.
    pub(crate) const TRUE: Polarity = Polarity(1);
    /// Both values are asked for.
    pub(crate) const BOTH: Polarity = Polarity(3);

    fn through(self, inverted: bool) -> Polarity {
        match (self.0, inverted) {
            (1, true) => Polarity(2),
            (2, true) => Polarity(1),
            _ => self,
        }
    }
}

/// How a node is encoded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Gate {
    /// All of them.
    And(Vec<Lit>),
    /// `if s then t else e`.
    Mux(Lit, Lit, Lit),
    /// A leaf.
    Free,
}

/// Clauses recorded, to be given to solvers later.
#[derive(Clone, Default, Debug)]
pub(crate) struct Recorded {
    pub(crate) vars: u32,
    pub(crate) clauses: Vec<Vec<Literal>>,
}

impl Clauses for Recorded {
    fn new_var(&mut self) -> Var {
        self.vars += 1;
        Var(self.vars - 1)
    }

    fn add_clause(&mut self, clause: &[Literal]) {
        self.clauses.push(clause.to_vec());
    }
}

impl Recorded {
    /// Gives all of it to an empty solver.
    pub(crate) fn replay(&self, to: &mut impl Clauses) {
        for _ in 0..self.vars {
            to.new_var();
        }
        for clause in &self.clauses {
            to.add_clause(clause);
        }
    }
}

/// Which variable stands for which node, and what has been said of it.
#[derive(Clone, Default, Debug)]
pub(crate) struct Encoder {
    vars: Vec<Option<Var>>,
    said: Vec<Polarity>,
    /// How many gates read each node, if the graph is complete; then Ands are merged.
    readers: Vec<u32>,
    open: Vec<(Lit, Polarity)>,
}

impl Encoder {
    /// For a graph that may still grow.
    pub(crate) fn new() -> Self {
        Encoder::default()
    }

    /// For a graph that is complete. Nodes of `roots` keep variables of their own.
    pub(crate) fn complete(aig: &Aig, roots: &[Lit]) -> Self {
        let mut readers = vec![0; aig.nodes().len()];
        for node in aig.nodes() {
            if let Node::And(a, b) = *node {
                readers[a.node().index()] += 1;
                readers[b.node().index()] += 1;
            }
        }
        for root in roots {
            readers[root.node().index()] += 2;
        }
        Encoder {
            readers,
            ..Encoder::default()
        }
    }

    /// The variable of a node that has been encoded.
    pub(crate) fn get(&self, lit: Lit) -> Option<Literal> {
        let var = (*self.vars.get(lit.node().index())?)?;
        Some(var.literal(!lit.is_inverted()))
    }

    /// The literal of something that is asked for in this polarity.
    pub(crate) fn literal(
        &mut self,
        aig: &Aig,
        lit: Lit,
        polarity: Polarity,
        to: &mut impl Clauses,
    ) -> Literal {
        self.vars.resize(aig.nodes().len(), None);
        self.said.resize(aig.nodes().len(), Polarity::NONE);
        let literal = self.own(lit, to);
        self.open.push((lit, polarity));
        while let Some((lit, polarity)) = self.open.pop() {
            let index = lit.node().index();
            let wanted = polarity.through(lit.is_inverted()).0;
            let missing = wanted & !self.said[index].0;
            if missing == 0 {
                continue;
            }
            self.said[index].0 |= missing;
            self.define(aig, lit, Polarity(missing), to);
        }
        literal
    }

    fn own(&mut self, lit: Lit, to: &mut impl Clauses) -> Literal {
        let var = *self.vars[lit.node().index()].get_or_insert_with(|| to.new_var());
        var.literal(!lit.is_inverted())
    }

    fn define(&mut self, aig: &Aig, lit: Lit, polarity: Polarity, to: &mut impl Clauses) {
        let node = lit.node().lit();
        let output = self.own(node, to);
        if node == Lit::FALSE {
            to.add_clause(&[!output]);
            return;
        }
        match self.gate(aig, node) {
            Gate::Free => {}
            Gate::And(inputs) => {
                let literals: Vec<_> = inputs.iter().map(|&i| self.own(i, to)).collect();
                if polarity.0 & 1 != 0 {
                    for &literal in &literals {
                        to.add_clause(&[!output, literal]);
                    }
                }
                if polarity.0 & 2 != 0 {
                    let mut clause: Vec<_> = literals.iter().map(|&l| !l).collect();
                    clause.push(output);
                    to.add_clause(&clause);
                }
                self.open.extend(inputs.iter().map(|&i| (i, polarity)));
            }
            Gate::Mux(s, t, e) => {
                let (sl, tl, el) = (self.own(s, to), self.own(t, to), self.own(e, to));
                if polarity.0 & 1 != 0 {
                    to.add_clause(&[!output, !sl, tl]);
                    to.add_clause(&[!output, sl, el]);
                    if t != !e {
                        to.add_clause(&[!output, tl, el]);
                    }
                }
                if polarity.0 & 2 != 0 {
                    to.add_clause(&[output, !sl, !tl]);
                    to.add_clause(&[output, sl, !el]);
                    if t != !e {
                        to.add_clause(&[output, !tl, !el]);
                    }
                }
                // Where one side is the other inverted, that makes both of its definitions.
                self.open
                    .extend([(s, Polarity::BOTH), (t, polarity), (e, polarity)]);
            }
        }
    }

    /// How this node, which is not inverted, is encoded.
    pub(crate) fn gate(&self, aig: &Aig, node: Lit) -> Gate {
        let Node::And(a, b) = aig.node(node.node()) else {
            return Gate::Free;
        };
        if let Some(mux) = multiplexer(aig, a, b) {
            return mux;
        }
        let mut inputs = Vec::new();
        let mut open = vec![b, a];
        while let Some(lit) = open.pop() {
            let merged = !lit.is_inverted()
                && self.readers.get(lit.node().index()) == Some(&1)
                && inputs.len() + open.len() < 64;
            match aig.node(lit.node()) {
                Node::And(p, q) if merged && multiplexer(aig, p, q).is_none() => {
                    open.extend([q, p]);
                }
                _ => inputs.push(lit),
            }
        }
        Gate::And(inputs)
    }

    /// For each variable the variables of its gate's inputs.
    pub(crate) fn inputs(&self, aig: &Aig, vars: u32) -> Vec<Vec<Var>> {
        let mut inputs = vec![Vec::new(); vars as usize];
        for (index, var) in self.vars.iter().enumerate() {
            let Some(var) = var else { continue };
            let node = Lit::from_code(2 * index as u32);
            let lits = match self.gate(aig, node) {
                Gate::Free => continue,
                Gate::And(lits) => lits,
                Gate::Mux(s, t, e) => vec![s, t, e],
            };
            let of = |lit: &Lit| self.vars[lit.node().index()];
            inputs[var.index()] = lits.iter().filter_map(of).collect();
        }
        inputs
    }
}

/// The multiplexer that an And of these makes, if both are negated Ands that differ in one
/// operand's sign.
fn multiplexer(aig: &Aig, a: Lit, b: Lit) -> Option<Gate> {
    if !a.is_inverted() || !b.is_inverted() {
        return None;
    }
    let (Node::And(p, q), Node::And(x, y)) = (aig.node(a.node()), aig.node(b.node())) else {
        return None;
    };
    // Not (s and t), and not (not s and e): if s then not t else not e.
    for (s, t) in [(p, q), (q, p)] {
        for (other, e) in [(x, y), (y, x)] {
            if s == !other {
                return Some(Gate::Mux(s, !t, !e));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use circuit::Circuit;
    use model::Budget;
    use solver::{Cdcl, Limits, Outcome, Solver};

    /// Random graphs over six inputs: what the clauses allow is what the gates compute, whichever
    /// polarity and merging.
    #[test]
    fn clauses_say_what_gates_compute() {
        let budget = Budget::default();
        let limits = Limits::new(&budget);
        let mut dice = crate::testing::Dice::new(5);
        let (mut sat, mut unsat) = (0, 0);
        for round in 0..400 {
            let mut circuit = Circuit::default();
            let mut pool: Vec<Lit> = (0..6).map(|_| circuit.input("")).collect();
            let inputs = pool.clone();
            for _ in 0..25 {
                let mut pick = || {
                    let lit = pool[pool.len() - 1 - dice.below(pool.len().min(9))];
                    lit.invert_if(dice.below(2) == 0)
                };
                let (a, b, c) = (pick(), pick(), pick());
                let made = match dice.below(4) {
                    0 => circuit.aig.mux(a, b, c),
                    1 => circuit.aig.xor(a, b),
                    _ => circuit.aig.and(a, b),
                };
                pool.push(made);
            }
            let (root, other) = (pool[pool.len() - 1], pool[pool.len() - 4]);
            let mut encoder = if round % 2 == 0 {
                Encoder::new()
            } else {
                Encoder::complete(&circuit.aig, &[root, other])
            };
            let mut solver = Cdcl::new();
            let yes = encoder.literal(&circuit.aig, root, Polarity::TRUE, &mut solver);
            let also = encoder.literal(&circuit.aig, other, Polarity::TRUE, &mut solver);
            let fixed: Vec<bool> = (0..3).map(|_| dice.below(2) == 0).collect();
            let mut assumptions = vec![yes, also];
            for (input, value) in inputs.iter().zip(&fixed) {
                let literal = encoder.literal(&circuit.aig, *input, Polarity::BOTH, &mut solver);
                assumptions.push(literal.negated_if(!value));
            }
            let expected = (0..8u32).any(|rest| {
                let mut values = fixed.clone();
                values.extend((0..3).map(|bit| rest >> bit & 1 == 1));
                let values = circuit.evaluate(&[], &values);
                values.holds(root) && values.holds(other)
            });
            let outcome = solver.solve(&assumptions, None, &limits);
            assert_eq!(outcome == Outcome::Satisfiable, expected);
            sat += u32::from(expected);
            unsat += u32::from(!expected);
        }
        assert!(sat > 50 && unsat > 50, "{sat} {unsat}");
    }
}
