//! Annotated programs: each compiles, and stops where a rule denies a call, where there is a compiler.

#![expect(clippy::unwrap_used, reason = "a test may panic")]
#![expect(clippy::print_stdout, reason = "a test says what it skips")]

use std::path::Path;
use std::process::Command;

use probity::{InMemory, run};

fn annotated(text: &str, policy: &str, net: &str) -> String {
    let mut system = InMemory::default()
        .with_file("t.c", text)
        .with_file("t.policy", policy);
    let mut line = "probity translate t.c --policy t.policy --to c".to_owned();
    if !net.is_empty() {
        system = system.with_file("t.locnet", net);
        line += " --net t.locnet";
    }
    let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    let status = run(&words, &system);
    assert_eq!(status, 0, "{text}\n{}", system.err());
    system.out()
}

/// Compiles a program with its host and runs it: whether an assertion stopped it.
fn is_stopped(name: &str, text: &str, host: &str) -> bool {
    let folder =
        std::env::temp_dir().join(format!("probity-annotated-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("t.c"), text).unwrap();
    std::fs::write(folder.join("host.c"), host).unwrap();
    let built = Command::new("cc")
        .args(["-w", "-pthread", "-o", "t", "t.c", "host.c"])
        .current_dir(&folder)
        .output()
        .unwrap();
    let why = String::from_utf8_lossy(&built.stderr).into_owned();
    assert!(built.status.success(), "{name}: {why}\n{text}");
    let ran = Command::new(folder.join("t")).output().unwrap();
    drop(std::fs::remove_dir_all(&folder));
    String::from_utf8_lossy(&ran.stderr).contains("Assertion")
}

fn has_compiler() -> bool {
    let found = Command::new("cc").arg("--version").output().is_ok();
    if !found {
        println!("skipped: there is no C compiler");
    }
    found
}

#[test]
fn programs_with_policies_compile() {
    if !has_compiler() {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c_programs");
    let mut count = 0;
    for family in ["policies", "probes"] {
        for file in std::fs::read_dir(root.join(family)).unwrap() {
            let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
            let of = |key: &str| -> String {
                let lines = text.lines().filter_map(|line| line.strip_prefix(key));
                lines.map(|line| format!("{line}\n")).collect()
            };
            let written = annotated(&text, &of("// policy: "), &of("// net: "));
            let mut cc = Command::new("cc");
            cc.args(["-w", "-x", "c", "-c", "-o", "/dev/null", "-"]);
            cc.stdin(std::process::Stdio::piped());
            cc.stderr(std::process::Stdio::piped());
            let mut child = cc.spawn().unwrap();
            std::io::Write::write_all(&mut child.stdin.take().unwrap(), written.as_bytes())
                .unwrap();
            let done = child.wait_with_output().unwrap();
            let why = String::from_utf8_lossy(&done.stderr).into_owned();
            assert!(done.status.success(), "{why}\n{written}");
            count += 1;
        }
    }
    assert!(count >= 12, "all programs with policies: {count}");
}

const HOST: &str = "unsigned probity_any(void) { return 0; }\n\
                    int connect_to_location(const char *location) { return 1; }\n\
                    int open_at(const char *path) { return 3; }\n";

const NET: &str = "location net: (air0 [127.0.0.1 3000] airc [127.0.0.1 3333])\n\
                   current execution location: air0:a0\ncode origin: airc\n";

#[test]
fn a_run_that_a_rule_denies_is_stopped() {
    if !has_compiler() {
        return;
    }
    let policy = "deny to public codeOrigin remote { permission function connect_to_location bad, \
                  permission function open_at arg 1 except \"/tmp/\"* }";
    for (at, (body, stopped)) in [
        ("connect_to_location(\"bad\");", true),
        ("connect_to_location(\"good\");", false),
        (
            "for (int i = 0; i < 9; i++) if (i == 8) connect_to_location(\"bad\");",
            true,
        ),
        (
            "int (*f)(const char *) = connect_to_location; f(\"bad\");",
            true,
        ),
        ("if (!remote()) connect_to_location(\"bad\");", false),
        ("open_at(\"/tmp/a\");", false),
        ("open_at(\"/etc/a\");", true),
        (
            "go_out(\"air0\"); go_in(\"airc\"); connect_to_location(\"bad\");",
            false,
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let text = format!(
            "#include <mobile.h>\nint open_at(const char *path);\nint main(void)\n{{\n    {body}\n    return 0;\n}}\n"
        );
        let written = annotated(&text, policy, NET);
        assert_eq!(
            is_stopped(&at.to_string(), &written, HOST),
            stopped,
            "{body}"
        );
    }
}
