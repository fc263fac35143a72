//! Scripts of the ToolBus that are parts of a system (`--open`).

use probity::{InMemory, run};

/// Checks a script; the report.
fn check(script: &str, options: &str) -> (u8, String, String) {
    let system = InMemory::default().with_file("s.tb", script);
    let line = format!("probity check s.tb {options}");
    let status = run(&line.split_whitespace().collect::<Vec<_>>(), &system);
    (status, system.out(), system.err())
}

/// The first word of a property's line.
fn verdict<'o>(out: &'o str, property: &str) -> &'o str {
    let row =
        |line: &&str| line.starts_with("  ") && line.split_whitespace().any(|w| w == property);
    let row = out.lines().find(row);
    let row = row.unwrap_or_else(|| panic!("{property}: {out}"));
    row.split_whitespace().next().expect("a verdict")
}

#[test]
fn others_take_and_send_messages() {
    let script = "process P is snd-msg(ping(1)) . rec-msg(pong(1))\ntoolbus(P)\n";
    let (status, out, err) = check(script, "");
    assert_eq!(status, 1, "{out}");
    assert_eq!(verdict(&out, "wedge-P"), "fails");
    assert!(err.contains("--open"), "{err}");
    let (status, out, err) = check(script, "--open");
    assert_eq!(status, 0, "{out}{err}");
    assert_eq!(verdict(&out, "wedge-P"), "holds");
    assert!(out.contains("`ping`, `pong`"), "{out}");
    assert!(!err.contains("TB0301"), "{err}");
}

#[test]
fn what_others_send_has_every_value_that_the_script_tells_apart() {
    let script = "process P is let X : int in
  rec-msg(n(X?)) .
  if equal(X, 3) then snd-msg(three) else if greater(X, 7) then snd-msg(large) else snd-msg(other) fi fi
endlet
toolbus(P)
%%@ property three: <true* . msg(three)> true
%%@ property large: <true* . msg(large)> true
%%@ property other: <true* . msg(other)> true
%%@ property never: [true* . msg(three)] false
";
    let (_, out, err) = check(script, "--open");
    let verdicts = ["three", "large", "other", "never"].map(|name| verdict(&out, name));
    assert_eq!(verdicts, ["holds", "holds", "holds", "fails"], "{out}{err}");
}

/// A variable that is filled in may be asked for its old value in the same action.
#[test]
fn old_values_are_compared_with_those_from_outside() {
    let script = "process P is let X : int in
  X := 1 . rec-msg(n(X?, X)) . snd-msg(now(X))
endlet
toolbus(P)
%%@ property old: [true* . msg(n(_, 1))] <true> true
%%@ property other: [true* . msg(n(_, 2))] false
%%@ property new: <true* . msg(n(2, 1)) . msg(now(2))> true
";
    let (_, out, err) = check(script, "--open");
    let verdicts = ["old", "other", "new"].map(|name| verdict(&out, name));
    assert_eq!(verdicts, ["holds", "holds", "holds"], "{out}{err}");
}

#[test]
fn others_define_what_is_missing() {
    let script = "#include \"others.tb\"
process Main is let R : int in Helper(1, R?) . snd-msg(done(R)) . Sub endlet
process Sub is tau
%%@ property done: <true* . calls(\"Helper\", _, _) . msg(done(_))> true
";
    let (status, _, err) = check(script, "");
    assert_eq!(status, 2, "{err}");
    let (status, out, err) = check(script, "--open");
    assert_eq!(status, 0, "{out}{err}");
    assert_eq!(verdict(&out, "done"), "holds");
    assert!(
        out.contains("what other scripts define ends at some time: `Helper`"),
        "{out}"
    );
}

/// Others may say which process is called: one of the script, or one of theirs.
#[test]
fn others_name_processes() {
    let script = "process Main is let A : str in rec-msg(do(A?)) . A(1) . snd-msg(done) endlet
process Own(N : int) is snd-msg(own(N))
toolbus(Main)
%%@ property own: <true* . msg(own(1)) . msg(done)> true
%%@ property theirs: <true* . calls(_, 1) . msg(done)> true
%%@ property once: [true* . msg(own(1)) . calls(_, 1)] false
";
    let (_, out, err) = check(script, "--open");
    let verdicts = ["own", "theirs", "once", "wedge-Main"].map(|name| verdict(&out, name));
    assert_eq!(verdicts, ["holds", "holds", "holds", "holds"], "{out}{err}");
}

#[test]
fn what_nobody_else_can_help_is_found_all_the_same() {
    // Nobody can send a note to whom has not subscribed to it.
    let script = "process P is snd-msg(a) . rec-note(n)\ntoolbus(P)\n";
    let (status, out, _) = check(script, "--open");
    assert_eq!(status, 1, "{out}");
    assert_eq!(verdict(&out, "wedge-P"), "fails");
    let script =
        "process P is subscribe(n) . snd-msg(a) . rec-note(n) . unsubscribe(n)\ntoolbus(P)\n";
    let (_, out, _) = check(script, "--open");
    // Others may send many more notes than are looked at.
    for property in ["wedge-P", "queues"] {
        assert_eq!(verdict(&out, property), "not", "{out}");
    }
}

#[test]
fn an_open_script_is_no_model_of_mcrl2() {
    let script = "process P is snd-msg(a)\ntoolbus(P)\n";
    let system = InMemory::default().with_file("s.tb", script);
    let words = ["probity", "translate", "s.tb", "--to", "mcrl2", "--open"];
    assert_ne!(run(&words, &system), 0);
    assert!(system.err().contains("TB0306"), "{}", system.err());
}
