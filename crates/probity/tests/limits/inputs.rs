//! For each phase an input that keeps it busy.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// An input.
pub(crate) struct Input {
    /// The phase that it keeps busy.
    pub(crate) phase: &'static str,
    /// Writes its files into a folder.
    pub(crate) write: fn(&Path),
    /// The command line.
    pub(crate) words: Vec<&'static str>,
    /// Whether a report in JSON is to come in any case.
    pub(crate) reports: bool,
    /// Whether it is tried in the suite.
    pub(crate) quick: bool,
}

fn put(folder: &Path, name: &str, text: &str) {
    fs::write(folder.join(name), text).expect("tests may write files");
}

fn check(file: &'static str, more: &[&'static str]) -> Vec<&'static str> {
    let mut words = vec!["check", file, "--format", "json"];
    words.extend(more);
    words
}

/// All inputs.
pub(crate) fn inputs() -> Vec<Input> {
    let input = |phase, write, words| Input {
        phase,
        write,
        words,
        reports: true,
        quick: false,
    };
    let silent = |phase, write, words| Input {
        reports: false,
        ..input(phase, write, words)
    };
    let quick = |input: Input| Input {
        quick: true,
        ..input
    };
    vec![
        quick(input("parse", parse, check("parse.pml", &[]))),
        input("lower", lower, check("lower.smv", &[])),
        input("passes", passes, check("passes.pml", &[])),
        input("compile", compile, check("compile.pml", &[])),
        quick(input(
            "explore",
            counters,
            check("counters.pml", &["--engine", "explicit"]),
        )),
        input(
            "diagrams",
            product,
            check("product.smv", &["--engine", "symbolic"]),
        ),
        quick(input(
            "prove",
            product,
            check("product.smv", &["--engine", "sat"]),
        )),
        input("audit", audit, check("audit.smv", &["--engine", "sat"])),
        input(
            "confirm",
            long,
            check("long.pml", &["--engine", "explicit"]),
        ),
        silent(
            "replay",
            long_trace,
            vec!["simulate", "long.pml", "--replay", "long.json"],
        ),
        input(
            "report",
            wide,
            check("wide.pml", &["--all-errors", "--engine", "explicit"]),
        ),
        silent(
            "translate",
            counters,
            vec![
                "translate",
                "counters.pml",
                "--to",
                "aut",
                "--states",
                "1000000000",
            ],
        ),
        quick(silent(
            "simulate",
            counters,
            vec!["simulate", "counters.pml", "--steps", "1000000000"],
        )),
    ]
}

/// Forty megabytes of statements.
fn parse(folder: &Path) {
    let statements = "x = x + (1 - 1) * (2 + x);\n".repeat(1_500_000);
    let text = format!("byte x;\nactive proctype P() {{\n{statements}assert(x == 0) }}\n");
    put(folder, "parse.pml", &text);
}

/// Modules in modules, each with several of the next.
fn lower(folder: &Path) {
    let mut text = "MODULE m0(i)\nVAR x : 0..7;\nASSIGN next(x) := i;\n".to_owned();
    for n in 1..9 {
        let before = n - 1;
        writeln!(text, "MODULE m{n}(i)\nVAR").expect("a string");
        for part in 0..8 {
            writeln!(text, "  p{part} : m{before}(i);").expect("a string");
        }
    }
    text.push_str("MODULE main\nVAR y : 0..7; top : m8(y);\nINVARSPEC y < 9;\n");
    put(folder, "lower.smv", &text);
}

/// A process of many steps, each about variables that are read much later.
fn passes(folder: &Path) {
    let mut text = String::new();
    for n in 0..1500 {
        writeln!(text, "byte v{n};").expect("a string");
    }
    text.push_str("active proctype P() {\n");
    for n in 0..12_000 {
        let (a, b) = (n * 7 % 1500, n * 13 % 1500);
        writeln!(
            text,
            "if :: v{a} > {} -> v{b} = v{a} + 1 :: else -> skip fi;",
            n % 200
        )
        .expect("a string");
    }
    text.push_str("assert(v0 + v1 < 1000)\n}\n");
    put(folder, "passes.pml", &text);
}

