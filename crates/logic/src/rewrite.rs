//! Simplifying constructors for formulas in negation normal form.
//!
//! Besides the laws of constants, idempotence and complement, these equivalences are used from
//! left to right (`F p` is `true U p`, `G p` is `false R p`); each has a dual, obtained by
//! exchanging `and`/`or`, `U`/`R`, `true`/`false`, eventual/universal and the direction of
//! implications, which is used too. They are collected from Somenzi and Bloem, *Efficient Büchi
//! automata from LTL formulae* (CAV 2000), and Etessami and Holzmann, *Optimizing Büchi automata*
//! (CONCUR 2000). An *eventual* formula survives any change of prefix, a *universal* one any
//! suffix (see [`Pool::is_eventual`]).
//!
//! | formula | becomes | if |
//! |---|---|---|
//! | `p && q` | `p` | `p` implies `q` |
//! | `p && q` | `false` | `p` implies `!q` |
//! | `X p && X q` | `X (p && q)` | |
//! | `(p R q) && (p R r)` | `p R (q && r)` | |
//! | `(p U r) && (q U r)` | `(p && q) U r` | |
//! | `F G p && F G q` | `F G (p && q)` | |
//! | `X p` | `p` | `p` is eventual and universal |
//! | `p U q` | `q` | `p` implies `q`, or `q` is eventual |
//! | `p U (q U r)` | `q U r` | `p` implies `q` |
//! | `F (q U r)` | `F r` | |
//! | `p U q` | `F q` | `!q` implies `p` |
//! | `X p U X q` | `X (p U q)` | |
//! | `p U (q \|\| e)` | `p U q \|\| e` | `e` is eventual |
//! | `p U (q && s)` | `p U q && s` | `s` is eventual and universal |
//!
//! "Implies" is a sufficient syntactic test, [`Pool::implies`].

use std::hash::Hash;

use crate::ltl::Ltl;
use crate::pool::{FormulaId, Node, Pool};

/// In wider conjunctions and disjunctions, operands are not compared with each other.
const WIDEST_COMPARED: usize = 64;

/// After so many answers remembered, [`Pool::implies`] says "not known to".
const MOST_IMPLICATIONS: usize = 200_000;

impl<A: Clone + Eq + Hash> Ltl<A> {
    /// An equivalent formula in negation normal form, simplified. It has no `W`: `p W q` is
    /// `q R (p || q)`.
    #[must_use]
    pub fn simplified(&self) -> Self {
        let mut pool = Pool::new();
        let formula = pool.add(self);
        pool.tree(formula)
    }
}

/// The dual pairs of operators: a rule is written once, for the first of each pair, and read
/// through this for the other.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Plain,
    Dual,
}

impl<A> Pool<A> {
    /// The conjunction.
    pub(crate) fn and(&mut self, operands: Vec<FormulaId>) -> FormulaId {
        self.junction(Side::Plain, operands)
    }

    /// The disjunction.
    pub(crate) fn or(&mut self, operands: Vec<FormulaId>) -> FormulaId {
        self.junction(Side::Dual, operands)
    }

    /// `X p`.
    pub(crate) fn next(&mut self, p: FormulaId) -> FormulaId {
        if self.is_eventual(p) && self.is_universal(p) {
            return p;
        }
        self.intern(Node::Next(p))
    }

    /// `p U q`.
    pub(crate) fn until(&mut self, p: FormulaId, q: FormulaId) -> FormulaId {
        self.fixpoint(Side::Plain, p, q)
    }

    /// `p R q`.
    pub(crate) fn release(&mut self, p: FormulaId, q: FormulaId) -> FormulaId {
        self.fixpoint(Side::Dual, p, q)
    }

    /// `true` on the plain side.
    fn top(side: Side) -> FormulaId {
        match side {
            Side::Plain => FormulaId::TRUE,
            Side::Dual => FormulaId::FALSE,
        }
    }

    /// `false` on the plain side.
    fn bottom(side: Side) -> FormulaId {
        match side {
            Side::Plain => FormulaId::FALSE,
            Side::Dual => FormulaId::TRUE,
        }
    }

