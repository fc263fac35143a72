//! Kept runs are regression tests: the exit status says whether the violation is still there.

use std::path::Path;

use probity::{InMemory, System as _, run};

const DOOR: &str = "\
integer open;
//@ property shut: always open == 0;
default { touch_start(integer n) { if (open < 2) ++open; } }
";

/// What a kept run comes to when the script is another one: the exit status, and what is said.
fn replayed(text: &str) -> (u8, String, String) {
    let system = InMemory::default().with_file("door.lsl", DOOR);
    let keep = ["probity", "check", "door.lsl", "--trace", "runs.json"];
    assert_eq!(run(&keep, &system), 1, "{}", system.err());
    let before = system.out().len();
    system.write(Path::new("door.lsl"), text).expect("memory");
    let words = ["probity", "simulate", "door.lsl", "--replay", "runs.json"];
    let status = run(&words, &system);
    (status, system.out()[before..].to_owned(), system.err())
}

#[test]
fn a_violation_that_is_still_there_is_a_failure() {
    let (status, out, err) = replayed(DOOR);
    assert_eq!((status, err.as_str()), (1, ""), "{out}");
    let (status, out, err) = replayed(&DOOR.replace("< 2", "< 3"));
    assert_eq!(status, 1, "{out}");
    assert!(
        err.contains("door.lsl was changed since the run was kept"),
        "{err}"
    );
}

#[test]
fn a_violation_that_is_gone_is_a_success() {
    let (status, out, err) = replayed(&DOOR.replace("++open", "open = 0"));
    assert_eq!(status, 0, "{out}{err}");
    assert!(out.contains("shut is not violated"), "{out}");
    assert!(err.contains("was changed"), "{err}");
}

#[test]
fn a_run_in_other_steps_is_no_proof_that_a_violation_is_gone() {
    // Nobody can touch it any more, but who pays opens it.
    let paid = DOOR.replace("touch_start(integer n)", "money(key id, integer amount)");
    let (status, out, _) = replayed(&paid);
    assert_eq!(status, 1, "{out}");
    assert!(out.contains("shut is violated"), "{out}");
    let mute = "integer open;\n//@ property shut: always open == 0;\ndefault { state_entry() { } }";
    let (status, out, _) = replayed(mute);
    assert_eq!(status, 0, "{out}");
    assert!(
        out.contains("no such run any more") && out.contains("not violated by any run"),
        "{out}"
    );
}

#[test]
fn a_kept_run_is_followed_and_left_where_the_user_likes() {
    let text = "active proctype p() { byte n; do :: n++ :: n = 7 -> break od; assert(n != 7) }";
    let keep = ["probity", "check", "m.pml", "--trace", "runs.json"];
    let walk = [
        "probity",
        "simulate",
        "m.pml",
        "--replay",
        "runs.json",
        "--interactive",
    ];
    let walked = |input: &[&str]| {
        let system = InMemory::default()
            .with_file("m.pml", text)
            .with_input(input);
        assert_eq!(run(&keep, &system), 1, "{}", system.err());
        let before = system.out().len();
        let status = run(&walk, &system);
        (status, system.out()[before..].to_owned(), system.err())
    };
    let (status, out, err) = walked(&["", "", "", "b", "q"]);
    assert_eq!(status, 0, "{out}{err}");
    assert!(out.starts_with("Along the run of assertions\n"), "{out}");
    assert_eq!(out.matches(" Enter) ").count(), 3, "{out}");
    assert!(out.contains("The kept run ends here."), "{out}");
    assert!(
        out.contains("=> assertions is violated") && out.ends_with("Stopped after 1 steps.\n"),
        "{out}"
    );
    // Another way than the kept one: it is left, and followed again after going back.
    let (_, out, _) = walked(&["1", "b", "", "q"]);
    assert_eq!(out.matches(" Enter) ").count(), 3, "{out}");
    let system = InMemory::default().with_file("m.pml", text);
    assert_eq!(run(&keep, &system), 1);
    let other = [&walk[..], &["--property", "other"]].concat();
    assert_eq!(run(&other, &system), 2);
}

#[test]
fn what_was_walked_is_kept_and_replayed() {
    let walk = |input: &[&str]| {
        let system = InMemory::default()
            .with_file("door.lsl", DOOR)
            .with_input(input);
        let line = "probity simulate door.lsl --interactive --save walk.json";
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!(run(&words, &system), 0, "{}", system.err());
        let said = system.out();
        let before = said.len();
        let replay = ["probity", "simulate", "door.lsl", "--replay", "walk.json"];
        let status = run(&replay, &system);
        (status, said, system.out()[before..].to_owned())
    };
    // The third choice is a touch, and that opens it.
    let (status, said, told) = walk(&["3", "1", "b", "q"]);
    assert!(
        said.contains("The run is kept in walk.json. It violates shut."),
        "{said}"
    );
    assert_eq!(status, 1, "{told}");
    assert!(told.contains("shut is violated"), "{told}");
    let (status, said, told) = walk(&["q"]);
    assert!(said.contains("It violates nothing."), "{said}");
    assert_eq!(status, 0, "{told}");
}

#[test]
fn a_kept_run_that_was_left_is_kept_anew() {
    let system = InMemory::default()
        .with_file("door.lsl", DOOR)
        .with_input(&["", "", "", "q"]);
    let keep = ["probity", "check", "door.lsl", "--trace", "runs.json"];
    assert_eq!(run(&keep, &system), 1, "{}", system.err());
    let line = "probity simulate door.lsl --interactive --replay runs.json --save again.json";
    let words: Vec<&str> = line.split(' ').collect();
    assert_eq!(run(&words, &system), 0, "{}", system.err());
    let steps = |name: &str| {
        let text = system.file(name).expect("it is kept");
        let file: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
        file["traces"][0]["steps"].clone()
    };
    assert_eq!(steps("runs.json"), steps("again.json"));
    let line = "probity simulate door.lsl --steps 3 --save walk.json";
    let words: Vec<&str> = line.split(' ').collect();
    assert_eq!(run(&words, &system), 2, "only what is walked is kept");
}
