//! Calls of library functions: named pure functions on values, remembered by their arguments.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use model::{FaultId, UnknownReason, Value};

use crate::code::{ApplySite, Pc};
use crate::hash::FoldHasher;
use crate::layout::{flat_value, value_of};
use crate::machine::Machine;

/// Results that are remembered for each call.
const MEMO: usize = 1 << 18;
/// Calls with so many numbers as arguments at most, and one as their result, are looked for in a small
/// table first, of so many entries (two to this power).
const FEW: usize = 4;
const RECENT: u32 = 8;
/// For mixing: odd, with bits all over.
const FACTOR: u64 = 0xd6e8_feb8_6659_fd93;

/// What a call gives.
#[derive(Clone, Debug)]
pub(crate) enum Given {
    Value(Box<[i64]>),
    Fault(FaultId),
    /// A number beyond 64 bits.
    Overflow,
}

/// What a call has given, by its arguments: lately, and since the table was cleared.
#[derive(Clone, Default, Debug)]
pub(crate) struct Memo {
    recent: Vec<Option<([i64; FEW], i64)>>,
    all: HashMap<Box<[i64]>, Given, BuildHasherDefault<FoldHasher>>,
}

/// The place of arguments in the small table.
#[inline]
fn place(key: [i64; FEW]) -> usize {
    let mix =
        |sum: u64, word: i64| (sum.rotate_left(29) ^ word.cast_unsigned()).wrapping_mul(FACTOR);
    (key.into_iter().fold(0, mix) >> (64 - RECENT)) as usize
}

impl Machine<'_> {
    /// Calls a library function; says where to go if it faults.
    #[inline]
    pub(crate) fn apply(&mut self, number: usize) -> Result<Option<Pc>, UnknownReason> {
        let site: &ApplySite = &self.code.apply[number];
        let mut few = [0; FEW];
        let is_narrow = site.key.len() <= FEW;
        if is_narrow {
            for (word, &slot) in few.iter_mut().zip(&site.key) {
                *word = self.memory[usize::from(slot)];
            }
            if let Some(Some((key, value))) = self.memo[number].recent.get(place(few))
                && *key == few
            {
                self.memory[usize::from(site.d)] = *value;
                return Ok(None);
            }
        }
        self.apply_wide(number, is_narrow.then_some(few))
    }

    /// The same for arguments that are not in the small table.
    fn apply_wide(
        &mut self,
        number: usize,
        few: Option<[i64; FEW]>,
    ) -> Result<Option<Pc>, UnknownReason> {
        let site: &ApplySite = &self.code.apply[number];
        self.key.clear();
        let memory = &self.memory;
        let key = site.key.iter().map(|slot| memory[usize::from(*slot)]);
        self.key.extend(key);
        if !self.memo[number].all.contains_key(self.key.as_slice()) {
            let given = self.call(site);
            let all = &mut self.memo[number].all;
            if all.len() >= MEMO {
                all.clear();
            }
            all.insert(self.key.as_slice().into(), given);
        }
        let memo = &mut self.memo[number];
        match &memo.all[self.key.as_slice()] {
            Given::Value(slots) => {
                if let (Some(few), [value]) = (few, &**slots) {
                    if memo.recent.is_empty() {
                        memo.recent = vec![None; 1 << RECENT];
                    }
                    memo.recent[place(few)] = Some((few, *value));
                }
                let first = usize::from(site.d);
                self.memory[first..first + slots.len()].copy_from_slice(slots);
                Ok(None)
            }
            Given::Fault(fault) => {
                self.fault = *fault;
                self.fault_site = site.site;
                Ok(Some(site.to))
            }
            Given::Overflow => Err(UnknownReason::Overflow),
        }
    }

    fn call(&self, site: &ApplySite) -> Given {
        let mut slots = self.key.iter().copied();
        let args: Vec<Value> = site
            .args
            .iter()
            .map(|(_, ty)| value_of(self.program, ty, &mut slots))
            .collect();
        let eval = self.program.functions[site.function].eval;
        match eval(&self.program.rich, &args) {
            Err(fault) => Given::Fault(fault),
            Ok(value) => {
                let mut slots = Vec::new();
                match flat_value(&value, &mut slots) {
                    Ok(()) => Given::Value(slots.into_boxed_slice()),
                    Err(_) => Given::Overflow,
                }
            }
        }
    }
}
