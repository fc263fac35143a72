//! Faults in how the states of several processes are packed anew.

use super::Mutant;

const fn packed_anew(
    search: &'static str,
    replacement: &'static str,
    breaks: &'static str,
) -> Mutant {
    Mutant {
        package: "cluster",
        tests: &["together"],
        folder: "crates/engines/explicit/src/partitioned",
        search,
        replacement,
        breaks,
    }
}

/// The faults.
pub(super) const MUTANTS: &[Mutant] = &[
    packed_anew(
        "self.notes.transitions = transitions;",
        "_ = transitions;",
        "a level that is expanded again counts twice",
    ),
    packed_anew(
        "self.owners = Owners::new(self.owners.count).since(wider.first, to);",
        "_ = wider.first;",
        "states that are packed anew get other owners",
    ),
    packed_anew(
        "saving.segments.clear();",
        "",
        "what was saved before is taken for states that are packed anew",
    ),
    packed_anew(
        "let repacking = Repacking::new(&engine.packing, &whole.packing);",
        "let repacking = Repacking::new(&widening.first().packing, &whole.packing);",
        "runs are read as if states had never been packed anew",
    ),
];
