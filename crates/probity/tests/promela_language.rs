//! The rules of Promela, one small model each: the properties that fail, all others hold.
//!
//! SPIN 6.5.2 gives the same answers, but where `docs/spin-differences.md` says otherwise.

use probity::{InMemory, run};
use report::{Report, VerdictWord};

/// A rule, a model, and what fails.
type Rule = (&'static str, &'static str, &'static [&'static str]);

const RULES: &[Rule] = &[
    (
        "an expression waits until it is not 0",
        "byte x; active proctype P() { x == 1; assert(x == 1) } active proctype Q() { x = 1 }",
        &[],
    ),
    (
        "an expression that stays 0 is a deadlock",
        "byte x; active proctype P() { x == 1 -> x = 2 }",
        &["deadlock"],
    ),
    (
        "else is for when nothing beside it can be executed",
        "byte x = 1; active proctype P() { if :: x == 1 -> skip :: else -> assert(false) fi; \
         if :: x == 2 -> assert(false) :: else fi }",
        &[],
    ),
    (
        "timeout is for when nothing at all can be executed, again and again",
        "byte x, n; active proctype P() { do :: x < 2 -> x++ :: x == 2 -> break od; x == 9; n = 9 } \
         active proctype Q() { timeout -> assert(x == 2); n = 1; timeout -> assert(n == 1); x = 9 }",
        &[],
    ),
    (
        "atomic is lost where it blocks and taken up again",
        "byte x; active proctype A() { atomic { x = 1; x == 2; assert(x == 2) } } \
         active proctype B() { x == 1; x = 2 }",
        &[],
    ),
    (
        "nobody looks inside of atomic",
        "byte x; active proctype A() { atomic { x = 1; x = 0 } } \
         active proctype B() { assert(x == 0) }",
        &[],
    ),
    (
        "a rendezvous hands the turn over to the receiver",
        "chan c = [0] of { byte }; byte t; \
         active proctype S() { atomic { c!1; assert(t == 2) } } \
         active proctype R() { atomic { c?_; t = 1; t = 2 } }",
        &[],
    ),
    (
        "behind a rendezvous whose receiver is not atomic anyone may go on",
        "chan c = [0] of { byte }; byte t; \
         active proctype S() { atomic { c!1; assert(t == 0) } } \
         active proctype R() { c?_; t = 1 }",
        &["assertions"],
    ),
    (
        "d_step takes the first option that it can",
        "byte x; active proctype P() { d_step { if :: x = 1 :: x = 2 fi; x = x * 2 }; assert(x == 2) }",
        &[],
    ),
    (
        "blocking inside of d_step is an error",
        "byte x; active proctype P() { d_step { x = 1; x == 2 } }",
        &["faults"],
    ),
    (
        "unless interrupts, in atomic too",
        "byte x; active proctype P() { { x = 1; x = 2; x = 3 } unless { x == 2 -> x = 9 }; \
         assert(x == 9) } ",
        &[],
    ),
    (
        "unless does not interrupt inside of d_step",
        "byte x; active proctype P() { d_step { x = 1; x = 2; x = 3 } unless { x == 2 -> x = 9 }; \
         assert(x == 3) } ",
        &[],
    ),
    (
        "of two escapes the outer one goes first",
        "byte x; active proctype P() { { { x = 1; false } unless { x == 1 -> x = 5 } } \
         unless { x == 1 -> x = 7 }; assert(x == 7) }",
        &[],
    ),
    (
        "labels that begin with end are valid ends",
        "byte x; active proctype P() { endless: x == 1 } active proctype Q() { en: x == 1 }",
        &["deadlock"],
    ),
    (
        "processes are numbered in the order of the text",
        "active [2] proctype A() { assert(_pid < 2) } init { assert(_pid == 2) } \
         active proctype B() { assert(_pid == 3) }",
        &[],
    ),
    (
        "a process goes away only as the youngest, and its number is used again",
        "byte p; proctype A() { skip } \
         init { p = run A(); assert(p == 1); _nr_pr == 1; p = run A(); assert(p == 1) }",
        &[],
    ),
    (
        "more than 255 processes are no matter",
        "proctype A() { end: false } \
         init { short i; for (i : 1 .. 260) { run A() }; assert(_nr_pr == 261) }",
        &[],
    ),
    (
        "values are cut off as they are stored and sent",
        "chan q = [1] of { byte, bool }; byte b; short s; int i; bit t; unsigned u : 3; \
         active proctype P() { i = 300; b = i; i = 40000; s = i; i = 2; t = i; i = 9; u = i; \
         assert(b == 44 && s == -25536 && t == 0 && u == 1); i = 2147483647; i++; \
         assert(i < 0); q!i + 300,3; q?b,t; assert(b == 44 && t == 1) }",
        &[],
    ),
    (
        "division and remainder go towards 0",
        "int a = -7; active proctype P() { assert(a / 2 == -3 && a % 3 == -1) }",
        &[],
    ),
    (
        "division by 0 is an error",
        "byte x; active proctype P() { x = 3 % x }",
        &["faults"],
    ),
    (
        "mtype counts from the end of each list, each kind by itself",
        "mtype = { a, b, c }; mtype = { d, e }; mtype:fruit = { apple, pear }; \
         active proctype P() { assert(a == 3 && c == 1 && d == 5 && e == 4 && apple == 2) }",
        &[],
    ),
    (
        "a sorted send keeps the order of numbers",
        "chan q = [3] of { byte, byte }; byte x, y; \
         active proctype P() { q!!2,1; q!!1,9; q!!1,3; q?x,y; assert(x == 1 && y == 3); \
         q?x,y; assert(x == 1 && y == 9); q?x,y; assert(x == 2) }",
        &[],
    ),
    (
        "?? takes the first message that fits, ?<> leaves it, ?[] only looks",
        "chan q = [3] of { byte, byte }; byte y; \
         active proctype P() { q!1,5; q!2,6; q!2,7; assert(q??[2,_] && !q?[2,_]); q??2,y; \
         assert(y == 6 && len(q) == 2); q?<1,y>; assert(y == 5 && len(q) == 2); \
         assert(nfull(q) && nempty(q)) }",
        &[],
    ),
    (
        "eval matches a value",
        "chan q = [2] of { byte }; byte x = 2; \
         active proctype P() { q!1; if :: q?eval(x) -> assert(false) :: q?x -> assert(x == 1) fi }",
        &[],
    ),
    (
        "a rendezvous channel is never full",
        "chan c = [0] of { byte }; active proctype P() { assert(!full(c) && empty(c)) }",
        &[],
    ),
    (
        "channels travel through channels and parameters",
        "chan g = [1] of { chan }; byte x; \
         proctype A(chan out) { out!7 } \
         init { chan mine = [1] of { byte }; chan other; g!mine; g?other; run A(other); mine?x; \
         assert(x == 7) }",
        &[],
    ),
    (
        "a channel goes away with its process",
        "chan g = [1] of { chan }; \
         proctype A() { chan mine = [1] of { byte }; g!mine } \
         init { chan other; run A(); g?other; _nr_pr == 1; other!1 }",
        &["faults"],
    ),
    (
        "structures hold arrays and structures",
        "typedef In { byte a[2] }; typedef Out { In i[2]; byte b }; Out o; \
         active proctype P() { o.i[1].a[0] = 3; o.b = o.i[1].a[0]; assert(o.b == 3) }",
        &[],
    ),
    (
        "an index outside of its array is an error",
        "byte a[2]; byte i; active proctype P() { do :: i < 3 -> a[i] = 1; i++ od }",
        &["faults"],
    ),
    (
        "select chooses any, for counts one beyond",
        "byte i, n; active proctype P() { select (i : 1 .. 3); n = i; assert(n >= 1 && n <= 3); \
         for (i : 1 .. 3) { n++ }; assert(i == 4) }",
        &[],
    ),
    (
        "select chooses the last, too",
        "byte i; active proctype P() { select (i : 1 .. 3); assert(i != 3) }",
        &["assertions"],
    ),
    (
        "inline is text, with arguments in place of parameters",
        "inline twice(what) { what; what } byte x; active proctype P() { twice(x++); assert(x == 2) }",
        &[],
    ),
    (
        "blocks have variables of their own",
        "active proctype P() { byte x = 1; { byte y = 2; x = y }; { byte y = 3; x = x + y }; \
         assert(x == 5) }",
        &[],
    ),
    (
        "provided holds every step back",
        "byte x; active proctype P() provided (x == 1) { assert(x == 1); assert(x == 1) } \
         active proctype Q() { x = 1 }",
        &[],
    ),
    (
        "only the highest priority moves",
        "byte x; active proctype L() priority 1 { assert(x == 3) } \
         active proctype H() priority 10 { x = 2; x = 3 }",
        &[],
    ),
    (
        "a process of higher priority comes into atomic",
        "byte x; active proctype L() priority 1 { byte i; atomic { x = 1; x = 2 } } \
         active proctype H() priority 2 { byte i; x == 1 -> assert(false) }",
        &["assertions"],
    ),
    (
        "a priority goes away with its process",
        "proctype A(byte p) { set_priority(_pid, p) } \
         init { run A(9); _nr_pr == 1; assert(get_priority(1) == 0); run A(2); \
         assert(get_priority(1) < 9) }",
        &[],
    ),
    (
        "what is provided may be taken away inside of d_step",
        "byte g = 1; active proctype P() provided (g == 1) { d_step { g = 0; g++; g = 1 }; \
         assert(g == 1) }",
        &[],
    ),
    (
        "variables and labels of others are read, of those that are not there as 0",
        "active proctype P() { byte mine = 3; here: mine == 3; mine = 4 } \
         active proctype Q() { byte x; P:mine == 3 || P:mine == 4 || P:mine == 0 } \
         ltl never_five { [] (P:mine != 5 && P[1]:mine != 3) } ltl passes { <> P@here }",
        &[],
    ),
    (
        "a run that ends repeats its last state",
        "byte x; active proctype P() { x = 1 } ltl ends { [] <> (x == 1) } ltl back { [] <> (x == 0) }",
        &["back"],
    ),
    (
        "a run that blocks repeats its last state",
        "byte x; active proctype P() { x = 1; x == 2 } ltl two { <> (x == 2) }",
        &["deadlock", "two"],
    ),
    (
        "X is the next state",
        "byte x; active proctype P() { x = 1; x = 2 } ltl next { X (x == 1) && X X (x == 2) } \
         ltl now { X (x == 2) }",
        &["now"],
    ),
    (
        "formulas have words and weak operators",
        "byte x; active proctype P() { x = 1; x = 2 } \
         ltl words { always (x == 1 implies eventually x == 2) } \
         ltl weak { (x == 0) W (x == 1) } ltl strong { (x == 0) U (x == 3) } \
         ltl release { (x == 2) V (x < 3) }",
        &["strong"],
    ),
    (
        "several claims are judged, each on its own",
        "byte x; active proctype P() { x = 1; x = 2 } \
         never one { do :: x == 1 -> break :: else od } never nine { do :: x == 9 -> break :: else od }",
        &["one"],
    ),
    (
        "accept labels of a claim are passed for ever",
        "bit x; active proctype P() { do :: x = 1 - x od } \
         never { do :: x == 1 -> goto acc :: true od; acc: accept: do :: true od }",
        &["never"],
    ),
    (
        "_last and enabled are for claims",
        "byte x; active proctype P() { x = 1 } active proctype Q() { x = 2 } \
         never last { do :: _last == 1 && x == 1 -> break :: true od } \
         never can { do :: enabled(0) && x == 2 -> break :: true od }",
        &["can", "last"],
    ),
    (
        "np_ holds away from progress labels",
        "bit x; active proctype P() { do :: x = 1 - x :: progress: x = 1 - x od } \
         ltl goes { [] <> !np_ }",
        &["goes", "progress"],
    ),
    (
        "a trace is followed",
        "chan c = [1] of { byte }; active proctype P() { c!1; c!2 } \
         active proctype Q() { byte x; c?x; c?x } trace { do :: c!1; c!2 od }",
        &[],
    ),
    (
        "a trace is not followed",
        "chan c = [1] of { byte }; active proctype P() { c!1; c!1 } \
         active proctype Q() { byte x; c?x; c?x } trace { do :: c!1; c!2 od }",
        &["trace"],
    ),
    (
        "what is printed changes nothing, but a bad index in it is an error",
        "byte a[2]; byte i = 1; active proctype P() { printf(\"%d\\n\", a[i]); i++; printf(\"%d\\n\", a[i]) }",
        &["faults"],
    ),
    (
        "first values of arrays count wherever they stand",
        "active proctype P() { skip; bool b[2] = true; assert(b[0] && b[1]) }",
        &[],
    ),
];

