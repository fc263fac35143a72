//! Strings: length, parts, case, characters. Positions count Unicode code points.

use model::{RichTable, Value};

use super::entry::Answer;
use super::list_slices::{clamp, gather, index, left_out, selected};
use super::numerals::is_space;
use super::unknowns::{self, join};
use super::values::{count, int, integer, text};

fn characters(table: &RichTable, value: &Value) -> Answer<Vec<char>> {
    Ok(text(table, value)?.chars().collect())
}

fn collected(table: &RichTable, characters: impl IntoIterator<Item = char>) -> Value {
    table.text(&characters.into_iter().collect::<String>())
}

pub(super) fn length(table: &RichTable, args: &[Value]) -> Answer {
    Ok(count(unknowns::length(table, &args[0])?))
}

pub(super) fn sub_string(table: &RichTable, args: &[Value]) -> Answer {
    let all = characters(table, &args[0])?;
    let ranges = selected(all.len(), integer(&args[1]), integer(&args[2]));
    Ok(collected(table, gather(&all, ranges)))
}

pub(super) fn delete_sub_string(table: &RichTable, args: &[Value]) -> Answer {
    let all = characters(table, &args[0])?;
    let ranges = left_out(all.len(), integer(&args[1]), integer(&args[2]));
    Ok(collected(table, gather(&all, ranges)))
}

/// Negative positions are not counted from the end here: they are the start.
pub(super) fn insert(table: &RichTable, args: &[Value]) -> Answer {
    let position = i64::from(integer(&args[1]));
    if position <= 0 {
        return Ok(join(table, &[args[2].clone(), args[0].clone()]));
    }
    let all = characters(table, &args[0])?;
    let (before, after) = all.split_at(clamp(all.len(), position));
    let before = collected(table, before.iter().copied());
    let after = collected(table, after.iter().copied());
    Ok(join(table, &[before, args[2].clone(), after]))
}

/// Characters whose other case is one character change; the rest (ß) stay.
fn one_to_one(character: char, mut other: impl Iterator<Item = char>) -> char {
    match (other.next(), other.next()) {
        (Some(only), None) => only,
        _ => character,
    }
}

pub(super) fn to_upper(table: &RichTable, args: &[Value]) -> Answer {
    let all = characters(table, &args[0])?;
    Ok(collected(
        table,
        all.into_iter().map(|c| one_to_one(c, c.to_uppercase())),
    ))
}

pub(super) fn to_lower(table: &RichTable, args: &[Value]) -> Answer {
    let all = characters(table, &args[0])?;
    Ok(collected(
        table,
        all.into_iter().map(|c| one_to_one(c, c.to_lowercase())),
    ))
}

/// `STRING_TRIM_HEAD` is 1 and `STRING_TRIM_TAIL` is 2.
pub(super) fn trim(table: &RichTable, args: &[Value]) -> Answer {
    let text = text(table, &args[0])?;
    let mode = integer(&args[1]);
    let mut trimmed: &str = &text;
    if mode & 1 != 0 {
        trimmed = trimmed.trim_start_matches(is_space);
    }
    if mode & 2 != 0 {
        trimmed = trimmed.trim_end_matches(is_space);
    }
    Ok(table.text(trimmed))
}

/// Code points that no text holds are replaced; zero gives no character at all.
pub(super) fn character(table: &RichTable, args: &[Value]) -> Answer {
    let code = integer(&args[0]);
    let character = match u32::try_from(code).ok().and_then(char::from_u32) {
        Some('\0') => return Ok(table.text("")),
        None | Some('\u{FFFE}' | '\u{FFFF}') => char::REPLACEMENT_CHARACTER,
        Some(character) => character,
    };
    Ok(collected(table, [character]))
}

pub(super) fn ordinal(table: &RichTable, args: &[Value]) -> Answer {
    let all = characters(table, &args[0])?;
    let found = index(all.len(), integer(&args[1]));
    Ok(int(found.map_or(0, |i| u32::from(all[i]))))
}

/// The string hash of the sdbm database library: `hash * 65599 + character`, modulo 2^32.
pub(super) fn hash(table: &RichTable, args: &[Value]) -> Answer {
    let hash = text(table, &args[0])?.chars().fold(0_u32, |hash, c| {
        hash.wrapping_mul(65_599).wrapping_add(u32::from(c))
    });
    Ok(int(hash.cast_signed()))
}
