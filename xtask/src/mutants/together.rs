//! Faults in what threads do together in the explicit engine.

use super::{Mutant, explicit};

/// The faults.
pub(super) const MUTANTS: &[Mutant] = &[
    explicit(
        "if !inner.filling.is_done() {",
        "if false {",
        "a larger index is looked at before it is filled",
    ),
    explicit(
        "while !self.are_done() {",
        "while false {",
        "a larger index is looked at while others fill it",
    ),
    explicit(
        "without(0..self.next.load(Ordering::Relaxed), &self.holes())",
        "vec![0..self.next.load(Ordering::Relaxed)]",
        "rows that nobody has written are entered into a larger index",
    ),
    explicit(
        "            end += 1;\n        }\n        start..end",
        "            end += 1;\n        }\n        start + 1..end.max(start + 1)",
        "the first block of each part of a level is left out",
    ),
    explicit(
        "        if first {\n            self.load(stored);",
        "        if !first {\n            self.load(stored);",
        "a depth-first look takes the state of another for one without moves",
    ),
    explicit(
        "let claims = self.claims.load(Ordering::Relaxed);",
        "let claims = false;",
        "threads that add states at once overwrite each other's entries",
    ),
    explicit(
        "if full || table.given_up || self.place_of(head.table(), &entry[2..][..count]).is_some()",
        "if full || table.given_up",
        "what is known is learnt again from others",
    ),
    explicit(
        "both.map(|(first, second)| first.or(second)).collect()",
        "both.map(|(first, _)| first).collect()",
        "what only the second half of a look into the depth finds is lost",
    ),
    explicit(
        "self.claims.store(workers > 1, Ordering::Relaxed);",
        "self.claims.store(workers > 2, Ordering::Relaxed);",
        "two threads add states as if each were alone",
    ),
    explicit(
        "                        drop(errand);\n",
        "",
        "a thread that is sent nowhere keeps the one that is from its errand",
    ),
];
