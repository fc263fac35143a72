//! Room: the instances and channels that a program is laid out for.
//!
//! Code is made for each instance on its own, so the instances have to be known before a program
//! is run. Those that run from the start are; what is started or made at run time is found out by
//! running: where there is no room, the machine notes [what exceeded the capacity](CapacityExceeded), and the program is laid
//! out and compiled again with more room. Who asks often gets twice as much each time, so that a
//! program that goes on starting instances is not compiled again for each of them.
//!
//! A parameter that nothing assigns to has one value as long as the instance is there. It is part
//! of what the room is for: an *instance slot* is a number, a template and the values of such parameters.
//! Code made for an instance slot has them as constants, channels above all.

use std::collections::HashMap;

use model::{ChannelId, Expr, ExprId, ProcessId, Program, Type, Value, ValueSet};

use crate::ir::layout::{flat_value, flatten};
use crate::ir::number::as_i64;
use crate::ir::write_set::Written;

/// Parameters wider than this are not worth an instance slot of their own.
const WIDE: usize = 8;
/// So many different values of one process's parameters are worth instance slots of their own, for one
/// number; and so many if only channels are looked at.
const VARIANTS: [usize; 2] = [16, 24];
/// Asked so often for ever higher numbers, there is room for more than what was asked for.
const PATIENCE: usize = 6;

/// Room for an instance.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct InstanceSlot {
    /// Its number.
    pub(crate) number: usize,
    pub(crate) process: ProcessId,
    /// The values of its known parameters, one after the other.
    pub(crate) key: Vec<i64>,
}

/// Room for a channel.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct ChannelSlot {
    /// Its reference less one.
    pub(crate) place: usize,
    pub(crate) channel: ChannelId,
    /// The number of the instance with which it goes away.
    pub(crate) owner: Option<usize>,
}

/// What there was no room for.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum CapacityExceeded {
    InstanceSlot(InstanceSlot),
    ChannelSlot(ChannelSlot),
}

/// What is known of a local for good.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Known {
    No,
    /// So many values of the key.
    Key(usize),
    /// These values.
    Always(Vec<i64>),
}

/// The room.
#[derive(Clone, Debug)]
pub(crate) struct Capacity {
    pub(crate) instance_slots: Vec<InstanceSlot>,
    pub(crate) channel_slots: Vec<ChannelSlot>,
    /// For each process and local.
    pub(crate) known: Vec<Vec<Known>>,
    /// For each process: how much of it is left unknown, as an index into [`VARIANTS`].
    level: Vec<usize>,
    /// How often each process and each channel lacked room higher up than before, and where.
    asked: HashMap<(bool, u32), (usize, usize)>,
}

impl Capacity {
    /// Room for what is there from the start.
    pub(crate) fn new(program: &Program) -> Capacity {
        let written = Written::of(program);
        let level = vec![0; program.processes.len()];
        let mut room = Capacity {
            instance_slots: Vec::new(),
            channel_slots: Vec::new(),
            known: (0..program.processes.len())
                .map(|process| known_locals(program, &written, process, level[process]))
                .collect(),
            level,
            asked: HashMap::new(),
        };
        for (number, start) in program.start.iter().enumerate() {
            let mut key = Vec::new();
            let known = &room.known[start.process.index()];
            for (&arg, known) in start.args.iter().zip(known) {
                if matches!(known, Known::Key(_)) {
                    constant(program, arg, &mut key);
                }
            }
            room.instance_slots.push(InstanceSlot {
                number,
                process: start.process,
                key,
            });
        }
        let from_start = (0..program.channels.len())
            .map(ChannelId::new)
            .filter(|id| program.channels[id.index()].from_start);
        for (place, channel) in from_start.enumerate() {
            room.channel_slots.push(ChannelSlot {
                place,
                channel,
                owner: program.channels[channel.index()].owner.map(|n| n as usize),
            });
        }
        room
    }

    /// Makes room for what lacked.
    pub(crate) fn grow(&mut self, program: &Program, exceeded: &[CapacityExceeded]) {
        for exceeded in exceeded {
            match exceeded {
                CapacityExceeded::InstanceSlot(instance_slot) => {
                    self.add_instance_slot(instance_slot);
                }
                CapacityExceeded::ChannelSlot(channel_slot) => self.add_channel_slot(channel_slot),
            }
        }
        for process in 0..program.processes.len() {
            let limit = VARIANTS.get(self.level[process]);
            if limit.is_some_and(|&limit| self.variants(ProcessId::new(process)) > limit) {
                self.level[process] += 1;
                self.know_less(program, process);
            }
        }
    }

    fn add_instance_slot(&mut self, instance_slot: &InstanceSlot) {
        let more = self.ahead((false, instance_slot.process.0), instance_slot.number);
        // Keys often go up with the numbers.
        let below = self.instance_slots.iter().rev().find(|below| {
            below.process == instance_slot.process
                && below.number + 1 == instance_slot.number
                && below.key.len() == instance_slot.key.len()
        });
        let step: Vec<i64> = match below {
            Some(below) => {
                let pairs = instance_slot.key.iter().zip(&below.key);
                pairs
                    .map(|(above, below)| above.wrapping_sub(*below))
                    .collect()
            }
            None => vec![0; instance_slot.key.len()],
        };
        for more in 0..=more {
            let up =
                |(value, step): (&i64, &i64)| value.wrapping_add(step.wrapping_mul(as_i64(more)));
            let instance_slot = InstanceSlot {
                number: instance_slot.number + more,
                process: instance_slot.process,
                key: instance_slot.key.iter().zip(&step).map(up).collect(),
            };
            if !self.instance_slots.contains(&instance_slot) {
                self.instance_slots.push(instance_slot);
            }
        }
    }

