//! What a formula says of values that have not been seen yet.
//!
//! A quantifier over the values that labels have is a conjunction, or a disjunction, that grows with
//! the graph. On a part of the graph a formula with such a conjunction may hold that does not hold on
//! the whole, and one with such a disjunction may fail.

use super::formula::{Action, Domain, Mu, Regular};

impl<V> Domain<V> {
    /// Whether which values there are depends on the labels.
    fn depends_on_labels(&self) -> bool {
        !matches!(self, Domain::Stated(_))
    }
}

/// Which quantifiers over values that occur a formula has, once negations are at its atoms.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Occurring {
    /// Some say *for each*.
    pub universally: bool,
    /// Some say *for one*.
    pub existentially: bool,
}

impl<A, E, V> Mu<A, E, V> {
    /// Which quantifiers there are over the values that labels have.
    #[must_use]
    pub fn quantifies_over_what_occurs(&self) -> Occurring {
        let mut found = Occurring::default();
        self.look(true, &mut found);
        found
    }

    fn look(&self, positive: bool, found: &mut Occurring) {
        match self {
            Mu::True | Mu::False | Mu::Data(_) | Mu::Variable(..) | Mu::Atom(_) => {}
            Mu::Not(p) => p.look(!positive, found),
            Mu::And(ps) | Mu::Or(ps) => ps.iter().for_each(|p| p.look(positive, found)),
            Mu::Implies(p, q) => {
                p.look(!positive, found);
                q.look(positive, found);
            }
            Mu::Box(regular, p) | Mu::Diamond(regular, p) => {
                if regular.quantifies() {
                    // Which labels it means may change with the values that there are.
                    (found.universally, found.existentially) = (true, true);
                }
                p.look(positive, found);
            }
            Mu::Least(_, _, p) | Mu::Greatest(_, _, p) => p.look(positive, found),
            Mu::ForAll(binder, p) | Mu::Exists(binder, p) => {
                if binder.domain.depends_on_labels() {
                    let all = matches!(self, Mu::ForAll(..)) == positive;
                    found.universally |= all;
                    found.existentially |= !all;
                }
                p.look(positive, found);
            }
        }
    }
}

impl<E, V> Regular<E, V> {
    fn quantifies(&self) -> bool {
        match self {
            Regular::Action(action) => action.quantifies(),
            Regular::Sequence(parts) | Regular::Choice(parts) => {
                parts.iter().any(Regular::quantifies)
            }
            Regular::Star(part) | Regular::Plus(part) => part.quantifies(),
        }
    }
}

impl<E, V> Action<E, V> {
    fn quantifies(&self) -> bool {
        match self {
            Action::Any
            | Action::None
            | Action::Silent
            | Action::Happens(..)
            | Action::Together(_)
            | Action::Data(_) => false,
            Action::Not(inner) => inner.quantifies(),
            Action::And(parts) | Action::Or(parts) => parts.iter().any(Action::quantifies),
            Action::ForAll(binder, inner) | Action::Exists(binder, inner) => {
                binder.domain.depends_on_labels() || inner.quantifies()
            }
        }
    }
}
