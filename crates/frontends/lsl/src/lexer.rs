//! From text to tokens.
//!
//! Follows the lexical rules of Linden Lab's compiler as kept in tailslide's
//! `lslmini.l`: comments do not nest, strings may span lines, characters that
//! mean nothing are skipped. Where that compiler is silent about a trap, a
//! warning is given here. Lines of `//@` are comments to LSL and property text
//! to Probity: they go to a list of their own.

use std::ops::Range;

use source::{Diagnostic, Diagnostics, LineMarker, SourceFile, Span};

use crate::codes::syntax as code;
use crate::token::{Annotation, Token, TokenKind};

/// What the lexer made of a text.
#[derive(Clone, Debug, Default)]
pub struct Lexed {
    /// The tokens; the last one, and only that, is [`TokenKind::End`].
    pub tokens: Vec<Token>,
    /// The `//@` comments, in order.
    pub annotations: Vec<Annotation>,
    /// All other comments, in order.
    pub comments: Vec<Span>,
    /// Where a preprocessor says that lines come from.
    pub markers: Vec<LineMarker>,
    /// What was wrong with the text.
    pub diagnostics: Diagnostics,
}

/// Splits a whole file into tokens.
#[must_use]
pub fn lex(file: &SourceFile) -> Lexed {
    lex_range(file, 0..file.len())
}

/// Splits the bytes `range` of a file into tokens, with offsets that count
/// from the beginning of the file. The range must not split a character.
#[must_use]
pub fn lex_range(file: &SourceFile, range: Range<u32>) -> Lexed {
    let mut lexer = Lexer {
        file,
        text: &file.text()[..range.end as usize],
        at: range.start as usize,
        lexed: Lexed::default(),
        open_string: false,
    };
    while lexer.token() {}
    let end = lexer.text.len();
    lexer.push(TokenKind::End, end);
    lexer.lexed
}

struct Lexer<'a> {
    file: &'a SourceFile,
    text: &'a str,
    at: usize,
    lexed: Lexed,
    /// A string that nothing closes has been met. From then on no string is
    /// searched beyond its line, or a file of quotes would cost quadratic time.
    open_string: bool,
}

