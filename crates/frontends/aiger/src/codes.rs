//! The codes of this front end's diagnostics, each with its explanation. A code keeps its meaning for
//! ever.

use source::CodeDoc;

source::code_table! { "aiger";
    HEADER = "AIG0101", "not an AIGER file",
        what: "Finds files whose first line is not the header of an AIGER file, text (`aag`) or binary (`aig`), and headers whose numbers contradict each other.",
        why: "It is not known what is in it.",
        example: "aag 0 1 0 1 0\n2\n2",
        fix: "The header is `aag M I L O A`, or with `B C J F` behind: the greatest variable, then how many inputs, latches, outputs, gates, bad states, constraints, justice properties and fairness constraints there are. M is at least I + L + A, and just that in a binary file.";
    LINE = "AIG0102", "malformed line",
        what: "Finds lines that do not hold what should be there, and files that end too early.",
        why: "The circuit is not the one that was meant.",
        example: "aag 1 1 0 1 0\n3\n2",
        fix: "Write what the message says. Files that were cut off, or changed as text though they are binary, must be made again.";
    CYCLE = "AIG0103", "gate that depends on itself",
        what: "Finds gates that depend on themselves without a latch in between.",
        why: "They have no value.",
        example: "aag 2 1 0 1 1\n2\n4\n4 4 2",
        fix: "Put a latch in between.";
    UNDEFINED = "AIG0104", "variable that nothing defines",
        what: "Finds literals of variables that are neither input nor latch nor gate.",
        why: "They have no value.",
        example: "aag 2 1 0 1 0\n2\n4",
        fix: "Define it, or use another one.";
    PROPERTY = "AIG0105", "property of a circuit",
        what: "Refuses texts of properties.",
        why: "A circuit states by itself what is to be checked: bad states and justice properties, or its outputs.",
        example: "`probity check door.aig --property 'always shut'`",
        fix: "Choose some of its properties by their names: `--property b0`.";
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

    /// The example of every explanation gives the diagnostic that it explains.
    #[test]
    fn examples_show_what_they_explain() {
        for doc in DOCS {
            let example = doc.example("aiger").expect("each has one");
            let extra_properties = match doc.code {
                PROPERTY => vec!["always shut".to_owned()],
                _ => Vec::new(),
            };
            let text = match doc.code {
                PROPERTY => "aag 0 0 0 0 0\n",
                _ => example,
            };
            let loaded = crate::load(
                "t.aag",
                text.as_bytes(),
                &crate::Options { extra_properties },
            );
            let found: Vec<&str> = loaded.diagnostics.iter().map(|d| d.code).collect();
            assert_eq!(found, [doc.code]);
        }
    }
}
