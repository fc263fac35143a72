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

/// What a call gives.
#[derive(Clone, Debug)]
pub(crate) enum Given {
    Value(Box<[i64]>),
    Fault(FaultId),
    /// A number beyond 64 bits.
    Overflow,
}

/// Results by arguments.
pub(crate) type Memo = HashMap<Box<[i64]>, Given, BuildHasherDefault<FoldHasher>>;

impl Machine<'_> {
    /// Calls a library function; says where to go if it faults.
    pub(crate) fn apply(&mut self, number: usize) -> Result<Option<Pc>, UnknownReason> {
        let site: &ApplySite = &self.code.apply[number];
        self.key.clear();
        for (slot, ty) in &site.args {
            let width = crate::layout::size(self.program, ty).unwrap_or(1);
            let first = usize::from(*slot);
            self.key
                .extend_from_slice(&self.memory[first..first + width]);
        }
        let given = match self.memo[number].get(self.key.as_slice()) {
            Some(given) => given,
            None => {
                let given = self.call(site);
                if self.memo[number].len() >= MEMO {
                    self.memo[number].clear();
                }
                self.memo[number]
                    .entry(self.key.as_slice().into())
                    .or_insert(given)
            }
        };
        match given {
            Given::Value(slots) => {
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