impl Lexer<'_> {
    fn byte(&self, offset: usize) -> u8 {
        *self.text.as_bytes().get(offset).unwrap_or(&0)
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file.id(), offset(start), offset(end))
    }

    fn push(&mut self, kind: TokenKind, start: usize) {
        self.lexed.tokens.push(Token {
            kind,
            start: offset(start),
            end: offset(self.at),
        });
    }

    /// Reads up to the next token; false at the end of the text.
    fn token(&mut self) -> bool {
        let start = self.at;
        if start >= self.text.len() {
            return false;
        }
        match self.byte(start) {
            b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c => self.at += 1,
            b'/' if self.byte(start + 1) == b'/' => self.line_comment(),
            b'/' if self.byte(start + 1) == b'*' => self.block_comment(),
            b'#' if self.starts_line(start) => self.directive(),
            b'"' => self.string(start),
            b'L' if self.byte(start + 1) == b'"' => {
                self.at += 1;
                self.string(start);
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                self.skip(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
                let word = &self.text[start..self.at];
                let kind = TokenKind::keyword(word).unwrap_or(TokenKind::Name);
                self.push(kind, start);
            }
            b'0'..=b'9' => self.number(start),
            b'.' if self.byte(start + 1).is_ascii_digit() => self.number(start),
            _ => match self.punctuation(start) {
                Some((kind, len)) => {
                    self.at += len;
                    self.push(kind, start);
                }
                None => self.unknown(start),
            },
        }
        true
    }

    fn skip(&mut self, belongs: impl Fn(u8) -> bool) {
        while self.at < self.text.len() && belongs(self.byte(self.at)) {
            self.at += 1;
        }
    }

    fn starts_line(&self, at: usize) -> bool {
        let before = &self.text.as_bytes()[..at];
        let blank = before
            .iter()
            .rev()
            .take_while(|&&byte| byte == b' ' || byte == b'\t')
            .count();
        blank == at || before[at - blank - 1] == b'\n'
    }

    fn end_of_line(&self, from: usize) -> usize {
        self.text.as_bytes()[from..]
            .iter()
            .position(|&byte| byte == b'\n')
            .map_or(self.text.len(), |len| from + len)
    }

    fn line_comment(&mut self) {
        let start = self.at;
        let end = self.end_of_line(start);
        self.at = end;
        if self.byte(start + 2) == b'@' {
            let text_end = if end > start && self.byte(end - 1) == b'\r' {
                end - 1
            } else {
                end
            };
            let annotation = Annotation {
                span: self.span(start, text_end),
                text: self.span(start + 3, text_end),
            };
            self.lexed.annotations.push(annotation);
        } else {
            self.lexed.comments.push(self.span(start, end));
        }
    }

    fn block_comment(&mut self) {
        let start = self.at;
        if let Some(len) = self.text[start + 2..].find("*/") {
            self.at = start + 2 + len + 2;
            self.lexed.comments.push(self.span(start, self.at));
            return;
        }
        self.at = self.text.len();
        let span = self.span(start, start + 2);
        self.lexed.diagnostics.push(
            Diagnostic::warning(code::OPEN_COMMENT, "comment without an end")
                .at(span)
                .saying("the rest of the file is part of this comment")
                .fix_it(
                    self.span(self.at, self.at),
                    "*/",
                    "close the comment where it should end",
                ),
        );
    }

    /// A line of a preprocessor: its line markers pass, the rest is refused.
    fn directive(&mut self) {
        let start = self.at;
        let mut end = self.end_of_line(start);
        while self.text[start..end].trim_end_matches('\r').ends_with('\\') && end < self.text.len()
        {
            end = self.end_of_line(end + 1);
        }
        self.at = end;
        let words = self.text[start + 1..end].trim_start();
        let marker = words.strip_prefix("line").unwrap_or(words).trim_start();
        if marker.starts_with(|c: char| c.is_ascii_digit()) {
            self.mark_lines(marker, end);
            return;
        }
        let line = self.text[start..end].trim_end().len();
        let span = self.span(start, start + line);
        self.lexed.diagnostics.push(
            Diagnostic::error(
                code::DIRECTIVE,
                "preprocessor directives are not part of LSL",
            )
            .at(span)
            .help("some viewers expand them before the script is saved: check the expanded script")
            .help("line markers such as `#line 12 \"door.lsl\"` may stay in it"),
        );
    }

    /// A marker, `12 "door.lsl"`, that ends at a place: the next line is line 12 there.
    fn mark_lines(&mut self, marker: &str, end: usize) {
        let (line, rest) = match marker.split_once(|c: char| !c.is_ascii_digit()) {
            Some((line, rest)) => (line, rest),
            None => (marker, ""),
        };
        let Ok(line) = line.parse() else { return };
        let name = rest
            .split_once('"')
            .and_then(|(_, rest)| rest.split_once('"'))
            .map(|(name, _)| name.to_owned());
        let here = self.file.line(offset(end));
        self.lexed.markers.push(LineMarker {
            first: here + 1,
            name,
            line,
        });
    }

    fn string(&mut self, start: usize) {
        let wide = self.at > start;
        let quote = self.at;
        let limit = if self.open_string {
            self.end_of_line(quote)
        } else {
            self.text.len()
        };
        let mut at = quote + 1;
        while at < limit && self.byte(at) != b'"' {
            at += if self.byte(at) == b'\\' { 2 } else { 1 };
        }
        if at < limit {
            self.at = at + 1;
        } else {
            // Resume at the next line: the quote most likely belongs there.
            self.open_string = true;
            self.at = self.end_of_line(quote);
            if self.byte(self.at - 1) == b'\r' && self.at - 1 > quote {
                self.at -= 1;
            }
            let span = self.span(start, self.at);
            self.lexed.diagnostics.push(
                Diagnostic::error(code::OPEN_STRING, "string without an end")
                    .at(span)
                    .saying("no quote closes this string")
                    .help("a string may span lines; a quote within it is written `\\\"`"),
            );
        }
        if wide {
            let span = self.span(start, quote);
            self.lexed.diagnostics.push(
                Diagnostic::warning(code::WIDE_STRING, "`L\"...\"` adds a quote to the string")
                    .at(span)
                    .saying("the string's first character will be `\"`")
                    .fix_it(span, "", "remove the `L`"),
            );
        }
        self.push(TokenKind::String, start);
    }

    fn number(&mut self, start: usize) {
        let hex = self.byte(start) == b'0' && matches!(self.byte(start + 1), b'x' | b'X');
        if hex && self.byte(start + 2).is_ascii_hexdigit() {
            self.at += 2;
            self.skip(|byte| byte.is_ascii_hexdigit());
            self.push(TokenKind::Integer, start);
            return;
        }
        let digit = |byte: u8| byte.is_ascii_digit();
        self.skip(digit);
        let point = self.byte(self.at) == b'.';
        if point {
            self.at += 1;
            self.skip(digit);
        }
        let exponent = self.exponent();
        if point && matches!(self.byte(self.at), b'f' | b'F') {
            self.at += 1;
        }
        let kind = if point || exponent {
            TokenKind::Float
        } else {
            TokenKind::Integer
        };
        self.push(kind, start);
    }

    fn exponent(&mut self) -> bool {
        if !matches!(self.byte(self.at), b'e' | b'E') {
            return false;
        }
        let sign = usize::from(matches!(self.byte(self.at + 1), b'+' | b'-'));
        if !self.byte(self.at + 1 + sign).is_ascii_digit() {
            return false;
        }
        self.at += 1 + sign;
        self.skip(|byte| byte.is_ascii_digit());
        true
    }

    fn punctuation(&self, at: usize) -> Option<(TokenKind, usize)> {
        use TokenKind as T;
        let (first, second) = (self.byte(at), self.byte(at + 1));
        if first == b'<' && second == b'-' && self.byte(at + 2) == b'>' {
            return Some((T::DoubleArrow, 3));
        }
        let two = match (first, second) {
            (b'+', b'+') => T::PlusPlus,
            (b'-', b'-') => T::MinusMinus,
            (b'-', b'>') => T::Arrow,
            (b'+', b'=') => T::PlusAssign,
            (b'-', b'=') => T::MinusAssign,
            (b'*', b'=') => T::StarAssign,
            (b'/', b'=') => T::SlashAssign,
            (b'%', b'=') => T::PercentAssign,
            (b'=', b'=') => T::Equal,
            (b'!', b'=') => T::NotEqual,
            (b'<', b'=') => T::LessEqual,
            (b'>', b'=') => T::GreaterEqual,
            (b'<', b'<') => T::ShiftLeft,
            (b'>', b'>') => T::ShiftRight,
            (b'&', b'&') => T::AndAnd,
            (b'|', b'|') => T::OrOr,
            _ => return Some((Self::single(first)?, 1)),
        };
        Some((two, 2))
    }

    fn single(byte: u8) -> Option<TokenKind> {
        use TokenKind as T;
        Some(match byte {
            b'{' => T::LeftBrace,
            b'}' => T::RightBrace,
            b'(' => T::LeftParen,
            b')' => T::RightParen,
            b'[' => T::LeftBracket,
            b']' => T::RightBracket,
            b';' => T::Semicolon,
            b',' => T::Comma,
            b'.' => T::Period,
            b':' => T::Colon,
            b'@' => T::At,
            b'=' => T::Assign,
            b'+' => T::Plus,
            b'-' => T::Minus,
            b'*' => T::Star,
            b'/' => T::Slash,
            b'%' => T::Percent,
            b'!' => T::Bang,
            b'~' => T::Tilde,
            b'&' => T::Ampersand,
            b'|' => T::Bar,
            b'^' => T::Caret,
            b'<' => T::Less,
            b'>' => T::Greater,
            _ => return None,
        })
    }

    /// Skips a run of characters that mean nothing, with one warning.
    fn unknown(&mut self, start: usize) {
        let mut first = None;
        while let Some(c) = self.text[self.at..].chars().next() {
            let meaningless = !c.is_ascii()
                || matches!(c, '?' | '\\' | '`' | '\'' | '$' | '#')
                || (c.is_ascii_control() && !c.is_ascii_whitespace());
            if !meaningless || (self.at > start && c == '#' && self.starts_line(self.at)) {
                break;
            }
            first = first.or(Some(c));
            self.at += c.len_utf8();
        }
        // The loop takes at least the byte that `punctuation` did not know.
        let Some(first) = first else {
            self.at += 1;
            return;
        };
        let span = self.span(start, self.at);
        let mut diagnostic = Diagnostic::warning(
            code::UNKNOWN_CHARACTER,
            format!("`{}` has no meaning in LSL", first.escape_debug()),
        )
        .at(span)
        .saying("skipped")
        .fix_it(span, "", "remove it");
        if matches!(first, '\u{201c}' | '\u{201d}' | '\u{201e}' | '\'') {
            diagnostic = diagnostic.help("strings are written with plain double quotes");
        }
        if first == '?' {
            diagnostic = diagnostic.help("LSL has no `? :`; use `if` and `else`");
        }
        self.lexed.diagnostics.push(diagnostic);
    }
}

