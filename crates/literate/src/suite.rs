//! The rules of one front end: a folder of Markdown files, and how their snippets are read.

use std::collections::BTreeSet;
use std::path::Path;

use source::CodeDoc;

use crate::block::{Block, Form, Section, sections};
use crate::compare::{Found, differences};
use crate::coverage::{Elsewhere, missing};
use crate::folder;

/// The rules of one front end.
pub struct Suite<'a> {
    /// The folder of the Markdown files.
    pub folder: &'a str,
    /// The language of the snippets, as their fences name it.
    pub language: &'a str,
    /// The name under which a snippet's text is read, such as `rule.pml`.
    pub name: &'a str,
    /// What begins the codes at the end of a line: the sign of a comment and `~`.
    pub marker: &'a str,
    /// What the front end finds in a snippet.
    pub load: &'a dyn Fn(&Block) -> Vec<Found>,
}

impl Suite<'_> {
    /// Reads every snippet; what is wrong, a line each. Empty if all is as written.
    #[must_use]
    pub fn run(&self) -> String {
        match folder::documents(Path::new(self.folder)) {
            Ok(documents) if documents.is_empty() => "the folder has no rules\n".to_owned(),
            Ok(documents) => documents
                .iter()
                .map(|(name, text)| self.check(name, text))
                .collect(),
            Err(error) => error + "\n",
        }
    }

    /// Reads the snippets of one Markdown file, given its name and text; what is wrong, a line each.
    #[must_use]
    pub fn check(&self, name: &str, text: &str) -> String {
        let sections = match self.sections(text) {
            Ok(sections) => sections,
            Err((line, message)) => return format!("{name}:{line}: {message}\n"),
        };
        let mut wrong = String::new();
        for section in &sections {
            for block in &section.blocks {
                wrong += &differences(name, block, &(self.load)(block));
            }
            if !section.code.is_empty() && !shown(section).contains(&section.code) {
                let (line, code) = (section.line, &section.code);
                wrong += &format!("{name}:{line}: no snippet below expects {code}\n");
            }
        }
        if sections.iter().all(|section| section.blocks.is_empty()) {
            wrong += &format!("{name}:1: the file has no snippets\n");
        }
        wrong
    }

    /// What is wrong with the rules as a whole: codes that have no heading with a snippet, and tests
    /// elsewhere that are not there.
    #[must_use]
    pub fn missing(&self, tables: &[&[CodeDoc]], elsewhere: &[Elsewhere]) -> Vec<String> {
        let documents = match folder::documents(Path::new(self.folder)) {
            Ok(documents) => documents,
            Err(error) => return vec![error],
        };
        let sections = documents.iter().flat_map(|(_, text)| self.sections(text));
        let with_heading = sections
            .flatten()
            .filter(|one| shown(one).contains(&one.code));
        let codes = with_heading.map(|section| section.code).collect();
        missing(&codes, tables, elsewhere, &folder::root(), &folder::text)
    }

    fn sections(&self, text: &str) -> Result<Vec<Section>, (usize, String)> {
        let form = Form {
            language: self.language,
            name: self.name,
            marker: self.marker,
        };
        sections(text, &form)
    }
}

/// The codes that the snippets of a section expect.
fn shown(section: &Section) -> BTreeSet<String> {
    let expected = section.blocks.iter().flat_map(|block| &block.expected);
    expected.map(|one| one.code.clone()).collect()
}
