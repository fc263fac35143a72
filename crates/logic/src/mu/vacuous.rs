//! What formulas come to if some actions never happen.

use super::formula::{Action, Mu, Pattern, Regular};

/// An action that a formula names, with what its arguments look like.
type Named<'f, E, V> = (&'f E, &'f [Pattern<V>]);

impl<A, E, V> Mu<A, E, V> {
    /// Whether the formula holds everywhere, or nowhere, if some actions never happen; nothing if that
    /// depends on more. A formula that holds for no other reason says nothing of a graph: it is *vacuous*
    /// (Beer, Ben-David, Eisner and Rodeh, *Efficient detection of vacuity in ACTL formulas*, CAV 1997).
    pub fn truth_if_never(&self, never: &dyn Fn(Named<'_, E, V>) -> bool) -> Option<bool> {
        let all = |parts: &[Self]| -> Vec<Option<bool>> {
            parts
                .iter()
                .map(|part| part.truth_if_never(never))
                .collect()
        };
        let not = |part: &Self| part.truth_if_never(never).map(|truth| !truth);
        match self {
            Mu::True => Some(true),
            Mu::False => Some(false),
            Mu::Atom(_) | Mu::Data(_) | Mu::Variable(..) => None,
            Mu::Not(part) => not(part),
            Mu::And(parts) => all_hold(&all(parts)),
            Mu::Or(parts) => one_holds(&all(parts)),
            Mu::Implies(a, b) => one_holds(&[not(a), b.truth_if_never(never)]),
            Mu::Box(regular, part) => one_holds(&[
                regular.is_without_words(never).then_some(true),
                part.truth_if_never(never),
            ]),
            Mu::Diamond(regular, part) => all_hold(&[
                regular.is_without_words(never).then_some(false),
                part.truth_if_never(never),
            ])
            .filter(|truth| !truth),
            Mu::Least(_, _, part)
            | Mu::Greatest(_, _, part)
            | Mu::ForAll(_, part)
            | Mu::Exists(_, part) => part.truth_if_never(never),
        }
    }
}

impl<E, V> Regular<E, V> {
    /// Whether it surely describes no run.
    fn is_without_words(&self, never: &dyn Fn(Named<'_, E, V>) -> bool) -> bool {
        match self {
            Regular::Action(action) => action.is_impossible(never),
            Regular::Sequence(parts) => parts.iter().any(|part| part.is_without_words(never)),
            Regular::Choice(parts) => parts.iter().all(|part| part.is_without_words(never)),
            Regular::Star(_) => false,
            Regular::Plus(part) => part.is_without_words(never),
        }
    }
}

impl<E, V> Action<E, V> {
    fn is_impossible(&self, never: &dyn Fn(Named<'_, E, V>) -> bool) -> bool {
        match self {
            Action::None => true,
            Action::Happens(event, patterns) => never((event, patterns)),
            Action::Together(all) => all.iter().any(|(event, patterns)| never((event, patterns))),
            Action::And(parts) => parts.iter().any(|part| part.is_impossible(never)),
            Action::Or(parts) => parts.iter().all(|part| part.is_impossible(never)),
            Action::ForAll(_, part) | Action::Exists(_, part) => part.is_impossible(never),
            Action::Any | Action::Silent | Action::Data(_) | Action::Not(_) => false,
        }
    }
}

/// Whether all of some formulas hold, as far as is known of each.
#[must_use]
pub fn all_hold(parts: &[Option<bool>]) -> Option<bool> {
    if parts.contains(&Some(false)) {
        return Some(false);
    }
    parts.iter().all(|part| *part == Some(true)).then_some(true)
}

/// Whether one of some formulas holds, as far as is known of each.
#[must_use]
pub fn one_holds(parts: &[Option<bool>]) -> Option<bool> {
    let not: Vec<Option<bool>> = parts.iter().map(|part| part.map(|truth| !truth)).collect();
    all_hold(&not).map(|truth| !truth)
}
