//! The bus in Java, where it is installed.
//!
//! A small program of ours (`RandomBus.java`), compiled where the test runs, loads scripts into the bus, draws
//! at random whose turn it is, and plays the tools. One machine runs all scripts.

use std::io::{BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use super::maker::Random;
use super::script::Script;
use super::world::made_up;

/// How often a script is run, and how long.
const RUNS: usize = 60;
const STEPS: usize = 120;

/// The bus in Java.
pub(crate) struct Bus {
    machine: Child,
    asks: ChildStdin,
    answers: BufReader<ChildStdout>,
    folder: PathBuf,
}

/// What a run there shows.
#[derive(Debug)]
pub(crate) struct Shown {
    pub(crate) labels: Vec<usize>,
    /// `open`, `done`, `stuck`, `halted` or `refused`, and why.
    pub(crate) ending: String,
}

impl Bus {
    /// The one that `PROBITY_TOOLBUS` names.
    pub(crate) fn named() -> Option<Bus> {
        let classes = std::env::var("PROBITY_TOOLBUS").ok()?;
        let folder = std::env::temp_dir().join(format!("probity-bus-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let source = folder.join("RandomBus.java");
        std::fs::write(&source, include_str!("RandomBus.java")).unwrap();
        let compiled = Command::new("javac")
            .args(["-cp", &classes, "-d"])
            .args([&folder, &source])
            .status()
            .unwrap();
        assert!(compiled.success(), "the program beside the bus compiles");
        let mut machine = Command::new("java")
            .args(["-Xshare:auto", "-XX:TieredStopAtLevel=1", "-cp"])
            .arg(format!("{}:{classes}", folder.display()))
            .arg("toolbus.RandomBus")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Some(Bus {
            asks: machine.stdin.take().unwrap(),
            answers: BufReader::new(machine.stdout.take().unwrap()),
            machine,
            folder,
        })
    }

    /// Runs of a script.
    pub(crate) fn run(&mut self, script: &Script, seed: u64) -> Vec<Shown> {
        let file = self.folder.join("script.tb");
        std::fs::write(&file, script.text("\\n")).unwrap();
        let mut random = Random(fastrand::Rng::with_seed(seed));
        let sent = made_up(script, &mut random);
        let fields = |all: &[super::value::Val]| -> String {
            let all = all.iter().filter_map(super::value::text);
            all.map(|text| format!("\t{text}")).collect()
        };
        writeln!(
            self.asks,
            "{}\t{seed}\t{RUNS}\t{STEPS}\t{}{}\t{}",
            file.display(),
            script.has_callers(),
            fields(&sent.events),
            fields(&sent.answers)
        )
        .unwrap();
        self.asks.flush().unwrap();
        let mut all = Vec::new();
        for line in std::io::BufRead::lines(&mut self.answers) {
            let line = line.unwrap();
            let Some((labels, ending)) = line.split_once('|') else {
                break;
            };
            let labels = labels.split_whitespace();
            all.push(Shown {
                labels: labels.filter_map(|label| label.parse().ok()).collect(),
                ending: ending.to_owned(),
            });
        }
        all
    }
}

impl Drop for Bus {
    fn drop(&mut self) {
        let _ = self.machine.kill();
        let _ = self.machine.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
