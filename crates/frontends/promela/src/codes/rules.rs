//! PML03..: rules about where things may stand and how they go together.

codes! {
    EMBEDDED_C = "PML0301", "embedded C code",
        what: "Refuses `c_code`, `c_expr`, `c_decl`, `c_state` and `c_track`.",
        why: "They are text in another language that SPIN compiles into the verifier; their effects on the state are not known.",
        example: "init { c_code { x = 1; } }",
        fix: "Write it in Promela.";
    ARGUMENTS = "PML0302", "wrong number of arguments",
        what: "Finds `run` and calls of inline definitions with a number of arguments other than that of the parameters.",
        why: "A parameter would have no value.",
        example: "proctype P(byte x) { skip } init { run P() }",
        fix: "Give one argument for each parameter.";
    MESSAGE = "PML0303", "message does not fit its channel",
        what: "Finds sends and receives with more fields than the channel's messages have.",
        why: "There is no place for them.",
        example: "chan c = [1] of { byte }; init { c!1,2 }",
        fix: "Send as many values as the channel's type has fields.";
    NOT_A_CHANNEL = "PML0304", "not a channel",
        what: "Finds channel operations on variables that are no channels.",
        why: "Only channels hold messages.",
        example: "byte x; init { x!1 }",
        fix: "Declare the variable as `chan`.";
    INDEX = "PML0305", "array and index do not go together",
        what: "Finds arrays without an index, indices of what is no array, and constant indices outside of the array.",
        why: "There is no such element.",
        example: "byte a[3]; init { a[3] = 1 }",
        fix: "Give an index between 0 and the length less one.";
    STRUCTURE = "PML0306", "structure used as a value",
        what: "Finds whole structures where a number is needed.",
        why: "Structures are only sent, received and passed as a whole.",
        example: "typedef T { byte a }; T t; init { t = 1 }",
        fix: "Name a field.";
    NOT_CONSTANT = "PML0307", "constant needed",
        what: "Finds lengths, capacities and widths that are no positive constants.",
        why: "They fix the layout of the state.",
        example: "byte a[0]; init { skip }",
        fix: "Write a positive number or a macro for one.";
    MISPLACED = "PML0308", "not allowed here",
        what: "Finds `break` outside of loops, `else` outside of selections or twice in one, `return` outside of inline definitions, jumps into and out of `d_step`, and the like.",
        why: "It has no meaning there.",
        example: "init { break }",
        fix: "Move it to where the message says.";
    RUN = "PML0309", "`run` not allowed here",
        what: "Finds more than one `run` in an expression, and `run` in initialisers, claims, conditions of `&&` and `||`, and `d_step` guards.",
        why: "Starting a process is an effect, and an expression has at most one.",
        example: "proctype P() { skip } init { (run P() + run P()) }",
        fix: "Start processes in statements of their own.";
    NOT_IN_PROPERTY = "PML0310", "not allowed in a claim",
        what: "Finds statements with effects in claims, and temporal operators outside of `ltl`.",
        why: "A claim only observes.",
        example: "byte x; never { x = 1 } init { skip }",
        fix: "Use conditions only.";
    EMPTY = "PML0311", "sequence without a statement",
        what: "Finds blocks and options that hold no statement.",
        why: "There would be nothing to execute.",
        example: "init { if :: fi }",
        fix: "Write `skip`.";
    GOTO_LOOP = "PML0312", "jumps that never end",
        what: "Finds `goto` that leads to itself through other jumps only.",
        why: "No statement would ever be reached.",
        example: "init { a: goto b; b: goto a }",
        fix: "Jump to a statement.";
    TOO_LARGE = "PML0313", "too large",
        what: "Finds claims that read more different conditions than an automaton can, claims whose variables take too many values, and arrays beyond the limit.",
        why: "It could not be handled in reasonable memory.",
        example: "byte a[99999999]; init { skip }",
        fix: "Make it smaller.";
    UNSUPPORTED = "PML0314", "not supported",
        what: "Names constructs of Promela that this front end does not handle.",
        why: "A verdict that ignored them would be wrong.",
        example: "init { skip } never { byte x[3]; skip }",
        fix: "Write the model without it.";
    NO_PROCESSES = "PML0315", "nothing to run",
        what: "Finds models without `init` and without active process types.",
        why: "There is no behaviour to verify.",
        example: "byte x;",
        fix: "Add `init { ... }` or write `active` before a process type.";
}
