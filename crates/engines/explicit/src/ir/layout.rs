//! Where everything of a state lives: the slots of the working state.
//!
//! A *working* state is flat: one `i64` per Boolean, number, location or message field. What is
//! [stored](crate::store::packing) is less.
//!
//! Instances with the same number are never there at the same time, nor are channels with the same
//! reference: they share their slots. A slot says which of them is there. The slots of whoever is
//! not there hold zeros, so that equal states are equal slot by slot.

use std::ops::Range;

use model::{ChannelId, IdPolicy, LocId, ProcessId, Program, Type, Value, VariableKind};

use crate::ir::capacity::{Capacity, Known};
use crate::ir::write_set::Written;

/// Why this engine cannot run a program: a phrase for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Unsupported(pub(crate) String);

/// Stops with a reason.
pub(crate) fn unsupported<T>(what: impl Into<String>) -> Result<T, Unsupported> {
    Err(Unsupported(what.into()))
}

/// One slot: what it may hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Leaf {
    /// The least value; stored values are differences to it.
    pub(crate) lo: i64,
    /// Bits of a stored value.
    pub(crate) bits: u8,
    /// The zero of its type.
    pub(crate) zero: i64,
}

impl Leaf {
    /// Whether it may hold this value.
    pub(crate) fn holds(self, value: i64) -> bool {
        let above = value.wrapping_sub(self.lo).cast_unsigned();
        above.checked_shr(self.bits.into()).unwrap_or(0) == 0
    }

    /// A slot that may hold what either may hold.
    fn or(self, other: Leaf) -> Leaf {
        let end = |leaf: Leaf| i128::from(leaf.lo) + ((1i128 << leaf.bits) - 1);
        if self.bits >= 64 || other.bits >= 64 {
            return Leaf {
                lo: 0,
                bits: 64,
                zero: self.zero,
            };
        }
        let lo = self.lo.min(other.lo);
        let span = end(self).max(end(other)) - i128::from(lo);
        Leaf {
            lo,
            bits: u8::try_from(128 - span.leading_zeros()).expect("at most 128"),
            zero: self.zero,
        }
    }
}

/// Leaves for what lies over each other.
fn overlay(under: &mut Vec<Leaf>, over: &[Leaf]) {
    for (place, &leaf) in over.iter().enumerate() {
        match under.get_mut(place) {
            Some(known) => *known = known.or(leaf),
            None => under.push(leaf),
        }
    }
}

/// Where a parameter or local is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Own {
    /// From this slot on.
    Slots(usize),
    /// Nowhere: it always has these values.
    Always(Vec<i64>),
}

/// The slots of an [instance slot](crate::ir::capacity::InstanceSlot).
#[derive(Clone, Debug)]
pub(crate) struct InstanceSlots {
    pub(crate) number: usize,
    pub(crate) process: ProcessId,
    /// The values of its known parameters.
    pub(crate) key: Vec<i64>,
    /// Holds the location's code.
    pub(crate) location: usize,
    /// The code of its first location.
    pub(crate) base: usize,
    /// Each parameter and local.
    pub(crate) own: Vec<Own>,
    /// The number of its stack of open calls, if the process has procedures.
    pub(crate) stack: Option<usize>,
}

/// The slots that instances with one number share.
#[derive(Clone, Debug)]
pub(crate) struct Position {
    /// Holds the location's code: 0 if nobody is there.
    pub(crate) location: usize,
    /// How many codes there are.
    pub(crate) codes: usize,
    /// The parameters and locals of whoever is there; none if nobody ever comes or goes.
    pub(crate) pool: Option<Range<usize>>,
}

/// The slots of a channel.
#[derive(Clone, Debug)]
pub(crate) struct ChannelSlots {
    /// Its reference less one.
    pub(crate) place: usize,
    pub(crate) declaration: ChannelId,
    /// The number of the instance with which it goes away.
    pub(crate) owner: Option<usize>,
    /// What the place's slot holds if this channel is there.
    pub(crate) code: usize,
    /// Holds the number of messages.
    pub(crate) len: usize,
    /// The first slot of the oldest message.
    pub(crate) messages: usize,
    /// Slots of a message.
    pub(crate) width: usize,
    pub(crate) capacity: usize,
}

/// The slots that channels with one reference share.
#[derive(Clone, Debug)]
pub(crate) struct ChannelPlace {
    /// Holds which channel is there, 0 if none is; nothing if one always is.
    pub(crate) present: Option<usize>,
    /// All its slots.
    pub(crate) slots: Range<usize>,
    /// The channels that can be there, as positions in [`Layout::channels`].
    pub(crate) channels: Vec<usize>,
}

