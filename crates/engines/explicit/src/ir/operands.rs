//! Which slots an instruction reads and writes.
//!
//! One table serves everybody who asks: what narrows a choice down ([`Op::uses`]) and what a move
//! touches ([`Op::operands`], [`Op::result`]). Tables of sites are not looked into.

use crate::ir::instruction::{Op, Order, Slot};

/// How an instruction uses slots that single variables can be in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Use {
    /// Only the result of this comparison matters.
    Compare { a: Slot, b: Slot, order: Order },
    /// The values of these may matter.
    Values([Option<Slot>; 3]),
    /// Anything may matter.
    Anything,
}

impl Op {
    /// How the instruction uses slots.
    pub(crate) fn uses(&self) -> Use {
        self.slots().1
    }

    /// The single slots that are read.
    pub(crate) fn operands(&self) -> [Option<Slot>; 3] {
        match (self, self.uses()) {
            // What is logged is read, but nothing depends on it.
            (Op::LogChoice { a, .. }, _) => [Some(*a), None, None],
            (_, Use::Compare { a, b, .. }) => [Some(a), Some(b), None],
            (_, Use::Values(slots)) => slots,
            (_, Use::Anything) => [None; 3],
        }
    }

    /// The single slot that is written.
    pub(crate) fn result(&self) -> Option<Slot> {
        self.slots().0
    }

    /// What is written, and how the rest is used.
    fn slots(&self) -> (Option<Slot>, Use) {
        let compare = |a, b, order| Use::Compare { a, b, order };
        let none = Use::Values([None; 3]);
        let one = |a| Use::Values([Some(a), None, None]);
        let two = |a, b| Use::Values([Some(a), Some(b), None]);
        match *self {
            Op::Lt { d, a, b } => (Some(d), compare(a, b, Order::Less)),
            Op::JumpLt { a, b, .. } => (None, compare(a, b, Order::Less)),
            // `a <= b` is the opposite of `b < a`.
            Op::Le { d, a, b } => (Some(d), compare(a, b, Order::Greater)),
            Op::JumpLe { a, b, .. } => (None, compare(a, b, Order::Greater)),
            Op::Eq { d, a, b } | Op::Ne { d, a, b } => (Some(d), compare(a, b, Order::Equal)),
            Op::JumpEq { a, b, .. } | Op::JumpNe { a, b, .. } => {
                (None, compare(a, b, Order::Equal))
            }
            Op::Copy { d, a }
            | Op::Modulo { d, a, .. }
            | Op::BitNot { d, a }
            | Op::Not { d, a }
            | Op::WrapSigned { d, a, .. }
            | Op::WrapUnsigned { d, a, .. }
            | Op::ToBool { d, a } => (Some(d), one(a)),
            Op::CopyMany { a, .. }
            | Op::StoreFrame { a, .. }
            | Op::JumpIf { a, .. }
            | Op::JumpIfNot { a, .. }
            | Op::JumpOutside { a, .. }
            | Op::ListPush { a, .. } => (None, one(a)),
            Op::Add { d, a, b }
            | Op::Sub { d, a, b }
            | Op::Mul { d, a, b }
            | Op::Add32 { d, a, b }
            | Op::Sub32 { d, a, b }
            | Op::Mul32 { d, a, b }
            | Op::AddExact { d, a, b }
            | Op::SubExact { d, a, b }
            | Op::MulExact { d, a, b }
            | Op::Div { d, a, b }
            | Op::DivExact { d, a, b }
            | Op::Rem { d, a, b }
            | Op::BitAnd { d, a, b }
            | Op::BitOr { d, a, b }
            | Op::BitXor { d, a, b }
            | Op::Shl { d, a, b }
            | Op::Shr { d, a, b } => (Some(d), two(a, b)),
            Op::ListRange { a, b, .. } => (None, two(a, b)),
            Op::LoadAt { d, index, .. } | Op::LoadFrameAt { d, index, .. } => (Some(d), one(index)),
            Op::StoreAt { index, a, .. } | Op::StoreFrameAt { index, a, .. } => {
                (None, two(index, a))
            }
            Op::Enabled { d, .. } | Op::NothingEnabled { d } | Op::Count { d } => {
                (Some(d), Use::Anything)
            }
            Op::Apply { .. }
            | Op::Happen { .. }
            | Op::Channel { .. }
            | Op::Switch { .. }
            | Op::Start { .. }
            | Op::Make { .. } => (None, Use::Anything),
            Op::LoadFrame { d, .. }
            | Op::ListNext { d, .. }
            | Op::ListSkip { d, .. }
            | Op::ListCurrent { d, .. }
            | Op::Choose { d, .. } => (Some(d), none),
            Op::Jump { .. }
            | Op::Fault { .. }
            | Op::Failed { .. }
            | Op::Faulted
            | Op::Flush
            | Op::Prune
            | Op::Stop { .. }
            | Op::ListNew { .. }
            | Op::Narrow { .. }
            | Op::Pin
            | Op::Sampled
            | Op::Yield { .. }
            | Op::NoMore
            | Op::LoopHead
            | Op::Select { .. }
            | Op::Inner { .. }
            | Op::Settle { .. }
            | Op::Blocked
            | Op::Stable
            | Op::JumpFull { .. }
            | Op::Call { .. }
            | Op::Return { .. }
            | Op::Unwind { .. }
            | Op::LogMove { .. }
            | Op::LogChoice { .. } => (None, none),
        }
    }
}