    /// Whether `p` implies `q`, on the plain side.
    fn below(&mut self, side: Side, p: FormulaId, q: FormulaId) -> bool {
        match side {
            Side::Plain => self.implies(p, q),
            Side::Dual => self.implies(q, p),
        }
    }

    /// Eventual, on the plain side.
    fn is_persistent(&self, side: Side, p: FormulaId) -> bool {
        match side {
            Side::Plain => self.is_eventual(p),
            Side::Dual => self.is_universal(p),
        }
    }

    /// The operands of a conjunction, on the plain side.
    fn conjuncts(&self, side: Side, p: FormulaId) -> Option<Vec<FormulaId>> {
        match (side, self.node(p)) {
            (Side::Plain, Node::And(ps)) | (Side::Dual, Node::Or(ps)) => Some(ps.to_vec()),
            _ => None,
        }
    }

    /// The operands of a disjunction, on the plain side.
    fn disjuncts(&self, side: Side, p: FormulaId) -> Option<Vec<FormulaId>> {
        match side {
            Side::Plain => self.conjuncts(Side::Dual, p),
            Side::Dual => self.conjuncts(Side::Plain, p),
        }
    }

    /// The operands of an until, on the plain side.
    fn as_until(&self, side: Side, p: FormulaId) -> Option<(FormulaId, FormulaId)> {
        match (side, self.node(p)) {
            (Side::Plain, &Node::Until(p, q)) | (Side::Dual, &Node::Release(p, q)) => Some((p, q)),
            _ => None,
        }
    }

    /// The operands of a release, on the plain side.
    fn as_release(&self, side: Side, p: FormulaId) -> Option<(FormulaId, FormulaId)> {
        match side {
            Side::Plain => self.as_until(Side::Dual, p),
            Side::Dual => self.as_until(Side::Plain, p),
        }
    }

