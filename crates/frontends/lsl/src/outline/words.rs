//! The words that mean the same in all scripts: the library, the language, properties.

use std::sync::OnceLock;

use language::{Kind, Word};

use super::documentation::{
    constant_signature, event_signature, event_text, function_signature, function_text,
};
use crate::facts;

/// The language's own words: how they are used, and what they mean.
const KEYWORDS: &[(&str, &str, &str)] = &[
    (
        "default",
        "default { ... }",
        "The state in which a script starts.",
    ),
    (
        "state",
        "state NAME { ... }",
        "A state of the script; in a handler, `state NAME;` goes to it when the handler ends.",
    ),
    (
        "integer",
        "integer",
        "32 bits, two's complement, wraps around.",
    ),
    ("float", "float", "A number of 32 bits with a fraction."),
    ("string", "string", "Text."),
    ("key", "key", "The identity of somebody or something."),
    ("vector", "vector", "Three floats."),
    ("rotation", "rotation", "Four floats, a quaternion."),
    ("quaternion", "quaternion", "The same as `rotation`."),
    ("list", "list", "A sequence of values that are no lists."),
    (
        "if",
        "if (condition) statement",
        "Every type is a condition: a key is true if it is one and not `NULL_KEY`.",
    ),
    ("else", "else statement", ""),
    ("while", "while (condition) statement", ""),
    ("do", "do statement while (condition);", ""),
    ("for", "for (before; condition; after) statement", ""),
    ("return", "return value;", ""),
    ("jump", "jump label;", "Goes on behind `@label;`."),
];

/// The words of `//@` comments.
const PROPERTY_WORDS: &[(&str, &str, &str)] = &[
    ("property", "property NAME: CLAIM;", "Something to verify."),
    (
        "ghost",
        "ghost TYPE NAME = VALUE;",
        "A variable that only properties see. Its type is `integer` (without bounds), `key` or `string`.",
    ),
    (
        "on",
        "on EVENT { ... }",
        "Changes ghosts when something happens.",
    ),
    (
        "assume",
        "assume WHAT for NAME, NAME;",
        "Narrows the world, for all properties or for those named. Each verdict that rests on it says so.",
    ),
    (
        "bound",
        "bound NAME = LEAST..GREATEST;",
        "Keeps numbers small.",
    ),
    (
        "always",
        "always E",
        "E is true between events, from the start on.",
    ),
    (
        "never",
        "never E",
        "E is false between events; of an event, that it does not happen.",
    ),
    (
        "eventually",
        "eventually E",
        "In every run, E becomes true at last.",
    ),
    (
        "leads",
        "P leads to Q",
        "Whenever P, then Q at once or later.",
    ),
    (
        "when",
        "when EVENT require E",
        "Each time the event happens, E is true at that moment.",
    ),
    (
        "require",
        "when EVENT require E",
        "What has to be true at the moment of the event.",
    ),
    ("next", "next E", "After the next event."),
    ("until", "P until Q", "Q comes, and up to then P."),
    (
        "releases",
        "P releases Q",
        "Q up to and including the moment when P comes, or for ever.",
    ),
    (
        "call",
        "call FUNCTION(ARGUMENTS)",
        "The script calls a function: the arguments have been evaluated, nothing has happened yet.",
    ),
    (
        "changes",
        "NAME changes",
        "The variable gets a value that differs from the one it had.",
    ),
    (
        "during",
        "EVENT during HANDLER(ARGUMENTS)",
        "Only while that event is being handled.",
    ),
    (
        "paid",
        "paid(id, amount)",
        "Somebody pays the object; the money is the owner's at once, whether or not the script ever learns of it.",
    ),
    (
        "discarded",
        "discarded(id, amount)",
        "The event of a payment is thrown away unseen.",
    ),
    ("old", "old(NAME)", "The value just before this moment."),
    ("in", "in STATE", "Whether the script is in that state."),
    (
        "granted",
        "granted(PERMISSION)",
        "Whether the script holds the permission.",
    ),
];

/// All words.
pub(crate) fn words() -> &'static [Word] {
    static WORDS: OnceLock<Vec<Word>> = OnceLock::new();
    WORDS.get_or_init(|| {
        let functions = facts::functions().iter().map(|function| {
            let signature = function_signature(function);
            let text = function_text(function);
            Word::new(function.name, Kind::Function, &signature, &text)
        });
        let events = facts::events().iter().map(|event| {
            let signature = event_signature(event);
            Word::new(event.name, Kind::Event, &signature, &event_text(event))
        });
        let constants = facts::constants().iter().map(|constant| {
            let text = match constant.deprecated {
                true => "It is kept for old scripts only.",
                false => "",
            };
            let signature = constant_signature(constant);
            Word::new(constant.name, Kind::Constant, &signature, text)
        });
        functions
            .chain(events)
            .chain(constants)
            .chain(Word::all_of(KEYWORDS, Kind::Keyword))
            .chain(Word::all_of(PROPERTY_WORDS, Kind::PropertyWord))
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::property::directives::DIRECTIVES;

    #[test]
    fn each_word_stands_once_and_says_how_it_is_used() {
        let mut names = BTreeSet::new();
        for word in words() {
            assert!(names.insert(&word.name), "{} stands twice", word.name);
            assert!(word.signature.contains(word.name.as_str()), "{word:?}");
        }
        for directive in DIRECTIVES {
            let known = words().iter().find(|word| word.name == directive);
            assert_eq!(known.map(|word| word.kind), Some(Kind::PropertyWord));
        }
    }

    #[test]
    fn a_function_says_what_it_can_fail_at() {
        let all = words();
        let text = |name: &str| {
            let word = all
                .iter()
                .find(|word| word.name == name)
                .expect("it is there");
            (word.signature.as_str(), word.documentation.as_str())
        };
        let (signature, documentation) = text("llGiveMoney");
        assert_eq!(
            signature,
            "integer llGiveMoney(key destination, integer amount)"
        );
        assert!(documentation.contains("Fails without the permission `PERMISSION_DEBIT`"));
        assert!(
            text("llGetOwner").1.contains("reads the owner"),
            "{:?}",
            text("llGetOwner")
        );
        assert!(text("dataserver").1.contains("`llRequestAgentData`"));
        assert_eq!(text("PI").0, "float PI = 3.1415927");
    }
}
