//! Footprints: what of a state a move can read and write, found in its code.
//!
//! Most moves touch a few variables of many. Unpacking those alone before a move, and packing
//! those alone after it into a copy of the state it began in, costs a fraction of going through
//! the whole state; and there is nothing to put back afterwards, as each move fetches what it
//! needs. A move whose code leaves decisions to the [driver](crate::successors::expander) has no footprint: it
//! runs on the whole state. One decision needs less: who goes on after a part of a move. Only those
//! can be inside of regions then whom the move has brought there.

use std::collections::{BTreeMap, BTreeSet};

use model::Mode;

use crate::ir::instruction::{ChannelSite, Code, MoveInfo, Op, Pc, Slot};
use crate::ir::layout::Layout;
use crate::store::packing::{Field, Packing, Small};
use crate::successors::guard_tests::GuardTest;

/// What some code touches: parts of the [fields](Footprints::fields) and
/// [slots](Footprints::slots) of all.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Footprint {
    /// Fields that are unpacked before.
    fetched: Part,
    /// Slots of what is not stored.
    reset: Part,
    /// Fields that are packed after.
    written: Part,
    /// Of the fields that are unpacked and packed those that are not reached by an index, which is not
    /// known beforehand.
    direct: Part,
    direct_written: Part,
    /// Whether it can change what is asked for at the end of macro steps.
    pub(crate) outcomes: bool,
    /// Whether it can be made in several ways, so that its enumeration goes on.
    pub(crate) several: bool,
    /// Whether it writes slots that last from one micro step to the next, but for what is noted.
    pub(crate) lasting: bool,
    /// The instances that it can leave inside of regions, as bits, where it is asked
    /// who goes on.
    pub(crate) inside: u64,
}

impl Footprint {
    /// Whether it can leave an instance inside of a region.
    pub(crate) fn leaves_inside(&self, instance: usize) -> bool {
        instance < u64::BITS as usize && self.inside >> instance & 1 != 0
    }
}

/// A part of a list.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Part {
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Part {
    #[inline]
    pub(super) fn of<T>(self, all: &[T]) -> &[T] {
        &all[self.start as usize..self.end as usize]
    }
}

/// A move on a [priority list](crate::ir::instruction::PriorityList).
#[derive(Clone, Copy, Debug)]
pub(crate) struct GuardedMove {
    pub(crate) enumerate: Pc,
    /// Its priority class.
    pub(crate) class: u8,
    /// Whether it is less urgent than the one before.
    pub(crate) less_urgent: bool,
    /// The fairness sets that it belongs to.
    pub(crate) fair: u64,
    /// The instances that take part in it, as bits, if they have numbers small enough.
    pub(crate) parts: Option<u64>,
    /// Whether it first asks that nothing else be possible, so that it need not be tried where
    /// something is.
    pub(crate) waits: bool,
    /// Whether trying it leaves values behind when it is not possible.
    pub(crate) writes: bool,
    /// What it touches, if that is known.
    pub(crate) footprint: Option<Footprint>,
    /// [Tests](crate::successors::guard_tests) for its guard.
    pub(super) tests: Part,
}

/// Where stored states tell an instance's location, and the priority lists of its locations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocationLists {
    location: Small,
    first: usize,
}

impl LocationLists {
    /// The location's code.
    #[inline(always)]
    pub(crate) fn code(self, stored: &[u64]) -> usize {
        self.location.get(stored)
    }

    /// Adds the bits that tell the location to a mask.
    pub(crate) fn cover(self, mask: &mut [u64]) {
        self.location.cover(mask);
    }

    /// The number of the priority list there.
    #[inline(always)]
    pub(crate) fn priority_list(self, stored: &[u64]) -> usize {
        self.first + self.code(stored)
    }
}

/// What is touched where.
#[derive(Clone, Debug)]
pub(crate) struct Footprints {
    /// What the outcomes read: unpacked before they are evaluated; nothing if that may be all.
    pub(crate) finish: Option<Footprint>,
    /// Where the instances are.
    pub(crate) stations: Vec<LocationLists>,
    /// The priority list at each location: a part of the guarded moves.
    priority_lists: Vec<Part>,
    /// For each list, whether its moves together touch more fields than the state has.
    touch_all: Vec<bool>,
    pub(super) guarded_moves: Vec<GuardedMove>,
    pub(super) guard_tests: Vec<GuardTest>,
    /// Whether any of them waits.
    pub(crate) some_wait: bool,
    /// The priority classes of moves, highest first.
    pub(crate) classes: Vec<u8>,
    fields: Vec<Field>,
    /// For each slot of the state, where it is stored.
    pub(super) field_of: Vec<Option<Field>>,
    /// What each instruction reads and writes, but for what an index leads to: parts of these fields;
    /// nothing if what moves touch is always known beforehand.
    instructions: Vec<[Part; 2]>,
    instruction_fields: Vec<Field>,
    /// What is not stored, with its value before each move.
    slots: Vec<(Slot, i64)>,
    /// All of that which moves change, where it is not known what outcomes read.
    unstored: Part,
}

