//! Moves at a location that have to be remembered in groups.
//!
//! Where a location has many moves that look at many things, all of them together decide what
//! happens, and that seldom comes back. Such a list becomes groups of moves that look at few bits, each
//! with a table of its own (*transition groups* in Blom, van de Pol, Weber: LTSmin, CAV 2010). Groups
//! that are not found often enough are halved.

use crate::vm::dependencies::Tracking;

use super::touched::Deciding;
use super::{Moves, Touched, TransitionCache, small};

/// Bits that the moves of a group look at, at most, where there are several.
const NARROW: u32 = 12;
/// A group has this part of the entries that a list has before it is split.
const GROUP_SHARE: u32 = 8;

/// Where among the moves at a location those of a group are.
pub(crate) type Places = (u32, u32);

impl TransitionCache {
    /// Whether the moves that a table is about have to be remembered in groups.
    #[inline(always)]
    pub(crate) fn is_split(&self, table: usize) -> bool {
        self.tables.get(table).is_some_and(|table| table.is_split)
    }

    /// What is to be written down of runs of the moves that a table is about.
    pub(crate) fn tracking(&self, table: usize) -> Tracking {
        let table = self.tables.get(table);
        table.map_or(Tracking::Nothing, |table| table.tracking)
    }

    /// The table of a group of the moves at a location, and where those stand; nothing behind the last.
    pub(crate) fn group(&self, table: usize, number: usize) -> Option<(usize, Places)> {
        let group = *self.tables[table].groups.get(number)? as usize;
        Some((group, self.tables[group].moves))
    }

    /// Splits the moves at a location into groups, if this has not been done.
    pub(crate) fn split(&mut self, table: usize, moves: Moves<'_>) {
        if !self.tables[table].groups.is_empty() {
            return;
        }
        let mut groups = moves.groups(self.tables[table].moves, &self.deciding);
        if let [whole] = *groups {
            groups = halves(whole);
        }
        self.tables[table].groups = self.add_groups(groups, moves);
    }

    /// Halves a group of the moves at a location.
    pub(crate) fn halve(&mut self, table: usize, number: usize, moves: Moves<'_>) {
        let group = self.tables[table].groups[number] as usize;
        let two = self.add_groups(halves(self.tables[group].moves), moves);
        self.tables[table].groups.splice(number..=number, two);
    }

    fn add_groups(&mut self, groups: Vec<Places>, moves: Moves<'_>) -> Vec<u32> {
        let tables = groups.into_iter().map(|places| {
            let table = self.add_moves(moves, places);
            self.tables[table].split_from = self.tables[table].split_from.div_ceil(GROUP_SHARE);
            small(table)
        });
        tables.collect()
    }
}

fn halves((first, end): Places) -> Vec<Places> {
    let middle = first.midpoint(end);
    vec![(first, middle), (middle, end)]
}

impl Moves<'_> {
    /// Whether those in some places can be tried one without the others.
    pub(super) fn can_split(self, places: Places) -> bool {
        let several = self.within(places).count() > 1;
        several && self.all.iter().all(|it| !it.less_urgent)
    }

    /// The moves in some places as groups that look at few bits. Those of which it is known beforehand
    /// what they look at are kept apart from the others.
    fn groups(self, (first, end): Places, deciding: &Deciding) -> Vec<Places> {
        let is_unknown =
            |touched: &Touched| touched.tracking == Tracking::Everything || !touched.known;
        let mut groups = Vec::new();
        let mut start = first;
        for place in first + 1..end {
            let before = Touched::by(self, (start, place), deciding);
            let this = Touched::by(self, (place, place + 1), deciding);
            let both = before.read.iter().zip(&this.read);
            let bits: u32 = both.map(|(one, other)| (one | other).count_ones()).sum();
            if bits > NARROW || is_unknown(&before) != is_unknown(&this) {
                groups.push((start, place));
                start = place;
            }
        }
        groups.push((start, end));
        groups
    }
}
