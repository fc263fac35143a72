//! Makes the tables by which stubborn sets are chosen.

use std::collections::HashMap;

use model::{Action, Program, Stmt};

use super::access_sets::AccessSets;
use super::actors::{Actor, ChannelFacts, Channels};
use super::dependence::{AccessId, AccessKind, AccessSet};
use super::proviso;
use super::reachable_actions::{self, ReachableActions};
use super::tables::{Attempt, Entry, Reduction};
use crate::ir::compile::{Observed, View};
use crate::ir::instruction::Code;
use crate::ir::layout::{ENDED, HALTED, Layout, Own};
use crate::store::packing::Packing;
use crate::successors::read_write_sets::Footprints;

/// So many instances fit into a set of the search.
const INSTANCES: usize = 64;
/// So many locations, all instances together, are worth an analysis.
const LOCATIONS: usize = 20_000;

impl Reduction {
    /// The tables for a program and a query; nothing if it cannot be reduced.
    pub(crate) fn of(
        program: &Program,
        layout: &Layout,
        packing: &Packing,
        (code, footprints): (&Code, &Footprints),
        observed: &Observed,
    ) -> Option<Reduction> {
        if layout.positions.len() < 2
            || layout.positions.len() > INSTANCES
            || !program.state_constraint.is_empty()
        {
            return None;
        }
        let actors: Vec<Actor> = layout
            .instances
            .iter()
            .map(|instance_slot| Actor {
                number: instance_slot.number,
                process: instance_slot.process,
                base: instance_slot.base,
                known: instance_slot
                    .own
                    .iter()
                    .map(|own| match own {
                        Own::Always(values) => Some(values.clone()),
                        Own::Slots(_) => None,
                    })
                    .collect(),
            })
            .collect();
        let locations = |actor: &Actor| program.processes[actor.process.index()].locations.len();
        if actors.iter().map(locations).sum::<usize>() > LOCATIONS {
            return None;
        }
        let channels = channels(program, layout, packing);
        let class = *footprints.classes.first()?;
        let access_sets = AccessSets::new(program, &channels, &observed.exprs, class)?;
        let futures = reachable_actions::futures(program, access_sets, &actors, observed.view);
        let proviso = proviso::held(program, &actors, &futures, observed.view);
        Making {
            program,
            code,
            channels: &channels,
            futures: &futures,
            reduction: Reduction {
                must_lead_on: match observed.view {
                    View::Deadlocks => grows(program),
                    View::States => true,
                    View::StatesByText | View::Runs => false,
                },
                words: 0,
                first: Vec::new(),
                entries: Vec::new(),
                attempts: Vec::new(),
                masks: Vec::new(),
            },
            bits: HashMap::new(),
            places: HashMap::new(),
        }
        .tables(layout, &actors, &proviso)
    }
}

/// Whether instances or channels are made at run time.
fn grows(program: &Program) -> bool {
    fn makes(body: &[Stmt]) -> bool {
        body.iter().any(|stmt| match stmt {
            Stmt::Spawn { .. } | Stmt::NewChannel { .. } => true,
            Stmt::If(_, then, otherwise) => makes(then) || makes(otherwise),
            _ => false,
        })
    }
    let mut steps = program.processes.iter().flat_map(|process| &process.steps);
    steps.any(|step| makes(&step.body)) || program.observers.iter().any(|o| makes(&o.body))
}

fn channels(program: &Program, layout: &Layout, packing: &Packing) -> Channels {
    let field = |slot: usize| {
        let mut fields = packing.fields().iter();
        fields
            .find(|field| usize::from(field.slot) == slot)
            .copied()
    };
    let places = layout.places.iter().map(|place| {
        let here = || place.channels.iter().map(|&c| &layout.channels[c]);
        let always = place.present.is_none();
        let rendezvous = here().any(|channel| channel.capacity == 0);
        ChannelFacts {
            rendezvous,
            always,
            owners: here().filter_map(|channel| channel.owner).collect(),
            len: here()
                .next()
                .filter(|_| always && !rendezvous)
                .and_then(|c| Some((field(c.len)?, i64::try_from(c.capacity).ok()?))),
        }
    });
    let mut places: Vec<ChannelFacts> = places.collect();
    // Channels that are handed out later have references behind these.
    let from_start = program.channels.iter().filter(|c| c.from_start).count();
    while places.len() < from_start {
        places.push(ChannelFacts {
            rendezvous: true,
            always: false,
            owners: Vec::new(),
            len: None,
        });
    }
    Channels { places }
}

