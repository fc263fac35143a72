//! The compiled form of a program: instructions for a small machine over `i64` slots.
//!
//! Every operand is the address of a slot in one memory of 65,536: constants, temporaries, and the
//! working state all live there, so that `x + 1 < y` is two instructions and no loads, and a
//! 16-bit address never needs a bounds check. Faults and branches are jumps.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use model::{ChannelId, EventId, FaultId, Mode, Part, ProcessId, Type};

use crate::ir::capacity::CapacityExceeded;

/// An address in the machine's memory.
pub(crate) type Slot = u16;
/// A position in the code.
pub(crate) type Pc = u32;

/// An instruction. `d` is where the result goes; `to` is a jump's target.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    Copy {
        d: Slot,
        a: Slot,
    },
    CopyMany {
        d: Slot,
        a: Slot,
        n: u16,
    },
    /// Modulo 2^64.
    Add {
        d: Slot,
        a: Slot,
        b: Slot,
    },
    Sub {
        d: Slot,
        a: Slot,
        b: Slot,
    },
    Mul {
        d: Slot,
        a: Slot,
        b: Slot,
    },
    /// Modulo 2^32, sign extended.
    Add32 {
        d: Slot,
        a: Slot,
        b: Slot,
    },
    Sub32 {
        d: Slot,
        a: Slot,
        b: Slot,
    },
    Mul32 {
        d: Slot,
        a: Slot,
        b: Slot,
    },
    /// Exact; leaving 64 bits stops the machine.
    AddExact {
        d: Slot,
        a: Slot,
        b: Slot,
    },
    SubExact {
        d: Slot,
        a: Slot,
        b: Slot,
    },
    MulExact {
        d: Slot,
        a: Slot,
        b: Slot,
    },
    /// The divisor is not zero.
    Div {
        d: Slot,
        a: Slot,
        b: Slot,
    },
    DivExact {
        d: Slot,
        a: Slot,
        b: Slot,
    },
    Rem {
        d: Slot,
        a: Slot,
        b: Slot,
    },
    /// The remainder that is not negative.
    Modulo {
        d: Slot,
        a: Slot,
        by: u8,
    },
    BitAnd {
        d: Slot,
        a: Slot,
        b: Slot,
    },
    BitOr {
        d: Slot,
        a: Slot,
        b: Slot,
    },
    BitXor {
        d: Slot,
        a: Slot,
        b: Slot,
    },
    BitNot {
        d: Slot,
        a: Slot,
    },
    Not {
        d: Slot,
        a: Slot,
    },
    /// Shifts by less than 64.
    Shl {
        d: Slot,
        a: Slot,
        b: Slot,
    },
    Shr {
        d: Slot,
        a: Slot,
        b: Slot,
    },
    WrapSigned {
        d: Slot,
        a: Slot,
        bits: u8,
    },
    WrapUnsigned {
        d: Slot,
        a: Slot,
        bits: u8,
    },
    ToBool {
        d: Slot,
        a: Slot,
    },
    Eq {
        d: Slot,
        a: Slot,
        b: Slot,
    },
    Ne {
        d: Slot,
        a: Slot,
        b: Slot,
    },
    Lt {
        d: Slot,
        a: Slot,
        b: Slot,
    },
    Le {
        d: Slot,
        a: Slot,
        b: Slot,
    },
    /// `d = mem[base + mem[index]]`, the index checked before.
    LoadAt {
        d: Slot,
        base: Slot,
        index: Slot,
    },
    StoreAt {
        base: Slot,
        index: Slot,
        a: Slot,
    },
    LoadFrame {
        d: Slot,
        stack: u8,
        offset: u16,
    },
    StoreFrame {
        stack: u8,
        offset: u16,
        a: Slot,
    },
    LoadFrameAt {
        d: Slot,
        stack: u8,
        offset: u16,
        index: Slot,
    },
    StoreFrameAt {
        stack: u8,
        offset: u16,
        index: Slot,
        a: Slot,
    },

    Jump {
        to: Pc,
    },
    JumpIf {
        a: Slot,
        to: Pc,
    },
    JumpIfNot {
        a: Slot,
        to: Pc,
    },
    JumpEq {
        a: Slot,
        b: Slot,
        to: Pc,
    },
    JumpNe {
        a: Slot,
        b: Slot,
        to: Pc,
    },
    JumpLt {
        a: Slot,
        b: Slot,
        to: Pc,
    },
    JumpLe {
        a: Slot,
        b: Slot,
        to: Pc,
    },
    /// Jumps if `a` is not one of `0..length`.
    JumpOutside {
        a: Slot,
        length: u16,
        to: Pc,
    },

    /// Calls a library function; a fault jumps to where the site says.
    Apply {
        site: u16,
    },
    /// Whether the instance whose number is in `a` can take part in some move.
    Enabled {
        d: Slot,
        a: Slot,
    },
    NothingEnabled {
        d: Slot,
    },
    Channel {
        site: u16,
    },
    /// Jumps to where a table says for the value of `a`.
    Switch {
        a: Slot,
        table: u16,
    },
    /// How many instances there are.
    Count {
        d: Slot,
    },
    /// Starts an instance; without room for it the run is removed, and that is noted.
    Start {
        site: u16,
    },
    /// Makes a channel, in the same way.
    Make {
        site: u16,
    },

    /// Notes which fault is raised and goes to where it is handled.
    Fault {
        fault: u16,
        /// Where it is raised.
        site: u32,
        to: Pc,
    },
    /// Notes that a check has failed in this move.
    Failed {
        check: u16,
        /// Which assertion.
        site: u32,
    },
    /// Notes that the fault raised last has happened in this move.
    Faulted,
    /// The move is made: what was noted counts.
    Flush,
    /// Removes the run.
    Prune,
    /// Gives up.
    Stop {
        reason: u16,
    },

    ListNew {
        list: u8,
    },
    ListPush {
        list: u8,
        a: Slot,
    },
    ListRange {
        list: u8,
        a: Slot,
        b: Slot,
    },
    /// The next value of a list, or the end.
    ListNext {
        list: u8,
        d: Slot,
        to: Pc,
    },
    /// The same, but passes over values for which the last run would have gone the same way.
    ListSkip {
        list: u8,
        d: Slot,
        to: Pc,
    },
    /// What happens depends on how `a`, a variable that runs over a list, compares with `b`.
    Narrow {
        a: Slot,
        b: Slot,
        order: Order,
    },
    /// What happens depends on the value of such a variable itself.
    Pin,
    /// The value that `ListNext` gave last.
    ListCurrent {
        list: u8,
        d: Slot,
    },
    /// Goes on with one value; several are several runs.
    /// `loops`: it may be come back to within the macro step.
    Choose {
        list: u8,
        d: Slot,
        loops: bool,
    },
    /// The list was a sample.
    Sampled,

    /// A move is possible: it goes on behind, the enumeration at `resume`.
    Yield {
        resume: Pc,
    },
    /// The enumeration has ended.
    NoMore,
    /// A place that every inner loop passes.
    LoopHead,
    /// Goes on with the one enabled alternative; several are several runs; none goes on behind.
    Select {
        table: u16,
        loops: bool,
    },
    /// The instance goes on within the macro step, in a way only the driver knows.
    Inner {
        instance: u16,
    },
    /// The instance has moved; the driver decides who goes on.
    Settle {
        instance: u16,
    },
    /// Cannot go on although it must.
    Blocked,
    /// The macro step is over.
    Stable,

    /// Jumps if so many calls are open.
    JumpFull {
        stack: u8,
        limit: u16,
        to: Pc,
    },
    /// Opens a frame of zeros.
    Call {
        stack: u8,
        size: u16,
        site: u16,
    },
    /// Closes it and goes on where the call site says.
    Return {
        stack: u8,
    },
    /// Closes all frames.
    Unwind {
        stack: u8,
    },

    LogMove {
        id: u32,
    },
    /// An event happens.
    Happen {
        site: u16,
    },
    LogChoice {
        a: Slot,
        ty: u16,
    },
}

