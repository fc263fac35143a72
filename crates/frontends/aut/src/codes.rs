//! The codes of this front end's diagnostics, each with its explanation. A code keeps its meaning for
//! ever.

use source::CodeDoc;

source::code_table! { "aut";
    HEADER = "AUT0101", "not a graph in Aldebaran's format",
        what: "Finds files that do not begin with `des`, and headers that the transitions contradict.",
        why: "It is not known what is in it, or a part is missing.",
        example: "des (0, 2, 2)\n(0, \"a\", 1)",
        fix: "The header is `des (first state, number of transitions, number of states)`; states are numbered from 0 on. A file that was cut off must be made again.";
    LINE = "AUT0102", "malformed transition",
        what: "Finds lines that are no transitions, and states that there are not.",
        why: "The graph is not the one that was meant.",
        example: "des (0, 1, 2)\n(0, \"a\")",
        fix: "A transition is `(from, \"label\", to)` on a line of its own.";
    FORMULA = "AUT0201", "formula that cannot be read",
        what: "Finds formulas of the mu-calculus that are none.",
        why: "It is not known what is to be checked.",
        example: "des (0, 1, 2)\n(0, \"a\", 1)\n[a true",
        fix: "Write what the message says. Formulas are those of mCRL2, with data and regular formulas; see `docs/aut.md`.";
    SECTION = "AUT0202", "declaration that is not read",
        what: "Refuses formulas that bring functions of their own: `map`, `eqn`, `cons`, `var`, `glob` or `proc`.",
        why: "What they mean decides what the formula means.",
        example: "des (0, 1, 2)\n(0, \"a\", 1)\nmap f: Nat; form [a]true;",
        fix: "Write the formula without them; `sort` and `act` are read.";
    NEVER = "AUT0203", "action that no label has",
        what: "Warns of actions in formulas that stand in no label, with that number of arguments.",
        why: "Often the name is written differently; `[a]` of such an action always holds, `<a>` never.",
        example: "des (0, 1, 2)\n(0, \"send(1)\", 1)\n[sent(1)]false",
        fix: "Compare the name and the number of arguments with the labels.";
}

/// The explanations of all codes.
pub const TABLES: &[&[CodeDoc]] = &[DOCS];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_fully_explained() {
        assert_eq!(source::incomplete(TABLES), Vec::<String>::new());
    }

    /// The example of every explanation gives the diagnostic that it explains; behind the graph stands a
    /// formula.
    #[test]
    fn examples_show_what_they_explain() {
        for doc in DOCS {
            let example = doc.example("aut").expect("each has one");
            let mut lines: Vec<&str> = example.lines().collect();
            let formula = match doc.code {
                HEADER | LINE => None,
                _ => lines.pop(),
            };
            let options = crate::Options {
                extra_properties: formula.into_iter().map(str::to_owned).collect(),
                ..crate::Options::default()
            };
            let loaded = crate::load("t.aut", &lines.join("\n"), &options);
            let found: Vec<&str> = loaded.diagnostics.iter().map(|d| d.code).collect();
            assert_eq!(found, [doc.code]);
        }
    }
}
