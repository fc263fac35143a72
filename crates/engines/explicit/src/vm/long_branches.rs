//! Loops within a macro step: those that go round in the same states, and those that go on for too long.

use crate::ir::instruction::Pc;
use crate::ir::number::as_i64;
use crate::vm::machine::{Exit, Machine, PATIENCE};

/// When a branch has been too long, later ones may be as long as this part of it.
const LESS: u64 = 64;

/// Loop heads between two looks at the clock, and at what texts and lists take.
const GLANCE: u64 = 1 << 8;

/// A branch may make texts and lists of so many bytes: a loop that makes a longer text each time takes
/// more with each of its rounds.
const MOST_GROWTH: usize = 64 << 20;

impl Machine<'_> {
    /// Looks whether an inner loop goes around in the same states (Brent's cycle detection: the
    /// state is compared with one that is renewed ever more rarely).
    pub(crate) fn watch_loop(&mut self, pc: Pc) -> Option<Exit> {
        if self.micro > self.micro_limit {
            self.give_up();
            return Some(Exit::TooLong);
        }
        if self.micro == PATIENCE {
            self.rich_before = self.program.rich.bytes();
        } else if self.micro.is_multiple_of(GLANCE) {
            let rich = self.program.rich.bytes();
            if rich.saturating_sub(self.rich_before) > MOST_GROWTH {
                self.give_up();
                return Some(Exit::TooLong);
            }
            if let Some(reason) = self.budget.exhausted(rich as u64) {
                self.stopped = Some(reason);
                return Some(Exit::Stop);
            }
        }
        if self.micro > PATIENCE && self.landmark_pc == pc && self.equals_landmark() {
            return Some(Exit::Repeats);
        }
        if self.micro.is_power_of_two() {
            self.landmark_pc = pc;
            let mut landmark = std::mem::take(&mut self.landmark);
            landmark.clear();
            self.save(&mut landmark);
            self.landmark = landmark;
        }
        None
    }

    /// Notes that a branch is given up. That nothing else is wrong cannot be said any more; those
    /// after it are looked at for failures, and get less patience.
    pub(crate) fn give_up(&mut self) {
        if !std::mem::replace(&mut self.gave_up, true) {
            self.micro_limit = (self.micro_limit / LESS)
                .max(PATIENCE)
                .min(self.micro_limit);
        }
    }

    fn equals_landmark(&self) -> bool {
        let plain = self.lasting();
        if self.landmark[..plain.len()] != *plain {
            return false;
        }
        let mut rest = &self.landmark[plain.len()..];
        for stack in &self.stacks {
            let whole = 3 + stack.data.len();
            if rest.len() < whole
                || rest[0] != as_i64(stack.data.len())
                || rest[1] != as_i64(stack.frame)
                || rest[3..whole] != *stack.data
            {
                return false;
            }
            rest = &rest[whole..];
        }
        true
    }
}
