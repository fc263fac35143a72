//! Faults in the depth-first search.

use super::{Mutant, explicit};

/// The faults.
pub(super) const MUTANTS: &[Mutant] = &[
    explicit(
        "if new || !self.engine.must_lead_on() {",
        "if true {",
        "a stubborn set suffices wherever it leads",
    ),
    explicit(
        "let expanded = |place: &usize| self.stack[*place].left != ALL;",
        "let expanded = |_: &usize| true;",
        "states that wait beside the path are taken for states on it",
    ),
    explicit(
        "self.stack[place].left = u32::try_from(left).expect(\"few locations\");",
        "_ = left;",
        "only the first move of a state is made",
    ),
    explicit(
        "self.kept.truncate(self.kept.len().min(place * words));",
        "",
        "states that the store cannot give back are mixed up when the search goes back",
    ),
    explicit(
        "// All is looked at but what branches lead to that were too long.\n            self.stop.get_or_insert(UnknownReason::StepBudget);",
        "",
        "what branches lead to that were given up is said not to be there",
    ),
];
