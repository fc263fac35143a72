//! Promela from the command line: what a user sees of a model.

use probity::{InMemory, run};

/// The exit status, standard output and standard error of a command line on some files.
fn probity(files: &[(&str, &str)], line: &str) -> (u8, String, String) {
    let system = files
        .iter()
        .fold(InMemory::default(), |system, (name, text)| {
            system.with_file(*name, *text)
        });
    let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    let status = run(&words, &system);
    (status, system.out(), system.err())
}

/// Checks one model, all of it or one property.
fn check(text: &str, property: &str) -> (u8, String) {
    let line = match property {
        "" => "probity check m.pml".to_owned(),
        some => format!("probity check m.pml --property {some}"),
    };
    let (status, out, err) = probity(&[("m.pml", text)], &line);
    assert!(!err.contains("error"), "{err}");
    (status, out)
}

#[test]
fn an_assertion_is_told_by_processes_and_statements() {
    let text = "bool taken;\nbyte inside;\nactive [2] proctype P() {\n  !taken;\n  \
                taken = true;\n  inside++;\n  assert(inside == 1)\n}\n";
    let (status, out) = check(text, "assertions");
    assert_eq!(status, 1);
    let story = out.split_once("no assertion fails\n\n").unwrap().1;
    let expected = "    1. P (pid 0)      m.pml:4          !taken
    2. P (pid 1)      m.pml:4          !taken
    3. P (pid 0)      m.pml:5          taken = true
         taken 0 -> 1
    4. P (pid 0)      m.pml:6          inside++
         inside 0 -> 1
    5. P (pid 1)      m.pml:5          taken = true
    6. P (pid 1)      m.pml:6          inside++
         inside 1 -> 2
    7. P (pid 0)      m.pml:7          assert(inside == 1)
  => `assert(inside == 1)` does not hold
     with inside = 2
  Again: probity check m.pml --property assertions
";
    assert!(story.starts_with(expected), "{story}");
}

#[test]
fn a_step_of_an_inline_definition_is_told_with_its_calls() {
    let text = "byte x;\ninline add(v, n) {\n  v = v + n\n}\ninline twice(v) {\n  add(v, 1);\n  \
                if :: v > 0 -> add(v, 2) fi\n}\nactive proctype P() {\n  twice(x);\n  \
                d_step { add(x, 4); x++ };\n  assert(x == 0)\n}\n";
    let (status, out) = check(text, "assertions");
    assert_eq!(status, 1);
    let story = out.split_once("no assertion fails\n\n").unwrap().1;
    for part in [
        "m.pml:3          v = v + n       in add(v, 1), line 6, in twice(x), line 10\n",
        "m.pml:7          v > 0           in twice(x), line 10\n",
        "m.pml:3          v = v + n       in add(v, 2), line 7, in twice(x), line 10\n",
        "m.pml:12         assert(x == 0)\n",
    ] {
        assert!(story.contains(part), "{part}{story}");
    }
}

#[test]
fn a_deadlock_says_who_waits_for_what_and_channels_are_shown() {
    let text = "mtype = { req, ack };\nchan q = [0] of { mtype, byte };\nchan b = [2] of { mtype };\n\
                active proctype S() {\n  q!req(3);\n  b!ack;\n  b!req;\n  b?ack,_\n}\n\
                active proctype R() {\n  mtype m; byte n;\n  q?m,n;\n  end: q?eval(m),n\n}\n\
                active proctype T() {\n  do :: q?ack,_ :: b?[req] -> break :: timeout -> b??req unless len(b) > 9 od\n}\n";
    let (status, out) = check(text.replace("b?ack,_", "b?ack; b?ack").as_str(), "deadlock");
    assert_eq!(status, 1, "{out}");
    for part in [
        "    1. S (pid 0)      m.pml:5          q!req(3)\n       R (pid 1)      m.pml:12         q?m,n            takes req,3 from S (pid 0)\n         R[1]:m 0 -> req, R[1]:n 0 -> 3\n",
        "         b empty -> [ack]\n",
        "         b [ack] -> [ack] [req]\n",
        "  => no process can move, and not all are where they may end\n",
        "       S (pid 0)      m.pml:8          waits for  b?ack\n",
        "       R (pid 1)      m.pml:13         waits for  q?eval(m),n (and may end there)\n",
    ] {
        assert!(out.contains(part), "{part}\n---\n{out}");
    }
}

