//! The codes of this front end's diagnostics, each with its explanation.
//!
//! TB01.. is syntax, TB02.. names and types, TB03.. what cannot work though it can be read, TB04..
//! what stands in `%%@` comments, TB05.. what is checked of every script. A code keeps its meaning for ever.

use source::CodeDoc;

macro_rules! codes {
    ($($table:tt)*) => {
        source::code_table! { "tscript"; $($table)* }
    };
}

pub(crate) mod checks;
pub(crate) mod names;
pub(crate) mod notes;
pub(crate) mod suspicious;
pub(crate) mod syntax;

/// The explanations of all codes, by area.
pub const TABLES: &[&[CodeDoc]] = &[
    syntax::DOCS,
    names::DOCS,
    suspicious::DOCS,
    notes::DOCS,
    checks::DOCS,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_fully_explained() {
        assert_eq!(source::incomplete(TABLES), Vec::<String>::new());
    }

    /// The example of every explanation gives the diagnostic that it explains, as all of a system, or where it is
    /// guessed how much of one it is.
    #[test]
    fn examples_show_what_they_explain() {
        let is_check = |doc: &&CodeDoc| checks::ALL.contains(&doc.code);
        let all = TABLES.iter().flat_map(|table| table.iter());
        for doc in all.filter(|doc| !is_check(doc)) {
            let example = doc.example("tscript").unwrap();
            let loaded = crate::load("example.tb", example, &crate::Options::default());
            let guessing = crate::Options {
                extent: crate::Extent::Guessed,
                ..crate::Options::default()
            };
            let guessed = crate::load("example.tb", example, &guessing);
            let written = crate::to_mcrl2("example.tb", example, &crate::Options::default());
            let all = [
                &loaded.diagnostics,
                &guessed.diagnostics,
                &written.diagnostics,
            ];
            let all = all.into_iter().flatten();
            let found: Vec<&str> = all.map(|d| d.code).collect();
            assert!(found.contains(&doc.code), "{}: {found:?}", doc.code);
        }
    }
}
