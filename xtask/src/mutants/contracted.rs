//! Faults in the elimination of what only one transition leads to.

use super::{Mutant, explicit};

/// The faults.
pub(super) const MUTANTS: &[Mutant] = &[
    explicit(
        "(to, inserted.new && to > expanded.row)",
        "(to, to > expanded.row)",
        "a state that is come to again has only one transition to it",
    ),
    explicit(
        "is_followed.then_some(head)",
        "Some(head)",
        "states that do not belong to a component hand on where they come from",
    ),
    explicit(
        "if !leads[transition.class as usize] {",
        "if false {",
        "transitions that leave a component count as inside",
    ),
    explicit(
        "            if counts[to] == 0 {\n                gone[to] = true;",
        "            if counts[to] <= 1 {\n                gone[to] = true;",
        "a join goes while one transition leads to it",
    ),
    explicit(
        "next.nodes[origin as usize] = section.nodes[from as usize];",
        "_ = section.nodes[from as usize];",
        "where open ends come from is forgotten",
    ),
    explicit(
        "if is_open && is_first {",
        "if is_open {",
        "what comes from another part of the states is taken for what comes from nowhere",
    ),
];
