//! Words that are no names, and those that begin a part of a module.

use logic::smv;
use source::{Token, TokenKind};

/// Whether a token can name something.
pub(crate) fn is_name(token: &Token) -> bool {
    token.kind == TokenKind::Name && !smv::is_reserved(&token.text)
}

/// Whether a token is a word that cannot name anything.
pub(crate) fn is_reserved(token: &Token) -> bool {
    token.kind == TokenKind::Name && smv::is_reserved(&token.text)
}

/// Whether a part of a module begins with a token.
pub(crate) fn begins_section(token: &Token) -> bool {
    token.kind == TokenKind::Name && smv::begins_section(&token.text)
}
