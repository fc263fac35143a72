//! Formulas over what happens that cannot see steps in which nothing happens.
//!
//! Where atoms are events, a step of which a formula says nothing is a letter in which no atom holds. To
//! leave out a stuttered letter is one thing, to leave out an empty one another: `a U b` holds of *a b*
//! and does not of *a, nothing, b*. What a formula is at an empty letter that stands before a word is
//! either certain, or the same as at the word itself; from that of the operands follows that of the
//! formula, operator by operator, or that nothing can be said. The test is sufficient, not necessary.

use std::sync::Arc;

use crate::ltl::Ltl;

/// What a formula is at an empty letter before a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// It holds, or does not.
    Certain(bool),
    /// What it is at the word.
    Same,
}

impl Before {
    fn not(self) -> Before {
        match self {
            Before::Certain(holds) => Before::Certain(!holds),
            Before::Same => Before::Same,
        }
    }

    /// Several, of which one with the value decides. Where none does, they have to be of one kind: what one
    /// of them is at the word may differ from what it certainly is before it.
    fn any(all: impl IntoIterator<Item = Before>, value: bool) -> Option<Before> {
        let all: Vec<Before> = all.into_iter().collect();
        let decisive = Before::Certain(value);
        if all.contains(&decisive) {
            return Some(decisive);
        }
        let first = *all.first().unwrap_or(&Before::Certain(!value));
        all.iter().all(|part| *part == first).then_some(first)
    }
}

impl<A> Ltl<A> {
    /// Whether empty letters, in which no atom holds, surely make no difference behind the first letter.
    ///
    /// ```
    /// use logic::Ltl;
    ///
    /// let [asks, answers] = ["asks", "answers"].map(Ltl::atom);
    /// assert!(Ltl::leads_to(asks.clone(), answers.clone()).is_blind_to_empty_letters());
    /// assert!(!Ltl::until(asks, answers).is_blind_to_empty_letters());
    /// ```
    pub fn is_blind_to_empty_letters(&self) -> bool {
        self.before().is_some()
    }

    fn before(&self) -> Option<Before> {
        let all = |parts: &Arc<[Ltl<A>]>| parts.iter().map(Ltl::before).collect::<Option<Vec<_>>>();
        let (no, yes, same) = (Before::Certain(false), Before::Certain(true), Before::Same);
        match self {
            Ltl::True => Some(yes),
            Ltl::False | Ltl::Atom(_) => Some(no),
            Ltl::Not(p) => Some(p.before()?.not()),
            Ltl::And(parts) => Before::any(all(parts)?, false),
            Ltl::Or(parts) => Before::any(all(parts)?, true),
            Ltl::Implies(p, q) => Before::any([p.before()?.not(), q.before()?], true),
            Ltl::Iff(p, q) => match (p.before()?, q.before()?) {
                (Before::Certain(a), Before::Certain(b)) => Some(Before::Certain(a == b)),
                (Before::Same, Before::Same) => Some(same),
                _ => None,
            },
            Ltl::Next(_) => None,
            Ltl::Eventually(p) => (p.before()? != yes).then_some(same),
            Ltl::Always(p) => (p.before()? != no).then_some(same),
            Ltl::Until(p, q) | Ltl::WeakUntil(p, q) => {
                let parts = (p.before()?, q.before()?);
                (parts == (yes, no) || parts == (yes, same) || parts == (same, same))
                    .then_some(same)
            }
            Ltl::Release(p, q) => {
                let parts = (p.before()?, q.before()?);
                (parts == (no, yes) || parts == (no, same) || parts == (same, same)).then_some(same)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lasso::holds_on_lasso;
    use crate::parse;

    /// A small generator of random numbers (xorshift).
    struct Random(fastrand::Rng);

    impl Random {
        fn below(&mut self, limit: u64) -> u64 {
            self.0.u64(..limit)
        }

        fn formula(&mut self, depth: u32) -> Ltl<u8> {
            if depth == 0 {
                return match self.below(8) {
                    0 => Ltl::True,
                    n => Ltl::atom((n % 2) as u8),
                };
            }
            let (p, q) = (self.formula(depth - 1), self.formula(depth - 1));
            match self.below(10) {
                0 => Ltl::not(p),
                1 => Ltl::and(p, q),
                2 => Ltl::or(p, q),
                3 => Ltl::implies(p, q),
                4 => Ltl::Iff(Arc::new(p), Arc::new(q)),
                5 => Ltl::eventually(p),
                6 => Ltl::always(p),
                7 => Ltl::until(p, q),
                8 => Ltl::release(p, q),
                _ => Ltl::WeakUntil(Arc::new(p), Arc::new(q)),
            }
        }
    }

    /// Letters are sets of two atoms; the first is empty, as that of an initial state.
    #[test]
    fn words_with_and_without_empty_letters_are_one() {
        let mut random = Random(fastrand::Rng::with_seed(0x9e37_79b9_7f4a_7c15));
        let (mut blind, mut told_apart) = (0, 0);
        for _ in 0..100_000 {
            let formula = random.formula(3);
            let mut word: Vec<u8> = vec![0];
            for _ in 0..=random.below(5) {
                word.push(random.below(4) as u8);
            }
            let loop_start = 1 + random.below(word.len() as u64 - 1) as usize;
            let at = 1 + random.below(word.len() as u64 - 1) as usize;
            let mut longer = word.clone();
            longer.insert(at, 0);
            let holds = |word: &[u8], start: usize| {
                let reads = |at: usize, atom: &u8| word[at] >> atom & 1 == 1;
                holds_on_lasso(&formula, start, word.len(), reads)
            };
            let start = if at < loop_start {
                loop_start + 1
            } else {
                loop_start
            };
            let same = holds(&word, loop_start) == holds(&longer, start);
            if formula.is_blind_to_empty_letters() {
                assert!(same, "{formula:?} {word:?} {loop_start} {at}");
                blind += 1;
            } else {
                told_apart += usize::from(!same);
            }
        }
        assert!(blind > 5000 && told_apart > 1000, "{blind} {told_apart}");
    }

    #[test]
    fn what_people_write_is_blind() {
        let cases = [
            ("[] (a -> <> b)", true),
            ("!a W b", true),
            ("!a U b", true),
            ("[] (a -> (!b W c))", true),
            ("<> a -> <> b", true),
            ("[] <> a", true),
            ("a U b", false),
            ("[] a", false),
            ("<> !a", false),
            ("[] (a -> X b)", false),
            ("a && (a U b)", false),
            ("[] (a || <> b)", false),
            ("[] (<> a || <> b)", true),
        ];
        for (text, expected) in cases {
            let formula = parse(text, |atom, _| Ok::<_, ()>(atom.to_owned())).unwrap();
            assert_eq!(formula.is_blind_to_empty_letters(), expected, "{text}");
        }
    }
}
