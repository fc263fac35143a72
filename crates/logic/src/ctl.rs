//! Formulas of computation tree logic (CTL), over any type of atom.
//!
//! The logic of Clarke and Emerson (1981): each temporal operator has a quantifier over the paths
//! that begin in a state. With the bounded operators of real-time CTL (Emerson, Mok, Sistla and
//! Srinivasan 1992), of which until is enough.
//!
//! Some formulas say the same as one of linear time: [`Ctl::linear`] gives it for those of
//! Maidl's deterministic fragment (2000), of whose violations a single run is evidence.

use std::sync::Arc;

use crate::Ltl;

/// Over which paths.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quantifier {
    /// All paths.
    All,
    /// Some path.
    Some,
}

/// A formula of computation tree logic whose atoms are of type `A`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Ctl<A> {
    /// Holds everywhere.
    True,
    /// Holds nowhere.
    False,
    /// Holds where the atom does.
    Atom(A),
    /// Negation.
    Not(Arc<Ctl<A>>),
    /// All of them hold.
    And(Arc<[Ctl<A>]>),
    /// One of them holds.
    Or(Arc<[Ctl<A>]>),
    /// If the first holds, so does the second.
    Implies(Arc<Ctl<A>>, Arc<Ctl<A>>),
    /// Both hold or neither does.
    Iff(Arc<Ctl<A>>, Arc<Ctl<A>>),
    /// `EX p`, `AX p`: in the next state.
    Next(Quantifier, Arc<Ctl<A>>),
    /// `EF p`, `AF p`: now or later.
    Eventually(Quantifier, Arc<Ctl<A>>),
    /// `EG p`, `AG p`: now and for ever.
    Always(Quantifier, Arc<Ctl<A>>),
    /// `E[p U q]`, `A[p U q]`: `q` now or later, and `p` until then.
    Until(Quantifier, Arc<Ctl<A>>, Arc<Ctl<A>>),
    /// As until, after at least so many steps and at most so many. The first must hold before.
    Within(Quantifier, u32, u32, Arc<Ctl<A>>, Arc<Ctl<A>>),
}

impl<A> Ctl<A> {
    /// `!p`.
    #[expect(
        clippy::should_implement_trait,
        reason = "a constructor beside the others; `!p` would hide that it builds a formula"
    )]
    pub fn not(p: Self) -> Self {
        Ctl::Not(Arc::new(p))
    }

    /// `EBF lo..hi p`, `ABF lo..hi p`: after so many steps.
    pub fn eventually_within(quantifier: Quantifier, lo: u32, hi: u32, p: Self) -> Self {
        Ctl::Within(quantifier, lo, hi, Arc::new(Ctl::True), Arc::new(p))
    }

    /// `EBG lo..hi p`, `ABG lo..hi p`: in each of these states.
    pub fn always_within(quantifier: Quantifier, lo: u32, hi: u32, p: Self) -> Self {
        let other = match quantifier {
            Quantifier::All => Quantifier::Some,
            Quantifier::Some => Quantifier::All,
        };
        Ctl::not(Ctl::eventually_within(other, lo, hi, Ctl::not(p)))
    }

    /// The direct subformulas, in order.
    pub fn operands(&self) -> Vec<&Self> {
        match self {
            Ctl::True | Ctl::False | Ctl::Atom(_) => Vec::new(),
            Ctl::Not(p) | Ctl::Next(_, p) | Ctl::Eventually(_, p) | Ctl::Always(_, p) => vec![p],
            Ctl::And(ps) | Ctl::Or(ps) => ps.iter().collect(),
            Ctl::Implies(p, q)
            | Ctl::Iff(p, q)
            | Ctl::Until(_, p, q)
            | Ctl::Within(_, _, _, p, q) => vec![p, q],
        }
    }

    /// The number of operators on the longest path from the root to a leaf; 0 for a leaf.
    pub fn depth(&self) -> usize {
        let below = self.operands().into_iter().map(|p| p.depth() + 1);
        below.max().unwrap_or(0)
    }

    /// All occurrences of atoms, from left to right.
    pub fn atoms(&self) -> Vec<&A> {
        match self {
            Ctl::Atom(atom) => vec![atom],
            _ => self.operands().into_iter().flat_map(Ctl::atoms).collect(),
        }
    }

    /// Whether it says something of all runs, or of some, once its negations stand at atoms.
    pub fn says_of(&self, runs: Quantifier) -> bool {
        self.says(runs, true)
    }

    fn says(&self, runs: Quantifier, positive: bool) -> bool {
        match self {
            Ctl::Not(p) => p.says(runs, !positive),
            Ctl::Implies(p, q) => p.says(runs, !positive) || q.says(runs, positive),
            Ctl::Iff(p, q) => [p, q]
                .into_iter()
                .any(|side| side.says(runs, true) || side.says(runs, false)),
            Ctl::Next(q, _)
            | Ctl::Eventually(q, _)
            | Ctl::Always(q, _)
            | Ctl::Until(q, ..)
            | Ctl::Within(q, ..)
                if (*q == runs) == positive =>
            {
                true
            }
            _ => self.operands().into_iter().any(|p| p.says(runs, positive)),
        }
    }

    /// Whether it is about one state only.
    pub fn is_local(&self) -> bool {
        match self {
            Ctl::Next(..)
            | Ctl::Eventually(..)
            | Ctl::Always(..)
            | Ctl::Until(..)
            | Ctl::Within(..) => false,
            _ => self.operands().into_iter().all(Ctl::is_local),
        }
    }
}

