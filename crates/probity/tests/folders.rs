//! Folders of scripts are checked side by side, and told in order.

use probity::{InMemory, run};

/// Scripts that take longer the earlier they come, one that fails, and one that is no program.
fn world() -> InMemory {
    let mut system = InMemory::default();
    for number in 0..10 {
        let most = 4_000 >> number;
        let text = format!(
            "int n; active proctype p() {{ do :: n < {most} -> n++ :: else -> break od }}\n\
             ltl small {{ [] (n <= {most}) }}\nltl fails{number} {{ [] (n < 3) }}\n"
        );
        system = system.with_file(format!("world/m{number}.pml"), text);
    }
    system.with_file("world/m3a.pml", "active proctype p() { nonsense nonsense }")
}

/// The exit status, the files and verdicts that are told, and what is said on standard error.
fn told(options: &str) -> (u8, Vec<String>, String) {
    let system = world();
    let line = format!("probity check {options}");
    let words: Vec<&str> = line.split(' ').collect();
    let status = run(&words, &system);
    let is_told = |line: &&str| {
        let words = ["world/", "  holds ", "  fails ", "  not known "];
        words.iter().any(|word| line.starts_with(word))
    };
    let out = system.out();
    let lines = out.lines().filter(is_told);
    let words = |line: &str| {
        line.split_whitespace()
            .take(2)
            .collect::<Vec<_>>()
            .join(" ")
    };
    (status, lines.map(words).collect(), system.err())
}

#[test]
fn the_order_is_that_of_the_files_however_many_are_checked_at_once() {
    let (status, alone, said_alone) = told("world --jobs 1 --engine explicit");
    assert_eq!(status, 2, "one is no program: {said_alone}");
    let headings: Vec<&String> = alone
        .iter()
        .filter(|line| line.starts_with("world/"))
        .collect();
    assert!(headings.is_sorted() && headings.len() == 11, "{headings:?}");
    assert_eq!(alone.len(), 11 + 10 * 4);
    for _ in 0..3 {
        let (status, beside, said) = told("world --jobs 4 --engine explicit");
        assert_eq!((status, &beside), (2, &alone));
        assert_eq!(said, said_alone);
    }
}

#[test]
fn files_that_are_named_keep_their_order() {
    let (status, out, err) = told("world/m9.pml world/m0.pml world/m8.pml --jobs 3");
    assert_eq!(status, 1, "{err}");
    let headings: Vec<&String> = out
        .iter()
        .filter(|line| line.starts_with("world/"))
        .collect();
    assert_eq!(headings, ["world/m9.pml", "world/m0.pml", "world/m8.pml"]);
}

#[test]
fn a_hopeless_one_takes_no_time_from_the_others() {
    let hopeless = "int a, b, c, d; active proctype p() { do :: a++ :: b++ :: c++ :: d++ od }\n\
                    ltl no { [] (a + b + c + d != 77777777) }";
    let system = world()
        .with_file("world/a.pml", hopeless)
        .with_file("world/b.pml", hopeless);
    let line = "probity check world --timeout 2s --engine explicit --jobs 2";
    let words: Vec<&str> = line.split(' ').collect();
    let status = run(&words, &system);
    assert_eq!(status, 2);
    let out = system.out();
    let summary = out.lines().last();
    assert!(out.contains("10 fail, 2 not known"), "{summary:?}");
}

#[test]
fn quiet_tells_failures_and_the_last_line() {
    let system = world();
    let words = "probity check world/m8.pml world/m9.pml world/good.pml -q";
    let good = "active proctype p() { skip }";
    let system = system.with_file("world/good.pml", good);
    let words: Vec<&str> = words.split(' ').collect();
    assert_eq!(run(&words, &system), 1, "{}", system.err());
    let out = system.out();
    assert!(
        !out.contains("holds ") && !out.contains("good.pml"),
        "{out}"
    );
    assert_eq!(out.matches("  fails  ").count(), 2, "{out}");
    assert_eq!(
        out.lines()
            .last()
            .map(|line| line.contains("Exit status 1")),
        Some(true)
    );
    let both = ["probity", "check", "world/m9.pml", "-q", "-v"];
    assert_eq!(run(&both, &system), 2);
    let system = InMemory::default().with_file("good.pml", good);
    assert_eq!(run(&["probity", "check", "good.pml", "-q"], &system), 0);
    assert_eq!(system.out().lines().count(), 1, "{}", system.out());
}