/// The tables while they are made.
struct Making<'a> {
    program: &'a Program,
    code: &'a Code,
    channels: &'a Channels,
    futures: &'a reachable_actions::ActionTable,
    reduction: Reduction,
    /// The bit of each access that matters.
    bits: HashMap<AccessId, usize>,
    /// Where each mask is.
    places: HashMap<Vec<u64>, u32>,
}

impl Making<'_> {
    fn tables(
        mut self,
        layout: &Layout,
        actors: &[Actor],
        held: &[Vec<bool>],
    ) -> Option<Reduction> {
        // Only what somebody may still do can conflict.
        for access in self.futures.conflicts.iter() {
            let next = self.bits.len();
            self.bits.insert(access, next);
        }
        self.reduction.words = self.bits.len().div_ceil(64).max(1);
        let nothing = self.mask(&AccessSet::default());
        let nobody = Entry {
            present: false,
            moves: false,
            held: false,
            asks: false,
            joins: false,
            departs: false,
            waiting: 0,
            later: nothing,
            against: nothing,
            only_attempts: true,
            attempts: (0, 0),
        };
        for position in &layout.positions {
            self.reduction.first.push(self.reduction.entries.len());
            let end = self.reduction.entries.len() + position.codes;
            self.reduction.entries.resize(end, nobody);
        }
        for (index, actor) in actors.iter().enumerate() {
            let count = self.program.processes[actor.process.index()]
                .locations
                .len();
            let first = self.reduction.first[actor.number] + actor.base;
            let future = &self.futures.actors[index];
            for (at, &held) in held[index].iter().enumerate() {
                let entry = self.entry(actor, future, at, held)?;
                self.reduction.entries[first + at] = entry;
            }
            let gone = |present| Entry { present, ..nobody };
            self.reduction.entries[first + count + HALTED] = gone(true);
            self.reduction.entries[first + count + ENDED] = match &future.departure {
                None => gone(true),
                Some(departure) => Entry {
                    moves: true,
                    held: departure.held,
                    departs: true,
                    later: self.mask(&departure.accesses),
                    against: self.mask(&departure.against),
                    only_attempts: false,
                    ..gone(true)
                },
            };
        }
        Some(self.reduction)
    }

    fn entry(
        &mut self,
        actor: &Actor,
        future: &ReachableActions,
        at: usize,
        held: bool,
    ) -> Option<Entry> {
        let now = &future.now[at];
        let start = self.reduction.attempts.len();
        let mut against = now.against.clone();
        let mut only_attempts = now.plain == 0;
        for attempt in &now.attempts {
            let facts = &self.channels.places[attempt.place as usize];
            let Some((len, capacity)) = facts.len else {
                against.add(&attempt.against_blocked_or_not);
                only_attempts = false;
                continue;
            };
            let made = Attempt {
                len,
                blocked_at: if attempt.access == AccessKind::Send {
                    capacity
                } else {
                    0
                },
                against: self.mask(&attempt.against),
                mended_by: self.mask(&attempt.mended_by),
            };
            self.reduction.attempts.push(made);
        }
        let number = |n: usize| u32::try_from(n).ok();
        Some(Entry {
            present: true,
            moves: now.plain > 0 || !now.attempts.is_empty(),
            held,
            asks: now.asks,
            joins: now.joins,
            departs: false,
            waiting: self.waiting(actor, future, at)?,
            later: self.mask(&future.later[at]),
            against: self.mask(&against),
            only_attempts,
            attempts: (number(start)?, number(self.reduction.attempts.len())?),
        })
    }

    /// Which guarded moves of the priority list wait for all others.
    fn waiting(&self, actor: &Actor, future: &ReachableActions, at: usize) -> Option<u64> {
        let waits = &future.now[at].waits;
        let priority_lists = self.code.instances[actor.number].priority_lists.as_ref()?;
        let priority_list = priority_lists.get(actor.base + at)?;
        let mut bits = 0;
        for (guarded_move, &(id, _)) in priority_list.iter().enumerate() {
            let first = &self.code.moves[id as usize].parts[0];
            if matches!(first.action, Action::Step(step) if waits.contains(&step)) {
                bits |= 1u64.checked_shl(u32::try_from(guarded_move).ok()?)?;
            }
        }
        Some(bits)
    }

    /// Where a set of accesses is among the masks.
    fn mask(&mut self, accesses: &AccessSet) -> u32 {
        let words = self.reduction.words;
        let mut mask = vec![0u64; words];
        for access in accesses.iter() {
            if let Some(&bit) = self.bits.get(&access) {
                mask[bit / 64] |= 1 << (bit % 64);
            }
        }
        // Most are alike.
        let masks = &mut self.reduction.masks;
        *self.places.entry(mask).or_insert_with_key(|mask| {
            masks.extend_from_slice(mask);
            u32::try_from(masks.len() - words).expect("few masks")
        })
    }
}
