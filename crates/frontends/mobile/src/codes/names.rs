//! MOB02..: names and types.

codes! {
    UNKNOWN = "MOB0201", "unknown name",
        what: "Finds names of variables that are declared nowhere.",
        why: "They have no value.",
        example: "int main(void) { return x; }",
        fix: "Declare the name, or include the header that does.";
    NO_MAIN = "MOB0202", "no function to begin with",
        what: "Finds programs without a function `main`.",
        why: "It is not known where a run begins.",
        example: "int x;",
        fix: "Define `main`.";
    TYPE = "MOB0203", "type does not fit",
        what: "Finds members that a structure does not have, calls of what is no function, sizes of what has none, and the like.",
        why: "The expression has no value.",
        example: "struct s { int a; } x; int main(void) { return x.b; }",
        fix: "Compile the file; a compiler says more.";
}
