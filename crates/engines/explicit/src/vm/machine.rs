//! The machine that runs compiled code.
//!
//! It runs until something happens that concerns the [driver](crate::successors::expander): a way to make a
//! move, the end of a macro step, a choice. Nothing is allocated on the way.

use model::{Budget, FaultId, Program, Pulse, UnknownReason};

use crate::ir::instruction::{Code, HAPPENED, NOTED, Op, Order, Pc, Slot};
use crate::ir::number::as_i64;
use crate::vm::backtracking::Backtracking;
use crate::vm::choice_log::Log;
use crate::vm::dependencies::{Dependencies, Tracking};
use crate::vm::event_lists::EventLists;
use crate::vm::inner_states::Inner;
use crate::vm::pure_functions::ResultCache;

/// More values than this are not enumerated.
const WIDE: i64 = 1 << 24;
/// Inner loops shorter than this are not looked at.
pub(crate) const PATIENCE: u64 = 64;
/// Ways of a move between two looks at the clock, at most.
const LOOK: u32 = 1 << 12;

/// Why the machine has stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// A move is possible and goes on here; its enumeration resumes there.
    Yield {
        resume: Pc,
    },
    NoMore,
    Stable,
    Settle(usize),
    Inner(usize),
    Blocked,
    /// An inner state has repeated.
    Repeats,
    /// The branch at hand is longer than it may be; others may be shorter.
    TooLong,
    Pruned,
    /// The run goes on in several ways, which have been put aside.
    Forked,
    /// The machine gives up; it knows why.
    Stop,
}

/// Something that went wrong within a macro step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Violation {
    /// A failed check, and which assertion of it.
    Check(u32, u32),
    /// A fault, and where it was raised.
    Fault(FaultId, u32),
    Divergence,
}

/// The open calls of an instance: frames of saved frame, call site, locals.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stack {
    pub(crate) data: Vec<i64>,
    /// Where the locals of the current call begin.
    pub(crate) frame: usize,
    pub(crate) depth: u32,
}

impl Stack {
    /// Closes all calls.
    pub(crate) fn close(&mut self) {
        self.data.clear();
        self.frame = 0;
        self.depth = 0;
    }
}

/// What there is to choose from.
#[derive(Clone, Debug, Default)]
pub(crate) struct List {
    pub(crate) values: Vec<i64>,
    next: usize,
}

/// A machine with its memory.
pub(crate) struct Machine<'c> {
    pub(crate) code: &'c Code,
    pub(crate) program: &'c Program,
    pub(crate) memory: Box<[i64; 65536]>,
    pub(crate) stacks: Vec<Stack>,
    pub(crate) lists: Vec<List>,
    /// The first list of the present enumeration: those of suspended ones stand before.
    pub(crate) list_base: usize,
    pub(crate) fault: FaultId,
    pub(crate) fault_site: u32,
    /// What happened in the present move, as a linked list.
    noted: Vec<(Violation, i64)>,
    /// What has happened for good, with the log at that point.
    pub(crate) violations: Vec<(Violation, u32)>,
    pub(crate) inner: Inner,
    pub(crate) log: Log,
    /// Whether a sample stood for a wide choice.
    pub(crate) sampled: bool,
    /// Loop heads passed on this branch of the macro step, and how many it may pass.
    pub(crate) micro: u64,
    pub(crate) micro_limit: u64,
    /// What all texts and lists took when a branch began to be long.
    pub(super) rich_before: usize,
    /// How many inner states one macro step may have.
    pub(crate) inner_limit: u64,
    /// Whether some branch was given up because it was too long: what it leads to is missing.
    pub(crate) gave_up: bool,
    pub(super) budget: Budget,
    /// Ways that moves have gone, where there are several.
    ways: Pulse,
    /// A state to compare with, so that a loop is noticed.
    pub(crate) landmark: Vec<i64>,
    pub(crate) landmark_pc: Pc,
    /// The answer to `NothingEnabled` while that is being found out.
    pub(crate) timeout: Option<bool>,
    /// The instances that can take part in a move, as bits, if that is known.
    pub(crate) movers: Option<u64>,
    /// Whether `Enabled` is being found out.
    pub(crate) asking: bool,
    pub(crate) memo: Vec<ResultCache>,
    pub(crate) key: Vec<i64>,
    /// Where what is put aside for a moment may be kept.
    pub(crate) spare: Vec<Vec<i64>>,
    pub(crate) turns: Backtracking,
    pub(super) stopped: Option<UnknownReason>,
    /// Values of the innermost choice up to here would go the way that the last has gone.
    reach: i64,
    /// Whether a yield goes straight on with the move; it notes where to resume.
    pub(crate) through: bool,
    pub(crate) resume: Pc,
    pub(crate) event_lists: EventLists,
    /// Whether some moves are made by several at once.
    pub(crate) barriers: bool,
    /// How much is written down of what runs touch,
    pub(crate) tracking: Tracking,
    /// and that.
    pub(crate) dependencies: Dependencies,
}

