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
        "(entry[0] ^ key[0]) | (entry[1] ^ key[1])",
        "entry[0] ^ key[0]",
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
    explicit(
        "*word = *word & !mask | bits;",
        "*word |= bits;",
        "what is remembered of two words of a move does not replace what was there",
    ),
    explicit(
        "both.all(|(bits, key)| bits.of(state) == *key)",
        "both.next().is_some()",
        "moves are remembered by two words of what decides them",
    ),
    explicit(
        "other |= bits & (before ^ word);",
        "other = bits & (before ^ word);",
        "what is remembered is that of the state before if one word agrees",
    ),
    explicit(
        "station.cover(&mut bits);",
        "let _ = station;",
        "what is remembered is that of the state before wherever an instance is",
    ),
    explicit(
        "ends.take(count).map(|end| {",
        "ends.take(count.min(1)).map(|end| {",
        "of several ends that are remembered only the first is told",
    ),
    explicit(
        "let stop = (entry == 0) | ((entry ^ tag) & self.tag_mask == 0);",
        "let stop = entry == 0;",
        "a state that is known is added again behind its entry",
    ),
    explicit(
        "let last = if left == 0 { LAST } else { 0 };",
        "let last = if left <= 1 { LAST } else { 0 };",
        "lists of successors end one too early",
    ),
    explicit(
        "self.class == Some(class) && self.from.iter().zip(from).all(same)",
        "self.class == Some(class)",
        "the automaton goes where it went from other states with the same letter",
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