impl Op {
    /// The jump's target, for patching.
    pub(crate) fn target(&mut self) -> Option<&mut Pc> {
        match self {
            Op::Jump { to }
            | Op::JumpIf { to, .. }
            | Op::JumpIfNot { to, .. }
            | Op::JumpEq { to, .. }
            | Op::JumpNe { to, .. }
            | Op::JumpLt { to, .. }
            | Op::JumpLe { to, .. }
            | Op::JumpOutside { to, .. }
            | Op::Fault { to, .. }
            | Op::ListNext { to, .. }
            | Op::ListSkip { to, .. }
            | Op::JumpFull { to, .. }
            | Op::Yield { resume: to } => Some(to),
            _ => None,
        }
    }
}

/// A comparison, seen from the variable on its left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// Less or not.
    Less,
    /// Greater or not.
    Greater,
    Equal,
}

/// A place in the code where an event happens.
#[derive(Clone, Debug)]
pub(crate) struct EventSite {
    pub(crate) event: EventId,
    /// Where its arguments stand, how many slots they take, and their types.
    pub(crate) args: Vec<(Slot, usize, Type)>,
}

/// A call of a library function.
#[derive(Clone, Debug)]
pub(crate) struct ApplySite {
    pub(crate) function: usize,
    /// The number of the [memory](crate::vm::pure_functions::ResultCache) of its results.
    pub(crate) memo: usize,
    /// Where the arguments are, each with its type.
    pub(crate) args: Vec<(Slot, Type)>,
    /// The slots of all arguments.
    pub(crate) key: Box<[Slot]>,
    pub(crate) d: Slot,
    /// Where a fault is raised.
    pub(crate) site: u32,
    /// Where to go at a fault.
    pub(crate) to: Pc,
}