impl Footprints {
    /// A priority list by its number.
    #[inline]
    pub(crate) fn priority_list(&self, number: usize) -> &[GuardedMove] {
        self.priority_lists[number].of(&self.guarded_moves)
    }

    /// Whether unpacking the whole state once is cheaper than unpacking what each move of a list touches.
    #[inline]
    pub(crate) fn touches_all(&self, number: usize) -> bool {
        self.touch_all[number]
    }

    /// The priority lists of all locations of all instances, each with the location lists of its instance.
    pub(crate) fn priority_lists(&self) -> impl Iterator<Item = (LocationLists, &[GuardedMove])> {
        let ends = self.stations.iter().skip(1).map(|next| next.first);
        let ends = ends.chain([self.priority_lists.len()]);
        let each = self.stations.iter().zip(ends);
        each.flat_map(|(location_lists, end)| {
            let priority_lists = self.priority_lists[location_lists.first..end].iter();
            priority_lists
                .map(|priority_list| (*location_lists, priority_list.of(&self.guarded_moves)))
        })
    }

    /// Whether trying all moves tells of each instance whether it can take part in one: none is
    /// passed over for what is more urgent.
    pub(crate) fn tell_who_is_enabled(&self) -> bool {
        let is_tried = |guarded_move: &GuardedMove| {
            !guarded_move.less_urgent && !guarded_move.waits && guarded_move.parts.is_some()
        };
        self.classes.len() == 1 && self.guarded_moves.iter().all(is_tried)
    }

    /// How many there are.
    pub(crate) fn priority_list_count(&self) -> usize {
        self.priority_lists.len()
    }

    #[inline]
    pub(crate) fn fetched(&self, footprint: &Footprint) -> &[Field] {
        footprint.fetched.of(&self.fields)
    }

    #[inline]
    pub(crate) fn reset(&self, footprint: &Footprint) -> &[(Slot, i64)] {
        footprint.reset.of(&self.slots)
    }

    /// What is to be reset before a move beside what it touches itself, since what is asked for at its
    /// end may read it.
    #[inline]
    pub(crate) fn reset_for_outcomes(&self) -> &[(Slot, i64)] {
        match &self.finish {
            Some(finish) => self.reset(finish),
            None => self.unstored.of(&self.slots),
        }
    }

    #[inline]
    pub(crate) fn written(&self, footprint: &Footprint) -> &[Field] {
        footprint.written.of(&self.fields)
    }

    /// Of the fields that are unpacked those that are not reached by an index.
    pub(crate) fn direct(&self, footprint: &Footprint) -> &[Field] {
        footprint.direct.of(&self.fields)
    }

    /// Of the fields that are packed those that are not reached by an index.
    pub(crate) fn direct_written(&self, footprint: &Footprint) -> &[Field] {
        footprint.direct_written.of(&self.fields)
    }

    /// Notes what each instruction touches.
    fn add_instructions(&mut self, walk: &Walk<'_>) {
        for &op in &walk.code.ops {
            let mut touched = Touched::default();
            walk.touch(op, &mut touched);
            let parts = [&touched.direct_read, &touched.direct_written].map(|slots| {
                let start = position(&self.instruction_fields);
                let fields = slots.iter().filter_map(|slot| self.field_of[*slot]);
                self.instruction_fields.extend(fields);
                let end = position(&self.instruction_fields);
                Part { start, end }
            });
            self.instructions.push(parts);
        }
    }

    /// Adds the bits that an instruction reads and writes to masks, but for what an index leads to.
    pub(crate) fn cover_instruction(&self, pc: Pc, read: &mut [u64], written: &mut [u64]) {
        let parts = self.instructions[pc as usize];
        for (part, mask) in parts.into_iter().zip([read, written]) {
            for field in part.of(&self.instruction_fields) {
                field.cover(mask);
            }
        }
    }

