//! From tokens to a syntax tree, whatever the tokens are.
//!
//! Recursive descent for statements, precedence climbing for expressions. The
//! parser always returns a tree; what it could not read is an error node and a
//! diagnostic. After an error it resumes at the next `;` or `}`.

mod expression;
mod literal;
mod script;
mod statement;
mod stream;

pub use expression::{ExpressionOptions, ExpressionPrefix, parse_expression, parse_expression_at};
pub use script::{parse, parse_tokens};
pub use statement::parse_statements;