impl<'c> Machine<'c> {
    pub(crate) fn new(program: &'c Program, code: &'c Code, budget: &Budget) -> Self {
        let memory = vec![0i64; 65536].into_boxed_slice();
        let mut memory: Box<[i64; 65536]> = memory
            .try_into()
            .expect("the memory has as many slots as there are addresses");
        memory[..code.constants.len()].copy_from_slice(&code.constants);
        Machine {
            code,
            program,
            memory,
            stacks: vec![Stack::default(); code.stacks],
            lists: vec![List::default(); code.lists],
            list_base: 0,
            fault: FaultId(0),
            fault_site: 0,
            noted: Vec::new(),
            violations: Vec::new(),
            inner: Inner::default(),
            log: Log::default(),
            sampled: false,
            micro: 0,
            micro_limit: budget.micro_steps,
            rich_before: 0,
            inner_limit: budget.micro_steps,
            gave_up: false,
            budget: budget.clone(),
            ways: Pulse::new(LOOK),
            landmark: Vec::new(),
            landmark_pc: 0,
            timeout: None,
            movers: None,
            asking: false,
            memo: vec![ResultCache::default(); code.memos],
            key: Vec::new(),
            spare: Vec::new(),
            turns: Backtracking::default(),
            stopped: None,
            reach: i64::MAX,
            through: false,
            resume: 0,
            event_lists: EventLists::default(),
            barriers: code.moves.iter().any(|info| info.barrier),
            tracking: Tracking::Nothing,
            dependencies: Dependencies::default(),
        }
    }

    /// What lasts and what changes of the state: what a snapshot holds, stacks aside.
    pub(crate) fn lasting(&self) -> &[i64] {
        &self.memory[self.code.lasting..self.code.state + self.code.changing]
    }

    pub(crate) fn lasting_mut(&mut self) -> &mut [i64] {
        &mut self.memory[self.code.lasting..self.code.state + self.code.changing]
    }

    /// The working state.
    pub(crate) fn state(&self) -> &[i64] {
        &self.memory[self.code.state..self.code.state + self.code.state_len]
    }

    pub(crate) fn get(&self, slot: Slot) -> i64 {
        self.memory[usize::from(slot)]
    }

    /// A lasting slot that the machine and the driver share.
    pub(crate) fn shared(&mut self, which: usize) -> &mut i64 {
        &mut self.memory[self.code.lasting + which]
    }

    /// Why the machine has given up.
    pub(crate) fn stopped(&mut self) -> UnknownReason {
        self.stopped
            .take()
            .expect("a machine that gives up says why")
    }

    /// Looks whether there is time for another way of the same move: some moves have millions.
    #[inline]
    pub(crate) fn another_way(&mut self) -> Result<(), UnknownReason> {
        if self.ways.beat() {
            return self.budget.exhausted(0).map_or(Ok(()), Err);
        }
        Ok(())
    }

    /// Whether the macro step has gone one way so far, and nothing has gone wrong.
    #[inline]
    pub(crate) fn is_straight(&self) -> bool {
        self.turns.none_left() && self.violations.is_empty() && !self.inner.is_used()
    }

    /// Forgets what belonged to the macro step before.
    #[inline]
    pub(crate) fn begin_macro_step(&mut self) {
        self.micro = 0;
        self.turns.clear();
        self.noted.clear();
        if self.inner.is_used() {
            self.inner.clear();
        }
    }

    /// Runs from `pc` until something happens. Says where it was.
    #[inline]
    pub(crate) fn run(&mut self, pc: Pc) -> (Exit, Pc) {
        match self.tracking {
            Tracking::Everything => self.run_tracked::<true>(pc),
            Tracking::Nothing | Tracking::Indices => self.run_tracked::<false>(pc),
        }
    }

