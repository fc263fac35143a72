//! Where everything of a state lives: the slots of the working state and the bits of a stored one.
//!
//! A *working* state is flat: one `i64` per Boolean, number, location or message field. A *stored*
//! state keeps only the slots that can differ between stable states, each in as many bits as its
//! type needs. Slots never straddle two words, so packing and unpacking are a shift and a mask.

use model::{
    IdPolicy, LocId, Pattern, Place, ProcessId, Program, Root, Stmt, Type, Value, VariableKind,
};

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

/// The slots of an instance, as offsets into the working state.
#[derive(Clone, Debug)]
pub(crate) struct InstanceSlots {
    pub(crate) process: ProcessId,
    /// Holds the location, or one of the codes behind the last.
    pub(crate) location: usize,
    /// The first slot of each parameter and local.
    pub(crate) own: Vec<usize>,
    /// The number of its stack of open calls, if the process has procedures.
    pub(crate) stack: Option<usize>,
}

/// The slots of a channel that keeps messages.
#[derive(Clone, Debug)]
pub(crate) struct ChannelSlots {
    /// Holds the number of messages.
    pub(crate) len: usize,
    /// The first slot of the oldest message.
    pub(crate) messages: usize,
    /// Slots of a message.
    pub(crate) width: usize,
    pub(crate) capacity: usize,
}

/// The working state.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// The first slot of each global.
    pub(crate) globals: Vec<usize>,
    pub(crate) instances: Vec<InstanceSlots>,
    pub(crate) channels: Vec<ChannelSlots>,
    pub(crate) leaves: Vec<Leaf>,
    /// Whether a slot needs bits at all: some statement writes it, and it outlives macro steps.
    pub(crate) kept: Vec<bool>,
    /// So many slots, the first ones, are written by some statement.
    pub(crate) changing: usize,
}

/// Codes of instances without a location, counted from the number of locations.
pub(crate) const ENDED: usize = 0;
/// Stopped by a fault.
pub(crate) const HALTED: usize = 1;
/// No longer there.
pub(crate) const GONE: usize = 2;

/// A variable before its slots are numbered.
struct Item {
    /// Whether some statement writes it: then it is part of snapshots.
    changing: bool,
    leaves: Vec<Leaf>,
    kept: bool,
}

/// The variables, in the order in which they are met.
struct Items<'p> {
    program: &'p Program,
    items: Vec<Item>,
}

impl Items<'_> {
    fn add(&mut self, ty: &Type, changing: bool, kept: bool) -> Result<usize, Unsupported> {
        let mut leaves = Vec::new();
        flatten(self.program, ty, &mut leaves)?;
        self.push(leaves, changing, kept);
        Ok(self.items.len() - 1)
    }

    fn push(&mut self, leaves: Vec<Leaf>, changing: bool, kept: bool) {
        self.items.push(Item {
            changing,
            leaves,
            kept,
        });
    }
}

impl Layout {
    pub(crate) fn new(program: &Program) -> Result<Layout, Unsupported> {
        let written = Written::of(program);
        let counter = |greatest: u64| Leaf {
            lo: 0,
            bits: bits_for(greatest),
            zero: 0,
        };
        let mut items = Items {
            program,
            items: Vec::new(),
        };
        for (index, global) in program.globals.iter().enumerate() {
            let kept = written.globals[index] && global.kind != VariableKind::Step;
            items.add(&global.ty, written.globals[index], kept)?;
        }
        for start in &program.start {
            let place = start.process.index();
            let process = &program.processes[place];
            let codes = process.locations.len() + GONE;
            items.push(vec![counter(codes as u64)], true, true);
            for (index, local) in process.locals.iter().enumerate() {
                // An instance that goes away leaves zeros behind.
                let kept = written.locals[place][index] || written.ends[place];
                items.add(&local.ty, kept, kept)?;
            }
        }
        let mut widths = Vec::new();
        for channel in &program.channels {
            let capacity = channel.capacity.unwrap_or(0) as usize;
            let mut message = Vec::new();
            for field in &channel.fields {
                flatten(program, field, &mut message)?;
            }
            let mut leaves = vec![counter(capacity as u64)];
            for _ in 0..capacity {
                leaves.extend_from_slice(&message);
            }
            items.push(leaves, capacity > 0, capacity > 0);
            widths.push(message.len());
        }
        Ok(Layout::number(program, &items.items, &widths))
    }

