//! Character and string literals.

/// The bytes between the quotes of a literal; none if an escape sequence is not one.
pub(crate) fn bytes(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, behind @ ..] = rest {
        rest = behind;
        if *first != b'\\' {
            out.push(*first);
            continue;
        }
        let (escape, behind) = rest.split_first()?;
        rest = behind;
        let simple = match escape {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'v' => 11,
            b'e' => 27,
            b'\\' | b'\'' | b'"' | b'?' => *escape,
            b'x' => {
                let (value, length) = number(rest, 16, usize::MAX);
                rest = &rest[length..];
                (length > 0).then_some(value)?
            }
            b'0'..=b'7' => {
                let (value, more) = number(rest, 8, 2);
                let first = u32::from(escape - b'0') << (3 * more);
                rest = &rest[more..];
                u8::try_from(first + u32::from(value)).ok()?
            }
            _ => return None,
        };
        out.push(simple);
    }
    Some(out)
}

/// The number, modulo 256, that stands here in at most so many digits, and their number.
fn number(text: &[u8], radix: u32, most: usize) -> (u8, usize) {
    let mut value = 0u8;
    let mut length = 0;
    for digit in text.iter().take(most) {
        let Some(digit) = char::from(*digit).to_digit(radix) else {
            break;
        };
        let digit = u8::try_from(digit).expect("a digit is less than 16");
        let radix = u8::try_from(radix).expect("a radix is at most 16");
        value = value.wrapping_mul(radix).wrapping_add(digit);
        length += 1;
    }
    (value, length)
}

/// A text as it is written in a program.
pub(crate) fn quoted(bytes: &[u8]) -> String {
    format!("\"{}\"", bytes.escape_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_bytes() {
        assert_eq!(bytes(r"a\n\0\x41\101b\\"), Some(b"a\n\0AAb\\".to_vec()));
        assert_eq!(bytes(r"\q"), None);
        assert_eq!(bytes(r"\x"), None);
        assert_eq!(quoted(b"a\"\n"), r#""a\"\n""#);
    }
}