/// Work on a channel that keeps messages.
#[derive(Clone, Debug)]
pub(crate) enum ChannelSite {
    /// Puts a message in; there is room.
    Put {
        len: Slot,
        messages: Slot,
        width: usize,
        message: Slot,
        sorted: bool,
    },
    /// The position of the first message that matches, or -1.
    Find {
        len: Slot,
        messages: Slot,
        width: usize,
        wanted: Vec<(usize, Slot)>,
        anywhere: bool,
        d: Slot,
    },
    /// Copies a message out, and removes it unless it is kept.
    Take {
        len: Slot,
        messages: Slot,
        width: usize,
        at: Slot,
        keep: bool,
        message: Slot,
        zeros: Vec<i64>,
    },
}

/// A table of places in the code.
#[derive(Clone, Debug)]
pub(crate) struct SwitchTable {
    /// The value of the first entry.
    pub(crate) first: i64,
    pub(crate) to: Vec<Pc>,
    /// For all other values.
    pub(crate) otherwise: Pc,
}

/// A place in the code that starts an instance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StartSite {
    pub(crate) process: ProcessId,
    /// The arguments, side by side.
    pub(crate) args: Slot,
    /// Where the number goes.
    pub(crate) d: Slot,
}

/// How an instance of a process begins.
#[derive(Clone, Debug, Default)]
pub(crate) struct Beginning {
    /// What its slots hold, arguments aside.
    pub(crate) image: Vec<i64>,
    /// From where among the arguments to where among the slots, and how many.
    pub(crate) copies: Vec<(usize, usize, usize)>,
    /// Which of the arguments make the key of its instance slot: from where, and how many.
    pub(crate) keys: Vec<(usize, usize)>,
}

/// An instance slot as the machine finds it.
#[derive(Clone, Debug)]
pub(crate) struct InstanceSlotInfo {
    pub(crate) process: ProcessId,
    pub(crate) key: Vec<i64>,
    /// The code of its entry.
    pub(crate) entry: i64,
    /// Where its slots begin; nothing if nobody ever comes there.
    pub(crate) pool: Option<Slot>,
}

/// A place in the code that makes a channel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MakeSite {
    pub(crate) channel: ChannelId,
    /// Whether it goes away with the instance that gets the next number.
    pub(crate) owned: bool,
    /// Where the reference goes.
    pub(crate) d: Slot,
}

/// A channel's place as the machine finds it.
#[derive(Clone, Debug)]
pub(crate) struct PlaceInfo {
    /// Holds which channel is there, 0 if none is; nothing if one always is.
    pub(crate) present: Option<Slot>,
    /// Which can be there: declaration, owner, code.
    pub(crate) channel_slots: Vec<(ChannelId, Option<usize>, i64)>,
}

/// A move: who takes part, and what decides between moves.
#[derive(Clone, Debug)]
pub(crate) struct MoveInfo {
    pub(crate) parts: Vec<Part>,
    pub(crate) class: u8,
    /// For each part: precedence, and the complement of the rank; greater goes first.
    pub(crate) urgency: Vec<Option<(u16, u16)>>,
    pub(crate) enumerate: Pc,
    pub(crate) barrier: bool,
    /// Whether enumerating it leaves values behind.
    pub(crate) writes: bool,
    /// The fairness sets that its steps belong to.
    pub(crate) fair: u64,
}

impl MoveInfo {
    /// Whether an instance that holds control can continue by this move.
    pub(crate) fn is_of(&self, holder: usize) -> bool {
        let is = |part: &Part| part.instance as usize == holder;
        is(&self.parts[0]) || self.barrier && self.parts.iter().any(is)
    }
}