    /// Whether nothing that code touches is reached by an index.
    pub(crate) fn is_direct(&self, footprint: &Footprint) -> bool {
        self.direct(footprint).len() == self.fetched(footprint).len()
            && self.direct_written(footprint).len() == self.written(footprint).len()
    }

    /// Adds the bits of a slot of the state to a mask, if it is stored.
    pub(crate) fn cover(&self, slot: usize, mask: &mut [u64]) {
        if let Some(Some(field)) = self.field_of.get(slot) {
            field.cover(mask);
        }
    }
}

/// Slots of the working state that some code touches.
#[derive(Default)]
struct Touched {
    read: BTreeSet<usize>,
    written: BTreeSet<usize>,
    /// Of these those that are not reached by an index.
    direct_read: BTreeSet<usize>,
    direct_written: BTreeSet<usize>,
    several: bool,
    lasting: bool,
    /// The instances after whose part of a move it is asked who goes on,
    settling: BTreeSet<usize>,
    /// the locations that instances come to,
    reached: BTreeMap<usize, BTreeSet<usize>>,
    /// and whether some may come to others as well.
    anywhere: bool,
    /// Whether there may be faults.
    faults: bool,
    /// See [`Footprint::inside`].
    inside: u64,
}

impl Touched {
    fn read_directly(&mut self, slots: impl IntoIterator<Item = usize>) {
        for slot in slots {
            self.read.insert(slot);
            self.direct_read.insert(slot);
        }
    }

    fn write_directly(&mut self, slots: impl IntoIterator<Item = usize>) {
        for slot in slots {
            self.written.insert(slot);
            self.direct_written.insert(slot);
        }
    }
}

impl Footprints {
    /// Footprints of all moves; nothing if trying moves does not tell what is enabled.
    pub(crate) fn of(code: &Code, layout: &Layout, packing: &Packing) -> Option<Footprints> {
        if !code.by_trying {
            return None;
        }
        let mut field_of = vec![None; layout.len()];
        for field in packing.fields() {
            field_of[usize::from(field.slot)] = Some(*field);
        }
        let walk = Walk::new(code, layout);
        let mut classes: BTreeSet<u8> = code.moves.iter().map(|info| info.class).collect();
        // Where nothing can ever move, there is a class without moves.
        if classes.is_empty() {
            classes.insert(0);
        }
        let mut all = Footprints {
            finish: None,
            stations: Vec::new(),
            priority_lists: Vec::new(),
            touch_all: Vec::new(),
            guarded_moves: Vec::new(),
            guard_tests: Vec::new(),
            some_wait: false,
            classes: classes.into_iter().rev().collect(),
            fields: Vec::new(),
            field_of: field_of.clone(),
            instructions: Vec::new(),
            instruction_fields: Vec::new(),
            slots: Vec::new(),
            unstored: Part::default(),
        };
        let finish = walk.from(code.finish);
        let observed = finish.as_ref().map(|touched| touched.read.clone());
        let mut place = Placing {
            all: &mut all,
            code,
            packing,
            changing: layout.changing,
            field_of: &field_of,
            observed,
        };
        let finish = finish.map(|touched| place.footprint(&touched));
        if finish.is_none() {
            let changes = |slot: &usize| field_of[*slot].is_none() && layout.leaves[*slot].bits > 0;
            place.all.unstored = place.resets((0..layout.changing).filter(changes));
        }
        // No stored state is inside of a region: along a chain of merged steps, what each of them
        // reaches would take the square of its length.
        let mut begins = vec![false; code.moves.len()];
        for info in &code.instances {
            for (moves, mode) in info.moves.iter().zip(&info.modes) {
                if *mode != Some(Mode::Region) {
                    moves.iter().for_each(|&id| begins[id as usize] = true);
                }
            }
        }
        let moves: Vec<Option<Footprint>> = code
            .moves
            .iter()
            .zip(begins)
            .map(|(info, begins)| {
                let touched = begins.then(|| walk.from(info.enumerate)).flatten();
                touched.map(|touched| place.footprint(&touched))
            })
            .collect();
        all.finish = finish;
        // What asks elsewhere whether anything is possible may be possible where nothing else is.
        let asks = |op: &Op| matches!(op, Op::NothingEnabled { .. } | Op::Enabled { .. });
        let begin_so = |info: &&MoveInfo| walk.waits(info.enumerate);
        let waiting = code.moves.iter().filter(begin_so).count();
        let asking = code.ops.iter().filter(|op| asks(op)).count();
        all.some_wait = waiting > 0 && waiting == asking;
        for (info, slots) in code.instances.iter().zip(&layout.positions) {
            all.stations.push(LocationLists {
                location: field_of[slots.location]?.small(),
                first: all.priority_lists.len(),
            });
            for priority_list in info.priority_lists.as_ref()? {
                let start = position(&all.guarded_moves);
                all.guarded_moves
                    .extend(priority_list.iter().map(|&(id, less_urgent)| {
                        let info = &code.moves[id as usize];
                        GuardedMove {
                            enumerate: info.enumerate,
                            class: info.class,
                            less_urgent,
                            fair: info.fair,
                            parts: info.parts.iter().try_fold(0, |all, part| {
                                let bit = 1u64.checked_shl(part.instance)?;
                                Some(all | bit)
                            }),
                            waits: all.some_wait && walk.waits(info.enumerate),
                            writes: info.writes,
                            footprint: moves[id as usize],
                            tests: Part::default(),
                        }
                    }));
                let end = position(&all.guarded_moves);
                all.priority_lists.push(Part { start, end });
            }
        }
        let is_unknown = |guarded_move: &GuardedMove| guarded_move.footprint.is_none();
        if all.guarded_moves.iter().any(is_unknown) {
            all.add_instructions(&walk);
        }
        let stored = packing.fields().len();
        let touched = |guarded_move: &GuardedMove| match &guarded_move.footprint {
            Some(footprint) => all.fetched(footprint).len(),
            None => stored,
        };
        let touch_all = all.priority_lists.iter().map(|priority_list| {
            let moves = priority_list.of(&all.guarded_moves).iter();
            moves.map(touched).sum::<usize>() > stored
        });
        all.touch_all = touch_all.collect();
        Some(all)
    }
}

