//! Formulas in negation normal form, each stored once.
//!
//! The translation and the simplifications compare and look up subformulas all the time; here a
//! formula is a number, and equal formulas have equal numbers. `<>`, `[]` and `W` are written with
//! until and release: `true U p`, `false R p` and `q R (p || q)`. All constructors simplify; their
//! rules are in [`rewrite`](crate::rewrite).

use std::collections::HashMap;
use std::hash::Hash;

use crate::ltl::Ltl;

/// A formula of a [`Pool`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct FormulaId(u32);

impl FormulaId {
    pub(crate) const TRUE: FormulaId = FormulaId(0);
    pub(crate) const FALSE: FormulaId = FormulaId(1);
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Node {
    True,
    False,
    /// The atom of this index, or its negation.
    Literal(u32, bool),
    /// At least two operands, sorted, none of them a conjunction.
    And(Box<[FormulaId]>),
    /// At least two operands, sorted, none of them a disjunction.
    Or(Box<[FormulaId]>),
    Next(FormulaId),
    Until(FormulaId, FormulaId),
    Release(FormulaId, FormulaId),
}

/// What is known about a formula's language, from its syntax (Etessami and Holzmann, *Optimizing
/// Büchi automata*, CONCUR 2000). Constants are both.
#[derive(Clone, Copy)]
struct Closure {
    /// Putting any finite prefix before a word that satisfies it gives another such word.
    eventual: bool,
    /// Each suffix of a word that satisfies it satisfies it too.
    universal: bool,
}

/// All formulas made so far.
pub(crate) struct Pool<A> {
    /// The atoms that literals speak about.
    pub(crate) atoms: Vec<A>,
    nodes: Vec<Node>,
    closures: Vec<Closure>,
    numbers: HashMap<Node, FormulaId>,
    /// Formulas known to be each other's negations.
    negations: HashMap<FormulaId, FormulaId>,
    /// What [`Pool::implies`] has found out.
    pub(crate) implications: HashMap<(FormulaId, FormulaId), bool>,
}

impl<A> Pool<A> {
    pub(crate) fn new() -> Self {
        let mut pool = Pool {
            atoms: Vec::new(),
            nodes: Vec::new(),
            closures: Vec::new(),
            numbers: HashMap::new(),
            negations: HashMap::new(),
            implications: HashMap::new(),
        };
        let constants = [pool.intern(Node::True), pool.intern(Node::False)];
        assert_eq!(constants, [FormulaId::TRUE, FormulaId::FALSE]);
        pool.are_opposite(FormulaId::TRUE, FormulaId::FALSE);
        pool
    }

    pub(crate) fn node(&self, formula: FormulaId) -> &Node {
        &self.nodes[formula.0 as usize]
    }

    /// The number of `node`, which is in the form that its constructor makes.
    pub(crate) fn intern(&mut self, node: Node) -> FormulaId {
        if let Some(&known) = self.numbers.get(&node) {
            return known;
        }
        let closure = self.closure_of(&node);
        let number = FormulaId(self.nodes.len() as u32);
        self.nodes.push(node.clone());
        self.closures.push(closure);
        self.numbers.insert(node, number);
        number
    }

    fn closure_of(&self, node: &Node) -> Closure {
        let all = |operands: &[FormulaId]| Closure {
            eventual: operands.iter().all(|&p| self.is_eventual(p)),
            universal: operands.iter().all(|&p| self.is_universal(p)),
        };
        match node {
            Node::True | Node::False => Closure {
                eventual: true,
                universal: true,
            },
            Node::Literal(..) => Closure {
                eventual: false,
                universal: false,
            },
            Node::And(ps) | Node::Or(ps) => all(ps),
            Node::Next(p) => all(&[*p]),
            Node::Until(p, q) => Closure {
                eventual: *p == FormulaId::TRUE || self.is_eventual(*q),
                universal: all(&[*p, *q]).universal,
            },
            Node::Release(p, q) => Closure {
                eventual: all(&[*p, *q]).eventual,
                universal: *p == FormulaId::FALSE || self.is_universal(*q),
            },
        }
    }

    pub(crate) fn is_eventual(&self, formula: FormulaId) -> bool {
        self.closures[formula.0 as usize].eventual
    }

    pub(crate) fn is_universal(&self, formula: FormulaId) -> bool {
        self.closures[formula.0 as usize].universal
    }

    /// The negation of `formula`, if it has been built.
    pub(crate) fn known_negation(&self, formula: FormulaId) -> Option<FormulaId> {
        match *self.node(formula) {
            Node::Literal(atom, value) => {
                let opposite = Node::Literal(atom, !value);
                self.numbers.get(&opposite).copied()
            }
            _ => self.negations.get(&formula).copied(),
        }
    }

