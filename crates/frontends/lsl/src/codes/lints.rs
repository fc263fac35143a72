//! LSL04..: what compiles but probably means something else.

codes! {
    STATE_UNDER_IF = "LSL0401", "state change in a function, under an `if`",
        what: "Points at `state` statements in functions that the compiler accepts because they stand under an `if`.",
        why: "It works by an oversight of the compiler: the function never returns, nor does its caller.",
        example: "leave(integer go) { if (go) state open; }\ndefault { state_entry() { leave(TRUE); } }\nstate open { state_entry() { } }",
        fix: "Return a value and change state in the handler.";
    ASSIGNMENT_CONDITION = "LSL0402", "`=` in a condition",
        what: "Points at conditions that are assignments, but for those of a value computed from the variable itself (`n = n >> 4`).",
        why: "Most often `==` was meant. The condition is true whenever the assigned value is.",
        example: "integer a;\nif (a = 1) { }",
        fix: "Write `==`, or put a second pair of parentheses around the assignment.";
    UNUSED_RESULT = "LSL0403", "result not used",
        what: "Points at calls in statements of their own of functions that do nothing but return a value.",
        why: "The call has no effect. `llDeleteSubList(l, 0, 0);` does not change `l`.",
        example: "list l;\nllDeleteSubList(l, 0, 0);",
        fix: "Use the result: `l = llDeleteSubList(l, 0, 0);`.";
    NO_EFFECT = "LSL0404", "statement without an effect",
        what: "Points at expressions in statements of their own that change nothing.",
        why: "Most often `=` was meant instead of `==`, or something is missing.",
        example: "integer a;\na == 1;",
        fix: "Assign the value, or remove the statement.";
    SHADOWED = "LSL0405", "name hidden by another",
        what: "Points at local variables with the name of a global variable, a parameter or a variable of an outer block.",
        why: "The inner variable is changed where the outer one may have been meant.",
        example: "integer total;\ndefault { state_entry() { integer total = 1; } }",
        fix: "Rename one, or remove the type to assign to the outer one.";
    LIST_LENGTHS = "LSL0406", "comparison of lists compares lengths",
        what: "Points at `==` and `!=` between lists of which none is `[]`.",
        why: "`==` is true for lists of equal length whatever they hold; `!=` gives the difference of the lengths.",
        example: "list a;\nlist b;\nif (a == b) { }",
        fix: "To compare contents, compare `llDumpList2String` of both, or element by element.";
    INTEGER_TIMES_FLOAT = "LSL0407", "`integer *= float`",
        what: "Points at `*=` with an integer variable on the left and a float on the right.",
        why: "By an oversight of the compiler it is the only mixed form that is accepted. The variable gets the truncated product; the value of the expression itself is undefined.",
        example: "integer a = 3;\na *= 1.5;",
        fix: "Write `a = (integer)(a * 1.5);`.";
    EVENT_NAME = "LSL0408", "name of an event",
        what: "Points at variables that have the name of an event.",
        why: "Readers take the name for the event, and compilers have treated event names as reserved.",
        example: "integer money;\ndefault { state_entry() { money = 1; } }",
        fix: "Choose another name.";
    MIXED_LOGIC = "LSL0409", "`&&` and `||` without parentheses",
        what: "Points at `||` followed by `&&` on the same level.",
        why: "In LSL both have the same precedence and group from the left: `a || b && c` is `(a || b) && c`, unlike in C.",
        example: "integer a;\nif (a == 1 || a == 2 && a != 3) { }",
        fix: "Add parentheses.";
    DEPRECATED = "LSL0410", "deprecated",
        what: "Points at library functions, constants and events that are kept for old scripts only.",
        why: "They may do nothing, or less than their successors.",
        example: "llMakeExplosion(1, 1.0, 1.0, 1.0, 1.0, \"\", ZERO_VECTOR);",
        fix: "Use the newer function that the wiki names.";
    GOD_MODE = "LSL0411", "works for Linden Lab only",
        what: "Points at library functions that only Linden Lab's staff can use.",
        why: "In everybody else's script the call fails.",
        example: "llGodLikeRezObject(NULL_KEY, ZERO_VECTOR);",
        fix: "Find another way.";
    STRING_CONDITION = "LSL0412", "always true",
        what: "Points at conditions that are a string constant, such as `NULL_KEY`.",
        why: "A string is true unless it is empty. `NULL_KEY` is a string constant, so `if (NULL_KEY)` is true; only a `key` with that value is false.",
        example: "if (NULL_KEY) { }",
        fix: "Compare a variable: `if (id == NULL_KEY)`.";
}
