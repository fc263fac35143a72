//! What is known of the values of a class of variables: what they are compared with, and what is asked
//! of them.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::term::{Pattern, VarId};
use crate::types::Type;

/// What the script, its properties and its observers can tell of the values of a class.
#[derive(Clone, Default, Debug)]
pub(super) struct Facts {
    /// Texts that stand in the script where values of the class go or are compared.
    pub(super) texts: BTreeSet<Rc<str>>,
    pub(super) ints: BTreeSet<i64>,
    /// By their bits.
    pub(super) reals: BTreeSet<u64>,
    /// Terms without variables.
    pub(super) terms: Vec<Pattern>,
    /// What is asked of numbers, reals, texts and other terms among them.
    pub(super) asked: [Asked; 4],
    /// Which of them go into notes, of which many may wait.
    pub(super) in_notes: Kinds,
    /// The variables that may hold them.
    pub(super) members: Vec<(usize, VarId)>,
    /// The words of the events that bring values of a kind, and how many each brings at once.
    pub(super) origins: BTreeMap<(String, Kinds), usize>,
    /// Whether reals among them may be what is no number, because they are computed.
    pub(super) no_numbers: bool,
    /// Whether two reals that are both computed may be asked to be the same.
    pub(super) same_reals: bool,
    /// Whether the arguments of terms are asked for.
    pub(super) arguments: bool,
}

/// What is asked of the values of a kind.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Asked {
    /// Whether anything is asked of them at all.
    pub(super) looked_at: bool,
    /// Whether two of them may be compared with each other.
    pub(super) compared: bool,
    /// Whether numbers are compared with literals by their order.
    pub(super) ordered: bool,
    /// Whether numbers are compared with each other by their order, or computed with.
    pub(super) computed: bool,
    /// Whether texts are put together.
    pub(super) joined: bool,
    /// Whether it is asked how they are made: what type they have, what parts.
    pub(super) taken_apart: bool,
    /// The variables of formulas that stand for them.
    pub(super) formula_variables: usize,
}

impl Asked {
    fn join(&mut self, other: Asked) {
        self.looked_at |= other.looked_at;
        self.compared |= other.compared;
        self.ordered |= other.ordered;
        self.computed |= other.computed;
        self.joined |= other.joined;
        self.taken_apart |= other.taken_apart;
        self.formula_variables += other.formula_variables;
    }
}

/// Kinds of values: a set of numbers, reals, texts, other terms. Truth values are of none: there are two.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(super) struct Kinds(pub(super) u8);

impl Kinds {
    pub(super) const NONE: Kinds = Kinds(0);
    pub(super) const INT: Kinds = Kinds(1);
    pub(super) const REAL: Kinds = Kinds(2);
    pub(super) const TEXT: Kinds = Kinds(4);
    pub(super) const OTHER: Kinds = Kinds(8);
    pub(super) const ALL: Kinds = Kinds(15);

    /// What may stand in values of a type.
    pub(super) fn of(ty: &Type) -> Kinds {
        match ty {
            Type::Bool => Kinds::NONE,
            Type::Int => Kinds::INT,
            Type::Real => Kinds::REAL,
            Type::Str | Type::Bstr => Kinds::TEXT,
            Type::Term | Type::List(None) | Type::Apply(_, None) => Kinds::ALL,
            Type::List(Some(item)) => Kinds::OTHER.or(Kinds::of(item)),
            Type::Tuple(all) | Type::Apply(_, Some(all)) => {
                all.iter().map(Kinds::of).fold(Kinds::OTHER, Kinds::or)
            }
        }
    }

    pub(super) fn or(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }

    pub(super) fn meets(self, other: Kinds) -> bool {
        self.and(other) != Kinds::NONE
    }

    pub(super) fn and(self, other: Kinds) -> Kinds {
        Kinds(self.0 & other.0)
    }
}

impl Facts {
    /// What is asked of numbers.
    pub(super) fn of_ints(&self) -> Asked {
        self.asked[0]
    }

    /// What is asked of reals.
    pub(super) fn of_reals(&self) -> Asked {
        self.asked[1]
    }

    /// What is asked of texts.
    pub(super) fn of_texts(&self) -> Asked {
        self.asked[2]
    }

    /// What is asked of terms, whatever they are.
    pub(super) fn of_all(&self) -> Asked {
        let mut all = Asked::default();
        self.asked.into_iter().for_each(|asked| all.join(asked));
        all
    }

    pub(super) fn join(&mut self, other: Facts) {
        self.texts.extend(other.texts);
        self.ints.extend(other.ints);
        self.reals.extend(other.reals);
        for term in other.terms {
            if !self.terms.contains(&term) {
                self.terms.push(term);
            }
        }
        for (own, other) in self.asked.iter_mut().zip(other.asked) {
            own.join(other);
        }
        self.no_numbers |= other.no_numbers;
        self.same_reals |= other.same_reals;
        self.arguments |= other.arguments;
        self.in_notes = self.in_notes.or(other.in_notes);
        self.members.extend(other.members);
        for (word, count) in other.origins {
            *self.origins.entry(word).or_default() += count;
        }
    }
}
