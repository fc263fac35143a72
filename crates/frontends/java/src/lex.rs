//! Tokens of Java. Two angle brackets are two tokens, as closing brackets of type arguments are.

use source::{Diagnostics, SourceFile, Token, TokenKind, scan};

use crate::codes;

/// Longer ones first.
const MARKS: &[&str] = &[
    "...", "<<=", "->", "::", "==", "!=", "&&", "||", "++", "--", "+=", "-=", "*=", "/=", "%=",
    "&=", "|=", "^=", "<=", ">=", "(", ")", "{", "}", "[", "]", ";", ",", ".", "@", "=", "<", ">",
    "!", "~", "?", ":", "+", "-", "*", "/", "&", "|", "^", "%",
];

/// The tokens of a file.
pub(crate) fn tokens(file: &SourceFile, diagnostics: &mut Diagnostics) -> Vec<Token> {
    scan(file, diagnostics, |scanner, first| {
        let rest = scanner.rest();
        if rest.starts_with("//") {
            scanner.blank_line();
        } else if let Some(comment) = rest.strip_prefix("/*") {
            match comment.find("*/") {
                Some(end) => scanner.blank(end + 4),
                None => {
                    scanner.has_no_end(codes::SYNTAX, "a comment", 2);
                    scanner.blank(rest.len());
                }
            }
        } else if first.is_alphabetic() || first == '_' || first == '$' {
            scanner.name(|c| c.is_alphanumeric() || c == '_' || c == '$');
        } else if first.is_ascii_digit() {
            let in_number = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
            let length = rest.find(|c| !in_number(c)).unwrap_or(rest.len());
            scanner.token(TokenKind::Number, length);
        } else if let Some(block) = rest.strip_prefix("\"\"\"") {
            match block.find("\"\"\"") {
                Some(end) => scanner.token(TokenKind::Text, end + 6),
                None => {
                    scanner.has_no_end(codes::SYNTAX, "a text block", 3);
                    scanner.blank(rest.len());
                }
            }
        } else if first == '"' || first == '\'' {
            match scanner.quoted() {
                Some(length) if first == '"' => scanner.token(TokenKind::Text, length),
                Some(length) => scanner.token(TokenKind::Number, length),
                None => {
                    scanner.has_no_end(codes::SYNTAX, "a text", 1);
                    scanner.blank_line();
                }
            }
        } else {
            scanner.punctuation(MARKS.iter().copied());
        }
    })
}
