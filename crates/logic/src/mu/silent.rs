//! Which formulas cannot see silent steps.
//!
//! A step is silent for a formula if nothing happens in it that the formula names. A formula that
//! cannot see such steps holds in two states alike if these are branching bisimilar with all such
//! steps hidden (De Nicola and Vaandrager, *Three logics for branching bisimulation*, 1995), and then
//! silent steps that decide nothing can be left out of a graph.
//!
//! What is told here is sufficient, not necessary. A set of labels is *wide* if silent ones are in it.
//! `A*` for a wide `A` takes any number of silent steps in its course; an action that is not wide needs
//! such a star before it, so that silent steps may come between; a wide action that is not repeated
//! counts steps, and so do `A+` and `tau`. Formulas that say the same with fixpoints, such as
//! `mu X. (<A> X || p)`, are read as `<A*> p`.

use super::formula::{Action, Mu, Regular, StateSetId};

/// What stands before a formula.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// Nothing that could take silent steps.
    Nothing,
    /// `<A*>`, of a wide set.
    Some,
    /// `[A*]`.
    All,
}

impl Before {
    fn dual(self) -> Before {
        match self {
            Before::Nothing => Before::Nothing,
            Before::Some => Before::All,
            Before::All => Before::Some,
        }
    }
}

impl<A, E, V> Mu<A, E, V> {
    /// Whether the formula surely cannot see steps in which nothing happens that it names. It must
    /// have no propositions: those may change in such a step.
    #[must_use]
    pub fn is_blind_to_silent_steps(&self) -> bool {
        self.is_blind(Before::Nothing)
    }

    fn is_blind(&self, before: Before) -> bool {
        match self {
            Mu::True | Mu::False | Mu::Data(_) | Mu::Variable(..) => true,
            Mu::Atom(_) => false,
            Mu::Not(p) => p.is_blind(before.dual()),
            Mu::And(ps) => Self::are_blind(ps.iter(), before, Before::All),
            Mu::Or(ps) => Self::are_blind(ps.iter(), before, Before::Some),
            Mu::Implies(p, q) => {
                let here = match before {
                    Before::Some => Before::Some,
                    _ if matches!(**p, Mu::Data(_)) => before,
                    _ => Before::Nothing,
                };
                p.is_blind(here.dual()) && q.is_blind(here)
            }
            Mu::ForAll(_, p) => p.is_blind(match before {
                Before::All => before,
                _ => Before::Nothing,
            }),
            Mu::Exists(_, p) => p.is_blind(match before {
                Before::Some => before,
                _ => Before::Nothing,
            }),
            Mu::Diamond(regular, p) => match regular.is_blind(before == Before::Some) {
                Some(true) => p.is_blind(Before::Some),
                Some(false) => p.is_blind(Before::Nothing),
                None => false,
            },
            Mu::Box(regular, p) => match regular.is_blind(before == Before::All) {
                Some(true) => p.is_blind(Before::All),
                Some(false) => p.is_blind(Before::Nothing),
                None => false,
            },
            Mu::Least(variable, _, body) => match &**body {
                Mu::Or(ps) if ps.iter().any(|p| p.goes_on(*variable, false)) => {
                    let mut rest = ps.iter().filter(|p| !p.goes_on(*variable, false));
                    rest.all(|p| p.is_blind(Before::Some))
                }
                body => body.is_blind(Before::Nothing),
            },
            Mu::Greatest(variable, _, body) => match &**body {
                Mu::And(ps) if ps.iter().any(|p| p.goes_on(*variable, true)) => {
                    let mut rest = ps.iter().filter(|p| !p.goes_on(*variable, true));
                    rest.all(|p| p.is_blind(Before::All))
                }
                body => body.is_blind(Before::Nothing),
            },
        }
    }

    /// Several formulas that are put together by what `own` goes through: `[A*]` is true of a
    /// conjunction if it is of each, `<A*>` of a disjunction if it is of one.
    fn are_blind<'m>(
        ps: impl Iterator<Item = &'m Self> + Clone,
        before: Before,
        own: Before,
    ) -> bool
    where
        A: 'm,
        E: 'm,
        V: 'm,
    {
        let several = ps.clone().filter(|p| !matches!(p, Mu::Data(_))).count() > 1;
        let inside = if several && before != own {
            Before::Nothing
        } else {
            before
        };
        ps.into_iter().all(|p| p.is_blind(inside))
    }

    /// Whether this is `<A> X`, or `[A] X`, of a wide set.
    fn goes_on(&self, variable: StateSetId, all: bool) -> bool {
        match self {
            Mu::Diamond(Regular::Action(action), p) if !all => {
                action.is_wide() == Some(true) && p.is_plain(variable)
            }
            Mu::Box(Regular::Action(action), p) if all => {
                action.is_wide() == Some(true) && p.is_plain(variable)
            }
            _ => false,
        }
    }
}

