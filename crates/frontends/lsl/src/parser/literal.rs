//! The values of literals.
//!
//! As Linden Lab's lexer reads them: integers are 32 bits and wrap, floats are
//! rounded to binary32, `\t` in a string is four spaces, and a backslash before
//! any other character only disappears.

use std::num::IntErrorKind;

/// The value of an integer literal, and whether its text stands for another
/// number than the one written.
///
/// `negative` says that a minus stands before it, which makes room for
/// -2147483648; the minus is not applied. Hexadecimal literals write bits, so
/// `0xFFFFFFFF` is -1 and nothing is lost.
pub(super) fn integer(text: &str, negative: bool) -> (i32, bool) {
    let hex = text.strip_prefix("0x").or(text.strip_prefix("0X"));
    let parsed = match hex {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse::<u64>(),
    };
    let limit = match (hex.is_some(), negative) {
        (true, _) => u64::from(u32::MAX),
        (false, true) => 1 << 31,
        (false, false) => (1 << 31) - 1,
    };
    match parsed {
        Ok(value) if value <= u64::from(u32::MAX) => {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_possible_wrap,
                reason = "wrapping to 32 bits is what the compiler does"
            )]
            let wrapped = value as u32 as i32;
            (wrapped, value > limit)
        }
        Ok(_) => (-1, true),
        Err(error) => {
            debug_assert_eq!(*error.kind(), IntErrorKind::PosOverflow);
            (-1, true)
        }
    }
}

/// The value of a float literal.
pub(super) fn float(text: &str) -> f32 {
    let digits = text.trim_end_matches(['f', 'F']);
    let value: f64 = digits
        .parse()
        .expect("the lexer takes only what the standard library reads");
    #[expect(
        clippy::cast_possible_truncation,
        reason = "rounding to binary32 is what the compiler does"
    )]
    let rounded = value as f32;
    rounded
}

/// The value of a string literal, given with its quotes; the closing one may be
/// missing at the end of the file.
pub(super) fn string(text: &str) -> String {
    let (wide, text) = match text.strip_prefix('L') {
        Some(rest) => ("\"", rest),
        None => ("", text),
    };
    let inner = text.strip_prefix('"').unwrap_or(text);
    let mut value = String::with_capacity(inner.len() + wide.len());
    value.push_str(wide);
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => break,
            '\\' => match chars.next() {
                Some('n') => value.push('\n'),
                Some('t') => value.push_str("    "),
                Some(other) => value.push(other),
                None => {}
            },
            _ => value.push(c),
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_wrap_and_say_so() {
        assert_eq!(integer("2147483647", false), (i32::MAX, false));
        assert_eq!(integer("2147483648", false), (i32::MIN, true));
        assert_eq!(integer("2147483648", true), (i32::MIN, false));
        assert_eq!(integer("4294967295", false), (-1, true));
        assert_eq!(integer("4294967296", false), (-1, true));
        assert_eq!(integer("99999999999999999999", false), (-1, true));
        assert_eq!(integer("0xFFFFFFFF", false), (-1, false));
        assert_eq!(integer("0x1FFFFFFFF", false), (-1, true));
        assert_eq!(integer("007", false), (7, false));
    }

    #[test]
    fn floats_round_to_binary32() {
        assert_eq!(float("1."), 1.0);
        assert_eq!(float(".5F"), 0.5);
        assert_eq!(float("1e3"), 1000.0);
        assert_eq!(float("1.f"), 1.0);
        assert_eq!(float("0.1"), 0.1_f32);
        assert_eq!(float("1.e99"), f32::INFINITY);
    }

    #[test]
    fn strings_lose_their_escapes() {
        assert_eq!(string(r#""a\nb\tc\\d\"e\qf""#), "a\nb    c\\d\"eqf");
        assert_eq!(string(r#"L"x""#), "\"x");
        assert_eq!(string("\"open"), "open");
        assert_eq!(string("\"open\\"), "open");
    }
}
