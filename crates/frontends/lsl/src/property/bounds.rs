//! Bounds: `amount = 0..10`, `bidders = 5`, `events-per-timer = 10`, `money.amount = 1..100`.
//!
//! The same text stands behind `//@ bound` and behind `--bound` on the command line.

use source::Span;

use super::syntax::Bound;

/// Reads `NAME = V` or `NAME = LO..HI`.
///
/// # Errors
/// A sentence about what is wrong.
pub fn parse(text: &str) -> Result<Bound, String> {
    let Some((name, value)) = text.split_once('=') else {
        return Err("a bound needs a name, `=` and a value".to_owned());
    };
    parse_value(name.trim(), value.trim())
}

/// Reads the value of the bound `name`.
///
/// # Errors
/// A sentence about what is wrong.
pub fn parse_value(name: &str, value: &str) -> Result<Bound, String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    if name.is_empty() || !name.chars().all(plain) {
        return Err(format!("`{name}` cannot be the name of a bound"));
    }
    let number = |text: &str| {
        text.trim()
            .parse::<i64>()
            .map_err(|_| format!("`{}` is not a number", text.trim()))
    };
    let (lo, hi) = match value.split_once("..") {
        Some((lo, hi)) => (number(lo)?, number(hi.trim_start_matches('='))?),
        None => {
            let one = number(value)?;
            (one, one)
        }
    };
    if lo > hi {
        return Err(format!("the range {lo}..{hi} is empty"));
    }
    Ok(Bound {
        name: name.to_owned(),
        lo,
        hi,
        text: value.to_owned(),
        span: Span::NONE,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_and_single_values() {
        let bound = parse("amount = 0..10").unwrap();
        assert_eq!((bound.name.as_str(), bound.lo, bound.hi), ("amount", 0, 10));
        let bound = parse("events-per-timer=7").unwrap();
        assert_eq!((bound.lo, bound.hi), (7, 7));
        let bound = parse("sensor.num = -3 .. -1").unwrap();
        assert_eq!((bound.lo, bound.hi), (-3, -1));
    }

    #[test]
    fn mistakes_are_named() {
        assert!(parse("amount").unwrap_err().contains("`=`"));
        assert!(parse("amount = many").unwrap_err().contains("`many`"));
        assert!(parse("amount = 5..1").unwrap_err().contains("empty"));
        assert!(parse("a b = 1").unwrap_err().contains("`a b`"));
    }
}
