//! A program made ready to be explored: laid out, compiled, its initial states found.

use model::interp::{Instance, Queue, State};
use model::{Budget, ChannelId, LocId, Program, UnknownReason};

use crate::code::Code;
use crate::compile::{Demand, compile};
use crate::expand::{Driver, initial_states};
use crate::footprint::Footprints;
use crate::layout::{GONE, HALTED, Layout, Packing, Unsupported, size, value_of};
use crate::machine::Machine;

impl From<Unsupported> for UnknownReason {
    fn from(reason: Unsupported) -> Self {
        UnknownReason::Unsupported(reason.0)
    }
}

/// A program made ready.
pub(crate) struct Engine<'p> {
    pub(crate) program: &'p Program,
    pub(crate) layout: Layout,
    demand: Demand,
    code: Code,
    pub(crate) packing: Packing,
    /// The initial states, stored.
    pub(crate) initial: Vec<Vec<u64>>,
    /// Whether a sample stood for a choice in the initial states.
    pub(crate) sampled: bool,
    micro_steps: u64,
}

impl<'p> Engine<'p> {
    /// Makes a program ready. The demanded outcomes come behind the state constraints.
    pub(crate) fn new(
        program: &'p Program,
        mut demand: Demand,
        budget: &Budget,
    ) -> Result<Self, UnknownReason> {
        let layout = Layout::new(program)?;
        demand
            .outcomes
            .splice(0..0, program.state_constraint.iter().copied());
        let mut code = compile(program, &layout, &demand)?;
        let mut machine = Machine::new(program, &code, budget.micro_steps);
        let first: Vec<Vec<i64>> = initial_states(&mut machine, &layout)?
            .into_iter()
            .map(|(state, _)| state)
            .collect();
        let sampled = machine.sampled;
        let packing = Packing::new(program, &layout, &first);
        code.footprints = Footprints::of(&code, &layout, &packing);
        let mut initial: Vec<Vec<u64>> = Vec::new();
        for state in &first {
            let mut stored = vec![0; packing.words];
            packing.pack(state, &mut stored);
            initial.push(stored);
        }
        Ok(Engine {
            program,
            layout,
            demand,
            code,
            packing,
            initial,
            sampled,
            micro_steps: budget.micro_steps,
        })
    }

    /// Whether it is to be told which sets of steps are taken and enabled.
    pub(crate) fn asks_for_fairness(&self) -> bool {
        !self.demand.fair.is_empty()
    }

    /// A driver that explores.
    pub(crate) fn driver(&self) -> Driver<'_> {
        let outcomes = self.demand.outcomes.len();
        Driver::new(
            self.program,
            &self.code,
            &self.packing,
            outcomes,
            self.micro_steps,
        )
    }

    /// The same program compiled so that it logs what it does.
    pub(crate) fn logging(&self) -> Result<Code, UnknownReason> {
        let demand = Demand {
            log: true,
            ..self.demand.clone()
        };
        let mut code = compile(self.program, &self.layout, &demand)?;
        code.footprints = Footprints::of(&code, &self.layout, &self.packing);
        Ok(code)
    }

    /// A driver over code that logs.
    pub(crate) fn logging_driver<'c>(&'c self, code: &'c Code) -> Driver<'c> {
        let outcomes = self.demand.outcomes.len();
        Driver::new(
            self.program,
            code,
            &self.packing,
            outcomes,
            self.micro_steps,
        )
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
            instances: Vec::new(),
            frames: Vec::new(),
            channels: Vec::new(),
            heap: Vec::new(),
            holder: None,
        };
        for instance in &self.layout.instances {
            let process = &program.processes[instance.process.index()];
            let code = usize::try_from(slots[instance.location]).expect("a location's code");
            if code == process.locations.len() + GONE {
                state.instances.push(None);
                state.frames.push(None);
                continue;
            }
            state.instances.push(Some(Instance {
                process: instance.process,
                location: (code < process.locations.len()).then(|| LocId::new(code)),
                halted: code == process.locations.len() + HALTED,
                frame: state.frames.len(),
                calls: Vec::new(),
            }));
            debug_assert!(code <= process.locations.len() + HALTED, "a known code");
            let frame = process.locals.iter().zip(&instance.own);
            state.frames.push(Some(
                frame
                    .map(|(local, &first)| read(first, &local.ty))
                    .collect(),
            ));
        }
        while state.instances.last().is_some_and(Option::is_none) {
            state.instances.pop();
        }
        while state.frames.last().is_some_and(Option::is_none) {
            state.frames.pop();
        }
        for (index, channel) in self.layout.channels.iter().enumerate() {
            let fields = &program.channels[index].fields;
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
                channel: ChannelId::new(index),
                messages,
                owner: program.channels[index].owner,
            }));
        }
        state
    }
}