#[test]
fn what_runs_for_ever_is_marked() {
    let text =
        "bool on;\nactive proctype P() {\n  do\n  :: on = !on\n  od\n}\nltl settles { <> [] on }\n";
    let (status, out) = check(text, "settles");
    assert_eq!(status, 1);
    assert!(out.contains("and then this repeats for ever:\n"), "{out}");
    assert!(out.contains("=> this run violates `<> [] on`\n"), "{out}");
}

#[test]
fn errors_at_run_time_are_reported_with_their_place() {
    for (text, message) in [
        (
            "byte x;\nactive proctype P() {\n  x = 1 / x\n}",
            "division by zero",
        ),
        (
            "byte a[2]; byte i = 2;\nactive proctype P() {\n  a[i] = 1\n}",
            "index outside of the array",
        ),
        (
            "chan c;\nactive proctype P() {\n\n  c!1\n}",
            "use of a channel that does not exist",
        ),
    ] {
        let (status, out) = check(text, "faults");
        assert_eq!(status, 1, "{out}");
        assert!(
            out.contains(&format!("=> run-time error: {message}\n")),
            "{out}"
        );
        assert!(out.contains("    1. P (pid 0)      m.pml:"), "{out}");
    }
}

#[test]
fn files_are_included_and_macros_defined() {
    let files = [
        (
            "models/m.pml",
            "#include \"parts/n.h\"\nbyte x = N;\nactive proctype P() { assert(x == LIMIT) }",
        ),
        ("models/parts/n.h", "#define N 3\n"),
    ];
    let line = "probity check models/m.pml -D LIMIT=3";
    assert_eq!(probity(&files, line).0, 0, "{:?}", probity(&files, line));
    let line = "probity check models/m.pml -DLIMIT=4";
    let (status, out, _) = probity(&files, line);
    assert_eq!(status, 1);
    let again = "Again: probity check models/m.pml -D LIMIT=4 --property assertions";
    assert!(out.contains(again), "{out}");
    let (status, _, err) = probity(&files[..1], line);
    assert_eq!(status, 2);
    assert!(err.contains("error[PML0105]"), "{err}");
}

#[test]
fn embedded_c_is_refused_by_name_or_passed_over() {
    let text = "active proctype P() { c_code { printf(\"x\"); } }";
    let (status, _, err) = probity(&[("m.spin", text)], "probity check m.spin");
    assert_eq!(status, 2);
    assert!(
        err.contains("error[PML0301]: `c_code` embeds C code"),
        "{err}"
    );
    assert!(err.contains("--ignore-c"), "{err}");
    let (status, out, err) = probity(&[("m.spin", text)], "probity check m.spin --ignore-c");
    assert_eq!(status, 0, "{out}");
    assert!(err.contains("warning[PML0407]"), "{err}");
}

const TWO_MESSAGES: &str = "chan c = [1] of { byte };\nactive proctype S() { c!1; c!2 }\n\
active proctype R() { byte v; c?v; c?v; assert(v == 2) }\n";

#[test]
fn a_message_that_is_lost_is_told() {
    let files = [("m.pml", TWO_MESSAGES)];
    let (status, out, _) = probity(&files, "probity check m.pml");
    assert_eq!(status, 0, "{out}");
    let line = "probity check m.pml --lossy --property deadlock";
    let (status, out, _) = probity(&files, line);
    assert_eq!(status, 1, "{out}");
    let lost = "c!2              loses it: the channel is full";
    assert!(out.contains(lost), "{out}");
    assert_eq!(out.matches("loses it").count(), 1, "{out}");
    assert!(out.contains(&format!("Again: {line}")), "{out}");
}

