//! The glossary: its files exist, and every public type of an engine stands in it.

use std::collections::BTreeSet;

use crate::workspace::{files, root};

const GLOSSARY: &str = "docs/glossary.md";

/// What is wrong with it.
///
/// # Errors
/// If it, or an engine's front page, cannot be read.
pub(super) fn findings() -> Result<Vec<String>, String> {
    let read = |name: &str| {
        let text = std::fs::read_to_string(root().join(name));
        text.map_err(|error| format!("read {name}: {error}"))
    };
    let glossary = read(GLOSSARY)?;
    let mut findings = missing_files(&glossary, &|path| root().join(path).exists());
    for file in files()? {
        let name = file.to_string_lossy().replace('\\', "/");
        if name.starts_with("crates/engines/") && name.ends_with("/src/lib.rs") {
            findings.extend(missing_types(&glossary, &name, &read(&name)?));
        }
    }
    Ok(findings)
}

/// The words of a text that stand between backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

fn missing_files(glossary: &str, exists: &dyn Fn(&str) -> bool) -> Vec<String> {
    let paths = quoted(glossary).filter(|word| word.starts_with("crates/"));
    let missing = paths.filter(|path| !exists(path));
    missing
        .map(|path| format!("{GLOSSARY}: there is no {path}"))
        .collect()
}

fn missing_types(glossary: &str, name: &str, front_page: &str) -> Vec<String> {
    let known: BTreeSet<&str> = quoted(glossary).collect();
    let missing = public_types(front_page).into_iter();
    let missing = missing.filter(|word| !known.contains(word.as_str()));
    missing
        .map(|word| format!("{GLOSSARY}: `{word}` of {name} is not explained"))
        .collect()
}

/// The types that a front page defines or hands on.
fn public_types(front_page: &str) -> BTreeSet<String> {
    let is_type = |word: &&str| word.starts_with(|c: char| c.is_ascii_uppercase());
    let mut types = BTreeSet::new();
    for item in front_page.split("\npub ").skip(1) {
        let end = item.find(['{', ';', '(']).unwrap_or(item.len());
        let end = match item.starts_with("use ") {
            true => item.find(';').unwrap_or(item.len()),
            false => end,
        };
        let words = item[..end].split(|c: char| !c.is_alphanumeric() && c != '_');
        let mut words = words.filter(is_type);
        match item.starts_with("use ") {
            true => types.extend(words.map(str::to_owned)),
            false => types.extend(words.next().map(str::to_owned)),
        }
    }
    types
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "//! A.\n\npub use a::b::{One, two};\n\npub struct Three<'a> {\n    pub four: Four,\n}\n\npub fn five(six: Six) {}\n";

    #[test]
    fn what_is_left_out_is_found() {
        let types: Vec<String> = public_types(PAGE).into_iter().collect();
        assert_eq!(types, ["One", "Three"]);
        let glossary = "| `One` | one | | `crates/a.rs` |";
        assert_eq!(missing_types(glossary, "lib.rs", PAGE).len(), 1);
        assert_eq!(missing_files(glossary, &|_| false).len(), 1);
        assert!(missing_files(glossary, &|_| true).is_empty());
    }
}
