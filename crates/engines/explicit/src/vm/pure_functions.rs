//! Calls of library functions: named pure functions on values, remembered by their arguments.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault};

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
enum CallResult {
    Value(Vec<i64>),
    Fault(FaultId),
    /// A number beyond 64 bits.
    Overflow,
}

/// The same, remembered.
#[derive(Clone, Copy, Debug)]
enum Remembered {
    /// So many words, from this one on.
    Value {
        first: u32,
        count: u32,
    },
    Fault(FaultId),
    Overflow,
}

/// What a function has given, by its arguments: lately, and since the table was cleared.
///
/// A hash table with linear probing over rows that lie one behind the other: what is made in
/// hundreds of thousands is freed at once.
#[derive(Clone, Default, Debug)]
pub(crate) struct ResultCache {
    recent: Vec<(u64, i64)>,
    /// For each place the number of a row, or `FREE`. A power of two, at least twice as many as rows.
    table: Vec<u32>,
    /// The arguments of each row.
    keys: Vec<i64>,
    results: Vec<Remembered>,
    /// The words of all results.
    words: Vec<i64>,
}

/// No row.
const FREE: u32 = u32::MAX;

impl ResultCache {
    /// The row of these arguments, or the place in the table where it would be.
    fn find(&self, key: &[i64]) -> Result<usize, usize> {
        let mask = self.table.len() - 1;
        let mut place = BuildHasherDefault::<FoldHasher>::default().hash_one(key) as usize & mask;
        loop {
            let row = self.table[place];
            if row == FREE {
                return Err(place);
            }
            let row = row as usize;
            if self.keys[row * key.len()..][..key.len()] == *key {
                return Ok(row);
            }
            place = (place + 1) & mask;
        }
    }

    /// The row of these arguments, once they are there.
    fn find_or_insert(&mut self, key: &[i64], call: impl FnOnce() -> CallResult) -> usize {
        if self.results.len() >= MEMO {
            self.clear();
        }
        if self.table.len() <= 2 * self.results.len() {
            self.table = vec![FREE; (4 * self.results.len()).next_power_of_two().max(16)];
            for row in 0..self.results.len() {
                if let Err(place) = self.find(&self.keys[row * key.len()..][..key.len()]) {
                    self.table[place] = row as u32;
                }
            }
        }
        match self.find(key) {
            Ok(row) => row,
            Err(place) => {
                let row = self.results.len();
                let result = match call() {
                    CallResult::Value(words) => {
                        let first = self.words.len() as u32;
                        self.words.extend_from_slice(&words);
                        let count = words.len() as u32;
                        Remembered::Value { first, count }
                    }
                    CallResult::Fault(fault) => Remembered::Fault(fault),
                    CallResult::Overflow => Remembered::Overflow,
                };
                self.results.push(result);
                self.keys.extend_from_slice(key);
                self.table[place] = row as u32;
                row
            }
        }
    }

    fn clear(&mut self) {
        self.table.clear();
        self.keys.clear();
        self.results.clear();
        self.words.clear();
    }
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
            self.memo[site.memo].clear();
        }
        let mut memo = std::mem::take(&mut self.memo[site.memo]);
        let row = memo.find_or_insert(&self.key, || self.call(site));
        let first = usize::from(site.d);
        let went = match memo.results[row] {
            Remembered::Value { first: at, count } => {
                let words = &memo.words[at as usize..][..count as usize];
                self.memory[first..first + words.len()].copy_from_slice(words);
                if let [value] = *words
                    && packed != NONE
                {
                    if memo.recent.is_empty() {
                        memo.recent = vec![(NONE, 0); 1 << RECENT];
                    }
                    memo.recent[place(packed)] = (packed, value);
                }
                Ok(None)
            }
            Remembered::Fault(fault) => {
                self.fault = fault;
                self.fault_site = site.site;
                Ok(Some(site.to))
            }
            Remembered::Overflow => Err(UnknownReason::Overflow),
        };
        self.memo[site.memo] = memo;
        went
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
                    Ok(()) => CallResult::Value(slots),
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
