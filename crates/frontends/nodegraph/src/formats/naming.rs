//! Names for nodes and pins: unique where they must be, and as near to what the designer reads as that allows.

use std::collections::HashMap;

/// Names that have been given, each with the number to try next.
#[derive(Default)]
pub(crate) struct Names(HashMap<String, usize>);

impl Names {
    /// `wanted`, or if it is taken, `wanted` with the first free number behind it.
    pub(crate) fn unique(&mut self, wanted: &str) -> String {
        self.unique_with(wanted, "_")
    }

    /// The same, with something else between name and number.
    pub(crate) fn unique_with(&mut self, wanted: &str, between: &str) -> String {
        let mut number = self.0.get(wanted).copied().unwrap_or(1);
        let mut name = wanted.to_owned();
        while self.0.contains_key(&name) {
            number += 1;
            name = format!("{wanted}{between}{number}");
        }
        self.0.insert(wanted.to_owned(), number);
        self.0.entry(name.clone()).or_insert(1);
        name
    }
}

/// A name that can stand in a formula: letters, digits and underlines, not a digit first.
pub(crate) fn identifier(title: &str) -> String {
    let mut name = String::new();
    let mut gap = false;
    for character in title.chars() {
        if character.is_alphanumeric() {
            if gap && !name.is_empty() {
                name.push('_');
            }
            if name.is_empty() && character.is_numeric() {
                name.push('_');
            }
            name.push(character);
            gap = false;
        } else {
            gap = true;
        }
    }
    if name.is_empty() {
        name.push_str("node");
    }
    name
}

/// `PlayFromStart` and `bIsOpen` as editors show them: `Play From Start`, `Is Open`.
pub(crate) fn spaced(name: &str) -> String {
    let name = name
        .strip_prefix('b')
        .filter(|rest| rest.starts_with(char::is_uppercase))
        .unwrap_or(name);
    let mut shown = String::new();
    let mut before = ' ';
    for character in name.chars() {
        if character == '_' {
            before = ' ';
            shown.push(' ');
            continue;
        }
        let starts_word =
            character.is_uppercase() && (before.is_lowercase() || before.is_numeric());
        if starts_word {
            shown.push(' ');
        }
        shown.push(character);
        before = character;
    }
    shown.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_readable() {
        let mut names = Names::default();
        assert_eq!(names.unique("Delay"), "Delay");
        assert_eq!(names.unique("Delay"), "Delay_2");
        assert_eq!(names.unique("Delay"), "Delay_3");
        assert_eq!(identifier("Is it open? (2)"), "Is_it_open_2");
        assert_eq!(identifier("3rd"), "_3rd");
        assert_eq!(identifier("→"), "node");
        assert_eq!(spaced("PlayFromStart"), "Play From Start");
        assert_eq!(spaced("bIsOpen"), "Is Open");
        assert_eq!(spaced("then_0"), "then 0");
    }
}
