//! What the harness must notice: each test here changes a document that is right by one thing.

use literate::{Block, Elsewhere, Found, Suite};
use source::{CodeDoc, Diagnostic, SourceMap};

/// A language for tests: each line `bad CODE` is a diagnostic, also in other files; `lost` is one
/// without a place, and `loud` on the fence one at line 1.
fn load(block: &Block) -> Vec<Found> {
    let mut sources = SourceMap::new();
    let mut found = Vec::new();
    let others = block.files.iter().map(|file| (&file.name, &file.text));
    for (name, text) in std::iter::once((&block.name, &block.text)).chain(others) {
        let id = sources.add(name.as_str(), text.as_str());
        let file = sources.file(id);
        if block.has("loud") {
            found.push(Diagnostic::warning("TST0004", "loud").at(file.line_span(1)));
        }
        for line in 1..=file.line_count() {
            let at = file.line_span(line);
            match file.line_text(line).split(' ').next() {
                Some("bad1") => found.push(Diagnostic::error("TST0001", "bad").at(at)),
                Some("bad2") => found.push(Diagnostic::error("TST0002", "worse").at(at)),
                Some("lost") => found.push(Diagnostic::error("TST0003", "somewhere")),
                _ => {}
            }
        }
    }
    Found::all(&found, &sources)
}

fn suite(folder: &str) -> Suite<'_> {
    Suite {
        folder,
        language: "test",
        name: "t.test",
        marker: "#~",
        load: &load,
    }
}

fn check(text: &str) -> String {
    suite("").check("t.md", text)
}

/// A document that is as written.
const RIGHT: &str = "\
# Rules

## TST0001: nothing is bad

```test
good
bad1 #~ TST0001
```

```test
good
```

## TST0002: nothing is worse

```other file=beside
bad2 #~ TST0002
bad1
```

```test expect=TST0001@1,TST0001@beside:2
bad1
```

## TST0003: lost

```test expect=TST0003
lost
```

## TST0004: loud

```test loud
good #~ TST0004
```
";

/// The complaints about the document with one part replaced.
fn changed(from: &str, to: &str) -> String {
    assert_eq!(RIGHT.matches(from).count(), 1, "{from} is one part");
    check(&RIGHT.replace(from, to))
}

#[test]
fn what_is_as_written_passes() {
    assert_eq!(check(RIGHT), "");
}

#[test]
fn a_missing_code_is_noticed() {
    assert_eq!(
        changed("good\nbad1 #~ TST0001", "good\ngood #~ TST0001"),
        "t.md:7: expected TST0001 at line 2 of t.test, not found\n"
    );
    assert_eq!(
        changed(
            "```test expect=TST0003\nlost",
            "```test expect=TST0003\ngood"
        ),
        "t.md:27: expected TST0003 without a place, not found\n"
    );
}

#[test]
fn a_surplus_code_is_noticed() {
    assert_eq!(
        changed("```test\ngood\n```", "```test\nbad2\n```"),
        "t.md:11: found TST0002 at line 1 of t.test: worse\n"
    );
    assert_eq!(
        changed("bad2 #~ TST0002\n", "bad2 #~ TST0002\nbad2\n"),
        "t.md:18: found TST0002 at line 2 of beside: worse\n\
         t.md:19: found TST0001 at line 3 of beside: bad\n\
         t.md:18: expected TST0001 at line 2 of beside, not found\n"
    );
    assert_eq!(
        changed("```test\ngood\n```", "```test\nlost\n```"),
        "t.md:10: found TST0003 without a place: somewhere\n"
    );
}

#[test]
fn a_wrong_line_is_noticed() {
    assert_eq!(
        changed("good\nbad1 #~ TST0001", "good #~ TST0001\nbad1"),
        "t.md:7: found TST0001 at line 2 of t.test: bad\n\
         t.md:6: expected TST0001 at line 1 of t.test, not found\n"
    );
    let wrong = changed("TST0001@1", "TST0001@2");
    assert!(
        wrong.contains("t.md:23: expected TST0001 at line 2"),
        "{wrong}"
    );
    // A place where none is expected, and the other way round.
    let wrong = changed("expect=TST0003", "expect=TST0003@1");
    assert!(wrong.contains("expected TST0003 at line 1"), "{wrong}");
    let wrong = changed("expect=TST0001@1", "expect=TST0001");
    assert!(
        wrong.contains("expected TST0001 without a place"),
        "{wrong}"
    );
}

