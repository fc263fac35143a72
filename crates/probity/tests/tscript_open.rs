//! Scripts of the ToolBus that are parts of a system (`--open`), or look as if they were.

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
    // A file that is missing may be one that was forgotten.
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

/// What starts nothing, calls what is not defined, or waits for a message that nothing sends is a part, unless
/// it is said to be all there is.
#[test]
fn parts_are_known_by_what_is_missing() {
    for script in [
        "process P is rec-msg(go) . snd-msg(finished)",
        "process P is rec-msg(go) . snd-msg(finished)\ntoolbus(P)",
        "process P is Helper . rec-msg(go)\nprocess Q is snd-msg(go)\ntoolbus(P, Q)",
    ] {
        let (status, out, err) = check(script, "");
        assert_eq!(status, 0, "{script}: {out}{err}");
        assert_eq!(verdict(&out, "wedge-P"), "holds", "{script}: {out}");
        assert!(err.contains("TB0307"), "{script}: {err}");
        let (_, _, err) = check(script, "--open");
        assert!(!err.contains("TB0307"), "{script}: {err}");
        let (status, out, err) = check(script, "--closed");
        assert!([1, 2].contains(&status), "{script}: {out}{err}");
    }
    // The bus that does first what it can needs to know all that it can do.
    let script = "process P is rec-msg(go)\ntoolbus(P)";
    assert_eq!(check(script, "--schedule prompt").0, 1);
}

#[test]
fn what_has_all_its_messages_is_no_part() {
    let script = "process P is snd-msg(go(1))
process Q is rec-msg(go(1)) . rec-msg(go(2))
toolbus(P, Q)
";
    let (status, out, err) = check(script, "");
    assert_eq!(status, 1, "{out}{err}");
    assert_eq!(verdict(&out, "wedge-Q"), "fails", "{out}");
    assert!(!err.contains("TB0307"), "{err}");
}

/// A process with parameters begins when others call it, with values of every kind that it tells apart.
#[test]
fn others_call_processes_with_parameters() {
    let script = "process Serve(N : int, Name : str, R : int?) is
  if less(N, 0) then snd-msg(negative) else
  if equal(Name, \"x\") then snd-msg(named) . R := N else snd-msg(other) fi fi
%%@ property negative: <true* . called(\"Serve\", _, _, _) . msg(negative)> true
%%@ property named: <true* . msg(named)> true
%%@ property other: <true* . msg(other)> true
%%@ property uncalled: [(!called(_, _, _, _))* . msg(_)] false
%%@ property never: [true* . msg(other)] false
";
    let (_, out, err) = check(script, "");
    let verdicts = ["negative", "named", "other", "uncalled", "never"];
    let verdicts = verdicts.map(|name| verdict(&out, name));
    let expected = ["holds", "holds", "holds", "holds", "fails"];
    assert_eq!(verdicts, expected, "{out}{err}");
    assert!(out.contains("once, with any arguments: `Serve`"), "{out}");
}

/// One that is also created, by a name that a variable holds, is created with what it is given.
#[test]
fn who_is_called_by_others_may_be_created_as_well() {
    let script = "process Main is let A : str in rec-msg(do(A?)) . create(A(7)) endlet
process Own(N : int) is snd-msg(own(N))
%%@ bound processes = 3
%%@ property created: <true* . create(Own(7)) . msg(own(7))> true
%%@ property called: <true* . called(\"Own\", 3) . msg(own(3))> true
";
    let (_, out, err) = check(script, "");
    let all = ["created", "called", "wedge-Own", "wedge-Own-called"];
    let verdicts = all.map(|name| verdict(&out, name));
    assert_eq!(verdicts, ["holds"; 4], "{out}{err}");
}

/// A constant of another file has one value, which others may send, too.
#[test]
fn constants_of_others_are_values_of_their_own() {
    let script = "process P is let S : str in
  rec-msg(use(S?)) .
  if equal(S, NAMESPACE) then snd-msg(same(S)) else if equal(S, \"a\") then snd-msg(a) else snd-msg(other) fi fi
endlet
toolbus(P)
%%@ property same: <true* . msg(same(_))> true
%%@ property a: <true* . msg(a)> true
%%@ property other: <true* . msg(other)> true
%%@ property never: [true* . msg(same(\"a\"))] false
";
    let (status, _, err) = check(script, "--closed");
    assert_eq!(status, 2, "{err}");
    assert!(err.contains("-D NAMESPACE=VALUE"), "{err}");
    let (_, out, err) = check(script, "--open");
    let verdicts = ["same", "a", "other", "never"].map(|name| verdict(&out, name));
    assert_eq!(verdicts, ["holds", "holds", "holds", "holds"], "{out}{err}");
    assert!(out.contains("defines one): `NAMESPACE`"), "{out}");
    // Defined, it is what is said.
    let system = InMemory::default().with_file("s.tb", script);
    let words = [
        "probity",
        "check",
        "s.tb",
        "--open",
        "-D",
        "NAMESPACE=\"a\"",
    ];
    run(&words, &system);
    assert_eq!(verdict(&system.out(), "never"), "fails", "{}", system.out());
}

/// What is of several types is `undefined`.
#[test]
fn a_constant_of_several_types_is_undefined() {
    let script = "process P is let S : str, I : id in
  rec-msg(use(S?)) . if equal(S, NOTHING) then snd-msg(none) else snd-msg(some) fi . I := NOTHING . snd-msg(is(I))
endlet
%%@ property none: [true* . msg(none)] false
%%@ property some: <true* . msg(some) . msg(is(undefined))> true
";
    let (_, out, err) = check(script, "");
    let verdicts = ["none", "some"].map(|name| verdict(&out, name));
    assert_eq!(verdicts, ["holds", "holds"], "{out}{err}");
    assert!(
        out.contains("of several types are `undefined`: `NOTHING`"),
        "{out}"
    );
}

/// A call stands for the text of what is called: that of another script may subscribe.
#[test]
fn what_others_define_may_subscribe() {
    let script = "process P is Listen . rec-note(changed) . snd-msg(done)
toolbus(P)
%%@ property done: [true* . msg(done)] false
";
    let (_, out, err) = check(script, "--open");
    assert_eq!(verdict(&out, "done"), "fails", "{out}{err}");
    assert_ne!(verdict(&out, "wedge-P"), "fails", "{out}{err}");
}