/// The report on a model.
fn report(text: &str) -> (Report, String) {
    let system = InMemory::default().with_file("m.pml", text);
    let words = ["probity", "check", "m.pml", "--format", "json"];
    let status = run(&words.map(str::to_owned), &system);
    let report: Report = serde_json::from_str(&system.out()).expect("it is JSON");
    assert_eq!(report.status, status);
    (report, system.err())
}

/// What is wrong with the answers to a model, of whose properties those expected should fail.
fn mistakes(rule: &str, text: &str, expected: &[&str]) -> Vec<String> {
    let mut wrong = Vec::new();
    let (report, err) = report(text);
    let file = &report.files[0];
    let mut failing: Vec<&str> = Vec::new();
    for property in &file.properties {
        match property.verdict {
            VerdictWord::Fails => failing.push(&property.name),
            VerdictWord::Holds => {}
            other => wrong.push(format!(
                "{rule}: {} is {other:?}: {:?}",
                property.name, property.why
            )),
        }
    }
    failing.sort_unstable();
    if file.refused || failing != *expected {
        wrong.push(format!("{rule}: {failing:?}, not {expected:?} {err}"));
    }
    wrong
}

/// Each model in the document is followed by what we say of it: `Here:` and what fails.
#[test]
fn differences_from_spin_are_as_documented() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = path.join("../../docs/spin-differences.md");
    let document = std::fs::read_to_string(path).unwrap();
    let mut wrong = Vec::new();
    let mut models = 0;
    for block in document.split("```promela\n").skip(1) {
        let (model, rest) = block.split_once("```").unwrap();
        let Some(answer) = rest.trim_start().strip_prefix("Here: ") else {
            continue;
        };
        let answer = answer.lines().next().unwrap();
        let failing: Vec<&str> = answer.split('`').skip(1).step_by(2).collect();
        assert!(
            !failing.is_empty() || answer == "nothing fails.",
            "{answer}"
        );
        models += 1;
        wrong.extend(mistakes(model, model, &failing));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(models > 10, "only {models} models are in the document");
}

