//! LSL02..: names that mean nothing, or two things.

codes! {
    UNKNOWN_VARIABLE = "LSL0201", "unknown name",
        what: "Finds names that no variable or builtin constant has at that place.",
        why: "The script does not compile. A variable is known from its declaration to the end of its block; a global initialiser knows the globals before it only.",
        example: "integer total;\ntoatl = 1;",
        fix: "Correct the spelling, or declare the variable before its use.";
    UNKNOWN_FUNCTION = "LSL0202", "unknown function",
        what: "Finds calls of functions that neither the script nor Second Life has.",
        why: "The script does not compile.",
        example: "llSya(0, \"hello\");",
        fix: "Correct the spelling. Upper and lower case count.";
    UNKNOWN_EVENT = "LSL0203", "unknown event",
        what: "Finds handlers for events that Second Life does not have.",
        why: "The script does not compile.",
        example: "default { touch_begin(integer n) { } }",
        fix: "Correct the spelling.";
    UNKNOWN_STATE = "LSL0204", "unknown state",
        what: "Finds `state` statements whose state the script does not have.",
        why: "The script does not compile.",
        example: "state opne;",
        fix: "Correct the spelling, or add the state.";
    UNKNOWN_LABEL = "LSL0205", "unknown label",
        what: "Finds `jump` statements whose label the function or handler does not have.",
        why: "The script does not compile: a jump cannot leave its function.",
        example: "jump out;",
        fix: "Add `@out;` where the jump should arrive.";
    DUPLICATE = "LSL0206", "declared twice",
        what: "Finds two variables in one block, two parameters, or two of a script's global variables, functions and states with the same name.",
        why: "The script does not compile.",
        example: "integer a;\nfloat a;",
        fix: "Rename one of them.";
    DUPLICATE_HANDLER = "LSL0207", "event handled twice",
        what: "Finds two handlers for one event in one state.",
        why: "Only one of them can run; the compiler refuses the script.",
        example: "default { timer() { } timer() { } }",
        fix: "Merge them.";
    DUPLICATE_LABEL = "LSL0208", "label declared twice",
        what: "Finds two labels of one name in a function or handler.",
        why: "Mono refuses to save the script; the older machine jumps to the wrong one.",
        example: "@again;\nif (TRUE) { @again; }\njump again;",
        fix: "Rename one of them.";
    BUILTIN_NAME = "LSL0209", "name belongs to Second Life",
        what: "Finds variables named as a builtin constant, globals, functions or states named as a library function, and functions named as an event.",
        why: "The compiler knows these names as words of their own and refuses others of that name.",
        example: "integer PI = 3;",
        fix: "Choose another name.";
    ASSIGN_CONSTANT = "LSL0210", "assignment to a constant",
        what: "Finds assignments to builtin constants.",
        why: "They cannot change; the script does not compile.",
        example: "TRUE = 0;",
        fix: "Use a variable.";
    NOT_A_VARIABLE = "LSL0211", "function used as a variable",
        what: "Finds the name of a function without a call.",
        why: "Functions are not values in LSL.",
        example: "vector p = llGetPos;",
        fix: "Call it: `llGetPos()`.";
    NOT_A_FUNCTION = "LSL0212", "variable used as a function",
        what: "Finds calls of something that is a variable or a constant.",
        why: "Only functions can be called.",
        example: "integer price;\nprice(3);",
        fix: "Use an operator, or call the function that was meant.";
}