/// Many processes of many kinds.
fn compile(folder: &Path) {
    let mut text = "chan c[200] = [4] of { byte, byte };\nbyte a[200];\n".to_owned();
    for n in 0..200 {
        writeln!(text, "active proctype P{n}() {{ byte x, y; do").expect("a string");
        for m in 0..25 {
            let other = (n * 31 + m * 17) % 200;
            writeln!(
                text,
                ":: c[{other}]!x,{m} -> a[x % 200] = y\n:: c[{n}]?x,y -> x = x + {m}"
            )
            .expect("a string");
        }
        text.push_str("od }\n");
    }
    text.push_str("ltl p { [](a[0] < 250) }\n");
    put(folder, "compile.pml", &text);
}

/// More values than can be looked at.
fn counters(folder: &Path) {
    let mut text = "int a, b, c, d;\n".to_owned();
    for name in ["a", "b", "c", "d"] {
        writeln!(
            text,
            "active proctype {}() {{ do :: {name} < 1000000 -> {name}++ :: {name} > 5 -> {name} = 0 od }}",
            name.to_uppercase()
        )
        .expect("a string");
    }
    text.push_str("active proctype Look() { assert(a + b + c + d >= 0) }\n");
    put(folder, "counters.pml", &text);
}

/// Factors that nobody finds.
fn product(folder: &Path) {
    put(
        folder,
        "product.smv",
        "MODULE main
FROZENVAR p : unsigned word[64]; q : unsigned word[64];
VAR n : unsigned word[64];
INIT p > 0ud64_1 & q > 0ud64_1 & p < 0ud64_2147483648 & q < 0ud64_2147483648;
ASSIGN init(n) := p * q; next(n) := n;
INVARSPEC n != 0ud64_2500166799677769643;
",
    );
}

/// An invariant with many clauses over numbers that are multiplied.
fn audit(folder: &Path) {
    let mut text = "MODULE main\nVAR\n".to_owned();
    for n in 0..150 {
        writeln!(text, "  x{n} : unsigned word[32]; even{n} : boolean;").expect("a string");
    }
    text.push_str("ASSIGN\n");
    for n in 0..150 {
        let other = (n + 1) % 150;
        writeln!(
            text,
            "  init(x{n}) := 0ud32_2; next(x{n}) := (x{n} * x{other}) * (x{n} + x{other}) * 0ud32_6;
  init(even{n}) := TRUE; next(even{n}) := even{n} & even{other};"
        )
        .expect("a string");
    }
    let all: Vec<String> = (0..150)
        .map(|n| format!("(even{n} -> x{n}[0:0] = 0ud1_0)"))
        .collect();
    writeln!(text, "INVARSPEC {};", all.join(" & ")).expect("a string");
    put(folder, "audit.smv", &text);
}

/// A failure at the end of a very long run.
fn long(folder: &Path) {
    put(
        folder,
        "long.pml",
        "int x;
active proctype P() { do :: x < 3000000 -> x++ :: else -> break od; assert(x < 3000000) }
",
    );
}

/// The same, kept.
fn long_trace(folder: &Path) {
    put(
        folder,
        "long.pml",
        "int x;
active proctype P() { do :: x < 400000 -> x++ :: else -> break od; assert(x < 400000) }
",
    );
    let kept = Command::new(env!("CARGO_BIN_EXE_probity"))
        .current_dir(folder)
        .args(["check", "long.pml", "--trace", "long.json", "--engine"])
        .args(["explicit", "--format", "json"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert!(kept.is_ok(), "the program starts");
}

/// Failures in many places.
fn wide(folder: &Path) {
    let mut text =
        "int x;\nactive proctype P() { do :: x < 3000 -> x++ :: else -> break od; do\n".to_owned();
    for n in 0..400 {
        writeln!(text, ":: x == 3000 -> assert(x == {n})").expect("a string");
    }
    text.push_str("od }\n");
    put(folder, "wide.pml", &text);
}
