//! Tokens of TVM and TVS files. A keyword with its percent sign is one name.

use source::{Diagnostics, Dialect, SourceFile, Token, TokenKind, scan};

use crate::codes;

/// The language around the preprocessor's directives.
pub(crate) const DIALECT: Dialect = Dialect {
    lex: tokens,
    directive: codes::SYNTAX,
    include: codes::INCLUDE,
    macros: codes::SYNTAX,
};

/// Longer ones first.
const MARKS: &[&str] = &[
    "==>", "<->", "%%", "->", "==", "!=", "&&", "||", "#", "(", ")", "{", "}", "[", "]", ",", ";",
    ":", "?", "=", "!", "|", "&", "+", "*", "/", "<", ">", "-", "\\",
];

pub(crate) fn tokens(file: &SourceFile, diagnostics: &mut Diagnostics) -> Vec<Token> {
    scan(file, diagnostics, |scanner, first| {
        let rest = scanner.rest();
        let in_name = |c: char| c.is_ascii_alphanumeric() || "_$.".contains(c);
        let after = rest.chars().nth(1).is_some_and(|c| c.is_ascii_alphabetic());
        if rest.starts_with("//") {
            scanner.blank_line();
        } else if rest.starts_with("/*") {
            match rest.find("*/") {
                Some(end) => scanner.blank(end + 2),
                None => {
                    scanner.has_no_end(codes::SYNTAX, "a comment", 2);
                    scanner.blank(rest.len());
                }
            }
        } else if scanner.in_directive() && scanner.joins_lines() {
        } else if first == '%' && after {
            let length = rest[1..].find(|c: char| !c.is_ascii_alphabetic());
            scanner.token(
                TokenKind::Name,
                length.map_or(rest.len(), |length| length + 1),
            );
        } else if first.is_ascii_alphabetic() || first == '_' || first == '$' {
            scanner.name(in_name);
        } else if first.is_ascii_digit() {
            let length = rest.find(|c: char| !c.is_ascii_digit());
            scanner.token(TokenKind::Number, length.unwrap_or(rest.len()));
        } else if first == '"' {
            match rest[1..].find(['"', '\n']) {
                Some(end) if rest[1 + end..].starts_with('"') => {
                    scanner.token(TokenKind::Text, end + 2);
                }
                _ => {
                    scanner.has_no_end(codes::SYNTAX, "a text", 1);
                    scanner.blank_line();
                }
            }
        } else {
            scanner.punctuation(MARKS.iter().copied());
        }
    })
}
