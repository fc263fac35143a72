//! Faults in what is stored in the bits that values have needed.

use super::{Mutant, explicit};

/// The faults.
pub(super) const MUTANTS: &[Mutant] = &[
    explicit(
        "            excess |= value & !field.mask();",
        "            excess |= value & !field.mask() & 0;",
        "a value that does not fit is stored without its upper bits",
    ),
    explicit(
        "if excess != 0 && self.packing.is_fitted() {",
        "if excess == u64::MAX && self.packing.is_fitted() {",
        "a value that a move writes and that does not fit is stored without its upper bits",
    ),
    explicit(
        "            *most = (*most).max(value);\n        }\n    }\n\n    /// In the order of the slots.",
        "            *most = value;\n        }\n    }\n\n    /// In the order of the slots.",
        "states are fitted to the last value, not to the greatest",
    ),
    explicit(
        "            if done < block.len() {",
        "            if done + 1 < block.len() {",
        "a state whose successor did not fit may never be expanded again",
    ),
    explicit(
        "if overflow || self.stop.is_some() {",
        "if self.stop.is_some() {",
        "transitions are counted again when a state is expanded again",
    ),
    explicit(
        "Compiled::new(code, &self.layout, &packing, self.demand.tuning)",
        "Compiled::new(code, &self.layout, &self.packing, self.demand.tuning)",
        "moves read and write where values stood before states were fitted",
    ),
    explicit(
        "states.for_each(|state| *state = repacking.turned(state));",
        "states.for_each(drop);",
        "a run that was found in the depth is read as if its states were packed by types",
    ),
    explicit(
        "Some(fitted) => fitted.turned(&stored),",
        "Some(_) => stored,",
        "a run is told from states as if they were packed by types",
    ),
    explicit(
        "        inner.rebuild(capacity, filled)\n    }",
        "        Ok(())\n    }",
        "states are looked for in the places that they had before they were fitted",
    ),
    explicit(
        "            out[one.to] = out[one.to].wrapping_add(bits);",
        "            out[one.to] = bits;",
        "states lose what shares a word when they are packed anew",
    ),
    explicit(
        "                *any |= word;",
        "                *any = *word;",
        "states are fitted again to the last value, not to the greatest",
    ),
    explicit(
        "            *least = field.lo;",
        "",
        "states are fitted again to the least value that was there at first",
    ),
    explicit(
        "        *more = more.wrapping_add(lower);",
        "",
        "values are counted from what was the least one before states were packed anew",
    ),
    explicit(
        "self.again += u8::from(again);",
        "self.again += u8::from(again) & 0;",
        "many states are packed anew for each value that does not fit",
    ),
];
