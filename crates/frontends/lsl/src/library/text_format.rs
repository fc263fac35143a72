//! How LSL prints numbers.
//!
//! On Mono a float is first rounded to seven significant digits (ties to even, as any correct
//! conversion), then to the wanted number of decimals (ties away from zero). This is known by
//! measurement: `1234567.875` prints as `1234568.000000` and `0.0000014999996` as `0.000002`.

/// Significant digits that Mono keeps.
const DIGITS: i32 = 7;

/// A float with `decimals` digits after the point.
pub(super) fn fixed(value: f64, decimals: i32) -> String {
    if let Some(name) = not_finite(value) {
        return name.to_owned();
    }
    if value == 0.0 {
        let zeros = "0".repeat(decimals.unsigned_abs() as usize);
        let sign = if value.is_sign_negative() { "-" } else { "" };
        return format!("{sign}0.{zeros}");
    }
    let scientific = format!("{:.*e}", (DIGITS - 1).unsigned_abs() as usize, value.abs());
    let (mantissa, exponent) = scientific
        .split_once('e')
        .expect("scientific notation has an exponent");
    let exponent: i32 = exponent.parse().expect("the exponent of a double is small");
    let digits: u64 = mantissa
        .replace('.', "")
        .parse()
        .expect("seven decimal digits");

    // The value is `digits` * 10^(exponent - 6); count in units of the last decimal.
    let shift = exponent - (DIGITS - 1) + decimals;
    let mut units = match u32::try_from(shift) {
        Ok(shift) => format!("{digits}{}", "0".repeat(shift as usize)),
        Err(_) => {
            let divisor = 10_u64.checked_pow(shift.unsigned_abs());
            divisor.map_or(0, |d| (digits + d / 2) / d).to_string()
        }
    };
    let sign = if value < 0.0 && units != "0" { "-" } else { "" };
    let width = decimals.unsigned_abs() as usize + 1;
    if units.len() < width {
        units.insert_str(0, &"0".repeat(width - units.len()));
    }
    let (whole, fraction) = units.split_at(units.len() - decimals.unsigned_abs() as usize);
    format!("{sign}{whole}.{fraction}")
}

/// A float with six decimals and no regard for significance: what the C library prints, and what
/// some library functions still use.
pub(super) fn c_style(value: f64) -> String {
    if value.is_nan() {
        return if value.is_sign_negative() {
            "-nan"
        } else {
            "nan"
        }
        .to_owned();
    }
    format!("{value:.6}")
}

/// The name of a number that is none.
fn not_finite(value: f64) -> Option<&'static str> {
    if value.is_nan() {
        Some("NaN")
    } else if value == f64::INFINITY {
        Some("Infinity")
    } else if value == f64::NEG_INFINITY {
        Some("-Infinity")
    } else {
        None
    }
}

/// The components of a vector or rotation with `decimals` digits after the point.
pub(super) fn components(numbers: &[f64], decimals: i32) -> String {
    bracketed(numbers.iter().map(|n| fixed(*n, decimals)))
}

/// Texts between angle brackets, separated by a comma and a space.
pub(super) fn bracketed(texts: impl Iterator<Item = String>) -> String {
    format!("<{}>", texts.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_to_seven_digits_and_then_to_the_decimals() {
        for (value, expected) in [
            (1.5, "1.500000"),
            (-0.25, "-0.250000"),
            (0.0, "0.000000"),
            (-0.0, "-0.000000"),
            (1_234_567.875, "1234568.000000"),
            (16_777_216.0, "16777220.000000"),
            (0.000_001_499_999_6, "0.000002"),
            (0.000_001_499_999_4, "0.000001"),
            (0.000_000_4, "0.000000"),
            (-0.000_000_4, "0.000000"),
            (9.999_999_9, "10.000000"),
            (1e38, "100000000000000000000000000000000000000.000000"),
            (1e-300, "0.000000"),
            (f64::INFINITY, "Infinity"),
            (f64::NEG_INFINITY, "-Infinity"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(fixed(value, 6), expected, "{value:e}");
        }
        assert_eq!(
            components(&[1.0, 2.0, -0.000_01], 5),
            "<1.00000, 2.00000, -0.00001>"
        );
    }

    #[test]
    fn agrees_with_exact_rounding_where_seven_digits_suffice() {
        for n in -2000..2000 {
            let value = f64::from(n) / 8.0;
            assert_eq!(fixed(value, 6), format!("{value:.6}"));
        }
    }

    #[test]
    fn the_c_library_keeps_all_digits() {
        assert_eq!(c_style(16_777_216.0), "16777216.000000");
        assert_eq!(c_style(-f64::NAN.abs()), "-nan");
    }
}
