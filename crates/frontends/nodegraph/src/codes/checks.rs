//! NOD04..: the checks that need no specification, one for each of [`crate::checks::CHECKS`].

codes! {
    LEFT_SET = "NOD0401", "flag-left-set: a flag stays set for ever",
        what: "Claims of each flag that some run sets and resets: whenever it is set, it is reset some time. The formula is `EF (flag & EF !flag) -> AG (flag -> AF !flag)`, as what is set once for all is no mode; if the file asks for the check, or if no line leads to a node that would reset the flag, it is `AG (flag -> AF !flag)`. Waits end, latches need not be reset.",
        why: "Event mode, input lock, cutscene bars: the game stays in them, and the player is stuck. It is the commonest bug of designers' scripts (Hasegawa and Yokogawa, section II-A).",
        example: "The False output of an If leads nowhere, so that on this way nobody resets EventMode: examples/nodegraph/event-mode/bug.json",
        fix: "Follow the run to the output that fires and leads nowhere, and draw the line that is missing.";
    LEFT_CHANGED = "NOD0402", "value-left-changed: music, camera or another value is not changed back",
        what: "Claims of each flag with several values that some run changes and changes back: whenever it is changed, it comes back to its first value.",
        why: "The boss's music goes on in the village.",
        example: "The player flees, and only the way of the victory changes the music: examples/nodegraph/boss-fight/boss-fight.json",
        fix: "Change it back on every way.";
    ANSWERED = "NOD0403", "never-answered: what should follow never comes",
        what: "Claims that whenever `when` holds, `then` holds some time: `AG (when -> AF then)`.",
        why: "Enemies that never respawn, doors that never open again.",
        example: "{\"check\": \"never-answered\", \"when\": \"dead\", \"then\": \"fired(Respawn.Out)\"}",
        fix: "Look for the wait or the branch on which the answer is left out.";
    DURING = "NOD0404", "wrong-during: a condition does not hold while a node is busy",
        what: "Claims that `holds` is true whenever the node is busy: while a clip plays, input is off.",
        why: "The player walks about in a cutscene.",
        example: "{\"check\": \"wrong-during\", \"node\": \"MovieClip3\", \"holds\": \"EventMode\"}",
        fix: "Set the flag before the node is started, and reset it behind its last output.";
    SOFTLOCK = "NOD0405", "softlock: the goal cannot be reached any more",
        what: "Claims that from each state that can be reached the goal can still be reached: `AG EF goal`.",
        why: "The game goes on, but can no longer be won.",
        example: "{\"check\": \"softlock\", \"goal\": \"QuestLog == done\"}",
        fix: "Give the state that the run ends in a way back.";
    REACHED = "NOD0406", "never-reached: a node is never reached",
        what: "Claims that some run brings a signal to the node: `EF entered(node)`.",
        why: "A line is missing, or a condition on the way is never true.",
        example: "{\"check\": \"never-reached\", \"node\": \"Reward\"}",
        fix: "Follow the lines backwards from the node to the first one that no signal takes.";
    JOIN = "NOD0407", "join-never-arrives: one branch of a join never arrives",
        what: "Claims of each node that waits for several signals: once one has arrived, the others do, or it is reset.",
        why: "What stands behind the join never happens.",
        example: "Only one of the two ways to a WaitAll is taken when the player flees: examples/nodegraph/boss-fight/boss-fight.json",
        fix: "Draw the missing line, or reset the join.";
    RETRIGGER = "NOD0408", "retrigger-while-waiting: a node is started anew while it waits",
        what: "Claims that no signal that starts a waiting node arrives while it waits.",
        why: "The wait begins anew, the first signal gets no answer, and what counts signals is wrong.",
        example: "Two lines lead to the Start of one Delay, from ways that run side by side.",
        fix: "Put a DoOnce in front, or use two nodes.";
    SETTERS = "NOD0409", "two-setters: a flag gets two values in one step",
        what: "Claims that no wave of signals sets a flag to two different values; in the timing of edges, that no two nodes do at once.",
        why: "Which one counts depends on the order in which lines were drawn.",
        example: "An event leads to SetEventMode.Enable and, by a second line, to SetEventMode.Disable.",
        fix: "Decide with a branch.";
    DROPPED = "NOD0410", "signal-dropped: a signal is lost at a node that waits",
        what: "Claims that no signal arrives at a node that, while it waits, ignores it.",
        why: "Who sent it waits for an answer that never comes.",
        example: "Unreal's Delay ignores a signal while it counts.",
        fix: "Use a node that can be restarted, or hold the signal back.";
    UNBALANCED = "NOD0411", "unbalanced: a flag is set to what it is already",
        what: "Claims that no node sets a flag to the value that it has: no Disable before Enable, no Enable twice.",
        why: "Where modes are counted or nested, the second one is never taken back.",
        example: "A loop that enables input anew each time round.",
        fix: "Move the node out of the loop, or guard it.";
    LATCH = "NOD0412", "latch-never-reset: a node that remembers can never be used again",
        what: "Claims of each node that remembers and does not wait (DoOnce, Gate, FlipFlop): from each state it can come back to its first one: `AG (busy -> EF !busy)`.",
        why: "A door that works once.",
        example: "A DoOnce whose Reset no line leads to.",
        fix: "Draw the line to Reset; or leave the check out where once is what is wanted.";
    LOOP = "NOD0413", "zero-time-loop: a signal goes round for ever in no time",
        what: "Claims that each wave of signals comes to rest. Only graphs whose lines go round without a wait are asked. That code which is called does not run events within one another for ever is assumed.",
        why: "The engine stops with an infinite loop, or the game freezes.",
        example: "A While whose body does not change its condition.",
        fix: "Put a wait into the loop.";
    TOGETHER = "NOD0414", "modes-together: modes that exclude each other hold at once",
        what: "Claims that no two of the conditions hold at once.",
        why: "A battle begins in a cutscene.",
        example: "{\"check\": \"modes-together\", \"modes\": [\"Cutscene\", \"Battle\"]}",
        fix: "Leave one mode before the other is entered.";
    OUTLIVES = "NOD0415", "outlives-owner: a node acts after its owner is gone",
        what: "Claims that once `gone` holds, the node fires no more.",
        why: "A delay that ends after its actor was destroyed touches what is not there.",
        example: "{\"check\": \"outlives-owner\", \"node\": \"Delay3\", \"gone\": \"Destroyed\"}",
        fix: "Cancel the wait where the owner goes.";
    STUCK = "NOD0416", "stuck: a condition can never be left",
        what: "Claims that from each state in which the condition holds, one can be reached in which it does not.",
        why: "A weaker form of flag-left-set: it asks only that there be a way out.",
        example: "{\"check\": \"stuck\", \"when\": \"InputOff\"}",
        fix: "Give it a way out.";
}
