//! Random C programs with a secret, verified and run: where a rule holds that no argument of `send`
//! carries the secret, two runs that differ in the secret alone send the same, as far as both send
//! something. A few seeds run here, where there is a compiler; `PROBITY_RANDOM_FROM` and
//! `PROBITY_RANDOM_COUNT` choose others.

#![expect(clippy::print_stdout, reason = "what was covered is shown")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use probity::{InMemory, run};

const POLICY: &str = "High = { key }\ndeny to public { permission function send high }";

/// What the program is linked with: numbers from outside, and what is sent is printed.
const WORLD: &str = "#include <stdio.h>
#include <stdlib.h>
int program(void);
static unsigned state;
static int known;
int secret(void) { return known; }
int in(void) { state = state * 1103515245u + 12345u; return (int)(state >> 16) % 5; }
int hash(int v) { state ^= (unsigned)v * 2654435761u; return in(); }
void send(int v) { printf(\"%d\\n\", v); }
int main(int count, char **words) {
  (void)count;
  known = atoi(words[1]);
  state = (unsigned)atoi(words[2]);
  return program();
}
";

/// Inputs, each run with each secret.
const INPUTS: u32 = 6;
const SECRETS: &[&str] = &["0", "1", "6", "-3"];

struct Writer {
    random: fastrand::Rng,
    text: String,
    /// How deep statements are nested.
    depth: usize,
    /// Loops so far: each has a counter of its own.
    loops: usize,
}

impl Writer {
    fn pick<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.random.usize(..of.len())]
    }

    fn place(&mut self) -> String {
        match self.random.u32(..8) {
            0 => "*p".to_owned(),
            1 => format!("t[{}]", self.random.u32(..4)),
            2 => format!("t[{} & 3]", self.pick(&["a", "b", "g", "i"])),
            3 => self.pick(&["s.x", "s.y"]).to_owned(),
            _ => self.pick(&["a", "b", "c", "g", "h"]).to_owned(),
        }
    }

    fn value(&mut self) -> String {
        match self.random.u32(..20) {
            0 | 16..=17 => "key".to_owned(),
            18..=19 => format!("(key & {})", self.random.u32(1..4)),
            1..=3 => self.random.u32(..4).to_string(),
            4 => format!("({} ? {} : {})", self.place(), self.place(), self.place()),
            5 => format!("f({})", self.place()),
            6 => "in()".to_owned(),
            7 => format!("hash({})", self.place()),
            8..=10 => {
                let op = self.pick(&["+", "-", "^", "&", "<", "=="]);
                format!("({} {op} {})", self.place(), self.random.u32(..4))
            }
            11 => {
                let op = self.pick(&["+", "|", "^"]);
                format!("({} {op} {})", self.place(), self.place())
            }
            _ => self.place(),
        }
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{:1$}{text}", "", 2 * self.depth + 2);
    }

    fn block(&mut self, head: &str) {
        self.line(head);
        self.depth += 1;
        for _ in 0..self.random.u32(1..4) {
            self.statement();
        }
        self.depth -= 1;
        self.line("}");
    }

    fn statement(&mut self) {
        let nested = self.depth < 3;
        match self.random.u32(..20) {
            0..=1 if nested => {
                let cond = self.pick(&["in()", "a", "g", "t[0]", "key", "*p"]);
                let cond = format!("if ({cond}) {{");
                self.block(&cond);
            }
            2 if nested => {
                let cond = self.pick(&["in()", "b", "h", "s.x", "key & 1"]);
                let cond = format!("if ({cond}) {{");
                self.block(&cond);
                self.block("else {");
            }
            3 if nested => {
                let head = format!(
                    "for (int i{0} = 0; i{0} < {1}; i{0}++) {{",
                    self.loops,
                    self.random.u32(1..4)
                );
                self.loops += 1;
                self.block(&head);
            }
            4 if nested => {
                let place = self.pick(&["a", "b", "g"]);
                let line = format!("while ({place} & 3) {place}--;");
                self.line(&line);
            }
            5 => {
                let to = self.pick(&["&a", "&b", "&g", "&t[1]", "&s.y"]);
                let line = format!("p = {to};");
                self.line(&line);
            }
            6 if nested => {
                let line = format!("if ({}) return 0;", self.place());
                self.line(&line);
            }
            7 => {
                let line = format!("send({});", self.place());
                self.line(&line);
            }
            10 => {
                let line = format!("{} = {};", self.place(), self.random.u32(..4));
                self.line(&line);
            }
            _ => {
                let line = format!("{} = {};", self.place(), self.value());
                self.line(&line);
            }
        }
    }
}

