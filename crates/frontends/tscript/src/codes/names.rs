//! TB02..: names and types.

codes! {
    NO_PROCESS = "TB0201", "no such process",
        what: "Finds calls, `create` and `toolbus` of processes that are not defined.",
        why: "Nothing can run.",
        example: "process P is Q\ntoolbus(P)",
        fix: "Define the process, or mend its name.";
    NO_VARIABLE = "TB0202", "no such variable",
        what: "Finds names with a capital letter that no `let` and no parameter declares.",
        why: "They have no value; a word that is meant as itself begins with a small letter.",
        example: "process P is X := 3\ntoolbus(P)",
        fix: "Declare it: `let X : int in ... endlet`.";
    TWICE = "TB0203", "defined twice",
        what: "Finds processes that are defined twice.",
        why: "It is not clear which is meant.",
        example: "process P is tau\nprocess P is delta\ntoolbus(P)",
        fix: "Give one of them another name.";
    RECURSION = "TB0204", "process that calls itself",
        what: "Finds processes that call themselves, directly or through others.",
        why: "A call stands for the text of the process, so the text would never end.",
        example: "process P is tau . P\ntoolbus(P)",
        fix: "Repeat with `*`, or start another instance with `create`.";
    RESULT = "TB0205", "result where none is given",
        what: "Finds arguments without `?` for parameters that have one, arguments with `?` for those that have none, and assignments to what is no variable.",
        why: "A value could not come back.",
        example: "process Q(X : int?) is X := 1\nprocess P is Q(3)\ntoolbus(P)",
        fix: "Pass a variable as `V?`.";
    NOTHING_STARTED = "TB0206", "nothing is started",
        what: "Finds scripts without `toolbus(...)`.",
        why: "Nothing runs, so there is nothing to check; a file that is made to be included is checked by checking what includes it.",
        example: "process P is tau",
        fix: "Say which processes start: `toolbus(P)`.";
    TYPE = "TB0207", "value of another type",
        what: "Finds assignments and arguments whose type cannot be that of the variable.",
        why: "The ToolBus refuses them.",
        example: "process P is let N : int in N := \"abc\" endlet\ntoolbus(P)",
        fix: "Change the type or the value.";
    TOO_LARGE = "TB0208", "process too large",
        what: "Finds processes that have more than a hundred thousand actions, with those of the processes that they call.",
        why: "They could not be explored.",
        example: "process A is tau.tau.tau.tau.tau.tau.tau.tau.tau.tau\nprocess B is A.A.A.A.A.A.A.A.A.A\nprocess C is B.B.B.B.B.B.B.B.B.B\nprocess D is C.C.C.C.C.C.C.C.C.C\nprocess E is D.D.D.D.D.D.D.D.D.D\nprocess F is E.E\ntoolbus(F)",
        fix: "Start parts with `create`.";
    DUPLICATE_TOOL = "TB0209", "tool defined twice",
        what: "Finds tools that are defined twice.",
        why: "It is not clear which is meant.",
        example: "tool t is { command = \"a\" }\ntool t is { command = \"b\" }\nprocess P is tau\ntoolbus(P)",
        fix: "Give one of them another name.";
}
