//! PML04..: allowed, but probably not what is meant.

codes! {
    ELSE_WITH_IO = "PML0401", "`else` beside channel operations",
        what: "Finds `else` in selections whose other options send or receive.",
        why: "At a rendezvous channel such an option does not count as executable, so `else` can be chosen although a partner is ready.",
        example: "chan c = [0] of { byte }; active proctype P() { byte x; if :: c?x :: else fi }",
        fix: "Ask with `len`, `full`, `empty` or a poll instead.";
    LATE_CHANNEL = "PML0402", "channel made at the beginning",
        what: "Finds declarations of channels behind the first statement of a process.",
        why: "The channel is made when the process starts, not when the declaration is reached.",
        example: "init { skip; chan c = [1] of { byte }; c!1 }",
        fix: "Move the declaration to the beginning.";
    NEVER_TRUE = "PML0403", "constant out of range",
        what: "Finds constants assigned to variables that cannot hold them.",
        why: "The value is cut off to the variable's width without a word.",
        example: "init { byte x = 300 }",
        fix: "Use a wider type.";
    LABEL_PLACE = "PML0404", "label where it has no place",
        what: "Finds labels on the first statement of an option, a block or an escape.",
        why: "That statement is no place of its own: control waits at the statement around it.",
        example: "init { do :: again: break od }",
        fix: "Put the label before the statement around it.";
    HIDDEN = "PML0405", "`hidden` is part of the state",
        what: "Notes variables declared `hidden`.",
        why: "SPIN leaves them out of the state and so may miss behaviour; here they count as any other variable.",
        example: "hidden byte x; init { x = 1 }",
        fix: "Nothing needs to be done; expect more states than SPIN counts.";
    PC_VALUE = "PML0406", "`pc_value` is a number of its own",
        what: "Notes uses of `pc_value`.",
        why: "The numbers are positions in this front end's table of control points, not those of SPIN.",
        example: "active proctype P() { skip } never { do :: pc_value(0) == 1 -> break :: else od }",
        fix: "Refer to a label: `P[0]@label`.";
    IGNORED_C = "PML0407", "embedded C code passed over",
        what: "Names embedded C code that is passed over because `--ignore-c` asks for it.",
        why: "Whatever the code does is not part of the verdicts: it was looked at only for calls that print, or stands where nothing runs.",
        example: "init { c_code { printf(\"x\"); } }",
        fix: "Nothing needs to be done; to be sure, take the code out of the model.";
    PRINT_ARGUMENTS = "PML0408", "text and values to print do not match",
        what: "Finds `printf` with more or fewer values than its text has places for.",
        why: "Values are left out, or places stay empty.",
        example: "init { printf(\"%d and %d\", 1) }",
        fix: "Give one value for each `%`.";
    WRAPPED = "PML0409", "number that turns negative",
        what: "Finds numbers above 2147483647 that fit 32 bits without a sign.",
        why: "Arithmetic is that of a 32-bit `int`, as in SPIN: the number stands for a negative one.",
        example: "init { int mask = 4278190080 }",
        fix: "Write the negative number, to say that it is meant.";
}
