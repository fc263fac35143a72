//! The techniques of this engine that its answers do not depend on, as one table.

use model::TuningRow as Row;

/// A technique, in the order of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Technique {
    /// Simple facts that hold in all reachable states help induction and IC3.
    SignalCorrespondence,
    /// Longer runs are looked for in a thread of their own while IC3 runs.
    BmcBesideIc3,
}

impl model::Technique for Technique {
    const ROWS: &'static [Row] = &[
        Row::switch(
            "signal-correspondence",
            "looks for clauses of one or two signals that hold in all reachable states, for induction and IC3",
            "van Eijk, 2000",
        ),
        Row::switch(
            "bmc-beside-ic3",
            "looks for longer runs in a thread of its own while IC3 runs",
            "",
        ),
    ];

    fn place(self) -> usize {
        self as usize
    }
}

/// A value for each technique.
pub type Tuning = model::Tuning<Technique>;
