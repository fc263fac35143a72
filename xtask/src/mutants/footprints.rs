//! Faults in what moves are taken to touch, and in what is looked at when they end.

use super::{Mutant, explicit};

/// The faults.
pub(super) const MUTANTS: &[Mutant] = &[
    explicit(
        "Some(Mode::Region) => entries.push(info.entries[code]?),",
        "Some(Mode::Region) => drop(info.entries[code]?),",
        "what somebody who is left inside touches as it goes on does not count",
    ),
    explicit(
        "instance < u64::BITS as usize && self.inside >> instance & 1 != 0",
        "instance >= u64::BITS as usize",
        "whoever is left inside stays there",
    ),
    explicit(
        "Some(Mode::Atomic) if touched.settling.contains(&number) => return None,",
        "",
        "whether an atomic instance goes on is found out on a part of the state",
    ),
    explicit(
        ".unpack_stored(&self.stored, &mut machine.memory[state]);",
        ".unpack(&self.stored, &mut machine.memory[state]);",
        "step variables are reset before they are looked at",
    ),
    explicit(
        "machine.memory[state].copy_from_slice(&self.packing.base);",
        "drop(state);",
        "step variables are what the move before has left in them",
    ),
];
