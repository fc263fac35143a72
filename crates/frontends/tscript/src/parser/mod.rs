//! From tokens to a tree. The parser always returns one, and reports what it could not read.

mod process;
mod script;
mod stream;
mod term;

use source::{Diagnostics, Token};

use crate::ast::Script;
use stream::Parser;

/// Reads a script. `disrupt_is_tight`: `>>` binds more than all others, as the parser of the bus in Java has it.
pub(crate) fn parse(
    tokens: Vec<Token>,
    disrupt_is_tight: bool,
    diagnostics: &mut Diagnostics,
) -> Script {
    let mut parser = Parser::new(tokens, disrupt_is_tight, diagnostics);
    parser.script()
}