fn program(seed: u64) -> String {
    let mut writer = Writer {
        random: fastrand::Rng::with_seed(seed),
        text: String::new(),
        depth: 0,
        loops: 0,
    };
    let body = writer.pick(&["v + 1", "v ? 1 : 2", "7", "g", "v & 1"]);
    let head = format!(
        "int in(void); int hash(int v); int secret(void); void send(int v);\nint key, g, h, t[4]; struct {{ int x, y; }} s;\n\
         int f(int v) {{ return {body}; }}\nint main(void)\n{{\n  int a = 1, b = 2, c = 0, i = 1, *p = &c;\n  key = secret();\n"
    );
    writer.text = head;
    for _ in 0..writer.random.u32(4..12) {
        writer.statement();
    }
    let last = format!("send({});", writer.place());
    writer.line(&last);
    writer.text.push_str("  return 0;\n}\n");
    writer.text
}

/// The exit status of the verification.
fn verdict(text: &str) -> u8 {
    let system = InMemory::default()
        .with_file("t.c", text)
        .with_file("t.policy", POLICY);
    let line = "probity check t.c --policy t.policy --property rule-1 --timeout 1s";
    let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    run(&words, &system)
}

/// What the compiled program sends, by input and secret.
fn sent(folder: &Path, text: &str) -> Vec<Vec<Vec<String>>> {
    std::fs::write(folder.join("t.c"), text).expect("the folder is ours");
    std::fs::write(folder.join("world.c"), WORLD).expect("the folder is ours");
    let built = Command::new("cc")
        .args(["-w", "-fwrapv", "-Dmain=program", "-c", "t.c"])
        .current_dir(folder)
        .status()
        .and_then(|_| {
            Command::new("cc")
                .args(["-w", "world.c", "t.o", "-o", "t"])
                .current_dir(folder)
                .status()
        });
    assert!(built.is_ok_and(|status| status.success()), "{text}");
    let run = |input: u32, secret: &str| {
        let out = Command::new(folder.join("t"))
            .args([secret, &input.to_string()])
            .output()
            .expect("it was built");
        let out = String::from_utf8_lossy(&out.stdout).into_owned();
        out.lines().map(str::to_owned).collect()
    };
    (0..INPUTS)
        .map(|input| SECRETS.iter().map(|secret| run(input, secret)).collect())
        .collect()
}

/// Whether two runs that differ in the secret alone send different values.
fn tells(sent: &[Vec<Vec<String>>]) -> bool {
    let differ = |a: &[String], b: &[String]| a.iter().zip(b).any(|(a, b)| a != b);
    sent.iter()
        .any(|runs| runs.iter().any(|run| differ(run, &runs[0])))
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn what_holds_tells_no_secret() {
    if Command::new("cc").arg("--version").output().is_err() {
        println!("skipped: no C compiler");
        return;
    }
    let first = number("PROBITY_RANDOM_FROM").unwrap_or(1);
    let count = number("PROBITY_RANDOM_COUNT").unwrap_or(40);
    let folder = std::env::temp_dir().join(format!("probity-secrets-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("there is room for it");
    let mut found: BTreeMap<(u8, bool), u64> = BTreeMap::new();
    for seed in first..first + count {
        let text = program(seed);
        let status = verdict(&text);
        let tells = tells(&sent(&folder, &text));
        *found.entry((status, tells)).or_default() += 1;
        assert!(
            status != 0 || !tells,
            "seed {seed}: it holds, and runs tell the secret\n{text}"
        );
    }
    let _ = std::fs::remove_dir_all(&folder);
    println!("(exit status, whether runs tell the secret): programs\n{found:?}");
    if count >= 40 {
        let of = |status: u8| -> u64 {
            let those = found.iter().filter(|((of, _), _)| *of == status);
            those.map(|(_, count)| count).sum()
        };
        let tell: u64 = found
            .iter()
            .filter(|((_, tells), _)| *tells)
            .map(|(_, n)| n)
            .sum();
        assert!(of(0) * 5 >= count, "few hold: {found:?}");
        assert!(of(1) * 20 >= count, "few fail: {found:?}");
        assert!(tell * 20 >= count, "few runs tell the secret: {found:?}");
    }
}
