//! Tokens, as the front ends that share the [preprocessor](crate::Preprocessor) have them.

use std::rc::Rc;

use crate::span::Span;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// A name or a keyword.
    Name,
    /// A number, or a character in single quotes, or another constant that begins with a digit.
    Number,
    /// Text in double quotes; the token's text has the quotes.
    Text,
    /// Punctuation.
    Punct,
    /// A character that means nothing in the language.
    Stray,
    /// The end of the text.
    End,
}

/// The definitions whose text a token was copied from by a parser, innermost first.
#[derive(PartialEq, Eq, Debug)]
pub struct Expansion {
    /// The definition's name.
    pub name: Rc<str>,
    /// Where that was used.
    pub outer: Option<Rc<Expansion>>,
}

/// A token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// How it is written.
    pub text: Rc<str>,
    /// Where; a token that comes out of a macro is where the macro is used.
    pub span: Span,
    /// Whether white space or a comment stands before it.
    pub spaced: bool,
    /// Whether it is the first on its line.
    pub first_on_line: bool,
    /// The definition that it comes from.
    pub expansion: Option<Rc<Expansion>>,
    /// The parameter of a definition that it stands in place of, where a parser put it there.
    pub place: Option<Span>,
}

impl Token {
    /// Where it stands among the tokens around it: what reaches from one of them to another is between
    /// these places.
    #[must_use]
    pub fn extent(&self) -> Span {
        self.place.unwrap_or(self.span)
    }

    /// Whether this is the punctuation `text`.
    #[must_use]
    pub fn is(&self, text: &str) -> bool {
        self.kind == TokenKind::Punct && *self.text == *text
    }

    /// Whether this is the name or keyword `text`.
    #[must_use]
    pub fn is_word(&self, text: &str) -> bool {
        self.kind == TokenKind::Name && *self.text == *text
    }

    /// Whether the token comes out of the definition `name`.
    #[must_use]
    pub fn is_inside(&self, name: &str) -> bool {
        let mut at = self.expansion.as_ref();
        while let Some(expansion) = at {
            if *expansion.name == *name {
                return true;
            }
            at = expansion.outer.as_ref();
        }
        false
    }
}