#[test]
fn rules_hold() {
    let mut wrong = Vec::new();
    for (rule, text, expected) in RULES {
        wrong.extend(mistakes(rule, text, expected));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Large and broken texts are answered in any way but a crash.
#[test]
fn nothing_brings_it_down() {
    let deep = |open: &str, middle: &str, close: &str| {
        format!(
            "byte x; init {{ {}{middle}{} }}",
            open.repeat(20_000),
            close.repeat(20_000)
        )
    };
    let texts = [
        deep("{ ", "skip", " }"),
        deep("if :: ", "skip", " fi"),
        deep("x = (", "1", ")"),
        deep("atomic { ", "skip", " }"),
        format!("byte x; init {{ {} }}", "x = 1; ".repeat(400)),
        format!("byte x; init {{ x = 1{} }}", " + x".repeat(20_000)),
        format!("ltl {{ {}true }} init {{ skip }}", "[] ".repeat(20_000)),
        format!(
            "ltl {{ {}true{} }} init {{ skip }}",
            "(".repeat(20_000),
            ")".repeat(20_000)
        ),
        format!("{} init {{ skip }}", "typedef T { byte a };".repeat(2_000)),
        "\u{0}\u{1}\u{feff}\"'\\#\u{10ffff}".repeat(5_000),
        "#define a a a\n".repeat(2_000) + "init { a }",
    ];
    for text in texts {
        let (report, err) = report(&text);
        let start: String = text.chars().take(40).collect();
        assert!(report.status <= 3, "{start}");
        assert!(!err.contains("internal error"), "{start}: {err}");
    }
}
