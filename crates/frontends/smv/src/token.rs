//! Tokens.

use std::rc::Rc;

use source::Span;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    /// A name or a reserved word.
    Name,
    /// A decimal number.
    Number,
    /// A word constant: `0ud4_15`.
    Word,
    /// Punctuation.
    Punct,
    /// A character that means nothing in SMV.
    Stray,
    /// The end of the text.
    End,
}

/// A token.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    /// What it is.
    pub(crate) kind: TokenKind,
    /// How it is written.
    pub(crate) text: Rc<str>,
    /// Where.
    pub(crate) span: Span,
}

/// Words that are no names.
const RESERVED: &[&str] = &[
    "MODULE",
    "DEFINE",
    "MDEFINE",
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
    "NAME",
    "INVARSPEC",
    "FAIRNESS",
    "JUSTICE",
    "COMPASSION",
    "ISA",
    "ASSIGN",
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

impl Token {
    /// Whether this is the punctuation `text`.
    pub(crate) fn is(&self, text: &str) -> bool {
        self.kind == TokenKind::Punct && *self.text == *text
    }

    /// Whether this is the word `text`.
    pub(crate) fn is_word(&self, text: &str) -> bool {
        self.kind == TokenKind::Name && *self.text == *text
    }

    /// Whether this can name something.
    pub(crate) fn is_name(&self) -> bool {
        self.kind == TokenKind::Name && !RESERVED.contains(&&*self.text)
    }

    /// Whether this is a word that cannot name anything.
    pub(crate) fn is_reserved(&self) -> bool {
        self.kind == TokenKind::Name && RESERVED.contains(&&*self.text)
    }

    /// Whether a part of a module begins here.
    pub(crate) fn begins_section(&self) -> bool {
        self.kind == TokenKind::Name && SECTIONS.contains(&&*self.text)
    }
}
