//! Negation normal form, and the fragments of LTL that can be read off it.
//!
//! In negation normal form, negations stand in front of atoms only, and there is no `->` or
//! `<->`. A formula whose normal form uses neither `U` nor `<>` is a *safety* property: a word
//! that violates it has a finite prefix that no continuation repairs. One that uses none of `R`,
//! `[]` and `W` is a *cosafety* property (its negation is a safety property): Sistla, *Safety,
//! liveness and fairness in temporal logic* (Formal Aspects of Computing, 1994). A formula without
//! `X` cannot tell words apart that differ only in how often letters are repeated (Lamport, *What
//! good is temporal logic?*, 1983). All three tests are sufficient, not necessary.

use std::sync::Arc;

use crate::ltl::Ltl;

/// Which operators the normal form of a formula uses.
#[derive(Clone, Copy, Default)]
struct Uses {
    /// `U`, `<>`
    strong: bool,
    /// `R`, `[]`, `W`
    weak: bool,
}

impl Uses {
    fn or(self, other: Uses) -> Uses {
        Uses {
            strong: self.strong || other.strong,
            weak: self.weak || other.weak,
        }
    }
}

impl<A> Ltl<A> {
    /// Whether `X` does not occur, so that repeating letters changes nothing.
    pub fn is_stutter_invariant_syntactically(&self) -> bool {
        !matches!(self, Ltl::Next(_))
            && self
                .operands()
                .into_iter()
                .all(Ltl::is_stutter_invariant_syntactically)
    }

    /// Whether its negation normal form has no `U` and no `<>`: a violation shows in a finite
    /// prefix. The automaton of its negation then accepts by reaching
    /// [`Buchi::terminal_state`](crate::Buchi::terminal_state).
    pub fn is_safety(&self) -> bool {
        !self.uses().0.strong
    }

    /// Whether its negation normal form has no `R`, `[]` or `W`: a finite prefix shows that it
    /// holds.
    pub fn is_cosafety(&self) -> bool {
        !self.uses().0.weak
    }

    /// What the normal forms of the formula and of its negation use.
    fn uses(&self) -> (Uses, Uses) {
        let strong = Uses {
            strong: true,
            weak: false,
        };
        let weak = Uses {
            strong: false,
            weak: true,
        };
        let operands: Vec<(Uses, Uses)> = self.operands().into_iter().map(Ltl::uses).collect();
        let (plain, negated) = operands
            .iter()
            .fold((Uses::default(), Uses::default()), |(p, n), of| {
                (p.or(of.0), n.or(of.1))
            });
        match self {
            Ltl::True | Ltl::False | Ltl::Atom(_) | Ltl::And(_) | Ltl::Or(_) | Ltl::Next(_) => {
                (plain, negated)
            }
            Ltl::Not(_) => (negated, plain),
            Ltl::Implies(..) => {
                let ((p, not_p), (q, not_q)) = (operands[0], operands[1]);
                (not_p.or(q), p.or(not_q))
            }
            Ltl::Iff(..) => (plain.or(negated), plain.or(negated)),
            Ltl::Eventually(_) | Ltl::Until(..) => (plain.or(strong), negated.or(weak)),
            Ltl::Always(_) | Ltl::Release(..) | Ltl::WeakUntil(..) => {
                (plain.or(weak), negated.or(strong))
            }
        }
    }
}

impl<A: Clone> Ltl<A> {
    /// The equivalent formula with negations in front of atoms only, and neither `->` nor `<->`.
    ///
    /// Its tree can be exponentially larger than the formula's nesting of `<->`, but equal subtrees
    /// share memory.
    #[must_use]
    pub fn negation_normal_form(&self) -> Self {
        self.both_normal_forms().0
    }