    fn add_channel_slot(&mut self, channel_slot: &ChannelSlot) {
        let more = self.ahead((true, channel_slot.channel.0), channel_slot.place);
        for more in 0..=more {
            let channel_slot = ChannelSlot {
                place: channel_slot.place + more,
                owner: channel_slot.owner.map(|owner| owner + more),
                ..channel_slot.clone()
            };
            if !self.channel_slots.contains(&channel_slot) {
                self.channel_slots.push(channel_slot);
            }
        }
    }

    /// How much room to make beyond what was asked for.
    fn ahead(&mut self, who: (bool, u32), place: usize) -> usize {
        let (times, highest) = self.asked.entry(who).or_default();
        if place > *highest {
            *highest = place;
            *times += 1;
        }
        let more = if *times > PATIENCE { place / 2 } else { 0 };
        *highest = (*highest).max(place + more);
        more
    }

    /// Looks at fewer parameters of a process.
    fn know_less(&mut self, program: &Program, process: usize) {
        let written = Written::of(program);
        let known = known_locals(program, &written, process, self.level[process]);
        let before = std::mem::replace(&mut self.known[process], known);
        for instance_slot in &mut self.instance_slots {
            if instance_slot.process.index() != process {
                continue;
            }
            let mut old = std::mem::take(&mut instance_slot.key).into_iter();
            for (before, after) in before.iter().zip(&self.known[process]) {
                let Known::Key(count) = before else { continue };
                let values = old.by_ref().take(*count);
                match after {
                    Known::Key(_) => instance_slot.key.extend(values),
                    Known::No | Known::Always(_) => drop(values.count()),
                }
            }
        }
        let mut seen = std::collections::HashSet::new();
        self.instance_slots
            .retain(|instance_slot| seen.insert(instance_slot.clone()));
    }

    /// How many instance slots of a process there are for one number, at the most.
    fn variants(&self, process: ProcessId) -> usize {
        let mut count: HashMap<usize, usize> = HashMap::new();
        for instance_slot in self
            .instance_slots
            .iter()
            .filter(|instance_slot| instance_slot.process == process)
        {
            *count.entry(instance_slot.number).or_default() += 1;
        }
        count.into_values().max().unwrap_or(0)
    }
}

/// What is known of the locals of a process.
fn known_locals(program: &Program, written: &Written, process: usize, level: usize) -> Vec<Known> {
    let template = &program.processes[process];
    let mut all = Vec::new();
    for (local, variable) in template.locals.iter().enumerate() {
        let mut leaves = Vec::new();
        let flat = flatten(program, &variable.ty, &mut leaves).is_ok();
        if written.locals[process][local] || !flat {
            all.push(Known::No);
            continue;
        }
        if local < template.parameters {
            let starts = program
                .start
                .iter()
                .filter(|s| s.process.index() == process);
            let fits = leaves.len() <= WIDE
                && level < VARIANTS.len()
                && (level == 0 || variable.ty == Type::Channel)
                && starts.clone().all(|start| {
                    start
                        .args
                        .get(local)
                        .is_some_and(|&arg| constant(program, arg, &mut Vec::new()))
                });
            all.push(if fits {
                Known::Key(leaves.len())
            } else {
                Known::No
            });
            continue;
        }
        let mut values = Vec::new();
        all.push(match &variable.init {
            None => Known::Always(leaves.iter().map(|leaf| leaf.zero).collect()),
            Some(ValueSet::One(value)) if constant(program, *value, &mut values) => {
                match &variable.ty {
                    Type::Int { .. } => {
                        let wrapped = variable.ty.wrap(i128::from(values[0]));
                        i64::try_from(wrapped).map_or(Known::No, |n| Known::Always(vec![n]))
                    }
                    Type::Range { lo, hi } if !(*lo..=*hi).contains(&values[0]) => Known::No,
                    _ => Known::Always(values),
                }
            }
            Some(_) => Known::No,
        });
    }
    all
}

/// The flat values of an expression that is made of constants only; says whether it is.
pub(crate) fn constant(program: &Program, id: ExprId, out: &mut Vec<i64>) -> bool {
    match program.exprs.get(id) {
        Expr::Const(value) => flat_value(value, out).is_ok(),
        Expr::Tuple(items) => items.iter().all(|&item| constant(program, item, out)),
        Expr::Convert(inner) => {
            let ty = program.exprs.ty(id);
            let Some(Value::Int(n)) = program.exprs.constant(*inner) else {
                return false;
            };
            let fine = matches!(ty, Type::Int { .. } | Type::Channel | Type::Instance);
            match i64::try_from(ty.wrap(*n)) {
                Ok(n) if fine => {
                    out.push(n);
                    true
                }
                _ => false,
            }
        }
        _ => false,
    }
}
