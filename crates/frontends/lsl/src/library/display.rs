//! How a value is printed for people: in a story, in a message.
//!
//! Text stands in quotes, identities by their name, and what the world decides by what it is:
//! `name of Bob`, `llGetPos()`.

use model::{Rich, RichTable, Value};

use super::unknowns::{CONCAT, KEY, SOMETHING, STRANGER, UNKNOWN};
use super::values::{LIST, element_value, round_to_single};

/// The key that belongs to nobody.
const NULL_KEY: &str = "00000000-0000-0000-0000-000000000000";

/// How many terms may stand inside one another before the rest is left out. Unknowns of long
/// runs are deep, and share parts.
const MAX_DEPTH: usize = 6;

/// A value as people read it.
///
/// ```
/// use lsl::library;
/// let table = model::RichTable::default();
/// let bob = library::key(&table, "Bob");
/// let greeting = library::join(&table, &[table.text("Hello "), bob.clone()]);
/// assert_eq!(library::display(&table, &greeting), r#""Hello " + Bob"#);
/// let name = library::unknown(&table, "llKey2Name", &[bob]);
/// assert_eq!(library::display(&table, &name), "name of Bob");
/// ```
#[must_use]
pub fn display(table: &RichTable, value: &Value) -> String {
    print(table, value, 0)
}

fn print(table: &RichTable, value: &Value, depth: usize) -> String {
    if depth > MAX_DEPTH {
        return "...".to_owned();
    }
    let all = |values: &[Value], separator: &str| {
        values
            .iter()
            .map(|v| print(table, v, depth + 1))
            .collect::<Vec<_>>()
            .join(separator)
    };
    let id = match value {
        Value::Rich(id) => *id,
        Value::Int(n) => return n.to_string(),
        Value::Bool(b) => return b.to_string(),
        Value::Tuple(parts) => return format!("({})", all(parts, ", ")),
        other => return format!("{other:?}"),
    };
    match &*table.get(id) {
        Rich::Text(text) if &**text == NULL_KEY => "NULL_KEY".to_owned(),
        Rich::Text(text) => format!("{text:?}"),
        Rich::Float(bits) => number(f64::from_bits(*bits)),
        Rich::Term { functor, args } => match (&**functor, &**args) {
            (KEY | STRANGER | SOMETHING, [name, ..]) => plain(table, name),
            (UNKNOWN, [what, args @ ..]) => {
                let args: Vec<String> = args
                    .iter()
                    .map(|arg| print(table, arg, depth + 1))
                    .collect();
                named(&plain(table, what), &args)
            }
            (CONCAT, parts) => all(parts, " + "),
            (LIST, elements) => format!("[{}]", all(elements, ", ")),
            ("vector" | "rotation", parts) => format!("<{}>", all(parts, ", ")),
            (_, [_]) if element_value(table, value) != *value => {
                print(table, &element_value(table, value), depth)
            }
            (functor, args) => format!("{functor}({})", all(args, ", ")),
        },
    }
}

/// A text without quotes: a name.
fn plain(table: &RichTable, value: &Value) -> String {
    match value {
        Value::Rich(id) => match &*table.get(*id) {
            Rich::Text(text) => text.to_string(),
            _ => print(table, value, MAX_DEPTH),
        },
        other => print(table, other, MAX_DEPTH),
    }
}

/// The shortest digits that tell a binary32 number from all others; a temporary that is none has
/// the digits of a double.
fn number(value: f64) -> String {
    let single = round_to_single(value);
    if single.to_bits() == value.to_bits() {
        #[expect(clippy::cast_possible_truncation, reason = "it is a binary32 number")]
        return format!("{:?}", value as f32);
    }
    format!("{value:?}")
}

/// An unknown by what it is: a phrase where there is one, an operation, or a call.
fn named(what: &str, args: &[String]) -> String {
    if let [of] = args {
        let phrase = match what {
            "llKey2Name" | "llDetectedName" | "llGetUsername" => Some("name"),
            "llGetDisplayName" => Some("display name"),
            "llGetOwnerKey" => Some("owner"),
            "llGetInventoryName" => Some("inventory name"),
            "llGetInventoryKey" => Some("inventory key"),
            "llGetObjectDetails" => Some("details"),
            _ => None,
        };
        if let Some(phrase) = phrase {
            return format!("{phrase} of {of}");
        }
        if what.starts_with('(') || what == "-" {
            return format!("{what}{of}");
        }
        if what.starts_with('.') {
            return format!("{of}{what}");
        }
    }
    if let [left, right] = args
        && !what.is_empty()
        && what.chars().all(|c| c.is_ascii_punctuation())
    {
        return format!("({left} {what} {right})");
    }
    if args.is_empty() && !what.starts_with("ll") {
        return what.to_owned();
    }
    format!("{what}({})", args.join(", "))
}

#[cfg(test)]
mod tests {
    use super::super::{element, key, list, unknown, vector};
    use super::*;
    use crate::Type;

    #[test]
    fn values_as_people_read_them() {
        let table = RichTable::default();
        let bob = key(&table, "Bob");
        let position = unknown(&table, "llGetPos", &[]);
        let height = unknown(&table, ".z", std::slice::from_ref(&position));
        let sum = unknown(&table, "+", &[height, table.float(1.5)]);
        let items = list(
            &table,
            vec![
                Value::Int(3),
                element(&table, &bob, Type::Key),
                element(&table, &position, Type::Vector),
                element(&table, &table.float(0.1), Type::Float),
            ],
        );
        for (value, expected) in [
            (Value::Int(-3), "-3"),
            (table.text("a \"b\"\n"), r#""a \"b\"\n""#),
            (table.text(NULL_KEY), "NULL_KEY"),
            (table.float(300.0), "300.0"),
            (bob, "Bob"),
            (sum, "(llGetPos().z + 1.5)"),
            (items, "[3, Bob, llGetPos(), 0.1]"),
            (
                vector(
                    &table,
                    &[Value::Int(1), table.float(0.5), table.float(-0.0)],
                ),
                "<1.0, 0.5, -0.0>",
            ),
            (unknown(&table, "what Bob says", &[]), "what Bob says"),
        ] {
            assert_eq!(display(&table, &value), expected);
        }
    }

    #[test]
    fn shared_and_deep_terms_are_cut_off() {
        let table = RichTable::default();
        let mut value = unknown(&table, "llFrand", &[table.float(1.0)]);
        for _ in 0..100_000 {
            value = unknown(&table, "+", &[value.clone(), value]);
        }
        assert!(display(&table, &value).len() < 4_000);
        assert!(!super::super::known(&table, &value));
    }
}
