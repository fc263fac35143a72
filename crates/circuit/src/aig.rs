//! And-Inverter Graphs with structural hashing and local rewriting.
//!
//! A graph holds two-input And gates over inputs and latches; an edge may be inverted. Equal gates
//! are made once, and each gate is simplified with what can be seen up to two levels down: R.
//! Brummayer and A. Biere, "Local Two-Level And-Inverter Graph Minimization without Blowup"
//! (MEMICS 2006). The rules only ever replace a gate by one that exists or by a smaller one.
//!
//! A gate is made after its operands, so walking the nodes by number is walking them in
//! topological order: nothing here or elsewhere needs to recurse.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::Not;

use rapidhash::fast::RandomState;

/// A node of a graph, numbered in topological order. Node 0 is the constant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The number, for vectors that go by it.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The literal that is true where the node is.
    #[must_use]
    pub fn lit(self) -> Lit {
        Lit(self.0 << 1)
    }
}

/// An input of a circuit, in the order of making.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct InputId(pub u32);

/// A latch of a circuit, in the order of making.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LatchId(pub u32);

impl InputId {
    /// The number, for vectors that go by it.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl LatchId {
    /// The number, for vectors that go by it.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A node or its complement: twice the node's number, plus one if inverted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Lit {
    /// The constant that is never true.
    pub const FALSE: Lit = Lit(0);
    /// The constant that is always true.
    pub const TRUE: Lit = Lit(1);

    /// A constant.
    #[must_use]
    pub fn constant(value: bool) -> Lit {
        Lit(u32::from(value))
    }

    /// The literal with this code: twice the node's number, plus one if inverted.
    #[must_use]
    pub fn from_code(code: u32) -> Lit {
        Lit(code)
    }

    /// Twice the node's number, plus one if inverted.
    #[must_use]
    pub fn code(self) -> u32 {
        self.0
    }

    /// The node.
    #[must_use]
    pub fn node(self) -> NodeId {
        NodeId(self.0 >> 1)
    }

    /// Whether it is the node's complement.
    #[must_use]
    pub fn is_inverted(self) -> bool {
        self.0 & 1 == 1
    }

    /// Complemented if `by`.
    #[must_use]
    pub fn invert_if(self, by: bool) -> Lit {
        Lit(self.0 ^ u32::from(by))
    }

    /// Its value where it is a constant.
    #[must_use]
    pub fn as_constant(self) -> Option<bool> {
        (self.0 < 2).then_some(self.0 == 1)
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_inverted() { "!" } else { "" };
        write!(f, "{sign}n{}", self.node().0)
    }
}

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// The constant, node 0.
    False,
    /// An input.
    Input(InputId),
    /// The present value of a latch.
    Latch(LatchId),
    /// A gate. Both operands have smaller numbers, and the first is the smaller one.
    And(Lit, Lit),
}

/// A graph of And gates.
#[derive(Clone, Debug)]
pub struct Aig {
    nodes: Vec<Node>,
    gates: HashMap<(Lit, Lit), NodeId, RandomState>,
    inputs: u32,
    latches: u32,
}

impl Default for Aig {
    fn default() -> Self {
        Aig {
            nodes: vec![Node::False],
            gates: HashMap::default(),
            inputs: 0,
            latches: 0,
        }
    }
}

impl Aig {
    /// The nodes in topological order; a node's place is its number.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// A node.
    #[must_use]
    pub fn node(&self, id: NodeId) -> Node {
        self.nodes[id.index()]
    }

    /// How many And gates there are.
    #[must_use]
    pub fn gate_count(&self) -> usize {
        self.gates.len()
    }

    /// A new input. [`crate::Circuit::input`] also names it.
    pub(crate) fn add_input(&mut self) -> (InputId, Lit) {
        let id = InputId(self.inputs);
        self.inputs += 1;
        (id, self.push(Node::Input(id)))
    }