    /// Gives slots to the items, what changes first.
    fn number(program: &Program, items: &[Item], widths: &[usize]) -> Layout {
        let mut layout = Layout {
            globals: Vec::new(),
            instances: Vec::new(),
            channels: Vec::new(),
            leaves: Vec::new(),
            kept: Vec::new(),
            changing: 0,
        };
        let mut first = vec![0; items.len()];
        for changing in [true, false] {
            for (number, item) in items.iter().enumerate() {
                if item.changing == changing {
                    first[number] = layout.leaves.len();
                    layout.leaves.extend_from_slice(&item.leaves);
                    layout.kept.resize(layout.leaves.len(), item.kept);
                }
            }
            if changing {
                layout.changing = layout.leaves.len();
            }
        }
        let mut slots = first.into_iter();
        let mut next = || slots.next().expect("an item for each variable");
        layout.globals = program.globals.iter().map(|_| next()).collect();
        let mut stacks = 0..;
        for start in &program.start {
            let process = &program.processes[start.process.index()];
            layout.instances.push(InstanceSlots {
                process: start.process,
                location: next(),
                own: process.locals.iter().map(|_| next()).collect(),
                stack: if process.procedures.is_empty() {
                    None
                } else {
                    stacks.next()
                },
            });
        }
        for (channel, &width) in program.channels.iter().zip(widths) {
            let len = next();
            layout.channels.push(ChannelSlots {
                len,
                messages: len + 1,
                width,
                capacity: channel.capacity.unwrap_or(0) as usize,
            });
        }
        layout
    }

    /// How many slots there are.
    pub(crate) fn len(&self) -> usize {
        self.leaves.len()
    }

    /// For each slot, the slots of the variable, location or channel that it is part of.
    pub(crate) fn variables(&self) -> Vec<std::ops::Range<usize>> {
        let mut starts: Vec<usize> = self.globals.clone();
        for instance in &self.instances {
            starts.push(instance.location);
            starts.extend_from_slice(&instance.own);
        }
        starts.extend(self.channels.iter().map(|channel| channel.len));
        starts.push(self.len());
        starts.sort_unstable();
        starts.dedup();
        let pairs = starts.windows(2);
        pairs
            .flat_map(|pair| std::iter::repeat_n(pair[0]..pair[1], pair[1] - pair[0]))
            .collect()
    }

    /// The instances of a process.
    pub(crate) fn instances_of(&self, process: ProcessId) -> impl Iterator<Item = usize> {
        (0..self.instances.len()).filter(move |&i| self.instances[i].process == process)
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

/// Which variables some statement writes.
struct Written {
    globals: Vec<bool>,
    locals: Vec<Vec<bool>>,
    /// Whether instances of the process can go away.
    ends: Vec<bool>,
}

impl Written {
    fn of(program: &Program) -> Written {
        let mut written = Written {
            globals: vec![false; program.globals.len()],
            locals: program
                .processes
                .iter()
                .map(|p| vec![false; p.locals.len()])
                .collect(),
            ends: vec![false; program.processes.len()],
        };
        for (index, process) in program.processes.iter().enumerate() {
            let id = ProcessId::new(index);
            for step in &process.steps {
                for bind in &step.binds {
                    written.place(id, &bind.place);
                }
                if let Some(model::Comm::Receive { patterns, .. }) = &step.comm {
                    for pattern in patterns {
                        if let Pattern::Bind(place) = pattern {
                            written.place(id, place);
                        }
                    }
                }
                written.block(&[id], &step.body);
                match &step.target {
                    model::Target::Call {
                        result: Some(place),
                        ..
                    } => written.place(id, place),
                    model::Target::End => written.ends[index] = true,
                    _ => {}
                }
            }
        }
        // Whoever emits an event runs its observers.
        let all: Vec<ProcessId> = (0..program.processes.len()).map(ProcessId::new).collect();
        for observer in &program.observers {
            written.block(&all, &observer.body);
        }
        written
    }

    fn place(&mut self, process: ProcessId, place: &Place) {
        match place.root {
            Root::Global(id) => self.globals[id.index()] = true,
            Root::Own(local) => {
                if let Some(written) = self.locals[process.index()].get_mut(local as usize) {
                    *written = true;
                }
            }
            _ => {}
        }
    }

    /// What a body writes that instances of these processes run.
    fn block(&mut self, processes: &[ProcessId], body: &[Stmt]) {
        let mut waiting: Vec<&Stmt> = body.iter().collect();
        while let Some(stmt) = waiting.pop() {
            let place = match stmt {
                Stmt::Assign(place, _) => place,
                Stmt::Choose(choice) => &choice.place,
                Stmt::If(_, a, b) => {
                    waiting.extend(a.iter().chain(b));
                    continue;
                }
                _ => continue,
            };
            for &process in processes {
                self.place(process, place);
            }
        }
    }
}

/// A slot of the working state and its place in the stored one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    /// The slot, or its address, of the unpacked value.
    pub(crate) slot: u16,
    word: u16,
    shift: u8,
    /// One less than the number of bits.
    more: u8,
    lo: i64,
}

impl Field {
    fn mask(self) -> u64 {
        u64::MAX >> (63 - self.more)
    }

