//! The book in `docs`: every page is in its summary, every language has a tutorial, every link leads somewhere.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().unwrap()
}

/// The Markdown files of a folder and those below it.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The lines of a document that are text, and neither code nor what a terminal shows, without code in them.
fn prose(text: &str) -> String {
    let mut out = String::new();
    let mut is_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            // Every other part between backquotes is code.
            let parts = line.split('`').enumerate();
            out.extend(parts.map(|(at, part)| if at % 2 == 0 { part } else { "_" }));
            out.push('\n');
        }
    }
    out
}

/// What the links and pictures of a document lead to.
fn links(text: &str) -> Vec<String> {
    let text = prose(text);
    let behind = text.split("](").skip(1);
    behind
        .filter_map(|part| part.split_once(')'))
        .map(|(target, _)| target.trim().to_owned())
        .collect()
}

/// The names that headings of a document have in links.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|heading| {
            let name = heading.trim_start_matches('#').trim().to_lowercase();
            let kept = name.chars().filter(|character| {
                character.is_alphanumeric() || matches!(character, ' ' | '-' | '_')
            });
            kept.map(|character| if character == ' ' { '-' } else { character })
                .collect()
        })
        .collect()
}

/// What is wrong with a link of a document.
fn dead(document: &Path, link: &str) -> Option<String> {
    if link.starts_with("https://") || link.starts_with("http://") {
        return None;
    }
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = match file {
        "" => document.to_owned(),
        file => document.parent().unwrap().join(file),
    };
    if !target.exists() {
        return Some(format!("{}: no file {link}", document.display()));
    }
    if anchor.is_empty() {
        return None;
    }
    let names = anchors(&std::fs::read_to_string(target).unwrap());
    let known = names.contains(anchor);
    (!known).then(|| format!("{}: no heading {link}", document.display()))
}

#[test]
fn every_link_leads_somewhere() {
    let mut documents = pages(&root().join("docs"));
    documents.extend(pages(&root().join("examples")));
    documents
        .extend(["README.md", "ARCHITECTURE.md", "CHANGELOG.md"].map(|file| root().join(file)));
    documents.push(root().join("editors/vscode/README.md"));
    let mut dead_links = Vec::new();
    let mut count = 0;
    for document in documents {
        let text = std::fs::read_to_string(&document).unwrap();
        for link in links(&text) {
            count += 1;
            dead_links.extend(dead(&document, &link));
        }
    }
    assert!(count > 100, "{count} links");
    assert!(dead_links.is_empty(), "{}", dead_links.join("\n"));
}

#[test]
fn a_dead_link_is_noticed() {
    let readme = root().join("README.md");
    assert!(dead(&readme, "docs/cli.md").is_none());
    assert!(dead(&readme, "docs/no-such-page.md").is_some());
    assert!(dead(&readme, "#licence").is_none());
    assert!(dead(&readme, "#no-such-heading").is_some());
    assert_eq!(links("a [b](c) `[d](e)`\n```\n[f](g)\n```\n"), ["c"]);
    assert!(anchors("## What it's, then?").contains("what-its-then"));
}

#[test]
fn the_summary_has_every_page_once() {
    let docs = root().join("docs");
    let summary = std::fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    let mut named = links(&summary);
    named.sort();
    let found = pages(&docs).into_iter();
    let mut found: Vec<String> = found
        .map(|page| {
            page.strip_prefix(&docs)
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned()
        })
        .filter(|page| page != "SUMMARY.md")
        .collect();
    found.sort();
    assert_eq!(named, found);
}

#[test]
fn every_language_has_a_tutorial_that_shows_a_failure_and_its_end() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let named = links(&readme);
    for entry in std::fs::read_dir(root().join("examples")).unwrap() {
        let language = entry.unwrap().file_name().into_string().unwrap();
        let page = match language.as_str() {
            "mobile" => "c",
            other => other,
        };
        let page = format!("docs/tutorial/{page}.md");
        assert!(named.contains(&page), "the README does not lead to {page}");
        let text = std::fs::read_to_string(root().join(&page)).unwrap();
        assert!(text.contains("```console"), "{page} shows nothing");
        let fails =
            text.contains(" fails\n") || text.contains("  fails  ") || text.contains("1 fails.");
        assert!(
            fails || text.contains("denies this call"),
            "{page}: no failure"
        );
    }
}
