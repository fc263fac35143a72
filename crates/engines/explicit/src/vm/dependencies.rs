//! What a run has touched, written down while it goes.

use crate::ir::instruction::{Pc, Slot};

/// Instructions that are written down at most.
const MANY: usize = 1 << 12;

/// How much is written down.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Tracking {
    Nothing,
    /// Which slots indices lead to.
    Indices,
    /// Every instruction, too.
    Everything,
}

/// What a run has touched: slots that indices have led to, and instructions, several times perhaps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dependencies {
    pub(crate) read: Vec<Slot>,
    pub(crate) written: Vec<Slot>,
    pub(crate) instructions: Vec<Pc>,
    /// Whether something has been looked at that is not written down.
    pub(crate) incomplete: bool,
}

impl Dependencies {
    pub(crate) fn clear(&mut self) {
        self.read.clear();
        self.written.clear();
        self.instructions.clear();
        self.incomplete = false;
    }

    /// An instruction is run.
    #[expect(clippy::cast_possible_truncation, reason = "code is short of 2^32")]
    pub(crate) fn instruction(&mut self, pc: usize) {
        match self.instructions.len() < MANY {
            true => self.instructions.push(pc as Pc),
            false => self.incomplete = true,
        }
    }
}
