//! Finding and replacing parts of strings.

use model::{RichTable, Value};

use super::entry::Answer;
use super::unknowns::TextBuilder;
use super::values::{count, int, integer, text};

/// The position of the first occurrence, in characters, or -1.
pub(super) fn position(table: &RichTable, args: &[Value]) -> Answer {
    let pattern = text(table, &args[1])?;
    if pattern.is_empty() {
        return Ok(int(0));
    }
    let source = text(table, &args[0])?;
    Ok(match source.find(&*pattern) {
        Some(at) => count(source[..at].chars().count()),
        None => int(-1),
    })
}

/// Replaces occurrences: all of them for count 0, the first ones for a positive count, the last
/// ones for a negative count.
pub(super) fn replace(table: &RichTable, args: &[Value]) -> Answer {
    let source = text(table, &args[0])?;
    let pattern = text(table, &args[1])?;
    if pattern.is_empty() {
        return Ok(args[0].clone());
    }
    let wanted = integer(&args[3]);
    let limit = match wanted {
        0 => usize::MAX,
        n => usize::try_from(n.unsigned_abs()).unwrap_or(usize::MAX),
    };
    let places: Vec<usize> = if wanted < 0 {
        let mut places: Vec<usize> = source
            .rmatch_indices(&*pattern)
            .map(|(at, _)| at)
            .take(limit)
            .collect();
        places.reverse();
        places
    } else {
        source
            .match_indices(&*pattern)
            .map(|(at, _)| at)
            .take(limit)
            .collect()
    };
    // The replacement may be unknown where the rest is known.
    let mut builder = TextBuilder::new(table);
    let mut copied = 0;
    for at in places {
        builder.push_str(&source[copied..at]);
        builder.push(&args[2]);
        copied = at + pattern.len();
    }
    builder.push_str(&source[copied..]);
    Ok(builder.finish())
}