    /// A new latch. [`crate::Circuit::latch`] also names it.
    pub(crate) fn add_latch(&mut self) -> (LatchId, Lit) {
        let id = LatchId(self.latches);
        self.latches += 1;
        (id, self.push(Node::Latch(id)))
    }

    fn push(&mut self, node: Node) -> Lit {
        source::limits::check();
        let number = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        assert!(
            number < u32::MAX / 2,
            "internal error: a circuit of two thousand million nodes"
        );
        self.nodes.push(node);
        NodeId(number).lit()
    }

    fn operands(&self, id: NodeId) -> Option<(Lit, Lit)> {
        match self.nodes[id.index()] {
            Node::And(a, b) => Some((a, b)),
            _ => None,
        }
    }

    /// Both.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (mut a, mut b) = (a, b);
        loop {
            if a > b {
                std::mem::swap(&mut a, &mut b);
            }
            if a == Lit::FALSE || a == !b {
                return Lit::FALSE;
            }
            if a == Lit::TRUE || a == b {
                return b;
            }
            match self.simplify(a, b) {
                Rule::Known(lit) => return lit,
                Rule::Instead(x, y) => (a, b) = (x, y),
                Rule::None => break,
            }
        }
        if let Some(&node) = self.gates.get(&(a, b)) {
            return node.lit();
        }
        let lit = self.push(Node::And(a, b));
        self.gates.insert((a, b), lit.node());
        lit
    }

    fn simplify(&self, a: Lit, b: Lit) -> Rule {
        let first = self.operands(a.node());
        let second = self.operands(b.node());
        for (x, y, inner) in [(a, b, second), (b, a, first)] {
            let Some((p, q)) = inner else { continue };
            if y.is_inverted() {
                if p == !x || q == !x {
                    return Rule::Known(x); // subsumption
                }
                if p == x {
                    return Rule::Instead(x, !q); // substitution
                }
                if q == x {
                    return Rule::Instead(x, !p);
                }
            } else {
                if p == !x || q == !x {
                    return Rule::Known(Lit::FALSE); // contradiction
                }
                if p == x || q == x {
                    return Rule::Known(y); // idempotence
                }
            }
        }
        let (Some((a0, a1)), Some((b0, b1))) = (first, second) else {
            return Rule::None;
        };
        let shares = |x: Lit| x == b0 || x == b1;
        match (a.is_inverted(), b.is_inverted()) {
            (false, false) => {
                if shares(!a0) || shares(!a1) {
                    return Rule::Known(Lit::FALSE);
                }
                if a0 == b0 || a1 == b0 {
                    return Rule::Instead(a, b1);
                }
                if a0 == b1 || a1 == b1 {
                    return Rule::Instead(a, b0);
                }
                Rule::None
            }
            (false, true) => against_inverted(a, (a0, a1), (b0, b1)),
            (true, false) => against_inverted(b, (b0, b1), (a0, a1)),
            (true, true) => {
                // Resolution: not both p and q, and not both p and not q.
                if (a0 == b0 && a1 == !b1) || (a0 == b1 && a1 == !b0) {
                    return Rule::Known(!a0);
                }
                if (a1 == b1 && a0 == !b0) || (a1 == b0 && a0 == !b1) {
                    return Rule::Known(!a1);
                }
                Rule::None
            }
        }
    }

    /// At least one.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// Exactly one.
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let both = self.and(a, b);
        let neither = self.and(!a, !b);
        self.and(!both, !neither)
    }

    /// The same value.
    pub fn iff(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }

    /// Not the first without the second.
    pub fn implies(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(a, !b)
    }

    /// `then` where `condition` holds, else `otherwise`.
    pub fn mux(&mut self, condition: Lit, then: Lit, otherwise: Lit) -> Lit {
        if then == otherwise {
            return then;
        }
        if then == !otherwise {
            return self.iff(condition, then);
        }
        let yes = self.and(condition, then);
        let no = self.and(!condition, otherwise);
        self.or(yes, no)
    }

    /// All of them, as a balanced tree.
    pub fn all(&mut self, lits: &[Lit]) -> Lit {
        let mut row = lits.to_vec();
        // Sorting brings equal and opposite literals together, and makes equal sets one tree.
        row.sort_unstable();
        row.dedup();
        while row.len() > 1 {
            row = row
                .chunks(2)
                .map(|pair| match *pair {
                    [a, b] => self.and(a, b),
                    _ => pair[0],
                })
                .collect();
        }
        row.first().copied().unwrap_or(Lit::TRUE)
    }

    /// At least one of them, as a balanced tree.
    pub fn any(&mut self, lits: &[Lit]) -> Lit {
        let inverted: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
        !self.all(&inverted)
    }

    /// Not two of them.
    pub fn at_most_one(&mut self, lits: &[Lit]) -> Lit {
        let (mut seen, mut twice) = (Lit::FALSE, Lit::FALSE);
        for &lit in lits {
            let again = self.and(seen, lit);
            twice = self.or(twice, again);
            seen = self.or(seen, lit);
        }
        !twice
    }

    /// The inputs and latches on which a literal depends.
    #[must_use]
    pub fn leaves(&self, root: Lit) -> Vec<NodeId> {
        let mut leaves = Vec::new();
        let mut seen = HashSet::new();
        let mut open = vec![root.node()];
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            match self.node(id) {
                Node::False => {}
                Node::Input(_) | Node::Latch(_) => leaves.push(id),
                Node::And(a, b) => open.extend([a.node(), b.node()]),
            }
        }
        leaves.sort_unstable();
        leaves
    }

    /// A literal with other literals in the place of some nodes.
    pub fn substituted(&mut self, root: Lit, by: &HashMap<NodeId, Lit>) -> Lit {
        let mut needed = Vec::new();
        let mut seen = HashSet::new();
        let mut open = vec![root.node()];
        while let Some(id) = open.pop() {
            if seen.insert(id) {
                needed.push(id);
                if let (false, Node::And(a, b)) = (by.contains_key(&id), self.node(id)) {
                    open.extend([a.node(), b.node()]);
                }
            }
        }
        needed.sort_unstable();
        let mut new: HashMap<NodeId, Lit> = HashMap::new();
        for id in needed {
            let lit = match (by.get(&id), self.node(id)) {
                (Some(&lit), _) => lit,
                (None, Node::And(a, b)) => {
                    let a = new[&a.node()].invert_if(a.is_inverted());
                    let b = new[&b.node()].invert_if(b.is_inverted());
                    self.and(a, b)
                }
                (None, _) => id.lit(),
            };
            new.insert(id, lit);
        }
        new[&root.node()].invert_if(root.is_inverted())
    }

    /// Whether some values of these inputs make a literal true.
    pub fn exists(&mut self, root: Lit, inputs: &[NodeId]) -> Lit {
        let mut result = root;
        for &input in inputs {
            let with = |value: bool| HashMap::from([(input, Lit::constant(value))]);
            let no = self.substituted(result, &with(false));
            let yes = self.substituted(result, &with(true));
            result = self.or(no, yes);
        }
        result
    }

    /// The nodes on which these literals depend, themselves included: for each node whether it is
    /// one of them.
    #[must_use]
    pub fn support(&self, roots: &[Lit]) -> Vec<bool> {
        let mut needed = vec![false; self.nodes.len()];
        let mut highest = 0;
        for root in roots {
            needed[root.node().index()] = true;
            highest = highest.max(root.node().index());
        }
        for index in (0..=highest).rev() {
            if let (true, Node::And(a, b)) = (needed[index], self.nodes[index]) {
                needed[a.node().index()] = true;
                needed[b.node().index()] = true;
            }
        }
        needed
    }
}

