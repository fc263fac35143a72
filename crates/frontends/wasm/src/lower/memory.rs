//! Linear memory: which zones still have their first contents, variables at constant addresses, and
//! its size. What else is in memory may be anything each time.

use model::{Binary, ExprId, Stmt, Type, ValueSet};
use source::Span;
use wasmparser::{MemArg, MemArgTarget, Operator, ValType};

use super::Lowering;
use super::arithmetic::{I32, I64, address, converted, either, number, two};
use super::code::Running;
use super::facts::{Cell, Modelled, Written};
use super::values::{Val, numeric};
use crate::decode::Instr;
use crate::image::{Image, Zone};

/// Bytes in a page.
const PAGE: i128 = 65_536;

impl Lowering<'_> {
    /// The first contents of memories.
    pub(super) fn begin_memories(&mut self) {
        for (at, memory) in self.store.memories.iter().enumerate() {
            let mut image = Image::of(memory);
            let known = !memory.unknown;
            let wanted = match known {
                true => self.facts.cells(at),
                false => Vec::new(),
            };
            let mut cells = Vec::new();
            for (start, width) in wanted {
                let Some(model) = cell_type(width) else {
                    continue;
                };
                if start + width > memory.least * PAGE as u64 {
                    continue;
                }
                let first = image.initial(start, width);
                image.cut(start, width);
                let place = self.variable(&format!("memory at {start}"), model.clone());
                let first = self.pool().int(model.wrap(first), model);
                self.assign(place.clone(), first);
                cells.push(Cell {
                    start,
                    width,
                    place,
                });
            }
            let dirty = image.zones.iter().map(|zone| {
                let name = format!("memory from {} is written", zone.start);
                let place = self.variable(&name, Type::Bool);
                let no = self.pool().bool(false);
                self.assign(place.clone(), no);
                place
            });
            let dirty = dirty.collect();
            let grows = memory.open && memory.most > memory.least || self.is_grown(at);
            let pages = grows.then(|| {
                let place = self.variable("pages of memory", I32);
                let first = self.pool().int(i128::from(memory.least), I32);
                self.assign(place.clone(), first);
                place
            });
            self.memories.push(Modelled {
                image,
                dirty,
                cells,
                pages,
            });
        }
    }

    /// Whether an instruction makes a memory larger.
    fn is_grown(&self, memory: usize) -> bool {
        self.store.instances.iter().any(|instance| {
            let mut code = instance.module.bodies.iter().flat_map(|body| &body.code);
            code.any(|instr| match instr.operator {
                Operator::MemoryGrow { mem } => {
                    instance.memories.get(mem as usize) == Some(&memory)
                }
                _ => false,
            })
        })
    }

    fn pages(&mut self, memory: usize) -> ExprId {
        match self.memories[memory].pages.clone() {
            Some(place) => self.pool().load(place, I32),
            None => {
                let pages = i128::from(self.store.memories[memory].least);
                self.pool().int(pages, I32)
            }
        }
    }

    /// What can become of a memory that somebody else writes, as far as that is known.
    pub(super) fn memory_changes(&mut self, memory: usize, what: &str, exact: bool) -> Vec<Stmt> {
        self.changes(memory, None, what, exact)
    }

    /// The same for what code of the module may write. If `follows`, runs of that code are looked at
    /// themselves, and those that write a zone are not followed: then all zones are as they were.
    pub(super) fn own_changes(&mut self, memory: usize, what: &str, follows: bool) -> Vec<Stmt> {
        let mut written = self.facts.written.clone().unwrap_or_default();
        if follows {
            written.zones.clear();
        }
        let known = follows || self.facts.written.is_some();
        self.changes(memory, known.then_some(&written), what, false)
    }

    fn changes(
        &mut self,
        memory: usize,
        written: Option<&Written>,
        what: &str,
        exact: bool,
    ) -> Vec<Stmt> {
        let mut changes = Vec::new();
        for (zone, dirty) in self.memories[memory].dirty.clone().into_iter().enumerate() {
            let start = self.memories[memory].image.zones[zone].start;
            if written.is_some_and(|written| !written.zones.contains(&(memory, start))) {
                continue;
            }
            let before = self.pool().load(dirty.clone(), Type::Bool);
            let place = self.variable(what, Type::Bool);
            changes.push(self.choice(place.clone(), ValueSet::All(Type::Bool), what, exact));
            let written = self.pool().load(place, Type::Bool);
            let after = self.pool().or(before, written);
            changes.push(Stmt::Assign(dirty, after));
        }
        for cell in self.memories[memory].cells.clone() {
            // Before it is known what code writes, it may write all.
            let known = written.and(self.facts.written.as_ref());
            if known.is_some_and(|known| !known.cells.contains(&(memory, cell.start))) {
                continue;
            }
            if let Some(model) = cell_type(cell.width) {
                changes.push(self.choice(cell.place, ValueSet::All(model), what, exact));
            }
        }
        let may_grow = written.is_none() || self.is_grown(memory);
        if let Some(pages) = self.memories[memory].pages.clone().filter(|_| may_grow) {
            let before = self.pool().load(pages.clone(), I32);
            let most = i128::from(self.store.memories[memory].most);
            let most = self.pool().int(most, I32);
            changes.push(self.choice(pages, ValueSet::Between(before, most), what, exact));
        }
        changes
    }

    /// So many bytes from an address, both of them in 64 bits, are written; with this value, if it
    /// is one number.
    pub(super) fn written(
        &mut self,
        memory: usize,
        at: ExprId,
        bytes: u64,
        value: Option<ExprId>,
        exact: bool,
    ) {
        let bytes = self.pool().int(i128::from(bytes), I64);
        let end = two(self.pool(), Binary::Add, at, bytes);
        self.written_between(memory, at, end, value, exact);
    }

    fn written_between(
        &mut self,
        memory: usize,
        at: ExprId,
        end: ExprId,
        value: Option<ExprId>,
        exact: bool,
    ) {
        if !self.is_live() {
            return;
        }
        let zones = self.memories[memory].image.zones.iter();
        let zones: Vec<(u64, u64)> = zones.map(|zone| (zone.start, zone.end())).collect();
        for (zone, (from, to)) in zones.into_iter().enumerate() {
            let overlap = self.overlaps((at, end), (from, to));
            if self.is_false(overlap) {
                continue;
            }
            self.now_written.zones.insert((memory, from));
            if let Some(nested) = self.nested.clone() {
                let nested = self.pool().load(nested, Type::Bool);
                let lost = two(self.pool(), Binary::And, nested, overlap);
                let what =
                    "memory with its first contents that is written while the host is called";
                self.sink_if(lost, what, Span::NONE);
            }
            let dirty = self.memories[memory].dirty[zone].clone();
            let before = self.pool().load(dirty.clone(), Type::Bool);
            let after = two(self.pool(), Binary::Or, before, overlap);
            self.assign(dirty, after);
        }
        for cell in self.memories[memory].cells.clone() {
            self.write_cell(memory, &cell, (at, end), value, exact);
        }
    }

    fn write_cell(
        &mut self,
        memory: usize,
        cell: &Cell,
        (at, end): (ExprId, ExprId),
        value: Option<ExprId>,
        exact: bool,
    ) {
        let overlap = self.overlaps((at, end), (cell.start, cell.start + cell.width));
        let Some(model) = cell_type(cell.width).filter(|_| !self.is_false(overlap)) else {
            return;
        };
        self.now_written.cells.insert((memory, cell.start));
        let start = self.pool().int(i128::from(cell.start), I64);
        let behind = self.pool().int(i128::from(cell.start + cell.width), I64);
        let same = two(self.pool(), Binary::Eq, at, start);
        let same_end = two(self.pool(), Binary::Eq, end, behind);
        let same = two(self.pool(), Binary::And, same, same_end);
        let fact = "a part of memory that is written in another way";
        let any = self.choice(
            cell.place.clone(),
            ValueSet::All(model.clone()),
            fact,
            exact && value.is_none(),
        );
        let otherwise = vec![Stmt::If(overlap, vec![any], Vec::new())];
        match value {
            Some(value) => {
                let value = converted(self.pool(), value, &model);
                let set = Stmt::Assign(cell.place.clone(), value);
                match self.is_true(same) {
                    true => self.emit(set),
                    false => self.emit(Stmt::If(same, vec![set], otherwise)),
                }
            }
            None => otherwise.into_iter().for_each(|stmt| self.emit(stmt)),
        }
    }

    fn overlaps(&mut self, (at, end): (ExprId, ExprId), (from, to): (u64, u64)) -> ExprId {
        let from = self.pool().int(i128::from(from), I64);
        let to = self.pool().int(i128::from(to), I64);
        let below = two(self.pool(), Binary::Lt, at, to);
        let above = two(self.pool(), Binary::Lt, from, end);
        two(self.pool(), Binary::And, below, above)
    }

    /// Does what an instruction on memory does; says whether it is one.
    pub(super) fn memory_instruction(
        &mut self,
        instr: &Instr<'_>,
        args: &[Val],
        run: &mut Running,
        span: Span,
    ) -> bool {
        let memories = self.store.instances[run.instance].memories.clone();
        let memory = |index: u32| memories.get(index as usize).copied();
        if let Some((arg, width, stores)) = access(&instr.operator) {
            let target = match arg.target {
                MemArgTarget::Memory(index) => memory(index),
                MemArgTarget::Array(_) => None,
            };
            let Some(memory) = target else {
                self.sink("an access to what is no memory", span);
                return true;
            };
            let Some(at) = self.checked_address(memory, args.first(), arg, width, run, span) else {
                return true;
            };
            if !self.is_live() {
                return true;
            }
            match stores {
                true => {
                    let value = args.get(1).and_then(|value| value.expr);
                    self.noted(memory, at, width, true);
                    self.written(memory, at, width, value, false);
                }
                false => {
                    self.noted(memory, at, width, false);
                    let values = self.loaded(memory, at, width, instr);
                    run.stack.extend(values);
                }
            }
            return true;
        }
        match instr.operator {
            Operator::MemorySize { mem } => {
                if let Some(memory) = memory(mem) {
                    let pages = self.pages(memory);
                    let pages = self.kept(pages);
                    run.stack.push(Val::number(ValType::I32, pages));
                }
            }
            Operator::MemoryGrow { mem } => {
                if let Some(memory) = memory(mem) {
                    self.grow(memory, args.first(), run);
                }
            }
            Operator::MemoryFill { mem } => {
                if let Some(memory) = memory(mem) {
                    self.many_written(memory, args, run, span);
                }
            }
            Operator::MemoryInit { mem, .. } => {
                // The segment may be too short.
                let trap = self.any_truth("whether an instruction traps", false);
                self.keep_all(&mut run.stack);
                self.trap_if(trap, span);
                if let Some(memory) = memory(mem) {
                    self.many_written(memory, args, run, span);
                }
            }
            Operator::MemoryCopy { dst_mem, src_mem } => {
                if let (Some(from), Some(to)) = (memory(src_mem), memory(dst_mem)) {
                    self.keep_all(&mut run.stack);
                    if let (Some(at), Some(count)) = (
                        args.get(1).and_then(|a| a.expr),
                        args.get(2).and_then(|a| a.expr),
                    ) {
                        let at = address(self.pool(), at);
                        let count = address(self.pool(), count);
                        let end = two(self.pool(), Binary::Add, at, count);
                        let size = self.size(from);
                        let outside = two(self.pool(), Binary::Lt, size, end);
                        self.trap_if(outside, span);
                    }
                    self.many_written(to, args, run, span);
                }
            }
            _ => return false,
        }
        true
    }

    /// The address of an access, in 64 bits; traps if it is outside of memory.
    fn checked_address(
        &mut self,
        memory: usize,
        base: Option<&Val>,
        arg: MemArg,
        width: u64,
        run: &mut Running,
        span: Span,
    ) -> Option<ExprId> {
        let base = base?.expr?;
        self.keep_all(&mut run.stack);
        let base = self.kept(base);
        let base = address(self.pool(), base);
        let offset = self.pool().int(i128::from(arg.offset), I64);
        let at = two(self.pool(), Binary::Add, base, offset);
        let bytes = self.pool().int(i128::from(width), I64);
        let end = two(self.pool(), Binary::Add, at, bytes);
        let size = self.size(memory);
        let outside = two(self.pool(), Binary::Lt, size, end);
        self.trap_if(outside, span);
        Some(at)
    }

    /// The bytes of a memory.
    fn size(&mut self, memory: usize) -> ExprId {
        let pages = self.pages(memory);
        let pages = converted(self.pool(), pages, &I64);
        let page = self.pool().int(PAGE, I64);
        two(self.pool(), Binary::Mul, pages, page)
    }

    /// Takes note of an access to a constant address.
    fn noted(&mut self, memory: usize, at: ExprId, width: u64, writes: bool) {
        let known = number(&self.program.exprs, at).and_then(|at| u64::try_from(at).ok());
        if let Some(start) = known {
            self.facts.add(memory, start, width, writes);
        }
    }

    fn loaded(&mut self, memory: usize, at: ExprId, width: u64, instr: &Instr<'_>) -> Vec<Val> {
        let [ty] = *instr.pushes else {
            return Vec::new();
        };
        let known = number(&self.program.exprs, at).and_then(|at| u64::try_from(at).ok());
        let narrow = loaded_type(&instr.operator);
        let (Some(model), Some(narrow)) = (numeric(ty), narrow) else {
            return vec![Val::opaque(ty)];
        };
        let fact = "what is in memory";
        if let Some(start) = known {
            let cells = self.memories[memory].cells.iter();
            let mut cells = cells.filter(|cell| cell.start == start && cell.width == width);
            if let Some(cell) = cells.next().cloned()
                && let Some(of) = cell_type(cell.width)
            {
                let value = self.pool().load(cell.place, of);
                let value = converted(self.pool(), value, &narrow);
                let value = converted(self.pool(), value, &model);
                let value = self.kept(value);
                return vec![Val::number(ty, value)];
            }
            let zones = self.memories[memory].image.zones.iter().enumerate();
            let mut found =
                zones.filter_map(|(zone, of)| Some((zone, number_of(of, start, width)?)));
            if let Some((zone, first)) = found.next() {
                let place = self.variable(fact, narrow.clone());
                let any = self.choice(place.clone(), ValueSet::All(narrow.clone()), fact, false);
                let first = self.pool().int(narrow.wrap(first), narrow.clone());
                let dirty = self.memories[memory].dirty[zone].clone();
                let dirty = self.pool().load(dirty, Type::Bool);
                let first = Stmt::Assign(place.clone(), first);
                self.emit(Stmt::If(dirty, vec![any], vec![first]));
                let value = self.pool().load(place, narrow);
                let value = converted(self.pool(), value, &model);
                return vec![Val::number(ty, value)];
            }
        }
        let value = self.any(&narrow, fact, false);
        let value = converted(self.pool(), value, &model);
        vec![Val::number(ty, value)]
    }

    /// The host may refuse to make a memory larger.
    fn grow(&mut self, memory: usize, by: Option<&Val>, run: &mut Running) {
        let before = self.pages(memory);
        let before = self.kept(before);
        let (Some(by), Some(pages)) = (
            by.and_then(|by| by.expr),
            self.memories[memory].pages.clone(),
        ) else {
            let value = self.any_value(ValType::I32, "the size of a memory", false);
            run.stack.push(value);
            return;
        };
        let by = address(self.pool(), by);
        let wide = converted(self.pool(), before, &I64);
        let after = two(self.pool(), Binary::Add, wide, by);
        let most = i128::from(self.store.memories[memory].most);
        let most = self.pool().int(most, I64);
        let fits = two(self.pool(), Binary::Le, after, most);
        let allowed = self.any_truth("whether memory can be made larger", true);
        let grows = two(self.pool(), Binary::And, fits, allowed);
        let after = converted(self.pool(), after, &I32);
        let minus = self.pool().int(-1, I32);
        let value = either(self.pool(), grows, before, minus);
        let value = self.kept(value);
        let now = either(self.pool(), grows, after, before);
        self.assign(pages, now);
        run.stack.push(Val::number(ValType::I32, value));
    }

    /// Bytes are filled or copied: an address, something, and how many.
    fn many_written(&mut self, memory: usize, args: &[Val], run: &mut Running, span: Span) {
        self.keep_all(&mut run.stack);
        let [Some(at), _, Some(count)] = [0, 1, 2].map(|at| args.get(at).and_then(|a| a.expr))
        else {
            self.sink("an instruction on memory", span);
            return;
        };
        let (at, count) = (self.kept(at), self.kept(count));
        let at = address(self.pool(), at);
        let count = address(self.pool(), count);
        let end = two(self.pool(), Binary::Add, at, count);
        let size = self.size(memory);
        let outside = two(self.pool(), Binary::Lt, size, end);
        self.trap_if(outside, span);
        // What is not written overlaps nothing.
        let zero = self.pool().int(0, I64);
        let some = two(self.pool(), Binary::Lt, zero, count);
        let nothing = self.pool().int(-1, I64);
        let at = either(self.pool(), some, at, nothing);
        let end = either(self.pool(), some, end, nothing);
        self.written_between(memory, at, end, None, false);
    }
}

