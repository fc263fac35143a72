//! Lists as text: comma-separated values, and joined by a separator.

use model::{RichTable, Value};

use super::casts::formatted;
use super::entry::Answer;
use super::text_format::{c_style, fixed};
use super::unknowns::TextBuilder;
use super::values::{elements, list, text};

/// The elements, separated by a comma and a space. Floats have six decimals without regard for
/// significance here.
pub(super) fn to_csv(table: &RichTable, args: &[Value]) -> Answer {
    let separator = table.text(", ");
    joined(table, &args[0], &separator, &c_style)
}

/// The elements, separated by any text. A negative zero loses its sign here.
pub(super) fn dump(table: &RichTable, args: &[Value]) -> Answer {
    joined(table, &args[0], &args[1], &|n| {
        let printed = fixed(n, 6);
        if printed == "-0.000000" {
            "0.000000".to_owned()
        } else {
            printed
        }
    })
}

fn joined(
    table: &RichTable,
    list: &Value,
    separator: &Value,
    format: &dyn Fn(f64) -> String,
) -> Answer {
    let mut builder = TextBuilder::new(table);
    for (index, element) in elements(table, list)?.iter().enumerate() {
        if index > 0 {
            builder.push(separator);
        }
        builder.push(&formatted(table, element, format));
    }
    Ok(builder.finish())
}

/// Cuts at commas, except between angle brackets, and drops one space after each comma (and at
/// the very start).
pub(super) fn from_csv(table: &RichTable, args: &[Value]) -> Answer {
    let source = text(table, &args[0])?;
    let mut values = Vec::new();
    let mut depth = 0_usize;
    let mut start = 0;
    for (at, character) in source.char_indices() {
        match character {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                values.push(table.text(without_space(&source[start..at])));
                start = at + 1;
            }
            _ => {}
        }
    }
    values.push(table.text(without_space(&source[start..])));
    Ok(list(table, values))
}

fn without_space(piece: &str) -> &str {
    piece.strip_prefix(' ').unwrap_or(piece)
}
