//! Formulas that properties are usually made of.
//!
//! The names and meanings are those of Dwyer, Avrunin and Corbett, *Patterns in property
//! specifications for finite-state verification* (ICSE 1999), with global scope.

use crate::ltl::Ltl;

impl<A: Clone> Ltl<A> {
    /// `[] !p`: `p` never holds (*absence*).
    pub fn never(p: Self) -> Self {
        Ltl::always(Ltl::not(p))
    }

    /// `[] (p -> <> q)`: each `p` is followed, at once or later, by a `q` (*response*).
    pub fn leads_to(p: Self, q: Self) -> Self {
        Ltl::always(Ltl::implies(p, Ltl::eventually(q)))
    }

    /// `!q W p`: no `q` comes before the first `p` (*precedence*). Where both come together, `p`
    /// is in time.
    pub fn precedes(p: Self, q: Self) -> Self {
        Ltl::weak_until(Ltl::not(q), p)
    }

    /// `[] <> p`: `p` holds infinitely often.
    pub fn infinitely_often(p: Self) -> Self {
        Ltl::always(Ltl::eventually(p))
    }

    /// `<> [] p`: from some position on, `p` holds for ever.
    pub fn stabilises(p: Self) -> Self {
        Ltl::eventually(Ltl::always(p))
    }

    /// `[] (p -> [] q)`: from the first `p` on, `q` holds (*universality after*).
    pub fn ever_after(p: Self, q: Self) -> Self {
        Ltl::always(Ltl::implies(p, Ltl::always(q)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lasso::holds_on_lasso;

    fn on(formula: &Ltl<char>, prefix: &str, cycle: &str) -> bool {
        let word: Vec<char> = prefix.chars().chain(cycle.chars()).collect();
        holds_on_lasso(formula, prefix.len(), word.len(), |i, a| word[i] == *a)
    }

    #[test]
    fn patterns_mean_what_they_say() {
        let p = || Ltl::atom('p');
        let q = || Ltl::atom('q');
        assert!(on(&Ltl::leads_to(p(), q()), "pppq", "x"));
        assert!(!on(&Ltl::leads_to(p(), q()), "pqp", "x"));
        assert!(on(&Ltl::precedes(p(), q()), "xp", "q"));
        assert!(on(&Ltl::precedes(p(), q()), "", "x"));
        assert!(!on(&Ltl::precedes(p(), q()), "qp", "x"));
        assert!(on(&Ltl::never(p()), "q", "x"));
        assert!(!on(&Ltl::never(p()), "qxp", "x"));
        assert!(on(&Ltl::infinitely_often(p()), "x", "xp"));
        assert!(on(&Ltl::stabilises(p()), "xq", "p"));
        assert!(!on(&Ltl::stabilises(p()), "xq", "px"));
        assert!(on(&Ltl::ever_after(p(), q()), "xxq", "x"));
        assert!(!on(&Ltl::ever_after(p(), q()), "xxp", "q"));
    }
}