impl Image {
    /// The first value of so many bytes: what is put there, and zero elsewhere.
    fn initial(&self, start: u64, width: u64) -> i128 {
        let byte = |at: u64| {
            let mut zones = self.zones.iter();
            zones
                .find_map(|zone| zone.at(at, 1))
                .map_or(0, |bytes| bytes[0])
        };
        (0..width).fold(0, |value, at| {
            value | i128::from(byte(start + at)) << (8 * at)
        })
    }

    /// Takes bytes out of zones.
    fn cut(&mut self, start: u64, width: u64) {
        let mut zones = Vec::new();
        for zone in self.zones.drain(..) {
            if zone.end() <= start || start + width <= zone.start {
                zones.push(zone);
                continue;
            }
            let before = usize::try_from(start.saturating_sub(zone.start)).unwrap_or(0);
            let behind = usize::try_from((start + width).saturating_sub(zone.start));
            let behind = behind.unwrap_or(usize::MAX).min(zone.bytes.len());
            let parts = [
                (zone.start, &zone.bytes[..before]),
                (start + width, &zone.bytes[behind..]),
            ];
            for (start, bytes) in parts {
                if !bytes.is_empty() {
                    zones.push(Zone {
                        start,
                        bytes: bytes.to_vec(),
                    });
                }
            }
        }
        self.zones = zones;
    }
}