impl<A, E, V> Mu<A, E, V> {
    /// Whether this is the set of a fixpoint that has no parameters.
    fn is_plain(&self, variable: StateSetId) -> bool {
        matches!(self, Mu::Variable(v, args) if *v == variable && args.is_empty())
    }
}

impl<E, V> Regular<E, V> {
    /// Whether silent letters make no difference to the words of the formula: then, whether any
    /// number of them may stand at the end. `free` says whether they may before it.
    fn is_blind(&self, free: bool) -> Option<bool> {
        match self {
            Regular::Action(action) => {
                let narrow = action.is_wide() == Some(false);
                (narrow && free).then_some(false)
            }
            Regular::Sequence(parts) => parts
                .iter()
                .try_fold(free, |free, part| part.is_blind(free)),
            Regular::Choice(parts) => {
                let mut all = true;
                for part in parts.iter() {
                    all &= part.is_blind(free)?;
                }
                Some(all)
            }
            Regular::Star(part) => match &**part {
                Regular::Action(action) if action.is_wide() == Some(true) => Some(true),
                // Of a narrow one, no silent letter may stand between its letters.
                part => {
                    let ends = part.is_blind(false)?;
                    Some(free && ends)
                }
            },
            Regular::Plus(part) => match &**part {
                Regular::Action(_) => None,
                part => {
                    part.is_blind(false)?;
                    part.is_blind(free)
                }
            },
        }
    }
}

impl<E, V> Action<E, V> {
    /// Whether labels in which nothing happens that is named are in the set; `None` if that
    /// depends, or the set tells such labels apart.
    fn is_wide(&self) -> Option<bool> {
        match self {
            Action::Any => Some(true),
            Action::None | Action::Happens(..) | Action::Together(_) => Some(false),
            Action::Silent | Action::Data(_) => None,
            Action::Not(p) => p.is_wide().map(|wide| !wide),
            Action::And(ps) => ps
                .iter()
                .try_fold(true, |all, p| p.is_wide().map(|wide| all && wide)),
            Action::Or(ps) => ps
                .iter()
                .try_fold(false, |any, p| p.is_wide().map(|wide| any || wide)),
            // Of no value at all the one holds of all labels, the other of none.
            Action::ForAll(_, p) => p.is_wide().filter(|wide| *wide),
            Action::Exists(_, p) => p.is_wide().filter(|wide| !*wide),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Vocabulary, parse};

    struct Any;

    impl Vocabulary for Any {
        type Atom = String;
        type Event = String;
        type Value = String;
        type Error = String;

        fn proposition(&mut self, text: &str, _: usize) -> Result<String, String> {
            Ok(text.to_owned())
        }

        fn event(&mut self, name: &str, _: usize, _: usize) -> Result<String, String> {
            Ok(name.to_owned())
        }

        fn constant(
            &mut self,
            text: &str,
            _: Option<(&String, usize)>,
            _: usize,
        ) -> Result<String, String> {
            Ok(text.to_owned())
        }
    }

    #[test]
    fn what_counts_steps_sees_silent_ones() {
        let cases = [
            ("[true* . a] <true* . b> true", true),
            ("[true* . a] <b> true", false),
            ("[true* . a . b] false", false),
            ("[true* . a . (!c)* . b] false", true),
            ("[true* . (a + b)] false", true),
            ("[true* . a] mu X. (<!b> X || <c> true)", true),
            ("[true* . a] mu X. (<!b> X || <c> true && <d> true)", false),
            ("[true* . a] mu X. (<true> true && [!b] X)", false),
            ("[true*] <true> true", false),
            ("[true+ . a] false", false),
            ("[true* . tau] false", false),
            ("[a] false", false),
            ("[true*] forall n. (val(n < 3) => [a(n)] false)", true),
            ("[true*] exists n. [a(n)] false", false),
            ("nu X. ([a] false && [true] X)", true),
            ("[(true* . a)* . true* . b] false", true),
            ("[(a)* . b] false", false),
            ("[true*] {p}", false),
        ];
        for (text, expected) in cases {
            let formula = parse(text, &mut Any).unwrap();
            assert_eq!(formula.is_blind_to_silent_steps(), expected, "{text}");
        }
    }
}
