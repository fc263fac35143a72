//! From tokens to a tree.
//!
//! Recursive descent with a limit on depth; long chains of one associative operator are one node.
//! The parser returns a tree whatever it meets, and reports what it cannot read.

mod expression;
mod module;
mod psl;
mod sere;
mod stream;

use source::Diagnostics;

use crate::ast::{Expr, Module};
use source::Token;

use stream::Parser;

/// Reads a model.
pub(crate) fn parse(tokens: Vec<Token>, diagnostics: &mut Diagnostics) -> Vec<Module> {
    Parser::new(tokens, diagnostics).modules()
}

/// Reads one formula; `None` if it cannot be read.
pub(crate) fn parse_formula(tokens: Vec<Token>, diagnostics: &mut Diagnostics) -> Option<Expr> {
    let mut parser = Parser::new(tokens, diagnostics);
    let formula = parser.expression().ok()?;
    if !parser.at_end() {
        parser.unexpected("the end of the formula");
        return None;
    }
    Some(formula)
}