impl<A: Clone> Ctl<A> {
    /// The same formula with other atoms.
    pub fn map<B>(&self, atom: &mut impl FnMut(&A) -> B) -> Ctl<B> {
        macro_rules! arc {
            ($p:expr) => {
                Arc::new($p.map(atom))
            };
        }
        match self {
            Ctl::True => Ctl::True,
            Ctl::False => Ctl::False,
            Ctl::Atom(a) => Ctl::Atom(atom(a)),
            Ctl::Not(p) => Ctl::Not(arc!(p)),
            Ctl::And(ps) => Ctl::And(ps.iter().map(|p| p.map(atom)).collect()),
            Ctl::Or(ps) => Ctl::Or(ps.iter().map(|p| p.map(atom)).collect()),
            Ctl::Implies(p, q) => Ctl::Implies(arc!(p), arc!(q)),
            Ctl::Iff(p, q) => Ctl::Iff(arc!(p), arc!(q)),
            Ctl::Next(e, p) => Ctl::Next(*e, arc!(p)),
            Ctl::Eventually(e, p) => Ctl::Eventually(*e, arc!(p)),
            Ctl::Always(e, p) => Ctl::Always(*e, arc!(p)),
            Ctl::Until(e, p, q) => Ctl::Until(*e, arc!(p), arc!(q)),
            Ctl::Within(e, lo, hi, p, q) => Ctl::Within(*e, *lo, *hi, arc!(p), arc!(q)),
        }
    }

    /// The formula of linear time that says the same, if it is known to be one: every run that
    /// begins in a state satisfies it if and only if the state satisfies this one.
    pub fn linear(&self) -> Option<Ltl<A>> {
        if self.is_local() {
            return Some(self.local());
        }
        Some(match self {
            Ctl::And(ps) => {
                let parts: Option<Vec<_>> = ps.iter().map(Ctl::linear).collect();
                Ltl::all(parts?)
            }
            // One of them may speak of the future: which one does is decided by the state.
            Ctl::Or(ps) => {
                if ps.iter().filter(|p| !p.is_local()).count() > 1 {
                    return None;
                }
                let parts: Option<Vec<_>> = ps.iter().map(Ctl::linear).collect();
                Ltl::any(parts?)
            }
            Ctl::Implies(p, q) if p.is_local() => Ltl::implies(p.local(), q.linear()?),
            Ctl::Implies(p, q) if q.is_local() => Ltl::or(p.negated_linear()?, q.local()),
            Ctl::Not(p) => p.negated_linear()?,
            Ctl::Next(Quantifier::All, p) => Ltl::next(p.linear()?),
            Ctl::Always(Quantifier::All, p) => Ltl::always(p.linear()?),
            Ctl::Eventually(Quantifier::All, p) if p.is_local() => Ltl::eventually(p.local()),
            Ctl::Until(Quantifier::All, p, q) if p.is_local() && q.is_local() => {
                Ltl::until(p.local(), q.local())
            }
            _ => return None,
        })
    }

