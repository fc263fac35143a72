//! What is done with the states that an expansion leads to: they are stored here, or sent to their owners.

use std::ops::ControlFlow;

use model::{Budget, UnknownReason};

use crate::ir::state_width::Width;
use crate::partitioned::owned::{Outgoing, Owned, Place};
use crate::partitioned::owners::Owners;
use crate::partitioned::team::Team;
use crate::search::targets::Found;
use crate::search::worker::Notes;
use crate::successors::expander::{Driver, End, Expanded, Halt, Sink};
use crate::successors::transition_cache::{Ended, copy_words};
use crate::vm::machine::Violation;

/// States found between two looks at the limits inside an expansion.
pub(crate) const PULSE: u32 = 1 << 16;

/// Is told what the expansion of a state leads to.
pub(crate) struct Successors<'v, 'e> {
    pub(crate) notes: &'v mut Notes<'e>,
    pub(crate) owned: &'v mut Owned,
    pub(crate) out: &'v mut Outgoing,
    pub(crate) scratch: &'v mut Vec<u64>,
    pub(crate) sent_bytes: &'v mut u64,
    pub(crate) budget: &'v Budget,
    pub(crate) pulse: u32,
    pub(crate) team: &'v mut dyn Team,
    /// The level, as the team counts.
    pub(crate) level: u64,
    /// So many states of its own are enough, if not all are wanted.
    pub(crate) enough: Option<u32>,
    pub(crate) from: Place,
    pub(crate) owners: &'v mut Owners,
}

impl Successors<'_, '_> {
    /// A state of so many words has been found, for which there is a place to write it to.
    #[inline(always)]
    fn found(&mut self, words: usize, write: impl FnOnce(&mut [u64])) -> ControlFlow<()> {
        self.notes.transitions += 1;
        let added = if self.owners.count == 1 {
            self.owned.add(words, self.from, write)
        } else {
            let state = &mut self.scratch[..words];
            write(state);
            let to = self.owners.of(state);
            if to == usize::from(self.from.owner) {
                self.owned
                    .add(words, self.from, |it| it.copy_from_slice(state))
            } else {
                if let Some(parcel) = self.out.add(to, self.from.id, state) {
                    *self.sent_bytes += parcel.len() as u64;
                    self.team.send(self.level, to, parcel);
                }
                Ok(())
            }
        };
        self.pulse -= 1;
        if added.is_err() || self.pulse == 0 {
            return self.look_up(added.is_err());
        }
        ControlFlow::Continue(())
    }

    /// Looks at the limits.
    #[cold]
    fn look_up(&mut self, is_full: bool) -> ControlFlow<()> {
        self.pulse = PULSE;
        let reason = match is_full {
            true => Some(UnknownReason::Memory),
            false if self.enough.is_some_and(|enough| self.owned.len() >= enough) => {
                Some(UnknownReason::Sampled)
            }
            false => self.budget.exhausted(0),
        };
        match reason {
            Some(reason) => {
                self.notes.stop.get_or_insert(reason);
                ControlFlow::Break(())
            }
            None => ControlFlow::Continue(()),
        }
    }

    /// Notes how an expansion has ended in which something is to be noted; says whether to go on.
    #[inline(never)]
    pub(crate) fn expanded(
        &mut self,
        driver: &Driver<'_>,
        expanded: Result<Expanded, Halt>,
        before: u64,
    ) -> bool {
        let notes = &mut *self.notes;
        match expanded {
            Ok(expanded) => {
                notes.reduced += u64::from(expanded.reduced);
                if !expanded.moves && !driver.is_valid_end() {
                    notes.deadlock(notes.current);
                }
                notes.go_on().is_continue()
            }
            Err(halt) => {
                notes.broken_off(halt, before);
                false
            }
        }
    }
}

impl Sink for Successors<'_, '_> {
    #[inline(always)]
    fn remembered<W: Width>(
        &mut self,
        from: &[u64],
        ended: &Ended<'_, W>,
        _: &mut [u64],
    ) -> ControlFlow<()> {
        self.found(from.len(), |state| ended.write(from, state))
    }

    #[inline(always)]
    fn successor(&mut self, end: &End<'_>) -> ControlFlow<()> {
        self.found(end.stored.len(), |state| copy_words(state, end.stored))?;
        if end.outcomes.is_empty() {
            return ControlFlow::Continue(());
        }
        let current = self.notes.current;
        self.notes
            .judge(end.outcomes, |outcome| Found::Outcome(current, outcome));
        self.notes.go_on()
    }

    fn violation(&mut self, violation: Violation, _log: u32) -> ControlFlow<()> {
        self.notes.violation(violation)
    }
}