/// The number that is in a zone at first.
fn number_of(zone: &Zone, start: u64, width: u64) -> Option<i128> {
    let bytes = zone.at(start, width)?;
    let bytes = bytes.iter().rev();
    Some(bytes.fold(0, |value, byte| value << 8 | i128::from(*byte)))
}

/// The type of a variable of so many bytes.
fn cell_type(width: u64) -> Option<Type> {
    let bits = u8::try_from(width.checked_mul(8)?).ok()?;
    matches!(bits, 8 | 16 | 32 | 64).then_some(Type::Int { bits, signed: true })
}

/// The type of what an instruction reads, before it is made wider.
fn loaded_type(operator: &Operator<'_>) -> Option<Type> {
    let (bits, signed) = match operator {
        Operator::I32Load { .. } => (32, true),
        Operator::I64Load { .. } => (64, true),
        Operator::I32Load8S { .. } | Operator::I64Load8S { .. } => (8, true),
        Operator::I32Load8U { .. } | Operator::I64Load8U { .. } => (8, false),
        Operator::I32Load16S { .. } | Operator::I64Load16S { .. } => (16, true),
        Operator::I32Load16U { .. } | Operator::I64Load16U { .. } => (16, false),
        Operator::I64Load32S { .. } => (32, true),
        Operator::I64Load32U { .. } => (32, false),
        _ => return None,
    };
    Some(Type::Int { bits, signed })
}

