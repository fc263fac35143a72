//! The choice of a stubborn set in a state, and its exploration.
//!
//! From each instance that may move on its own, whoever conflicts is added until nobody does. Of
//! the sets found, the smallest are tried first. A set counts if one of its moves leads to a
//! state: until then nothing is lost, as instances that turn out to have no move have only been
//! found to have none. Instances that must be [held](super::proviso) may be in a set as long as
//! they have no move; should they have one, everything is explored.

use super::tables::{Entry, Reduction};
use crate::successors::expander::{Driver, Result, Sink};
use crate::successors::read_write_sets::Footprints;

/// What has been explored of a state.
pub(crate) enum ExplorationResult {
    /// Enough.
    Enough,
    /// Of the highest class, what begins with these instances; and whether there was something.
    Only { tried: u64, some: bool },
}

/// Chooses sets.
#[derive(Clone)]
pub(crate) struct Chooser<'c> {
    reduction: &'c Reduction,
    /// For each position its entry, in the present state.
    at: Vec<Entry>,
    present: u64,
    /// What conflicts with what each can do now.
    against: Vec<u64>,
    /// For whom that has been found out.
    known: u64,
    /// Who has no move, for all that can be seen from channels.
    blocked: u64,
    /// Sets found: their sizes, members, and who of these is held.
    sets: Vec<(u32, u64, u64)>,
}

impl<'c> Chooser<'c> {
    pub(crate) fn new(reduction: &'c Reduction) -> Self {
        let positions = reduction.first.len();
        Chooser {
            reduction,
            at: vec![reduction.entries[0]; positions],
            present: 0,
            against: vec![0; positions * reduction.words],
            known: 0,
            blocked: 0,
            sets: Vec::new(),
        }
    }

    /// Looks where everybody is; gives those who may move on their own.
    fn begin(&mut self, footprints: &Footprints, stored: &[u64]) -> u64 {
        let (mut present, mut seeds) = (0, 0);
        let places = footprints.stations.iter().zip(&self.reduction.first);
        for (position, (location_lists, first)) in places.enumerate() {
            let entry = self.reduction.entries[first + location_lists.code(stored)];
            self.at[position] = entry;
            present |= u64::from(entry.present) << position;
            seeds |= u64::from(entry.moves && !entry.held) << position;
        }
        self.present = present;
        self.known = 0;
        self.blocked = 0;
        seeds
    }

    /// Finds out what conflicts with what an instance can do now.
    fn find_against(&mut self, position: usize, stored: &[u64]) {
        let reduction = self.reduction;
        let entry = self.at[position];
        let words = reduction.words;
        let mine = &mut self.against[position * words..(position + 1) * words];
        mine.copy_from_slice(reduction.mask(entry.against));
        let mut blocked = entry.only_attempts;
        let (start, end) = entry.attempts;
        for attempt in &reduction.attempts[start as usize..end as usize] {
            let mask = if attempt.len.get(stored) == attempt.blocked_at {
                attempt.mended_by
            } else {
                blocked = false;
                attempt.against
            };
            for (word, more) in mine.iter_mut().zip(reduction.mask(mask)) {
                *word |= more;
            }
        }
        self.known |= 1 << position;
        self.blocked |= u64::from(blocked) << position;
    }

    /// The least set with an instance that nobody outside conflicts with, and who of it must not
    /// move; nothing if that is everybody.
    fn close(&mut self, seed: usize, stored: &[u64]) -> Option<(u64, u64)> {
        let words = self.reduction.words;
        let mut set = 1u64 << seed;
        let mut waiting = set;
        let mut held = 0;
        while waiting != 0 {
            let position = waiting.trailing_zeros() as usize;
            waiting &= waiting - 1;
            if self.known >> position & 1 == 0 {
                self.find_against(position, stored);
            }
            let entry = self.at[position];
            if entry.asks {
                return None;
            }
            if entry.held && self.blocked >> position & 1 == 0 {
                if entry.joins {
                    // It need not begin a move to make one.
                    return None;
                }
                held |= 1 << position;
            }
            let mut others = self.present & !set;
            if entry.departs {
                // It waits for everybody younger.
                let younger = others & (u64::MAX << position);
                set |= younger;
                waiting |= younger;
                others &= !younger;
            }
            let against = &self.against[position * words..(position + 1) * words];
            while others != 0 {
                let other = others.trailing_zeros() as usize;
                others &= others - 1;
                let later = self.reduction.mask(self.at[other].later);
                if against.iter().zip(later).any(|(a, b)| a & b != 0) {
                    set |= 1 << other;
                    waiting |= 1 << other;
                }
            }
            if set == self.present {
                return None;
            }
        }
        Some((set, held))
    }
}

