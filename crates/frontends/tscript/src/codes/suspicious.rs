//! TB03..: scripts that can be read, but hardly mean what they say.

codes! {
    NEVER_RECEIVED = "TB0301", "message that nobody can receive",
        what: "Finds `snd-msg` that no `rec-msg` of another process can match, and the other way round.",
        why: "Messages are handed over hand in hand: the process waits there for ever.",
        example: "process P is snd-msg(ping(1))\nprocess Q is rec-msg(pong(1))\ntoolbus(P, Q)",
        fix: "Make the two terms match: the same words, the same number of arguments, types that fit.";
    NEVER_READ = "TB0302", "note that nobody reads",
        what: "Finds `snd-note` whose note no `rec-note` can match, notes that are read but that no `subscribe` lets in, and subscriptions that no `rec-note` empties.",
        why: "The note is lost, or stays in a queue for ever.",
        example: "process P is snd-note(a)\nprocess Q is subscribe(b) . rec-note(b)\ntoolbus(P, Q)",
        fix: "Make the terms match, or take it out.";
    NEVER_SENT = "TB0303", "note that nobody sends",
        what: "Finds `rec-note` that no `snd-note` can match.",
        why: "The process waits there for ever.",
        example: "process Q is subscribe(b) . rec-note(b)\ntoolbus(Q)",
        fix: "Make the terms match, or take it out.";
    UNUSED = "TB0304", "process that is never started",
        what: "Finds processes that nothing calls, creates or starts.",
        why: "It is dead text, or its name is misspelt where it is used.",
        example: "process P is tau\nprocess Q is tau\ntoolbus(P)",
        fix: "Start it, or take it out.";
    NO_COUNTERPART = "TB0306", "no counterpart in mCRL2",
        what: "Refuses to write a script as processes of mCRL2 (`translate --to mcrl2`) where something in it has no counterpart there: time, what is preferred depending on what others offer, numbers that are no integers, functions on texts, numbers of processes.",
        why: "The model would not do what the script does.",
        example: "process P is let X : str in X := concat(\"a\", \"b\") . snd-msg(X) endlet\nprocess Q is rec-msg(<str>)\ntoolbus(P, Q)",
        fix: "Write the graph of all states instead (`--to mcrl2-states`).";
    PART = "TB0307", "part of a system",
        what: "Finds scripts that start no process, call one that is not defined, or send a message whose word nothing receives, or the other way round, and takes them for parts of a system: the rest of it belongs to the environment.",
        why: "As all that there is, they would wait for ever for what other scripts do.",
        example: "process P is rec-msg(start) . snd-msg(finished)\ntoolbus(P)",
        fix: "Say `--open` if this is meant; `--closed` if the script is all of its system.";
}
