//! The codes of this front end's diagnostics, each with its explanation. A code keeps its meaning for
//! ever.

use source::CodeDoc;

source::code_table! { "wasm";
    INVALID = "WSM0101", "not a valid module",
        what: "Refuses files that are not valid WebAssembly, modules or components, and those that use proposals that are not read: types of garbage collection, memories of 64 bits, stack switching, and others that are not part of the standard yet.",
        why: "A host would not run it, or it is not known what it does.",
        example: "(module (func (export \"run\") (result i32)))",
        fix: "Build the module again, without the proposal that the message names.";
    TOO_LARGE = "WSM0102", "larger than is read",
        what: "Refuses modules with more instructions or locals, or components that nest deeper, than are read.",
        why: "What is looked at in part only says nothing about the rest.",
        example: "a function with three million instructions",
        fix: "Check the parts that the policy is about as modules of their own, or build with optimisation for size.";
    NOT_FOLLOWED = "WSM0201", "not followed",
        what: "Lists what the module does in a way that is not followed: instructions of threads and of exceptions, calls that nest too deep, modules that are imported, and the like.",
        why: "A run that comes there may do anything afterwards. What can fail then is *not known*; what does not depend on it is answered.",
        example: "(module (memory 1 1 shared) (func (export \"run\") (drop (i32.atomic.load (i32.const 0)))))",
        fix: "Build without these instructions, or leave it: if no run comes there, nothing changes.";
    NOT_ANSWERED = "WSM0202", "part of the policy that is not about modules",
        what: "Finds rules about secrets (`high`, `args`) and orders of moves in a policy for a module.",
        why: "A module has no variables that a policy could name, and does not move. The rule is *not known*.",
        example: "deny to public { permission function send high }",
        fix: "Check what functions are called with which texts; leave the rule for programs in C.";
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
            let example = doc.example("wasm").expect("each has one");
            let many = format!("(module (func {}))", "nop ".repeat(3_000_000));
            let (text, policy) = match doc.code {
                NOT_ANSWERED => ("(module)", example),
                TOO_LARGE => (many.as_str(), ""),
                _ => (example, ""),
            };
            let binary = wat::parse_str(text).expect("the examples are modules");
            let options = crate::Options {
                policies: vec![("t.policy".to_owned(), policy.to_owned())],
                ..crate::Options::default()
            };
            let loaded = crate::load("t.wasm", &binary, &options);
            let found: Vec<&str> = loaded.diagnostics.iter().map(|d| d.code).collect();
            assert_eq!(found, [doc.code], "{example}");
        }
    }
}
