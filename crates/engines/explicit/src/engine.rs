//! A program made ready to be explored: laid out, compiled, its initial states found.

use model::interp::{Instance, Queue, State};
use model::{Budget, LocId, Program, UnknownReason};

use crate::ir::capacity::{Capacity, CapacityExceeded};
use crate::ir::compile::{Demand, compile};
use crate::ir::instruction::Code;
use crate::ir::layout::{GONE, HALTED, Layout, Own, Unsupported, size, value_of};
use crate::reduction::partial_order::Reduction;
use crate::reduction::symmetry::Symmetry;
use crate::store::packing::Packing;
use crate::store::repacking::Repacking;
use crate::successors::expander::{Driver, initial_states};
use crate::successors::read_write_sets::{Footprints, observed_bits};
use crate::vm::machine::Machine;
use crate::{Exchange, Technique, Tuning};

impl From<Unsupported> for UnknownReason {
    fn from(reason: Unsupported) -> Self {
        UnknownReason::Unsupported(reason.0)
    }
}

/// A program made ready.
pub(crate) struct Engine<'p> {
    pub(crate) program: &'p Program,
    pub(crate) layout: Layout,
    room: Capacity,
    demand: Demand,
    compiled: Compiled,
    pub(crate) packing: Packing,
    /// What to leave out.
    reduction: Option<Reduction>,
    /// Which states stand for others.
    pub(crate) symmetry: Option<Symmetry>,
    /// The initial states, stored.
    pub(crate) initial: Vec<Vec<u64>>,
    /// Whether a sample stood for a choice in the initial states.
    pub(crate) sampled: bool,
    budget: Budget,
}

/// Code, and what its moves touch in packed states, if that is known.
pub(crate) struct Compiled {
    pub(crate) code: Code,
    footprints: Option<Footprints>,
}

impl Compiled {
    fn new(code: Code, layout: &Layout, packing: &Packing, tuning: Tuning) -> Compiled {
        let is_used = tuning.has(Technique::LocalExpansion);
        let footprints = is_used
            .then(|| Footprints::of(&code, layout, packing))
            .flatten();
        let tests_guards = tuning.has(Technique::GuardTests);
        Compiled {
            footprints: match tests_guards {
                true => footprints.map(|footprints| footprints.with_guard_tests(&code)),
                false => footprints,
            },
            code,
        }
    }
}

/// What to leave out.
fn reduction(
    program: &Program,
    layout: &Layout,
    packing: &Packing,
    compiled: &Compiled,
    demand: &Demand,
) -> Option<Reduction> {
    let observed = demand.observed.as_ref()?;
    let allowed = demand.fair.is_empty();
    let footprints = compiled.footprints.as_ref().filter(|_| allowed)?;
    let moves = (&compiled.code, footprints);
    Reduction::of(program, layout, packing, moves, observed)
}

impl<'p> Engine<'p> {
    /// Makes a program ready, with this much room. The demanded outcomes come behind the state
    /// constraints.
    pub(crate) fn new(
        program: &'p Program,
        room: Capacity,
        mut demand: Demand,
        budget: &Budget,
    ) -> Result<Self, UnknownReason> {
        let layout = Layout::new(program, &room)?;
        demand
            .outcomes
            .splice(0..0, program.state_constraint.iter().copied());
        let code = compile(program, &layout, &room, &demand)?;
        let mut machine = Machine::new(program, &code, budget);
        let first: Vec<Vec<i64>> = initial_states(&mut machine, &layout)?
            .into_iter()
            .map(|(state, _)| state)
            .collect();
        let sampled = machine.sampled;
        let packing = Packing::new(program, &layout, &first);
        let compiled = Compiled::new(code, &layout, &packing, demand.tuning);
        let reduction = reduction(program, &layout, &packing, &compiled, &demand);
        let exchange = Exchange {
            templates: &demand.exchange.0,
            ended_are_gone: demand.exchange.1,
            alike: demand.exchange.2,
        };
        let mut symmetry = Symmetry::of(program, &layout, &packing, exchange);
        let mut initial: Vec<Vec<u64>> = Vec::new();
        for state in &first {
            let mut stored = vec![0; packing.words];
            packing.pack(state, &mut stored);
            if let Some(symmetry) = &mut symmetry {
                symmetry.sort(&mut stored);
            }
            initial.push(stored);
        }
        Ok(Engine {
            program,
            layout,
            room,
            demand,
            compiled,
            packing,
            reduction,
            symmetry,
            initial,
            sampled,
            budget: budget.clone(),
        })
    }