#[test]
fn a_claim_may_stand_in_a_file_of_its_own() {
    let files = [
        ("m.pml", TWO_MESSAGES),
        ("claims/up.ltl", "ltl two { <> (len(c) > 1) }\n"),
    ];
    let line = "probity check m.pml --claim claims/up.ltl --property two";
    let (status, out, _) = probity(&files, line);
    assert_eq!(status, 1, "{out}");
    assert!(out.contains("two fails"), "{out}");
    let (status, _, err) = probity(&files, "probity check m.pml --claim claims/down.ltl");
    assert_eq!(status, 2);
    assert!(err.contains("claims/down.ltl"), "{err}");
}

#[test]
fn trails_of_spin_are_refused() {
    let (status, _, err) = probity(
        &[("m.pml.trail", "-4:-4:-4\n1:0:3\n")],
        "probity check m.pml.trail",
    );
    assert_eq!(status, 2);
    assert!(err.contains("verifier"), "{err}");
}

const PINGPONG: &str = "mtype = { ping, pong };\nchan c = [0] of { mtype };\n\
active proctype A() {\n  c!ping;\n  c?pong;\n  printf(\"A got %e %d\\n\", pong, 1 + 1)\n}\n\
active proctype B() {\n  mtype m;\n  c?m;\n  if\n  :: c!pong\n  :: m == ping -> assert(false)\n  fi\n}\n";

#[test]
fn a_random_run_is_told_and_the_model_prints() {
    let files = [("m.pml", PINGPONG)];
    let line = "probity simulate m.pml --seed 1";
    let (status, first, err) = probity(&files, line);
    assert_eq!((status, err.as_str()), (0, ""));
    assert_eq!(
        first,
        probity(&files, line).1,
        "the same seed, the same run"
    );
    let runs: Vec<String> = (0..20)
        .map(|seed| probity(&files, &format!("probity simulate m.pml --seed {seed}")).1)
        .collect();
    let all_end = runs
        .iter()
        .find(|run| run.contains("All processes have ended."));
    let all_end = all_end.expect("some run ends well");
    assert!(all_end.contains("prints \"A got pong 2\"\n"), "{all_end}");
    assert!(all_end.contains("takes ping from A (pid 0)\n"), "{all_end}");
    let fails = runs
        .iter()
        .find(|run| run.contains("=> assertions is violated"));
    assert!(fails.expect("some run fails").contains("assert(false)"));
}

#[test]
fn a_run_is_chosen_step_by_step() {
    let system = InMemory::default()
        .with_file("m.pml", PINGPONG)
        .with_input(&["1", "2", "b", "9", "1", "q"]);
    let words = ["probity", "simulate", "m.pml", "--interactive"].map(str::to_owned);
    assert_eq!(run(&words, &system), 0);
    let out = system.out();
    for part in [
        "     1) A (pid 0)  line 4: c!ping; B (pid 1)  line 10: c?m",
        "     1) B (pid 1)  line 12: c!pong",
        "     2) B (pid 1)  line 13: m == ping",
        "Back.\n",
        "Please give a number from 1 to 2, b or q.",
        "takes pong from B (pid 1)",
        "Stopped after 2 steps.",
    ] {
        assert!(out.contains(part), "{part}\n---\n{out}");
    }
}

#[test]
fn a_run_that_check_found_is_replayed_and_one_of_spin_is_not() {
    let system = InMemory::default()
        .with_file("m.pml", PINGPONG.replace("false", "FALSE"))
        .with_file("m.pml.trail", "-4:-4:-4\n1:0:3\n");
    let ask = |line: &str| {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        run(&words, &system)
    };
    assert_eq!(ask("probity check m.pml -D FALSE=0 --trace runs.json"), 1);
    let before = system.out().len();
    assert_eq!(
        ask("probity simulate m.pml --replay runs.json --property assertions"),
        1,
        "{}",
        system.err()
    );
    let told = system.out()[before..].to_owned();
    assert!(
        told.starts_with("The run of assertions\n    1. A (pid 0)"),
        "{told}"
    );
    assert!(told.ends_with("  => assertions is violated\n"), "{told}");
    assert_eq!(
        ask("probity simulate m.pml -D FALSE=0 --replay m.pml.trail"),
        2
    );
    assert!(
        system.err().contains("is a trail of SPIN's"),
        "{}",
        system.err()
    );
}

