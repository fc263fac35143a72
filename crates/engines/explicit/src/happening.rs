//! What happens in a macro step, while it is made: lists of events, each stored once.
//!
//! A list is a number in a slot of the machine's memory, so it is saved, compared and put back with
//! everything else: inner states after different events stay apart, and a way that is given up
//! leaves nothing behind.

use std::collections::HashMap;

use model::{EventId, Label, Program, Type};

use crate::code::Slot;
use crate::layout::value_of;

/// A place in the code where an event happens.
#[derive(Clone, Debug)]
pub(crate) struct HappenSite {
    pub(crate) event: EventId,
    /// Where its arguments stand, how many slots they take, and their types.
    pub(crate) args: Vec<(Slot, usize, Type)>,
}

/// One list: that before it, the place in the code, and the arguments' slots.
type Key = (u32, u16, Box<[i64]>);

/// The lists there are; number 0 is empty.
#[derive(Debug, Default)]
pub(crate) struct Happenings {
    numbers: HashMap<Key, u32>,
    keys: Vec<Key>,
    slots: Vec<i64>,
}

impl Happenings {
    /// The list that one more event makes.
    pub(crate) fn add(
        &mut self,
        before: i64,
        number: u16,
        site: &HappenSite,
        memory: &[i64],
    ) -> i64 {
        self.slots.clear();
        for &(slot, width, _) in &site.args {
            let slot = usize::from(slot);
            self.slots.extend_from_slice(&memory[slot..slot + width]);
        }
        let before = u32::try_from(before).expect("the number of a list");
        let key = (before, number, Box::from(self.slots.as_slice()));
        let fresh = u32::try_from(self.keys.len() + 1).expect("fewer lists than steps");
        let id = *self.numbers.entry(key).or_insert_with_key(|key| {
            self.keys.push(key.clone());
            fresh
        });
        i64::from(id)
    }

    /// A list, in the terms of the model.
    pub(crate) fn label(&self, program: &Program, sites: &[HappenSite], list: u32) -> Label {
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
