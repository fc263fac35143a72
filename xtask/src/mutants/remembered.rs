//! Faults in what the explicit engine remembers: something else is taken for what was computed.

use super::{Mutant, explicit};

/// The faults.
pub(super) const MUTANTS: &[Mutant] = &[
    explicit(
        "&& known == key",
        "&& known % 8 == key % 8",
        "calls of library functions are looked up by a part of their arguments",
    ),
    explicit(
        "call.memo = *known.entry((call.function, types)).or_insert(next);",
        "call.memo = *known.entry(types).or_insert(next);",
        "functions of the same arguments share what they have given",
    ),
    explicit(
        "*word = *word & !written.mask | bits;",
        "*word |= bits;",
        "what is remembered of a move does not replace what was there",
    ),
    explicit(
        "([a, b], [v, w]) => other(*a, *v) | other(*b, *w),",
        "([a, _], [v, _]) => other(*a, *v),",
        "moves are remembered by one word of what decides them",
    ),
    explicit(
        "self.slots.extend_from_slice(&memory[slot..slot + width]);",
        "self.slots.extend(memory[slot..slot + width].iter().map(|_| 0));",
        "events are the same whatever their arguments",
    ),
    explicit(
        ".then_some(!expanded.moves)",
        ".then_some(false)",
        "something is enabled everywhere in a graph",
    ),
    explicit(
        "(!self.moves_ask)",
        "(true)",
        "moves that are possible where nothing else is count as enabled",
    ),
    explicit(
        "movers.checked_shr(number).unwrap_or(0) & 1 != 0",
        "movers != 0",
        "where somebody can move, everybody can",
    ),
    Mutant {
        package: "probity",
        tests: &["tscript_symmetry"],
        ..explicit(
            "known.filter(|known| known.0 == bits)",
            "known.filter(|_| true)",
            "words are renamed as others are",
        )
    },
];
