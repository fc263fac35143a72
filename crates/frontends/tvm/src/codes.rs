//! The codes of this front end's diagnostics, each with its explanation. A code keeps its meaning for
//! ever.

use source::CodeDoc;

source::code_table! { "tvm";
    SYNTAX = "TVM0101", "text that is no TVM",
        what: "Finds text that does not follow the grammar of TVM and TVS files, and directives and macros used badly.",
        why: "It is not known what it means; what stands behind it is not looked at.",
        example: "%p at(t\n%%\n%%",
        fix: "Write what the message says is expected.";
    INCLUDE = "TVM0102", "file that cannot be included",
        what: "Finds `#include` of a file that cannot be read.",
        why: "What is declared there is missing.",
        example: "#include \"no_such_file.tvm\"\n%%\n%%",
        fix: "Put the file beside the one that includes it.";
    PROPERTY = "TVM0103", "property that cannot be read",
        what: "Finds properties in comments (`//@ property`) and on the command line that are no formulas of linear time over formulas of TVM.",
        why: "It is not known what is to be verified.",
        example: "//@ property served: always (waiting -> );\n%p waiting()\n%%\n%%\n%initial { %n = {u} }",
        fix: "Write `//@ property NAME: FORMULA;` on one line, with operators such as `always`, `eventually`, `until`, `->` and `!`. Atoms are formulas of TVM without free variables; put them in braces if they have operators of their own.";
    NAME = "TVM0201", "name that nothing declares",
        what: "Finds names of predicates, sets, actions, threads, labels and individuals that are declared nowhere.",
        why: "It is not known what is meant.",
        example: "%%\n%%\n%%\nlook()\n%initial { %n = {u} }",
        fix: "Declare it, or write the name as it is declared.";
    ARITY = "TVM0202", "wrong number of arguments",
        what: "Finds predicates and actions that are used with more or fewer arguments than they are declared with.",
        why: "It is not known what is meant.",
        example: "%p busy(t)\n%%\n%action look() { %p busy() }\n%%\n%%\nlook()\n%initial { %n = {u} }",
        fix: "Give it as many arguments as its declaration says.";
    VARIABLE = "TVM0203", "variable that nothing binds",
        what: "Finds variables that stand for nobody: in a message or an update, if neither a quantifier nor the precondition has them; and in a definition, if they are no arguments.",
        why: "It is not known who is meant.",
        example: "%p busy(t)\n%%\n%action look() { %message busy(t) -> \"busy\" }\n%%\n%%\nlook()\n%initial { %n = {u} }",
        fix: "Bind it with `E(t)` or `A(t)`, or let the precondition speak of it.";
    TWICE = "TVM0204", "declared twice",
        what: "Finds predicates and actions that are declared twice, and predicates that an action updates twice.",
        why: "It is not known which one is meant.",
        example: "%p busy(t)\n%p busy(t)\n%%\n%%\n%initial { %n = {u} }",
        fix: "Take one of them away.";
    INITIAL = "TVM0205", "no initial configuration",
        what: "Finds models for which no configuration is stated in which runs begin.",
        why: "There is nothing to verify.",
        example: "%%\n%%",
        fix: "State it in a file of the same name with the extension `.tvs`, or at the end of the model as `%initial { ... }`.";
    BROKEN = "TVM0206", "initial configuration that breaks a rule",
        what: "Finds initial configurations that a rule of the model, an attribute of a predicate or a definition says cannot be.",
        why: "No run begins there; whatever is claimed would hold.",
        example: "%p held(l) unique\n%%\n%%\n%initial { %n = {a, b} %p = { held = {a, b} } }",
        fix: "Mend the configuration, or the rule.";
    UNSUPPORTED = "TVM0301", "feature that cannot be verified yet",
        what: "Finds what Probity knows of but cannot verify yet.",
        why: "A verdict that passed it over could be wrong.",
        example: "%p list(a, b, c)\n%%\n%%\n%initial { %n = {u} }",
        fix: "State it in another way.";
    DERIVED = "TVM0302", "update of a derived predicate",
        what: "Finds updates of predicates that have a definition (`%i`).",
        why: "Such a predicate is what its definition says, whatever an update says: the update is not used, so that a wrong one cannot hide an error.",
        example: "%p busy(t)\n%i some() = E(t) busy(t)\n%%\n%action look() { { some() = 1 } }\n%%\n%%\nlook()\n%initial { %n = {u} }",
        fix: "Nothing has to be done; the update may be taken away.";
    OUTPUT = "TVM0303", "choice of what is written",
        what: "Finds `%include` and `%exclude`, which choose the configurations that 3VMC writes into a file.",
        why: "Nothing is written into a file, and all configurations are verified: claims are not restricted to those that are chosen.",
        example: "%p busy(t)\n%%\n%%\n%%\n%initial { %n = {u} }\n%%\n%exclude E(t) busy(t)",
        fix: "Nothing has to be done. To restrict a claim, let the precondition of its action say of which configurations it speaks.";
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
            let example = doc.example("tvm").expect("each has one");
            let loaded = crate::load("t.tvm", example, &[], &|_| None);
            let found: Vec<&str> = loaded.diagnostics.iter().map(|d| d.code).collect();
            assert_eq!(found, [doc.code], "{example}");
        }
    }
}
