//! `probity check` of circuits in AIGER's formats: verdicts, names, and what is shared or wide.

use probity::{InMemory, run};

fn check(system: &InMemory, line: &str) -> (u8, String, String) {
    let line = format!("probity check {line}");
    let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    let status = run(&words, system);
    (status, system.out(), system.err())
}

/// Bytes that are no text, but for the lines before the gates.
fn toggle() -> Vec<u8> {
    // A latch that turns over when its input says so: 6 = 4 & 3, 8 = 5 & 2, 10 = 9 & 7.
    let mut bytes = b"aig 5 1 1 0 3 1\n11\n4\n".to_vec();
    bytes.extend([2, 1, 3, 3, 1, 2]);
    bytes.extend(b"i0 turn\nl0 on\nb0 lit\n");
    bytes
}

#[test]
fn binary_files_are_checked() {
    let system = InMemory::default().with_file("toggle.aig", toggle());
    let (status, out, _) = check(&system, "toggle.aig");
    assert_eq!(status, 1, "{out}");
    assert!(out.contains("fails      lit"), "{out}");
    assert!(out.contains("on false -> true"), "{out}");
    let system = InMemory::default().with_file("toggle.aig", toggle());
    let (_, out, _) = check(&system, "toggle.aig --property lit");
    assert!(out.contains("1 property"), "{out}");
}

/// A chain of so many exclusive ors: as large as the chain is long where what is used twice is looked at
/// once, twice as large for each of them otherwise.
fn parity(inputs: u32) -> String {
    let gates = 3 * (inputs - 1);
    let mut text = format!("aag {} {inputs} 0 1 {gates}\n", inputs + gates);
    for input in 1..=inputs {
        text += &format!("{}\n", 2 * input);
    }
    let mut last = 2;
    let mut lines = String::new();
    for (number, input) in (2..=inputs).enumerate() {
        let first = 2 * (inputs + 1 + 3 * number as u32);
        let (both, none, odd) = (first, first + 2, first + 4);
        lines += &format!("{both} {} {last}\n", 2 * input);
        lines += &format!("{none} {} {}\n", 2 * input + 1, last ^ 1);
        lines += &format!("{odd} {} {}\n", both + 1, none + 1);
        last = odd;
    }
    text + &format!("{last}\n") + &lines
}

#[test]
fn what_is_shared_is_looked_at_once_and_wide_beginnings_are_not_enumerated() {
    let system = InMemory::default().with_file("parity.aag", parity(60));
    let (status, out, _) = check(&system, "parity.aag --timeout 60s");
    assert_eq!(status, 1, "{out}");
    assert!(out.contains("fails      o0"), "{out}");
}