/// The working state.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// The first slot of each global.
    pub(crate) globals: Vec<usize>,
    pub(crate) instances: Vec<InstanceSlots>,
    /// By number.
    pub(crate) positions: Vec<Position>,
    pub(crate) channels: Vec<ChannelSlots>,
    /// By reference less one.
    pub(crate) places: Vec<ChannelPlace>,
    pub(crate) leaves: Vec<Leaf>,
    /// Whether a slot needs bits at all: some statement writes it, and it outlives macro steps.
    pub(crate) kept: Vec<bool>,
    /// So many slots, the first ones, are written by some statement.
    pub(crate) changing: usize,
    /// Where pieces begin that an index does not leave.
    pieces: Vec<usize>,
}

/// The code of nobody being there.
pub(crate) const GONE: usize = 0;
/// Codes of instances without a location, counted from the number of locations.
pub(crate) const ENDED: usize = 0;
/// Stopped by a fault.
pub(crate) const HALTED: usize = 1;

/// Variables before their slots are numbered.
struct Item {
    /// Whether some statement writes it: then it is part of snapshots.
    changing: bool,
    leaves: Vec<Leaf>,
    kept: bool,
}

impl Item {
    fn new(leaves: Vec<Leaf>, changing: bool, kept: bool) -> Self {
        Item {
            changing,
            leaves,
            kept,
        }
    }
}

/// Where a local is among the items.
enum Planned {
    Item(usize),
    /// So far into the pool of its position.
    Pool(usize),
    Always(Vec<i64>),
}

/// An instance slot before slots are numbered.
struct PlannedInstanceSlot {
    own: Vec<Planned>,
    leaves: Vec<Leaf>,
}

