//! Turns: places outside of inner loops where a run can go on in several ways.
//!
//! The machine goes on one way at once and leaves the others behind with a snapshot; when a run
//! has ended, it goes back to the last turn that has something left. Inside loops that would not
//! end, so there [inner states](crate::vm::inner_states) are compared.

use crate::ir::instruction::{Pc, Slot};
use crate::vm::machine::Machine;

/// Turns in one macro step before it must be in a loop that the compiler did not see.
const TURNS: u32 = 1 << 12;

/// A turn.
#[derive(Clone, Copy, Debug)]
struct BacktrackPoint {
    /// Where its snapshot begins.
    start: usize,
    /// So many choices are left when this turn has none left.
    choices: usize,
    /// Where a chosen value goes.
    d: Option<Slot>,
    log: u32,
    /// How many loop heads there were before it.
    micro: u64,
}

/// The turns of one macro step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Backtracking {
    left: Vec<BacktrackPoint>,
    pool: Vec<i64>,
    /// Values not yet chosen, and where to go with them.
    choices: Vec<(i64, Pc)>,
    count: u32,
}

impl Backtracking {
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.left.clear();
        self.pool.clear();
        self.choices.clear();
        self.count = 0;
    }

    #[inline]
    pub(crate) fn none_left(&self) -> bool {
        self.left.is_empty()
    }

    /// Says that there can be no loop.
    pub(crate) fn forget_count(&mut self) {
        self.count = 0;
    }
}

impl Machine<'_> {
    /// Whether so many turns were left behind in this macro step that it must be in a loop.
    pub(crate) fn has_too_many_points(&self) -> bool {
        self.turns.count >= TURNS
    }

    /// Goes on with the first value of a list, and leaves the others for later.
    pub(crate) fn turn_off(&mut self, pc: Pc, list: usize, d: Slot) {
        let start = self.turns.choices.len();
        let values = std::mem::take(&mut self.lists[list].values);
        self.turns
            .choices
            .extend(values[1..].iter().rev().map(|&value| (value, pc)));
        self.lists[list].values = values;
        self.leave_turn(start, Some(d));
    }

    /// The same with places in the code.
    pub(crate) fn turn_off_to(&mut self, table: &[(Slot, Pc)]) {
        let start = self.turns.choices.len();
        let memory = &self.memory;
        let others = table
            .iter()
            .filter(|(flag, _)| memory[usize::from(*flag)] != 0)
            .skip(1);
        self.turns.choices.extend(others.map(|&(_, to)| (0, to)));
        self.turns.choices[start..].reverse();
        self.leave_turn(start, None);
    }

    fn leave_turn(&mut self, choices: usize, d: Option<Slot>) {
        let mut pool = std::mem::take(&mut self.turns.pool);
        let start = pool.len();
        self.save(&mut pool);
        self.turns.pool = pool;
        self.turns.count += 1;
        self.turns.left.push(BacktrackPoint {
            start,
            choices,
            d,
            log: self.log.head(),
            micro: self.micro,
        });
    }

    /// Goes back to the last turn that has something left.
    pub(crate) fn go_back(&mut self) -> Option<Pc> {
        let turn = *self.turns.left.last()?;
        let (value, pc) = self.turns.choices.pop().expect("a turn has something left");
        let pool = std::mem::take(&mut self.turns.pool);
        self.restore(&pool[turn.start..]);
        self.turns.pool = pool;
        if let Some(d) = turn.d {
            self.memory[usize::from(d)] = value;
        }
        if self.turns.choices.len() == turn.choices {
            self.turns.left.pop();
            self.turns.pool.truncate(turn.start);
        }
        self.log.go_back(turn.log);
        self.micro = turn.micro;
        self.landmark_pc = Pc::MAX;
        Some(pc)
    }
}
