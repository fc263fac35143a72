//! From tokens to a tree. The parser always returns one, and reports what it could not read.

mod process;
mod script;
mod stream;
mod term;

use source::{Diagnostics, Token};

use crate::ast::Script;
use stream::Parser;

/// Reads a script. `biased_is_looser`: `+>` binds less than `+`, as in the C ToolBus.
pub(crate) fn parse(
    tokens: Vec<Token>,
    biased_is_looser: bool,
    diagnostics: &mut Diagnostics,
) -> Script {
    let mut parser = Parser::new(tokens, biased_is_looser, diagnostics);
    parser.script()
}