impl Layout {
    pub(crate) fn new(program: &Program, room: &Capacity) -> Result<Layout, Unsupported> {
        let written = Written::of(program);
        let mut items: Vec<Item> = Vec::new();
        for (index, global) in program.globals.iter().enumerate() {
            let kept = written.globals[index] && global.kind != VariableKind::Step;
            let mut leaves = Vec::new();
            flatten(program, &global.ty, &mut leaves)?;
            items.push(Item::new(leaves, written.globals[index], kept));
        }

        let numbers = room
            .instance_slots
            .iter()
            .map(|instance_slot| instance_slot.number + 1)
            .max();
        let mut here: Vec<Vec<usize>> = vec![Vec::new(); numbers.unwrap_or(0)];
        for (index, instance_slot) in room.instance_slots.iter().enumerate() {
            here[instance_slot.number].push(index);
        }
        let mut planned: Vec<Option<PlannedInstanceSlot>> =
            room.instance_slots.iter().map(|_| None).collect();
        let mut locations = Vec::new();
        let mut pools = Vec::new();
        let mut bases = vec![0; room.instance_slots.len()];
        for (number, instance_slots) in here.iter().enumerate() {
            let mut codes = GONE + 1;
            for &instance_slot in instance_slots {
                bases[instance_slot] = codes;
                let process =
                    &program.processes[room.instance_slots[instance_slot].process.index()];
                codes += process.locations.len() + HALTED + 1;
            }
            items.push(Item::new(vec![counter(codes as u64 - 1)], true, true));
            locations.push((items.len() - 1, codes));
            let stays = matches!(instance_slots.as_slice(), [instance_slot] if {
                let process = room.instance_slots[*instance_slot].process;
                program.start.get(number).is_some_and(|start| start.process == process)
                    && !written.ends[process.index()]
            });
            let mut pool = Vec::new();
            for &instance_slot in instance_slots {
                let plan = plan_instance_slot(
                    program,
                    room,
                    &written,
                    instance_slot,
                    stays.then_some(&mut items),
                )?;
                overlay(&mut pool, &plan.leaves);
                planned[instance_slot] = Some(plan);
            }
            pools.push(if stays {
                None
            } else {
                items.push(Item::new(pool, true, true));
                Some(items.len() - 1)
            });
        }

        let count = room
            .channel_slots
            .iter()
            .map(|channel_slot| channel_slot.place + 1)
            .max();
        let mut places: Vec<Vec<usize>> = vec![Vec::new(); count.unwrap_or(0)];
        for (index, channel_slot) in room.channel_slots.iter().enumerate() {
            places[channel_slot.place].push(index);
        }
        let mut place_items = Vec::new();
        for channel_slots in &places {
            let always = matches!(channel_slots.as_slice(), [channel_slot]
                if is_always_there(program, &written, room.channel_slots[*channel_slot].channel));
            let mut leaves = Vec::new();
            for &channel_slot in channel_slots {
                let channel = &program.channels[room.channel_slots[channel_slot].channel.index()];
                let capacity = channel.capacity.unwrap_or(0) as usize;
                let mut one = vec![counter(capacity as u64)];
                let message = message_leaves(program, &channel.fields)?;
                for _ in 0..capacity {
                    one.extend_from_slice(&message);
                }
                overlay(&mut leaves, &one);
            }
            if !always {
                let first = channel_slots.first().is_some_and(|&b| {
                    program.channels[room.channel_slots[b].channel.index()].from_start
                });
                leaves.insert(
                    0,
                    Leaf {
                        zero: i64::from(first),
                        ..counter(channel_slots.len() as u64)
                    },
                );
            }
            let changing = leaves.iter().any(|leaf| leaf.bits > 0);
            items.push(Item::new(leaves, changing, changing));
            place_items.push((items.len() - 1, always));
        }

        let mut layout = Layout {
            globals: Vec::new(),
            instances: Vec::new(),
            positions: Vec::new(),
            channels: Vec::new(),
            places: Vec::new(),
            leaves: Vec::new(),
            kept: Vec::new(),
            changing: 0,
            pieces: Vec::new(),
        };
        let first = layout.number(&items);
        layout.globals = first[..program.globals.len()].to_vec();
        for (&(item, codes), pool) in locations.iter().zip(&pools) {
            layout.positions.push(Position {
                location: first[item],
                codes,
                pool: pool.map(|item| first[item]..first[item] + items[item].leaves.len()),
            });
        }
        let mut stacks: Vec<Option<usize>> = vec![None; here.len()];
        let mut stack_count = 0;
        for (index, (instance_slot, plan)) in room.instance_slots.iter().zip(planned).enumerate() {
            let plan = plan.expect("every seat is planned");
            let position = &layout.positions[instance_slot.number];
            let start = position.pool.as_ref().map_or(0, |pool| pool.start);
            let own = plan.own.into_iter().map(|own| match own {
                Planned::Item(item) => Own::Slots(first[item]),
                Planned::Pool(offset) => Own::Slots(start + offset),
                Planned::Always(values) => Own::Always(values),
            });
            let procedures = &program.processes[instance_slot.process.index()].procedures;
            if !procedures.is_empty() && stacks[instance_slot.number].is_none() {
                stacks[instance_slot.number] = Some(stack_count);
                stack_count += 1;
            }
            layout.instances.push(InstanceSlots {
                number: instance_slot.number,
                process: instance_slot.process,
                key: instance_slot.key.clone(),
                location: position.location,
                base: bases[index],
                own: own.collect(),
                stack: stacks[instance_slot.number].filter(|_| !procedures.is_empty()),
            });
        }
        layout.add_channels(program, room, &places, |place| {
            let (item, always) = place_items[place];
            (first[item]..first[item] + items[item].leaves.len(), always)
        })?;
        layout.find_pieces(room);
        Ok(layout)
    }

    /// Gives slots to the items, what changes first; says where each begins.
    fn number(&mut self, items: &[Item]) -> Vec<usize> {
        let mut first = vec![0; items.len()];
        for changing in [true, false] {
            for (number, item) in items.iter().enumerate() {
                if item.changing == changing {
                    first[number] = self.leaves.len();
                    self.leaves.extend_from_slice(&item.leaves);
                    self.kept.resize(self.leaves.len(), item.kept);
                }
            }
            if changing {
                self.changing = self.leaves.len();
            }
        }
        first
    }

    fn add_channels(
        &mut self,
        program: &Program,
        room: &Capacity,
        places: &[Vec<usize>],
        slots: impl Fn(usize) -> (Range<usize>, bool),
    ) -> Result<(), Unsupported> {
        for (place, channel_slots) in places.iter().enumerate() {
            let (slots, always) = slots(place);
            let start = slots.start + usize::from(!always);
            let from = self.channels.len();
            for (code, &channel_slot) in channel_slots.iter().enumerate() {
                let channel_slot = &room.channel_slots[channel_slot];
                let channel = &program.channels[channel_slot.channel.index()];
                self.channels.push(ChannelSlots {
                    place,
                    declaration: channel_slot.channel,
                    owner: channel_slot.owner,
                    code: code + 1,
                    len: start,
                    messages: start + 1,
                    width: message_leaves(program, &channel.fields)?.len(),
                    capacity: channel.capacity.unwrap_or(0) as usize,
                });
            }
            self.places.push(ChannelPlace {
                present: (!always).then_some(slots.start),
                slots,
                channels: (from..self.channels.len()).collect(),
            });
        }
        Ok(())
    }

