//! Names in the text of checks, which the script may have for something else.
//!
//! A name in a pattern binds an argument, unless the script declares that name: then the argument must equal
//! its value. In a script with a variable `amount`, `paid(_, amount)` matches payments of that amount only.

use crate::ast::Ast;

/// The names that the checks use.
const NAMES: [&str; 9] = [
    "amount",
    "balance",
    "id",
    "item",
    "n",
    "spent",
    "uncovered",
    "unsettled",
    "who",
];

/// Whether the script gives one of these names a meaning of its own.
pub(super) fn clash(script: &Ast) -> bool {
    NAMES.iter().any(|name| has(script, name))
}

fn has(script: &Ast, name: &str) -> bool {
    let globals = script.globals.iter().map(|global| global.name);
    let functions = script.functions.iter().map(|function| function.name);
    let states = script.states.iter().map(|state| state.name);
    let mut names = globals.chain(functions).chain(states);
    names.any(|own| script.name_text(own) == name)
}

/// The text with other names in place of those that the script has.
pub(super) fn apart(script: &Ast, text: &str) -> String {
    let mut text = text.to_owned();
    for name in NAMES.into_iter().filter(|name| has(script, name)) {
        let mut other = format!("{name}_");
        while script.symbol(&other).is_some() || text.contains(&other) {
            other.push('_');
        }
        text = with_word(&text, name, &other);
    }
    text
}

/// The text with a word in place of another.
fn with_word(text: &str, word: &str, other: &str) -> String {
    let in_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(word) {
        let (before, behind) = (&rest[..at], &rest[at + word.len()..]);
        let begins = !before.ends_with(in_word) && (at > 0 || !result.ends_with(in_word));
        let ends = !behind.starts_with(in_word);
        result.push_str(before);
        result.push_str(if begins && ends { other } else { word });
        rest = behind;
    }
    result + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_are_replaced() {
        let text = "on money(id, amount) { if (amount > 0) amounts = amount2 + id; } idle";
        assert_eq!(
            with_word(&with_word(text, "amount", "amount_"), "id", "id_"),
            "on money(id_, amount_) { if (amount_ > 0) amounts = amount2 + id_; } idle"
        );
        assert_eq!(with_word("nn n", "n", "m"), "nn m");
    }
}
