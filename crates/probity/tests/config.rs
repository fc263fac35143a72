//! `probity.toml`: options for the scripts in a folder and below.

use std::path::Path;

use probity::{InMemory, System as _, run};

const TILL: &str = "\
integer paid;
//@ property little: always paid <= 3;
default { money(key id, integer amount) { paid = amount; } }
";

/// What a command says: the exit status, the report, and what is written beside it.
fn told(system: &InMemory, line: &str) -> (u8, String, String) {
    let (out, err) = (system.out().len(), system.err().len());
    let words: Vec<&str> = line.split_whitespace().collect();
    let status = run(&words, system);
    (
        status,
        system.out()[out..].to_owned(),
        system.err()[err..].to_owned(),
    )
}

#[test]
fn bounds_of_the_file_count_and_those_of_the_command_line_win() {
    let system = InMemory::default()
        .with_file("shop/till.lsl", TILL)
        .with_file("probity.toml", "[bound]\namount = \"0..3\"\n");
    let check = "probity check shop/till.lsl --no-cache";
    let (status, out, _) = told(&system, check);
    assert_eq!(status, 0, "{out}");
    let (status, out, _) = told(&system, &format!("{check} --bound amount=0..4"));
    assert_eq!(status, 1, "{out}");
    let (status, out, _) = told(&system, &format!("{check} --no-config"));
    assert_eq!(status, 1, "{out}");
}

#[test]
fn the_nearest_file_counts_up_to_the_repository() {
    let file = "bound = [\"amount=0..3\"]\n";
    let system = InMemory::default()
        .with_file("a/b/till.lsl", TILL)
        .with_file("a/probity.toml", file)
        .with_file("a/b/probity.toml", "timeout = \"50s\"\n")
        .with_file("c/probity.toml", file)
        .with_file("c/d/.git/config", "")
        .with_file("c/d/till.lsl", TILL);
    for (script, expected) in [("a/b/till.lsl", 1), ("c/d/till.lsl", 1)] {
        let (status, out, err) = told(&system, &format!("probity check {script} --no-cache"));
        assert_eq!(status, expected, "{script}: {out}{err}");
    }
}

#[test]
fn languages_and_paths_have_tables_of_their_own() {
    let system = InMemory::default()
        .with_file("shop/till.lsl", TILL)
        .with_file("bank/till.lsl", TILL)
        .with_file(
            "p.pml",
            "#ifndef N\n#define N 2\n#endif\nactive proctype P() { assert(N == 3) }",
        )
        .with_file(
            "probity.toml",
            "[promela.define]\nN = 3\n[[paths]]\nmatch = \"shop/*\"\nbound = \"amount=0..3\"\n",
        );
    for (script, expected) in [("shop/till.lsl", 0), ("bank/till.lsl", 1), ("p.pml", 0)] {
        let (status, out, err) = told(&system, &format!("probity check {script} --no-cache"));
        assert_eq!(status, expected, "{script}: {out}{err}");
    }
    // Several at once, each with its own.
    let (status, out, _) = told(&system, "probity check shop bank p.pml --no-cache");
    assert_eq!(status, 1, "{out}");
    assert!(out.contains("4 hold, 1 fails"), "{out}");
}

#[test]
fn what_is_silenced_is_left_out_and_named() {
    let both = format!("//@ property enough: always paid > -9;\n{TILL}");
    let system = InMemory::default().with_file("till.lsl", both).with_file(
        "probity.toml",
        "silence = [\"lit*\"]\n[bound]\namount = \"0..9\"\n",
    );
    let (status, out, err) = told(&system, "probity check till.lsl --no-cache");
    assert_eq!(status, 0, "{out}{err}");
    assert!(err.contains("left out (silence): little"), "{err}");
    let line = "probity check till.lsl --no-cache --property little";
    let (status, out, _) = told(&system, line);
    assert_eq!(status, 1, "{out}");
}

