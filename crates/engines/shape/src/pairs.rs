//! Sets of pairs of truth values: what something was before an action, and what it is after it.
//!
//! A value that nobody changes is `{(0,0), (1,1)}` even where it is not known: this is what re-evaluation
//! of a formula forgets, and what derived updates keep.

use crate::matrix::Row;
use crate::set::Set;

/// For each individual the pairs that there may be, as a set of individuals for each pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Pairs<S> {
    /// The individuals of which it may neither hold before nor after.
    pub(crate) never: S,
    /// Those of which it may begin to hold.
    pub(crate) gained: S,
    /// Those of which it may cease to hold.
    pub(crate) lost: S,
    /// Those of which it may hold before and after.
    pub(crate) kept: S,
}

impl<S: Set> Pairs<S> {
    /// A value that does not change.
    pub(crate) fn same(row: Row<S>, individuals: S) -> Pairs<S> {
        Pairs {
            never: individuals & !row.must,
            kept: row.may,
            ..Pairs::default()
        }
    }

    /// Any value before and after.
    pub(crate) fn any(individuals: S) -> Pairs<S> {
        Pairs {
            never: individuals,
            gained: individuals,
            lost: individuals,
            kept: individuals,
        }
    }

    /// Values before, and after them what follows from false and what follows from true.
    pub(crate) fn of(
        before: Row<S>,
        of_false: Row<S>,
        of_true: Row<S>,
        individuals: S,
    ) -> Pairs<S> {
        let may_be_false = individuals & !before.must;
        Pairs {
            never: may_be_false & !of_false.must,
            gained: may_be_false & of_false.may,
            lost: before.may & !of_true.must,
            kept: before.may & of_true.may,
        }
    }

    /// The pairs of one individual, for each of these.
    pub(crate) fn spread(self, individual: usize, individuals: S) -> Pairs<S> {
        let all = |word: S| individuals.given(word.has(individual));
        Pairs {
            never: all(self.never),
            gained: all(self.gained),
            lost: all(self.lost),
            kept: all(self.kept),
        }
    }

    /// Takes the pairs of an individual from those of another.
    pub(crate) fn set(&mut self, individual: usize, from: Pairs<S>, other: usize) {
        let put = |word: &mut S, bits: S| {
            let bit = S::only(individual);
            *word = *word & !bit | bit.given(bits.has(other));
        };
        put(&mut self.never, from.never);
        put(&mut self.gained, from.gained);
        put(&mut self.lost, from.lost);
        put(&mut self.kept, from.kept);
    }

    /// The values before.
    pub(crate) fn before(self) -> Row<S> {
        let may = self.lost | self.kept;
        Row {
            may,
            must: may & !(self.never | self.gained),
        }
    }

    /// The values after.
    pub(crate) fn after(self) -> Row<S> {
        let may = self.gained | self.kept;
        Row {
            may,
            must: may & !(self.never | self.lost),
        }
    }

    /// Those that agree with what is known of the values before.
    pub(crate) fn restricted(self, before: Row<S>) -> Pairs<S> {
        Pairs {
            never: self.never & !before.must,
            gained: self.gained & !before.must,
            lost: self.lost & before.may,
            kept: self.kept & before.may,
        }
    }

    /// For these individuals, any value before.
    pub(crate) fn any_before(self, individuals: S) -> Pairs<S> {
        let without = (self.never | self.lost) & individuals;
        let with = (self.gained | self.kept) & individuals;
        Pairs {
            never: self.never | without,
            gained: self.gained | with,
            lost: self.lost | without,
            kept: self.kept | with,
        }
    }

    /// Outside of `old` nothing holds before, outside of `stays` nothing after.
    pub(crate) fn within(self, old: S, stays: S) -> Pairs<S> {
        let Pairs {
            mut never,
            mut gained,
            mut lost,
            mut kept,
        } = self;
        never |= lost & !old;
        gained |= kept & !old;
        (lost, kept) = (lost & old, kept & old);
        never |= gained & !stays;
        lost |= kept & !stays;
        (gained, kept) = (gained & stays, kept & stays);
        Pairs {
            never,
            gained,
            lost,
            kept,
        }
    }

    /// The individuals for which there is no pair.
    pub(crate) fn none(self, individuals: S) -> S {
        individuals & !(self.never | self.gained | self.lost | self.kept)
    }

    pub(crate) fn not(self) -> Pairs<S> {
        Pairs {
            never: self.kept,
            gained: self.lost,
            lost: self.gained,
            kept: self.never,
        }
    }

    pub(crate) fn or(self, other: Pairs<S>) -> Pairs<S> {
        let (a, b) = (self, other);
        let any = |one: Pairs<S>| one.never | one.gained | one.lost | one.kept;
        Pairs {
            never: a.never & b.never,
            gained: a.gained & (b.never | b.gained) | a.never & b.gained,
            lost: a.lost & (b.never | b.lost) | a.never & b.lost,
            kept: a.kept & any(b) | any(a) & b.kept | a.gained & b.lost | a.lost & b.gained,
        }
    }

    pub(crate) fn and(self, other: Pairs<S>) -> Pairs<S> {
        self.not().or(other.not()).not()
    }

    /// One where this holds, another where it does not.
    pub(crate) fn choose(self, then: Pairs<S>, otherwise: Pairs<S>) -> Pairs<S> {
        let (test, a, b) = (self, then, otherwise);
        let was = |one: Pairs<S>| (one.never | one.gained, one.lost | one.kept);
        let is = |one: Pairs<S>| (one.never | one.lost, one.gained | one.kept);
        let ((a_was_false, a_was_true), (a_is_false, a_is_true)) = (was(a), is(a));
        let ((b_was_false, b_was_true), (b_is_false, b_is_true)) = (was(b), is(b));
        // Where the test changes, the value before is of one part and the value after of the other.
        let mixed = |a_was: S, b_is: S, b_was: S, a_is: S| {
            test.lost & a_was & b_is | test.gained & b_was & a_is
        };
        let steady = |a: S, b: S| test.kept & a | test.never & b;
        Pairs {
            never: steady(a.never, b.never)
                | mixed(a_was_false, b_is_false, b_was_false, a_is_false),
            gained: steady(a.gained, b.gained)
                | mixed(a_was_false, b_is_true, b_was_false, a_is_true),
            lost: steady(a.lost, b.lost) | mixed(a_was_true, b_is_false, b_was_true, a_is_false),
            kept: steady(a.kept, b.kept) | mixed(a_was_true, b_is_true, b_was_true, a_is_true),
        }
    }

    /// What holds of some individual, as the pairs of one; each stands for several if `summary` says so.
    pub(crate) fn some(self, individuals: S, summary: S) -> Pairs<S> {
        let mut all = Pairs {
            never: S::only(0),
            ..Pairs::default()
        };
        // Of several, one may gain it and another one lose it.
        let several = self.gained & self.lost & summary;
        let each = Pairs {
            kept: self.kept | several,
            ..self
        };
        let changing = each.gained | each.lost | each.kept;
        for individual in (individuals & (changing | each.none(individuals))).members() {
            let mut one = Pairs::default();
            one.set(0, each, individual);
            all = all.or(one);
        }
        all
    }
}
