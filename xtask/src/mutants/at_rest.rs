//! Faults in passing over variables that are at rest while others move, and in remembering what they can only become.

use super::Mutant;

/// The faults.
pub(super) const MUTANTS: &[Mutant] = &[
    at_rest(
        "rest.next[at].is_some() && !seen[at];",
        "rest.next[at].is_some() && at < seen.len();",
        "what properties ask about is forgotten",
    ),
    at_rest(
        "&& region_of[reader] != region_of[read]\n",
        "&& region_of[reader] == region_of[read]\n",
        "what others still read is forgotten",
    ),
    at_rest(
        "region.reads.iter().copied().chain([number]);",
        "[number].into_iter();",
        "variables are passed over while what they read moves",
    ),
    at_rest(
        "region.reads.iter().map(|&read| alive[read]).collect();",
        "Vec::new();",
        "what is forgotten may still move",
    ),
    at_rest(
        "if evaluation.set(set) == 1 << value {",
        "if evaluation.set(set) & 1 << value != 0 {",
        "a variable is at rest where it may keep its value, but need not",
    ),
    remembered(
        "self.values[reader as usize] = None;",
        "let _ = reader;",
        "the only value of a variable is remembered for ever",
    ),
    remembered(
        "interp.program.has_type(&value, ty).then_some(value)",
        "(interp.program.has_type(&value, ty) | true).then_some(value)",
        "a variable gets its only value even if that is of another type",
    ),
    remembered(
        "Expr::Const(_)\n            | Expr::Unary(..)",
        "Expr::Next(_) | Expr::Const(_)\n            | Expr::Unary(..)",
        "a value that depends on the next one of another variable is remembered",
    ),
];

/// A fault that the comparison of verdicts has to catch.
const fn at_rest(search: &'static str, replacement: &'static str, breaks: &'static str) -> Mutant {
    Mutant {
        package: "verify",
        tests: &["selective"],
        folder: "crates/passes/src",
        search,
        replacement,
        breaks,
    }
}

/// A fault in what the interpreter remembers.
const fn remembered(
    search: &'static str,
    replacement: &'static str,
    breaks: &'static str,
) -> Mutant {
    Mutant {
        package: "model",
        tests: &["only_values"],
        folder: "crates/model/src/interp",
        search,
        replacement,
        breaks,
    }
}
