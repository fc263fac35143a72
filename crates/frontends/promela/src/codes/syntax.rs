//! PML01..: text that cannot be read.

codes! {
    OPEN_COMMENT = "PML0101", "comment without end",
        what: "Finds `/*` that no `*/` closes.",
        why: "Everything behind it would be ignored.",
        example: "init { skip } /* never closed",
        fix: "Close the comment.";
    OPEN_TEXT = "PML0102", "text without end",
        what: "Finds a `\"` that is not closed on its line.",
        why: "It cannot be told where the text ends.",
        example: "init { printf(\"hello) }",
        fix: "Close the text on the same line.";
    UNEXPECTED = "PML0103", "something else expected",
        what: "Finds places where the text does not follow Promela's grammar.",
        why: "It has no meaning.",
        example: "init { x = }",
        fix: "Write what the message says is expected.";
    DIRECTIVE = "PML0104", "bad preprocessor directive",
        what: "Finds `#` lines that are malformed or unknown, and `#if` without `#endif`.",
        why: "It is not known which part of the text counts.",
        example: "#if 1\ninit { skip }",
        fix: "Mend the directive.";
    INCLUDE = "PML0105", "file cannot be included",
        what: "Finds `#include` of files that cannot be read, and of files that include themselves without end.",
        why: "A part of the model is missing.",
        example: "#include \"missing.h\"\ninit { skip }",
        fix: "Check the name; it is looked for beside the file that includes it.";
    MACRO = "PML0106", "bad use of a macro",
        what: "Finds macros used with a wrong number of arguments, and ones whose expansion never ends or grows beyond measure.",
        why: "It cannot be expanded.",
        example: "#define two(a, b) a\ninit { two(1) }",
        fix: "Give one argument for each parameter.";
    TOO_DEEP = "PML0107", "nested too deeply",
        what: "Finds expressions and statements nested beyond the limit.",
        why: "The limit keeps bad input from exhausting the stack.",
        example: "init { ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1)))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))) }",
        fix: "Split it up.";
    NUMBER = "PML0108", "number out of range",
        what: "Finds numbers that do not fit 32 bits, with or without a sign.",
        why: "Arithmetic is that of a 32-bit `int`.",
        example: "init { int x = 99999999999 }",
        fix: "Write a number between -2147483648 and 2147483647.";
}
