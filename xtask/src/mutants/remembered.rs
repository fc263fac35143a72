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
        "to[place] = from[place] & keep | bits;",
        "to[place] = from[place] | bits;",
        "what is remembered of a move does not replace what was there",
    ),
    explicit(
        "other |= state[self.picked.place(number)] & mask ^ key;",
        "other = state[self.picked.place(number)] & mask ^ key;",
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
        "            copy_words(to, from);\n        }\n        for",
        "            to.fill(0);\n        }\n        for",
        "of long states only what a move touches is told",
    ),
    explicit(
        "|| touched.bits[*word] != 0 || touched.written[*word] != 0;",
        "|| touched.bits[*word] != 0;",
        "words of long states that are only written are not remembered",
    ),
    explicit(
        "bits |= mask & (one[place] ^ other[place]);",
        "bits = mask & (one[place] ^ other[place]);",
        "what is remembered is that of the state before if one word agrees",
    ),
    explicit(
        "location_lists.cover(&mut touched.bits);",
        "let _ = location_lists;",
        "what is remembered is that of the state before wherever an instance is",
    ),
    explicit(
        "            ends = rest;",
        "            ends = &rest[..0];",
        "of several ends that are remembered only the first is told",
    ),
    explicit(
        "let stop = _mm_or_si128(_mm_cmpeq_epi32(entries, none), _mm_cmpeq_epi32(other, none));",
        "let stop = _mm_or_si128(_mm_cmpeq_epi32(entries, none), none);",
        "a state that is known is added again behind its entry",
    ),
    explicit(
        "*read |= observed;",
        "let _ = (read, observed);",
        "what is asked for is what it was at another end of the same move",
    ),
    explicit(
        "self.known = possible & !unknown;",
        "self.known = possible;",
        "what is not remembered of one instance is left out where another can move",
    ),
    explicit(
        "self.known = possible & !unknown;",
        "self.known = !unknown;",
        "where nothing can happen, something has",
    ),
    explicit(
        "let told = place.map_or(UNKNOWN, |place| if tells { place } else { 0 });",
        "let told = place.map_or(UNKNOWN, |_| 0);",
        "what is remembered is not told",
    ),
    explicit(
        "let last = if left == 0 { LAST } else { 0 };",
        "let last = if left <= 1 { LAST } else { 0 };",
        "lists of successors end one too early",
    ),
    explicit(
        "self.class != Some(class) || !self.from.iter().zip(from).all(same)",
        "self.class != Some(class)",
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
    Mutant {
        package: "logic",
        folder: "crates/logic/src",
        ..explicit(
            "cover(&labels, Cube::TRUE).then(",
            "(!labels.is_empty()).then(",
            "an automaton that may give up waiting counts as one that waits",
        )
    },
    Mutant {
        package: "verify",
        tests: &["claims"],
        folder: "crates/verify/src",
        ..explicit(
            "all = exprs.and(all, not);",
            "all = exprs.and(all, atom);",
            "a claim that waits for what does not hold waits for what does",
        )
    },
];
