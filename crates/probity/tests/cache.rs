//! Verdicts that are kept are taken for answers to the same question only.

use std::path::{Path, PathBuf};

use probity::{Files as _, InMemory, System as _, run};

const SHOP: &str = "\
integer sold;
//@ property never_three: always sold < 3;
//@ property once: always sold < 9;
//@ bound amount = 1..2;
#include \"more.inc\"
default
{
    money(key id, integer amount)
    {
        if (sold < 8) ++sold;
        llSay(0, \"thanks\");
    }
}
";

/// A folder with two scripts; `till.lsl` includes a file.
fn shop() -> InMemory {
    InMemory::default()
        .with_file("shop/till.lsl", SHOP)
        .with_file("shop/more.inc", "integer spare;\n")
        .with_file("shop/inc/readme", "")
        .with_file("shop/p.pml", "active proctype p() { assert(true) }")
}

/// Checks with a cache; the exit status, and what was written to standard output just now.
fn check(system: &InMemory, options: &str) -> (u8, String) {
    let before = system.out().len();
    let line = format!("probity check --cache kept {options}");
    let words: Vec<&str> = line.split(' ').collect();
    let status = run(&words, system);
    (status, system.out()[before..].to_owned())
}

fn cached(system: &InMemory, options: &str) -> bool {
    check(system, options).1.contains("(from the cache)")
}

fn write(system: &InMemory, path: &str, text: &str) {
    system.write(Path::new(path), text).expect("it is memory");
}

/// The entries of the cache.
fn entries(system: &InMemory) -> Vec<PathBuf> {
    let folders = system.entries(Path::new("kept")).unwrap_or_default();
    let files = folders
        .iter()
        .flat_map(|one| system.entries(one).unwrap_or_default());
    files.collect()
}

#[test]
fn a_second_check_says_the_same_and_where_it_is_from() {
    let system = shop();
    let (status, first) = check(&system, "shop");
    assert_eq!(status, 1, "{first}{}", system.err());
    assert_eq!(entries(&system).len(), 2, "{first}");
    let (status, second) = check(&system, "shop");
    assert_eq!(status, 1);
    assert!(
        second.contains("; 2 files from the cache. Exit status 1"),
        "{second}"
    );
    let plain = second
        .replace(" (from the cache)", "")
        .replace("; 2 files from the cache", "");
    assert_eq!(plain, first);
    let (_, json) = check(&system, "shop/till.lsl --format json");
    assert!(json.contains("\"cached\": true"), "{json}");
    let (_, anew) = check(&system, "shop --no-cache");
    assert!(!anew.contains("cache"), "{anew}");
}

#[test]
fn findings_about_the_text_are_told_again() {
    let text = b"//@ property p: always 1 < 2;\ndefault { state_entry() { } } // caf\xe9";
    let system = InMemory::default().with_file("a.lsl", text.as_slice());
    check(&system, "a.lsl");
    let first = system.err();
    assert!(!first.is_empty());
    assert!(cached(&system, "a.lsl"));
    assert_eq!(system.err(), first.repeat(2));
}

#[test]
fn whatever_the_answer_depends_on_counts() {
    let fewer = SHOP.replace("< 9", "< 8");
    for (path, text) in [
        ("shop/till.lsl", fewer.as_str()),
        ("shop/more.inc", "integer spare = 1;\n"),
        ("shop/more.inc", "integer spare; \n"),
    ] {
        let system = shop();
        check(&system, "shop/till.lsl");
        assert!(cached(&system, "shop/till.lsl"));
        write(&system, path, text);
        assert!(!cached(&system, "shop/till.lsl"), "{text}");
        assert!(cached(&system, "shop/till.lsl"), "{text}");
    }
    let system = shop();
    check(&system, "shop/till.lsl");
    for options in [
        "--bound amount=1..3",
        "--property once",
        "--all-errors",
        "--engine explicit",
        "--passes none",
        "--reduce none",
        "--tune owcty=off",
        "-D N=1",
        "-I shop/inc",
        "--unreached",
    ] {
        assert!(
            !cached(&system, &format!("shop/till.lsl {options}")),
            "{options}"
        );
    }
    for options in [
        "--timeout 60s",
        "--jobs 1",
        "--verbose",
        "--require proved",
        "--strict",
    ] {
        assert!(
            cached(&system, &format!("shop/till.lsl {options}")),
            "{options}"
        );
    }
    assert!(
        !cached(&system, "shop/../shop/till.lsl"),
        "another name is another report"
    );
}

#[test]
fn a_file_that_was_not_there_counts_when_it_is() {
    let text = "#include \"more.inc\"\n//@ property p: always n == 0;\ndefault { touch_start(integer k) { n = \
                limit; } }";
    let system = InMemory::default()
        .with_file("a/till.lsl", text)
        .with_file("inc/more.inc", "integer n;\ninteger limit = 0;\n");
    let line = "a/till.lsl -I inc";
    assert_eq!(check(&system, line).0, 0, "{}", system.err());
    assert!(cached(&system, line));
    // From now on this one is included.
    write(&system, "a/more.inc", "integer n;\ninteger limit = 1;\n");
    let (status, out) = check(&system, line);
    assert_eq!(status, 1, "{out}");
    assert!(!out.contains("cache"), "{out}");
}

#[test]
fn names_of_properties_are_known_without_reading_again() {
    let system = shop();
    check(&system, "shop/till.lsl --property once");
    assert!(cached(&system, "shop/till.lsl --property once"));
    let (status, _) = check(&system, "shop/till.lsl shop/p.pml --property once");
    assert_eq!(status, 0, "{}", system.err());
    assert_eq!(check(&system, "shop/till.lsl --property twice").0, 2);
}

#[test]
fn what_is_damaged_or_about_something_else_is_refused() {
    let make = || {
        let system = shop();
        check(&system, "shop/till.lsl");
        let mut all = entries(&system);
        assert_eq!(all.len(), 1);
        let entry = all.remove(0);
        let text = String::from_utf8(system.read(&entry).expect("it was listed")).expect("text");
        (system, entry, text)
    };
    let (_, _, whole) = make();
    assert!(whole.contains("\"fails\""), "{whole}");
    // A verdict that somebody improved, any bit that is another, half of it, nothing, more.
    let mut damaged = vec![
        whole.replace("\"fails\"", "\"holds\""),
        whole[..whole.len() / 2].to_owned(),
        String::new(),
        "\n".to_owned(),
        format!("{whole}{whole}"),
        format!("{whole} "),
    ];
    for at in (0..whole.len()).step_by(401) {
        let mut bytes = whole.clone().into_bytes();
        bytes[at] ^= 1;
        damaged.extend(String::from_utf8(bytes));
    }
    for text in damaged {
        let (system, entry, _) = make();
        write(&system, entry.to_str().expect("text"), &text);
        let (status, out) = check(&system, "shop/till.lsl");
        assert_eq!(status, 1);
        assert!(!out.contains("cache"), "{text}");
        assert!(system.err().contains("is damaged; it is found anew"));
        assert!(cached(&system, "shop/till.lsl"), "it is right again");
    }
    // An entry of another script, whole as it is.
    let (system, entry, text) = make();
    check(&system, "shop/p.pml");
    let other = entries(&system).into_iter().find(|other| *other != entry);
    write(
        &system,
        other.expect("a second one").to_str().expect("text"),
        &text,
    );
    let (status, out) = check(&system, "shop/p.pml");
    assert_eq!((status, out.contains("cache")), (0, false), "{out}");
}

#[test]
fn what_is_not_known_for_want_of_time_is_not_kept() {
    let hard = "\
int a, b, c, d; active proctype p() { do :: a++ :: b++ :: c++ :: d++ od }
ltl no { [] (a + b + c + d != 77777777) }";
    let system = InMemory::default().with_file("hard.pml", hard);
    let line = "hard.pml --timeout 100ms --engine explicit";
    assert_eq!(check(&system, line).0, 3, "{}", system.out());
    assert!(entries(&system).is_empty());
    assert!(!cached(&system, line));
}

#[test]
fn what_needs_more_than_verdicts_is_found_anew() {
    let system = shop();
    check(&system, "shop/till.lsl");
    for options in ["--trace runs.json", "--html page.html"] {
        let (status, out) = check(&system, &format!("shop/till.lsl --overwrite {options}"));
        assert_eq!(
            (status, out.contains("cache")),
            (1, false),
            "{options}: {out}"
        );
    }
    assert!(
        system
            .file("page.html")
            .is_some_and(|page| page.contains("never_three"))
    );
}
