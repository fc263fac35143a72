//! TB04..: `%%@` comments, options, and what is left out.

codes! {
    UNKNOWN_NOTE = "TB0401", "comment for Probity that is not understood",
        what: "Finds `%%@` comments that are neither a bound nor a property nor an observer.",
        why: "What was to be checked would be left out silently.",
        example: "%%@ proprety x: true\nprocess P is tau\ntoolbus(P)",
        fix: "Write `%%@ bound NAME = V`, `%%@ property NAME: FORMULA` or `%%@ observer PROCESS`.";
    BOUND = "TB0402", "bad bound",
        what: "Finds bounds that cannot be read.",
        why: "It is not known what is to be explored.",
        example: "%%@ bound bidder = many\nprocess P is tau\ntoolbus(P)",
        fix: "Write a number (`2 distinct`, if an event has texts of its own each time), a range `1..3`, `any`, or `polite` for `answers`.";
    UNKNOWN_BOUND = "TB0403", "bound of nothing",
        what: "Finds bounds for a name that is no tool, no event, no type and no quantity.",
        why: "It would have no effect.",
        example: "%%@ bound bider = 2\nprocess P is tau\ntoolbus(P)",
        fix: "Use the name of a tool, of an event, of a type (`int`, `str`), or `connections`, `processes`, `queue`, `answers`.";
    PROPERTY = "TB0404", "property that is not understood",
        what: "Finds properties that cannot be read, or that speak of actions that no script has.",
        why: "It would hold or fail for no reason.",
        example: "%%@ property p: always (\nprocess P is tau\ntoolbus(P)",
        fix: "Mend the formula; docs/tscript.md says what can be written.";
    NEVER_DONE = "TB0405", "property about what is never done",
        what: "Finds properties that speak of an action that scripts may have, but this one has not, or not with such terms.",
        why: "It may hold for no other reason, and is vacuous then; or that the action is missing is what it is to find.",
        example: "%%@ property p: [true* . subscribe(_) . (!unsubscribe(_))* . ends()] false\nprocess P is subscribe(a) . rec-note(a)\nprocess Q is snd-note(a)\ntoolbus(P, Q)",
        fix: "Nothing, if that is meant; else write the action that the script does.";
}
