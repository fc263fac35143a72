//! SMV01..: text that cannot be read.

codes! {
    OPEN_COMMENT = "SMV0101", "comment without end",
        what: "Finds `/--` that no `--/` closes.",
        why: "Everything behind it would be ignored.",
        example: "MODULE main /-- never closed",
        fix: "Close the comment.";
    UNEXPECTED = "SMV0102", "something else expected",
        what: "Finds places where the text does not follow SMV's grammar. One-letter words such as `A`, `S`, `U` are operators of temporal logic and no names.",
        why: "It has no meaning.",
        example: "MODULE main\nVAR S : boolean;",
        fix: "Write what the message says is expected.";
    TOO_DEEP = "SMV0103", "nested too deeply",
        what: "Finds expressions, types and definitions nested beyond the limit.",
        why: "The limit keeps bad input from exhausting the stack.",
        example: "MODULE main\nINIT ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((TRUE))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))",
        fix: "Split it up.";
    NUMBER = "SMV0104", "number out of range",
        what: "Finds integers beyond 32 bits, and words beyond 4096 bits or beyond their own width.",
        why: "It stands for no value.",
        example: "MODULE main\nVAR x : 0..99999999999;",
        fix: "Write a number that fits.";
    EMPTY = "SMV0105", "semicolon with nothing before it",
        what: "Finds a second semicolon in a row.",
        why: "It means nothing, and other tools for SMV refuse it.",
        example: "MODULE main\nVAR x : boolean;;",
        fix: "Leave it out.";
    DIRECTIVE = "SMV0106", "bad preprocessor directive",
        what: "Finds `#` lines that are malformed or unknown, and `#if` without `#endif`.",
        why: "It is not known which part of the text counts.",
        example: "#if 1\nMODULE main",
        fix: "Mend the directive.";
    INCLUDE = "SMV0107", "file cannot be included",
        what: "Finds `#include` of files that cannot be read, and of files that include themselves without end.",
        why: "A part of the model is missing.",
        example: "#include \"missing.smv\"\nMODULE main",
        fix: "Check the name; it is looked for beside the file that includes it.";
    MACRO = "SMV0108", "bad use of a macro",
        what: "Finds macros used with a wrong number of arguments, and ones whose expansion never ends or grows beyond measure.",
        why: "It cannot be expanded.",
        example: "#define two(a, b) a\nMODULE main\nINIT two(TRUE)",
        fix: "Give one argument for each parameter.";
    M4 = "SMV0109", "macros of m4",
        what: "Finds models that are written for the macro processor m4.",
        why: "Only the preprocessor of C is known here.",
        example: "define(N, 2)\nMODULE main\nVAR x : 0..N;",
        fix: "Run `m4 model.smv > plain.smv`, and check what comes out.";
}
