//! PML02..: names.

codes! {
    UNDECLARED = "PML0201", "undeclared variable",
        what: "Finds variables that are used before, or without, a declaration.",
        why: "They have no type and no value.",
        example: "init { x = 1 }",
        fix: "Declare the variable before its first use.";
    REDECLARED = "PML0202", "declared twice",
        what: "Finds names that are declared again where the first declaration still counts: in the same block or in one around it, in the same type, or as a second process type, inline or claim.",
        why: "It could not be told which is meant.",
        example: "byte x; byte x; init { skip }",
        fix: "Rename one of the two.";
    NO_LABEL = "PML0203", "no such label",
        what: "Finds `goto` and `process@label` to labels that do not exist.",
        why: "There is nowhere to go.",
        example: "init { goto done }",
        fix: "Write the label before a statement of the process.";
    NO_PROCESS = "PML0204", "no such process type",
        what: "Finds `run` of and references to process types that are not declared.",
        why: "There is nothing to run.",
        example: "init { run worker() }",
        fix: "Declare the process type.";
    NO_FIELD = "PML0205", "no such field",
        what: "Finds fields that the type does not have, and fields of what is no structure.",
        why: "There is no such part.",
        example: "typedef T { byte a }; T t; init { t.b = 1 }",
        fix: "Use a field of the type.";
    NO_VARIABLE_THERE = "PML0206", "no such local variable in the process",
        what: "Finds `process:variable` where the process type has no such parameter or local.",
        why: "There is nothing to read.",
        example: "active proctype P() { skip } ltl { [] (P:x == 0) }",
        fix: "Name a parameter or local of the process type.";
    INLINE_RECURSION = "PML0207", "inline definition calls itself",
        what: "Finds inline definitions that call themselves.",
        why: "They stand for their text, which would have no end.",
        example: "inline f() { f() } init { f() }",
        fix: "Use a process type and `run`, or a loop.";
}