    /// The same with states packed otherwise, unless that tells which of them are alike.
    pub(crate) fn repacked(&self, packing: Packing) -> Engine<'p> {
        debug_assert!(self.symmetry.is_none(), "what is alike has like fields");
        let code = self.compiled.code.clone();
        let compiled = Compiled::new(code, &self.layout, &packing, self.demand.tuning);
        let repacking = Repacking::new(&self.packing, &packing);
        let initial = self.initial.iter();
        let initial = initial.map(|stored| repacking.turned(stored));
        Engine {
            program: self.program,
            layout: self.layout.clone(),
            room: self.room.clone(),
            demand: self.demand.clone(),
            reduction: reduction(
                self.program,
                &self.layout,
                &packing,
                &compiled,
                &self.demand,
            ),
            initial: initial.collect(),
            compiled,
            packing,
            symmetry: None,
            sampled: self.sampled,
            budget: self.budget.clone(),
        }
    }

    /// Whether some run was given up for lack of room: then nothing that was found out counts.
    pub(crate) fn is_short_of_room(&self) -> bool {
        !self.exceeded_set().is_empty()
    }

    fn exceeded_set(
        &self,
    ) -> std::sync::MutexGuard<'_, std::collections::BTreeSet<CapacityExceeded>> {
        match self.compiled.code.exceeded.lock() {
            Ok(exceeded) => exceeded,
            Err(poisoned) => poisoned.into_inner(),
        }
    }

    /// What there was no room for.
    pub(crate) fn exceeded(&self) -> Vec<CapacityExceeded> {
        self.exceeded_set().iter().cloned().collect()
    }

    /// What the meaning of stored states and of numbers in what is found depends on.
    pub(crate) fn look(&self) -> impl std::fmt::Debug {
        (
            (&self.compiled.code.ops, &self.compiled.code.constants),
            (self.packing.fields(), &self.packing.base),
            &self.initial,
        )
    }

    /// The room that it has been given.
    pub(crate) fn room(&self) -> &Capacity {
        &self.room
    }

    /// The room that it has.
    pub(crate) fn into_room(self) -> Capacity {
        self.room
    }

    /// More room, if some run was given up for exceeded of it.
    pub(crate) fn more_room(&self) -> Option<Capacity> {
        let exceeded: Vec<CapacityExceeded> = self.exceeded_set().iter().cloned().collect();
        if exceeded.is_empty() {
            return None;
        }
        let mut room = self.room.clone();
        room.grow(self.program, &exceeded);
        Some(room)
    }

    /// The names of the rules by which states are left out, empty if there are none; with those for
    /// steps that commute, if any such step has been left out.
    pub(crate) fn reduction(&self, reduced: bool) -> &'static str {
        match (reduced && self.reduces(), &self.symmetry) {
            (false, None) => "",
            (true, None) => "partial order",
            (false, Some(_)) => "symmetry",
            (true, Some(_)) => "partial order, symmetry",
        }
    }

    /// Whether states may be left out.
    pub(crate) fn reduces(&self) -> bool {
        self.reduction.is_some()
    }

    /// Whether a reduced expansion counts only if it [leads on](crate::reduction::level_proviso).
    pub(crate) fn must_lead_on(&self) -> bool {
        self.reduction.as_ref().is_some_and(Reduction::must_lead_on)
    }

    /// The bits of a stored state that tell what is asked for, if they alone do.
    pub(crate) fn observed(&self) -> Option<Vec<u64>> {
        let is_used = self.tuning().has(Technique::ObservedBits);
        is_used
            .then(|| observed_bits(&self.compiled.code, &self.layout, &self.packing))
            .flatten()
    }

    /// Which techniques are used.
    pub(crate) fn tuning(&self) -> &Tuning {
        &self.demand.tuning
    }

    /// How many outcomes are asked for, state constraints aside.
    pub(crate) fn outcomes(&self) -> usize {
        self.demand.outcomes.len() - self.program.state_constraint.len()
    }

    /// A driver that explores.
    pub(crate) fn driver(&self) -> Driver<'_> {
        let outcomes = self.demand.outcomes.len();
        let driver = Driver::new(
            self.program,
            (&self.compiled.code, self.compiled.footprints.as_ref()),
            &self.packing,
            outcomes,
            &self.budget,
        )
        .with_reduction(self.reduction.as_ref())
        .with_symmetry(self.symmetry.as_ref())
        .with_tuning(self.demand.tuning);
        if self.demand.fair.is_empty() {
            driver
        } else {
            driver.with_enabledness()
        }
    }

    /// The same program compiled so that it logs what it does.
    pub(crate) fn logging(&self) -> Result<Compiled, UnknownReason> {
        let demand = Demand {
            log: true,
            ..self.demand.clone()
        };
        let code = compile(self.program, &self.layout, &self.room, &demand)?;
        let (layout, packing) = (&self.layout, &self.packing);
        Ok(Compiled::new(code, layout, packing, demand.tuning))
    }

    /// A driver over code that logs.
    pub(crate) fn logging_driver<'c>(&'c self, compiled: &'c Compiled) -> Driver<'c> {
        let outcomes = self.demand.outcomes.len();
        let moves = (&compiled.code, compiled.footprints.as_ref());
        Driver::new(self.program, moves, &self.packing, outcomes, &self.budget)
    }

    /// A stored state in the terms of the model.
    pub(crate) fn read(&self, stored: &[u64]) -> State {
        let mut slots = vec![0; self.layout.len()];
        self.packing.unpack(stored, &mut slots);
        let program = self.program;
        let read = |first: usize, ty: &model::Type| {
            value_of(program, ty, &mut slots[first..].iter().copied())
        };
        let globals = program
            .globals
            .iter()
            .zip(&self.layout.globals)
            .map(|(variable, &first)| read(first, &variable.ty))
            .collect();
        let mut state = State {
            globals,
            ..State::default()
        };
        for (number, position) in self.layout.positions.iter().enumerate() {
            let code = usize::try_from(slots[position.location]).expect("a location's code");
            let instance_slot = self.layout.instances.iter().find(|instance_slot| {
                let count = program.processes[instance_slot.process.index()]
                    .locations
                    .len();
                instance_slot.number == number
                    && (instance_slot.base..=instance_slot.base + count + HALTED).contains(&code)
            });
            let Some(instance_slot) = instance_slot else {
                debug_assert_eq!(code, GONE, "a known code");
                state.instances.push(None);
                state.frames.push(None);
                continue;
            };
            let process = &program.processes[instance_slot.process.index()];
            let code = code - instance_slot.base;
            state.instances.push(Some(Instance {
                process: instance_slot.process,
                location: (code < process.locations.len()).then(|| LocId::new(code)),
                halted: code == process.locations.len() + HALTED,
                frame: state.frames.len(),
                calls: Vec::new(),
            }));
            let frame = process.locals.iter().zip(&instance_slot.own);
            let values = frame.map(|(local, own)| match own {
                Own::Slots(first) => read(*first, &local.ty),
                Own::Always(values) => value_of(program, &local.ty, &mut values.iter().copied()),
            });
            state.frames.push(Some(values.collect()));
        }
        while state.instances.last().is_some_and(Option::is_none) {
            state.instances.pop();
        }
        while state.frames.last().is_some_and(Option::is_none) {
            state.frames.pop();
        }
        for place in &self.layout.places {
            let there = place.channels.iter().find(|&&channel| {
                let code = self.layout.channels[channel].code;
                place
                    .present
                    .is_none_or(|present| usize::try_from(slots[present]) == Ok(code))
            });
            let Some(&channel) = there else {
                state.channels.push(None);
                continue;
            };
            let channel = &self.layout.channels[channel];
            let fields = &program.channels[channel.declaration.index()].fields;
            let count = usize::try_from(slots[channel.len]).expect("a length");
            let messages = (0..count)
                .map(|place| {
                    let mut at = channel.messages + place * channel.width;
                    fields
                        .iter()
                        .map(|field| {
                            let value = read(at, field);
                            at += size(program, field).unwrap_or(0);
                            value
                        })
                        .collect()
                })
                .collect();
            state.channels.push(Some(Queue {
                channel: channel.declaration,
                messages,
                owner: channel
                    .owner
                    .map(|owner| u32::try_from(owner).expect("few instances")),
            }));
        }
        while state.channels.last().is_some_and(Option::is_none) {
            state.channels.pop();
        }
        state
    }
}
