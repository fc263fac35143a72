//! What a file begins with, to tell languages apart.

/// So much of a file is looked at.
const HEAD: usize = 1 << 20;

/// Whether some line among the first of a text is so, without the blanks around it. Bytes that are not
/// UTF-8 do not matter.
#[must_use]
pub fn has_line(contents: &[u8], is_so: impl Fn(&str) -> bool) -> bool {
    let head = String::from_utf8_lossy(&contents[..contents.len().min(HEAD)]);
    head.lines().any(|line| is_so(line.trim()))
}

/// Whether a text begins with a word.
#[must_use]
pub fn begins_with_word(text: &str, word: &str) -> bool {
    let in_word = |c: char| c.is_alphanumeric() || c == '_';
    text.strip_prefix(word)
        .is_some_and(|behind| !behind.starts_with(in_word))
}
