//! Copies of gates in which some leaves have values.
//!
//! An operand that the known leaves decide is looked at first: where it makes an And false, the
//! other operand is not copied at all. So a copy costs about as much as what is left of it.

use circuit::{Aig, Circuit, Lit, Node};

/// Copies of gates, again and again.
#[derive(Default)]
pub(crate) struct Copier {
    /// Per node: whether the leaves that will be known decide it.
    decided: Vec<bool>,
    memo: Vec<(u32, Lit)>,
    round: u32,
}

impl Copier {
    /// `known` are leaves that each copy gives a value.
    pub(crate) fn new(from: &Aig, known: &[Lit]) -> Self {
        let mut decided: Vec<bool> = Vec::with_capacity(from.nodes().len());
        for (index, node) in from.nodes().iter().enumerate() {
            decided.push(match *node {
                Node::False => true,
                Node::And(a, b) => decided[a.node().index()] && decided[b.node().index()],
                _ => known.iter().any(|lit| lit.node().index() == index),
            });
        }
        Copier {
            decided,
            ..Copier::default()
        }
    }

    /// Begins a copy with other leaves.
    pub(crate) fn begin(&mut self, from: &Aig) {
        self.round += 1;
        self.memo.resize(from.nodes().len(), (0, Lit::FALSE));
    }

    /// Says what a leaf is in this copy.
    pub(crate) fn set(&mut self, leaf: Lit, value: Lit) {
        let value = value.invert_if(leaf.is_inverted());
        self.memo[leaf.node().index()] = (self.round, value);
    }

    fn done(&self, lit: Lit) -> Option<Lit> {
        let (round, copy) = self.memo[lit.node().index()];
        (round == self.round).then(|| copy.invert_if(lit.is_inverted()))
    }

    fn is_decided(&self, lit: Lit) -> bool {
        let decided = self.decided.get(lit.node().index());
        decided.is_some_and(|&decided| decided)
    }

    /// The copy of a literal. Leaves that have not been set are made by `leaf`.
    pub(crate) fn copy(
        &mut self,
        (from, root): (&Aig, Lit),
        to: &mut Circuit,
        leaf: &mut dyn FnMut(&mut Circuit, Lit) -> Lit,
    ) -> Lit {
        let mut open = vec![root.node()];
        while let Some(&id) = open.last() {
            if self.done(id.lit()).is_some() {
                open.pop();
                continue;
            }
            let copy = match from.node(id) {
                Node::False => Lit::FALSE,
                Node::Input(_) | Node::Latch(_) => leaf(to, id.lit()),
                Node::And(a, b) => {
                    let turned = !self.is_decided(a) && self.is_decided(b);
                    let (first, second) = if turned { (b, a) } else { (a, b) };
                    let Some(one) = self.done(first) else {
                        open.push(first.node());
                        continue;
                    };
                    if one == Lit::FALSE {
                        Lit::FALSE
                    } else if let Some(other) = self.done(second) {
                        to.aig.and(one, other)
                    } else {
                        open.push(second.node());
                        continue;
                    }
                }
            };
            self.memo[id.index()] = (self.round, copy);
            open.pop();
        }
        self.done(root).unwrap_or(Lit::FALSE)
    }
}
