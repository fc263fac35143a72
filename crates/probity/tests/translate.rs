//! `probity translate`: SPIN, where it is installed, gives the same verdicts on the models; graphs
//! are as they were.

#![expect(clippy::unwrap_used, reason = "a test may panic")]
#![expect(clippy::print_stdout, reason = "a run says what it covered")]

#[path = "random_lsl/generate.rs"]
#[expect(
    dead_code,
    reason = "the features of a script are of interest elsewhere"
)]
mod generate;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use model::{Program, PropertyId, Silent, Verdict};
use passes::Selection;
use probity::{InMemory, run};
use source::SourceMap;

/// A folder of its own for each model.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("translate")
        .join(name.replace(['/', '.'], "-"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn has_spin() -> bool {
    let spin = Command::new("spin").arg("-V").output().is_ok();
    let gcc = Command::new("gcc").arg("--version").output().is_ok();
    if !(spin && gcc) {
        println!("skipped: spin and gcc are not both installed");
    }
    spin && gcc
}

/// Whether SPIN finds a run that violates each claim.
fn spin_says(name: &str, model: &str, claims: &[String]) -> BTreeMap<String, bool> {
    let folder = folder(name);
    std::fs::write(folder.join("model.pml"), model).unwrap();
    let command = |program: &str, arguments: &[&str]| {
        let output = Command::new(program)
            .args(arguments)
            .current_dir(&folder)
            .output()
            .unwrap();
        (
            output.status.success(),
            String::from_utf8_lossy(&output.stdout).into_owned()
                + &String::from_utf8_lossy(&output.stderr),
        )
    };
    let (accepted, said) = command("spin", &["-a", "model.pml"]);
    assert!(accepted, "{name}: SPIN refuses the model:\n{said}\n{model}");
    // No partial-order reduction: with one process there is nothing to reduce, and SPIN's is not
    // meant for claims with X.
    let options = [
        "-O1",
        "-w",
        "-fwrapv",
        "-DNOREDUCE",
        "-DVECTORSZ=4096",
        "-o",
        "pan",
        "pan.c",
    ];
    let (compiled, said) = command("gcc", &options);
    assert!(compiled, "{name}: gcc refuses the verifier:\n{said}");
    let mut verdicts = BTreeMap::new();
    for claim in claims {
        let pan = folder.join("pan").to_string_lossy().into_owned();
        let (_, said) = command(&pan, &["-a", "-m500000", "-N", claim]);
        let errors = said.split("errors: ").nth(1);
        let errors: usize = errors
            .and_then(|text| text.split_whitespace().next())
            .and_then(|text| text.parse().ok())
            .unwrap_or_else(|| panic!("{name}: {claim}: no verdict:\n{said}"));
        assert!(
            errors > 0 || !said.contains("max search depth too small"),
            "{name}: {claim}: the search is not complete"
        );
        assert!(!said.contains("room"), "{name}: {claim}: no room");
        verdicts.insert(claim.clone(), errors > 0);
    }
    verdicts
}

/// Whether each property fails, by our own engine.
fn we_say(program: &Program, properties: &[PropertyId]) -> Vec<bool> {
    let names = properties
        .iter()
        .map(|id| program.properties[id.index()].name.clone());
    let options = verify::Options {
        only: Some(names.collect()),
        jobs: 1,
        ..verify::Options::default()
    };
    let outcomes = verify::check(program, &options, &Silent);
    properties
        .iter()
        .map(|id| {
            let outcome = outcomes.iter().find(|outcome| outcome.property == *id);
            matches!(outcome.unwrap().verdict, Verdict::Fails { .. })
        })
        .collect()
}

fn translated(
    program: &Program,
    properties: &[PropertyId],
    passes: Selection,
) -> Result<export::Model, Vec<source::Diagnostic>> {
    let sources = SourceMap::new();
    let options = export::Options {
        passes,
        sources: &sources,
        show: &|_, value| format!("{value:?}"),
        file: "test".into(),
    };
    export::promela(program, properties, &options)
}

/// Compares all verdicts of a model; says how many there are and how many fail.
fn compare(
    name: &str,
    program: &Program,
    properties: &[PropertyId],
    model: &export::Model,
) -> (usize, usize) {
    let claims: Vec<String> = model.claims.iter().map(|(_, name)| name.clone()).collect();
    let theirs = spin_says(name, &model.text, &claims);
    let ours = we_say(program, properties);
    let mut fails = 0;
    for (property, claim) in &model.claims {
        let place = properties.iter().position(|id| id == property).unwrap();
        assert_eq!(
            theirs[claim], ours[place],
            "{name}: {claim} (left: fails by SPIN, right: by us)\n{}",
            model.text
        );
        fails += usize::from(ours[place]);
    }
    (model.claims.len(), fails)
}

fn all(program: &Program) -> Vec<PropertyId> {
    (0..program.properties.len()).map(PropertyId::new).collect()
}

fn example(file: &str) -> Program {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples/lsl")
        .join(file);
    let text = std::fs::read_to_string(path).unwrap();
    let mut options = lsl::Options::default();
    if !text.contains("bound lost-payments") {
        // A model for SPIN needs a number of payments that wait when the queue is emptied.
        let bound = ("lost-payments".to_owned(), "2".to_owned());
        options.bounds.push(bound);
    }
    let loaded = lsl::load(file, &text, &options);
    loaded.program.unwrap()
}

#[test]
fn spin_agrees_on_example_scripts() {
    if !has_spin() {
        return;
    }
    let (mut verdicts, mut failing) = (0, 0);
    for file in [
        "auction/paper.lsl",
        "auction/mutants/1.lsl",
        "auction/mutants/2.lsl",
        "auction/mutants/3.lsl",
        "auction/mutants/4.lsl",
        "auction/mutants/5.lsl",
        "auction/mutants/6.lsl",
        "vendor/vendor.lsl",
        "vendor/vendor-repaired.lsl",
        "tip-jar/tip-jar-repaired.lsl",
    ] {
        let program = example(file);
        let properties = all(&program);
        let model = translated(&program, &properties, Selection::all())
            .unwrap_or_else(|refused| panic!("{file}: {refused:?}"));
        let (count, fails) = compare(file, &program, &properties, &model);
        assert_eq!(count, properties.len(), "{file}: {:?}", model.left_out);
        verdicts += count;
        failing += fails;
    }
    // Properties with assumptions of their own, one at a time.
    for (file, name) in [
        ("auction/auction.lsl", "ends"),
        ("auction/auction.lsl", "new_owner_new_auction"),
        ("auction/auction.lsl", "books_balance"),
    ] {
        let program = example(file);
        let properties: Vec<_> = all(&program)
            .into_iter()
            .filter(|id| program.properties[id.index()].name == name)
            .collect();
        let model = translated(&program, &properties, Selection::all()).unwrap();
        let label = format!("{file}-{name}");
        let (count, fails) = compare(&label, &program, &properties, &model);
        verdicts += count;
        failing += fails;
    }
    println!("{verdicts} verdicts, {failing} fail");
    assert!(failing >= 10);
}

#[test]
fn spin_agrees_on_random_scripts() {
    if !has_spin() {
        return;
    }
    let (mut scripts, mut refused, mut verdicts, mut failing) = (0, 0, 0, 0);
    let mut seed = 1;
    while scripts < 8 {
        let script = generate::script(seed);
        let loaded = lsl::load("random.lsl", &script.text, &lsl::Options::default());
        let program = loaded.program.unwrap();
        let properties = all(&program);
        // Half of them as they are, half of them made smaller.
        let passes = if scripts % 2 == 0 {
            Selection::all()
        } else {
            Selection::none()
        };
        match translated(&program, &properties, passes) {
            Ok(model) => {
                scripts += 1;
                let name = format!("random-{seed}");
                let (count, fails) = compare(&name, &program, &properties, &model);
                verdicts += count;
                failing += fails;
            }
            Err(_) => refused += 1,
        }
        seed += 1;
    }
    println!("{scripts} scripts ({refused} refused), {verdicts} verdicts, {failing} fail");
    assert!(failing * 5 >= verdicts, "too few verdicts fail");
    assert!(refused <= 3 * scripts, "too many scripts are refused");
}

const QUEUE: &str = "\
byte x;
chan c = [1] of { byte };
active proctype a() { byte i; do :: i < 3 -> c!i; i++ :: else -> break od; x = 9 }
active proctype b() { byte k; do :: c?k -> x = x + k; assert(x < 3) :: timeout -> break od }
ltl up { <> (x == 9) }
ltl low { [] (x < 9) }
";

const LOCK: &str = "\
bool want[2]; byte turn, inside_now;
active [2] proctype p() {
  do
  :: want[_pid] = true; turn = 1 - _pid;
     (!want[1 - _pid] || turn == _pid);
     atomic { inside_now++; assert(inside_now == 1) }
     inside_now--; want[_pid] = false
  od
}
ltl one { [] (inside_now <= 1) }
ltl often { [] <> (inside_now == 1) }
ltl soon { X (inside_now == 0) && !X X (inside_now == 1) }
";

const MEET: &str = "\
mtype { ping, pong };
chan s = [0] of { mtype, byte };
byte got;
active proctype a() {
  byte n = 1;
  end: do :: s!ping(n) -> n = n + 1; if :: n > 4 -> break :: else fi od
}
active proctype b() {
  byte m;
  do :: s?ping(eval(got + 1)) -> got = got + 1 :: s?pong(m) -> assert(false) od
  unless { got == 3 -> d_step { got = 7; m = 0 } }
}
ltl seven { <> (got == 7) }
ltl never_three { [] (got != 3) }
";

const WAIT: &str = "\
byte n;
active proctype a() { do :: n < 5 -> n = n + 1 :: n > 2 -> break od; (n == 9) }
active proctype b() { if :: (n == 2) -> n = 4 :: (n > 4) fi }
ltl settles { <> [] (n >= 4) }
";

#[test]
fn spin_agrees_on_promela() {
    if !has_spin() {
        return;
    }
    let mut failing = 0;
    for (name, text) in [
        ("queue", QUEUE),
        ("lock", LOCK),
        ("meet", MEET),
        ("wait", WAIT),
    ] {
        let loaded = promela::load(name, text, &promela::Options::default());
        let program = loaded
            .program
            .unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
        let properties = all(&program);
        let model = translated(&program, &properties, Selection::all())
            .unwrap_or_else(|refused| panic!("{name}: {refused:?}"));
        failing += compare(name, &program, &properties, &model).1;
    }
    assert!(failing >= 4);
}

fn translate(name: &str, text: &str, options: &str) -> (u8, String, String) {
    let system = InMemory::default().with_file(name, text);
    let line = format!("probity translate {name} {options}");
    let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    let status = run(&words, &system);
    (status, system.out(), system.err())
}

const LAMP: &str = "\
integer on;
//@ property shut: always on == 0;
default { touch_start(integer n) { on = !on; } }
";

#[test]
fn graphs_are_as_they_were() {
    let (status, aut, _) = translate("lamp.lsl", LAMP, "--to aut --property shut");
    assert_eq!(status, 0);
    assert_eq!(
        aut,
        "des (0, 2, 2)\n\
         (0, \"script (1): touch_start\", 1)\n\
         (1, \"script (1): touch_start\", 0)\n"
    );
    let (_, whole, _) = translate("lamp.lsl", LAMP, "--to aut");
    assert!(
        whole.starts_with("des (0, 12, 4)\n(0, \"i\", 0)\n"),
        "{whole}"
    );
    assert!(whole.contains("\"somebody touches the object\""), "{whole}");
    let states = |aut: &str| -> usize {
        let first = aut.lines().next().unwrap_or_default();
        let last = first.rsplit(',').next().unwrap_or_default();
        last.trim().trim_end_matches(')').parse().unwrap()
    };
    let mut fewer = states(&whole);
    for how in ["strong", "branching", "weak-trace"] {
        let options = format!("--to aut --reduce {how}");
        let (status, reduced, err) = translate("lamp.lsl", LAMP, &options);
        assert_eq!((status, err.as_str()), (0, ""));
        assert!(states(&reduced) <= fewer, "{how}:\n{reduced}");
        fewer = states(&reduced);
    }
    assert!(fewer < states(&whole), "something is put together");
    let (_, dot, _) = translate("lamp.lsl", LAMP, "--to dot --graph states --property shut");
    assert_eq!(
        dot,
        "digraph \"lamp.lsl\" {\n  node [shape=box];\n  \
         s0 [label=\"script (1): wait default\\lstate = default\\lon = 0\\l\", style=bold];\n  \
         s1 [label=\"script (1): wait default\\lstate = default\\lon = 1\\l\"];\n  \
         s0 -> s1 [label=\"script (1): touch_start\"];\n  \
         s1 -> s0 [label=\"script (1): touch_start\"];\n}\n"
    );
    let (_, flow, _) = translate("queue.pml", QUEUE, "--to dot");
    assert!(flow.contains("label=\"a\";"), "{flow}");
    assert!(flow.contains("[label=\"3: c!i\"]"), "{flow}");
    let (_, steps, _) = translate("queue.pml", QUEUE, "--to aut");
    assert!(steps.contains("\"c!i\""), "{steps}");
}

#[test]
fn what_has_no_end_is_refused_with_a_reason() {
    let open = "default { money(key id, integer amount) { llGiveMoney(id, amount); } }\n\
                //@ property small: when call llGiveMoney(who, n) require n < 5;\n";
    let (status, out, err) = translate("open.lsl", open, "--to promela");
    assert_eq!((status, out.as_str()), (2, ""), "{err}");
    assert!(
        err.contains("EXP0001") && err.contains("--bound amount"),
        "{err}"
    );
    let (status, _, err) = translate("lamp.lsl", LAMP, "--to aut --states 3");
    assert_eq!(status, 3, "{err}");
    assert!(err.contains("more than 3 states"), "{err}");
    let (status, _, err) = translate("lamp.lsl", LAMP, "--property ajar");
    assert_eq!(status, 2);
    assert!(err.contains("no property `ajar`"), "{err}");
}

#[test]
fn a_number_that_never_stops_falling_is_given_up() {
    let text = "float f = 0.5;\n\
                integer sum(list of) { do { f -= 1; } while (f > 12); return 0; }\n\
                default { state_entry() { sum([1 >= 2, 3]); } touch_start(integer n) { } }\n";
    let (status, _, err) = translate("falls.lsl", text, "--to promela --timeout 20s");
    assert_eq!(status, 2, "{err}");
    assert!(err.contains("too many to list"), "{err}");
}

#[test]
fn variables_of_any_type_may_share_a_place() {
    // What a variable of a handler held before may be of another type.
    let text = "//@ property p: always n <= 3;\ninteger n;\n\
                default { touch_start(integer k) {\n\
                string s = (string)n; if (s == \"2\") n = 0;\n\
                vector v = <1.0, 2.0, (float)n>; vector w = v * 2.0; list l = [v, s];\n\
                n = (n + llGetListLength(l)) % 4; if (w.z > 3.0) n = 0;\n} }\n";
    let (status, out, err) = translate("shares.lsl", text, "--to promela");
    assert_eq!(status, 0, "{err}");
    assert!(out.contains("ltl p"), "{out}");
}

#[test]
fn a_model_of_a_part_says_so() {
    let text = "tool t is { command = \"t\" }\n\
                process A is let T : t, N : int in execute(t, T?) .\n\
                rec-event(T, e(N?)) . if less(add(N, 1), 5) then snd-do(T, yes) fi endlet\n\
                toolbus(A)\n";
    let stated = format!("%%@ bound e = 0..2\n{text}");
    for target in [
        "aut",
        "dot --graph states",
        "mcrl2",
        "mcrl2-states",
        "promela",
    ] {
        let options = format!("--to {target}");
        let (status, out, err) = translate("part.tb", text, &options);
        // Where a target takes the script at all, it says what is left out.
        if !out.is_empty() {
            assert_eq!(status, 3, "{target}: {err}");
            let says = err.contains("EXP0004") && err.contains("numbers that come with `e`");
            assert!(says, "{target}: {err}");
        }
        let (status, out, err) = translate("whole.tb", &stated, &options);
        if !out.is_empty() {
            assert_eq!(status, 0, "{target}: {err}");
            assert!(!err.contains("EXP0004"), "{target}: {err}");
        }
    }
    let (status, out, _) = translate("part.tb", text, "--to aut");
    assert_eq!(status, 3);
    assert!(out.starts_with("des ("), "{out}");
    // The text of a script is all there, whatever is chosen.
    let (status, _, err) = translate("part.tb", text, "--to dot");
    assert_eq!((status, err.as_str()), (0, ""));
}
