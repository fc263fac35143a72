//! What each latch says of the program's state, so that what is found out about latches can be
//! said about the program.

use std::collections::HashMap;

use model::{GlobalId, LocId, RichId, Value};

use super::Encoding;
use super::bits::Bits;
use super::interleaved::control::leaves_at_end;
use crate::aig::{LatchId, Lit};
use crate::words::Word;

/// A variable of a state of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    /// A global variable.
    Global(GlobalId),
    /// A parameter or local of an instance, by the position in [`model::Program::start`].
    Local {
        /// The instance.
        instance: u32,
        /// The position of the local.
        local: u32,
    },
}

/// What a latch says of the program's state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// A bit of a truth value or a number, in two's complement.
    Bit {
        /// The variable.
        owner: Owner,
        /// The way down into arrays and records.
        path: Vec<u32>,
        /// Which bit, from the lowest.
        bit: u32,
    },
    /// The variable has one of these values, if it has any that has a number here.
    Rich {
        /// The variable.
        owner: Owner,
        /// The way down into arrays and records.
        path: Vec<u32>,
        /// The values.
        values: Vec<RichId>,
    },
    /// The instance stands at one of these locations.
    Location {
        /// The position of the instance in [`model::Program::start`].
        instance: u32,
        /// The locations.
        locations: Vec<LocId>,
        /// Or it has ended, or stopped at a fault, or gone.
        ended: bool,
    },
    /// Part of a call of a procedure: what it is while no call of it is open.
    Closed(bool),
}

impl Encoding<'_> {
    /// The meaning of each latch that has one: of all but those of channels and of the holder.
    #[must_use]
    pub fn meanings(&self) -> HashMap<LatchId, Meaning> {
        let mut meanings = HashMap::new();
        for (index, bits) in self.now.globals.iter().enumerate() {
            let owner = Owner::Global(GlobalId::new(index));
            self.variable(owner, bits, &mut Vec::new(), &mut meanings);
        }
        for (instance, bits) in (0..).zip(&self.now.instances) {
            for (local, bits) in (0..).zip(&bits.frame) {
                let owner = Owner::Local { instance, local };
                self.variable(owner, bits, &mut Vec::new(), &mut meanings);
            }
            self.location(instance, &bits.location, &mut meanings);
            let process = &self.program.processes[self.controls[instance as usize].process.index()];
            for (call, procedure) in bits.calls.iter().zip(&process.procedures) {
                for &lit in call.site.bits() {
                    self.closed(lit, false, &mut meanings);
                }
                for (bits, variable) in call.locals.iter().zip(&procedure.locals) {
                    let zero = self.program.zero(&variable.ty);
                    self.closed_value(bits, &zero, &mut meanings);
                }
            }
        }
        meanings
    }

    fn closed(&self, lit: Lit, value: bool, meanings: &mut HashMap<LatchId, Meaning>) {
        if let Some(latch) = self.circuit.latch_of(lit) {
            meanings.insert(latch, Meaning::Closed(value));
        }
    }

    fn closed_value(&self, bits: &Bits, value: &Value, meanings: &mut HashMap<LatchId, Meaning>) {
        let number = match (bits, value) {
            (Bits::Tuple(items), Value::Tuple(values)) => {
                for (bits, value) in items.iter().zip(values) {
                    self.closed_value(bits, value, meanings);
                }
                return;
            }
            (Bits::Rich(_), Value::Rich(id)) => {
                let code = self.rich.iter().position(|known| known == id);
                code.unwrap_or(0) as i128
            }
            (_, Value::Bool(b)) => i128::from(*b),
            (_, Value::Int(n)) => *n,
            _ => 0,
        };
        for (place, &lit) in bits.word().bits().iter().enumerate() {
            self.closed(lit, number >> place.min(127) & 1 == 1, meanings);
        }
    }

    fn variable(
        &self,
        owner: Owner,
        bits: &Bits,
        path: &mut Vec<u32>,
        meanings: &mut HashMap<LatchId, Meaning>,
    ) {
        let mut add = |lit: Lit, meaning: Meaning| {
            if let Some(latch) = self.circuit.latch_of(lit) {
                meanings.insert(latch, meaning);
            }
        };
        let bit = |bit: u32| Meaning::Bit {
            owner,
            path: path.clone(),
            bit,
        };
        match bits {
            Bits::Bool(lit) => add(*lit, bit(0)),
            Bits::Word(word) => {
                for (place, &lit) in (0..).zip(word.bits()) {
                    add(lit, bit(place));
                }
            }
            Bits::Rich(word) => {
                for (place, &lit) in word.bits().iter().enumerate() {
                    let codes = self.rich.iter().enumerate();
                    let values = codes.filter(|(code, _)| code >> place & 1 == 1);
                    let meaning = Meaning::Rich {
                        owner,
                        path: path.clone(),
                        values: values.map(|(_, id)| *id).collect(),
                    };
                    add(lit, meaning);
                }
            }
            Bits::Tuple(items) => {
                for (at, item) in (0..).zip(items) {
                    path.push(at);
                    self.variable(owner, item, path, meanings);
                    path.pop();
                }
            }
        }
    }

    fn location(&self, instance: u32, word: &Word, meanings: &mut HashMap<LatchId, Meaning>) {
        let control = &self.controls[instance as usize];
        let process = &self.program.processes[control.process.index()];
        // Nowhere is nowhere for those who read this: one that never ends of itself has halted.
        let ends = |step: &model::Step| step.target == model::Target::End;
        let ends = process.steps.iter().any(ends);
        let nowhere = if ends && leaves_at_end(self.program) {
            control.gone()
        } else if ends || process.starts_ended {
            control.ended()
        } else {
            control.halted()
        };
        for (place, &lit) in word.bits().iter().enumerate() {
            let Some(latch) = self.circuit.latch_of(lit) else {
                continue;
            };
            let set = |code: usize| code >> place & 1 == 1;
            let locations = control.locations.iter().enumerate();
            let locations = locations.filter(|&(code, _)| set(code));
            let meaning = Meaning::Location {
                instance,
                locations: locations.map(|(_, &location)| location).collect(),
                ended: set(nowhere),
            };
            meanings.insert(latch, meaning);
        }
    }

    /// The locations at which an instance can be between two steps of the circuit.
    #[must_use]
    pub fn locations(&self, instance: usize) -> &[LocId] {
        self.controls
            .get(instance)
            .map_or(&[], |control| control.locations.as_slice())
    }

    /// The locations of an instance through which steps of the circuit run.
    #[must_use]
    pub fn run_through_locations(&self, instance: usize) -> &[LocId] {
        self.controls
            .get(instance)
            .map_or(&[], |control| control.through.as_slice())
    }
}