#[test]
fn what_ends_a_run_is_said() {
    let stuck = "chan q = [1] of { byte }; active proctype P() { end: q?_ }";
    let (_, out, _) = probity(&[("m.pml", stuck)], "probity simulate m.pml");
    assert!(out.contains("all that are left may end where they are:\n       P (pid 0)      m.pml:1          waits for  q?_ (and may end there)\n"), "{out}");
    let stuck = stuck.replace("end: ", "");
    let (_, out, _) = probity(&[("m.pml", &stuck)], "probity simulate m.pml");
    assert!(out.contains("No process can move:\n"), "{out}");
}

#[test]
fn priorities_as_first_values_go_through_the_passes() {
    let text = "byte x; active proctype L() priority 1 { x = 1; assert(x == 1) } \
                active proctype H() priority 10 { x = 2; x = 3 }";
    let (status, out) = check(text, "");
    assert_eq!(status, 0, "{out}");
}

#[test]
fn labels_judge_what_goes_on_for_ever() {
    let text = "byte n; active proctype P() { do :: n < 3 -> progress: n++ :: else -> break od }";
    assert_eq!(
        check(text, "progress").0,
        0,
        "a run that ends is none without progress"
    );
    let text = "bool b; active proctype P() { do :: b = 1 :: b -> progress: b = 0 od }";
    let (status, out) = check(text, "progress");
    assert_eq!(status, 1, "{out}");
    let text = "bool b; active proctype P() { accept: b -> skip }";
    assert_eq!(
        check(text, "acceptance").0,
        1,
        "who waits there for ever is there for ever"
    );
    let text = "bool b; active proctype P() { accept: do :: b = !b od }";
    assert_eq!(check(text, "acceptance").0, 1);
}

#[test]
fn weak_fairness_is_for_each_process_and_stands_in_the_report() {
    // The third process ends at once: it is not unfair that it does nothing any more.
    let model = "byte turn;\nactive [2] proctype P() { do :: turn = _pid od }\n\
                 active proctype once() { skip }\nltl second { <> (turn == 1) }\n\
                 ltl seventh { <> (turn == 7) }\n";
    let files = [("m.pml", model)];
    let (status, out) = check(model, "second");
    assert_eq!(status, 1, "{out}");
    for passes in ["all", "none"] {
        let line = format!("probity check m.pml --fair weak --passes {passes} --property");
        let (status, out, _) = probity(&files, &format!("{line} second"));
        assert_eq!(status, 0, "{out}");
        let assumed = "no process that can always go on is passed over for ever";
        assert!(out.contains(assumed), "{out}");
        let (status, out, _) = probity(&files, &format!("{line} seventh"));
        assert_eq!(status, 1, "{out}");
        assert!(out.contains("--fair weak --property seventh"), "{out}");
    }
}

#[test]
fn fairness_does_not_hide_runs_that_end() {
    let text = "byte n; active proctype P() { n = 1 } active proctype Q() { n = 2 } \
                ltl settles { <> [] (n == 1) } ltl moves { <> (n > 0) }";
    let line = "probity check m.pml --fair weak";
    let (status, out, _) = probity(&[("m.pml", text)], line);
    assert_eq!(status, 1);
    assert!(out.contains("  fails      settles"), "{out}");
    assert!(out.contains("  holds      moves"), "{out}");
}

