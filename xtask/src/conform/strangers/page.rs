//! The tables of `docs/strangers.md` and `docs/tscript-corpus.md`: a section for each language.

use std::fmt::Write as _;

use super::beside::Peers;
use super::{FAMILIES, Summary, TSCRIPT};
use crate::bench::put_into;

/// The page of a language.
fn page_of(family: &str) -> &'static str {
    match family {
        TSCRIPT => "docs/tscript-corpus.md",
        _ => "docs/strangers.md",
    }
}

/// How many files a reason must have to stand in the page by itself.
const OFTEN: usize = 2;

/// Puts a section for each language into the page.
pub(super) fn write(summaries: &[Summary], peers: &Peers, limit: u32) -> Result<(), String> {
    for ((family, _), summary) in FAMILIES.iter().zip(summaries) {
        if summary.files > 0 {
            let has_peer = peers.knows(family);
            put_into(page_of(family), family, &section(summary, has_peer, limit))?;
        }
    }
    Ok(())
}

/// What became of the files of a language.
fn section(summary: &Summary, has_peer: bool, limit: u32) -> String {
    let mut text = format!(
        "Made by `cargo xtask conform strangers DIR --limit {limit}s --write`.\n\n| | |\n|---|---:|\n"
    );
    let mut row = |what: &str, figure: String| {
        writeln!(text, "| {what} | {figure} |").expect("writing to a string succeeds");
    };
    let refused: usize = summary.refused.values().sum();
    row("files", summary.files.to_string());
    row(
        "read",
        (summary.files - refused - summary.broken).to_string(),
    );
    row("refused", refused.to_string());
    if has_peer {
        row(
            "refused by the peer, too",
            summary.refused_by_both.to_string(),
        );
    }
    row(
        "end the program, or hold it for longer than the limit",
        summary.broken.to_string(),
    );
    let memory = summary.peak.div_ceil(1 << 20);
    row("most memory", format!("{memory} MB"));
    for (verdict, count) in &summary.verdicts {
        row(&format!("properties: {verdict}"), count.to_string());
    }
    if has_peer {
        row("files compared with the peer", summary.compared.to_string());
        row("questions that both answer", summary.questions.to_string());
        row("**other answers**", summary.differ.to_string());
    }
    if refused > 0 {
        text.push_str("\n| why files are refused | files |\n|---|---:|\n");
        text.push_str(&reasons(summary));
    }
    text
}

/// The rows of reasons, most files first; those of few files are one row.
fn reasons(summary: &Summary) -> String {
    let mut reasons: Vec<_> = summary.refused.iter().collect();
    reasons.sort_by_key(|(reason, count)| (std::cmp::Reverse(**count), *reason));
    let mut rows = String::new();
    let mut rest = 0;
    for (reason, count) in reasons {
        if *count < OFTEN {
            rest += count;
            continue;
        }
        let reason = reason.replace('|', "\\|");
        writeln!(rows, "| {reason} | {count} |").expect("writing to a string succeeds");
    }
    if rest > 0 {
        writeln!(rows, "| others | {rest} |").expect("writing to a string succeeds");
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_of_few_files_are_one_row() {
        let refused = [("a | b", 3), ("c", 1), ("d", 1)];
        let refused = refused.map(|(reason, count)| (reason.to_owned(), count));
        let summary = Summary {
            refused: refused.into_iter().collect(),
            ..Summary::default()
        };
        assert_eq!(reasons(&summary), "| a \\| b | 3 |\n| others | 2 |\n");
    }
}