    /// The formula of linear time that says the same as the negation.
    fn negated_linear(&self) -> Option<Ltl<A>> {
        if self.is_local() {
            return Some(Ltl::not(self.local()));
        }
        Some(match self {
            Ctl::Not(p) => p.linear()?,
            Ctl::Or(ps) => {
                let parts: Option<Vec<_>> = ps.iter().map(Ctl::negated_linear).collect();
                Ltl::all(parts?)
            }
            Ctl::And(ps) => {
                if ps.iter().filter(|p| !p.is_local()).count() > 1 {
                    return None;
                }
                let parts: Option<Vec<_>> = ps.iter().map(Ctl::negated_linear).collect();
                Ltl::any(parts?)
            }
            Ctl::Implies(p, q) if p.is_local() => Ltl::and(p.local(), q.negated_linear()?),
            Ctl::Next(Quantifier::Some, p) => Ltl::next(p.negated_linear()?),
            Ctl::Eventually(Quantifier::Some, p) => Ltl::always(p.negated_linear()?),
            Ctl::Always(Quantifier::Some, p) if p.is_local() => {
                Ltl::eventually(Ltl::not(p.local()))
            }
            _ => return None,
        })
    }

    /// A formula about one state.
    fn local(&self) -> Ltl<A> {
        match self {
            Ctl::True => Ltl::True,
            Ctl::False => Ltl::False,
            Ctl::Atom(a) => Ltl::atom(a.clone()),
            Ctl::Not(p) => Ltl::not(p.local()),
            Ctl::And(ps) => Ltl::all(ps.iter().map(Ctl::local)),
            Ctl::Or(ps) => Ltl::any(ps.iter().map(Ctl::local)),
            Ctl::Implies(p, q) => Ltl::implies(p.local(), q.local()),
            Ctl::Iff(p, q) => Ltl::iff(p.local(), q.local()),
            Ctl::Next(..)
            | Ctl::Eventually(..)
            | Ctl::Always(..)
            | Ctl::Until(..)
            | Ctl::Within(..) => unreachable!("it is about one state only"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atom(name: &'static str) -> Ctl<&'static str> {
        Ctl::Atom(name)
    }

    #[test]
    fn what_one_run_can_show_is_linear() {
        let answers = Ctl::Always(
            Quantifier::All,
            Arc::new(Ctl::Implies(
                Arc::new(atom("p")),
                Arc::new(Ctl::Eventually(Quantifier::All, Arc::new(atom("q")))),
            )),
        );
        assert_eq!(
            answers.linear(),
            Some(Ltl::leads_to(Ltl::atom("p"), Ltl::atom("q")))
        );
        let never = Ctl::not(Ctl::Eventually(Quantifier::Some, Arc::new(atom("p"))));
        assert_eq!(never.linear(), Some(Ltl::always(Ltl::not(Ltl::atom("p")))));
    }

    #[test]
    fn what_needs_a_tree_is_not() {
        let possible = Ctl::Eventually(Quantifier::Some, Arc::new(atom("p")));
        assert_eq!(possible.linear(), None);
        let resettable = Ctl::Always(Quantifier::All, Arc::new(possible));
        assert_eq!(resettable.linear(), None);
        // `AF AG p` is stronger than `F G p`.
        let always = Ctl::Always(Quantifier::All, Arc::new(atom("p")));
        assert_eq!(
            Ctl::Eventually(Quantifier::All, Arc::new(always)).linear(),
            None
        );
    }
}
