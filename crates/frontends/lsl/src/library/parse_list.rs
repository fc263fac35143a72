//! Cutting a string into a list at separators (dropped) and spacers (kept).
//!
//! At each position the separators are tried before the spacers, each in the order given; only
//! the first eight of either count.

use model::{RichTable, Value};

use super::casts::strings_of;
use super::entry::Answer;
use super::values::{list, text};

/// How many separators, and how many spacers, are looked at.
const LIMIT: usize = 8;

/// Empty pieces are dropped.
pub(super) fn parse(table: &RichTable, args: &[Value]) -> Answer {
    pieces(table, args, false)
}

/// Empty pieces are kept.
pub(super) fn parse_keeping_nulls(table: &RichTable, args: &[Value]) -> Answer {
    pieces(table, args, true)
}

fn pieces(table: &RichTable, args: &[Value], keep_empty: bool) -> Answer {
    let source = text(table, &args[0])?;
    let separators = strings_of(table, &args[1])?;
    let spacers = strings_of(table, &args[2])?;
    let marks = separators
        .iter()
        .take(LIMIT)
        .map(|mark| (mark, false))
        .chain(spacers.iter().take(LIMIT).map(|mark| (mark, true)))
        .filter(|(mark, _)| !mark.is_empty());

    let mut pieces = Vec::new();
    let mut push = |piece: &str| {
        if keep_empty || !piece.is_empty() {
            pieces.push(table.text(piece));
        }
    };
    let mut start = 0;
    let mut at = 0;
    while at < source.len() {
        let rest = &source[at..];
        if let Some((mark, kept)) = marks.clone().find(|(mark, _)| rest.starts_with(&***mark)) {
            push(&source[start..at]);
            at += mark.len();
            start = at;
            if kept {
                push(mark);
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    push(&source[start..]);
    Ok(list(table, pieces))
}
