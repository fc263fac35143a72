//! The words of the language and of its properties, for editors.

use std::sync::OnceLock;

use language::{Kind, Word};

/// Words that stand behind a `%`, and others.
const KEYWORDS: &[(&str, &str, &str)] = &[
    (
        "action",
        "%action NAME(PARAMETERS) { ... }",
        "Something that happens, for each assignment of individuals for which its precondition holds.",
    ),
    (
        "message",
        "%message FORMULA -> \"TEXT\"",
        "A property: in no configuration in which the action is enabled does the formula hold.",
    ),
    (
        "thread",
        "%thread NAME { ... }",
        "A type of threads: labels, and the actions that lead from one to another.",
    ),
    (
        "new",
        "%new FORMULA",
        "Makes a new individual, or one for each of which the formula holds.",
    ),
    (
        "clone",
        "%clone FORMULA",
        "Makes copies of the individuals of which the formula holds.",
    ),
    (
        "retain",
        "%retain FORMULA",
        "Only those individuals stay of which the formula holds.",
    ),
    (
        "newthread",
        "%newthread TYPE",
        "Makes a thread that is not ready.",
    ),
    ("start", "%start FORMULA", "Makes threads ready."),
    ("stop", "%stop FORMULA", "Makes threads not ready any more."),
    ("wait", "%wait FORMULA", "The same as `%stop`."),
    (
        "halt",
        "%halt FORMULA",
        "A property: the action never happens where the formula holds.",
    ),
    (
        "assert",
        "%assert(FORMULA)",
        "A property: the formula holds whenever a thread gets there.",
    ),
    (
        "hardassert",
        "%hardassert(FORMULA)",
        "The same as `%assert`.",
    ),
    ("initial", "%initial { ... }", "The initial configuration."),
    (
        "foreach",
        "foreach (NAME in SET) { ... }",
        "The text for each name of the set.",
    ),
    (
        "isthread",
        "isthread(t)",
        "Whether an individual is a thread.",
    ),
    ("ready", "ready(t)", "Whether a thread can go on."),
    ("runnable", "runnable(t)", "Whose turn it is."),
    (
        "isNew",
        "isNew(v)",
        "In updates: whether an individual is made by this action.",
    ),
];

/// The words of `//@` comments.
const PROPERTY_WORDS: &[(&str, &str, &str)] = &[
    (
        "property",
        "property NAME: FORMULA;",
        "Something to verify of runs that never end.",
    ),
    ("always", "always P", "Now and from now on."),
    ("eventually", "eventually P", "Now or later."),
    ("until", "P until Q", "Q comes, and up to then P."),
    ("next", "next P", "After the next action."),
];

/// All of them.
pub(crate) fn words() -> &'static [Word] {
    static ALL: OnceLock<Vec<Word>> = OnceLock::new();
    ALL.get_or_init(|| {
        Word::all_of(KEYWORDS, Kind::Keyword)
            .chain(Word::all_of(PROPERTY_WORDS, Kind::PropertyWord))
            .collect()
    })
}
