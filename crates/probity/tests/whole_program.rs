//! The program as a process: bad input, pipes, the interrupt key.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// Writes a script into a folder of this test binary's own.
fn script(name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("whole_program");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, contents).unwrap();
    path
}

fn probity(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_probity"))
        .args(arguments)
        .output()
        .unwrap()
}

/// Checks a script that is bad input: status 2, a diagnostic of one of the codes, no panic.
fn refused(name: &str, contents: impl AsRef<[u8]>, said: &str) {
    let path = script(name, contents);
    let output = probity(&["check", path.to_str().unwrap()]);
    let err = String::from_utf8(output.stderr).unwrap();
    let shown: String = err.chars().take(2000).collect();
    assert_eq!(output.status.code(), Some(2), "{name}: {shown}");
    assert!(err.contains(said), "{name} does not say `{said}`: {shown}");
    assert!(!err.contains("panicked"), "{name}: {shown}");
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(
        out.ends_with("Exit status 2: bad input.\n"),
        "{name}: {out}"
    );
}

#[test]
fn an_empty_file_is_refused() {
    refused("empty.lsl", "", "default");
}

#[test]
fn a_binary_file_is_refused() {
    refused(
        "binary.lsl",
        [0x7F, b'E', b'L', b'F', 0, 0, 1],
        "not a text file",
    );
}

#[test]
fn deep_nesting_is_refused() {
    let deep = format!(
        "default {{ state_entry() {{ integer x = {}1{}; }} }}",
        "(".repeat(100_000),
        ")".repeat(100_000)
    );
    refused("deep.lsl", deep, "nest");
}

#[test]
fn an_unknown_function_is_named_with_its_line() {
    let text = "default {\n    state_entry() {\n        llSaay(0, \"hi\");\n    }\n}\n";
    refused("unknown.lsl", text, "unknown.lsl:3:9");
}

#[test]
fn a_missing_default_state_is_refused() {
    refused("stateless.lsl", "integer x;\n", "default");
}

#[test]
fn a_script_of_ten_megabytes_is_read_or_refused_in_good_order() {
    let mut text = String::from("default { state_entry() { } }\n");
    text.insert_str(0, &"integer f() { return 1; }\n".repeat(400_000));
    refused("huge.lsl", text, "LSL");
}

#[test]
fn json_goes_to_standard_output_alone_even_for_bad_input() {
    let path = script("json.lsl", "default { }");
    let output = probity(&["check", path.to_str().unwrap(), "--format", "json"]);
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("{\n  \"version\": 7,"), "{text}");
    assert!(text.contains("\"rendered\""), "{text}");
}

#[test]
fn nobody_reading_is_no_panic() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let child = Command::new(env!("CARGO_BIN_EXE_probity"))
        .args(["explain", "SRC0001"])
        .stdout(writer)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn standard_input_is_a_file() {
    use std::io::Write as _;
    for (text, status) in [
        ("active proctype P() { byte x; x = 1; assert(x == 1) }", 0),
        ("active proctype P() { assert(false) }", 1),
        ("who knows what this is", 2),
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_probity"))
            .args(["check", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(text.as_bytes()).unwrap();
        drop(input);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(status), "{text}: {output:?}");
    }
}

#[test]
fn every_code_that_is_explained_has_its_headings() {
    let output = probity(&["explain", "lsl0114"]);
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    for heading in ["# LSL0114", "## What it does", "## How to fix"] {
        assert!(text.contains(heading), "{text}");
    }
    let output = probity(&["explain", "LSL9999"]);
    assert_eq!(output.status.code(), Some(2));
}

#[cfg(unix)]
#[test]
fn the_interrupt_key_stops_at_the_second_press_at_the_latest() {
    use std::io::Read as _;
    let path = script("idle.lsl", "default { touch_start(integer n) { } }");
    let mut child = Command::new(env!("CARGO_BIN_EXE_probity"))
        .args(["simulate", path.to_str().unwrap(), "--interactive"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // Once it speaks, the key is taken over.
    let mut first = [0];
    child
        .stdout
        .as_mut()
        .unwrap()
        .read_exact(&mut first)
        .unwrap();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        let id = child.id().to_string();
        let _ = Command::new("kill").args(["-INT", &id]).status().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(20));
    };
    assert_eq!(status.code(), Some(3), "not killed: it ends by itself");
}
