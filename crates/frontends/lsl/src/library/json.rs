//! The JSON functions. The `JSON_` constants are characters that no text otherwise holds; where
//! LSL's own reader accepts malformed texts, this one says `JSON_INVALID`.

use model::{RichTable, Value};

use super::casts::formatted;
use super::entry::Answer;
use super::json_text::{
    Kind, Member, container, is_number, is_space, kind, members, quote, unquote,
};
use super::numerals::{leading_float, leading_integer};
use super::text_format::c_style;
use super::values::{element_type, element_value, elements, int, list, single, text};
use crate::Type;

const INVALID: &str = "\u{FDD0}";
const OBJECT: &str = "\u{FDD1}";
const ARRAY: &str = "\u{FDD2}";
const NUMBER: &str = "\u{FDD3}";
const STRING: &str = "\u{FDD4}";
const NULL: &str = "\u{FDD5}";
const TRUE: &str = "\u{FDD6}";
const FALSE: &str = "\u{FDD7}";
const DELETE: &str = "\u{FDD8}";

/// The position that stands for the end of an array.
const APPEND: i128 = -1;

/// One step into a value.
enum Specifier {
    Position(i128),
    Name(Box<str>),
}

fn specifiers(table: &RichTable, list: &Value) -> Answer<Vec<Specifier>> {
    elements(table, list)?
        .iter()
        .map(|element| {
            let value = element_value(table, element);
            match element_type(table, element) {
                Type::Integer => Ok(Specifier::Position(value.number())),
                Type::String | Type::Key => Ok(Specifier::Name(text(table, &value)?)),
                // No member has such a name.
                _ => Ok(Specifier::Position(i128::MIN)),
            }
        })
        .collect()
}

/// The member that a specifier names. Of members with one name the last counts. In an array a
/// name that begins with digits is a position.
fn selected(container: Kind, members: &[Member], specifier: &Specifier) -> Option<usize> {
    match (container, specifier) {
        (Kind::Object, Specifier::Name(name)) => {
            members.iter().rposition(|member| *member.name == **name)
        }
        (Kind::Array, Specifier::Position(position)) => usize::try_from(*position)
            .ok()
            .filter(|at| *at < members.len()),
        (Kind::Array, Specifier::Name(name)) if name.starts_with(|c: char| c.is_ascii_digit()) => {
            usize::try_from(leading_integer(name))
                .ok()
                .filter(|at| *at < members.len())
        }
        _ => None,
    }
}

fn look_up<'a>(json: &'a str, path: &[Specifier]) -> Option<(Kind, &'a str)> {
    let mut current = json.trim_matches(is_space);
    for specifier in path {
        let container = kind(current).filter(|k| matches!(k, Kind::Object | Kind::Array))?;
        let members = members(current)?;
        current = members[selected(container, &members, specifier)?].value;
    }
    Some((kind(current)?, current))
}

pub(super) fn value_at(table: &RichTable, args: &[Value]) -> Answer {
    let path = specifiers(table, &args[1])?;
    let json = text(table, &args[0])?;
    Ok(table.text(&match look_up(&json, &path) {
        Some((kind, value)) => plain(kind, value),
        None => INVALID.to_owned(),
    }))
}

/// A value as a string of LSL: text without quotes, words as constants, the rest as written.
fn plain(kind: Kind, value: &str) -> String {
    match kind {
        Kind::Text => unquote(value),
        Kind::Null => NULL.to_owned(),
        Kind::True => TRUE.to_owned(),
        Kind::False => FALSE.to_owned(),
        Kind::Number | Kind::Object | Kind::Array => value.to_owned(),
    }
}

pub(super) fn type_at(table: &RichTable, args: &[Value]) -> Answer {
    let path = specifiers(table, &args[1])?;
    let json = text(table, &args[0])?;
    Ok(table.text(match look_up(&json, &path) {
        None => INVALID,
        Some((Kind::Object, _)) => OBJECT,
        Some((Kind::Array, _)) => ARRAY,
        Some((Kind::Number, _)) => NUMBER,
        Some((Kind::Text, _)) => STRING,
        Some((Kind::Null, _)) => NULL,
        Some((Kind::True, _)) => TRUE,
        Some((Kind::False, _)) => FALSE,
    }))
}

/// The members, with their names in an object. Numbers become integers or floats, the rest
/// strings.
pub(super) fn to_list(table: &RichTable, args: &[Value]) -> Answer {
    let json = text(table, &args[0])?;
    let json = json.trim_matches(is_space);
    if json.is_empty() {
        return Ok(list(table, Vec::new()));
    }
    let convert = |value: &str| match kind(value) {
        Some(Kind::Number) if value.contains(['.', 'e', 'E']) => single(
            table,
            leading_float(value).map_or(0.0, |(number, _)| number),
        ),
        Some(Kind::Number) => int(leading_integer(value)),
        Some(kind) => table.text(&plain(kind, value)),
        None => table.text(INVALID),
    };
    let Some(Kind::Array | Kind::Object) = kind(json) else {
        return Ok(list(table, vec![convert(json)]));
    };
    let Some(members) = members(json) else {
        return Ok(list(table, vec![table.text(INVALID)]));
    };
    let mut found = Vec::new();
    for member in members {
        if json.starts_with('{') {
            found.push(table.text(&member.name));
        }
        found.push(convert(member.value));
    }
    Ok(list(table, found))
}

