//! The codes of this front end's diagnostics, each with its explanation.
//!
//! A code stands here once, together with the text that `explain` prints.
//! LSL01.. is syntax, LSL02.. names, LSL03.. types and rules, LSL04.. what is
//! allowed but probably not meant, LSL05.. annotations, LSL06.. what cannot be
//! turned into a program, LSL07.. what goes wrong with money, LSL08.. linkset files.
//! Checks have names. A code keeps its meaning for ever.

use source::CodeDoc;

macro_rules! codes {
    ($($table:tt)*) => {
        source::code_table! { "lsl"; $($table)* }
    };
}

pub(crate) mod checks;
pub(crate) mod habits;
pub(crate) mod linkset;
pub(crate) mod lints;
pub(crate) mod lowering;
pub(crate) mod names;
pub(crate) mod property;
pub(crate) mod rules;
pub(crate) mod syntax;

/// The explanations of all codes, by area.
pub const TABLES: &[&[CodeDoc]] = &[
    syntax::DOCS,
    names::DOCS,
    rules::DOCS,
    lints::DOCS,
    property::DOCS,
    lowering::DOCS,
    habits::DOCS,
    checks::DOCS,
    linkset::DOCS,
];

#[cfg(test)]
mod tests {
    use source::SourceMap;

    use super::*;

    #[test]
    fn codes_are_unique_and_fully_explained() {
        assert_eq!(source::incomplete(TABLES), Vec::<String>::new());
    }

    /// The example of every explanation gives the diagnostic that it explains.
    /// An example without a state is the inside of a handler.
    #[test]
    fn examples_show_what_they_explain() {
        for doc in TABLES.iter().flat_map(|table| table.iter()) {
            if doc.code == rules::EFFECT_IN_PROPERTY {
                // Property text is not read with the script; `tests/embedding.rs`
                // has the case.
                continue;
            }
            if doc.code > "LSL05" {
                // Nor are annotations and habits; `property` and `lower` have tests of their own.
                continue;
            }
            let example = doc.example("lsl").unwrap();
            let whole = example.contains("default") || matches!(doc.code, "LSL0130" | "LSL0131");
            let text = if whole {
                example.to_owned()
            } else {
                format!("default {{ state_entry() {{\n{example}\n}} }}")
            };
            let mut map = SourceMap::new();
            let file = map.add("example.lsl", text.as_str());
            let found: Vec<&str> = match crate::preprocess::is_needed(map.file(file)) {
                true => {
                    let loaded = crate::load("example.lsl", &text, &crate::Options::default());
                    loaded.diagnostics.iter().map(|d| d.code).collect()
                }
                false => {
                    let (_, diagnostics) = crate::analyze(map.file(file));
                    diagnostics.iter().map(|d| d.code).collect()
                }
            };
            assert!(found.contains(&doc.code), "{}: {found:?}", doc.code);
        }
    }
}
