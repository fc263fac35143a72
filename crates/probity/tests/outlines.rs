//! Outlines of scripts as they are while somebody writes them: cut short, with parts taken out.

use std::path::{Path, PathBuf};

use language::{FrontEnd, Request, Settings};

fn scripts(extension: &str, folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut folders = vec![root.join(folder)];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("examples can be read") {
            let path = entry.expect("examples can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|own| own == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Looks at the outline of a text; how many places where names are used it has.
fn look(front_end: &dyn FrontEnd, path: &Path, text: &str) -> usize {
    let request = Request {
        path,
        contents: text.as_bytes(),
        settings: &Settings::default(),
        extra_properties: &[],
        whole: false,
        unasked: false,
        statements: false,
        decisions: None,
        read: &|path| std::fs::read(path),
        entries: &|_| Ok(Vec::new()),
    };
    let outline = front_end
        .outline(&request)
        .expect("the language has outlines");
    let own = outline
        .sources
        .files()
        .next()
        .expect("the script is the first")
        .id();
    assert_eq!(outline.sources.file(own).text(), text);
    for definition in &outline.definitions {
        assert!(definition.whole.contains(definition.span), "{definition:?}");
        assert!(!definition.signature.is_empty(), "{definition:?}");
        if let Some(file) = outline.sources.get(definition.span.file) {
            assert!(
                file.text().get(definition.span.range()).is_some(),
                "{definition:?}"
            );
        }
    }
    let mut count = 0;
    for mention in &outline.mentions {
        let definition = &outline.definitions[mention.definition];
        if mention.span.file == own {
            let name = text.get(mention.span.range()).expect("it is in the text");
            // What a macro hides has another name.
            assert!(
                name == definition.name || text.contains('#'),
                "{name}: {definition:?}"
            );
            count += 1;
        }
    }
    count
}

#[test]
fn texts_that_are_being_written_have_outlines() {
    let mut random = fastrand::Rng::with_seed(3);
    let languages: [(&dyn FrontEnd, &str, &str); 4] = [
        (&lsl::Lsl, "lsl", "lsl"),
        (&promela::Promela, "pml", "promela"),
        (&smv::Smv, "smv", "smv"),
        (&tscript::Tscript, "tb", "tscript"),
    ];
    for (front_end, extension, folder) in languages {
        let mut mentions = 0;
        for path in scripts(extension, folder) {
            let text = std::fs::read_to_string(&path).expect("examples are texts");
            mentions += look(front_end, &path, &text);
            for _ in 0..12 {
                let place = |random: &mut fastrand::Rng| {
                    text.floor_char_boundary(random.usize(0..=text.len()))
                };
                let (one, other) = (place(&mut random), place(&mut random));
                let (start, end) = (one.min(other), one.max(other));
                look(front_end, &path, &text[..start]);
                look(front_end, &path, &text[start..]);
                look(
                    front_end,
                    &path,
                    &format!("{}{}", &text[..start], &text[end..]),
                );
                let word = [
                    "{",
                    "}",
                    "(",
                    ";",
                    "\"",
                    "/*",
                    "//@ ",
                    "%%@ ",
                    "#define x ",
                    "\u{1F600}",
                ];
                let word = word[random.usize(0..word.len())];
                look(
                    front_end,
                    &path,
                    &format!("{}{word}{}", &text[..start], &text[start..]),
                );
            }
        }
        assert!(mentions > 15, "{folder}: names are used {mentions} times");
    }
}
