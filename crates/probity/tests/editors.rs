//! What `editors/` says of languages is so.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use probity::{InMemory, run};
use serde_json::Value;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../editors/vscode")
}

fn json(path: &Path) -> Value {
    let text = std::fs::read_to_string(path);
    let text = text.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn the_extension_knows_languages_as_the_program_does() {
    let manifest = json(&folder().join("package.json"));
    let contributes = &manifest["contributes"];
    let languages = contributes["languages"]
        .as_array()
        .expect("it has languages");
    let mut ids = BTreeSet::new();
    for language in languages {
        let id = language["id"].as_str().expect("it has a name");
        ids.insert(id);
        for extension in language["extensions"]
            .as_array()
            .expect("it has extensions")
        {
            let extension = extension.as_str().expect("it is a text");
            let file = format!("a{extension}");
            // Whatever else is wrong with such a file: its language is known, and is this one.
            let system = InMemory::default().with_file(file.as_str(), "?");
            run(&["probity", "check", file.as_str()], &system);
            assert!(!system.err().contains("CLI0001"), "{extension}");
            let named = InMemory::default().with_file(file.as_str(), "?");
            run(
                &["probity", "check", file.as_str(), "--language", id],
                &named,
            );
            assert_eq!(system.err(), named.err(), "{extension} is {id}");
        }
        let configuration = language["configuration"].as_str().expect("it has one");
        assert!(json(&folder().join(configuration))["comments"].is_object());
    }
    for grammar in contributes["grammars"].as_array().expect("it has grammars") {
        let path = grammar["path"].as_str().expect("it is in a file");
        assert_eq!(
            json(&folder().join(path))["scopeName"],
            grammar["scopeName"]
        );
        if let Some(language) = grammar["language"].as_str() {
            assert!(ids.contains(language), "{language}");
        }
    }
    let main = std::fs::read_to_string(folder().join("extension.js")).expect("it is there");
    for id in ids {
        assert!(
            main.contains(&format!("\"{id}\"")),
            "the server is not started for {id}"
        );
    }
}