pub(super) fn from_list(table: &RichTable, args: &[Value]) -> Answer {
    let all = elements(table, &args[1])?;
    let values: Vec<String> = all
        .iter()
        .map(|element| element_json(table, element))
        .collect::<Answer<_>>()?;
    let json = match &*text(table, &args[0])? {
        ARRAY => container(
            false,
            values.into_iter().map(|value| (String::new(), value)),
        ),
        OBJECT if values.len().is_multiple_of(2) => {
            let mut members = Vec::new();
            for (pair, value) in all.chunks(2).zip(values.into_iter().skip(1).step_by(2)) {
                if !matches!(element_type(table, &pair[0]), Type::String | Type::Key) {
                    return Ok(table.text(INVALID));
                }
                let name = text(table, &element_value(table, &pair[0]))?;
                members.push((name.into_string(), value));
            }
            container(true, members.into_iter())
        }
        _ => INVALID.to_owned(),
    };
    Ok(table.text(&json))
}

fn element_json(table: &RichTable, element: &Value) -> Answer<String> {
    let printed = formatted(table, element, &c_style);
    let printed = text(table, &printed)?;
    Ok(match element_type(table, element) {
        Type::Integer | Type::Float => printed.into_string(),
        Type::String | Type::List => string_json(&printed),
        Type::Key | Type::Vector | Type::Rotation => quote(&printed),
    })
}

/// A string that looks like JSON is taken as such, any other is quoted.
fn string_json(string: &str) -> String {
    let trimmed = string.trim_matches(is_space);
    match trimmed {
        NULL => return "null".to_owned(),
        TRUE => return "true".to_owned(),
        FALSE => return "false".to_owned(),
        INVALID => return String::new(),
        _ => {}
    }
    let between =
        |open, close| trimmed.len() > 1 && trimmed.starts_with(open) && trimmed.ends_with(close);
    if matches!(trimmed, "null" | "true" | "false")
        || is_number(trimmed)
        || between('"', '"')
        || between('[', ']')
        || between('{', '}')
    {
        return trimmed.to_owned();
    }
    quote(trimmed)
}

/// Sets or deletes the value that the specifiers lead to. What is missing on the way is made:
/// an object for a name, an array for a position, which may be one past the end at most.
pub(super) fn with_value(table: &RichTable, args: &[Value]) -> Answer {
    let json = text(table, &args[0])?;
    let path = specifiers(table, &args[1])?;
    let new = text(table, &args[2])?;
    let result = if &*new == DELETE {
        delete(&json, &path)
    } else {
        set(&json, &path, &new)
    };
    Ok(table.text(result.as_deref().unwrap_or(INVALID)))
}

/// A container on the way: its members as names and values, and which one is entered.
struct Level {
    is_object: bool,
    members: Vec<(String, String)>,
    entered: usize,
}

/// Opens a container at a specifier. One that is missing or of the other kind begins empty.
fn enter(current: &str, specifier: &Specifier) -> Option<Level> {
    let opened = kind(current).filter(|k| matches!(k, Kind::Object | Kind::Array));
    let members = match opened {
        Some(_) => members(current)?,
        None => Vec::new(),
    };
    let is_object = matches!(specifier, Specifier::Name(_));
    let wanted = if is_object { Kind::Object } else { Kind::Array };
    let found = selected(opened.unwrap_or(wanted), &members, specifier);
    if found.is_none() && opened.is_some_and(|kind| kind != wanted) {
        return enter("", specifier);
    }
    let mut owned: Vec<(String, String)> = members
        .into_iter()
        .map(|member| (member.name, member.value.to_owned()))
        .collect();
    let entered = match (found, specifier) {
        (Some(entered), _) => entered,
        (None, Specifier::Name(name)) => {
            owned.push((name.to_string(), String::new()));
            owned.len() - 1
        }
        (None, Specifier::Position(position)) => {
            if *position != APPEND && usize::try_from(*position) != Ok(owned.len()) {
                return None;
            }
            owned.push((String::new(), String::new()));
            owned.len() - 1
        }
    };
    Some(Level {
        is_object: current.trim_matches(is_space).starts_with('{') || opened.is_none() && is_object,
        members: owned,
        entered,
    })
}

fn set(json: &str, path: &[Specifier], new: &str) -> Option<String> {
    let mut levels = Vec::new();
    let mut current = json.trim_matches(is_space).to_owned();
    for specifier in path {
        let level = enter(&current, specifier)?;
        current.clone_from(&level.members[level.entered].1);
        levels.push(level);
    }
    Some(close(levels, string_json(new)))
}

fn close(levels: Vec<Level>, innermost: String) -> String {
    levels
        .into_iter()
        .rev()
        .fold(innermost, |value, mut level| {
            level.members[level.entered].1 = value;
            container(level.is_object, level.members.into_iter())
        })
}

fn delete(json: &str, path: &[Specifier]) -> Option<String> {
    look_up(json, path)?;
    let (last, way) = path.split_last()?;
    let mut levels = Vec::new();
    let mut current = json.trim_matches(is_space).to_owned();
    for specifier in way {
        let level = enter(&current, specifier)?;
        current.clone_from(&level.members[level.entered].1);
        levels.push(level);
    }
    let mut level = enter(&current, last)?;
    level.members.remove(level.entered);
    let innermost = container(level.is_object, level.members.into_iter());
    Some(close(levels, innermost))
}
