//! Tokens; their expansions are inline definitions.

pub use source::{Expansion, Token, TokenKind};
