//! NOD02..: tables of kinds of nodes.

codes! {
    SYNTAX = "NOD0201", "line of a table that cannot be read",
        what: "Refuses a line of a table of node kinds that does not follow the form that docs/nodegraph.md describes.",
        why: "What the node does would be guessed.",
        example: "{\"nodegraph\": 1, \"kinds\": [\"kind Door\", \"  on Open -> Opened\"], \"nodes\": []}",
        fix: "Write what the message says is expected: here a `:` behind the input.";
}
