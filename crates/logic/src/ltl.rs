//! Formulas of linear temporal logic (LTL), over any type of atom.
//!
//! A formula speaks about an infinite word; each letter says which atoms hold at that position.
//! The operators are those of Pnueli (1977) with release and weak until, which make it possible
//! to push negations down to the atoms:
//!
//! | constructor | text | holds at position `i` iff |
//! |---|---|---|
//! | [`Ltl::next`] | `X p` | `p` holds at `i + 1` |
//! | [`Ltl::eventually`] | `<> p` | `p` holds at some `j >= i` |
//! | [`Ltl::always`] | `[] p` | `p` holds at each `j >= i` |
//! | [`Ltl::until`] | `p U q` | `q` holds at some `j >= i`, and `p` at each position from `i` up to, not including, `j` |
//! | [`Ltl::release`] | `p R q` (`p V q`) | `!(!p U !q)`: `q` holds up to and including the first position where `p` holds, or for ever |
//! | [`Ltl::weak_until`] | `p W q` | `p U q`, or `[] p` |
//!
//! Formulas are trees with shared subtrees, so a clone is cheap. Functions that walk a formula
//! recur to its [depth](Ltl::depth); the parser bounds the depth of what it returns, and
//! conjunctions and disjunctions of many operands are one level deep.

use std::sync::Arc;

/// The greatest [depth](Ltl::depth) that the parser returns and the translation accepts. A chain
/// of `&&` or of `||` counts as one level, however long.
pub const MAX_DEPTH: usize = 250;

/// A formula of linear temporal logic whose atoms are of type `A`.
///
/// Equality is equality of the trees, not equivalence.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Ltl<A> {
    /// Holds everywhere.
    True,
    /// Holds nowhere.
    False,
    /// Holds where the atom does.
    Atom(A),
    /// Negation.
    Not(Arc<Ltl<A>>),
    /// All of them hold; an empty conjunction holds everywhere.
    And(Arc<[Ltl<A>]>),
    /// One of them holds; an empty disjunction holds nowhere.
    Or(Arc<[Ltl<A>]>),
    /// If the first holds, so does the second.
    Implies(Arc<Ltl<A>>, Arc<Ltl<A>>),
    /// Both hold or neither does.
    Iff(Arc<Ltl<A>>, Arc<Ltl<A>>),
    /// Holds at the next position.
    Next(Arc<Ltl<A>>),
    /// Holds now or later.
    Eventually(Arc<Ltl<A>>),
    /// Holds now and for ever.
    Always(Arc<Ltl<A>>),
    /// The second holds now or later, and the first until just before then.
    Until(Arc<Ltl<A>>, Arc<Ltl<A>>),
    /// The second holds up to and including the position where the first holds, or for ever.
    Release(Arc<Ltl<A>>, Arc<Ltl<A>>),
    /// As `Until`, but the second need not come if the first holds for ever.
    WeakUntil(Arc<Ltl<A>>, Arc<Ltl<A>>),
}

impl<A> Ltl<A> {
    /// The formula that holds where `atom` does.
    pub fn atom(atom: A) -> Self {
        Ltl::Atom(atom)
    }

