//! Times and sizes as a command line writes them: `90s`, `1.5h`, `4G`.

use std::time::Duration;

/// A time: a number with `ms`, `s`, `m` or `h`; without a unit, seconds.
///
/// # Errors
/// A sentence for the user.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text);
    let seconds = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("`{text}` is no time: write 500ms, 60s, 5m or 1h")),
    };
    scaled(number, seconds)
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| format!("`{text}` is no time: write 500ms, 60s, 5m or 1h"))
}

/// A size in bytes: a number with `K`, `M`, `G` or `T` (powers of 1024); without a unit, bytes.
///
/// # Errors
/// A sentence for the user.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is no size: write 500M or 4G");
    let (number, unit) = split(text);
    let unit = unit.trim_end_matches(['B', 'b']).trim_end_matches('i');
    let factor = match unit {
        "" => 1.0,
        "K" | "k" => 1024.0,
        "M" | "m" => 1024.0 * 1024.0,
        "G" | "g" => 1024.0 * 1024.0 * 1024.0,
        "T" | "t" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        _ => return Err(wrong()),
    };
    let bytes = scaled(number, factor).ok_or_else(wrong)?;
    if bytes >= 1.0 && bytes < 2f64.powi(63) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "checked just above"
        )]
        Ok(bytes as u64)
    } else {
        Err(wrong())
    }
}

fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    let at = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    (&text[..at], text[at..].trim())
}

fn scaled(number: &str, factor: f64) -> Option<f64> {
    let value: f64 = number.parse().ok()?;
    Some(value * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        assert_eq!(duration("60"), Ok(Duration::from_mins(1)));
        assert_eq!(duration("1.5h"), Ok(Duration::from_mins(90)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        for wrong in [
            "",
            "s",
            "-1s",
            "1 fortnight",
            "1e400",
            "9999999999999999999999h",
        ] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(size("4G"), Ok(4 << 30));
        assert_eq!(size("1.5 KiB"), Ok(1536));
        assert_eq!(size("100"), Ok(100));
        for wrong in ["", "G", "0", "4 X", "99999999999T"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}
