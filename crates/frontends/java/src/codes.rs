//! The codes of this front end's diagnostics, each with its explanation. A code keeps its meaning for
//! ever.

use source::CodeDoc;

source::code_table! { "java";
    SYNTAX = "JAV0101", "text that is no Java",
        what: "Finds text that does not follow the grammar of Java, as far as Probity reads it.",
        why: "It is not known what it means; what stands behind it is not looked at.",
        example: "class Main { public static void main( }",
        fix: "Write what the message says is expected.";
    NAME = "JAV0201", "name that nothing declares",
        what: "Finds fields that a class does not have.",
        why: "It is not known what is meant.",
        example: "class Main {\n    static Main only;\n    public static void main(String[] args) { Main.onyl = null; }\n}",
        fix: "Declare the field, or write its name as it is declared.";
    MAIN = "JAV0202", "no `main`",
        what: "Finds programs without a method `main`, and second ones.",
        why: "It is not known which threads there are.",
        example: "class Client implements Runnable { public void run() { } }",
        fix: "Write a class with `public static void main(String[] args)` that starts the threads.";
    LARGE = "JAV0203", "too much code",
        what: "Finds programs with thousands of steps, once all calls are inlined.",
        why: "The analysis keeps a predicate for each step.",
        example: "class Main {\n    static Main only;\n    static void a() { only = null; only = null; only = null; only = null; only = null; only = null; only = null; only = null; only = null; only = null; only = null; only = null; only = null; only = null;  }\n    static void b() { a(); a(); a(); a(); a(); a(); a(); a(); a(); a(); a(); a(); a(); a();  }\n    static void c() { b(); b(); b(); b(); b(); b(); b(); b(); b(); b(); b(); b(); b(); b();  }\n    public static void main(String[] args) { c(); }\n}",
        fix: "Verify a part of the program on its own.";
    CHOICE = "JAV0301", "something that is not followed",
        what: "Finds conditions on numbers and texts, elements of arrays and collections, and the like. They may be anything in the analysis.",
        why: "A property that holds does so whatever they are. A run that depends on them may not exist, so a failure that needs one is not reported as such.",
        example: "class Main {\n    public static void main(String[] args) { int n = args.length; while (n > 0) { n = n - 1; } }\n}",
        fix: "Nothing has to be done. If a failure is not confirmed, use boolean variables or references in its place.";
    OUTSIDE = "JAV0302", "something outside of the subset",
        what: "Finds what may have effects that the analysis does not know: calls of most of the library, recursion, classes that are not in the file.",
        why: "Anything may happen there, so that no property is reported to hold.",
        example: "class Main {\n    public static void main(String[] args) { Unknown.call(); }\n}",
        fix: "Write the program without it, or leave out what it does not depend on.";
}

/// All tables.
pub const TABLES: &[&[CodeDoc]] = &[DOCS];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_fully_explained() {
        assert_eq!(source::incomplete(TABLES), Vec::<String>::new());
    }

    #[test]
    fn examples_show_what_they_are_about() {
        for doc in DOCS {
            let example = doc.example("java").expect("each has one");
            let loaded = crate::load("t.java", example);
            let found: Vec<&str> = loaded.diagnostics.iter().map(|d| d.code).collect();
            assert_eq!(found, [doc.code], "{example}");
        }
    }
}
