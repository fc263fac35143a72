//! The codes of this front end's diagnostics, each with its explanation.
//!
//! NOD01.. is about files and their formats. A code keeps its meaning for ever.

use source::CodeDoc;

macro_rules! codes {
    ($($table:tt)*) => {
        source::code_table! { "text"; $($table)* }
    };
}

pub(crate) mod files;

/// The explanations of all codes, by area.
pub const TABLES: &[&[CodeDoc]] = &[files::DOCS];

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
}
