//! MOB01..: syntax and preprocessing.

codes! {
    UNEXPECTED = "MOB0101", "text that is not C",
        what: "Refuses text that cannot be read as C11 with the common extensions of GNU C.",
        why: "Nothing can be said about a program that is not understood as a whole.",
        example: "int main(void) { return 1 +; }",
        fix: "Compile the file; write what the message says in another form if a compiler takes it.";
    OPEN = "MOB0102", "comment or text without end",
        what: "Finds comments without `*/` and texts without the closing quote on their line.",
        why: "The rest of the file would be part of it.",
        example: "int main(void) { return 0; } /* the end",
        fix: "Close it.";
    DIRECTIVE = "MOB0103", "bad directive",
        what: "Finds lines that begin with `#` and are no directives of the preprocessor, and `#error`.",
        why: "It is not known which text is meant.",
        example: "#els\nint main(void) { return 0; }",
        fix: "Correct the directive; define what an `#error` asks for with `-D`.";
    INCLUDE = "MOB0104", "file cannot be included",
        what: "Finds an `#include` of a file that is neither in the folder of the program nor one of the known headers.",
        why: "What it declares is not known.",
        example: "#include <secret.h>\nint main(void) { return 0; }",
        fix: "Put the file beside the program, or declare what the program uses of it.";
    MACRO = "MOB0105", "bad use of a macro",
        what: "Finds macros with a wrong number of arguments.",
        why: "There is nothing that they could stand for.",
        example: "#define F(a, b) a\nint main(void) { return F(1); }",
        fix: "Give one argument for each parameter.";
    NESTING = "MOB0106", "nests too deep",
        what: "Refuses brackets and operators that nest deeper than 60 levels.",
        why: "Each level takes room while the program is read.",
        example: "int x = ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))));",
        fix: "Split the expression or the function.";
}