    /// The same with another place for the unpacked value.
    pub(crate) fn unpacked_to(self, slot: u16) -> Self {
        Field { slot, ..self }
    }

    /// The value in a stored state.
    #[inline]
    pub(crate) fn get(self, stored: &[u64]) -> i64 {
        let bits = (stored[usize::from(self.word)] >> self.shift) & self.mask();
        bits.cast_signed().wrapping_add(self.lo)
    }

    /// Replaces the value in a stored state.
    #[inline]
    pub(crate) fn set(self, stored: &mut [u64], value: i64) {
        let word = &mut stored[usize::from(self.word)];
        let bits = value.wrapping_sub(self.lo).cast_unsigned() & self.mask();
        *word = (*word & !(self.mask() << self.shift)) | bits << self.shift;
    }
}

/// From working to stored states and back.
#[derive(Clone, Debug)]
pub(crate) struct Packing {
    fields: Vec<Field>,
    /// Words of a stored state, at least one.
    pub(crate) words: usize,
    /// A working state with all that is constant in place.
    pub(crate) base: Vec<i64>,
}

impl Packing {
    /// A packing for states that agree with the initial ones wherever nothing is written. Step
    /// variables have the values of the first initial state.
    pub(crate) fn new(program: &Program, layout: &Layout, initial: &[Vec<i64>]) -> Packing {
        let base = initial
            .first()
            .cloned()
            .unwrap_or_else(|| vec![0; layout.len()]);
        let mut kept: Vec<usize> = (0..layout.len())
            .filter(|&slot| layout.leaves[slot].bits > 0)
            .filter(|&slot| {
                layout.kept[slot] || initial.iter().any(|state| state[slot] != base[slot])
            })
            .collect();
        for (global, &first) in program.globals.iter().zip(&layout.globals) {
            if global.kind == VariableKind::Step {
                let end = first + size(program, &global.ty).unwrap_or(0);
                kept.retain(|slot| !(first..end).contains(slot));
            }
        }
        // Wide ones first, each into the first word that has room.
        kept.sort_by_key(|&slot| std::cmp::Reverse(layout.leaves[slot].bits));
        let mut used: Vec<u8> = Vec::new();
        let mut fields: Vec<Field> = kept
            .into_iter()
            .map(|slot| {
                let leaf = layout.leaves[slot];
                let word = used
                    .iter()
                    .position(|&used| used + leaf.bits <= 64)
                    .unwrap_or_else(|| {
                        used.push(0);
                        used.len() - 1
                    });
                let shift = used[word];
                used[word] += leaf.bits;
                Field {
                    slot: u16::try_from(slot).expect("the compiler has checked the size"),
                    word: u16::try_from(word).expect("fewer words than slots"),
                    shift,
                    more: leaf.bits - 1,
                    lo: leaf.lo,
                }
            })
            .collect();
        fields.sort_by_key(|field| (field.word, field.shift));
        Packing {
            fields,
            words: used.len().max(1),
            base,
        }
    }

