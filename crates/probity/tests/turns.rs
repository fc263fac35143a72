//! No property starves another: what is decided in a moment alone is decided beside one that is
//! hopeless.
//!
//! A file of each kind is tried here; `cargo xtask conform turns` tries twenty.

#![expect(clippy::print_stdout, reason = "a run says what it decided")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// Numbers that look random (Marsaglia's xorshift).
struct Random(fastrand::Rng);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0.u64(..bound)
    }
}

/// Processes that count, each for itself, and formulas about each; one is about all.
fn promela(random: &mut Random, properties: usize) -> String {
    let mut text = String::new();
    let place = random.below(properties as u64);
    for n in 0..4 {
        writeln!(
            text,
            "int big{n};\nactive proctype B{n}() {{ do :: big{n} < 50000 -> big{n}++ :: big{n} > 7 -> big{n} = 0 od }}"
        )
        .expect("a string");
    }
    for n in 0..properties as u64 {
        let most = 3 + random.below(9);
        writeln!(
            text,
            "byte x{n};\nactive proctype P{n}() {{ do :: x{n} < {most} -> x{n}++ :: x{n} == {most} -> x{n} = 0 od }}"
        )
        .expect("a string");
        let formula = match random.below(4) {
            _ if n == place => "[]<>(big0 + big1 + big2 + big3 < 150000)".to_owned(),
            0 => format!("[](x{n} <= {most})"),
            1 => format!("[](x{n} < {most})"),
            2 => format!("[]((x{n} == 1) -> (x{n} == 1 U x{n} > 1))"),
            _ => format!("<>[](x{n} == {most})"),
        };
        writeln!(text, "ltl p{n} {{ {formula} }}").expect("a string");
    }
    text
}

/// Variables that count, and questions of all kinds; one is about what a shift register holds after
/// more steps than anybody takes.
fn smv(random: &mut Random, properties: usize) -> String {
    let mut text = "MODULE main
VAR c : unsigned word[48];
ASSIGN init(c) := 0ud48_1;
next(c) := {c, (c << 1) xor (c[47:47] = 0ud1_1 ? 0ud48_206158430209 : 0ud48_0)};
"
    .to_owned();
    let place = random.below(properties as u64);
    for n in 0..properties as u64 {
        let most = 3 + random.below(20);
        writeln!(
            text,
            "VAR x{n} : 0..{most};\nASSIGN init(x{n}) := 0; next(x{n}) := case x{n} < {most} : {{x{n}, x{n} + 1}}; TRUE : 0; esac;"
        )
        .expect("a string");
        let question = match random.below(5) {
            _ if n == place && random.below(2) == 0 => {
                "INVARSPEC NAME p_hopeless := c != 0ud48_77777777777;".to_owned()
            }
            _ if n == place => {
                "CTLSPEC NAME p_hopeless := AG (c != 0ud48_77777777777 | x0 = 7);".to_owned()
            }
            0 => format!("INVARSPEC NAME p{n} := x{n} <= {most};"),
            1 => format!("INVARSPEC NAME p{n} := x{n} != {most};"),
            2 => format!("CTLSPEC NAME p{n} := AG EF x{n} = {most};"),
            3 => format!("LTLSPEC NAME p{n} := G F x{n} = 0;"),
            _ => format!("CTLSPEC NAME p{n} := AG (x{n} = 1 -> AF x{n} = 2);"),
        };
        writeln!(text, "{question}").expect("a string");
    }
    text
}

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("turns");
    fs::create_dir_all(&folder).expect("tests may make directories");
    folder
}

/// The verdicts of a file's properties.
fn verdicts(folder: &Path, words: &[&str]) -> BTreeMap<String, String> {
    let output = Command::new(env!("CARGO_BIN_EXE_probity"))
        .current_dir(folder)
        .arg("check")
        .args(words)
        .args(["--format", "json"])
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    let report: Value = serde_json::from_slice(&output.stdout).expect("it says something");
    let properties = report["files"][0]["properties"].as_array();
    let properties = properties.expect("the file has properties").iter();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    properties
        .map(|property| (text(&property["name"]), text(&property["verdict"])))
        .collect()
}

#[test]
fn what_is_decided_alone_is_decided_beside_a_hopeless_one() {
    let all = std::env::var_os("PROBITY_MODELS").is_some();
    let files = if all { 20 } else { 2 };
    let folder = folder();
    let mut random = Random(fastrand::Rng::with_seed(0x9e37_79b9_7f4a_7c15));
    let mut starved = Vec::new();
    let (mut asked, mut decided) = (0, 0);
    for number in 0..files {
        let properties = if all { 5 + random.below(16) } else { 5 };
        let properties = usize::try_from(properties).expect("a small number");
        let (name, text) = match number % 2 {
            0 => (format!("f{number}.pml"), promela(&mut random, properties)),
            _ => (format!("f{number}.smv"), smv(&mut random, properties)),
        };
        fs::write(folder.join(&name), text).expect("tests may write files");
        let several: &[&str] = if all && number % 4 < 2 {
            &["1", "2"]
        } else {
            &["2"]
        };
        for jobs in several {
            // A hopeless one has half of it, at most.
            let time = if all { 8 + properties } else { 10 };
            let time = format!("{time}s");
            let joint = verdicts(&folder, &[&name, "--timeout", &time, "--jobs", jobs]);
            let open = joint.iter().filter(|(_, verdict)| *verdict == "not-known");
            let open: Vec<&String> = open.map(|(property, _)| property).collect();
            for property in &open {
                let words = [&name, "--property", property.as_str(), "--timeout", "1s"];
                let alone = verdicts(&folder, &words);
                if alone
                    .get(*property)
                    .is_some_and(|verdict| verdict != "not-known")
                {
                    starved.push(format!("{property} of {name} with {jobs} threads"));
                }
            }
            asked += joint.len();
            decided += joint.len() - open.len();
            println!(
                "{name}, {jobs} threads: {} of {} decided",
                joint.len() - open.len(),
                joint.len()
            );
        }
    }
    assert!(starved.is_empty(), "{starved:#?}");
    assert!(
        decided * 2 > asked,
        "{decided} of {asked} are decided: too few to show anything"
    );
}
