//! Calls of library functions: named pure functions on values, remembered by their arguments.

use std::collections::HashMap;

use model::{FaultId, Value};

use crate::code::{ApplySite, Pc};
use crate::layout::{flat_value, value_of};
use crate::machine::Machine;

/// Results that are remembered for each call.
const MEMO: usize = 1 << 18;

/// Results by arguments.
pub(crate) type Memo = HashMap<Box<[i64]>, Result<Box<[i64]>, FaultId>>;

impl Machine<'_> {
    /// Calls a library function; says where to go if it faults.
    pub(crate) fn apply(&mut self, number: usize) -> Option<Pc> {
        let site: &ApplySite = &self.code.apply[number];
        self.key.clear();
        for (slot, ty) in &site.args {
            let width = crate::layout::size(self.program, ty).unwrap_or(1);
            let first = usize::from(*slot);
            self.key
                .extend_from_slice(&self.memory[first..first + width]);
        }
        if !self.memo[number].contains_key(self.key.as_slice()) {
            let mut slots = self.key.iter().copied();
            let args: Vec<Value> = site
                .args
                .iter()
                .map(|(_, ty)| value_of(self.program, ty, &mut slots))
                .collect();
            let eval = self.program.functions[site.function].eval;
            let result = eval(&self.program.rich, &args).map(|value| {
                let mut slots = Vec::new();
                // A number beyond 64 bits has no slot: it is cut, and the type says to what.
                if flat_value(&value, &mut slots).is_err() {
                    slots = vec![i64::MAX];
                }
                slots.into_boxed_slice()
            });
            if self.memo[number].len() >= MEMO {
                self.memo[number].clear();
            }
            self.memo[number].insert(self.key.as_slice().into(), result);
        }
        match &self.memo[number][self.key.as_slice()] {
            Ok(slots) => {
                let first = usize::from(site.d);
                self.memory[first..first + slots.len()].copy_from_slice(slots);
                None
            }
            Err(fault) => {
                self.fault = *fault;
                Some(site.to)
            }
        }
    }
}
