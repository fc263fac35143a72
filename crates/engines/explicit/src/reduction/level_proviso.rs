//! The proviso of a reduced breadth-first search: some successor must lie further on.
//!
//! Where only [some moves](crate::reduction::partial_order) are explored of a state, the others must not be put off
//! for ever. In a search for what can be reached it is enough that one of the successors is
//! explored later than the state itself (Bošnački, Leue and Lluch Lafuente, *Partial-order
//! reduction for general state exploring algorithms*, STTT 11, 2009): from successor to such
//! successor one comes, in finitely many steps, to a state of which everything is explored, and
//! what was put off can be done there just as well. Here it must lie in the next level. As that
//! does not depend on who is faster, the states found are the same for any number of threads.
//!
//! States are looked up in batches, so it turns out a little later whether an expansion leads on;
//! one that does not is made again, in full.

use std::collections::VecDeque;
use std::ops::Range;

use crate::search::block::Block;
use crate::store::{Inserted, StateId, Store};

/// Which states lie in the present level or one before.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    /// All below this number,
    end: u32,
    /// but for these.
    open: Vec<Range<u32>>,
    /// Whether numbers of known states are told.
    numbered: bool,
}

impl Known {
    /// What is known now, apart from what has been found of the next level.
    pub(crate) fn now(store: &Store, next: &[Block]) -> Known {
        let mut open = store.holes();
        open.extend(next.iter().map(|block| block.ids.clone()));
        Known {
            end: store.end(),
            open,
            numbered: store.is_numbered(),
        }
    }

    fn is_onward(&self, found: Inserted) -> bool {
        let id = found.id.0;
        found.new
            || self.numbered
                && (id >= self.end || self.open.iter().any(|range| range.contains(&id)))
    }
}

/// A reduced expansion of which it is not known yet whether it leads on.
#[derive(Clone, Debug)]
pub(crate) struct Undetermined {
    expansion: u32,
    pub(crate) id: StateId,
    /// The state, if the store cannot give it back.
    pub(crate) stored: Vec<u64>,
    /// How many transitions were made.
    pub(crate) transitions: u64,
}

/// Expansions under the proviso.
#[derive(Default)]
pub(crate) struct LevelProviso {
    known: Option<Known>,
    /// In the order in which they were made.
    doubts: VecDeque<Undetermined>,
    /// Those that do not lead on.
    again: Vec<Undetermined>,
}

impl LevelProviso {
    /// Begins a level; nothing if the proviso does not apply.
    pub(crate) fn begin(&mut self, known: Option<Known>) {
        self.known = known;
        self.doubts.clear();
        self.again.clear();
    }

    /// Whether the proviso applies.
    pub(crate) fn applies(&self) -> bool {
        self.known.is_some()
    }

    /// An expansion begins that may be reduced.
    pub(crate) fn doubt(&mut self, expansion: u32, id: StateId, stored: &[u64]) {
        self.doubts.push_back(Undetermined {
            expansion,
            id,
            stored: stored.to_vec(),
            transitions: 0,
        });
    }

    /// It has ended after so many transitions, reduced or not.
    pub(crate) fn expanded(&mut self, expansion: u32, reduced: bool, transitions: u64) {
        // It may have turned out before that it leads on.
        if let Some(last) = self.doubts.back_mut().filter(|d| d.expansion == expansion) {
            last.transitions = transitions;
            if !reduced {
                self.doubts.pop_back();
            }
        }
    }

    /// A state found in an expansion has been looked up; all found in earlier ones have been.
    #[inline]
    pub(crate) fn looked_up(&mut self, expansion: u32, found: Inserted) {
        let Some(known) = &self.known else { return };
        while let Some(first) = self.doubts.front() {
            if first.expansion > expansion {
                return;
            }
            if first.expansion < expansion {
                self.again.extend(self.doubts.pop_front());
                continue;
            }
            if known.is_onward(found) {
                self.doubts.pop_front();
            }
            return;
        }
    }

    /// Everything found has been looked up.
    pub(crate) fn all_looked_up(&mut self) {
        self.again.extend(self.doubts.drain(..));
    }

    /// One that has to be made again, in full.
    pub(crate) fn next_again(&mut self) -> Option<Undetermined> {
        self.again.pop()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(id: u32, new: bool) -> Inserted {
        Inserted {
            id: StateId(id),
            new,
        }
    }

    #[test]
    fn what_leads_back_is_made_again() {
        let mut leads_on = LevelProviso::default();
        leads_on.begin(Some(Known {
            end: 10,
            open: vec![4..6, 8..8],
            numbered: true,
        }));
        for expansion in 1..=5 {
            leads_on.doubt(expansion, StateId(expansion), &[]);
            // The fourth is not reduced.
            leads_on.expanded(expansion, expansion != 4, 1);
        }
        // Within the level, in a gap left open when it began, and behind it.
        leads_on.looked_up(1, found(3, false));
        leads_on.looked_up(2, found(5, false));
        leads_on.looked_up(3, found(9, false));
        leads_on.looked_up(3, found(10, false));
        leads_on.looked_up(4, found(3, false));
        leads_on.looked_up(5, found(9, false));
        leads_on.all_looked_up();
        let mut again: Vec<u32> = Vec::new();
        while let Some(doubt) = leads_on.next_again() {
            again.push(doubt.id.0);
        }
        again.sort_unstable();
        assert_eq!(again, [1, 5]);
    }
}