    fn are_opposite(&mut self, p: FormulaId, q: FormulaId) {
        self.negations.insert(p, q);
        self.negations.insert(q, p);
    }
}

impl<A: Clone + Eq + Hash> Pool<A> {
    /// The simplified normal form of `formula`.
    pub(crate) fn add(&mut self, formula: &Ltl<A>) -> FormulaId {
        let mut numbers = HashMap::new();
        for atom in formula.atoms() {
            if !numbers.contains_key(atom) {
                numbers.insert(atom.clone(), self.atoms.len() as u32);
                self.atoms.push(atom.clone());
            }
        }
        self.both(formula, &numbers).0
    }

    /// The normal forms of the formula and of its negation.
    fn both(&mut self, formula: &Ltl<A>, atoms: &HashMap<A, u32>) -> (FormulaId, FormulaId) {
        let pair = match formula {
            Ltl::True => (FormulaId::TRUE, FormulaId::FALSE),
            Ltl::False => (FormulaId::FALSE, FormulaId::TRUE),
            Ltl::Atom(atom) => {
                let literal = |value| Node::Literal(atoms[atom], value);
                (self.intern(literal(true)), self.intern(literal(false)))
            }
            Ltl::Not(p) => {
                let (p, not_p) = self.both(p, atoms);
                (not_p, p)
            }
            Ltl::And(ps) | Ltl::Or(ps) => {
                let (ps, not_ps): (Vec<_>, Vec<_>) = ps.iter().map(|p| self.both(p, atoms)).unzip();
                match formula {
                    Ltl::And(_) => (self.and(ps), self.or(not_ps)),
                    _ => (self.or(ps), self.and(not_ps)),
                }
            }
            Ltl::Implies(p, q) => {
                let ((p, not_p), (q, not_q)) = (self.both(p, atoms), self.both(q, atoms));
                (self.or(vec![not_p, q]), self.and(vec![p, not_q]))
            }
            Ltl::Iff(p, q) => {
                let ((p, not_p), (q, not_q)) = (self.both(p, atoms), self.both(q, atoms));
                let (both, neither) = (self.and(vec![p, q]), self.and(vec![not_p, not_q]));
                let (first, second) = (self.and(vec![p, not_q]), self.and(vec![not_p, q]));
                (self.or(vec![both, neither]), self.or(vec![first, second]))
            }
            Ltl::Next(p) => {
                let (p, not_p) = self.both(p, atoms);
                (self.next(p), self.next(not_p))
            }
            Ltl::Eventually(p) => {
                let (p, not_p) = self.both(p, atoms);
                (
                    self.until(FormulaId::TRUE, p),
                    self.release(FormulaId::FALSE, not_p),
                )
            }
            Ltl::Always(p) => {
                let (p, not_p) = self.both(p, atoms);
                (
                    self.release(FormulaId::FALSE, p),
                    self.until(FormulaId::TRUE, not_p),
                )
            }
            Ltl::Until(p, q) => {
                let ((p, not_p), (q, not_q)) = (self.both(p, atoms), self.both(q, atoms));
                (self.until(p, q), self.release(not_p, not_q))
            }
            Ltl::Release(p, q) => {
                let ((p, not_p), (q, not_q)) = (self.both(p, atoms), self.both(q, atoms));
                (self.release(p, q), self.until(not_p, not_q))
            }
            Ltl::WeakUntil(p, q) => {
                let ((p, not_p), (q, not_q)) = (self.both(p, atoms), self.both(q, atoms));
                let (either, neither) = (self.or(vec![p, q]), self.and(vec![not_p, not_q]));
                (self.release(q, either), self.until(not_q, neither))
            }
        };
        self.are_opposite(pair.0, pair.1);
        pair
    }

    /// The formula as a tree, with `<>` and `[]` where they fit.
    pub(crate) fn tree(&self, formula: FormulaId) -> Ltl<A> {
        fn build<A: Clone + Eq + Hash>(
            pool: &Pool<A>,
            formula: FormulaId,
            built: &mut HashMap<FormulaId, Ltl<A>>,
        ) -> Ltl<A> {
            if let Some(known) = built.get(&formula) {
                return known.clone();
            }
            let mut of = |p: &FormulaId| build(pool, *p, built);
            let tree = match pool.node(formula) {
                Node::True => Ltl::True,
                Node::False => Ltl::False,
                Node::Literal(atom, true) => Ltl::Atom(pool.atoms[*atom as usize].clone()),
                Node::Literal(atom, false) => {
                    Ltl::not(Ltl::Atom(pool.atoms[*atom as usize].clone()))
                }
                Node::And(ps) => Ltl::And(ps.iter().map(of).collect()),
                Node::Or(ps) => Ltl::Or(ps.iter().map(of).collect()),
                Node::Next(p) => Ltl::next(of(p)),
                Node::Until(p, q) if *p == FormulaId::TRUE => Ltl::eventually(of(q)),
                Node::Until(p, q) => Ltl::until(of(p), of(q)),
                Node::Release(p, q) if *p == FormulaId::FALSE => Ltl::always(of(q)),
                Node::Release(p, q) => Ltl::release(of(p), of(q)),
            };
            built.insert(formula, tree.clone());
            tree
        }
        build(self, formula, &mut HashMap::new())
    }
}
