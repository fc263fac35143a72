//! Words that are no names, and those that begin a part of a module.

use source::{Token, TokenKind, is_reserved_in_smv};

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

/// Whether a token can name something.
pub(crate) fn is_name(token: &Token) -> bool {
    token.kind == TokenKind::Name && !is_reserved_in_smv(&token.text)
}

/// Whether a token is a word that cannot name anything.
pub(crate) fn is_reserved(token: &Token) -> bool {
    token.kind == TokenKind::Name && is_reserved_in_smv(&token.text)
}

/// Whether a part of a module begins with a token.
pub(crate) fn begins_section(token: &Token) -> bool {
    token.kind == TokenKind::Name && SECTIONS.contains(&&*token.text)
}