/// The bits of stored states that tell what is asked for at the ends of macro steps; nothing if it
/// takes more than stored states.
pub(crate) fn observed_bits(code: &Code, layout: &Layout, packing: &Packing) -> Option<Vec<u64>> {
    let walk = Walk::new(code, layout);
    let mut read = walk.from(code.finish)?.read;
    let mut bits = vec![0; packing.words];
    for field in packing.fields() {
        if read.remove(&usize::from(field.slot)) {
            field.cover(&mut bits);
        }
    }
    read.iter()
        .all(|slot| *slot >= layout.changing)
        .then_some(bits)
}

pub(super) fn position<T>(list: &[T]) -> u32 {
    u32::try_from(list.len()).expect("lists of what code touches are short")
}

/// Gives what is touched its places.
struct Placing<'a> {
    all: &'a mut Footprints,
    code: &'a Code,
    packing: &'a Packing,
    changing: usize,
    field_of: &'a [Option<Field>],
    /// What is read at the end of macro steps.
    observed: Option<BTreeSet<usize>>,
}

impl Placing<'_> {
    fn footprint(&mut self, touched: &Touched) -> Footprint {
        let slots = touched.read.union(&touched.written);
        let (stored, other): (Vec<usize>, Vec<usize>) =
            slots.partition(|&&slot| self.field_of[slot].is_some());
        let outcomes = self.observed.as_ref().is_none_or(|observed| {
            let unstored = |slot: &usize| self.field_of[*slot].is_none() && *slot < self.changing;
            observed.iter().any(unstored) || !observed.is_disjoint(&touched.written)
        });
        let direct = touched.direct_read.union(&touched.direct_written);
        Footprint {
            fetched: self.add(stored),
            reset: self.resets(other),
            written: self.add(touched.written.iter().copied()),
            direct: self.add(direct.copied()),
            direct_written: self.add(touched.direct_written.iter().copied()),
            outcomes,
            several: touched.several,
            lasting: touched.lasting,
            inside: touched.inside,
        }
    }

    fn resets(&mut self, slots: impl IntoIterator<Item = usize>) -> Part {
        let start = position(&self.all.slots);
        for slot in slots {
            let value = self.packing.base[slot];
            self.all.slots.push((self.address(slot), value));
        }
        let end = position(&self.all.slots);
        Part { start, end }
    }

    fn add(&mut self, slots: impl IntoIterator<Item = usize>) -> Part {
        let start = position(&self.all.fields);
        for slot in slots {
            if let Some(field) = self.field_of[slot] {
                let field = field.unpacked_to(self.address(slot));
                self.all.fields.push(field);
            }
        }
        let end = position(&self.all.fields);
        Part { start, end }
    }

    fn address(&self, slot: usize) -> Slot {
        Slot::try_from(self.code.state + slot).expect("the compiler has checked the size")
    }
}