    /// The same, where each instruction is written down or none is.
    #[expect(clippy::too_many_lines, reason = "one arm an instruction")]
    fn run_tracked<const TRACKED: bool>(&mut self, pc: Pc) -> (Exit, Pc) {
        let code = self.code;
        let ops = code.ops.as_slice();
        let mut memory = &mut *self.memory;
        let mut pc = pc as usize;
        macro_rules! at {
            ($slot:expr) => {
                memory[usize::from($slot)]
            };
        }
        macro_rules! exit {
            ($exit:expr) => {{
                #[expect(clippy::cast_possible_truncation, reason = "code is short of 2^32")]
                return ($exit, pc as Pc);
            }};
        }
        macro_rules! exact {
            ($d:expr, $value:expr) => {
                match $value {
                    Some(value) => at!($d) = value,
                    None => {
                        self.stopped = Some(UnknownReason::Overflow);
                        exit!(Exit::Stop)
                    }
                }
            };
        }
        loop {
            let op = ops[pc];
            if TRACKED {
                self.dependencies.instruction(pc);
            }
            pc += 1;
            match op {
                Op::Copy { d, a } => at!(d) = at!(a),
                Op::CopyMany { d, a, n } => {
                    let from = usize::from(a);
                    memory.copy_within(from..from + usize::from(n), usize::from(d));
                }
                Op::Add { d, a, b } => at!(d) = at!(a).wrapping_add(at!(b)),
                Op::Sub { d, a, b } => at!(d) = at!(a).wrapping_sub(at!(b)),
                Op::Mul { d, a, b } => at!(d) = at!(a).wrapping_mul(at!(b)),
                Op::Add32 { d, a, b } => at!(d) = sign32(at!(a).wrapping_add(at!(b))),
                Op::Sub32 { d, a, b } => at!(d) = sign32(at!(a).wrapping_sub(at!(b))),
                Op::Mul32 { d, a, b } => at!(d) = sign32(at!(a).wrapping_mul(at!(b))),
                Op::AddExact { d, a, b } => exact!(d, at!(a).checked_add(at!(b))),
                Op::SubExact { d, a, b } => exact!(d, at!(a).checked_sub(at!(b))),
                Op::MulExact { d, a, b } => exact!(d, at!(a).checked_mul(at!(b))),
                Op::Div { d, a, b } => at!(d) = at!(a).wrapping_div(at!(b)),
                Op::DivExact { d, a, b } => exact!(d, at!(a).checked_div(at!(b))),
                Op::Rem { d, a, b } => at!(d) = at!(a).wrapping_rem(at!(b)),
                Op::Modulo { d, a, by } => at!(d) = at!(a).rem_euclid(i64::from(by)),
                Op::BitAnd { d, a, b } => at!(d) = at!(a) & at!(b),
                Op::BitOr { d, a, b } => at!(d) = at!(a) | at!(b),
                Op::BitXor { d, a, b } => at!(d) = at!(a) ^ at!(b),
                Op::BitNot { d, a } => at!(d) = !at!(a),
                Op::Not { d, a } => at!(d) = at!(a) ^ 1,
                Op::Shl { d, a, b } => at!(d) = at!(a) << (at!(b) & 63),
                Op::Shr { d, a, b } => at!(d) = at!(a) >> (at!(b) & 63),
                Op::WrapSigned { d, a, bits } => {
                    let unused = 64 - u32::from(bits);
                    at!(d) = (at!(a) << unused) >> unused;
                }
                Op::WrapUnsigned { d, a, bits } => {
                    let unused = 64 - u32::from(bits);
                    at!(d) = ((at!(a) << unused).cast_unsigned() >> unused).cast_signed();
                }
                Op::ToBool { d, a } => at!(d) = i64::from(at!(a) != 0),
                Op::Eq { d, a, b } => at!(d) = i64::from(at!(a) == at!(b)),
                Op::Ne { d, a, b } => at!(d) = i64::from(at!(a) != at!(b)),
                Op::Lt { d, a, b } => at!(d) = i64::from(at!(a) < at!(b)),
                Op::Le { d, a, b } => at!(d) = i64::from(at!(a) <= at!(b)),
                Op::LoadAt { d, base, index } => {
                    let from = offset(base, at!(index));
                    if self.tracking != Tracking::Nothing {
                        self.dependencies.read.push(from);
                    }
                    at!(d) = at!(from);
                }
                Op::StoreAt { base, index, a } => {
                    let to = offset(base, at!(index));
                    if self.tracking != Tracking::Nothing {
                        self.dependencies.written.push(to);
                    }
                    at!(to) = at!(a);
                }
                Op::LoadFrame { d, stack, offset } => {
                    let stack = &self.stacks[usize::from(stack)];
                    at!(d) = stack.data[stack.frame + usize::from(offset)];
                }
                Op::StoreFrame { stack, offset, a } => {
                    let stack = &mut self.stacks[usize::from(stack)];
                    stack.data[stack.frame + usize::from(offset)] = at!(a);
                }
                Op::LoadFrameAt {
                    d,
                    stack,
                    offset: start,
                    index,
                } => {
                    let stack = &self.stacks[usize::from(stack)];
                    at!(d) = stack.data[stack.frame + usize::from(offset(start, at!(index)))];
                }
                Op::StoreFrameAt {
                    stack,
                    offset: start,
                    index,
                    a,
                } => {
                    let stack = &mut self.stacks[usize::from(stack)];
                    let place = stack.frame + usize::from(offset(start, at!(index)));
                    stack.data[place] = at!(a);
                }

                Op::Jump { to } => pc = to as usize,
                Op::JumpIf { a, to } => {
                    if at!(a) != 0 {
                        pc = to as usize;
                    }
                }
                Op::JumpIfNot { a, to } => {
                    if at!(a) == 0 {
                        pc = to as usize;
                    }
                }
                Op::JumpEq { a, b, to } => {
                    if at!(a) == at!(b) {
                        pc = to as usize;
                    }
                }
                Op::JumpNe { a, b, to } => {
                    if at!(a) != at!(b) {
                        pc = to as usize;
                    }
                }
                Op::JumpLt { a, b, to } => {
                    if at!(a) < at!(b) {
                        pc = to as usize;
                    }
                }
                Op::JumpLe { a, b, to } => {
                    if at!(a) <= at!(b) {
                        pc = to as usize;
                    }
                }
                Op::JumpOutside { a, length, to } => {
                    if at!(a).cast_unsigned() >= u64::from(length) {
                        pc = to as usize;
                    }
                }

                Op::Apply { site } => {
                    match self.apply(usize::from(site)) {
                        Ok(None) => {}
                        Ok(Some(to)) => pc = to as usize,
                        Err(reason) => {
                            self.stopped = Some(reason);
                            exit!(Exit::Stop)
                        }
                    }
                    memory = &mut *self.memory;
                }
                Op::Enabled { d, a } => {
                    let number = at!(a);
                    match self.is_enabled(number) {
                        Ok(answer) => {
                            memory = &mut *self.memory;
                            at!(d) = i64::from(answer);
                        }
                        Err(reason) => {
                            self.stopped = Some(reason);
                            exit!(Exit::Stop)
                        }
                    }
                }
                Op::NothingEnabled { d } => match self.is_nothing_enabled() {
                    Ok(answer) => {
                        memory = &mut *self.memory;
                        at!(d) = i64::from(answer);
                    }
                    Err(reason) => {
                        self.stopped = Some(reason);
                        exit!(Exit::Stop)
                    }
                },
                Op::Switch { a, table } => {
                    let table = &code.switches[usize::from(table)];
                    let entry = usize::try_from(at!(a).wrapping_sub(table.first))
                        .ok()
                        .and_then(|entry| table.to.get(entry));
                    pc = *entry.unwrap_or(&table.otherwise) as usize;
                }
                Op::Count { d } => at!(d) = crate::vm::spawn::count(code, memory),
                Op::Start { site } => {
                    if !crate::vm::spawn::start(code, memory, &code.starts[usize::from(site)]) {
                        exit!(Exit::Pruned);
                    }
                }
                Op::Make { site } => {
                    if !crate::vm::spawn::make(code, memory, &code.makes[usize::from(site)]) {
                        exit!(Exit::Pruned);
                    }
                }
                Op::Channel { site } => {
                    crate::vm::channel::work(memory, &code.channel[usize::from(site)]);
                }

                Op::Fault { fault, site, to } => {
                    self.fault_site = site;
                    self.fault = code.faults[usize::from(fault)];
                    pc = to as usize;
                }
                Op::Failed { check, site } => {
                    self.note(Violation::Check(check.into(), site));
                    memory = &mut *self.memory;
                }
                Op::Faulted => {
                    self.note(Violation::Fault(self.fault, self.fault_site));
                    memory = &mut *self.memory;
                }
                Op::Flush => {
                    self.flush();
                    memory = &mut *self.memory;
                }
                Op::Prune => exit!(Exit::Pruned),
                Op::Stop { reason } => {
                    let reason = code.reasons[usize::from(reason)].clone();
                    self.stopped = Some(UnknownReason::Unsupported(reason));
                    exit!(Exit::Stop);
                }

                Op::ListNew { list } => {
                    let list = &mut self.lists[self.list_base + usize::from(list)];
                    list.values.clear();
                    list.next = 0;
                }
                Op::ListPush { list, a } => {
                    self.lists[self.list_base + usize::from(list)]
                        .values
                        .push(at!(a));
                }
                Op::ListRange { list, a, b } => {
                    let (lo, hi) = (at!(a), at!(b));
                    if hi.saturating_sub(lo) >= WIDE {
                        let reason = "a wide choice without a sample".to_owned();
                        self.stopped = Some(UnknownReason::Unsupported(reason));
                        exit!(Exit::Stop);
                    }
                    self.lists[self.list_base + usize::from(list)]
                        .values
                        .extend(lo..=hi);
                }
                Op::ListNext { list, d, to } => {
                    let list = &mut self.lists[self.list_base + usize::from(list)];
                    if let Some(&value) = list.values.get(list.next) {
                        list.next += 1;
                        at!(d) = value;
                    } else {
                        pc = to as usize;
                    }
                }
                Op::ListSkip { list, d, to } => {
                    let list = &mut self.lists[self.list_base + usize::from(list)];
                    if self.list_base == 0 {
                        if let Some(&last) =
                            list.next.checked_sub(1).and_then(|at| list.values.get(at))
                        {
                            let same = |value: &i64| *value > last && *value <= self.reach;
                            while list.values.get(list.next).is_some_and(same) {
                                list.next += 1;
                            }
                        }
                        self.reach = i64::MAX;
                    }
                    if let Some(&value) = list.values.get(list.next) {
                        list.next += 1;
                        at!(d) = value;
                    } else {
                        pc = to as usize;
                    }
                }
                Op::Narrow { a, b, order } => {
                    let (value, other) = (at!(a), at!(b));
                    let reach = match order {
                        Order::Less if value < other => other - 1,
                        Order::Greater if value <= other => other,
                        Order::Equal if value == other => value,
                        Order::Equal if value < other => other - 1,
                        _ => i64::MAX,
                    };
                    self.reach = self.reach.min(reach);
                }
                Op::Pin => self.reach = i64::MIN,
                Op::ListCurrent { list, d } => {
                    let list = &self.lists[self.list_base + usize::from(list)];
                    at!(d) = list.values[list.next - 1];
                }
                Op::Choose { list, d, loops } => {
                    let list = self.list_base + usize::from(list);
                    match *self.lists[list].values.as_slice() {
                        [] => exit!(Exit::Pruned),
                        [value] => at!(d) = value,
                        _ if loops || self.has_too_many_points() => {
                            let values = std::mem::take(&mut self.lists[list].values);
                            for &value in &values {
                                self.memory[usize::from(d)] = value;
                                #[expect(
                                    clippy::cast_possible_truncation,
                                    reason = "code is short of 2^32"
                                )]
                                self.fork(pc as Pc);
                            }
                            self.lists[list].values = values;
                            exit!(Exit::Forked);
                        }
                        [value, ..] => {
                            #[expect(
                                clippy::cast_possible_truncation,
                                reason = "code is short of 2^32"
                            )]
                            self.turn_off(pc as Pc, list, d);
                            memory = &mut *self.memory;
                            at!(d) = value;
                        }
                    }
                }
                Op::Sampled => self.sampled = true,

                Op::Yield { resume } => {
                    if !self.through {
                        exit!(Exit::Yield { resume });
                    }
                    self.through = false;
                    self.resume = resume;
                    self.begin_macro_step();
                    self.list_base += code.lists;
                    memory = &mut *self.memory;
                }
                Op::NoMore => exit!(Exit::NoMore),
                Op::LoopHead => {
                    self.micro += 1;
                    if self.micro >= PATIENCE {
                        #[expect(
                            clippy::cast_possible_truncation,
                            reason = "code is short of 2^32"
                        )]
                        if let Some(exit) = self.watch_loop(pc as Pc) {
                            exit!(exit);
                        }
                        memory = &mut *self.memory;
                    }
                }
                Op::Select { table, loops } => {
                    let table = &code.select[usize::from(table)];
                    let mut enabled = table.iter().filter(|(flag, _)| at!(*flag) != 0);
                    if let Some(&(_, first)) = enabled.next() {
                        if enabled.next().is_none() {
                            pc = first as usize;
                        } else if loops || self.has_too_many_points() {
                            for &(flag, to) in table {
                                if self.memory[usize::from(flag)] != 0 {
                                    self.fork(to);
                                }
                            }
                            exit!(Exit::Forked);
                        } else {
                            self.turn_off_to(table);
                            memory = &mut *self.memory;
                            pc = first as usize;
                        }
                    }
                }
                Op::Inner { instance } => exit!(Exit::Inner(instance.into())),
                Op::Settle { instance } => exit!(Exit::Settle(instance.into())),
                Op::Blocked => exit!(Exit::Blocked),
                Op::Stable => exit!(Exit::Stable),

                Op::JumpFull { stack, limit, to } => {
                    if self.stacks[usize::from(stack)].depth >= u32::from(limit) {
                        pc = to as usize;
                    }
                }
                Op::Call { stack, size, site } => {
                    let stack = &mut self.stacks[usize::from(stack)];
                    let frame = i64::try_from(stack.frame).expect("a stack fits into memory");
                    stack.data.extend([frame, i64::from(site)]);
                    stack.frame = stack.data.len();
                    stack.data.resize(stack.frame + usize::from(size), 0);
                    stack.depth += 1;
                }
                Op::Return { stack } => {
                    let stack = &mut self.stacks[usize::from(stack)];
                    let site = stack.data[stack.frame - 1];
                    let frame = stack.data[stack.frame - 2];
                    stack.data.truncate(stack.frame - 2);
                    stack.frame = usize::try_from(frame).expect("what was saved");
                    stack.depth -= 1;
                    let site = usize::try_from(site).expect("what was saved");
                    pc = code.landings[site] as usize;
                }
                Op::Unwind { stack } => self.stacks[usize::from(stack)].close(),
                Op::Happen { site } => {
                    let before = *self.shared(HAPPENED);
                    let sites = &code.happens[usize::from(site)];
                    let memory_now = self.memory.as_slice();
                    let after = self.event_lists.add(before, site, sites, memory_now);
                    *self.shared(HAPPENED) = after;
                    memory = &mut *self.memory;
                }
                Op::LogMove { id } => self.log.push_move(id),
                Op::LogChoice { a, ty } => self.log.push_choice(at!(a), ty),
            }
        }
    }

    /// Puts aside a way to go on.
    fn fork(&mut self, pc: Pc) {
        let mut pool = std::mem::take(self.inner.pool());
        let start = pool.len();
        self.save(&mut pool);
        *self.inner.pool() = pool;
        self.inner.add(pc, start, self.log.head(), self.micro);
    }

    #[cold]
    fn note(&mut self, violation: Violation) {
        let before = *self.shared(NOTED);
        self.noted.push((violation, before));
        *self.shared(NOTED) = i64::try_from(self.noted.len()).expect("few are noted");
    }

    fn flush(&mut self) {
        if *self.shared(NOTED) == 0 {
            return;
        }
        let start = self.violations.len();
        while let Ok(place @ 1..) = usize::try_from(*self.shared(NOTED)) {
            let (violation, before) = self.noted[place - 1];
            self.violations.push((violation, self.log.head()));
            *self.shared(NOTED) = before;
        }
        self.violations[start..].reverse();
    }

    /// Appends a snapshot.
    pub(crate) fn save(&self, to: &mut Vec<i64>) {
        to.extend_from_slice(self.lasting());
        for stack in &self.stacks {
            to.extend([
                as_i64(stack.data.len()),
                as_i64(stack.frame),
                i64::from(stack.depth),
            ]);
            to.extend_from_slice(&stack.data);
        }
    }

    /// Puts a snapshot back.
    pub(crate) fn restore(&mut self, from: &[i64]) {
        let plain = self.lasting().len();
        self.lasting_mut().copy_from_slice(&from[..plain]);
        let mut rest = &from[plain..];
        for stack in &mut self.stacks {
            let length = usize::try_from(rest[0]).expect("what was saved");
            stack.frame = usize::try_from(rest[1]).expect("what was saved");
            stack.depth = u32::try_from(rest[2]).expect("what was saved");
            stack.data.clear();
            stack.data.extend_from_slice(&rest[3..3 + length]);
            rest = &rest[3 + length..];
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "that is what it is for")]
fn sign32(n: i64) -> i64 {
    i64::from(n as i32)
}

/// An address moved by an index, which has been checked.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "an index that was checked keeps the address inside"
)]
fn offset(base: Slot, index: i64) -> Slot {
    base.wrapping_add(index as u16)
}
