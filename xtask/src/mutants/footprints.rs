//! Faults in what moves are taken to touch, and in what is looked at when they end.

use super::{Mutant, explicit};

/// The faults.
pub(super) const MUTANTS: &[Mutant] = &[
    explicit(
        "entries.push(info.entries[code]?);",
        "_ = info.entries[code]?;",
        "what somebody who is left inside touches as it goes on does not count",
    ),
    explicit(
        "instance < u64::BITS as usize && self.inside >> instance & 1 != 0",
        "instance >= u64::BITS as usize",
        "whoever is left inside stays there",
    ),
    explicit(
        "false => touched.reached.get(number)?.iter().any(is_atomic),",
        "false => false,",
        "whether an atomic instance goes on is found out on a part of the state",
    ),
    explicit(
        "true => (0..modes.len()).any(|code| is_atomic(&code)),",
        "true => touched.reached.get(number)?.iter().any(is_atomic),",
        "whoever a fault leaves where it was is thought to be where it would have come to",
    ),
    explicit(
        ".unpack_stored(&self.stored, &mut machine.memory[state]);",
        ".unpack(&self.stored, &mut machine.memory[state]);",
        "step variables are reset before they are looked at",
    ),
    explicit(
        "None => self.unstored.of(&self.slots),",
        "None => &[],",
        "step variables are what the move before has left in them",
    ),
    explicit(
        "unpack(&mut self.machine, footprints.written(footprint), &self.from);",
        "let _ = footprint;",
        "a move begins with what the move before has changed, where the state was unpacked once",
    ),
    explicit(
        "self.holds_all &= footprint.is_some();",
        "",
        "the state is thought to be as it was after a move of which it is not known what it touches",
    ),
    explicit(
        "self.possible(holder..holder + 1, |info| info.is_of(holder))",
        "self.possible(0..self.code.instances.len(), |_| true)",
        "others move in the midst of an atomic step",
    ),
];
