//! TB01..: text that cannot be read.

codes! {
    OPEN_COMMENT = "TB0101", "comment without end",
        what: "Finds `/*` that no `*/` closes.",
        why: "Everything behind it would be ignored.",
        example: "process P is tau /* never closed\ntoolbus(P)",
        fix: "Close the comment.";
    OPEN_TEXT = "TB0102", "text without end",
        what: "Finds quotes and `<<` that are never closed.",
        why: "Everything behind would belong to the text.",
        example: "process P is printf(\"hello)\ntoolbus(P)",
        fix: "Close it.";
    UNEXPECTED = "TB0103", "something else expected",
        what: "Finds places where the text does not follow the grammar.",
        why: "It has no meaning.",
        example: "process P izz tau\ntoolbus(P)",
        fix: "Write what the message says is expected. Processes are joined by `.`, `+`, `+>`, `*`, `||` and `>>`; names of processes and variables begin with a capital letter, all others with a small one.";
    TOO_DEEP = "TB0104", "nested too deeply",
        what: "Finds processes and terms nested beyond the limit.",
        why: "The limit keeps bad input from exhausting the stack.",
        example: "process P is printf([[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]])\ntoolbus(P)",
        fix: "Split it up.";
    NUMBER = "TB0105", "number out of range",
        what: "Finds integers beyond 64 bits.",
        why: "They stand for no value.",
        example: "process P is printf(99999999999999999999)\ntoolbus(P)",
        fix: "Write a number that fits.";
    DIRECTIVE = "TB0106", "malformed preprocessor directive",
        what: "Finds `#` lines that are malformed or unknown, and `#ifdef` without `#endif`.",
        why: "It is not known which part of the text counts.",
        example: "#if 1\nprocess P is tau\ntoolbus(P)",
        fix: "Mend the directive.";
    INCLUDE = "TB0107", "file cannot be included",
        what: "Finds `#include` of files that cannot be read, and of files that include themselves without end.",
        why: "A part of the script is missing.",
        example: "#include \"missing.tb\"\nprocess P is tau\ntoolbus(P)",
        fix: "Check the name; it is looked for beside the file that includes it.";
    MACRO = "TB0108", "bad use of a macro",
        what: "Finds macros used with a wrong number of arguments, and ones whose expansion never ends or grows beyond measure.",
        why: "It cannot be expanded.",
        example: "#define two(a, b) a\nprocess P is printf(two(1))\ntoolbus(P)",
        fix: "Give one argument for each parameter.";
    NO_ATOM = "TB0109", "no such action",
        what: "Finds words used as an action that name none.",
        why: "Names of processes begin with a capital letter; words with a small letter are actions, and there is only a fixed set of them.",
        example: "process P is send-msg(a)\ntoolbus(P)",
        fix: "Use the action that the message suggests.";
    ARITY = "TB0110", "wrong number of arguments",
        what: "Finds actions, calls and built-in functions with too few or too many arguments.",
        why: "They have no meaning.",
        example: "process P is snd-note(a, b)\ntoolbus(P)",
        fix: "Give as many as the message says; a note is one term: `snd-note(a(b))`.";
}