/// The moves that begin at a location, most urgent first, each with whether it is less urgent than
/// the one before.
pub(crate) type PriorityList = Vec<(u32, bool)>;

/// What the driver knows of the instances with one number.
#[derive(Clone, Debug)]
pub(crate) struct InstanceInfo {
    /// Holds the location's code. All that follows is by these codes.
    pub(crate) location: Slot,
    pub(crate) modes: Vec<Option<Mode>>,
    /// The moves that it takes first part in.
    pub(crate) moves: Vec<Vec<u32>>,
    /// The same, for trying one after the other; none if that does not tell what is enabled.
    pub(crate) priority_lists: Option<Vec<PriorityList>>,
    /// Whether a run may end there.
    pub(crate) ends: Vec<bool>,
    /// Where its own code begins, if it runs within macro steps on its own.
    pub(crate) entries: Vec<Option<Pc>>,
    /// Computes the priority into the result slot, if the process has one.
    pub(crate) priorities: Vec<Option<Pc>>,
    /// Who can be there.
    pub(crate) instance_slots: Vec<InstanceSlotInfo>,
}

/// A compiled program.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    pub(crate) ops: Vec<Op>,
    /// Constants, from address 0.
    pub(crate) constants: Vec<i64>,
    /// What snapshots hold: from here on, what lasts and then the part of the state that changes.
    pub(crate) lasting: usize,
    pub(crate) state: usize,
    pub(crate) state_len: usize,
    pub(crate) changing: usize,
    /// Temporaries that nested evaluations must not disturb.
    pub(crate) temporaries: std::ops::Range<usize>,
    /// Where the results of the expressions asked for at the end of macro steps are.
    pub(crate) outcomes: Slot,
    /// Where a priority is.
    pub(crate) result: Slot,
    pub(crate) lists: usize,
    pub(crate) stacks: usize,
    pub(crate) moves: Vec<MoveInfo>,
    pub(crate) instances: Vec<InstanceInfo>,
    pub(crate) apply: Vec<ApplySite>,
    /// How many memories of results they have.
    pub(crate) memos: usize,
    /// Whether results are remembered.
    pub(crate) remembers_results: bool,
    pub(crate) happens: Vec<EventSite>,
    pub(crate) channel: Vec<ChannelSite>,
    pub(crate) switches: Vec<SwitchTable>,
    pub(crate) starts: Vec<StartSite>,
    /// By process.
    pub(crate) beginnings: Vec<Beginning>,
    pub(crate) makes: Vec<MakeSite>,
    pub(crate) places: Vec<PlaceInfo>,
    /// What there was no room for.
    pub(crate) exceeded: Arc<Mutex<BTreeSet<CapacityExceeded>>>,
    /// For each `Select`: the flag and the code of each alternative.
    pub(crate) select: Vec<Vec<(Slot, Pc)>>,
    /// Where calls return to.
    pub(crate) landings: Vec<Pc>,
    pub(crate) reasons: Vec<String>,
    /// The types of logged choices.
    pub(crate) types: Vec<Type>,
    pub(crate) faults: Vec<FaultId>,
    /// Makes initial states.
    pub(crate) initial: Pc,
    /// Evaluates what is asked for at the end of a macro step.
    pub(crate) finish: Pc,
    /// No process says how urgent it is.
    pub(crate) no_priorities: bool,
    /// All steps are equals: whatever is possible is enabled.
    pub(crate) uniform: bool,
    /// What is enabled is found out by trying, instance by instance.
    pub(crate) by_trying: bool,
}

impl Code {
    /// Whether there is nothing more to enumerate from here.
    pub(crate) fn ends_at_once(&self, pc: Pc) -> bool {
        match self.ops[pc as usize] {
            Op::NoMore => true,
            Op::Jump { to } => matches!(self.ops[to as usize], Op::NoMore),
            _ => false,
        }
    }
}

/// Slots at the beginning of the lasting ones: fairness sets whose steps were taken,
pub(crate) const TAKEN: usize = 0;
/// what was noted in the present move,
pub(crate) const NOTED: usize = 1;
/// the exclusive holder's number plus one.
pub(crate) const HOLDER: usize = 2;
/// What has happened in the present macro step: the number of a [list](crate::vm::event_lists).
pub(crate) const HAPPENED: usize = 3;
/// How many there are.
pub(crate) const LASTING: usize = 4;
