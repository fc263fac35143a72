//! The faults that `cargo xtask mutate` plants.

/// A fault.
pub(crate) struct Mutant {
    /// The package whose tests have to catch it.
    pub(crate) package: &'static str,
    /// The file.
    pub(crate) file: &'static str,
    /// Text that stands in the file exactly once.
    pub(crate) search: &'static str,
    /// What stands there instead.
    pub(crate) replacement: &'static str,
    /// What it breaks.
    pub(crate) breaks: &'static str,
}

/// The faults. Those of one package stand together.
pub(crate) const MUTANTS: &[Mutant] = &[
    explicit(
        "machine.rs",
        "Op::Le { d, a, b } => at!(d) = i64::from(at!(a) <= at!(b)),",
        "Op::Le { d, a, b } => at!(d) = i64::from(at!(a) < at!(b)),",
        "less-or-equal is less",
    ),
    explicit(
        "machine.rs",
        "Op::Add32 { d, a, b } => at!(d) = sign32(at!(a).wrapping_add(at!(b))),",
        "Op::Add32 { d, a, b } => at!(d) = at!(a).wrapping_add(at!(b)),",
        "32-bit sums do not wrap around",
    ),
    explicit(
        "machine.rs",
        "Op::Rem { d, a, b } => at!(d) = at!(a).wrapping_rem(at!(b)),",
        "Op::Rem { d, a, b } => at!(d) = at!(a).rem_euclid(at!(b)),",
        "a remainder has the wrong sign",
    ),
    explicit(
        "machine.rs",
        "self.violations.push((violation, self.log.head()));",
        "let _ = violation;",
        "violations are not reported",
    ),
    explicit(
        "machine.rs",
        "Op::Return { stack } => {\n                    let stack = &mut self.stacks[usize::from(stack)];\n                    let site = stack.data[stack.frame - 1];",
        "Op::Return { stack } => {\n                    let stack = &mut self.stacks[usize::from(stack)];\n                    let site = stack.data[1];",
        "a return from a nested call goes to the outermost caller",
    ),
    explicit(
        "machine.rs",
        "return Some(Exit::Repeats);",
        "return Some(Exit::Pruned);",
        "an endless loop inside a macro step is no divergence",
    ),
    explicit(
        "machine.rs",
        "let candidates = if *anywhere { count } else { count.min(1) };",
        "let candidates = count;",
        "a receive takes a message from the middle of a channel",
    ),
    explicit(
        "enabled.rs",
        "if goes_on || self.mode(holder) == Some(Mode::Region) {",
        "if goes_on {",
        "a blocked region lets others go on",
    ),
    explicit(
        "enabled.rs",
        "moves.retain(|id| Some(class(id)) == highest);",
        "let _ = highest;",
        "priority classes are ignored",
    ),
    explicit(
        "enabled.rs",
        "each(id).all(|(instance, urgency)| urgency.is_none() || *urgency == best[instance])",
        "each(id).all(|(_, _)| true)",
        "else branches are taken although another is enabled",
    ),
    explicit(
        "expand.rs",
        "// Choices that led nowhere have left their values.\n            self.machine.lasting_mut().copy_from_slice(&self.base);",
        "// Choices that led nowhere have left their values.",
        "a move that leads nowhere leaves its choices behind",
    ),
    explicit(
        "bfs.rs",
        "if !expanded.moves && !driver.is_valid_end() {",
        "if !expanded.moves && driver.is_valid_end() {",
        "valid ends are deadlocks and the others are not",
    ),
    explicit(
        "bfs.rs",
        "(Bad::Fault(wanted), Violation::Fault(fault)) => wanted.contains(&fault),",
        "(Bad::Fault(_), Violation::Fault(_)) => true,",
        "any fault counts as the one that is asked about",
    ),
    explicit(
        "table.rs",
        "if self.state(id) == state {",
        "if self.state(id)[0] == state[0] {",
        "states are told apart by their first word only",
    ),
];

/// A fault in the explicit engine.
const fn explicit(
    file: &'static str,
    search: &'static str,
    replacement: &'static str,
    breaks: &'static str,
) -> Mutant {
    Mutant {
        package: "explicit",
        file,
        search,
        replacement,
        breaks,
    }
}

impl Mutant {
    /// The file's place in the workspace.
    pub(crate) fn path(&self) -> String {
        match self.package {
            "explicit" => format!("crates/engines/explicit/src/{}", self.file),
            package => format!("crates/{package}/src/{}", self.file),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::root;

    #[test]
    fn every_fault_fits_its_file() {
        for mutant in MUTANTS {
            let text = std::fs::read_to_string(root().join(mutant.path())).unwrap();
            let found = text.matches(mutant.search).count();
            assert_eq!(found, 1, "{}: {}", mutant.path(), mutant.breaks);
            assert_ne!(mutant.search, mutant.replacement);
        }
    }
}
