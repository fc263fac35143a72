//! What an answer took: the engine, what it looked at, and the time.

use crate::values::{PropertyReport, VerdictWord};

/// What an answer took, in a few words.
pub(super) fn effort(property: &PropertyReport) -> String {
    let statistics = &property.statistics;
    // Decision diagrams count further than 64 bits do.
    let states = match statistics.states {
        u64::MAX => "more than 10^19 states".to_owned(),
        states => counted(states, "state", "states"),
    };
    let shared = match statistics.shared_by {
        0 | 1 => String::new(),
        n => format!(", shared by {n}"),
    };
    let omitted = if statistics.omitted > 0.0 {
        format!(
            ", about {:.0e} left out ({})",
            statistics.omitted, statistics.storage
        )
    } else {
        String::new()
    };
    let on_disk = match statistics.disk_bytes {
        0 => String::new(),
        bytes => format!(", {} MB on disk", grouped(bytes.div_ceil(1_000_000))),
    };
    let reduced = if statistics.reduction.is_empty() {
        String::new()
    } else {
        format!(
            " after {} reduction",
            statistics
                .reduction
                .replace(", ", " and ")
                .replace("partial order", "partial-order")
        )
    };
    let shorter = if statistics.may_be_shorter {
        ", a shorter run may exist"
    } else {
        ""
    };
    let engine = match property.engine.as_str() {
        "explicit" => String::new(),
        engine => format!("{engine}: "),
    };
    let all_runs = property.verdict == VerdictWord::Holds && statistics.depth > 0;
    let looked_at = match (property.engine.as_str(), &property.evidence) {
        ("sat", Some(evidence)) if all_runs => {
            let longest = counted(statistics.depth, "step", "steps");
            let alone = if evidence.audited { "" } else { ", in bits" };
            format!("all runs, of up to {longest}{alone}")
        }
        ("sat", Some(evidence)) if evidence.audited => "invariant audited".to_owned(),
        ("sat", Some(_)) => "invariant checked in bits".to_owned(),
        ("sat", None) => match statistics.depth {
            0 => String::new(),
            depth => format!("runs of up to {}", counted(depth, "step", "steps")),
        },
        _ => states,
    };
    let comma = if looked_at.is_empty() { "" } else { ", " };
    format!(
        "{engine}{looked_at}{reduced}{omitted}{on_disk}{comma}{}{shared}{shorter}",
        time(statistics.seconds)
    )
}

fn counted(number: u64, one: &str, many: &str) -> String {
    format!(
        "{} {}",
        grouped(number),
        if number == 1 { one } else { many }
    )
}

/// A time in seconds for people: `0.25 s`, and from a minute on `1m30s` or `2h05m`.
#[must_use]
pub fn time(seconds: f64) -> String {
    if seconds < 59.995 {
        return format!("{seconds:.2} s");
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the time of a run, which is no negative number, to the second"
    )]
    let whole = seconds.round() as u64;
    match (whole / 3600, whole / 60 % 60, whole % 60) {
        (0, minutes, seconds) => format!("{minutes}m{seconds:02}s"),
        (hours, minutes, _) => format!("{hours}h{minutes:02}m"),
    }
}

/// 1234567 as `1,234,567`.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_in_minutes_from_a_minute_on() {
        let told = [0.2, 59.99, 59.999, 90.4, 3599.6, 7512.0].map(time);
        assert_eq!(
            told,
            ["0.20 s", "59.99 s", "1m00s", "1m30s", "1h00m", "2h05m"]
        );
    }
}