    /// `!p`.
    #[expect(
        clippy::should_implement_trait,
        reason = "a constructor beside the others; `!p` would hide that it builds a formula"
    )]
    pub fn not(p: Self) -> Self {
        Ltl::Not(Arc::new(p))
    }

    /// `p && q`.
    pub fn and(p: Self, q: Self) -> Self {
        Ltl::And(Arc::new([p, q]))
    }

    /// The conjunction of all `operands`; `true` if there are none.
    pub fn all(operands: impl IntoIterator<Item = Self>) -> Self {
        let mut operands: Vec<_> = operands.into_iter().collect();
        match operands.len() {
            0 => Ltl::True,
            1 => operands.remove(0),
            _ => Ltl::And(operands.into()),
        }
    }

    /// `p || q`.
    pub fn or(p: Self, q: Self) -> Self {
        Ltl::Or(Arc::new([p, q]))
    }

    /// The disjunction of all `operands`; `false` if there are none.
    pub fn any(operands: impl IntoIterator<Item = Self>) -> Self {
        let mut operands: Vec<_> = operands.into_iter().collect();
        match operands.len() {
            0 => Ltl::False,
            1 => operands.remove(0),
            _ => Ltl::Or(operands.into()),
        }
    }

    /// `p -> q`.
    pub fn implies(p: Self, q: Self) -> Self {
        Ltl::Implies(Arc::new(p), Arc::new(q))
    }

    /// `p <-> q`.
    pub fn iff(p: Self, q: Self) -> Self {
        Ltl::Iff(Arc::new(p), Arc::new(q))
    }

    /// `X p`: `p` at the next position.
    pub fn next(p: Self) -> Self {
        Ltl::Next(Arc::new(p))
    }

    /// `<> p`: `p` now or later.
    pub fn eventually(p: Self) -> Self {
        Ltl::Eventually(Arc::new(p))
    }

    /// `[] p`: `p` now and for ever.
    pub fn always(p: Self) -> Self {
        Ltl::Always(Arc::new(p))
    }

    /// `p U q`: `q` now or later, and `p` at every position before.
    pub fn until(p: Self, q: Self) -> Self {
        Ltl::Until(Arc::new(p), Arc::new(q))
    }

    /// `p R q`: `q` up to and including the first position where `p` holds, or for ever.
    pub fn release(p: Self, q: Self) -> Self {
        Ltl::Release(Arc::new(p), Arc::new(q))
    }

    /// `p W q`: `p` until `q`, or `p` for ever.
    pub fn weak_until(p: Self, q: Self) -> Self {
        Ltl::WeakUntil(Arc::new(p), Arc::new(q))
    }

    /// The direct subformulas, in order.
    pub fn operands(&self) -> Vec<&Self> {
        match self {
            Ltl::True | Ltl::False | Ltl::Atom(_) => Vec::new(),
            Ltl::Not(p) | Ltl::Next(p) | Ltl::Eventually(p) | Ltl::Always(p) => vec![p],
            Ltl::And(ps) | Ltl::Or(ps) => ps.iter().collect(),
            Ltl::Implies(p, q)
            | Ltl::Iff(p, q)
            | Ltl::Until(p, q)
            | Ltl::Release(p, q)
            | Ltl::WeakUntil(p, q) => vec![p, q],
        }
    }

    /// The number of operators on the longest path from the root to a leaf; 0 for a leaf.
    pub fn depth(&self) -> usize {
        let below = self.operands().into_iter().map(|p| p.depth() + 1);
        below.max().unwrap_or(0)
    }

    /// All occurrences of atoms, from left to right.
    pub fn atoms(&self) -> Vec<&A> {
        fn collect<'a, A>(formula: &'a Ltl<A>, found: &mut Vec<&'a A>) {
            if let Ltl::Atom(atom) = formula {
                found.push(atom);
            }
            for operand in formula.operands() {
                collect(operand, found);
            }
        }
        let mut found = Vec::new();
        collect(self, &mut found);
        found
    }

    /// The same formula with each atom replaced by what `change` makes of it, from left to right.
    pub fn map<B>(&self, mut change: impl FnMut(&A) -> B) -> Ltl<B> {
        let result: Result<_, std::convert::Infallible> =
            self.substitute(&mut |atom| Ok(Ltl::Atom(change(atom))));
        match result {
            Ok(formula) => formula,
        }
    }

    /// The same formula with each atom replaced by the formula that `change` makes of it, from
    /// left to right.
    ///
    /// # Errors
    /// The first error that `change` returns.
    pub fn substitute<B, E>(
        &self,
        change: &mut impl FnMut(&A) -> Result<Ltl<B>, E>,
    ) -> Result<Ltl<B>, E> {
        Ok(match self {
            Ltl::True => Ltl::True,
            Ltl::False => Ltl::False,
            Ltl::Atom(atom) => change(atom)?,
            Ltl::Not(p) => Ltl::not(p.substitute(change)?),
            Ltl::Next(p) => Ltl::next(p.substitute(change)?),
            Ltl::Eventually(p) => Ltl::eventually(p.substitute(change)?),
            Ltl::Always(p) => Ltl::always(p.substitute(change)?),
            Ltl::And(ps) => Ltl::And(
                ps.iter()
                    .map(|p| p.substitute(change))
                    .collect::<Result<_, E>>()?,
            ),
            Ltl::Or(ps) => Ltl::Or(
                ps.iter()
                    .map(|p| p.substitute(change))
                    .collect::<Result<_, E>>()?,
            ),
            Ltl::Implies(p, q) => Ltl::implies(p.substitute(change)?, q.substitute(change)?),
            Ltl::Iff(p, q) => Ltl::iff(p.substitute(change)?, q.substitute(change)?),
            Ltl::Until(p, q) => Ltl::until(p.substitute(change)?, q.substitute(change)?),
            Ltl::Release(p, q) => Ltl::release(p.substitute(change)?, q.substitute(change)?),
            Ltl::WeakUntil(p, q) => Ltl::weak_until(p.substitute(change)?, q.substitute(change)?),
        })
    }
}
