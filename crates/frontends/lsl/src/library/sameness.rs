//! Which values are the same, as far as that can be told.
//!
//! Three answers: yes, no, and that it depends on what the world has decided. *No* is only said of
//! values that cannot be the same whatever the world is like:
//!
//! * two known texts, or two identities;
//! * a stranger and a text that it has been chosen apart from, or another stranger: these stand
//!   for values that differ;
//! * a text with known beginnings, ends or characters and one that does not have them. An identity
//!   has 36 characters, hexadecimal digits and hyphens.

use model::{Rich, RichTable, Value};

use super::truth::is_identity;
use super::unknowns::{CONCAT, KEY, NONE_OF, SOMETHING, STRANGER};

/// Terms nested more deeply than this are not looked into: whether they are the same is not told.
const MOST_NESTED: usize = 64;

/// Whether two texts, or other values from outside, are the same; `None` if the world decides.
#[must_use]
pub fn same(table: &RichTable, a: &Value, b: &Value) -> Option<bool> {
    if a == b {
        return equals_itself(table, a, 0).then_some(true);
    }
    let (Value::Rich(left), Value::Rich(right)) = (a, b) else {
        return Some(false);
    };
    let (left, right) = (&*table.get(*left), &*table.get(*right));
    if differ(table, left, right) || differ(table, right, left) {
        Some(false)
    } else {
        None
    }
}

/// Whether nothing in the value may be another value the next time.
fn equals_itself(table: &RichTable, value: &Value, depth: usize) -> bool {
    let Value::Rich(id) = value else {
        return true;
    };
    match &*table.get(*id) {
        Rich::Text(_) | Rich::Float(_) => true,
        Rich::Term { functor, .. } if &**functor == SOMETHING => false,
        Rich::Term { functor, .. } if matches!(&**functor, KEY | STRANGER) => true,
        Rich::Term { args, .. } => {
            depth < MOST_NESTED && args.iter().all(|arg| equals_itself(table, arg, depth + 1))
        }
    }
}

/// Whether one value, by its form, cannot be the other.
fn differ(table: &RichTable, one: &Rich, other: &Rich) -> bool {
    let Rich::Term { functor, args } = one else {
        return matches!((one, other), (Rich::Text(a), Rich::Text(b)) if a != b);
    };
    match (&**functor, other) {
        (KEY, Rich::Text(text)) => !is_identity(text) || shuns(table, args, other),
        (KEY, Rich::Term { functor, args }) => match &**functor {
            KEY => true,
            CONCAT => known_parts(table, args)
                .any(|text| !text.bytes().all(|b| b == b'-' || b.is_ascii_hexdigit())),
            _ => false,
        },
        (STRANGER, Rich::Term { functor, args: of }) if &**functor == STRANGER => {
            // Of two pools, each may hold the other's.
            args.get(1) == of.get(1)
        }
        (STRANGER | SOMETHING, _) => shuns(table, args, other),
        (CONCAT, Rich::Text(text)) => {
            let text: &str = text;
            let ends = [args.first(), args.last()].map(|part| part.and_then(|p| known(table, p)));
            ends[0]
                .as_ref()
                .is_some_and(|head| !text.starts_with(&**head))
                || ends[1]
                    .as_ref()
                    .is_some_and(|tail| !text.ends_with(&**tail))
                || known_parts(table, args).any(|part| !text.contains(&*part))
                || known_parts(table, args)
                    .map(|part| part.len())
                    .sum::<usize>()
                    > text.len()
        }
        _ => false,
    }
}

/// Whether a value from outside has been chosen apart from another.
fn shuns(table: &RichTable, args: &[Value], other: &Rich) -> bool {
    let Some(Value::Rich(id)) = args.get(1) else {
        return false;
    };
    let Rich::Term {
        functor,
        args: shunned,
    } = &*table.get(*id)
    else {
        return false;
    };
    if &**functor != NONE_OF {
        return false;
    }
    match other {
        Rich::Term { functor, .. } if &**functor == KEY => {
            shunned.first() == Some(&Value::Bool(true))
        }
        Rich::Text(_) => shunned[1..]
            .iter()
            .any(|text| matches!(text, Value::Rich(id) if *table.get(*id) == *other)),
        _ => false,
    }
}

fn known(table: &RichTable, value: &Value) -> Option<Box<str>> {
    match value {
        Value::Rich(id) => match &*table.get(*id) {
            Rich::Text(text) => Some(text.clone()),
            _ => None,
        },
        _ => None,
    }
}

fn known_parts<'a>(
    table: &'a RichTable,
    parts: &'a [Value],
) -> impl Iterator<Item = Box<str>> + 'a {
    parts.iter().filter_map(|part| known(table, part))
}

#[cfg(test)]
mod tests {
    use super::super::{join, key, none_of, something, stranger, unknown};
    use super::*;

    #[test]
    fn what_the_world_decides_is_not_told() {
        let table = RichTable::default();
        let literal = table.text("open");
        let apart = none_of(&table, std::slice::from_ref(&literal), false);
        let one = stranger(&table, "one", &apart);
        let two = stranger(&table, "two", &apart);
        let any = something(&table, "any", &apart);
        let lower = |value: &Value| unknown(&table, "llToLower", std::slice::from_ref(value));
        let (alice, bob) = (key(&table, "Alice"), key(&table, "Bob"));
        let uuid = table.text("11111111-2222-3333-4444-555555555555");
        let greeting = join(&table, &[table.text("Hi "), one.clone()]);
        for (a, b, expected) in [
            (&one, &one, Some(true)),
            (&one, &two, Some(false)),
            (&one, &literal, Some(false)),
            (&any, &literal, Some(false)),
            (&any, &any, None),
            (&one, &any, None),
            (&one, &table.text("computed"), None),
            (&lower(&one), &lower(&one), Some(true)),
            (&lower(&any), &lower(&any), None),
            (&lower(&one), &literal, None),
            (&lower(&one), &lower(&two), None),
            (&alice, &bob, Some(false)),
            (&alice, &literal, Some(false)),
            (&alice, &uuid, None),
            (&alice, &one, None),
            (&greeting, &literal, Some(false)),
            (&greeting, &table.text("Hi Alice"), None),
            (&greeting, &alice, Some(false)),
        ] {
            assert_eq!(same(&table, a, b), expected, "{a:?} {b:?}");
            assert_eq!(same(&table, b, a), expected, "{b:?} {a:?}");
        }
        let no_key = none_of(&table, &[], true);
        assert_eq!(
            same(&table, &stranger(&table, "s", &no_key), &alice),
            Some(false)
        );
    }
}
