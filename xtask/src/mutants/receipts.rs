//! Faults in what goes from script to script with amounts, and in how what several scripts take and pay is added up:
//! linksets that pay more than they have received are said to hold, or are not said to fail; the last of them keep
//! from holding what holds.

use super::Mutant;

/// The faults.
pub(super) const MUTANTS: &[Mutant] = &[
    checks(
        "                        around.after.push(write.number(kept.sent, NONE));\n",
        "",
        "what goes with one message goes with the next",
    ),
    checks(
        "            to.push(self.limit(sent, BinaryOp::Greater, all, all));\n",
        "            let _ = all;\n",
        "one script's share and rest are those of another",
    ),
    checks(
        "Some(sent) => self.build.read(sent),\n            None => self.build.int(0),",
        "Some(_) => self.build.int(1),\n            None => self.build.int(0),",
        "every number that is sent is of some payment",
    ),
    checks(
        "if global.kind == VariableKind::Ghost && !prepared.has_in_common(&global.name) {",
        "if global.kind == VariableKind::Ghost {",
        "of scripts that are added up, only the first one's payments count",
    ),
    checks(
        "let spend = match together || has_pair(",
        "let spend = match has_pair(",
        "one script's share is less than nothing to the next",
    ),
    checks(
        "if takes || !together {",
        "if takes || together {",
        "who takes no money receives what others do once more",
    ),
    checks(
        "payers.len() > 1 && adds_up && ",
        "payers.len() > 1 && ",
        "a payment of which two scripts hear is there twice",
    ),
    checks(
        "*own = *watching.get_or_insert(*own);",
        "let _ = watching.get_or_insert(*own);",
        "each script watches a payment of its own",
    ),
    checks(
        "if kept.is_some_and(|kept| kept.watching == id) {",
        "if kept.is_some_and(|kept| kept.watching == id && false) {",
        "another payment is watched after a reset",
    ),
    checks(
        "                self.classes.numbers[root].insert(number);\n",
        "                let _ = (root, number);\n",
        "payments are not tried at the numbers that they are compared with",
    ),
];

const fn checks(search: &'static str, replacement: &'static str, breaks: &'static str) -> Mutant {
    Mutant {
        package: "probity",
        tests: &["linkset_payments"],
        folder: "crates/frontends/lsl/src",
        search,
        replacement,
        breaks,
    }
}
