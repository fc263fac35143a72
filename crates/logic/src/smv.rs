//! The words of SMV, the language in which formulas of branching time are mostly written: who reads
//! it refuses them as names, who writes it avoids them.

/// Words that begin a part of a module.
const SECTIONS: &[&str] = &[
    "MODULE",
    "DEFINE",
    "CONSTANTS",
    "VAR",
    "IVAR",
    "FROZENVAR",
    "INIT",
    "TRANS",
    "INVAR",
    "SPEC",
    "CTLSPEC",
    "LTLSPEC",
    "PSLSPEC",
    "COMPUTE",
    "INVARSPEC",
    "FAIRNESS",
    "JUSTICE",
    "COMPASSION",
    "ISA",
    "ASSIGN",
];

/// All others that NuSMV keeps for itself.
const OTHERS: &[&str] = &[
    "MDEFINE",
    "NAME",
    "CONSTRAINT",
    "SIMPWFF",
    "CTLWFF",
    "LTLWFF",
    "PSLWFF",
    "COMPWFF",
    "IN",
    "MIN",
    "MAX",
    "MIRROR",
    "PRED",
    "PREDICATES",
    "process",
    "array",
    "of",
    "boolean",
    "integer",
    "real",
    "word",
    "word1",
    "bool",
    "signed",
    "unsigned",
    "extend",
    "resize",
    "sizeof",
    "uwconst",
    "swconst",
    "EX",
    "AX",
    "EF",
    "AF",
    "EG",
    "AG",
    "E",
    "F",
    "O",
    "G",
    "H",
    "X",
    "Y",
    "Z",
    "A",
    "U",
    "S",
    "V",
    "T",
    "BU",
    "EBF",
    "ABF",
    "EBG",
    "ABG",
    "case",
    "esac",
    "mod",
    "next",
    "init",
    "union",
    "in",
    "xor",
    "xnor",
    "self",
    "TRUE",
    "FALSE",
    "count",
    "abs",
    "max",
    "min",
    "toint",
];

/// Whether a part of a module begins with a word.
#[must_use]
pub fn begins_section(word: &str) -> bool {
    SECTIONS.contains(&word)
}

/// Whether a word cannot be a name in SMV, as NuSMV reads it.
#[must_use]
pub fn is_reserved(word: &str) -> bool {
    begins_section(word) || OTHERS.contains(&word)
}
