//! Reading numbers at the start of a text, as LSL's casts do: whatever follows is ignored, and
//! no number at all is zero.
//!
//! Integers follow C's `strtol` (decimal after white space and a sign, hexadecimal only at the
//! very start); floats follow `strtod`, with hexadecimal floats, `inf` and `nan`.

/// The integer at the start of the text. Magnitudes up to 2^32 - 1 wrap around, larger ones are
/// -1.
pub(super) fn leading_integer(text: &str) -> i32 {
    let magnitude = |digits: &str, radix| {
        let digits = leading(digits, |c| c.is_digit(radix));
        (!digits.is_empty()).then(|| i64::from_str_radix(digits, radix).unwrap_or(i64::MAX))
    };
    let hexadecimal = strip_hex_prefix(text).and_then(|digits| magnitude(digits, 16));
    let value = hexadecimal.or_else(|| {
        let (negative, digits) = sign(text.trim_start_matches(is_space));
        magnitude(digits, 10).map(|n| if negative { -n } else { n })
    });
    match value {
        None => 0,
        Some(n) if n.unsigned_abs() > u64::from(u32::MAX) => -1,
        #[expect(clippy::cast_possible_truncation, reason = "integers wrap around")]
        Some(n) => n as i32,
    }
}

/// The float at the start of the text, and the text after it.
pub(super) fn leading_float(text: &str) -> Option<(f64, &str)> {
    let (negative, rest) = sign(text.trim_start_matches(is_space));
    let (magnitude, rest) = hexadecimal_float(rest)
        .or_else(|| decimal_float(rest))
        .or_else(|| named_float(rest))?;
    Some((if negative { -magnitude } else { magnitude }, rest))
}

/// `N` numbers between angle brackets; the closing one may be missing.
pub(super) fn bracketed<const N: usize>(text: &str) -> Option<[f64; N]> {
    let mut rest = text.strip_prefix('<')?;
    let mut numbers = [0.0; N];
    for (index, number) in numbers.iter_mut().enumerate() {
        if index > 0 {
            rest = rest.strip_prefix(',')?;
        }
        (*number, rest) = leading_float(rest)?;
    }
    Some(numbers)
}

fn hexadecimal_float(text: &str) -> Option<(f64, &str)> {
    let body = strip_hex_prefix(text)?;
    let whole = leading(body, |c| c.is_ascii_hexdigit());
    let mut rest = &body[whole.len()..];
    let mut fraction = "";
    if let Some(after) = rest.strip_prefix('.') {
        fraction = leading(after, |c| c.is_ascii_hexdigit());
        if !(whole.is_empty() && fraction.is_empty()) {
            rest = &after[fraction.len()..];
        }
    }
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut value = 0.0_f64;
    for digit in whole.chars().chain(fraction.chars()) {
        value = value * 16.0 + f64::from(digit.to_digit(16).expect("a hexadecimal digit"));
    }
    let scale = -4 * i32::try_from(fraction.len()).unwrap_or(i32::MAX / 4);
    let (exponent, rest) = exponent(rest, ['p', 'P']);
    Some((value * 2.0_f64.powi(scale.saturating_add(exponent)), rest))
}

fn decimal_float(text: &str) -> Option<(f64, &str)> {
    let whole = leading(text, |c| c.is_ascii_digit());
    let mut rest = &text[whole.len()..];
    let mut fraction = "";
    if let Some(after) = rest.strip_prefix('.') {
        fraction = leading(after, |c| c.is_ascii_digit());
        if !(whole.is_empty() && fraction.is_empty()) {
            rest = &after[fraction.len()..];
        }
    }
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let (exponent, rest) = exponent(rest, ['e', 'E']);
    let value = format!("{whole}.{fraction}e{exponent}").replacen(".e", ".0e", 1);
    let value = value
        .parse()
        .expect("digits, a point, digits and an exponent");
    Some((value, rest))
}

/// An exponent, if a whole one is there; otherwise nothing is read.
fn exponent(text: &str, letters: [char; 2]) -> (i32, &str) {
    let Some(after) = text.strip_prefix(letters) else {
        return (0, text);
    };
    let (negative, digits) = sign(after);
    let digits = leading(digits, |c| c.is_ascii_digit());
    if digits.is_empty() {
        return (0, text);
    }
    // Beyond a few thousand every float is zero or infinite.
    let magnitude = digits.parse().unwrap_or(i32::MAX).min(100_000);
    let signed_length = after.len() - sign(after).1.len();
    let rest = &after[signed_length + digits.len()..];
    (if negative { -magnitude } else { magnitude }, rest)
}

fn named_float(text: &str) -> Option<(f64, &str)> {
    for (name, value) in [
        ("infinity", f64::INFINITY),
        ("inf", f64::INFINITY),
        ("nan", f64::NAN),
    ] {
        if let Some(start) = text.get(..name.len())
            && start.eq_ignore_ascii_case(name)
        {
            return Some((value, &text[name.len()..]));
        }
    }
    None
}

fn strip_hex_prefix(text: &str) -> Option<&str> {
    text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))
}

fn sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

fn leading(text: &str, wanted: impl Fn(char) -> bool) -> &str {
    let end = text.find(|c| !wanted(c)).unwrap_or(text.len());
    &text[..end]
}

/// White space in the C locale.
pub(super) fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t'..='\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_at_the_start() {
        for (text, expected) in [
            ("12abc", 12),
            ("abc", 0),
            ("", 0),
            ("0xF", 15),
            ("0XfFz", 255),
            (" 0xF", 0),
            ("-0xF", 0),
            ("0x", 0),
            (" \t-7", -7),
            ("+7", 7),
            ("1.9", 1),
            ("4294967295", -1),
            ("4294967296", -1),
            ("2147483648", i32::MIN),
            ("-2147483649", i32::MAX),
            ("99999999999999999999999", -1),
            ("0xFFFFFFFF", -1),
        ] {
            assert_eq!(leading_integer(text), expected, "{text:?}");
        }
    }

    #[test]
    fn floats_at_the_start() {
        for (text, expected) in [
            ("1.5", Some((1.5, ""))),
            ("-1.5e2x", Some((-150.0, "x"))),
            (".5", Some((0.5, ""))),
            ("5.", Some((5.0, ""))),
            (".", None),
            ("1e", Some((1.0, "e"))),
            ("1e+", Some((1.0, "e+"))),
            ("1e+2", Some((100.0, ""))),
            ("0x1.8p1", Some((3.0, ""))),
            ("0x.8", Some((0.5, ""))),
            ("0xg", Some((0.0, "xg"))),
            ("inf,", Some((f64::INFINITY, ","))),
            ("infinity", Some((f64::INFINITY, ""))),
            ("-INF", Some((f64::NEG_INFINITY, ""))),
            ("1e99999999999", Some((f64::INFINITY, ""))),
            ("é", None),
        ] {
            assert_eq!(leading_float(text), expected, "{text:?}");
        }
        assert!(leading_float("nan").is_some_and(|(value, _)| value.is_nan()));
    }

    #[test]
    fn components_between_brackets() {
        assert_eq!(bracketed("<1, 2,3>"), Some([1.0, 2.0, 3.0]));
        assert_eq!(bracketed("<1,2,3"), Some([1.0, 2.0, 3.0]));
        assert_eq!(bracketed::<3>("<1,2>"), None);
        assert_eq!(bracketed::<3>(" <1,2,3>"), None);
        assert_eq!(bracketed::<3>("<1 ,2,3>"), None);
    }
}
