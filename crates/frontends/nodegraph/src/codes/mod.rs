//! The codes of this front end's diagnostics, each with its explanation.
//!
//! NOD01.. is about files and their formats, NOD02.. about tables of kinds, NOD03.. about what a
//! graph means, NOD04.. about the checks. A code keeps its meaning for ever.

use source::CodeDoc;

macro_rules! codes {
    ($($table:tt)*) => {
        source::code_table! { "text"; $($table)* }
    };
}

pub(crate) mod checks;
pub(crate) mod files;
pub(crate) mod meaning;
pub(crate) mod table;

/// The explanations of all codes, by area.
pub const TABLES: &[&[CodeDoc]] = &[files::DOCS, table::DOCS, meaning::DOCS, checks::DOCS];

#[cfg(test)]
mod tests {
    use source::{Diagnostics, SourceMap};

    use super::*;

    #[test]
    fn codes_are_unique_and_fully_explained() {
        assert_eq!(source::incomplete(TABLES), Vec::<String>::new());
    }

    /// The example of every explanation about files gives the diagnostic that it explains.
    #[test]
    fn examples_show_what_they_explain() {
        for doc in files::DOCS {
            let example = doc.example("text").unwrap();
            let mut diagnostics = Diagnostics::new();
            match crate::formats::unpack("example", example.as_bytes().to_vec()) {
                Err(diagnostic) => diagnostics.push(*diagnostic),
                Ok(bytes) => {
                    let mut sources = SourceMap::new();
                    let file = sources.add("example", String::from_utf8(bytes).unwrap());
                    let project = crate::formats::read(sources.file(file), &mut diagnostics);
                    if let Some(project) = project {
                        let _ = crate::flatten(&project, &mut diagnostics);
                    }
                }
            }
            let found: Vec<&str> = diagnostics.into_iter().map(|d| d.code).collect();
            assert!(found.contains(&doc.code), "{}: {found:?}", doc.code);
        }
    }

    /// The same, of those about tables and meanings.
    #[test]
    fn examples_of_meanings_show_what_they_explain() {
        for doc in table::DOCS.iter().chain(meaning::DOCS) {
            // One is as large as what it refuses, the other is about translations.
            if [meaning::ENTANGLED, meaning::NOT_SAID].contains(&doc.code) {
                continue;
            }
            let example = doc.example("text").unwrap();
            let loaded = crate::load("example", example, &crate::Options::default());
            let found: Vec<&str> = loaded.diagnostics.iter().map(|d| d.code).collect();
            assert!(found.contains(&doc.code), "{}: {found:?}", doc.code);
        }
    }
}
