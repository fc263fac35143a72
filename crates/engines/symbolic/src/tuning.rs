//! The techniques of this engine that its answers do not depend on, as one table.

use model::TuningRow as Row;

/// A technique, in the order of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Technique {
    /// Variables are moved while diagrams stand, from so many nodes on.
    Reordering,
}

impl model::Technique for Technique {
    const ROWS: &'static [Row] = &[Row::number(
        ("reordering", 20_000),
        "moves variables of decision diagrams while they stand, from so many nodes on",
        "Rudell, Dynamic variable ordering, 1993",
    )];

    fn place(self) -> usize {
        self as usize
    }
}

/// A value for each technique.
pub type Tuning = model::Tuning<Technique>;