    /// How many slots there are.
    pub(crate) fn len(&self) -> usize {
        self.leaves.len()
    }

    /// Notes where variables, locations and channels begin. In a pool that different locals lie
    /// over each other in, nothing ends before the pool does.
    fn find_pieces(&mut self, room: &Capacity) {
        let mut starts: Vec<usize> = self.globals.clone();
        for (number, position) in self.positions.iter().enumerate() {
            starts.push(position.location);
            starts.extend(position.pool.iter().flat_map(|pool| [pool.start, pool.end]));
            let mut here = room
                .instance_slots
                .iter()
                .filter(|instance_slot| instance_slot.number == number);
            let first = here.next();
            if here.all(|instance_slot| {
                Some(instance_slot.process) == first.map(|first| first.process)
            }) {
                let instance_slots = self.instances.iter().filter(|i| i.number == number);
                starts.extend(
                    instance_slots
                        .flat_map(|instance_slot| &instance_slot.own)
                        .filter_map(|own| match own {
                            Own::Slots(first) => Some(*first),
                            Own::Always(_) => None,
                        }),
                );
            }
        }
        starts.extend(
            self.places
                .iter()
                .flat_map(|p| [p.slots.start, p.slots.end]),
        );
        starts.push(self.len());
        starts.sort_unstable();
        starts.dedup();
        self.pieces = starts;
    }

    /// For each slot, the slots of the variable, location or channel that it is part of.
    pub(crate) fn variables(&self) -> Vec<Range<usize>> {
        let pairs = self.pieces.windows(2);
        pairs
            .flat_map(|pair| std::iter::repeat_n(pair[0]..pair[1], pair[1] - pair[0]))
            .collect()
    }

    /// The instances of a process.
    pub(crate) fn instances_of(&self, process: ProcessId) -> impl Iterator<Item = usize> {
        (0..self.instances.len()).filter(move |&i| self.instances[i].process == process)
    }
}

/// Where the locals of an instance slot are: among the items, or in a pool.
fn plan_instance_slot(
    program: &Program,
    room: &Capacity,
    written: &Written,
    instance_slot: usize,
    mut items: Option<&mut Vec<Item>>,
) -> Result<PlannedInstanceSlot, Unsupported> {
    let instance_slot = &room.instance_slots[instance_slot];
    let process = instance_slot.process.index();
    let mut plan = PlannedInstanceSlot {
        own: Vec::new(),
        leaves: Vec::new(),
    };
    let mut key = instance_slot.key.as_slice();
    let locals = &program.processes[process].locals;
    for (local, (variable, known)) in locals.iter().zip(&room.known[process]).enumerate() {
        plan.own.push(match known {
            Known::Key(count) => {
                let (mine, rest) = key.split_at(*count);
                key = rest;
                Planned::Always(mine.to_vec())
            }
            Known::Always(values) => Planned::Always(values.clone()),
            Known::No => {
                let mut leaves = Vec::new();
                flatten(program, &variable.ty, &mut leaves)?;
                if let Some(items) = items.as_deref_mut() {
                    let changes = written.locals[process][local];
                    items.push(Item::new(leaves, changes, changes));
                    Planned::Item(items.len() - 1)
                } else {
                    plan.leaves.extend(leaves);
                    Planned::Pool(plan.leaves.len() - size(program, &variable.ty)?)
                }
            }
        });
    }
    Ok(plan)
}

/// Whether a channel exists from the start and never goes away.
pub(crate) fn is_always_there(program: &Program, written: &Written, channel: ChannelId) -> bool {
    let channel = &program.channels[channel.index()];
    channel.from_start
        && channel.owner.is_none_or(|owner| {
            program
                .start
                .get(owner as usize)
                .is_some_and(|start| !written.ends[start.process.index()])
        })
}

fn message_leaves(program: &Program, fields: &[Type]) -> Result<Vec<Leaf>, Unsupported> {
    let mut message = Vec::new();
    for field in fields {
        flatten(program, field, &mut message)?;
    }
    Ok(message)
}

/// A slot for the numbers `0..=greatest`.
fn counter(greatest: u64) -> Leaf {
    Leaf {
        lo: 0,
        bits: bits_for(greatest),
        zero: 0,
    }
}