/// Goes through code.
struct Walk<'c> {
    code: &'c Code,
    layout: &'c Layout,
    /// For each slot of the state, the slots of the variable that it is part of.
    variables: Vec<std::ops::Range<usize>>,
    /// For each slot of the state, the instance whose location it holds; nothing where it is never
    /// asked who goes on.
    located: Vec<Option<usize>>,
}

impl<'c> Walk<'c> {
    fn new(code: &'c Code, layout: &'c Layout) -> Walk<'c> {
        let mut located = vec![None; code.state_len];
        let asks_who_goes_on = |op: &Op| matches!(op, Op::Settle { .. });
        if code.ops.iter().any(asks_who_goes_on) {
            for (number, position) in layout.positions.iter().enumerate() {
                located[position.location] = Some(number);
            }
        }
        Walk {
            code,
            layout,
            variables: layout.variables(),
            located,
        }
    }

    /// What all code that can be reached from here touches; nothing if it leaves decisions to the
    /// driver.
    fn from(&self, start: Pc) -> Option<Touched> {
        let mut touched = Touched::default();
        let mut seen = BTreeSet::new();
        let mut waiting = vec![start];
        loop {
            let Some(pc) = waiting.pop() else {
                // Whoever is left inside may go on.
                waiting = self.go_on(&mut touched)?;
                waiting.retain(|pc| !seen.contains(pc));
                if waiting.is_empty() {
                    return Some(touched);
                }
                continue;
            };
            if !seen.insert(pc) {
                continue;
            }
            let op = self.code.ops[pc as usize];
            self.touch(op, &mut touched);
            self.reach(op, &mut touched);
            match op {
                Op::Jump { to } | Op::Fault { to, .. } => waiting.push(to),
                Op::Select { table, .. } => {
                    waiting.push(pc + 1);
                    let alternatives = &self.code.select[usize::from(table)];
                    waiting.extend(alternatives.iter().map(|(_, to)| *to));
                }
                Op::Switch { table, .. } => {
                    let table = &self.code.switches[usize::from(table)];
                    waiting.extend_from_slice(&table.to);
                    waiting.push(table.otherwise);
                }
                Op::Apply { site } => {
                    waiting.push(pc + 1);
                    waiting.push(self.code.apply[usize::from(site)].to);
                }
                Op::Return { .. } => waiting.extend_from_slice(&self.code.landings),
                Op::Yield { resume } => {
                    waiting.extend([pc + 1, resume]);
                    touched.several |= !self.code.ends_at_once(resume);
                }
                Op::NoMore | Op::Prune | Op::Stop { .. } | Op::Blocked | Op::Stable => {}
                Op::Enabled { .. } | Op::NothingEnabled { .. } | Op::Inner { .. } => return None,
                Op::Settle { instance } => {
                    touched.settling.insert(instance.into());
                }
                mut other => {
                    touched.faults |= matches!(other, Op::Faulted);
                    waiting.push(pc + 1);
                    waiting.extend(other.target().map(|to| *to));
                }
            }
        }
    }

    /// Where those go on who can be left inside of a region when it is asked who does; nothing if
    /// that is the driver's decision. Nobody is inside before the macro step begins.
    fn go_on(&self, touched: &mut Touched) -> Option<Vec<Pc>> {
        let mut entries = Vec::new();
        if touched.settling.is_empty() {
            return Some(entries);
        }
        if touched.anywhere {
            return None;
        }
        for number in &touched.settling {
            let modes = &self.code.instances[*number].modes;
            let is_atomic = |code: &usize| modes[*code] == Some(Mode::Atomic);
            let may_be_atomic = match touched.faults {
                // The fault of another may have left it where it was.
                true => (0..modes.len()).any(|code| is_atomic(&code)),
                false => touched.reached.get(number)?.iter().any(is_atomic),
            };
            if may_be_atomic {
                return None;
            }
        }
        for (&number, codes) in &touched.reached {
            let info = &self.code.instances[number];
            for &code in codes {
                if info.modes[code] == Some(Mode::Region) {
                    entries.push(info.entries[code]?);
                }
            }
            touched.inside |= 1u64.checked_shl(u32::try_from(number).ok()?)?;
        }
        touched.lasting = true;
        Some(entries)
    }

    /// Notes which locations instances come to.
    fn reach(&self, op: Op, touched: &mut Touched) {
        let (address, count) = match op {
            Op::CopyMany { d, n, .. } => (Some(d), n.into()),
            _ => (op.result(), 1),
        };
        let Some(first) = address.and_then(|address| self.slot(address)) else {
            return;
        };
        for number in self.located[first..first + count].iter().flatten() {
            let code = match op {
                Op::Copy { a, .. } => self.code.constants.get(usize::from(a)),
                _ => None,
            };
            match code.and_then(|&code| usize::try_from(code).ok()) {
                Some(code) => {
                    touched.reached.entry(*number).or_default().insert(code);
                }
                None => touched.anywhere = true,
            }
        }
    }

    /// Whether the move that is enumerated here first asks that nothing else be possible.
    fn waits(&self, pc: Pc) -> bool {
        let ops = &self.code.ops[pc as usize..];
        let [Op::NothingEnabled { d }, Op::JumpIfNot { a, to }, ..] = *ops else {
            return false;
        };
        a == d && self.code.ends_at_once(to)
    }

    /// The slot of the state at an address.
    fn slot(&self, address: Slot) -> Option<usize> {
        let slot = usize::from(address).checked_sub(self.code.state)?;
        (slot < self.code.state_len).then_some(slot)
    }

    fn locations(&self) -> impl Iterator<Item = usize> {
        let positions = self.layout.positions.iter();
        positions.map(|position| position.location)
    }

    fn touch(&self, op: Op, touched: &mut Touched) {
        let one = |address: Slot, n: usize| {
            let first = self.slot(address);
            first.into_iter().flat_map(move |first| first..first + n)
        };
        // An index stays inside the variable.
        let all = |base: Slot| {
            let slot = self.slot(base);
            slot.into_iter()
                .flat_map(|slot| self.variables[slot].clone())
        };
        match op {
            Op::CopyMany { d, a, n } => {
                touched.read_directly(one(a, n.into()));
                touched.write_directly(one(d, n.into()));
            }
            Op::LoadAt { base, .. } => touched.read.extend(all(base)),
            Op::StoreAt { base, .. } => touched.written.extend(all(base)),
            Op::Apply { site } => {
                let site = &self.code.apply[usize::from(site)];
                for (address, _) in &site.args {
                    touched.read_directly(all(*address));
                }
                touched.write_directly(all(site.d));
            }
            Op::Switch { a, .. } => touched.read_directly(one(a, 1)),
            Op::Happen { site } => {
                for &(address, width, _) in &self.code.happens[usize::from(site)].args {
                    touched.read_directly(one(address, width));
                }
                touched.lasting = true;
            }
            Op::Count { .. } => touched.read_directly(self.locations()),
            Op::Start { site } => {
                touched.anywhere = true;
                let site = &self.code.starts[usize::from(site)];
                touched.read_directly(self.locations());
                touched.write_directly(self.locations());
                for position in &self.layout.positions {
                    touched.write_directly(position.pool.clone().into_iter().flatten());
                }
                touched.write_directly(one(site.d, 1));
            }
            Op::Make { site } => {
                let site = &self.code.makes[usize::from(site)];
                touched.read_directly(self.locations());
                for place in &self.layout.places {
                    touched.write_directly(place.present);
                }
                touched.write_directly(one(site.d, 1));
            }
            Op::Channel { site } => match &self.code.channel[usize::from(site)] {
                ChannelSite::Put {
                    len,
                    message,
                    width,
                    ..
                } => {
                    touched.write_directly(all(*len));
                    touched.read_directly(one(*message, *width));
                }
                ChannelSite::Find { len, wanted, d, .. } => {
                    touched.read_directly(all(*len));
                    for (_, address) in wanted {
                        touched.read_directly(one(*address, 1));
                    }
                    touched.write_directly(one(*d, 1));
                }
                ChannelSite::Take {
                    len,
                    at,
                    message,
                    width,
                    ..
                } => {
                    touched.write_directly(all(*len));
                    touched.read_directly(one(*at, 1));
                    touched.write_directly(one(*message, *width));
                }
            },
            _ => {}
        }
        for address in op.operands().into_iter().flatten() {
            touched.read_directly(one(address, 1));
        }
        if let Some(address) = op.result() {
            touched.write_directly(one(address, 1));
            let lasting = self.code.lasting..self.code.state;
            touched.lasting |= lasting.contains(&usize::from(address));
        }
    }
}
