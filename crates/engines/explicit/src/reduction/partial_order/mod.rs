//! Partial-order reduction: of steps that commute, one order is enough.
//!
//! In a state only the moves of *some* instances are explored, if nothing that the others can do
//! before one of these moves could prevent, enable or change it. Such a set of moves is persistent
//! (Godefroid 1996; it is stubborn in the sense of Valmari 1991, and an ample set in that of
//! Clarke, Grumberg and Peled 1999). It is found from what the text says: what the steps offered
//! where an instance is do [to what](dependence) others also touch, against what each other instance may
//! still do [from where it is](future). Whoever conflicts joins, until nobody does; if then not
//! everybody has joined, the others can wait. Rendezvous partners join as they conflict by
//! meeting; so does whoever could fill an empty channel that somebody waits for.
//!
//! A step that can only be made where nothing else can (a time-out) is not among what others may
//! do, as long as the set has a move that is none itself. If all that a set can do may be such a
//! step in disguise, the others' time-outs stand beside it, so no such set is taken.
//!
//! What waits must not wait for ever. Where runs are asked about, every cycle of every
//! control-flow graph has a [location](proviso) that no reduced set moves away from (Kurshan,
//! Levin, Minea, Peled and Yenigün 1998), so that every cycle of states has a state in which all
//! moves are explored. This asks nothing of the search; and as the choice depends on the state
//! alone, not on the automaton beside it, the product is that of a reduced graph (Siegel 2019 shows
//! what goes wrong else). Where it is asked what can be reached, less will do: some successor must
//! [lead on](crate::reduction::level_proviso). A run to a deadlock is finite, and some move of each reduced set
//! stands in it, so that nothing is put off for ever; unless it needs somebody for whom there is no
//! [room](crate::ir::capacity) yet and whose accesses are therefore unknown. The move that makes room is to be
//! reached like a failure, so where instances or channels are made, deadlocks ask for as much.
//!
//! Deadlocks are preserved, and so are failed assertions and faults of single steps, without more
//! conditions: whoever evaluates does so after the same steps of others. For what a query
//! *observes* the order of changes matters. Where only reachability is asked for, it is enough
//! that steps that change something observed do not commute with each other. For linear time
//! without `X`, a reduced set must change nothing that is observed.
//!
//! Not reduced: what asks for fairness, whatever excludes some moves by comparing all (priorities
//! of processes), and programs with more than 64 instances at once.

mod access_sets;
mod dependence;
mod proviso;
mod reachable_actions;
mod stubborn;

use std::collections::HashMap;

use model::{Action, ExprId, Program, Stmt};

use crate::ir::instruction::Code;
use crate::ir::layout::{ENDED, HALTED, Layout, Own};
use crate::store::packing::{Field, Packing};
use access_sets::AccessSets;
use dependence::{AccessId, AccessKind, AccessSet};
use reachable_actions::ReachableActions;

pub(crate) use stubborn::{Chooser, ExplorationResult};

/// So many instances fit into a set of the search.
const INSTANCES: usize = 64;
/// So many locations, all instances together, are worth an analysis.
const LOCATIONS: usize = 20_000;

/// What a query sees of runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum View {
    /// Only where they get stuck.
    Deadlocks,
    /// The states that they reach, and what goes wrong on the way.
    States,
    /// Whole runs, up to repetition of letters.
    Runs,
}

/// What is observed.
#[derive(Clone, Debug)]
pub(crate) struct Observed {
    pub(crate) exprs: Vec<ExprId>,
    pub(crate) view: View,
}

/// An instance that there may be.
struct Actor {
    /// Its number, which is its position in the state.
    number: usize,
    process: model::ProcessId,
    /// The code of its first location.
    base: usize,
    /// For each local its value, if it never changes.
    known: Vec<Option<Vec<i64>>>,
}

/// What is known of the channel with a reference.
struct ChannelFacts {
    /// Whether messages may be handed over directly.
    rendezvous: bool,
    /// Whether there always is one channel.
    always: bool,
    /// The numbers of the instances with which it may go away.
    owners: Vec<usize>,
    /// Holds the number of messages, and the most; for one that is always there and keeps some.
    len: Option<(Field, i64)>,
}

/// The channels, by reference less one.
struct Channels {
    places: Vec<ChannelFacts>,
}

/// What an instance can do where it is.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Somebody is there.
    present: bool,
    /// It may have moves that do not wait for all others.
    moves: bool,
    /// It must not move in a reduced set.
    held: bool,
    /// It may have a move just because nobody else has: no set with it is any good.
    asks: bool,
    /// Others may begin moves that it takes part in.
    joins: bool,
    /// It has ended, and goes away once nobody younger is there.
    departs: bool,
    /// Rungs that wait for all others.
    waiting: u64,
    /// The mask of what it may still do.
    later: u32,
    /// The mask of what conflicts with what it can do now, the [attempts](Attempt) left aside.
    against: u32,
    /// Whether the attempts are all there is.
    only_attempts: bool,
    attempts: (u32, u32),
}

/// A communication over a channel that keeps messages: it is blocked at one length.
#[derive(Clone, Copy, Debug)]
struct Attempt {
    len: Field,
    blocked_at: i64,
    /// What conflicts with the step.
    against: u32,
    /// What could end the blocking.
    mended_by: u32,
}

/// The tables by which stubborn sets are chosen.
#[derive(Debug)]
pub(crate) struct Reduction {
    must_lead_on: bool,
    /// Words of a mask.
    words: usize,
    /// For each position the entry of code 0.
    first: Vec<usize>,
    entries: Vec<Entry>,
    attempts: Vec<Attempt>,
    masks: Vec<u64>,
}

impl Reduction {
    /// The tables for a program and a query; nothing if it cannot be reduced.
    pub(crate) fn of(
        program: &Program,
        layout: &Layout,
        packing: &Packing,
        code: &Code,
        observed: &Observed,
    ) -> Option<Reduction> {
        let footprints = code.footprints.as_ref()?;
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
                    View::Runs => false,
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

    /// Whether a reduced expansion counts only if it [leads on](crate::reduction::level_proviso).
    pub(crate) fn must_lead_on(&self) -> bool {
        self.must_lead_on
    }

    fn mask(&self, at: u32) -> &[u64] {
        &self.masks[at as usize..at as usize + self.words]
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
