//! LSL05..: `//@` annotations.

codes! {
    DIRECTIVE = "LSL0501", "unknown directive",
        what: "Finds `//@` text that does not begin with `property`, `ghost`, `on`, `assume` or `bound`.",
        why: "The text would be ignored, and with it something that should be verified.",
        example: "//@ propety positive: always total >= 0;\ninteger total;\ndefault { state_entry() { } }",
        fix: "Correct the word, or make it an ordinary comment with `//`.";
    FORMULA = "LSL0502", "formula not understood",
        what: "Finds properties whose text is no formula.",
        why: "Nothing can be verified that has no meaning.",
        example: "//@ property positive: total >= 0 until;\ninteger total;\ndefault { state_entry() { } }",
        fix: "Write `always E`, `never E`, `eventually E`, `P leads to Q`, `when EVENT require E`, or a formula with `[] <> U V X`.";
    UNFINISHED = "LSL0503", "directive not finished",
        what: "Finds directives without the `;` or `}` that ends them.",
        why: "Without it a directive would run on into the next.",
        example: "//@ property positive: always total >= 0\ninteger total;\ndefault { state_entry() { } }",
        fix: "Add the `;`.";
    DUPLICATE = "LSL0504", "name used twice",
        what: "Finds two properties of one name, and ghosts named like another ghost or a variable of the script.",
        why: "A report or an assumption could not say which one is meant.",
        example: "//@ property p: always total >= 0;\n//@ property p: always total < 9;\ninteger total;\ndefault { state_entry() { } }",
        fix: "Rename one of them.";
    EVENT = "LSL0505", "no such event",
        what: "Finds event patterns that name nothing that can happen.",
        why: "A property about it would hold for no reason.",
        example: "//@ property p: when call llGiveMony(who, n) require n > 0;\ndefault { state_entry() { } }",
        fix: "Correct the name: `call FUNCTION(...)`, `VARIABLE changes`, `paid(id, amount)`, `owner changes`, `timer()`.";
    ARGUMENTS = "LSL0506", "wrong number of arguments in an event",
        what: "Finds event patterns with more or fewer arguments than the event has.",
        why: "It would be unclear which argument is meant. `_` stands for one that does not matter.",
        example: "//@ property p: when call llGiveMoney(who) require TRUE;\ndefault { state_entry() { } }",
        fix: "Give as many as there are, `_` for those that do not matter.";
    ASSUMPTION = "LSL0507", "unknown assumption",
        what: "Finds `assume` with words that are not known.",
        why: "Verdicts would be given without it although somebody believes otherwise.",
        example: "//@ assume timer keeps fireing;\ndefault { state_entry() { } }",
        fix: "Use one of the known assumptions; `docs/properties.md` lists them.";
    PROPERTY = "LSL0508", "unknown property",
        what: "Finds `assume ... for NAME` where no property has that name.",
        why: "The assumption would touch nothing.",
        example: "//@ assume timer keeps firing for ends;\ndefault { state_entry() { } }",
        fix: "Correct the name.";
    BOUND = "LSL0509", "bound not understood",
        what: "Finds bounds that are no number and no range, and names of bounds that mean nothing.",
        why: "The environment would be larger or smaller than somebody believes.",
        example: "//@ bound amount = 10..0;\ndefault { state_entry() { } }",
        fix: "Write `//@ bound amount = 0..10;`.";
    GHOST_TYPE = "LSL0510", "type of a ghost",
        what: "Finds ghosts of other types than `integer`, `key` and `string`, and ghosts whose first value is no constant.",
        why: "Ghosts are kept for verification only; they start with a value that is known.",
        example: "//@ ghost list seen;\ndefault { state_entry() { } }",
        fix: "Use an `integer`, a `key` or a `string`.";
    UPDATE = "LSL0511", "not an update of a ghost",
        what: "Finds statements in `on EVENT { ... }` that are no assignment to a ghost, `if` or block.",
        why: "What is written for verification must not change what the script does.",
        example: "//@ on paid(id, amount) { total = amount; }\ninteger total;\ndefault { state_entry() { } }",
        fix: "Declare a ghost: `//@ ghost integer total;`.";
    MIXED_LOGIC = "LSL0512", "`&&` and `||` without parentheses",
        what: "Finds temporal formulas that mix `&&` and `||` on one level.",
        why: "LSL reads them from the left, logic binds `&&` tighter; a reader cannot know which is meant.",
        example: "//@ property p: <> total == 1 && <> total == 2 || [] total == 0;\ninteger total;\ndefault { state_entry() { } }",
        fix: "Add parentheses.";
    NOT_PURE = "LSL0513", "call in a property",
        what: "Finds calls in properties of functions that act on the world or whose result the world decides.",
        why: "Looking at a script must not change it, and the answer would be another one each time.",
        example: "//@ property p: always llFrand(1.0) < 1.0;\ndefault { state_entry() { } }",
        fix: "Use the variables of the script, or observe the call: `when call ...`.";
    OLD = "LSL0514", "`old` without an event",
        what: "Finds `old(x)` outside of `when`, `on` and `if (...)` of an event.",
        why: "`old` is the value just before an event. Between events there is only one value.",
        example: "//@ property p: always total >= old(total);\ninteger total;\ndefault { state_entry() { } }",
        fix: "Write `when total changes require total >= old(total)`.";
    UNHANDLED = "LSL0515", "event that no state handles",
        what: "Points at patterns about the handling of an event for which no state has a handler.",
        why: "It never happens; a property about it holds for no reason.",
        example: "//@ property p: when call llDie() during touch_start(n) require FALSE;\ndefault { state_entry() { llDie(); } }",
        fix: "Correct the event, or remove the property.";
    NEAR_MISS = "LSL0516", "directive that is not read",
        what: "Points at text that looks like a directive and is none: behind `//` or `// @` instead of `//@`, between `/*` and `*/`, in a string, behind another directive's comment.",
        why: "The text is ignored, and with it something that somebody believes to be verified.",
        example: "// @property positive: always total >= 0;\ninteger total;\ndefault { state_entry() { } }",
        fix: "Write `//@ property positive: always total >= 0;` on a line of its own.";
}
