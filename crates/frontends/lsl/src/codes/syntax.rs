//! LSL01..: what cannot be read, or reads differently than it looks.

codes! {
    UNKNOWN_CHARACTER = "LSL0101", "character without a meaning",
        what: "Finds characters that no word of LSL starts with.",
        why: "Second Life's compiler skips them silently, so a typing error can change a script without a message.",
        example: "integer a = 1$;",
        fix: "Remove the character, or put it in a string.";
    OPEN_STRING = "LSL0102", "string without an end",
        what: "Finds a string that no quote closes.",
        why: "The rest of the file would be part of the string.",
        example: "llSay(0, \"hello);",
        fix: "Close the string. A quote within it is written `\\\"`.";
    OPEN_COMMENT = "LSL0103", "comment without an end",
        what: "Finds a `/*` that no `*/` follows.",
        why: "The rest of the file is a comment. Comments do not nest: the first `*/` ends them all.",
        example: "default { state_entry() { } } /* to do",
        fix: "Close the comment.";
    INTEGER_RANGE = "LSL0104", "integer too large",
        what: "Finds integer literals that do not fit into 32 bits.",
        why: "The script will hold another number: decimal literals wrap around or become -1.",
        example: "integer a = 4294967297;",
        fix: "Use a number from -2147483648 to 2147483647.";
    WIDE_STRING = "LSL0105", "`L\"...\"`",
        what: "Finds strings with an `L` before the quote.",
        why: "The compiler accepts them and keeps the opening quote as the first character.",
        example: "llSay(0, L\"hello\");",
        fix: "Remove the `L`.";
    DIRECTIVE = "LSL0106", "bad preprocessor directive",
        what: "Finds lines that begin with `#` and that the preprocessor of a viewer does not take, and conditions without an end.",
        why: "Scripts with `#include`, `#define`, `#if` and `switch` are expanded as the viewer does it.",
        example: "#ifdef DEBUG\ndefault { state_entry() { } }",
        fix: "Write the directive as in C.";
    INCLUDE = "LSL0107", "file that cannot be included",
        what: "Finds `#include` of a file that is not there, or that includes itself without end.",
        why: "What the script does is not known without it. Files are looked for in the folder of the script.",
        example: "#include \"prices.lsl\"\ndefault { state_entry() { } }",
        fix: "Put the file into the folder of the script, or write its path from there.";
    MACRO = "LSL0108", "macro used badly",
        what: "Finds macros with too many or too few arguments, and macros that expand to too much text.",
        why: "The preprocessor of the viewer refuses the script.",
        example: "#define TWICE(x) ((x) + (x))\ndefault { state_entry() { integer a = TWICE(1, 2); } }",
        fix: "Give as many arguments as the macro has parameters.";
    UNEXPECTED = "LSL0110", "unexpected text",
        what: "Finds a place where the grammar of LSL wants something else.",
        why: "The script does not compile.",
        example: "if (1 { }",
        fix: "Write what the message says is expected.";
    MISSING_SEMICOLON = "LSL0111", "missing `;`",
        what: "Finds statements and declarations that do not end with `;`.",
        why: "The script does not compile.",
        example: "integer a = 1\ninteger b = 2;",
        fix: "Add the `;`.";
    UNCLOSED = "LSL0112", "brace never closed",
        what: "Finds a `{` without its `}`.",
        why: "The script does not compile, and everything behind it seems to belong to the open block.",
        example: "default { state_entry() { if (TRUE) { }",
        fix: "Add the `}` where the block should end.";
    TOO_DEEP = "LSL0113", "nested too deeply",
        what: "Refuses expressions and statements nested hundreds of levels deep.",
        why: "Second Life's compiler gives up on them too: its stack is limited.",
        example: "integer a = ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))));",
        fix: "Give parts of the expression a name; move statements into functions.";
    FUNCTION_STYLE_CAST = "LSL0114", "cast written as a call",
        what: "Finds `string(x)` and its kin.",
        why: "That is how C++ writes a cast. In LSL it is a syntax error.",
        example: "key id;\nllOwnerSay(string(id));",
        fix: "Put the type in parentheses, before the value: `(string)id`.";
    CAST_OPERAND = "LSL0115", "cast needs parentheses",
        what: "Finds casts of something other than a name, a literal, a call or parentheses.",
        why: "The grammar takes nothing else behind a cast: `(string)!x`, `(integer)-x` and `(integer)(string)x` are syntax errors, though `(integer)-1` is not.",
        example: "integer x;\nllOwnerSay((string)!x);",
        fix: "Put the operand in parentheses: `(string)(!x)`.";
    RESERVED_WORD = "LSL0116", "reserved word as a name",
        what: "Finds names that are words of the language: types, `default`, `state`, `event`, `print`, `jump`, `return`, `if`, `else`, `for`, `do`, `while`.",
        why: "The script does not compile. `event` and `print` are reserved although hardly anyone uses them.",
        example: "integer event = 1;",
        fix: "Choose another name.";
    DECLARATION_NEEDS_BRACES = "LSL0117", "declaration needs braces",
        what: "Finds a variable declared as the whole body of `if`, `else` or a loop.",
        why: "The compiler refuses it: the variable would be gone at once.",
        example: "if (TRUE) integer a = 1;",
        fix: "Put the body in braces.";
    DECLARATION_IN_FOR = "LSL0118", "declaration in a `for` header",
        what: "Finds `for (integer i = 0; ...)`.",
        why: "The header holds expressions only; the script does not compile.",
        example: "for (integer i = 0; i < 3; ++i) { }",
        fix: "Declare the variable before the loop.";
    FOR_CONDITION = "LSL0119", "`for` without a condition",
        what: "Finds `for (;;)`.",
        why: "The first and last part of the header may be empty, the condition may not.",
        example: "for (;;) { }",
        fix: "Write `for (;TRUE;)`, or `while (TRUE)`.";
    SUBSCRIPT = "LSL0120", "subscript",
        what: "Finds `list[index]`.",
        why: "LSL has no subscripts. Some viewers' preprocessors offer them and expand them before the script is saved.",
        example: "list l;\ninteger a = l[0];",
        fix: "Read elements with `llList2Integer(l, 0)` and its kin, replace them with `llListReplaceList`.";
    MEMBER_OF_VALUE = "LSL0121", "component of a value",
        what: "Finds `.x` behind something other than the name of a variable.",
        why: "The grammar takes components from variables only, not from calls, parentheses or other components.",
        example: "float x = llGetPos().x;",
        fix: "Store the value in a variable, then take the component.";
    NOT_ASSIGNABLE = "LSL0122", "assignment to a value",
        what: "Finds `=`, `+=` and their kin behind something that is not a variable or a component of one.",
        why: "There is nothing to store into; the script does not compile.",
        example: "if (1 = 2) { }",
        fix: "Assign to a variable. To compare, write `==`.";
    VECTOR_PARTS = "LSL0123", "wrong number of components",
        what: "Finds `<...>` with other than three or four components.",
        why: "A vector has three and a rotation has four; the script does not compile.",
        example: "vector v = <1, 2>;",
        fix: "Write all components.";
    EMPTY_SCRIPT = "LSL0130", "no script",
        what: "Finds files with nothing but spaces and comments.",
        why: "There is nothing to check.",
        example: "// nothing here",
        fix: "Check the path. The smallest script is `default { state_entry() { } }`.";
    NO_DEFAULT = "LSL0131", "no `default` state",
        what: "Finds scripts without a `default` state.",
        why: "A script starts in its `default` state; without one it does not compile.",
        example: "integer a;\nstate open { state_entry() { } }",
        fix: "Add `default { ... }` before all other states.";
    DEFAULT_NOT_FIRST = "LSL0132", "`default` is not the first state",
        what: "Finds scripts with a state before `default`.",
        why: "The grammar wants `default` first; the script does not compile.",
        example: "state open { state_entry() { } }\ndefault { state_entry() { } }",
        fix: "Move the `default` state up.";
    EMPTY_STATE = "LSL0133", "state without a handler",
        what: "Finds states with nothing in them.",
        why: "A state needs at least one event handler; the script does not compile.",
        example: "default { }",
        fix: "Add a handler, if only `state_entry() { }`.";
    GLOBAL_AFTER_STATE = "LSL0134", "global behind a state",
        what: "Finds global variables and functions behind the first state.",
        why: "They must all stand before the `default` state; the script does not compile.",
        example: "default { state_entry() { } }\ninteger a;",
        fix: "Move them up.";
}
