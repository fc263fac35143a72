//! Calls of library functions: named pure functions on values, remembered by their arguments.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use model::{FaultId, UnknownReason, Value};

use crate::ir::instruction::{ApplySite, Pc, Slot};
use crate::ir::layout::{flat_value, value_of};
use crate::store::hash::{FACTOR, FoldHasher};
use crate::vm::machine::Machine;

/// Results that are remembered for each function.
const MEMO: usize = 1 << 18;
/// Calls whose arguments fit into a word together, with one number as their result, are looked for
/// in a small table first, of so many entries (two to this power).
const RECENT: u32 = 10;
/// No arguments, in the small table.
const NONE: u64 = u64::MAX;

/// What a call gives.
#[derive(Clone, Debug)]
pub(crate) enum CallResult {
    Value(Box<[i64]>),
    Fault(FaultId),
    /// A number beyond 64 bits.
    Overflow,
}

/// What a function has given, by its arguments: lately, and since the table was cleared.
#[derive(Clone, Default, Debug)]
pub(crate) struct ResultCache {
    recent: Vec<(u64, i64)>,
    all: HashMap<Box<[i64]>, CallResult, BuildHasherDefault<FoldHasher>>,
}

/// The place of arguments in the small table.
#[inline]
fn place(key: u64) -> usize {
    ((key ^ (key >> 29)).wrapping_mul(FACTOR) >> (64 - RECENT)) as usize
}

impl Machine<'_> {
    /// The arguments in one word, each in its share of the bits, or `NONE` if they do not fit.
    #[inline]
    fn packed(&self, key: &[Slot]) -> u64 {
        let word = |slot: &Slot| self.memory[usize::from(*slot)].cast_unsigned();
        let bits = match key.len() {
            1 => return word(&key[0]),
            2 => 32,
            3 | 4 => 16,
            _ => return NONE,
        };
        let (mut packed, mut over) = (0, 0);
        for slot in key {
            let word = word(slot).wrapping_add(1 << (bits - 1));
            packed = packed << bits | word;
            over |= word >> bits;
        }
        if over == 0 { packed } else { NONE }
    }

    /// Calls a library function; says where to go if it faults.
    #[inline]
    pub(crate) fn apply(&mut self, number: usize) -> Result<Option<Pc>, UnknownReason> {
        let site: &ApplySite = &self.code.apply[number];
        let key = self.packed(&site.key);
        if let Some(&(known, value)) = self.memo[site.memo].recent.get(place(key))
            && known == key
            && key != NONE
        {
            self.memory[usize::from(site.d)] = value;
            return Ok(None);
        }
        self.apply_wide(number, key)
    }

    /// The same for arguments that are not in the small table.
    fn apply_wide(&mut self, number: usize, mut packed: u64) -> Result<Option<Pc>, UnknownReason> {
        let site: &ApplySite = &self.code.apply[number];
        self.key.clear();
        let memory = &self.memory;
        let key = site.key.iter().map(|slot| memory[usize::from(*slot)]);
        self.key.extend(key);
        if !self.code.remembers_results {
            packed = NONE;
            self.memo[site.memo].all.clear();
        }
        if !self.memo[site.memo].all.contains_key(self.key.as_slice()) {
            let given = self.call(site);
            let all = &mut self.memo[site.memo].all;
            if all.len() >= MEMO {
                all.clear();
            }
            all.insert(self.key.as_slice().into(), given);
        }
        let memo = &mut self.memo[site.memo];
        match &memo.all[self.key.as_slice()] {
            CallResult::Value(slots) => {
                if let [value] = **slots
                    && packed != NONE
                {
                    if memo.recent.is_empty() {
                        memo.recent = vec![(NONE, 0); 1 << RECENT];
                    }
                    memo.recent[place(packed)] = (packed, value);
                }
                let first = usize::from(site.d);
                self.memory[first..first + slots.len()].copy_from_slice(slots);
                Ok(None)
            }
            CallResult::Fault(fault) => {
                self.fault = *fault;
                self.fault_site = site.site;
                Ok(Some(site.to))
            }
            CallResult::Overflow => Err(UnknownReason::Overflow),
        }
    }

    fn call(&self, site: &ApplySite) -> CallResult {
        let mut slots = self.key.iter().copied();
        let args: Vec<Value> = site
            .args
            .iter()
            .map(|(_, ty)| value_of(self.program, ty, &mut slots))
            .collect();
        let eval = self.program.functions[site.function].eval;
        match eval(&self.program.rich, &args) {
            Err(fault) => CallResult::Fault(fault),
            Ok(value) => {
                let mut slots = Vec::new();
                match flat_value(&value, &mut slots) {
                    Ok(()) => CallResult::Value(slots.into_boxed_slice()),
                    Err(_) => CallResult::Overflow,
                }
            }
        }
    }
}

/// Gives calls of the same function on arguments of the same types the same memory; says how many
/// memories there are.
pub(crate) fn share_memories(calls: &mut [ApplySite]) -> usize {
    let mut known = HashMap::new();
    for call in calls {
        let types: Vec<_> = call.args.iter().map(|(_, ty)| ty.clone()).collect();
        let next = known.len();
        call.memo = *known.entry((call.function, types)).or_insert(next);
    }
    known.len()
}
