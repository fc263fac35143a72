//! The codes of this front end's diagnostics, each with its explanation.
//!
//! MOB01.. is syntax and preprocessing, MOB02.. names and types, MOB03.. policies and nets, MOB04..
//! what is not followed. A code keeps its meaning for ever.

use source::CodeDoc;

macro_rules! codes {
    ($($table:tt)*) => {
        source::code_table! { "c"; $($table)* }
    };
}

pub(crate) mod names;
pub(crate) mod notes;
pub(crate) mod syntax;

/// The explanations of all codes, by area.
pub const TABLES: &[&[CodeDoc]] = &[syntax::DOCS, names::DOCS, policy::CODES, notes::DOCS];

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
        for doc in TABLES.iter().flat_map(|table| table.iter()) {
            let example = doc.example("c").expect("each code has an example");
            let options = match policy::CODES.iter().any(|file| file.code == doc.code) {
                true if doc.code == policy::NET_CODE => crate::Options {
                    net: Some(("t.locnet".to_owned(), example.to_owned())),
                    ..crate::Options::default()
                },
                true => crate::Options {
                    policies: vec![("t.policy".to_owned(), example.to_owned())],
                    ..crate::Options::default()
                },
                false => crate::Options::default(),
            };
            let is_file = !options.policies.is_empty() || options.net.is_some();
            let text = match is_file {
                true => "int main(void) { return 0; }",
                false => example,
            };
            let loaded = crate::load("example.c", text, &options);
            let found: Vec<&str> = loaded.diagnostics.iter().map(|d| d.code).collect();
            assert!(found.contains(&doc.code), "{}: {found:?}", doc.code);
        }
    }
}
