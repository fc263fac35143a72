//! From bytes to text, or the reason why they are not text.
//!
//! Scripts are UTF-8. A byte order mark in front is dropped. A NUL byte is
//! valid UTF-8 but stands in no script; it is how compiled files, pictures and
//! UTF-16 show themselves, so it is refused here, once, for every language.

use std::fmt;

use crate::diagnostic::Diagnostic;

/// Why bytes are not text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotText {
    /// Offset of the first byte that text cannot have there.
    pub offset: usize,
    /// That byte.
    pub byte: u8,
    /// Whether the file starts like UTF-16 text.
    pub utf16: bool,
}

impl fmt::Display for NotText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.byte == 0 {
            "a NUL byte"
        } else {
            "a byte that is not UTF-8"
        };
        write!(f, "{what} (0x{:02X}) at offset {}", self.byte, self.offset)
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
            diagnostic.help("it looks like UTF-16; save it as UTF-8")
        } else {
            diagnostic.help("scripts are read as UTF-8 text")
        }
    }
}

/// Reads `bytes` as UTF-8 without NUL bytes, dropping a leading byte order mark.
///
/// # Errors
/// The first offending byte.
pub fn decode(bytes: Vec<u8>) -> Result<String, NotText> {
    let utf16 = bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]);
    let not_text = |offset: usize, byte| NotText {
        offset,
        byte,
        utf16,
    };
    let mut text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let nul = error.as_bytes()[..at].iter().position(|&byte| byte == 0);
        let at = nul.unwrap_or(at);
        not_text(at, error.as_bytes()[at])
    })?;
    if let Some(offset) = text.bytes().position(|byte| byte == 0) {
        return Err(not_text(offset, 0));
    }
    if text.starts_with('\u{FEFF}') {
        text.drain(..'\u{FEFF}'.len_utf8());
    }
    Ok(text)
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
    fn the_first_bad_byte_is_named() {
        assert_eq!(decode(b"ab\0".to_vec()).unwrap_err().offset, 2);
        let error = decode(b"ab\xFFcd".to_vec()).unwrap_err();
        assert_eq!((error.offset, error.byte), (2, 0xFF));
        let error = decode(b"a\0b\xFF".to_vec()).unwrap_err();
        assert_eq!((error.offset, error.byte), (1, 0), "the NUL comes first");
    }

    #[test]
    fn utf16_gets_its_own_advice() {
        let diagnostic = decode(b"\xFF\xFEd\0".to_vec())
            .unwrap_err()
            .diagnostic("a.lsl");
        assert!(diagnostic.message.contains("`a.lsl` is not a text file"));
        assert!(diagnostic.help[0].contains("UTF-16"));
    }
}
