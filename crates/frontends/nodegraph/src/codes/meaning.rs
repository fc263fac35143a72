//! NOD03..: what the nodes of a graph mean.

codes! {
    UNKNOWN_KIND = "NOD0301", "kind of node not known",
        what: "Says that no table tells what nodes of a kind do. They are taken to pass each signal on to one of their outputs, at once, or later where the format says that the output is latent, and to change no flag.",
        why: "A node that does something else makes the verdicts wrong; they name the assumption.",
        example: "{\"nodegraph\": 1, \"nodes\": [{\"name\": \"a\", \"kind\": \"SummonDragon\", \"in\": [\"In\"], \"out\": [\"Out\"]}]}",
        fix: "Describe the kind in a table, in the file (`kinds`) or beside it (`--nodes FILE`).";
    ENTANGLED = "NOD0302", "too many orders of signals",
        what: "Refuses graphs in which forks and joins without any wait in between leave more orders of signals than are followed.",
        why: "A signal that forks goes one way first and then the other; which way is still to go is part of where it is.",
        example: "text",
        fix: "Check the graph with `--timing edges`, in which signals travel side by side.";
    PROPERTY = "NOD0303", "property that cannot be read",
        what: "Refuses a property that is no formula of CTL or LTL over flags, nodes and pins, or that names something that is not there.",
        why: "It could not be checked.",
        example: "{\"nodegraph\": 1, \"nodes\": [], \"properties\": {\"p\": \"AG (Evnet -> AF !Event)\"}}",
        fix: "Correct the name; docs/nodegraph.md lists what a formula may speak of.";
    CHECK = "NOD0304", "check that is not there",
        what: "Refuses a check of a name that does not exist, or without something that it needs to be told.",
        why: "It would silently not be done.",
        example: "{\"nodegraph\": 1, \"nodes\": [], \"checks\": [\"flag-left-on\"]}",
        fix: "Use a name from the list in docs/nodegraph.md.";
    UNREACHED = "NOD0305", "node that no signal reaches",
        what: "Finds nodes to which no chain of lines leads from where the script begins or an event comes in.",
        why: "A line is missing, or the node is left over: what it should do never happens.",
        example: "{\"nodegraph\": 1, \"nodes\": [{\"name\": \"start\", \"kind\": \"ScriptStart\"}, {\"name\": \"lost\", \"kind\": \"Delay\"}, {\"name\": \"end\", \"kind\": \"Delay\"}], \"links\": [\"lost.Finished -> end.Start\"]}",
        fix: "Connect it, or delete it.";
    NOT_SAID = "NOD0306", "claim left out of a translation",
        what: "Says that a check or a property is not in the SMV model, and why; a comment stands in its place.",
        why: "The model's verdicts are not about it: in the timing of the model it has no meaning.",
        example: "{\"nodegraph\": 1, \"nodes\": [{\"name\": \"start\", \"kind\": \"ScriptStart\"}, {\"name\": \"a\", \"kind\": \"PlaySE\"}], \"links\": [\"start.Out -> a.In\", \"a.Out -> a.In\"], \"checks\": [\"zero-time-loop\"]}",
        fix: "Ask `probity check`, in which signals take no time.";
    PIN = "NOD0307", "pin or setting that means nothing",
        what: "Finds nodes with a line to an input of which the table of their kind says nothing, a line from an output by which no rule of it sends a signal, or a data input or a setting that it does not name. Such a node is taken as unknown: any of its outputs may fire, or none, now and later, and flags that it writes may get any value.",
        why: "The engine does something with it, and a verdict that passed it over would be wrong. In our own format the pin mostly has another name.",
        example: "{\"nodegraph\": 1, \"nodes\": [{\"name\": \"start\", \"kind\": \"ScriptStart\"}, {\"name\": \"wait\", \"kind\": \"Delay\"}], \"links\": [\"start.Out -> wait.In\"]}",
        fix: "Use a pin that the kind has, or describe the kind in a table (`--nodes FILE`); `ignores NAME` there says that a pin or a setting bears on nothing.";
    FLAG = "NOD0308", "flag that is not named",
        what: "Finds nodes, in our own format, that write or read a flag and do not say which, or one that the file does not declare although it declares others; and conditions with a word that is no flag, no setting and no value of any. What such a word is may be anything, at each reading.",
        why: "What they are meant to do is not done; mostly the flag is misspelt.",
        example: "{\"nodegraph\": 1, \"flags\": {\"Lamp\": false}, \"nodes\": [{\"name\": \"start\", \"kind\": \"ScriptStart\"}, {\"name\": \"on\", \"kind\": \"SetFlag\", \"with\": {\"flag\": \"Lmap\"}}], \"links\": [\"start.Out -> on.Enable\"]}",
        fix: "Name a flag of the file, or declare it there.";
}
