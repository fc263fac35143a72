//! Symmetry: one state for all that differ in which of several equal instances is where.
//!
//! Of the templates that are given as [interchangeable](crate::Exchange) the instances that are
//! there are sorted, each by its location and its variables, before a state is stored (Ip and Dill
//! 1996; as instances hold no numbers of each other, sorting gives the canonical form). Only
//! instances that have the same constants, and numbers that nobody else ever has, change places.
//! Where instances go away youngest first, those that have ended count as gone, if nobody can tell:
//! else who may go first would depend on who stands where.
//!
//! A run through the states that are stored is not a run of the program: who moves next may stand
//! elsewhere than in the state that was sorted. [Recovery](crate::evidence::trace) follows it with the state
//! as it really is, and looks in each step for a successor that is sorted like the next one.

use std::collections::BTreeMap;

use model::Program;

use crate::Exchange;
use crate::ir::layout::{ENDED, GONE, Layout, Own, size};
use crate::reduction::scalarset::Renaming;
use crate::store::packing::{Field, Packing};

/// The more instances are exchanged, the more there is to gain; and to sort.
const MOST: usize = 255;

/// An instance that may change places with the others of its group: where it is, and its
/// variables.
#[derive(Clone, Debug)]
struct Segment {
    location: Field,
    fields: Vec<Field>,
}

/// Instances that may change places.
#[derive(Clone, Debug)]
struct Group {
    segments: Vec<Segment>,
}

/// Where an instance may be that has ended.
#[derive(Clone, Debug)]
struct EndedInstance {
    location: Field,
    /// The codes of having ended.
    ended: Vec<i64>,
    /// Its variables, and what they hold where nobody is.
    fields: Vec<(Field, i64)>,
}

/// How states are sorted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Symmetry {
    groups: Vec<Group>,
    departing: Vec<EndedInstance>,
    /// Names that may change places.
    renaming: Option<Renaming>,
    /// The values of the segments that are there, one after the other.
    values: Vec<i64>,
    order: Vec<usize>,
}

impl Symmetry {
    /// The groups of interchangeable instances; nothing if there are none.
    pub(crate) fn of(
        program: &Program,
        layout: &Layout,
        packing: &Packing,
        exchange: Exchange<'_>,
    ) -> Option<Symmetry> {
        let mut field_of: Vec<Option<Field>> = vec![None; layout.len()];
        for field in packing.fields() {
            field_of[usize::from(field.slot)] = Some(*field);
        }
        let mut groups: BTreeMap<_, Vec<Segment>> = BTreeMap::new();
        for instance_slot in &layout.instances {
            let alone = layout.instances.iter().all(|other| {
                other.number != instance_slot.number || other.process == instance_slot.process
            });
            let owns_channels = layout
                .channels
                .iter()
                .any(|channel| channel.owner == Some(instance_slot.number));
            if !exchange.templates.contains(&instance_slot.process) || !alone || owns_channels {
                continue;
            }
            let process = &program.processes[instance_slot.process.index()];
            let mut fields = Vec::new();
            // What is not stored must be the same for all.
            let mut constants = Vec::new();
            for (own, local) in instance_slot.own.iter().zip(&process.locals) {
                match own {
                    Own::Always(values) => constants.extend(values.iter().map(|&n| (n, true))),
                    Own::Slots(first) => {
                        let slots = *first..first + size(program, &local.ty).ok()?;
                        for (field, &value) in
                            field_of[slots.clone()].iter().zip(&packing.base[slots])
                        {
                            match *field {
                                Some(field) => {
                                    constants.push((0, false));
                                    fields.push(field);
                                }
                                None => constants.push((value, true)),
                            }
                        }
                    }
                }
            }
            let ours = layout
                .instances
                .iter()
                .filter(|s| s.number == instance_slot.number);
            if ours.count() > 1 {
                // Which of several instance slots of its template it has is part of what it is.
                continue;
            }
            let location = field_of[instance_slot.location]?;
            let bits = (location.bits(), instance_slot.base);
            groups
                .entry((
                    instance_slot.process,
                    bits,
                    instance_slot.key.clone(),
                    constants,
                ))
                .or_default()
                .push(Segment { location, fields });
        }
        let groups: Vec<Group> = groups
            .into_values()
            .filter(|segments| (2..=MOST).contains(&segments.len()))
            .filter(|segments| {
                let same = |other: &Segment| {
                    let pairs = segments[0].fields.iter().zip(&other.fields);
                    pairs.into_iter().all(|(a, b)| a.is_like(*b))
                };
                segments.iter().all(same)
            })
            .map(|segments| Group { segments })
            .collect();
        let renaming = exchange
            .alike
            .then(|| Renaming::of(program, layout, packing))
            .flatten();
        if groups.is_empty() && renaming.is_none() {
            return None;
        }
        let mut departing = Vec::new();
        if exchange.ended_are_gone {
            for (number, position) in layout.positions.iter().enumerate() {
                let instance_slots = layout.instances.iter().filter(|s| s.number == number);
                let code = |process: model::ProcessId| {
                    program.processes[process.index()].locations.len() + ENDED
                };
                let ended = instance_slots.map(|instance_slot| {
                    i64::try_from(instance_slot.base + code(instance_slot.process))
                });
                let pool = position.pool.clone().into_iter().flatten();
                departing.push(EndedInstance {
                    location: field_of[position.location]?,
                    ended: ended.collect::<Result<_, _>>().ok()?,
                    fields: pool
                        .filter_map(|slot| Some((field_of[slot]?, layout.leaves[slot].zero)))
                        .collect(),
                });
            }
        }
        Some(Symmetry {
            groups,
            departing,
            renaming,
            ..Symmetry::default()
        })
    }

