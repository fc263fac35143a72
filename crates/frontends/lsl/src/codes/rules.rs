//! LSL03..: types, and rules about where things may stand.

codes! {
    TYPE_MISMATCH = "LSL0301", "wrong type",
        what: "Finds values of a type that their place does not take.",
        why: "Only `integer` becomes `float`, and `string` and `key` become each other; the rest needs a cast.",
        example: "integer a = 1.5;",
        fix: "Cast the value: `(integer)1.5`.";
    OPERATOR_TYPES = "LSL0302", "operator not defined for these types",
        what: "Finds operators whose operands have types that it does not take.",
        why: "The script does not compile. `&&`, `||` and `!` take integers only; strings are joined with strings only; `%` is not defined for floats.",
        example: "llSay(0, \"total: \" + 3);",
        fix: "Cast an operand: `\"total: \" + (string)3`.";
    ARGUMENT_COUNT = "LSL0303", "wrong number of arguments",
        what: "Finds calls with too many or too few arguments.",
        why: "The script does not compile. No parameter has a default.",
        example: "llSay(\"hello\");",
        fix: "Give one argument for each parameter.";
    NO_SUCH_CAST = "LSL0304", "impossible cast",
        what: "Finds casts between types that have no conversion.",
        why: "The script does not compile. Everything casts to `string` and `list`; a `string` casts to everything; numbers cast to each other.",
        example: "vector v = (vector)1;",
        fix: "Build the value from its parts: `<1, 1, 1>`.";
    VOID_VALUE = "LSL0305", "nothing used as a value",
        what: "Finds calls of functions without a result where a value is needed.",
        why: "There is no value; the script does not compile.",
        example: "integer a = llSay(0, \"hello\");",
        fix: "Call the function in a statement of its own.";
    NESTED_LIST = "LSL0306", "list in a list",
        what: "Finds lists as elements of list literals.",
        why: "Lists do not nest; the script does not compile.",
        example: "list l = [1, [2, 3]];",
        fix: "Join lists with `+`: `[1] + [2, 3]`.";
    NO_SUCH_COMPONENT = "LSL0307", "no such component",
        what: "Finds components other than `.x`, `.y`, `.z` of a vector and `.x`, `.y`, `.z`, `.s` of a rotation.",
        why: "The script does not compile.",
        example: "vector v;\nfloat f = v.s;",
        fix: "Use a component that the type has.";
    HANDLER_PARAMETERS = "LSL0308", "wrong parameters for an event",
        what: "Finds handlers whose parameters differ from their event's in number or type.",
        why: "The script does not compile. The names are free.",
        example: "default { touch_start() { } }",
        fix: "Declare the parameters that the event has: `touch_start(integer num_detected)`.";
    RETURN_VALUE = "LSL0309", "`return` and result do not agree",
        what: "Finds `return` with a value where none is returned, and without one where one is.",
        why: "The script does not compile. Event handlers return nothing.",
        example: "return 1;",
        fix: "Add or remove the value, or the function's type.";
    MISSING_RETURN = "LSL0310", "a path without `return`",
        what: "Finds functions with a result that can end without returning one.",
        why: "The compiler refuses them. It looks at the last statement of each block only, does not count what stands in a loop, nor that a condition is always true.",
        example: "integer sign(integer n) { if (n < 0) return -1; }\ndefault { state_entry() { sign(1); } }",
        fix: "Return a value at the end.";
    GLOBAL_INITIALIZER = "LSL0311", "global needs a plain first value",
        what: "Finds first values of global variables that are more than a literal, a builtin constant, an earlier global, or a vector, rotation or list of those.",
        why: "They are not computed but stored with the script: no operators, no calls, no components. A minus may stand before a number or a numeric constant.",
        example: "integer a = 1 + 2;\ndefault { state_entry() { } }",
        fix: "Write the value, or assign it in `state_entry`.";
    STATE_IN_FUNCTION = "LSL0312", "state change in a function",
        what: "Finds `state` statements in functions, unless they stand under an `if`.",
        why: "The compiler refuses them (it overlooks those under an `if`).",
        example: "leave() { state default; }\ndefault { state_entry() { leave(); } }",
        fix: "Return a value and change state in the handler.";
    EFFECT_IN_PROPERTY = "LSL0313", "not allowed in a property",
        what: "Finds assignments, `++` and `--` in expressions that must not change anything.",
        why: "A property only observes the script.",
        example: "//@ property p: always (a = 1) == 1;\ninteger a;\ndefault { state_entry() { } }",
        fix: "Compare with `==`; keep what must be remembered in a ghost variable.";
}
