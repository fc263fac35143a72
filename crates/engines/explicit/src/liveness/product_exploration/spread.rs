//! States of the automaton on their way along the transitions of a state.

use std::sync::atomic::Ordering;

use super::shared::Common;
use crate::liveness::automaton_labels::Reader;
use crate::liveness::product_graph::Pace;
use crate::store::Full;

/// Whether a set has a state of the automaton.
pub(super) fn has(set: &[u8], state: u32) -> bool {
    set[state as usize / 8] >> (state % 8) & 1 != 0
}

/// States of the automaton on their way along the transitions of a state.
pub(super) struct Spread {
    /// The class read last, and the states of the automaton that it was read with.
    class: Option<u32>,
    from: Vec<u8>,
    to: Vec<u8>,
    /// Edges of the product for each transition.
    pub(super) edges: u64,
    goal: bool,
}

impl Spread {
    pub(super) fn new(width: usize) -> Self {
        Spread {
            class: None,
            from: vec![0; width],
            to: vec![0; width],
            edges: 0,
            goal: false,
        }
    }

    /// Finds out where those of a set go with a class.
    #[inline(always)]
    pub(super) fn read(
        &mut self,
        reader: &mut Reader,
        common: &Common<'_>,
        from: &[u8],
        class: u32,
    ) {
        // Byte by byte: sets are too short for a call.
        let same = |(a, b): (&u8, &u8)| a == b;
        if self.class != Some(class) || !self.from.iter().zip(from).all(same) {
            self.read_other(reader, common, from, class);
        }
    }

    fn read_other(&mut self, reader: &mut Reader, common: &Common<'_>, from: &[u8], class: u32) {
        self.class = Some(class);
        self.from.copy_from_slice(from);
        self.to.fill(0);
        let class = reader.class(&common.letters, class);
        self.edges = class.follow(from, &mut self.to);
        self.goal = common.goal.is_some_and(|goal| has(&self.to, goal));
    }

    /// Marks where they go; says how many of them are new there, and whether that wakes it.
    #[inline(always)]
    pub(super) fn mark(
        &self,
        common: &Common<'_>,
        pace: &mut Pace<'_>,
        row: u32,
        found: &mut Option<u32>,
    ) -> Result<(u64, bool), Full> {
        let marked = pace.mark(row, &self.to)?;
        if self.goal && found.is_none() {
            *found = Some(row);
            common.halted.store(true, Ordering::Relaxed);
        }
        Ok((marked.new.into(), marked.wakes))
    }
}