    /// The normal forms of the formula and of its negation.
    fn both_normal_forms(&self) -> (Self, Self) {
        let both = |p: &Arc<Self>| p.both_normal_forms();
        match self {
            Ltl::True => (Ltl::True, Ltl::False),
            Ltl::False => (Ltl::False, Ltl::True),
            Ltl::Atom(_) => (self.clone(), Ltl::not(self.clone())),
            Ltl::Not(p) => {
                let (p, not_p) = both(p);
                (not_p, p)
            }
            Ltl::And(ps) => {
                let (ps, not_ps): (Vec<_>, Vec<_>) = ps.iter().map(Self::both_normal_forms).unzip();
                (Ltl::all(ps), Ltl::any(not_ps))
            }
            Ltl::Or(ps) => {
                let (ps, not_ps): (Vec<_>, Vec<_>) = ps.iter().map(Self::both_normal_forms).unzip();
                (Ltl::any(ps), Ltl::all(not_ps))
            }
            Ltl::Implies(p, q) => {
                let ((p, not_p), (q, not_q)) = (both(p), both(q));
                (Ltl::or(not_p, q), Ltl::and(p, not_q))
            }
            Ltl::Iff(p, q) => {
                let ((p, not_p), (q, not_q)) = (both(p), both(q));
                (
                    Ltl::or(
                        Ltl::and(p.clone(), q.clone()),
                        Ltl::and(not_p.clone(), not_q.clone()),
                    ),
                    Ltl::or(Ltl::and(p, not_q), Ltl::and(not_p, q)),
                )
            }
            Ltl::Next(p) => {
                let (p, not_p) = both(p);
                (Ltl::next(p), Ltl::next(not_p))
            }
            Ltl::Eventually(p) => {
                let (p, not_p) = both(p);
                (Ltl::eventually(p), Ltl::always(not_p))
            }
            Ltl::Always(p) => {
                let (p, not_p) = both(p);
                (Ltl::always(p), Ltl::eventually(not_p))
            }
            Ltl::Until(p, q) => {
                let ((p, not_p), (q, not_q)) = (both(p), both(q));
                (Ltl::until(p, q), Ltl::release(not_p, not_q))
            }
            Ltl::Release(p, q) => {
                let ((p, not_p), (q, not_q)) = (both(p), both(q));
                (Ltl::release(p, q), Ltl::until(not_p, not_q))
            }
            Ltl::WeakUntil(p, q) => {
                let ((p, not_p), (q, not_q)) = (both(p), both(q));
                let neither = Ltl::and(not_p, not_q.clone());
                (Ltl::weak_until(p, q), Ltl::until(not_q, neither))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p() -> Ltl<char> {
        Ltl::atom('p')
    }

    fn q() -> Ltl<char> {
        Ltl::atom('q')
    }

    #[test]
    fn fragments_follow_the_polarity() {
        assert!(Ltl::always(p()).is_safety());
        assert!(!Ltl::always(p()).is_cosafety());
        assert!(Ltl::not(Ltl::eventually(p())).is_safety());
        assert!(Ltl::not(Ltl::always(p())).is_cosafety());
        assert!(Ltl::implies(Ltl::eventually(p()), Ltl::always(q())).is_safety());
        assert!(!Ltl::implies(Ltl::always(p()), Ltl::always(q())).is_safety());
        assert!(!Ltl::iff(Ltl::always(p()), q()).is_safety());
        assert!(!Ltl::iff(Ltl::always(p()), q()).is_cosafety());
        assert!(Ltl::iff(Ltl::next(p()), q()).is_safety());
        assert!(Ltl::iff(Ltl::next(p()), q()).is_cosafety());
        assert!(!Ltl::leads_to(p(), q()).is_safety());
        assert!(!Ltl::leads_to(p(), q()).is_cosafety());
        assert!(Ltl::precedes(p(), q()).is_safety());
    }

    #[test]
    fn stuttering_shows_through_next_only() {
        assert!(Ltl::leads_to(p(), q()).is_stutter_invariant_syntactically());
        assert!(!Ltl::always(Ltl::next(p())).is_stutter_invariant_syntactically());
    }

    #[test]
    fn normal_form_of_a_response_that_fails() {
        assert_eq!(
            Ltl::not(Ltl::leads_to(p(), q())).negation_normal_form(),
            Ltl::eventually(Ltl::and(p(), Ltl::always(Ltl::not(q()))))
        );
        assert_eq!(
            Ltl::not(Ltl::weak_until(p(), q())).negation_normal_form(),
            Ltl::until(Ltl::not(q()), Ltl::and(Ltl::not(p()), Ltl::not(q())))
        );
    }

    #[test]
    fn nested_equivalences_share_memory() {
        let deep = (0..200).fold(p(), |f, _| Ltl::iff(f, q()));
        assert!(deep.is_safety());
        // Exponential in time and memory, were each side built twice.
        assert!(matches!(deep.negation_normal_form(), Ltl::Or(_)));
    }
}
