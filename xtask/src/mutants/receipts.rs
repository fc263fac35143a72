//! Faults in what goes from script to script with amounts: each makes a linkset pay more than it has received, and
//! is said to hold.

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