#[test]
fn what_is_wrong_is_shown_where_it_is_written() {
    for (text, wanted) in [
        (
            "timeuot = \"5s\"\n",
            ["did you mean `timeout`", "1 | timeuot"],
        ),
        (
            "timeout = \"soon\"\n",
            ["is no time", "1 | timeout = \"soon\""],
        ),
        ("\nengine = \"steam\"\n", ["invalid value", "2 | engine"]),
        ("strict = 3\n", ["`true` or `false`", "1 | strict = 3"]),
        (
            "[lsl]\nmemory = \"1G\"\n",
            ["for all files together", "2 | memory"],
        ),
        (
            "format = \"json\"\n",
            ["for the command line only", "1 | format"],
        ),
        (
            "[[paths]]\ntimeout = \"1s\"\n",
            ["for no path", "[[paths]]"],
        ),
        ("bound = \"amount\"\n", ["is no bound", "1 | bound"]),
        ("timeout = \n", ["CLI0008", "1 | timeout"]),
        (
            "[lls]\nbound = \"a=1\"\n",
            ["did you mean `lsl`", "1 | [lls]"],
        ),
    ] {
        let system = InMemory::default()
            .with_file("till.lsl", TILL)
            .with_file("probity.toml", text);
        for command in ["check till.lsl --no-cache", "simulate till.lsl --steps 1"] {
            let (status, _, err) = told(&system, &format!("probity {command}"));
            assert_eq!(status, 2, "{text}: {err}");
            assert!(err.contains("CLI0008"), "{text}: {err}");
            for wanted in wanted {
                assert!(err.contains(wanted), "{text}: {wanted}: {err}");
            }
        }
    }
}

#[test]
fn a_kept_verdict_is_not_the_answer_under_another_file() {
    let system = InMemory::default()
        .with_file("till.lsl", TILL)
        .with_file("probity.toml", "[bound]\namount = \"0..3\"\n");
    let check = "probity check till.lsl --cache kept";
    assert_eq!(told(&system, check).0, 0);
    let (status, out, _) = told(&system, check);
    assert_eq!(status, 0);
    assert!(out.contains("from the cache"), "{out}");
    let other = "[bound]\namount = \"0..4\"\n";
    system
        .write(Path::new("probity.toml"), other)
        .expect("memory");
    let (status, out, _) = told(&system, check);
    assert_eq!(status, 1, "{out}");
    assert!(!out.contains("from the cache"), "{out}");
}

#[test]
fn jobs_have_what_the_file_states_in_their_keys() {
    let system = InMemory::default().with_file("till.lsl", TILL);
    let plan = |system: &InMemory| told(system, "probity plan till.lsl").1;
    let before = plan(&system);
    let file = "[bound]\namount = \"0..3\"\n";
    system
        .write(Path::new("probity.toml"), file)
        .expect("memory");
    let with = plan(&system);
    assert_ne!(before, with);
    assert!(with.contains("\"--bound\",\"amount=0..3\""), "{with}");
    assert!(with.contains("\"--no-config\""), "{with}");
}

#[test]
fn files_that_say_different_things_of_all_are_refused() {
    let system = InMemory::default()
        .with_file("a/till.lsl", TILL)
        .with_file("a/probity.toml", "require = \"proved\"\n")
        .with_file("b/till.lsl", TILL);
    let (status, _, err) = told(&system, "probity check a b --no-cache");
    assert_eq!(status, 2, "{err}");
    assert!(err.contains("all files together"), "{err}");
    let (status, out, _) = told(&system, "probity check a --no-cache --bound amount=0..3");
    assert_eq!(status, 3, "within bounds is not proved: {out}");
}

#[test]
fn other_commands_read_scripts_in_the_same_way() {
    let system = InMemory::default()
        .with_file("p.pml", "active proctype P() { assert(N == 3) }")
        .with_file("probity.toml", "[define]\nN = 3\n");
    for command in [
        "simulate p.pml",
        "translate p.pml --to promela",
        "certify p.pml",
    ] {
        let (status, out, err) = told(&system, &format!("probity {command}"));
        assert_eq!(status, 0, "{command}: {out}{err}");
        let (status, _, _) = told(&system, &format!("probity {command} --no-config"));
        assert_eq!(status, 2, "{command}");
    }
}
