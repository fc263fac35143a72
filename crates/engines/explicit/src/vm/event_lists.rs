//! What happens in a macro step, while it is made: lists of events, each stored once.
//!
//! A list is a number in a slot of the machine's memory, so it is saved, compared and put back with
//! everything else: inner states after different events stay apart, and a way that is given up
//! leaves nothing behind.

use std::hash::{BuildHasher, BuildHasherDefault};

use hashbrown::hash_table::{Entry, HashTable};
use model::{Label, Program};

use crate::ir::instruction::EventSite;
use crate::ir::layout::value_of;
use crate::store::hash::FoldHasher;

/// One list: that before it, the place in the code, and the arguments' slots.
type Key = (u32, u16, Box<[i64]>);

/// The lists there are; number 0 is empty.
#[derive(Debug, Default)]
pub(crate) struct EventLists {
    /// Numbers of lists, found by what they are.
    numbers: HashTable<u32>,
    keys: Vec<Key>,
    slots: Vec<i64>,
}

impl EventLists {
    /// The list that one more event makes.
    pub(crate) fn add(
        &mut self,
        before: i64,
        number: u16,
        site: &EventSite,
        memory: &[i64],
    ) -> i64 {
        self.slots.clear();
        for &(slot, width, _) in &site.args {
            let slot = usize::from(slot);
            self.slots.extend_from_slice(&memory[slot..slot + width]);
        }
        let before = u32::try_from(before).expect("the number of a list");
        let hash = |before: u32, number: u16, slots: &[i64]| {
            BuildHasherDefault::<FoldHasher>::default().hash_one((before, number, slots))
        };
        let (keys, slots) = (&self.keys, self.slots.as_slice());
        let key = |id: u32| &keys[id as usize - 1];
        let is_it = |id: &u32| {
            let known = key(*id);
            (known.0, known.1) == (before, number) && *known.2 == *slots
        };
        let of_known = |id: &u32| {
            let (before, number, slots) = key(*id);
            hash(*before, *number, slots)
        };
        let here = hash(before, number, slots);
        let id = match self.numbers.entry(here, is_it, of_known) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(free) => {
                let fresh = u32::try_from(self.keys.len() + 1).expect("fewer lists than steps");
                free.insert(fresh);
                self.keys.push((before, number, slots.into()));
                fresh
            }
        };
        i64::from(id)
    }

    /// A list, in the terms of the model.
    pub(crate) fn label(&self, program: &Program, sites: &[EventSite], list: u32) -> Label {
        let mut label = Vec::new();
        let mut at = list;
        while let Some((before, number, slots)) =
            (at as usize).checked_sub(1).map(|at| &self.keys[at])
        {
            let site = &sites[usize::from(*number)];
            let mut slots = slots.iter().copied();
            let args = site.args.iter();
            label.push(logic::mu::Happening {
                event: site.event,
                args: args
                    .map(|(_, _, ty)| value_of(program, ty, &mut slots))
                    .collect(),
            });
            at = *before;
        }
        label.reverse();
        label.into()
    }
}