    /// Conjunction, on the plain side.
    fn junction(&mut self, side: Side, operands: Vec<FormulaId>) -> FormulaId {
        let mut flat = Vec::new();
        for p in operands {
            match self.conjuncts(side, p) {
                Some(inner) => flat.extend(inner),
                None => flat.push(p),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        flat.retain(|&p| p != Self::top(side));
        if flat.len() <= WIDEST_COMPARED {
            // Merged operands may merge, imply or flatten again.
            if let Some((i, j, merged)) = self.mergeable(side, &flat) {
                flat.remove(j);
                flat.remove(i);
                flat.push(merged);
                return self.junction(side, flat);
            }
            let mut kept: Vec<FormulaId> = Vec::new();
            for p in flat {
                if kept.iter().any(|&q| self.below(side, q, p)) {
                    continue;
                }
                kept.retain(|&q| !self.below(side, p, q));
                kept.push(p);
            }
            for i in 0..kept.len() {
                let Some(opposite) = self.known_negation(kept[i]) else {
                    continue;
                };
                if kept.iter().any(|&q| self.below(side, q, opposite)) {
                    return Self::bottom(side);
                }
            }
            flat = kept;
            flat.sort_unstable();
        } else if flat.contains(&Self::bottom(side)) {
            return Self::bottom(side);
        }
        match flat.as_slice() {
            [] => Self::top(side),
            [p] => *p,
            _ => {
                let operands = flat.into_boxed_slice();
                self.intern(match side {
                    Side::Plain => Node::And(operands),
                    Side::Dual => Node::Or(operands),
                })
            }
        }
    }

    /// Two operands `i < j` of a conjunction (on the plain side) that are one formula together.
    fn mergeable(
        &mut self,
        side: Side,
        operands: &[FormulaId],
    ) -> Option<(usize, usize, FormulaId)> {
        for j in 1..operands.len() {
            for i in 0..j {
                if let Some(merged) = self.merged(side, operands[i], operands[j]) {
                    return Some((i, j, merged));
                }
            }
        }
        None
    }

    fn merged(&mut self, side: Side, p: FormulaId, q: FormulaId) -> Option<FormulaId> {
        if let (&Node::Next(p), &Node::Next(q)) = (self.node(p), self.node(q)) {
            let both = self.junction(side, vec![p, q]);
            return Some(self.next(both));
        }
        if let (Some((a, b)), Some((c, d))) = (self.as_release(side, p), self.as_release(side, q))
            && a == c
        {
            let both = self.junction(side, vec![b, d]);
            return Some(self.fixpoint(side.other(), a, both));
        }
        if let (Some((a, b)), Some((c, d))) = (self.as_until(side, p), self.as_until(side, q)) {
            if b == d {
                let both = self.junction(side, vec![a, c]);
                return Some(self.fixpoint(side, both, b));
            }
            let (top, bottom) = (Self::top(side), Self::bottom(side));
            if let (true, true, Some((e, f)), Some((g, h))) = (
                a == top,
                c == top,
                self.as_release(side, b),
                self.as_release(side, d),
            ) && e == bottom
                && g == bottom
            {
                let both = self.junction(side, vec![f, h]);
                let always = self.fixpoint(side.other(), bottom, both);
                return Some(self.fixpoint(side, top, always));
            }
        }
        None
    }

    /// Until, on the plain side.
    fn fixpoint(&mut self, side: Side, p: FormulaId, q: FormulaId) -> FormulaId {
        let (top, bottom) = (Self::top(side), Self::bottom(side));
        if self.is_persistent(side, q) || p == bottom || self.below(side, p, q) {
            return q;
        }
        if let Some((r, s)) = self.as_until(side, q) {
            if self.below(side, p, r) {
                return q;
            }
            if p == top {
                return self.fixpoint(side, top, s);
            }
        }
        if p != top
            && let Some(not_q) = self.known_negation(q)
            && self.below(side, not_q, p)
        {
            return self.fixpoint(side, top, q);
        }
        if let &Node::Next(later_q) = self.node(q) {
            let later_p = match *self.node(p) {
                Node::Next(later_p) => Some(later_p),
                _ if p == top => Some(top),
                _ => None,
            };
            if let Some(later_p) = later_p {
                let now = self.fixpoint(side, later_p, later_q);
                return self.next(now);
            }
        }
        if let Some(parts) = self.disjuncts(side, q) {
            let (mut outside, inside): (Vec<_>, Vec<_>) = parts
                .into_iter()
                .partition(|&q| self.is_persistent(side, q));
            if !outside.is_empty() {
                let inside = self.junction(side.other(), inside);
                outside.push(self.fixpoint(side, p, inside));
                return self.junction(side.other(), outside);
            }
        }
        if let Some(parts) = self.conjuncts(side, q) {
            let (mut outside, inside): (Vec<_>, Vec<_>) = parts
                .into_iter()
                .partition(|&q| self.is_eventual(q) && self.is_universal(q));
            if !outside.is_empty() {
                let inside = self.junction(side, inside);
                outside.push(self.fixpoint(side, p, inside));
                return self.junction(side, outside);
            }
        }
        self.intern(match side {
            Side::Plain => Node::Until(p, q),
            Side::Dual => Node::Release(p, q),
        })
    }

    /// Whether `p` is seen to imply `q`. "No" means "not seen to".
    pub(crate) fn implies(&mut self, p: FormulaId, q: FormulaId) -> bool {
        if p == q || p == FormulaId::FALSE || q == FormulaId::TRUE {
            return true;
        }
        if p == FormulaId::TRUE || q == FormulaId::FALSE {
            return false;
        }
        if let Some(&known) = self.implications.get(&(p, q)) {
            return known;
        }
        if self.implications.len() >= MOST_IMPLICATIONS {
            return false;
        }
        let found = self.implies_by_left(p, q) || self.implies_by_right(p, q);
        self.implications.insert((p, q), found);
        found
    }

    /// Rules that take `p` apart, and perhaps `q` with it.
    fn implies_by_left(&mut self, p: FormulaId, q: FormulaId) -> bool {
        match self.node(p).clone() {
            Node::And(ps) => ps.iter().any(|&p| self.implies(p, q)),
            Node::Or(ps) => ps.iter().all(|&p| self.implies(p, q)),
            Node::Next(p) => match *self.node(q) {
                Node::Next(q) => self.implies(p, q),
                _ => self.is_eventual(q) && self.implies(p, q),
            },
            Node::Until(a, b) => {
                if self.is_eventual(q) && self.implies(b, q) {
                    return true;
                }
                if let Node::Until(c, d) = *self.node(q)
                    && self.implies(a, c)
                    && self.implies(b, d)
                {
                    return true;
                }
                // One of the two holds at the first position.
                self.implies(a, q) && self.implies(b, q)
            }
            Node::Release(a, b) => {
                if let Node::Release(c, d) = *self.node(q)
                    && self.implies(a, c)
                    && self.implies(b, d)
                {
                    return true;
                }
                self.implies(b, q)
            }
            Node::True | Node::False | Node::Literal(..) => false,
        }
    }

    /// Rules that take only `q` apart.
    fn implies_by_right(&mut self, p: FormulaId, q: FormulaId) -> bool {
        match self.node(q).clone() {
            Node::And(qs) => qs.iter().all(|&q| self.implies(p, q)),
            Node::Or(qs) => qs.iter().any(|&q| self.implies(p, q)),
            Node::Next(q) => self.is_universal(p) && self.implies(p, q),
            Node::Until(_, d) => self.implies(p, d),
            Node::Release(c, d) => {
                (self.is_universal(p) || self.implies(p, c)) && self.implies(p, d)
            }
            Node::True | Node::False | Node::Literal(..) => false,
        }
    }
}

impl Side {
    fn other(self) -> Side {
        match self {
            Side::Plain => Side::Dual,
            Side::Dual => Side::Plain,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::parse::parse;

    fn simple(text: &str) -> String {
        let formula = parse(text, |atom, _| Ok::<_, ()>(atom.to_owned()));
        formula.expect("it is a formula").simplified().to_string()
    }

    #[test]
    fn each_rule_and_its_dual() {
        for (before, after) in [
            ("a && <> a", "a"),
            ("a || <> a", "<> a"),
            ("a && !a", "false"),
            ("a || !a || b", "true"),
            ("[] a && !a", "false"),
            ("[] a && <> !a", "false"),
            ("X a && X b", "X (a && b)"),
            ("X a || X b", "X (a || b)"),
            ("[] a && [] b", "[] (a && b)"),
            ("<> a || <> b", "<> (a || b)"),
            ("(a U c) && (b U c)", "(a && b) U c"),
            ("(a R c) || (b R c)", "(a || b) R c"),
            ("<> [] a && <> [] b", "<> [] (a && b)"),
            ("[] <> a || [] <> b", "[] <> (a || b)"),
            ("X [] <> a", "[] <> a"),
            ("a U <> b", "<> b"),
            ("a R [] b", "[] b"),
            ("<> [] <> a", "[] <> a"),
            ("[] <> [] a", "<> [] a"),
            ("a U (a U b)", "a U b"),
            ("a R (a R b)", "a R b"),
            ("<> (a U b)", "<> b"),
            ("[] (a R b)", "[] b"),
            ("!b U b", "<> b"),
            ("!b R b", "[] b"),
            ("X a U X b", "X (a U b)"),
            ("<> X b", "X <> b"),
            ("a U (b || <> c)", "<> c || a U b"),
            ("a R (b && [] c)", "[] c && a R b"),
            ("a U (b && [] <> c)", "[] <> c && a U b"),
            ("a W false", "[] a"),
            ("true -> a", "a"),
            ("a <-> true", "a"),
        ] {
            // Operands are listed in no particular order.
            assert_eq!(symbols(&simple(before)), symbols(after), "{before}");
        }
    }

    fn symbols(text: &str) -> Vec<char> {
        let mut symbols: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
        symbols.sort_unstable();
        symbols
    }

    #[test]
    fn what_only_looks_alike_stays() {
        for text in [
            "<> a && <> b",
            "[] a || [] b",
            "a U b",
            "X a",
            "[] (<> a && <> b)",
            "[] (a || X a)",
        ] {
            assert_eq!(symbols(&simple(text)), symbols(text));
        }
    }
}
