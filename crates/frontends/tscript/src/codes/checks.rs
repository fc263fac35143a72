//! TB05..: what is checked of every script, no formula needed. The title of each begins with the name
//! of the property, capitals standing for a name of the script.

codes! {
    DEADLOCK = "TB0501", "deadlock: nothing can happen any more",
        what: "Claims that something can happen until all processes have ended or the bus is shut down.",
        why: "Everybody waits, and nobody will come.",
        example: "process P is rec-msg(a) . snd-msg(b)\nprocess Q is rec-msg(b) . snd-msg(a)\ntoolbus(P, Q)",
        fix: "Look at where each process waits at the end of the run, and let one of them go first.";
    WEDGE = "TB0502", "wedge-PROCESS: a process waits for ever, whatever the others do",
        what: "Claims of each process that it can always come to move again (`AG EF` it can move), unless it has ended.",
        why: "The system seems to run, but a part of it is dead.",
        example: "process P is rec-msg(go) . printf(\"done\")\nprocess Q is ( tau + tau ) * snd-msg(go)\nprocess R is rec-msg(go) . delta\ntoolbus(P, Q, R)",
        fix: "Add an alternative where it waits: for the note that it has missed, or for the tool that has gone.";
    EARLY = "TB0503", "early-notes: a note is sent before its reader has subscribed",
        what: "Claims that no note is sent while a process is on its way to subscribe to it: one that has been started, and has only to do what waits for nobody.",
        why: "The note is lost to it. Between `create` and the new process's `subscribe` others may go first.",
        example: "process Reader is subscribe(news) . rec-note(news)\nprocess Main is let Pid : int in create(Reader, Pid?) . snd-note(news) endlet\ntoolbus(Main)",
        fix: "Let the new process say that it has subscribed: `subscribe(news) . snd-msg(ready)`, and wait for that.";
    STALE = "TB0504", "stale-NOTE: a note of an earlier round is read in a later one",
        what: "Claims that nobody reads a note of an earlier round of its sender when he has heard of a later one: by a message of the sender's, or by a note that was sent in it. A process begins a round each time it comes back to its outermost `*`, if a note of a round may be followed by another note or a message.",
        why: "What the note says is no longer so, but it is taken for news: the end of the last sale ends this one.",
        example: "process Shop is ( snd-note(open) . snd-note(price) ) * delta\nprocess Buyer is subscribe(open) . subscribe(price) . ( rec-note(open) + rec-note(price) ) * delta\ntoolbus(Shop, Buyer)",
        fix: "Read all notes of a round before the next one is heard of; let notes name their round, and read by that name.";
    OUTDATED = "TB0505", "outdated-MESSAGE: a message is taken from who has yet to read of an earlier round",
        what: "Claims that a process that sends notes in rounds takes no message from who has not yet read a note of an earlier round.",
        why: "The message speaks of what is no longer so: a bid for an item that has been sold is taken as one for the next.",
        example: "process Shop is ( snd-note(sold) . ( rec-msg(bid) + tau ) ) * delta\nprocess Buyer is subscribe(sold) . ( snd-msg(bid) + rec-note(sold) ) * delta\ntoolbus(Shop, Buyer)",
        fix: "Send only if no such note waits, `snd-msg(bid) +> rec-note(sold)`, or let the message name the round that it is for.";
    HANDLED = "TB0506", "handled-EVENT: nobody will ever listen for a tool's event again",
        what: "Claims that, while a tool that sends this event is connected, some process can come to listen to that tool for it.",
        why: "The tool's user presses the button, and nothing happens.",
        example: "process P is let T : t in execute(t, T?) . rec-event(T, quit) . ( rec-msg(go) . rec-msg(go) ) * delta endlet\nprocess Q is ( snd-msg(go) . snd-msg(go) ) * delta\ntoolbus(P, Q)",
        fix: "Listen in the outer loop, or disconnect the tool.";
    ACKNOWLEDGED = "TB0507", "acknowledged-EVENT: a tool's event is never acknowledged",
        what: "Claims of each event that the script acknowledges somewhere: as long as the tool stays, it can be acknowledged.",
        why: "An event that has not been acknowledged is not sent again: the tool is mute.",
        example: "process P is let T : t in execute(t, T?) . ( rec-event(T, key) . ( tau . snd-ack-event(T, key) + printf(\"lost\") ) ) * delta endlet\ntoolbus(P)",
        fix: "Acknowledge it on every way, also where it is refused.";
    ANSWERED = "TB0508", "answered-TOOL: nobody takes the answer that a tool was asked for",
        what: "Claims that, as long as the tool stays, the value of each `snd-eval` can be taken.",
        why: "A tool that has been asked is busy until its value is taken: it will not be asked again.",
        example: "process P is let T : t, N : int in execute(t, T?) . snd-eval(T, f) . ( rec-value(T, v(N?)) + rec-msg(stop) . delta ) . tau endlet\nprocess Q is snd-msg(stop)\ntoolbus(P, Q)",
        fix: "Take the value, also where it is not wanted any more.";
    UNSUBSCRIBED = "TB0509", "unsubscribed: a process ends with a subscription left",
        what: "Claims (in the dialect ng) that no process ends without having undone its subscriptions.",
        why: "Notes go on piling up for it: the bus in Java keeps the process and its queue.",
        example: "process P is subscribe(a) . rec-note(a)\nprocess Q is snd-note(a)\ntoolbus(P, Q)",
        fix: "`unsubscribe` on every way to the end.";
    QUEUES = "TB0510", "queues: a queue of notes grows without bound",
        what: "Claims that no queue of notes grows without bound. It fails if a run comes back to where it was, but for one queue that has grown and of which nothing else depends: then it can be repeated for ever.",
        why: "Memory runs out; whoever can make it happen can stop the bus.",
        example: "process P is subscribe(a) . rec-msg(go) . rec-note(a)\nprocess Q is snd-note(a) * snd-msg(go)\ntoolbus(P, Q)",
        fix: "Send fewer notes than are read: ask before sending, or unsubscribe when there is no time to read.";
    EXPRESSIONS = "TB0511", "expressions: an expression has no value",
        what: "Claims that each expression has a value when it is computed.",
        why: "The bus prints an error, and goes on with something else.",
        example: "process P is let L : list, X : term in L := [] . X := first(L) endlet\ntoolbus(P)",
        fix: "Ask before: `if not(equal(L, [])) then ... fi`.";
}

/// The codes of what is checked of every script, in the order of their numbers.
pub const ALL: &[&str] = &[
    DEADLOCK,
    WEDGE,
    EARLY,
    STALE,
    OUTDATED,
    HANDLED,
    ACKNOWLEDGED,
    ANSWERED,
    UNSUBSCRIBED,
    QUEUES,
    EXPRESSIONS,
];
