//! What guards demand of stored states, as tests of masked words.
//!
//! Many guards begin with comparisons of variables with constants: which phase a protocol is in, which
//! cells of a board are taken, where a partner waits. Compared in the stored state, a word at a time,
//! they rule most moves out before anything of them is unpacked, run or looked up.
//!
//! A test is necessary for its move and need not be sufficient. It is read off the code in front of the
//! move. As long as that only compares and computes, and the enumeration ends where a comparison fails,
//! it does not matter which of several comparisons fails first.

use crate::ir::instruction::{Code, Op, Pc, Slot};
use crate::store::packing::Field;
use crate::successors::read_write_sets::{Footprints, GuardedMove, Part, position};

/// A test of one word of a stored state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct GuardTest {
    word: usize,
    mask: u64,
    bits: u64,
}

/// What one instruction demands for the enumeration to go on behind it.
enum Demand {
    Nothing,
    Equal(Slot, i64),
    Unequal(Slot, i64),
}

impl Footprints {
    /// The same with tests for the guards of all moves.
    pub(crate) fn with_guard_tests(mut self, code: &Code) -> Footprints {
        for number in 0..self.guarded_moves.len() {
            let tests = self.tests_of(code, self.guarded_moves[number].enumerate);
            let start = position(&self.guard_tests);
            self.guard_tests.extend(tests);
            let end = position(&self.guard_tests);
            self.guarded_moves[number].tests = Part { start, end };
        }
        self
    }

    /// Whether a move passes the tests for its guard.
    #[inline(always)]
    pub(crate) fn may_be_possible(&self, guarded_move: &GuardedMove, stored: &[u64]) -> bool {
        let mut tests = guarded_move.tests.of(&self.guard_tests).iter();
        tests.all(|test| stored[test.word] & test.mask == test.bits)
    }

    /// The tests for a move that is enumerated from here.
    fn tests_of(&self, code: &Code, start: Pc) -> Vec<GuardTest> {
        let mut tests: Vec<GuardTest> = Vec::new();
        for &op in &code.ops[start as usize..] {
            let Some(demand) = demand(code, op) else {
                break;
            };
            let Some(test) = self.test(code, &demand) else {
                continue;
            };
            // A move that demands two values of one variable is never possible, whatever is tested.
            match tests.iter_mut().find(|other| other.word == test.word) {
                Some(other) => {
                    other.mask |= test.mask;
                    other.bits |= test.bits;
                }
                None => tests.push(test),
            }
        }
        tests
    }

    /// A demand as a test, if it is one of a variable that has bits of its own in stored states.
    fn test(&self, code: &Code, demand: &Demand) -> Option<GuardTest> {
        let field = |address: Slot| -> Option<Field> {
            let slot = usize::from(address).checked_sub(code.state)?;
            *self.field_of.get(slot)?
        };
        let (field, value) = match *demand {
            Demand::Nothing => return None,
            Demand::Equal(address, value) => (field(address)?, value),
            Demand::Unequal(address, value) => {
                let field = field(address)?;
                // The other of two values.
                let other = match value.checked_sub(field.lo)? {
                    0 => field.lo.checked_add(1)?,
                    1 => field.lo,
                    _ => return None,
                };
                (Some(field).filter(|field| field.bits() == 1)?, other)
            }
        };
        let (mask, bits) = field.placed(value)?;
        let word = field.word();
        Some(GuardTest { word, mask, bits })
    }
}

/// What an instruction demands; nothing if it may do more than compare and compute, or go on elsewhere.
fn demand(code: &Code, op: Op) -> Option<Demand> {
    let constant = |address: Slot| code.constants.get(usize::from(address)).copied();
    let either = |a, b| match (constant(a), constant(b)) {
        (None, Some(value)) => Some((a, value)),
        (Some(value), None) => Some((b, value)),
        _ => None,
    };
    let (to, demand) = match op {
        Op::JumpNe { a, b, to } => (
            to,
            either(a, b).map(|(address, value)| Demand::Equal(address, value)),
        ),
        Op::JumpEq { a, b, to } => (
            to,
            either(a, b).map(|(address, value)| Demand::Unequal(address, value)),
        ),
        Op::JumpIf { a, to } => (to, Some(Demand::Equal(a, 0))),
        Op::JumpIfNot { a, to } => (to, Some(Demand::Unequal(a, 0))),
        Op::JumpLt { to, .. } | Op::JumpLe { to, .. } => (to, None),
        Op::Copy { d, .. }
        | Op::Add { d, .. }
        | Op::Sub { d, .. }
        | Op::Mul { d, .. }
        | Op::Add32 { d, .. }
        | Op::Sub32 { d, .. }
        | Op::Mul32 { d, .. }
        | Op::BitAnd { d, .. }
        | Op::BitOr { d, .. }
        | Op::BitXor { d, .. }
        | Op::BitNot { d, .. }
        | Op::Not { d, .. }
        | Op::WrapSigned { d, .. }
        | Op::WrapUnsigned { d, .. }
        | Op::ToBool { d, .. }
        | Op::Eq { d, .. }
        | Op::Ne { d, .. }
        | Op::Lt { d, .. }
        | Op::Le { d, .. }
        | Op::LoadAt { d, .. } => {
            let is_temporary = code.temporaries.contains(&usize::from(d));
            return is_temporary.then_some(Demand::Nothing);
        }
        _ => return None,
    };
    code.ends_at_once(to)
        .then(|| demand.unwrap_or(Demand::Nothing))
}
