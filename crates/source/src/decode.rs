//! From bytes to text, or the reason why they are not text.
//!
//! Scripts are UTF-8, or UTF-16 with a byte order mark. Older ones are in the encoding of the machine
//! that they were written on, for most of them Windows-1252 (of which Latin-1 is a part), some with
//! both in one file: each byte that is not UTF-8 is read as one of those. A byte order mark is
//! dropped. A NUL byte stands in no script; it is how compiled files and pictures show themselves, so
//! it is refused here, once, for every language.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use std::fmt;

use crate::diagnostic::Diagnostic;

/// Why bytes are not text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotText {
    /// Offset of the first byte that text cannot have there.
    pub offset: usize,
    /// Whether the file says that it is UTF-16, and is not.
    pub utf16: bool,
}

impl fmt::Display for NotText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.utf16 {
            true => write!(
                f,
                "what is no character of UTF-16 at offset {}",
                self.offset
            ),
            false => write!(f, "a NUL byte at offset {}", self.offset),
        }
    }
}

impl std::error::Error for NotText {}

impl NotText {
    /// The finding, for the file `name`, as code `SRC0001`. It has no span: the
    /// file never becomes part of a [`crate::SourceMap`].
    #[must_use]
    pub fn diagnostic(self, name: &str) -> Diagnostic {
        let diagnostic = Diagnostic::error(
            "SRC0001",
            format!("`{name}` is not a text file: it has {self}"),
        );
        if self.utf16 {
            diagnostic.help("it begins like UTF-16; save it as UTF-8")
        } else {
            diagnostic.help("scripts are read as UTF-8 text")
        }
    }
}

/// Reads `bytes` as text without NUL bytes, dropping a leading byte order mark.
///
/// # Errors
/// The first offending byte.
pub fn decode(bytes: Vec<u8>) -> Result<String, NotText> {
    let text = match Encoding::for_bom(&bytes) {
        Some((encoding, mark)) if encoding != UTF_8 => {
            let text = encoding.decode_without_bom_handling_and_without_replacement(&bytes[mark..]);
            let not_text = NotText {
                offset: mark,
                utf16: true,
            };
            text.ok_or(not_text)?.into_owned()
        }
        _ => with_foreign_bytes(bytes),
    };
    if let Some(offset) = text.bytes().position(|byte| byte == 0) {
        let utf16 = false;
        return Err(NotText { offset, utf16 });
    }
    Ok(text)
}

/// Whether some bytes are read as another encoding than UTF-8 or UTF-16.
#[must_use]
pub fn has_foreign_bytes(bytes: &[u8]) -> bool {
    let unicode = Encoding::for_bom(bytes).is_some_and(|(encoding, _)| encoding != UTF_8);
    !unicode && std::str::from_utf8(bytes).is_err()
}

/// Text in UTF-8, with each byte that is not as in Windows-1252.
fn with_foreign_bytes(bytes: Vec<u8>) -> String {
    let mut text = String::from_utf8(bytes).unwrap_or_else(|error| {
        let mut text = String::new();
        for chunk in error.as_bytes().utf8_chunks() {
            text += chunk.valid();
            text += &WINDOWS_1252.decode_without_bom_handling(chunk.invalid()).0;
        }
        text
    });
    if text.starts_with('\u{FEFF}') {
        text.drain(..'\u{FEFF}'.len_utf8());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_passes_and_loses_its_byte_order_mark() {
        assert_eq!(decode(b"abc".to_vec()).unwrap(), "abc");
        assert_eq!(decode("\u{FEFF}é".into()).unwrap(), "é");
        assert_eq!(decode(Vec::new()).unwrap(), "");
    }

    #[test]
    fn bytes_of_older_encodings_are_read() {
        assert_eq!(decode(b"caf\xE9 \x80".to_vec()).unwrap(), "café €");
        assert_eq!(decode(b"\xC3\xA9 and \xE9".to_vec()).unwrap(), "é and é");
        assert!(has_foreign_bytes(b"caf\xE9"));
        assert!(!has_foreign_bytes("café".as_bytes()));
    }

    #[test]
    fn utf16_is_read_if_it_says_so() {
        assert_eq!(decode(b"\xFF\xFEd\0".to_vec()).unwrap(), "d");
        assert_eq!(decode(b"\xFE\xFF\0d".to_vec()).unwrap(), "d");
        let half = decode(b"\xFF\xFEd".to_vec()).unwrap_err();
        let diagnostic = half.diagnostic("a.lsl");
        assert!(diagnostic.message.contains("`a.lsl` is not a text file"));
        assert!(diagnostic.help[0].contains("UTF-16"));
    }

    #[test]
    fn the_first_bad_byte_is_named() {
        assert_eq!(decode(b"ab\0".to_vec()).unwrap_err().offset, 2);
        assert_eq!(decode(b"a\0b\xFF".to_vec()).unwrap_err().offset, 1);
        assert!(
            decode(b"d\0e\0".to_vec()).is_err(),
            "UTF-16 that does not say so"
        );
    }
}
