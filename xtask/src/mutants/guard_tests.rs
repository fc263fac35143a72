//! Faults in what rules moves out before they are tried, and in what is tried beside what is remembered.

use super::{Mutant, explicit};

/// The faults.
pub(super) const MUTANTS: &[Mutant] = &[
    explicit(
        "other.bits |= test.bits;",
        "",
        "of several demands on one word only the first is known",
    ),
    explicit(
        "0 => field.lo.checked_add(1)?,",
        "0 => field.lo,",
        "who demands that a flag is set demands that it is not",
    ),
    explicit(
        "    code.ends_at_once(to)\n        .then(",
        "    (code.ends_at_once(to) || true)\n        .then(",
        "what one alternative of a guard demands all do",
    ),
    explicit(
        "let (mut some, mut enabled) = (self.found.is_possible(number), 0);",
        "let (mut some, mut enabled) = (false, 0);",
        "where only remembered moves are possible, none is",
    ),
];