#[test]
fn a_wrong_code_is_noticed() {
    let wrong = changed("good\nbad1 #~ TST0001", "good\nbad2 #~ TST0001");
    assert!(wrong.contains("found TST0002 at line 2"), "{wrong}");
    assert!(wrong.contains("expected TST0001 at line 2"), "{wrong}");
}

#[test]
fn a_wrong_message_is_noticed() {
    assert_eq!(changed("\nbad1 #~ TST0001", "\nbad1 #~ TST0001 \"ba\""), "");
    let found = changed("\nbad1 #~ TST0001", "\nbad1 #~ TST0001 \"good\"");
    let expected = "t.md:7: found TST0001 at line 2 of t.test: bad\n\
         t.md:7: expected TST0001 at line 2 of t.test saying `good`, not found\n";
    assert_eq!(found, expected);
    let open = changed("\nbad1 #~ TST0001", "\nbad1 #~ TST0001 \"ba");
    assert_eq!(open, "t.md:7: what a message says has no closing `\"`\n");
}

#[test]
fn a_heading_needs_a_snippet() {
    assert_eq!(
        changed("## TST0004: loud", "## TST0009: silent"),
        "t.md:31: no snippet below expects TST0009\n"
    );
    assert_eq!(changed("## TST0004: loud", "## Other rules"), "");
}

#[test]
fn a_malformed_document_is_no_success() {
    assert_eq!(check("# Rules\n"), "t.md:1: the file has no snippets\n");
    assert_eq!(
        check("```test\ngood\n"),
        "t.md:1: the fence is not closed\n"
    );
    assert_eq!(
        check("```tset\ngood\n```\n"),
        "t.md:1: a block in `tset`, not `test`\n"
    );
    assert_eq!(
        check("```test\ngood\n```\n```test file=a\n```\n"),
        "t.md:4: no snippet follows this file\n"
    );
    assert_eq!(
        check("```test expect=TST0001@one\nbad1\n```\n"),
        "t.md:1: `TST0001@one` has no line number\n"
    );
    let nowhere = suite("no/such/folder").run();
    assert!(nowhere.contains("no/such/folder"), "{nowhere}");
    let empty = suite(concat!(env!("CARGO_MANIFEST_DIR"), "/src"));
    assert_eq!(empty.run(), "the folder has no rules\n");
}

const fn doc(code: &'static str) -> CodeDoc {
    CodeDoc {
        code,
        title: "",
        body: "",
    }
}

#[test]
fn a_code_needs_a_snippet_or_a_test_elsewhere() {
    let suite = suite(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rules"));
    assert_eq!(suite.run(), "");
    let elsewhere = |codes: &'static [&'static str], test: &'static str| Elsewhere {
        codes,
        why: "it needs the machine",
        file: "crates/literate/tests/harness.rs",
        test,
    };
    let here = "a_code_needs_a_snippet_or_a_test_elsewhere";
    let table: &[CodeDoc] = &[doc("TST0001"), doc("TST0003")];
    let missing = |table: &[CodeDoc], others: &[Elsewhere]| suite.missing(&[table], others);
    let none: [&str; 0] = [];
    assert_eq!(missing(table, &[elsewhere(&["TST0003"], here)]), none);
    assert_eq!(missing(table, &[]), ["TST0003: no snippet shows it"]);
    assert_eq!(
        missing(table, &[elsewhere(&["TST0003"], "no_such_test")]),
        ["TST0003: crates/literate/tests/harness.rs has no test `no_such_test` of it"]
    );
    assert_eq!(
        missing(&table[..1], &[elsewhere(&["TST0001"], here)]),
        ["TST0001: a snippet shows it; strike it off"]
    );
    assert_eq!(
        missing(&[doc("TST0001"), doc("TST0002")], &[]),
        ["TST0002: no snippet shows it"],
        "a snippet below another heading does not count"
    );
    assert_eq!(missing(&[], &[]), ["TST0001: no table has it"]);
}