fn offset(at: usize) -> u32 {
    u32::try_from(at).expect("source files are shorter than 4 GiB")
}

#[cfg(test)]
mod tests {
    use source::SourceMap;

    use super::*;
    use crate::types::Type;

    fn lexed(text: &str) -> (Vec<(TokenKind, String)>, Lexed) {
        let mut map = SourceMap::new();
        let file = map.add("t.lsl", text);
        let lexed = lex(map.file(file));
        let shown = lexed
            .tokens
            .iter()
            .map(|token| {
                let text = &text[token.start as usize..token.end as usize];
                (token.kind, text.to_owned())
            })
            .collect();
        (shown, lexed)
    }

    fn kinds(text: &str) -> Vec<TokenKind> {
        lexed(text).0.into_iter().map(|(kind, _)| kind).collect()
    }

    fn codes(text: &str) -> Vec<&'static str> {
        lexed(text).1.diagnostics.iter().map(|d| d.code).collect()
    }

    #[test]
    fn numbers_take_the_longest_form() {
        use TokenKind::{End, Float, Integer, Name, Period};
        for number in ["1.", ".5", "1e3", "1.f", "1.5F", "2.e-3f", "0.25E+10"] {
            assert_eq!(kinds(number), [Float, End], "{number}");
        }
        for number in ["0", "007", "0x1F", "0XffffFFFF", "4294967296"] {
            assert_eq!(kinds(number), [Integer, End], "{number}");
        }
        assert_eq!(kinds("0xg"), [Integer, Name, End]);
        assert_eq!(kinds("1e"), [Integer, Name, End]);
        assert_eq!(kinds("1f"), [Integer, Name, End], "no point, no suffix");
        assert_eq!(kinds("1e3f"), [Float, Name, End]);
        assert_eq!(kinds("v.x"), [Name, Period, Name, End]);
    }

    #[test]
    fn operators_take_the_longest_form() {
        use TokenKind as T;
        assert_eq!(
            kinds("a+++b"),
            [T::Name, T::PlusPlus, T::Plus, T::Name, T::End]
        );
        assert_eq!(kinds(">>="), [T::ShiftRight, T::Assign, T::End]);
        assert_eq!(
            kinds("-> <-> <-1"),
            [
                T::Arrow,
                T::DoubleArrow,
                T::Less,
                T::Minus,
                T::Integer,
                T::End
            ]
        );
        assert_eq!(kinds("quaternion"), [T::Type(Type::Rotation), T::End]);
    }

    #[test]
    fn comments_do_not_nest_and_annotations_are_kept() {
        use TokenKind::{End, Name};
        assert_eq!(kinds("a /* /* x */ b"), [Name, Name, End]);
        let text = "//@ one\r\na //@two\n/* //@ no */ // @ no\n//@";
        let (tokens, lexed) = lexed(text);
        assert_eq!(tokens.len(), 2);
        let shown: Vec<&str> = lexed
            .annotations
            .iter()
            .map(|annotation| &text[annotation.text.range()])
            .collect();
        assert_eq!(shown, [" one", "two", ""]);
        assert_eq!(&text[lexed.annotations[0].span.range()], "//@ one");
    }

    #[test]
    fn strings_span_lines_and_may_hold_quotes() {
        use TokenKind::{End, Name, String};
        assert_eq!(kinds("\"a\nb\\\"c\" x"), [String, Name, End]);
        assert_eq!(codes("\"a\nb\\\"c\" x"), [""; 0]);
        assert_eq!(codes("L\"x\""), [code::WIDE_STRING]);
        assert_eq!(kinds("Lx \"\""), [Name, String, End]);
    }

    #[test]
    fn what_is_never_closed_is_reported_once() {
        use TokenKind::{End, Name, String};
        assert_eq!(codes("a /* b"), [code::OPEN_COMMENT]);
        assert_eq!(kinds("\"abc\nx"), [String, Name, End]);
        assert_eq!(codes("\"abc\nx"), [code::OPEN_STRING]);
        assert_eq!(codes("\""), [code::OPEN_STRING]);
        assert_eq!(codes("\"\\"), [code::OPEN_STRING]);
    }

    #[test]
    fn line_markers_pass_and_other_directives_do_not() {
        assert_eq!(codes("#line 3 \"a.lsl\"\n# 4 \"b\"\n  #line 5\nx"), [""; 0]);
        assert_eq!(codes("#include \"a\"\nx"), [code::DIRECTIVE]);
        assert_eq!(codes("#define A \\\n 1 + \\\n 2\nx"), [code::DIRECTIVE]);
        assert_eq!(kinds("#define A \\\n 1\nx").len(), 2);
    }

    #[test]
    fn runs_of_meaningless_characters_give_one_warning() {
        assert_eq!(codes("a ?$\u{201c} b"), [code::UNKNOWN_CHARACTER]);
        assert_eq!(codes("\u{7f}\u{1}"), [code::UNKNOWN_CHARACTER]);
        assert_eq!(kinds("a?b").len(), 3);
    }

    #[test]
    fn a_range_counts_from_the_file_start() {
        let mut map = SourceMap::new();
        let file = map.add("t", "//@ a > 1\n");
        let lexed = lex_range(map.file(file), 3..9);
        let starts: Vec<u32> = lexed.tokens.iter().map(|token| token.start).collect();
        assert_eq!(starts, [4, 6, 8, 9]);
    }
}