/// Bits for the numbers `0..=greatest`.
fn bits_for(greatest: u64) -> u8 {
    u8::try_from(64 - greatest.leading_zeros()).expect("at most 64")
}

/// The slots of a type, in order.
pub(crate) fn flatten(
    program: &Program,
    ty: &Type,
    out: &mut Vec<Leaf>,
) -> Result<(), Unsupported> {
    if out.len() > usize::from(u16::MAX) {
        return unsupported("more than 65,535 numbers in one variable");
    }
    let plain = |bits| Leaf {
        lo: 0,
        bits,
        zero: 0,
    };
    out.push(match ty {
        Type::Bool => plain(1),
        Type::Int {
            bits: 64,
            signed: false,
        } => {
            return unsupported("unsigned integers of 64 bits");
        }
        Type::Int { bits: 64, .. } | Type::Mathint => plain(64),
        Type::Int { bits, signed: true } => Leaf {
            lo: -(1i64 << (bits - 1)),
            bits: *bits,
            zero: 0,
        },
        Type::Int { bits, .. } => plain(*bits),
        Type::Range { lo, hi } => Leaf {
            lo: *lo,
            bits: bits_for(hi.wrapping_sub(*lo).cast_unsigned()),
            zero: 0i64.clamp(*lo, (*hi).max(*lo)),
        },
        Type::Enum(id) => plain(bits_for(
            program.enums[id.index()].members.len().saturating_sub(1) as u64,
        )),
        Type::Rich => Leaf {
            lo: 0,
            bits: 32,
            zero: program.rich.text("").rich().0.into(),
        },
        Type::Channel | Type::Instance | Type::Procedure => plain(32),
        Type::Pointer(_) => return unsupported("pointers"),
        Type::Array(item, length) => {
            for _ in 0..*length {
                flatten(program, item, out)?;
            }
            return Ok(());
        }
        Type::Record(id) => {
            for (_, field) in &program.records[id.index()].fields {
                flatten(program, field, out)?;
            }
            return Ok(());
        }
    });
    Ok(())
}

/// How many slots a type takes.
pub(crate) fn size(program: &Program, ty: &Type) -> Result<usize, Unsupported> {
    Ok(match ty {
        Type::Array(item, length) => size(program, item)? * *length as usize,
        Type::Record(id) => {
            let mut total = 0;
            for (_, field) in &program.records[id.index()].fields {
                total += size(program, field)?;
            }
            total
        }
        _ => 1,
    })
}

/// The slots of a value.
pub(crate) fn flat_value(value: &Value, out: &mut Vec<i64>) -> Result<(), Unsupported> {
    out.push(match value {
        Value::Bool(b) => i64::from(*b),
        Value::Int(n) => match i64::try_from(*n) {
            Ok(n) => n,
            Err(_) => return unsupported("numbers beyond 64 bits"),
        },
        Value::Rich(id) => id.0.into(),
        Value::Procedure(id) => id.0.into(),
        Value::Pointer(_) => return unsupported("pointers"),
        Value::Tuple(items) => {
            for item in items {
                flat_value(item, out)?;
            }
            return Ok(());
        }
    });
    Ok(())
}

/// The value in slots.
pub(crate) fn value_of(
    program: &Program,
    ty: &Type,
    slots: &mut impl Iterator<Item = i64>,
) -> Value {
    let mut next = || slots.next().expect("as many slots as the type has");
    let id = |n: i64| u32::try_from(n).expect("an id");
    match ty {
        Type::Bool => Value::Bool(next() != 0),
        Type::Rich => Value::Rich(model::RichId(id(next()))),
        Type::Procedure => Value::Procedure(model::ProcedureId(id(next()))),
        Type::Array(item, length) => Value::Tuple(
            (0..*length)
                .map(|_| value_of(program, item, slots))
                .collect(),
        ),
        Type::Record(record) => Value::Tuple(
            program.records[record.index()]
                .fields
                .iter()
                .map(|(_, ty)| value_of(program, ty, slots))
                .collect(),
        ),
        _ => Value::Int(next().into()),
    }
}

impl InstanceSlots {
    /// The code of a location.
    pub(crate) fn code_of(&self, location: LocId) -> usize {
        self.base + location.index()
    }
}

/// Whether an instance that ends goes away at once.
pub(crate) fn leaves_at_once(program: &Program) -> bool {
    matches!(
        program.composition,
        model::Composition::Interleaving {
            ids: IdPolicy::Fresh
        }
    )
}
