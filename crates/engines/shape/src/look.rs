//! What can be seen from structures while no others are kept: by one thread, or by several at once.

use std::cell::Cell;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread::Builder;

use model::predicates::Kleene;
use model::{Budget, MessageId};

use crate::compile::Compiled;
use crate::matrix::Shape;
use crate::packed::Packed;
use crate::set::{Set, Wide};
use crate::step::{Step, Stopped, Watch};
use crate::store::{Place, Store};

/// The stack of a thread, in bytes: formulas are evaluated as deep as they nest.
const STACK: usize = 16 << 20;

/// A step of an action, and where it leads.
pub(crate) struct Seen {
    pub(crate) action: usize,
    /// What may be reported, and whether it surely is if the step is taken.
    pub(crate) reported: Vec<(MessageId, Kleene)>,
    /// Where what it leads to belongs; `None`: it leads nowhere.
    pub(crate) after: Option<Place>,
}

impl Seen {
    /// Bytes that it takes.
    fn bytes(&self) -> usize {
        let reported = size_of_val::<[_]>(&self.reported);
        size_of::<Seen>() + reported + self.after.as_ref().map_or(0, Place::bytes)
    }
}

/// A structure, in sets that have room for its individuals.
pub(crate) enum Fitted {
    Narrow(Shape<u64>),
    Wide(Shape<Wide>),
}

/// The structures that are kept, and what actions do.
#[derive(Clone, Copy)]
pub(crate) struct Look<'s> {
    /// Structures of so many individuals are looked at in narrow sets.
    pub(crate) narrow: usize,
    pub(crate) compiled: &'s Compiled,
    pub(crate) store: &'s Store<'s>,
    pub(crate) budget: &'s Budget,
}

impl Look<'_> {
    /// The structure at a position.
    pub(crate) fn fitted(self, at: usize) -> Fitted {
        let (packed, layout) = (&self.store.shapes[at], &self.compiled.layout);
        match packed.size() <= self.narrow {
            true => Fitted::Narrow(packed.shape(layout)),
            false => Fitted::Wide(packed.shape(layout)),
        }
    }

    /// The steps of an action, while threads keep so many bytes. Where individuals outgrow narrow sets, they
    /// are looked for anew in wide ones.
    pub(crate) fn steps(
        self,
        from: &Fitted,
        action: usize,
        bytes: u64,
    ) -> Result<Vec<Seen>, Stopped> {
        let shape = match from {
            Fitted::Wide(shape) => return self.steps_in(shape, action, bytes),
            Fitted::Narrow(shape) => shape,
        };
        match self.steps_in(shape, action, bytes) {
            Err(Stopped::TooLarge) => {
                let shape: Shape<Wide> = Packed::new(shape).shape(&self.compiled.layout);
                self.steps_in(&shape, action, bytes)
            }
            steps => steps,
        }
    }

    fn steps_in<S: Set>(
        self,
        shape: &Shape<S>,
        action: usize,
        bytes: u64,
    ) -> Result<Vec<Seen>, Stopped> {
        let watch = Watch {
            budget: self.budget,
            bytes: self.store.bytes as u64 + bytes,
            pending: Cell::new(0),
        };
        let steps = self
            .compiled
            .steps(shape, &self.compiled.actions[action], &watch)?;
        let seen = |step: Step<S>| Seen {
            action,
            reported: step.reported,
            after: step.after.map(|after| self.store.find(&after)),
        };
        Ok(steps.into_iter().map(seen).collect())
    }

    /// All steps from each of these structures, by so many threads; none where one did not come to an end.
    pub(crate) fn together(self, all: &[usize], jobs: usize) -> Vec<Option<Vec<Seen>>> {
        let (next, bytes) = (AtomicUsize::new(0), AtomicU64::new(0));
        let work = || {
            let mut own = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(&at) = all.get(number) else {
                    return own;
                };
                own.push((number, self.all_steps(at, &bytes)));
            }
        };
        let mut seen: Vec<Option<Vec<Seen>>> = all.iter().map(|_| None).collect();
        std::thread::scope(|scope| {
            // Where the system has no room for a thread, others do its work.
            let spawn = |_| Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            let others: Vec<_> = (1..jobs).filter_map(|one| spawn(one).ok()).collect();
            let own = work();
            let done = others
                .into_iter()
                .map(|other| other.join().unwrap_or_else(|panic| resume_unwind(panic)));
            for (number, steps) in done.flatten().chain(own) {
                seen[number] = steps;
            }
        });
        seen
    }

    /// All steps from a structure, if no limit is reached. The bytes that threads keep are counted.
    fn all_steps(self, at: usize, bytes: &AtomicU64) -> Option<Vec<Seen>> {
        let from = self.fitted(at);
        let mut all = Vec::new();
        for action in 0..self.compiled.actions.len() {
            let kept = bytes.load(Ordering::Relaxed);
            for seen in self.steps(&from, action, kept).ok()? {
                bytes.fetch_add(seen.bytes() as u64, Ordering::Relaxed);
                all.push(seen);
            }
        }
        Some(all)
    }
}
