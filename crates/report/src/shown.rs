//! Parts of a report as a terminal may be shown them.
//!
//! Names, values and lines come from scripts, and nobody knows what is in them. All texts of a part
//! are changed at once, whichever there are, by way of its JSON.

use std::io::{self, Write};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The same part without anything in its texts that a terminal would obey.
///
/// # Panics
/// If the part does not survive its JSON, which a test keeps from happening.
#[must_use]
pub fn shown<T: Serialize + DeserializeOwned>(part: &T) -> T {
    let mut value = serde_json::to_value(part).expect("a part of a report can be said in JSON");
    clean(&mut value);
    serde_json::from_value(value).expect("a part of a report comes back from its JSON")
}

/// Whether all texts of a part are of characters that every terminal shows: then the part is as it is
/// [shown], and nothing has to be copied. A part that is not plain may still be shown as it is.
pub(crate) fn is_plain(part: &impl Serialize) -> bool {
    serde_json::to_writer(Plain::default(), part).is_ok()
}

/// Takes JSON as long as it is plain.
#[derive(Default)]
struct Plain {
    /// Whether the last byte was a backslash that the next one belongs to.
    is_escape: bool,
}

impl Write for Plain {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            let is_plain = match self.is_escape {
                // JSON has numbers or letters of their own for other control characters.
                true => matches!(byte, b'n' | b't' | b'"' | b'\\'),
                false => matches!(byte, b' '..=b'~'),
            };
            if !is_plain {
                return Err(io::ErrorKind::InvalidData.into());
            }
            self.is_escape = !self.is_escape && byte == b'\\';
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn clean(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let std::borrow::Cow::Owned(clean) = source::shown(text) {
                *text = clean;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(clean),
        Value::Object(fields) => fields.values_mut().for_each(clean),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::{is_plain, shown};
    use crate::values::First;

    #[test]
    fn a_part_is_plain_only_if_it_is_shown_as_it_is() {
        let plain = ["", "a b", "\"", "\\u001b", "two\nlines\tand \\"];
        let others = [
            "\u{1b}[2J",
            "\r",
            "\u{7f}",
            "\u{202e}",
            "\u{8}",
            "\u{c}",
            "\\\u{1}",
            "é",
        ];
        for text in plain.into_iter().chain(others) {
            let part = First {
                variable: "x".into(),
                value: text.into(),
                detail: false,
            };
            assert_eq!(is_plain(&part), plain.contains(&text), "{text:?}");
            assert!(!is_plain(&part) || shown(&part) == part, "{text:?}");
        }
    }

    #[test]
    fn no_text_of_a_part_reaches_a_terminal_as_it_is() {
        let first = First {
            variable: "\u{1b}[2Ja".into(),
            value: "\u{202e}b\n".into(),
            detail: true,
        };
        let clean = shown(&first);
        assert_eq!(clean.variable, "\u{241b}[2Ja");
        assert_eq!(clean.value, "\u{fffd}b\n");
        assert!(clean.detail);
    }
}
