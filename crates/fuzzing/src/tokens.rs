//! Texts as tokens, alike for all languages: what matters is that a change keeps most of them whole.

use std::borrow::Cow;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Kind {
    /// A name or keyword.
    Word,
    /// A number.
    Number,
    /// Text in quotes.
    Text,
    /// Blanks, and line breaks.
    Space,
    /// A bracket that opens.
    Open,
    /// A bracket that closes.
    Close,
    /// Any other characters that belong together.
    Sign,
}

/// A token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Token<'a> {
    pub(crate) kind: Kind,
    pub(crate) text: Cow<'a, [u8]>,
}

/// Signs of several characters.
const SIGNS: &[&[u8]] = &[
    b"<->", b"<=>", b"...", b"<<=", b">>=", b"===", b"::", b"->", b"==", b"!=", b"<=", b">=",
    b"&&", b"||", b"++", b"--", b"<<", b">>", b":=", b"..", b"+=", b"-=", b"*=", b"/=", b"%=",
    b"[]", b"<>", b"//", b"/*", b"*/", b"=>", b"!!", b"??", b"||",
];

/// Cuts a text into tokens; they are all of it.
pub(crate) fn tokens(text: &[u8]) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(&first) = rest.first() {
        let (kind, length) = match first {
            b'"' => (Kind::Text, quoted(rest)),
            b'(' | b'[' | b'{' => (Kind::Open, 1),
            b')' | b']' | b'}' => (Kind::Close, 1),
            c if c.is_ascii_whitespace() => (Kind::Space, run(rest, u8::is_ascii_whitespace)),
            c if c.is_ascii_digit() => (
                Kind::Number,
                run(rest, |c| c.is_ascii_alphanumeric() || *c == b'_'),
            ),
            c if c.is_ascii_alphabetic() || c == b'_' || c >= 0x80 => (
                Kind::Word,
                run(rest, |c| {
                    c.is_ascii_alphanumeric() || *c == b'_' || *c >= 0x80
                }),
            ),
            _ => {
                let mut signs = SIGNS.iter().filter(|sign| sign[0] == first);
                let sign = signs.find(|sign| rest.starts_with(sign));
                (Kind::Sign, sign.map_or(1, |sign| sign.len()))
            }
        };
        let (text, after) = rest.split_at(length);
        found.push(Token {
            kind,
            text: text.into(),
        });
        rest = after;
    }
    found
}

fn run(text: &[u8], belongs: impl Fn(&u8) -> bool) -> usize {
    text.iter().take_while(|c| belongs(c)).count()
}

/// The length of the quoted text at the beginning; that of the quote alone if it is not closed on
/// its line.
fn quoted(text: &[u8]) -> usize {
    let mut at = 1;
    while let Some(c) = text.get(at) {
        match c {
            b'"' => return at + 1,
            b'\n' => return 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    1
}

/// The text that tokens make.
pub(crate) fn joined(tokens: &[Token<'_>]) -> Vec<u8> {
    let texts: Vec<&[u8]> = tokens.iter().map(|token| &*token.text).collect();
    texts.concat()
}

/// Where the bracket that opens at `open` is closed: one past it; none if it is not.
pub(crate) fn closing(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_all_of_the_text() {
        let text = b"do :: x1 = \"a\\\"b\" -> (y + 0xFF) od // \xff\n";
        let cut = tokens(text);
        assert_eq!(joined(&cut), text);
        let shown: Vec<_> = cut
            .iter()
            .filter(|t| t.kind != Kind::Space)
            .map(|t| &t.text[..])
            .collect();
        assert_eq!(shown[1], b"::");
        assert_eq!(shown[4], b"\"a\\\"b\"");
        let open = cut
            .iter()
            .position(|t| t.kind == Kind::Open)
            .expect("it has a bracket");
        let close = closing(&cut, open).expect("it is closed");
        assert_eq!(joined(&cut[open..close]), b"(y + 0xFF)");
        assert_eq!(closing(&tokens(b"(("), 0), None);
    }
}
