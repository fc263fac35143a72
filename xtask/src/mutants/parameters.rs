//! Faults in fixpoints with parameters, in values without end, and in labelled graphs.

use super::Mutant;

/// The faults.
pub(super) const MUTANTS: &[Mutant] = &[
    games(
        "self.system.begin_fixpoint(scope.least, scope.depth)",
        "self.system.begin_fixpoint(scope.least, self.depth)",
        "a later instance of a fixpoint lies as deep as the place that asks for it",
    ),
    games(
        "self.is_whole && !set.contains(&true)",
        "!set.contains(&true)",
        "what has not been met in a part of the graph happens nowhere",
    ),
    games(
        "std::mem::replace(&mut self.sets, scope.sets.clone()),",
        "self.sets.clone(),",
        "the body of an instance means the fixpoints of the place that asks for it",
    ),
    games(
        "reach(to, *behind);",
        "if to != at {\n                            reach(to, *behind);\n                        }",
        "what a loop asks for is not written",
    ),
    games(
        "label.len() == actions.len() && self.pair_up(&all, actions)",
        "self.pair_up(&all, actions)",
        "what happens together may happen beside others",
    ),
    games(
        "Some(low) if number <= low => Ordering::Greater,",
        "Some(low) if number <= low => Ordering::Less,",
        "numbers of a gap are smaller than all that occur",
    ),
    aut(
        "actions.retain(|action| !(action.args.is_empty() && silent.contains(&action.name)));",
        "",
        "a silent action counts beside others",
    ),
    aut(
        "(arguments == 0 && named.len() == 1).then(|| &named[0]);",
        "named.first();",
        "the number of arguments does not count",
    ),
    aut(
        "Domain::Numbers(Some(1), self.number(0))",
        "Domain::Numbers(Some(0), self.number(0))",
        "zero is positive",
    ),
];

/// A fault that formulas on random graphs must show.
const fn games(search: &'static str, replacement: &'static str, breaks: &'static str) -> Mutant {
    Mutant {
        package: "games",
        tests: &[],
        folder: "crates/logic/src/mu",
        search,
        replacement,
        breaks,
    }
}

/// A fault in how graphs and their formulas are read.
const fn aut(search: &'static str, replacement: &'static str, breaks: &'static str) -> Mutant {
    Mutant {
        package: "probity",
        tests: &["aut"],
        folder: "crates/frontends/aut/src",
        search,
        replacement,
        breaks,
    }
}
