//! LSL06..: what cannot be turned into a program.

codes! {
    NO_VALUE = "LSL0601", "expression without a value in a property",
        what: "Finds expressions in properties that have no value by themselves: they change something, need the script to run, or are too long.",
        why: "A property is looked at between two steps of the script and must leave no trace.",
        example: "//@ property p: always (total = 1);\ninteger total;\ndefault { state_entry() { } }",
        fix: "Compare instead of assigning, and give parts of a long expression to a ghost.";
}
