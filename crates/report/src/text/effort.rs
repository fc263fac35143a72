//! What an answer took: the engine, what it looked at, and the time.

use crate::values::{PropertyReport, VerdictWord};

/// What an answer took, in a few words.
pub(super) fn effort(property: &PropertyReport) -> String {
    let statistics = &property.statistics;
    let states = counted(statistics.states, "state", "states");
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
        "{engine}{looked_at}{reduced}{omitted}{comma}{:.2} s{shared}{shorter}",
        statistics.seconds
    )
}

fn counted(number: u64, one: &str, many: &str) -> String {
    format!(
        "{} {}",
        grouped(number),
        if number == 1 { one } else { many }
    )
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
