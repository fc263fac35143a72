//! What a property's automaton and the fairness constraints make of a transition.
//!
//! All that matters of a transition is its *label*: the letter, the fairness sets that are taken
//! and enabled. There are few different ones. For each, a table is made when it first occurs:
//! from each state of the automaton, where it leads and which marks that edge has. On the way of
//! a million transitions no guard of the automaton is looked at again.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::{Arc, PoisonError, RwLock};

use logic::Buchi;
use model::ExprId;

use crate::liveness::acceptance::{Plan, Source};
use crate::store::hash::FoldHasher;

/// Which outcomes hold, the first in the lowest bit: those that an automaton reads, which are one
/// word at most, and those of fairness.
pub(crate) type Letter = u128;

/// A set of marks.
pub(crate) type Marks = u128;

/// The mark of accepting edges.
pub(crate) const ACCEPTING: Marks = 1;

/// What is known of a transition, its ends aside.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Label {
    /// Which of the outcomes hold.
    pub(crate) letter: Letter,
    /// The fairness sets of which a step is taken,
    pub(crate) taken: u64,
    /// and those of which one is enabled.
    pub(crate) enabled: u64,
    /// The last state repeats: nothing is done.
    pub(crate) stutter: bool,
}

/// An edge of the automaton that can be taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Way {
    pub(crate) to: u32,
    pub(crate) marks: Marks,
}

/// What becomes of a label.
#[derive(Debug)]
pub(crate) struct Class {
    pub(crate) label: Label,
    /// The edges from each state of the automaton.
    pub(crate) edges: Vec<Vec<Way>>,
    /// From each state, the set of those that follow.
    targets: Vec<u8>,
}

type SuccessorSets = HashMap<Label, u32, BuildHasherDefault<FoldHasher>>;

/// The labels that have occurred.
pub(crate) struct Letters<'e> {
    automaton: &'e Buchi<ExprId>,
    marks: &'e [(Marks, Source)],
    /// Bytes of a set of the automaton's states.
    pub(crate) width: usize,
    known: RwLock<(SuccessorSets, Vec<Arc<Class>>)>,
}

/// One thread's view of the labels.
#[derive(Default)]
pub(crate) struct Reader {
    numbers: SuccessorSets,
    last: Option<(Label, u32)>,
    classes: Vec<Arc<Class>>,
}

impl<'e> Letters<'e> {
    pub(crate) fn new(automaton: &'e Buchi<ExprId>, plan: &'e Plan) -> Self {
        Letters {
            automaton,
            marks: &plan.marks,
            width: automaton.state_count().div_ceil(8),
            known: RwLock::default(),
        }
    }

    /// How many states the automaton has.
    pub(crate) fn states(&self) -> usize {
        self.automaton.state_count()
    }

    /// All classes so far.
    pub(crate) fn classes(&self) -> Vec<Arc<Class>> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.1.clone()
    }

    /// The number of a label's class, new or known to another thread.
    pub(crate) fn number(&self, label: Label) -> u32 {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let (numbers, classes) = &mut *known;
        *numbers.entry(label).or_insert_with(|| {
            classes.push(Arc::new(self.class(label)));
            u32::try_from(classes.len() - 1).expect("fewer labels than transitions")
        })
    }

    fn class(&self, label: Label) -> Class {
        let marks = self.marks_of(label);
        #[expect(clippy::cast_possible_truncation, reason = "what is read comes first")]
        let read = label.letter as u64;
        let mut targets = vec![0; self.automaton.state_count() * self.width];
        let mut edges = Vec::new();
        for (from, list) in self.automaton.edges.iter().enumerate() {
            let mut found: Vec<Way> = Vec::new();
            for edge in list.iter().filter(|edge| edge.label.matches(read)) {
                let to = edge.target.0;
                let accepting = if edge.accepting { ACCEPTING } else { 0 };
                let marks = marks | accepting;
                // Of two edges that lead to one state, the one that accepts is enough.
                match found.iter_mut().find(|other| other.to == to) {
                    Some(other) => other.marks |= marks,
                    None => found.push(Way { to, marks }),
                }
                targets[from * self.width + to as usize / 8] |= 1 << (to % 8);
            }
            edges.push(found);
        }
        Class {
            label,
            edges,
            targets,
        }
    }

    fn marks_of(&self, label: Label) -> Marks {
        let bit = |bits: u64, index: usize| bits >> index & 1 != 0;
        self.marks
            .iter()
            .filter(|(_, source)| match *source {
                Source::Outcome(index) => label.letter >> index & 1 != 0,
                Source::TakenOrNot(set) => bit(label.taken, set) || !bit(label.enabled, set),
                Source::Taken(set) => bit(label.taken, set),
                Source::Enabled(set) => bit(label.enabled, set),
            })
            .fold(0, |bits, (mark, _)| bits | mark)
    }
}

/// The letter that outcomes make.
#[inline]
pub(crate) fn letter(outcomes: &[i64]) -> Letter {
    let word = |outcomes: &[i64]| {
        outcomes.iter().enumerate().fold(0, |bits, (index, truth)| {
            bits | u64::from(*truth != 0) << index
        })
    };
    match outcomes.split_at_checked(64) {
        None => word(outcomes).into(),
        Some((low, high)) => Letter::from(word(low)) | Letter::from(word(high)) << 64,
    }
}

impl Reader {
    /// The number of a label's class.
    #[inline]
    pub(crate) fn number(&mut self, letters: &Letters<'_>, label: Label) -> u32 {
        match self.last {
            Some((last, number)) if last == label => number,
            _ => self.look_up(letters, label),
        }
    }

    fn look_up(&mut self, letters: &Letters<'_>, label: Label) -> u32 {
        let number = *self
            .numbers
            .entry(label)
            .or_insert_with(|| letters.number(label));
        self.last = Some((label, number));
        number
    }

    /// A class by its number.
    #[inline]
    pub(crate) fn class(&mut self, letters: &Letters<'_>, number: u32) -> &Class {
        if self.classes.len() <= number as usize {
            self.classes = letters.classes();
        }
        &self.classes[number as usize]
    }
}

impl Class {
    /// Adds the states that follow those of a set; says over how many edges.
    #[inline]
    pub(crate) fn follow(&self, from: &[u8], to: &mut [u8]) -> u64 {
        let mut edges = 0;
        for state in states(from) {
            edges += self.edges[state].len() as u64;
            let targets = &self.targets[state * to.len()..];
            for (to, targets) in to.iter_mut().zip(targets) {
                *to |= targets;
            }
        }
        edges
    }
}

/// The states in a set.
#[inline]
pub(crate) fn states(set: &[u8]) -> impl Iterator<Item = usize> + '_ {
    set.iter().enumerate().flat_map(|(byte, &bits)| {
        let mut bits = bits;
        std::iter::from_fn(move || {
            (bits != 0).then(|| {
                let bit = bits.trailing_zeros();
                bits &= bits - 1;
                byte * 8 + bit as usize
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_states() {
        assert_eq!(states(&[]).count(), 0);
        let all: Vec<usize> = states(&[0b1000_0001, 0, 0b10]).collect();
        assert_eq!(all, [0, 7, 17]);
    }
}