/// The place and the width of an access to memory, and whether it writes.
fn access(operator: &Operator<'_>) -> Option<(MemArg, u64, bool)> {
    Some(match *operator {
        Operator::I32Load8S { memarg }
        | Operator::I32Load8U { memarg }
        | Operator::I64Load8S { memarg }
        | Operator::I64Load8U { memarg }
        | Operator::V128Load8Splat { memarg }
        | Operator::V128Load8Lane { memarg, .. } => (memarg, 1, false),
        Operator::I32Load16S { memarg }
        | Operator::I32Load16U { memarg }
        | Operator::I64Load16S { memarg }
        | Operator::I64Load16U { memarg }
        | Operator::V128Load16Splat { memarg }
        | Operator::V128Load16Lane { memarg, .. } => (memarg, 2, false),
        Operator::I32Load { memarg }
        | Operator::F32Load { memarg }
        | Operator::I64Load32S { memarg }
        | Operator::I64Load32U { memarg }
        | Operator::V128Load32Splat { memarg }
        | Operator::V128Load32Zero { memarg }
        | Operator::V128Load32Lane { memarg, .. } => (memarg, 4, false),
        Operator::I64Load { memarg }
        | Operator::F64Load { memarg }
        | Operator::V128Load8x8S { memarg }
        | Operator::V128Load8x8U { memarg }
        | Operator::V128Load16x4S { memarg }
        | Operator::V128Load16x4U { memarg }
        | Operator::V128Load32x2S { memarg }
        | Operator::V128Load32x2U { memarg }
        | Operator::V128Load64Splat { memarg }
        | Operator::V128Load64Zero { memarg }
        | Operator::V128Load64Lane { memarg, .. } => (memarg, 8, false),
        Operator::V128Load { memarg } => (memarg, 16, false),
        Operator::I32Store8 { memarg }
        | Operator::I64Store8 { memarg }
        | Operator::V128Store8Lane { memarg, .. } => (memarg, 1, true),
        Operator::I32Store16 { memarg }
        | Operator::I64Store16 { memarg }
        | Operator::V128Store16Lane { memarg, .. } => (memarg, 2, true),
        Operator::I32Store { memarg }
        | Operator::F32Store { memarg }
        | Operator::I64Store32 { memarg }
        | Operator::V128Store32Lane { memarg, .. } => (memarg, 4, true),
        Operator::I64Store { memarg }
        | Operator::F64Store { memarg }
        | Operator::V128Store64Lane { memarg, .. } => (memarg, 8, true),
        Operator::V128Store { memarg } => (memarg, 16, true),
        _ => return None,
    })
}
