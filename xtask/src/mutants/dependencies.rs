//! Faults in how the explicit engine finds out what moves read, and what they led to by that.

use super::{Mutant, explicit};

/// The faults.
pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        package: "verify",
        tests: &["promela_states"],
        ..explicit(
            "            && self.direct_written(footprint).len() == self.written(footprint).len()",
            "",
            "an array is taken to be written at no index if it is read without one",
        )
    },
    Mutant {
        package: "probity",
        tests: &["random_promela"],
        ..explicit(
            "self.dependencies.read.push(from);",
            "",
            "it is not written down which elements are read",
        )
    },
    Mutant {
        package: "probity",
        tests: &["random_promela"],
        ..explicit(
            "self.dependencies.written.push(to);",
            "",
            "it is not written down which elements are written",
        )
    },
    explicit(
        "footprints.cover_instruction(pc, &mut self.touched, &mut self.written);",
        "",
        "it is not written down what instructions touch",
    ),
    explicit(
        "*touched |= written;",
        "",
        "what is written on some ways only is not among what decides",
    ),
    explicit(
        "touched.tracking = Tracking::Everything;",
        "touched.tracking = Tracking::Indices;",
        "moves are remembered of which no instruction was written down",
    ),
    explicit(
        "self.note_location(holder);",
        "",
        "it is not written down where who goes on is",
    ),
    explicit(
        "bits.iter()\n            .zip(known)\n            .all(|(bits, known)| bits & !known == 0)",
        "!bits.is_empty() || known.is_empty()",
        "what was read by an index does not decide",
    ),
    explicit(
        "several && self.all.iter().all(|it| !it.less_urgent)",
        "several",
        "moves that others exclude are remembered without those",
    ),
    explicit(
        "sets |= enabled;\n            number += 1;",
        "sets = enabled;\n            number += 1;",
        "of moves in groups only the last are enabled",
    ),
    explicit(
        "    let remembered = std::mem::take(&mut driver.transition_cache);\n    let expanded = driver.expand_fully(stored, &mut ends);\n    driver.transition_cache = remembered;",
        "    let expanded = driver.expand_fully(stored, &mut ends);",
        "what a sample has come to is remembered as if it had been told",
    ),
];