    /// Whether instances that have ended count as gone.
    pub(crate) fn forgets_ended(&self) -> bool {
        !self.departing.is_empty()
    }

    /// Puts the state that stands for all in the place of one of them.
    #[inline]
    pub(crate) fn sort(&mut self, stored: &mut [u64]) {
        if let Some(renaming) = &mut self.renaming {
            renaming.least(stored);
        }
        let gone = i64::try_from(GONE).expect("a small number");
        for departing in &self.departing {
            let location = departing.location.get(stored);
            if location != gone && departing.ended.contains(&location) {
                departing.location.set(stored, gone);
                for (field, zero) in &departing.fields {
                    field.set(stored, *zero);
                }
            }
        }
        let compacts = self.forgets_ended();
        for group in &self.groups {
            let width = group.segments[0].fields.len() + 1;
            self.values.clear();
            let mut sorted = true;
            for segment in &group.segments {
                let location = segment.location.get(stored);
                if location == gone && !compacts {
                    continue;
                }
                // Those that are gone come last.
                self.values
                    .push(if location == gone { i64::MAX } else { location });
                let fields = segment.fields.iter().map(|field| field.get(stored));
                self.values.extend(fields);
                if let Some(start) = self.values.len().checked_sub(2 * width) {
                    let (before, last) = self.values[start..].split_at(width);
                    sorted &= before <= last;
                }
            }
            if sorted {
                continue;
            }
            let count = self.values.len() / width;
            let segment_at = |at: usize| &self.values[at * width..(at + 1) * width];
            self.order.clear();
            self.order.extend(0..count);
            self.order
                .sort_unstable_by(|&a, &b| segment_at(a).cmp(segment_at(b)));
            let mut order = self.order.iter();
            for segment in &group.segments {
                if segment.location.get(stored) == gone && !compacts {
                    continue;
                }
                let from = *order.next().expect("as many as before");
                let values = &self.values[from * width..(from + 1) * width];
                let location = if values[0] == i64::MAX {
                    gone
                } else {
                    values[0]
                };
                segment.location.set(stored, location);
                for (field, &value) in segment.fields.iter().zip(&values[1..]) {
                    field.set(stored, value);
                }
            }
        }
    }
}