impl<'c> Driver<'c> {
    /// Explores a stubborn set, if there is one that does not contain everybody.
    pub(crate) fn expand_stubborn(
        &mut self,
        chooser: &mut Chooser<'c>,
        footprints: &'c Footprints,
        stored: &[u64],
        sink: &mut impl Sink,
    ) -> Result<ExplorationResult> {
        let (mut tried, mut idle, mut some) = (0u64, 0u64, false);
        let mut seeds = chooser.begin(footprints, stored);
        if chooser.present.count_ones() < 2 {
            return Ok(ExplorationResult::Only { tried, some });
        }
        chooser.sets.clear();
        while seeds != 0 {
            let seed = seeds.trailing_zeros() as usize;
            seeds &= seeds - 1;
            let Some((set, held)) = chooser.close(seed, stored) else {
                continue;
            };
            // Sets without a move are no use; those alone are found out at once.
            if chooser.blocked & set == set {
                continue;
            }
            if set.count_ones() == 1 {
                let (taken, led) = self.try_waitless(chooser, footprints, seed, stored, sink)?;
                if led {
                    return Ok(ExplorationResult::Enough);
                }
                tried |= u64::from(taken) << seed;
                idle |= u64::from(!taken) << seed;
                some |= taken;
            } else if !chooser.sets.iter().any(|known| known.1 == set) {
                chooser
                    .sets
                    .push((set.count_ones() + 64 * held.count_ones(), set, held));
            }
        }
        chooser.sets.sort_unstable();
        for number in 0..chooser.sets.len() {
            let (_, set, held) = chooser.sets[number];
            let mut led = false;
            for who in [held, set & !held] {
                let mut members = who & !tried & !idle;
                while members != 0 {
                    let member = members.trailing_zeros() as usize;
                    members &= members - 1;
                    let (taken, here) =
                        self.try_waitless(chooser, footprints, member, stored, sink)?;
                    tried |= u64::from(taken) << member;
                    idle |= u64::from(!taken) << member;
                    some |= taken;
                    led |= here;
                }
                if who == held && who & tried != 0 {
                    // Somebody moves who must not.
                    return Ok(ExplorationResult::Only { tried, some });
                }
            }
            if led {
                return Ok(ExplorationResult::Enough);
            }
        }
        Ok(ExplorationResult::Only { tried, some })
    }

    /// Makes the moves of the highest class that begin with an instance and do not wait for all
    /// others; says whether there are any, and whether one leads to a state.
    fn try_waitless(
        &mut self,
        chooser: &Chooser<'c>,
        footprints: &'c Footprints,
        position: usize,
        stored: &[u64],
        sink: &mut impl Sink,
    ) -> Result<(bool, bool)> {
        let before = self.ends;
        let priority_list = footprints.stations[position].priority_list(stored);
        let waiting = chooser.at[position].waiting;
        if waiting == 0 {
            // It is ready: that was seen to before a set was chosen.
            let (taken, _) = self.try_location(footprints, position, 0, stored, &mut true, sink)?;
            return Ok((taken, self.ends != before));
        }
        let mut taken = false;
        for (number, guarded_move) in footprints.priority_list(priority_list).iter().enumerate() {
            if guarded_move.less_urgent && taken {
                break;
            }
            if guarded_move.class == footprints.classes[0]
                && (number >= 64 || waiting >> number & 1 == 0)
            {
                taken |= self.try_move(footprints, guarded_move, sink)?;
            }
        }
        Ok((taken, self.ends != before))
    }
}
