//! The long explanation that belongs to a diagnostic's code.
//!
//! Each front end keeps one table of [`CodeDoc`]s beside its checks; the
//! command line prints an entry for `explain CODE` and the book is generated
//! from the same tables.

/// The documentation of one diagnostic code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CodeDoc {
    /// The code, such as `LSL0101`.
    pub code: &'static str,
    /// One line: the finding in general words.
    pub title: &'static str,
    /// Markdown with the headings *What it does*, *Why is this bad*,
    /// *Example* and *How to fix*.
    pub body: &'static str,
}

impl CodeDoc {
    /// The codes of this crate itself.
    pub const SOURCE: &'static [CodeDoc] = &[
        CodeDoc {
            code: "SRC0001",
            title: "not a text file",
            body: "## What it does\n\
                   Refuses files that hold a NUL byte, or begin like UTF-16 and are not.\n\n\
                   ## Why is this bad\n\
                   Such a file is no script: it may be a picture, a compiled file, \
                   or text in an encoding that does not say which.\n\n\
                   ## Example\n\
                   A script saved as UTF-16 without a byte order mark has a NUL byte behind each letter.\n\n\
                   ## How to fix\n\
                   Check the path; save the script as UTF-8.",
        },
        CodeDoc {
            code: "SRC0002",
            title: "text too long",
            body: "## What it does\n\
                   Refuses files of more than one gibibyte.\n\n\
                   ## Why is this bad\n\
                   Places in a text are kept as 32-bit offsets.\n\n\
                   ## Example\n\
                   A log file given by mistake.\n\n\
                   ## How to fix\n\
                   Check the path.",
        },
        CodeDoc {
            code: "SRC0003",
            title: "not all of it is UTF-8",
            body: "## What it does\n\
                   Points at files with bytes that are not UTF-8. They are read as Windows-1252.\n\n\
                   ## Why is this bad\n\
                   If the file is in another encoding, texts in it are read with wrong letters, \
                   and comparisons of such texts with it.\n\n\
                   ## Example\n\
                   A script with the letter \u{e9} as the single byte 0xE9.\n\n\
                   ## How to fix\n\
                   Save the script as UTF-8.",
        },
    ];

    /// The whole entry as Markdown: code and title as heading, then the body.
    #[must_use]
    pub fn markdown(&self) -> String {
        format!("# {}: {}\n\n{}\n", self.code, self.title, self.body.trim())
    }

    /// The example, which is in this language.
    #[must_use]
    pub fn example(&self, language: &str) -> Option<&'static str> {
        let (_, behind) = self.body.split_once(&format!("```{language}\n"))?;
        Some(behind.split_once("\n```")?.0)
    }

    /// The headings that [`CodeDoc::body`] lacks; empty for a complete entry.
    #[must_use]
    pub fn missing_headings(&self) -> Vec<&'static str> {
        [
            "## What it does",
            "## Why is this bad",
            "## Example",
            "## How to fix",
        ]
        .into_iter()
        .filter(|heading| !self.body.contains(heading))
        .collect()
    }
}

/// What is wrong with some tables of codes: a code that stands twice, a missing heading.
#[must_use]
pub fn incomplete(tables: &[&[CodeDoc]]) -> Vec<String> {
    let mut found = Vec::new();
    let mut codes: Vec<&str> = Vec::new();
    for doc in tables.iter().flat_map(|table| table.iter()) {
        if codes.contains(&doc.code) {
            found.push(format!("{} stands twice", doc.code));
        }
        codes.push(doc.code);
        for heading in doc.missing_headings() {
            found.push(format!("{} has no {heading}", doc.code));
        }
    }
    found
}

/// Looks a code up in several tables; upper and lower case count the same.
#[must_use]
pub fn find_code<'a>(tables: &[&'a [CodeDoc]], code: &str) -> Option<&'a CodeDoc> {
    tables
        .iter()
        .flat_map(|table| table.iter())
        .find(|doc| doc.code.eq_ignore_ascii_case(code))
}

/// A table of codes: a constant for each, and `DOCS` with their explanations.
///
/// The language is the one of the examples. A code stands in such a table once.
#[macro_export]
macro_rules! code_table {
    ($language:literal; $(
        $name:ident = $code:literal, $title:literal,
        what: $what:literal,
        why: $why:literal,
        example: $example:literal,
        fix: $fix:literal;
    )*) => {
        $(pub(crate) const $name: &str = $code;)*

        pub(super) const DOCS: &[$crate::CodeDoc] = &[$($crate::CodeDoc {
            code: $code,
            title: $title,
            body: concat!(
                "## What it does\n", $what,
                "\n\n## Why is this bad\n", $why,
                "\n\n## Example\n```", $language, "\n", $example,
                "\n```\n\n## How to fix\n", $fix, "\n"
            ),
        }),*];
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_codes_are_fully_documented_and_found() {
        for doc in CodeDoc::SOURCE {
            assert_eq!(doc.missing_headings(), Vec::<&str>::new(), "{}", doc.code);
        }
        let found = find_code(&[&[], CodeDoc::SOURCE], "src0001").unwrap();
        assert!(found.markdown().starts_with("# SRC0001: not a text file\n"));
        assert!(find_code(&[CodeDoc::SOURCE], "SRC9999").is_none());
        let twice = incomplete(&[CodeDoc::SOURCE, CodeDoc::SOURCE]);
        assert!(
            twice.contains(&"SRC0001 stands twice".to_owned()),
            "{twice:?}"
        );
    }
}
