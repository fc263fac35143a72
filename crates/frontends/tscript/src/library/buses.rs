//! Functions of the language that the two buses compute differently, as their sources have it
//! (`toolbus/toolbus/interpreter.c` and `toolbus-ng/src/toolbus/Functions.java` of the
//! Meta-Environment).

use model::{PureFunction, Value};

use super::{BAD_EXPRESSION, index, items, kind_is};
use crate::term::{View, list, text, undefined, view};

/// What the bus in C computes in its own way: nothing is the empty list, and what is no application
/// has neither a word nor arguments.
pub(super) const C: [(&str, PureFunction); 5] = [
    ("first", |t, a| {
        let first = items(t, &a[0])?.first().cloned();
        Ok(first.unwrap_or_else(|| list(t, vec![])))
    }),
    ("get", |t, a| {
        for pair in items(t, &a[0])? {
            if let View::List(pair) = view(t, &pair)
                && pair.first() == Some(&a[1])
            {
                return Ok(pair.get(1).cloned().unwrap_or_else(|| list(t, vec![])));
            }
        }
        Ok(list(t, vec![]))
    }),
    ("put", |t, a| {
        let mut all = items(t, &a[0])?;
        let pair = list(t, vec![a[1].clone(), a[2].clone()]);
        let known = all
            .iter()
            .position(|old| matches!(view(t, old), View::List(old) if old.first() == Some(&a[1])));
        match known {
            Some(at) => all[at] = pair,
            None => all.push(pair),
        }
        Ok(list(t, all))
    }),
    ("fun", |t, a| match view(t, &a[0]) {
        View::Apply(name, _) => Ok(t.text(&name)),
        _ => Ok(t.text("")),
    }),
    ("args", |t, a| match view(t, &a[0]) {
        View::Apply(_, args) => Ok(list(t, args)),
        _ => Ok(list(t, vec![])),
    }),
];

/// What the bus in Java computes in its own way: nothing is `undefined`, a table is looked up in its
/// first row only (`put` adds one there), texts and truth values are applications of no arguments, and
/// what has none is joined like a text.
pub(super) const NG: [(&str, PureFunction); 8] = [
    ("concat", |t, a| {
        let word = |value: &Value| match view(t, value) {
            View::Str(text) => Ok((text, true)),
            View::Bool(truth) => Ok((truth.to_string().into(), false)),
            View::Apply(name, args) if args.is_empty() => Ok((name, false)),
            _ => Err(BAD_EXPRESSION),
        };
        let ((first, is_text), (second, other_is_text)) = (word(&a[0])?, word(&a[1])?);
        // Behind a word that is no text, a text keeps its quotes.
        Ok(match other_is_text && !is_text {
            true => t.text(&format!("{first}{}", text(t, &a[1]))),
            false => t.text(&format!("{first}{second}")),
        })
    }),
    ("first", |t, a| {
        let first = items(t, &a[0])?.first().cloned();
        Ok(first.unwrap_or_else(|| undefined(t)))
    }),
    ("get", |t, a| {
        let Some(row) = items(t, &a[0])?.first().cloned() else {
            return Ok(undefined(t));
        };
        let row = items(t, &row)?;
        match row.as_slice() {
            [] => Err(BAD_EXPRESSION),
            [key, .., last] if *key == a[1] => Ok(last.clone()),
            [key] if *key == a[1] => Ok(key.clone()),
            _ => Ok(undefined(t)),
        }
    }),
    ("put", |t, a| {
        let mut all = items(t, &a[0])?;
        all.insert(0, list(t, vec![a[1].clone(), a[2].clone()]));
        Ok(list(t, all))
    }),
    ("replace", |t, a| {
        let mut items = items(t, &a[0])?;
        if let Ok(at) = index(t, &a[1], items.len()) {
            items[at] = a[2].clone();
        } else if !matches!(view(t, &a[1]), View::Int(_)) {
            return Err(BAD_EXPRESSION);
        }
        Ok(list(t, items))
    }),
    ("is-appl", |t, a| {
        kind_is(t, &a[0], |v| {
            matches!(v, View::Apply(..) | View::Str(_) | View::Bool(_))
        })
    }),
    ("fun", |t, a| match view(t, &a[0]) {
        View::Apply(name, _) | View::Str(name) => Ok(t.text(&name)),
        View::Bool(truth) => Ok(t.text(&truth.to_string())),
        _ => Err(BAD_EXPRESSION),
    }),
    ("args", |t, a| match view(t, &a[0]) {
        View::Apply(_, args) => Ok(list(t, args)),
        View::Str(_) | View::Bool(_) => Ok(list(t, vec![])),
        _ => Err(BAD_EXPRESSION),
    }),
];

#[cfg(test)]
mod tests {
    use model::{RichTable, Value};

    use super::super::built_ins;
    use crate::load::Dialect;
    use crate::term::{apply, bool, int, list, text, undefined};

    fn called(dialect: Dialect, table: &RichTable, name: &str, args: &[Value]) -> String {
        let all = built_ins(dialect);
        let found = all.iter().find(|f| f.name == name).unwrap();
        match (found.eval)(table, args) {
            Ok(value) => text(table, &value),
            Err(_) => "fault".to_owned(),
        }
    }

    #[test]
    fn the_bus_in_java_joins_words_like_texts() {
        let t = RichTable::default();
        let (a, w) = (t.text("a"), apply(&t, "w", &[]));
        let truth = bool(&t, true);
        let term = apply(&t, "f", std::slice::from_ref(&a));
        for (first, second, ng, c) in [
            (&a, &a, "\"aa\"", "\"aa\""),
            (&a, &w, "\"aw\"", "fault"),
            (&w, &a, "\"w\"a\"\"", "fault"),
            (&truth, &w, "\"truew\"", "fault"),
            (&a, &undefined(&t), "\"aundefined\"", "fault"),
            (&a, &term, "fault", "fault"),
            (&a, &int(&t, 1), "fault", "fault"),
        ] {
            let args = [first.clone(), second.clone()];
            assert_eq!(called(Dialect::Ng, &t, "concat", &args), ng);
            assert_eq!(called(Dialect::C, &t, "concat", &args), c);
        }
    }

    #[test]
    fn each_bus_has_its_own_nothing() {
        let t = RichTable::default();
        let n = |number| int(&t, number);
        let none = list(&t, vec![]);
        let row = |key, value| list(&t, vec![n(key), n(value)]);
        let table = list(&t, vec![row(1, 10), row(2, 20)]);
        for (dialect, first, found, missing, put) in [
            (
                Dialect::Ng,
                "undefined",
                "undefined",
                "undefined",
                "[[2,5],[1,10],[2,20]]",
            ),
            (Dialect::C, "[]", "20", "[]", "[[1,10],[2,5]]"),
        ] {
            let call = |name: &str, args: &[Value]| called(dialect, &t, name, args);
            assert_eq!(call("first", std::slice::from_ref(&none)), first);
            assert_eq!(call("next", std::slice::from_ref(&none)), "[]");
            assert_eq!(call("get", &[table.clone(), n(1)]), "10");
            assert_eq!(call("get", &[table.clone(), n(2)]), found);
            assert_eq!(call("get", &[none.clone(), n(2)]), missing);
            assert_eq!(call("put", &[table.clone(), n(2), n(5)]), put);
        }
    }
}