enum Rule {
    Known(Lit),
    Instead(Lit, Lit),
    None,
}

/// A gate `whole` of two operands against a complemented gate.
fn against_inverted(whole: Lit, own: (Lit, Lit), inverted: (Lit, Lit)) -> Rule {
    let (p, q) = inverted;
    if [p, q].iter().any(|&x| x == !own.0 || x == !own.1) {
        return Rule::Known(whole);
    }
    if p == own.0 || p == own.1 {
        return Rule::Instead(whole, !q);
    }
    if q == own.0 || q == own.1 {
        return Rule::Instead(whole, !p);
    }
    Rule::None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every gate of a random graph, made both with the rules and as a table of truth, is the
    /// same function.
    #[test]
    fn rules_keep_meaning() {
        let mut aig = Aig::default();
        // The columns of the truth table of six variables.
        let columns: [u64; 6] = [
            0xaaaa_aaaa_aaaa_aaaa,
            0xcccc_cccc_cccc_cccc,
            0xf0f0_f0f0_f0f0_f0f0,
            0xff00_ff00_ff00_ff00,
            0xffff_0000_ffff_0000,
            0xffff_ffff_0000_0000,
        ];
        let mut made: Vec<(Lit, u64)> = vec![(Lit::FALSE, 0)];
        for column in columns {
            made.push((aig.add_input().1, column));
        }
        let mut seed = 7u64;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % below
        };
        for _ in 0..20_000 {
            // Recent gates mostly, so that there is something to see two levels down.
            let reach = made.len().min(24);
            let pick = |random: &mut dyn FnMut(usize) -> usize| {
                let (lit, table) = made[made.len() - 1 - random(reach)];
                if random(2) == 0 {
                    (lit, table)
                } else {
                    (!lit, !table)
                }
            };
            let (a, b) = (pick(&mut random), pick(&mut random));
            let (c, d) = (pick(&mut random), pick(&mut random));
            let gate = match random(5) {
                0 => (aig.xor(a.0, b.0), a.1 ^ b.1),
                1 => (aig.mux(c.0, a.0, b.0), (c.1 & a.1) | (!c.1 & b.1)),
                2 => (aig.all(&[a.0, b.0, c.0, d.0]), a.1 & b.1 & c.1 & d.1),
                _ => (aig.and(a.0, b.0), a.1 & b.1),
            };
            // A function that stays constant teaches nothing.
            if random(8) == 0 {
                made.push(made[1 + random(6)]);
            }
            made.push(gate);
        }
        let mut values = vec![0u64; aig.nodes().len()];
        let value = |values: &[u64], lit: Lit| {
            values[lit.node().index()] ^ if lit.is_inverted() { !0 } else { 0 }
        };
        for (index, node) in aig.nodes().iter().enumerate() {
            values[index] = match *node {
                Node::False | Node::Latch(_) => 0,
                Node::Input(id) => columns[id.index()],
                Node::And(a, b) => {
                    assert!(a < b && b.node().index() < index);
                    value(&values, a) & value(&values, b)
                }
            };
        }
        for (lit, table) in made {
            assert_eq!(value(&values, lit), table);
        }
    }

    #[test]
    fn equal_gates_are_one() {
        let mut aig = Aig::default();
        let (a, b) = (aig.add_input().1, aig.add_input().1);
        assert_eq!(aig.and(a, b), aig.and(b, a));
        assert_eq!(aig.xor(a, b), aig.xor(b, a));
        let both = aig.and(a, b);
        assert_eq!(aig.and(a, !both), aig.and(a, !b));
        assert_eq!(aig.and(both, !a), Lit::FALSE);
        let only = aig.and(a, !b);
        assert_eq!(aig.and(!both, !only), !a);
        assert_eq!(aig.all(&[a, b, !a]), Lit::FALSE);
        assert_eq!(aig.all(&[]), Lit::TRUE);
        assert_eq!(aig.any(&[]), Lit::FALSE);
    }
}
