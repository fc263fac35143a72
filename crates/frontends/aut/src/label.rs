//! What labels say: actions with their arguments, as mCRL2 and CADP write them.
//!
//! | label | actions |
//! |---|---|
//! | `a(1, true, f(x))` | `a` with three arguments |
//! | `a(1)\|b` | `a` and `b` together, in any order |
//! | `PUT !1 !"x"` | `PUT` with two arguments |
//! | `Desk: ask(1); log` | `ask` and `log`, as Probity writes graphs of scripts: who does it comes first |
//! | `tau`, `i` | none |
//!
//! What is none of these is an action of this name.

use std::collections::HashSet;

use model::{RichTable, Value};

/// An action of a label.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Action {
    pub(crate) name: String,
    pub(crate) args: Vec<Term>,
}

/// An argument.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Term {
    Number(i128),
    Bool(bool),
    Text(String),
    List(Vec<Term>),
    /// A word, or what is not understood as its text without blanks.
    Apply(String, Vec<Term>),
}

impl Term {
    /// Reads the text of an argument.
    pub(crate) fn read(text: &str) -> Term {
        let text = text.trim();
        if let Ok(number) = text.parse() {
            return Term::Number(number);
        }
        let inside = |open: char, close: char| text.strip_prefix(open)?.strip_suffix(close);
        if let Some(quoted) = inside('"', '"') {
            return Term::Text(quoted.to_owned());
        }
        if let Some(items) = inside('[', ']').and_then(|items| split(items, ",")) {
            return Term::List(items.into_iter().map(Term::read).collect());
        }
        match text {
            "true" => return Term::Bool(true),
            "false" => return Term::Bool(false),
            _ => {}
        }
        match call(text) {
            Some((word, args)) => Term::Apply(word.to_owned(), args),
            None => Term::Apply(text.split_whitespace().collect(), Vec::new()),
        }
    }

    /// Adds the words in it.
    pub(crate) fn words(&self, found: &mut HashSet<String>) {
        match self {
            Term::Number(_) | Term::Bool(_) | Term::Text(_) => {}
            Term::List(items) => items.iter().for_each(|item| item.words(found)),
            Term::Apply(word, args) => {
                found.insert(word.clone());
                args.iter().for_each(|arg| arg.words(found));
            }
        }
    }

    /// The value that stands for it.
    pub(crate) fn value(&self, rich: &RichTable) -> Value {
        let all = |terms: &[Term]| {
            terms
                .iter()
                .map(|term| term.value(rich))
                .collect::<Vec<_>>()
        };
        match self {
            Term::Number(number) => rich.term("value", vec![Value::Int(*number)]),
            Term::Bool(truth) => rich.term("value", vec![Value::Bool(*truth)]),
            Term::Text(text) => rich.text(text),
            Term::List(items) => rich.term("list", all(items)),
            Term::Apply(word, args) => {
                let mut parts = vec![rich.text(word)];
                parts.extend(all(args));
                rich.term("apply", parts)
            }
        }
    }
}

/// Reads a label.
pub(crate) fn read(label: &str, silent: &[String]) -> Vec<Action> {
    let label = label.trim();
    if silent.iter().any(|name| name == label) {
        return Vec::new();
    }
    let plain = |label: &str| {
        vec![Action {
            name: label.to_owned(),
            args: Vec::new(),
        }]
    };
    if let Some(parts) = split(label, " !")
        && parts.len() > 1
    {
        return vec![Action {
            name: parts[0].trim().to_owned(),
            args: parts[1..].iter().map(|part| Term::read(part)).collect(),
        }];
    }
    let Some(parts) = split(label, "|").filter(|parts| !parts.is_empty()) else {
        return plain(label);
    };
    let told = parts
        .into_iter()
        .flat_map(|part| split(part, "; ").unwrap_or(vec![part]));
    let actions: Option<Vec<Action>> = told.map(action).collect();
    let mut actions = actions.unwrap_or_else(|| plain(label));
    // Beside others, a silent action is none.
    actions.retain(|action| !(action.args.is_empty() && silent.contains(&action.name)));
    actions
}

/// An action, perhaps behind who does it.
fn action(text: &str) -> Option<Action> {
    let is_who = |who: &str| who.split(' ').all(is_name);
    let told = match text.split_once(": ") {
        Some((who, what)) if is_who(who.trim()) => what,
        _ => text,
    };
    let told = told.trim();
    let (name, args) = call(told).unwrap_or((told, Vec::new()));
    let name = name.to_owned();
    is_name(&name).then_some(Action { name, args })
}

fn is_name(text: &str) -> bool {
    let mut characters = text.chars();
    let first = characters.next();
    first.is_some_and(|c| c.is_alphabetic() || c == '_')
        && characters.all(|c| c.is_alphanumeric() || "_'-".contains(c))
}

/// A word with arguments in parentheses.
fn call(text: &str) -> Option<(&str, Vec<Term>)> {
    let (word, rest) = text.split_once('(')?;
    let word = word.trim();
    let args = split(rest.strip_suffix(')')?, ",")?;
    is_name(word).then(|| (word, args.into_iter().map(Term::read).collect()))
}

/// The parts of a text between separators that stand in no bracket and no quotes; none if brackets do
/// not match.
fn split<'t>(text: &'t str, separator: &str) -> Option<Vec<&'t str>> {
    if text.trim().is_empty() {
        return Some(Vec::new());
    }
    let mut parts = Vec::new();
    let (mut open, mut begin, mut quoted) = (0usize, 0, false);
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' | '{' => open += 1,
            ')' | ']' | '}' => open = open.checked_sub(1)?,
            _ if open == 0 && at >= begin && text[at..].starts_with(separator) => {
                parts.push(&text[begin..at]);
                begin = at + separator.len();
            }
            _ => {}
        }
    }
    if open > 0 || quoted {
        return None;
    }
    parts.push(&text[begin..]);
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn action(name: &str, args: &[Term]) -> Action {
        Action {
            name: name.to_owned(),
            args: args.to_vec(),
        }
    }

    #[test]
    fn labels_of_several_tools() {
        let silent = ["tau".to_owned(), "i".to_owned()];
        let word = |word: &str| Term::Apply(word.to_owned(), Vec::new());
        for (label, expected) in [
            ("tau", vec![]),
            ("i", vec![]),
            ("a", vec![action("a", &[])]),
            ("a|tau", vec![action("a", &[])]),
            (
                "a(1, true)|b(\"x, y\")",
                vec![
                    action("a", &[Term::Number(1), Term::Bool(true)]),
                    action("b", &[Term::Text("x, y".to_owned())]),
                ],
            ),
            (
                "put(f(x, [1, -2]))",
                vec![action(
                    "put",
                    &[Term::Apply(
                        "f".to_owned(),
                        vec![
                            word("x"),
                            Term::List(vec![Term::Number(1), Term::Number(-2)]),
                        ],
                    )],
                )],
            ),
            (
                "PUT !1 !TRUE",
                vec![action("PUT", &[Term::Number(1), word("TRUE")])],
            ),
            (
                "Desk to Client: msg(1); vanishes(c)",
                vec![
                    action("msg", &[Term::Number(1)]),
                    action("vanishes", &[word("c")]),
                ],
            ),
            ("x := 3", vec![action("x := 3", &[])]),
            ("a(1", vec![action("a(1", &[])]),
            ("s({1, 2})", vec![action("s", &[word("{1,2}")])]),
        ] {
            assert_eq!(read(label, &silent), expected, "{label}");
        }
    }
}
