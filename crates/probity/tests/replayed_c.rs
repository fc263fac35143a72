//! Failures of C programs happen again: each run is written as a program with a host that plays it,
//! compiled with the sanitizers of the compiler, and stops where the run says.

#![expect(clippy::unwrap_used, reason = "a test may panic")]
#![expect(clippy::print_stdout, reason = "a test says what it skips and covers")]

use std::path::{Path, PathBuf};
use std::process::Command;

use probity::{InMemory, run};

/// What a program prints that stops for a property, one of these.
const TOLD: &[(&str, &[&str])] = &[
    ("assert", &["Assertion"]),
    ("division", &["division by zero"]),
    (
        "overflow",
        &["signed integer overflow", "cannot be represented"],
    ),
    ("shift", &["shift exponent"]),
    ("index", &["out of bounds", "buffer-overflow"]),
    ("null", &["null pointer"]),
    (
        "dangling",
        &["use-after-free", "use-after-scope", "use-after-return"],
    ),
    ("free", &["double-free", "attempting free"]),
];

struct Program {
    name: String,
    text: String,
    policy: String,
    net: String,
    fails: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The small programs of which a failure is found.
fn small_programs() -> Vec<Program> {
    let mut all = Vec::new();
    let folder = root().join("crates/probity/tests/c_programs");
    for family in std::fs::read_dir(folder).unwrap() {
        for file in std::fs::read_dir(family.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            let of = |key: &str| -> String {
                let lines = text.lines().filter_map(|line| line.strip_prefix(key));
                lines.map(|line| format!("{line}\n")).collect()
            };
            if of("// unsolved: ").is_empty() {
                let fails = of("// expect: fails ");
                all.push(Program {
                    name: path.file_stem().unwrap().to_string_lossy().into_owned(),
                    policy: of("// policy: "),
                    net: of("// net: "),
                    fails: fails.split_whitespace().map(str::to_owned).collect(),
                    text,
                });
            }
        }
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

/// The rows of the paper's Table 3 that fail.
fn rows() -> Vec<Program> {
    let read = |path: &Path| std::fs::read_to_string(path).unwrap();
    let mut all = Vec::new();
    for (example, net, policies) in [
        ("shopping", "sa", &["sa-a", "sa-c", "sa-c_codeBase"][..]),
        ("shopping", "sa-remote", &["sa-b"]),
        ("updating", "ua", &["ua-a", "ua-b", "ua-c"]),
    ] {
        let folder = root().join("examples/mobile").join(example);
        for policy in policies {
            all.push(Program {
                name: format!("{net}-{policy}"),
                text: read(&folder.join("agent.c")),
                policy: read(&folder.join(format!("{policy}.policy"))),
                net: read(&folder.join(format!("{net}.locnet"))),
                fails: vec!["rule-1".to_owned()],
            });
        }
    }
    all
}

/// The program that plays the run in which a property fails; none if no such run is found.
fn played(program: &Program, property: &str) -> Result<String, String> {
    let mut system = InMemory::default().with_file("t.c", program.text.as_str());
    let mut files = String::new();
    for (name, option, text) in [
        ("t.policy", "--policy", &program.policy),
        ("t.locnet", "--net", &program.net),
    ] {
        if !text.is_empty() {
            system = system.with_file(name, text.as_str());
            files += &format!(" {option} {name}");
        }
    }
    let words =
        |line: String| -> Vec<String> { line.split_whitespace().map(str::to_owned).collect() };
    let check = format!("probity check t.c{files} --property {property} --trace run.json");
    let status = run(&words(check), &system);
    if status != 1 {
        return Err(format!("{}{}", system.out(), system.err()));
    }
    let run_of_it = system.file("run.json").ok_or("no run was kept")?;
    let mut again = InMemory::default()
        .with_file("t.c", program.text.as_str())
        .with_file("run.json", run_of_it);
    for (name, text) in [("t.policy", &program.policy), ("t.locnet", &program.net)] {
        if !text.is_empty() {
            again = again.with_file(name, text.as_str());
        }
    }
    let translate = format!("probity translate t.c{files} --to c --run run.json");
    match run(&words(translate), &again) {
        0 => Ok(again.out()),
        _ => Err(again.err()),
    }
}

/// What a compiled program prints before it stops.
fn told(name: &str, text: &str) -> String {
    let folder = std::env::temp_dir().join(format!("probity-played-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("t.c"), text).unwrap();
    let built = Command::new("cc")
        .args(["-g", "-w", "-pthread", "-fsanitize=address,undefined"])
        .args(["-fno-sanitize-recover=undefined", "-o", "t", "t.c"])
        .current_dir(&folder)
        .output()
        .unwrap();
    let why = String::from_utf8_lossy(&built.stderr).into_owned();
    assert!(built.status.success(), "{name}: {why}\n{text}");
    let ran = Command::new("timeout")
        .args(["20", "./t"])
        .env(
            "ASAN_OPTIONS",
            "detect_leaks=0:detect_stack_use_after_return=1",
        )
        .current_dir(&folder)
        .output()
        .unwrap();
    drop(std::fs::remove_dir_all(&folder));
    String::from_utf8_lossy(&ran.stderr).into_owned()
}

/// Whether a program stopped for a property.
fn is_reproduced(property: &str, text: &str, told: &str) -> bool {
    if property.starts_with("rule-") {
        let line = told.split("t.c:").nth(1);
        let line = line.and_then(|rest| rest.split(':').next()?.parse::<usize>().ok());
        let line = line.and_then(|line| text.lines().nth(line - 1));
        return told.contains("Assertion")
            && line.is_some_and(|line| line.contains(&format!("/* {property} */")));
    }
    let words = TOLD.iter().find(|(known, _)| *known == property);
    words.is_some_and(|(_, words)| words.iter().any(|word| told.contains(word)))
}

#[test]
fn failures_happen_again_in_compiled_programs() {
    let probe = Command::new("cc").arg("--version").output();
    if probe.is_err() {
        println!("skipped: there is no C compiler");
        return;
    }
    let mut programs = small_programs();
    programs.extend(rows());
    let (mut count, mut wrong) = (0, Vec::new());
    for program in &programs {
        for property in &program.fails {
            count += 1;
            let name = format!("{}-{property}", program.name);
            match played(program, property) {
                Err(why) => wrong.push(format!("{name}: {why}")),
                Ok(text) => {
                    let told = told(&name, &text);
                    if !is_reproduced(property, &text, &told) {
                        let told: String = told.lines().take(6).collect::<Vec<_>>().join("\n");
                        wrong.push(format!("{name}: {told}\n{text}"));
                    }
                }
            }
        }
    }
    println!(
        "{count} failures played, {} of them do not happen",
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(count >= 25, "{count} failures");
}
