//! Text from outside as a terminal may be shown it.
//!
//! A script, a name or an argument may hold characters that a terminal obeys instead of showing
//! them, and others that let text look like another (Boucher and Anderson, "Trojan source", 2021).

use std::borrow::Cow;

/// The text with everything that a terminal would obey, or not show, replaced by a character that it
/// shows; line breaks and tabs stay.
#[must_use]
pub fn shown(text: &str) -> Cow<'_, str> {
    // Reports of hundreds of megabytes are all of these.
    let is_plain = |byte| matches!(byte, b'\n' | b'\t' | b' '..=b'~');
    if text.bytes().all(is_plain) || text.chars().all(|c| instead(c).is_none()) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(|c| instead(c).unwrap_or(c)).collect())
}

/// What is shown instead of a character that is not shown as it is.
fn instead(c: char) -> Option<char> {
    match c {
        '\n' | '\t' => None,
        // The pictures of control characters.
        '\0'..='\x1f' => char::from_u32(0x2400 + c as u32),
        '\x7f' => Some('\u{2421}'),
        '\u{80}'..='\u{9f}'
        // Direction of writing.
        | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        // Line breaks of another kind; characters without width.
        | '\u{2028}' | '\u{2029}' | '\u{200b}' | '\u{2060}'..='\u{2064}'
        | '\u{206a}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}' => Some('\u{fffd}'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn what_a_terminal_obeys_is_replaced_and_the_rest_stays() {
        assert!(matches!(shown("a\tb\né→"), std::borrow::Cow::Borrowed(_)));
        assert_eq!(shown("\u{1b}[31m\r\u{7f}"), "\u{241b}[31m\u{240d}\u{2421}");
        assert_eq!(shown("a\u{202e}b\u{9b}c"), "a\u{fffd}b\u{fffd}c");
    }
}