#[test]
fn statements_that_no_run_reaches_are_listed_when_asked_for() {
    let text =
        "byte n;\nactive proctype P() {\n  if\n  :: n > 0 -> n = 2\n  :: else -> n = 1\n  fi\n}\n";
    let files = [("m.pml", text)];
    let (status, out, _) = probity(&files, "probity check m.pml --unreached");
    assert_eq!(status, 0, "it is no failure: {out}");
    let expected = "Statements that no run reaches
  P              m.pml:4          n > 0
  P              m.pml:4          n = 2
";
    assert!(out.contains(expected), "{out}");
    let (_, out, _) = probity(&files, "probity check m.pml");
    assert!(!out.contains("no run reaches"), "{out}");
    let (_, json, _) = probity(&files, "probity check m.pml --unreached --format json");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let unreached = &json["files"][0]["unreached"];
    assert_eq!(unreached["why"], serde_json::Value::Null);
    assert_eq!(unreached["statements"][1]["text"], "n = 2");
    assert_eq!(unreached["statements"][1]["line"]["line"], 4);
}

#[test]
fn all_failing_places_are_shown_when_asked_for() {
    let text = "byte n;\nactive proctype P() {\n  if\n  :: n = 1 -> assert(n == 2)\n  :: n = 3 -> n = 4;\n     assert(n == 5)\n  fi;\n  n == 6\n}\n";
    let files = [("m.pml", text)];
    let line = "probity check m.pml --all-errors --property assertions --trace runs.json";
    let (status, out, _) = probity(&files, line);
    assert_eq!(status, 1);
    for part in [
        "assertions fails, place 1 of 2\n  no assertion fails\n",
        "=> `assert(n == 2)` does not hold",
        "assertions fails, place 2 of 2\n\n",
        "=> `assert(n == 5)` does not hold",
        "Again: probity check m.pml --property assertions --all-errors\n",
    ] {
        assert_eq!(out.matches(part).count(), 1, "{part}: {out}");
    }
    let (_, out, _) = probity(&files, "probity check m.pml --property assertions");
    assert!(
        out.contains("assertions fails\n") && !out.contains("n == 5"),
        "{out}"
    );
    let line = "probity check m.pml --all-errors --format json";
    let json: serde_json::Value = serde_json::from_str(&probity(&files, line).1).unwrap();
    let others = &json["files"][0]["properties"][0]["others"];
    assert_eq!(others.as_array().map(Vec::len), Some(1), "{json}");
    let line = "probity check m.pml --all-errors --checkpoint c";
    let (status, _, err) = probity(&files, line);
    assert!(status == 2 && err.contains("--all-errors"), "{err}");
}

#[test]
fn claims_may_have_variables() {
    let up = "byte g; active proctype P() { do :: g < 7 -> g++ :: g > 0 -> g-- od }";
    let round = "byte g; active proctype P() { do :: g = (g + 1) % 5 od }";
    // The verdicts are SPIN's.
    for (model, claim, fails) in [
        // A counter of the claim's own steps, cut to its type.
        (
            round,
            "byte n = 250; do :: n++; if :: n == 3 -> break :: else fi od",
            true,
        ),
        (
            round,
            "bit n; do :: n++; if :: n == 3 -> break :: else fi od",
            false,
        ),
        // What the model had before.
        (
            up,
            "unsigned was : 3; do :: was = g :: was + 1 < g -> break :: true od",
            true,
        ),
        (
            round,
            "unsigned was : 3; do :: was = g; if :: g == was + 2 -> break :: else fi od",
            false,
        ),
        // Again and again, with a value kept since.
        (
            round,
            "unsigned was : 3; was = g; accept: do :: g >= was od",
            true,
        ),
        (
            round,
            "unsigned was : 3; do :: true :: g > 0 -> was = g; break od; accept: do :: g >= was od",
            true,
        ),
        (
            round,
            "unsigned was : 3; do :: true :: g > 1 -> was = g; break od; accept: do :: was > 4 od",
            false,
        ),
        // Variables hide others, and are set where they are declared behind statements.
        (
            round,
            "byte g = 7; do :: g == 7 -> g-- :: g == 6 -> break od; byte z = g; z == 6",
            true,
        ),
    ] {
        let text = format!("{model}\nnever {{ {claim} }}\n");
        let (status, out) = check(&text, "never");
        assert_eq!(status, u8::from(fails), "{text}{out}");
    }
}