    /// What is stored.
    pub(crate) fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Half words of a stored state: the upper half of the last word may be always zero.
    pub(crate) fn halves(&self) -> usize {
        let last = self.fields.last();
        let bits = last.map_or(0, |field| {
            u32::from(field.shift) + u32::from(field.more) + 1
        });
        self.words * 2 - usize::from(bits <= 32)
    }

    /// Packs a working state.
    #[inline]
    pub(crate) fn pack(&self, state: &[i64], out: &mut [u64]) {
        let mut word = 0;
        let mut bits = 0u64;
        for field in &self.fields {
            if field.word != word {
                out[usize::from(word)] = bits;
                word = field.word;
                bits = 0;
            }
            let value = state[usize::from(field.slot)]
                .wrapping_sub(field.lo)
                .cast_unsigned();
            bits |= (value & field.mask()) << field.shift;
        }
        out[usize::from(word)] = bits;
    }

    /// Unpacks a stored state.
    pub(crate) fn unpack(&self, stored: &[u64], state: &mut [i64]) {
        state.copy_from_slice(&self.base);
        for field in &self.fields {
            state[usize::from(field.slot)] = field.get(stored);
        }
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

/// The code of a location.
pub(crate) fn location_code(location: LocId) -> i64 {
    i64::from(location.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Mode, Process, Start, Step, Variable};
    use source::Span;

    /// A program that writes a variable of each type.
    fn program(types: &[Type]) -> Program {
        let mut program = Program::new("types", "none");
        let mut process = Process::new("p");
        let here = process.add_location("here", Mode::Open, Span::NONE);
        let mut step = Step::new(here, here, Span::NONE);
        for ty in types {
            let id = program.add_global(Variable::new("x", ty.clone()));
            let value = program.exprs.load(Place::global(id), ty.clone());
            step.body.push(Stmt::Assign(Place::global(id), value));
            program.add_global(Variable::new("never written", ty.clone()));
        }
        process.add_step(step);
        let process = program.add_process(process);
        program.start.push(Start {
            process,
            args: Vec::new(),
        });
        program
    }

    #[test]
    fn what_is_packed_comes_back_and_takes_the_bits_of_its_type() {
        let int = |bits, signed| Type::Int { bits, signed };
        let types = [
            Type::Bool,
            int(3, true),
            int(32, false),
            int(64, true),
            Type::Range { lo: -5, hi: 10 },
            Type::Range {
                lo: i64::MIN,
                hi: i64::MAX,
            },
            Type::Range { lo: 7, hi: 7 },
            Type::Mathint,
            Type::Array(Box::new(int(5, true)), 3),
        ];
        let program = program(&types);
        let layout = Layout::new(&program).unwrap();
        let initial: Vec<i64> = layout.leaves.iter().map(|leaf| leaf.zero).collect();
        let packing = Packing::new(&program, &layout, std::slice::from_ref(&initial));
        // 64 + 64 + 64 bits alone, the rest is 1 + 3 + 32 + 4 + 3 * 5 and 2 for the location.
        assert_eq!(packing.words, 4);
        for pick in 0..4 {
            let mut state = initial.clone();
            for (slot, leaf) in state.iter_mut().zip(&layout.leaves[..layout.changing]) {
                let span = u64::MAX.checked_shr(64 - u32::from(leaf.bits)).unwrap_or(0);
                let offset = [0, span, span / 2, span / 3][pick];
                *slot = leaf.lo.wrapping_add(offset.cast_signed());
            }
            let mut words = vec![0; packing.words];
            packing.pack(&state, &mut words);
            let mut back = vec![0; layout.len()];
            packing.unpack(&words, &mut back);
            assert_eq!(state, back);
        }
    }

    #[test]
    fn what_differs_only_initially_is_kept() {
        let program = program(&[Type::Bool]);
        let layout = Layout::new(&program).unwrap();
        let first = vec![0; layout.len()];
        let never_written = layout.globals[1];
        assert!(never_written >= layout.changing);
        let mut second = first.clone();
        second[never_written] = 1;
        let packing = Packing::new(&program, &layout, &[first, second.clone()]);
        let mut words = vec![0; packing.words];
        packing.pack(&second, &mut words);
        let mut back = vec![0; layout.len()];
        packing.unpack(&words, &mut back);
        assert_eq!(second, back);
    }
}
