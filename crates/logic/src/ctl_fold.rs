//! Formulas of branching time without what is settled beforehand.
//!
//! Paths go on for ever, and a formula is asked only of states from which a path that counts
//! begins. So `EX true` is true, and all that follows from it: a model may claim nothing but that
//! (`AG (EX true | ...)`, meant to say that there is no deadlock), and then no state needs looking
//! at but for whether there is such a path at all.

use std::sync::Arc;

use crate::ctl::Ctl;

impl<A: Clone> Ctl<A> {
    /// A formula that says the same of each state from which a path that counts begins; a constant
    /// where that is easily seen.
    #[must_use]
    pub fn folded(&self) -> Ctl<A> {
        match self {
            Ctl::True | Ctl::False | Ctl::Atom(_) => self.clone(),
            Ctl::Not(p) => negated(p.folded()),
            Ctl::And(ps) => joined(ps, true),
            Ctl::Or(ps) => joined(ps, false),
            Ctl::Implies(p, q) => match (p.folded(), q.folded()) {
                (Ctl::False, _) | (_, Ctl::True) => Ctl::True,
                (Ctl::True, q) => q,
                (p, Ctl::False) => negated(p),
                (p, q) => Ctl::Implies(Arc::new(p), Arc::new(q)),
            },
            Ctl::Iff(p, q) => match (p.folded(), q.folded()) {
                (Ctl::True, other) | (other, Ctl::True) => other,
                (Ctl::False, other) | (other, Ctl::False) => negated(other),
                (p, q) => Ctl::Iff(Arc::new(p), Arc::new(q)),
            },
            Ctl::Next(over, p) => settled_or(p.folded(), |p| Ctl::Next(*over, p)),
            Ctl::Eventually(over, p) => settled_or(p.folded(), |p| Ctl::Eventually(*over, p)),
            Ctl::Always(over, p) => settled_or(p.folded(), |p| Ctl::Always(*over, p)),
            Ctl::Until(over, p, q) => {
                let p = Arc::new(p.folded());
                settled_or(q.folded(), |q| Ctl::Until(*over, p, q))
            }
            Ctl::Within(over, lo, hi, p, q) => {
                let (p, q) = (p.folded(), q.folded());
                match q {
                    Ctl::True if *lo == 0 => Ctl::True,
                    Ctl::False => Ctl::False,
                    q => Ctl::Within(*over, *lo, *hi, Arc::new(p), Arc::new(q)),
                }
            }
        }
    }
}

fn negated<A>(p: Ctl<A>) -> Ctl<A> {
    match p {
        Ctl::True => Ctl::False,
        Ctl::False => Ctl::True,
        p => Ctl::not(p),
    }
}

/// A constant says the same of every state to come.
fn settled_or<A>(p: Ctl<A>, otherwise: impl FnOnce(Arc<Ctl<A>>) -> Ctl<A>) -> Ctl<A> {
    match p {
        Ctl::True | Ctl::False => p,
        p => otherwise(Arc::new(p)),
    }
}

/// A conjunction, or a disjunction.
fn joined<A: Clone>(parts: &[Ctl<A>], all: bool) -> Ctl<A> {
    let mut left = Vec::new();
    for part in parts {
        match (part.folded(), all) {
            (Ctl::True, true) | (Ctl::False, false) => {}
            (Ctl::True, false) => return Ctl::True,
            (Ctl::False, true) => return Ctl::False,
            (part, _) => left.push(part),
        }
    }
    match (left.pop(), all) {
        (Some(only), _) if left.is_empty() => only,
        (Some(last), all) => {
            left.push(last);
            if all {
                Ctl::And(left.into())
            } else {
                Ctl::Or(left.into())
            }
        }
        (None, true) => Ctl::True,
        (None, false) => Ctl::False,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ctl::Quantifier::{All, Some as Exists};

    #[test]
    fn what_is_settled_is_a_constant() {
        let p = Ctl::Atom("p");
        let goes_on = Ctl::Next(Exists, Arc::new(Ctl::True));
        let no_deadlock = Ctl::Always(All, Arc::new(Ctl::Or([goes_on.clone(), p.clone()].into())));
        assert_eq!(no_deadlock.folded(), Ctl::True);
        let both = Ctl::And([goes_on, p.clone()].into());
        assert_eq!(both.folded(), p);
        let never = Ctl::Until(All, Arc::new(p.clone()), Arc::new(Ctl::not(Ctl::True)));
        assert_eq!(never.folded(), Ctl::False);
        let later = Ctl::Within(Exists, 1, 2, Arc::new(p.clone()), Arc::new(Ctl::True));
        assert_eq!(later.folded(), later);
        assert_eq!(Ctl::<&str>::Or([].into()).folded(), Ctl::False);
    }
}
