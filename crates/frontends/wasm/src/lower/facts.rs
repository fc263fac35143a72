//! What is known of memories, and what one pass over a module tells the next.

use std::collections::{BTreeMap, BTreeSet};

use model::Place;

use crate::image::Image;

/// A memory as it is followed.
pub(super) struct Modelled {
    pub(super) image: Image,
    /// For each zone, whether something may have been written there.
    pub(super) dirty: Vec<Place>,
    /// Variables at constant addresses: address, width in bytes, where the value is kept.
    pub(super) cells: Vec<Cell>,
    /// Its size in pages, if that changes.
    pub(super) pages: Option<Place>,
}

/// A variable at a constant address.
#[derive(Clone)]
pub(super) struct Cell {
    pub(super) start: u64,
    pub(super) width: u64,
    pub(super) place: Place,
}

/// What one pass over the module tells the next.
#[derive(Clone, Default, Debug)]
pub(super) struct Facts {
    /// The constant addresses that are read and written: memory, address and width, and whether it
    /// is written.
    pub(super) accesses: BTreeMap<(usize, u64, u64), bool>,
    /// What code writes; none before that is found.
    pub(super) written: Option<Written>,
}

/// What code of the module may write.
#[derive(Clone, Default, Debug)]
pub(super) struct Written {
    /// Zones: their memory and where they begin.
    pub(super) zones: BTreeSet<(usize, u64)>,
    /// Variables in memory, by memory and address.
    pub(super) cells: BTreeSet<(usize, u64)>,
    /// Globals of the store.
    pub(super) globals: BTreeSet<usize>,
}

/// How many variables in memory are followed.
const MAX_CELLS: usize = 128;

impl Facts {
    pub(super) fn add(&mut self, memory: usize, start: u64, width: u64, writes: bool) {
        *self.accesses.entry((memory, start, width)).or_default() |= writes;
    }

    /// Ranges that are written and accessed as a whole only.
    pub(super) fn cells(&self, memory: usize) -> Vec<(u64, u64)> {
        let own = self.accesses.iter().filter(|((of, ..), _)| *of == memory);
        let all: Vec<(u64, u64, bool)> = own
            .map(|(&(_, start, width), &writes)| (start, width, writes))
            .collect();
        let apart = |(start, width, _): &&(u64, u64, bool)| {
            let overlap = all
                .iter()
                .filter(|(other, wide, _)| *other < start + width && *start < other + wide);
            overlap.count() == 1
        };
        let cells = all.iter().filter(|(.., writes)| *writes).filter(apart);
        cells
            .map(|(start, width, _)| (*start, *width))
            .take(MAX_CELLS)
            .collect()
    }
}
