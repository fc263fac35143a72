//! `cargo xtask bench cluster`: processes that search together beside threads that do, and what these figures
//! predict for more machines than there are here.
//!
//! One model, whose every state is searched: without a cluster by one thread and by two, and by clusters of
//! one, two and four processes. The least time of several rounds counts, since whatever else the machine does
//! only adds; rounds go through all settings in turn. States and bytes on the wire are those that the
//! processes count.

use std::fmt::Write as _;
use std::process::Command;

use serde_json::Value;

use super::{made_by, release_with_cluster, section};
use crate::workspace::root;

/// The title of the section of figures.
const TITLE: &str = "One search by several processes";

/// A setting: how it is called, its options, and how many processes it has.
const SETTINGS: &[(&str, &[&str], u32)] = &[
    ("one thread", &["--jobs", "1"], 0),
    ("two threads", &["--jobs", "2"], 0),
    ("one process of a cluster", &["--cluster", "local:1"], 1),
    ("two processes", &["--cluster", "local:2"], 2),
    ("four processes", &["--cluster", "local:4"], 4),
];

/// Bytes a second of a network of 10 Gbit/s.
const NETWORK: f64 = 1.25e9;

/// So many processes in a game of Peterson's lock.
fn peterson(processes: u32) -> String {
    let last = processes - 1;
    format!(
        "byte flag[{processes}]; byte turn[{processes}];\n\
         active [{processes}] proctype P() {{\n\
           byte level, other;\n\
           do\n\
           :: level = 1;\n\
              do\n\
              :: level <= {last} ->\n\
                 flag[_pid] = level; turn[level] = _pid; other = 0;\n\
                 do\n\
                 :: other < {processes} && (other == _pid || flag[other] < level || turn[level] != _pid) -> other++\n\
                 :: other == {processes} -> break\n\
                 od;\n\
                 level++\n\
              :: else -> break\n\
              od;\n\
              flag[_pid] = 0; level = 0; other = 0\n\
           od\n\
         }}\n"
    )
}

/// One measured setting.
#[derive(Clone, Copy, Debug, Default)]
struct Figures {
    states: f64,
    transitions: f64,
    seconds: f64,
    /// States sent to other processes, and bytes of them.
    sent: f64,
    bytes: f64,
}

impl Figures {
    fn rate(self) -> f64 {
        self.states / self.seconds
    }
}

/// Measures, prints a table, and with `--write` puts it into the page of figures.
///
/// # Errors
/// If an option is unknown, the build or a run fails.
pub(crate) fn run(options: &[&str]) -> Result<bool, String> {
    let (mut runs, mut size, mut write, mut program) = (3_u32, 4_u32, false, None);
    let mut options = options.iter();
    while let Some(option) = options.next() {
        let value = options.as_slice().first();
        let number = || value.and_then(|value| value.parse().ok());
        match (*option, value) {
            ("--write", _) => {
                write = true;
                continue;
            }
            ("--program", Some(path)) => program = Some((*path).to_owned()),
            ("--runs", _) => runs = number().filter(|n| *n > 0).ok_or("read --runs")?,
            ("--size", _) => size = number().filter(|n| *n > 1).ok_or("read --size")?,
            _ => return Err(format!("read the option {option}")),
        }
        options.next();
    }
    let program = match program {
        Some(program) => program,
        None => release_with_cluster()?,
    };
    let model = root().join("target/bench-cluster.pml");
    std::fs::write(&model, peterson(size)).map_err(|error| format!("write the model: {error}"))?;
    let model = model.to_string_lossy();
    let mut best: Vec<Option<Figures>> = vec![None; SETTINGS.len()];
    for _ in 0..runs {
        for (best, (name, options, _)) in best.iter_mut().zip(SETTINGS) {
            let figures = measured(&program, &model, options)
                .ok_or_else(|| format!("check the model with {name}"))?;
            if best.is_none_or(|best| figures.seconds < best.seconds) {
                *best = Some(figures);
            }
        }
    }
    let best: Vec<Figures> = best.into_iter().flatten().collect();
    let text = table(&best) + &predicted(&best);
    print!("{text}");
    if write {
        let chore = format!("bench cluster --runs {runs} --size {size} --write");
        let about = format!(
            "Peterson's lock for {size} processes, all {} states of it, nothing left out.",
            best[0].states
        );
        section::put(TITLE, &format!("{}\n\n{about}\n\n{text}", made_by(&chore)))?;
    }
    let same = |figures: &Figures| {
        (figures.states, figures.transitions) == (best[0].states, best[0].transitions)
    };
    Ok(best.iter().all(same))
}

fn measured(program: &str, model: &str, options: &[&str]) -> Option<Figures> {
    let mut command = Command::new(program);
    command.args([
        "check",
        model,
        "--property",
        "deadlock",
        "--engine",
        "explicit",
    ]);
    command.args([
        "--reduce",
        "none",
        "--tune",
        "depth-probe=off",
        "--no-cache",
    ]);
    command
        .args(["--format", "json", "--verbose"])
        .args(options);
    let output = command.output().ok()?;
    let report: Value = serde_json::from_slice(&output.stdout).ok()?;
    let statistics = &report["files"][0]["properties"][0]["statistics"];
    // `note: --cluster: N states were sent to others in N bytes`
    let told = String::from_utf8_lossy(&output.stderr);
    let told = told
        .lines()
        .find_map(|line| line.strip_prefix("note: --cluster: "));
    let mut sent = told
        .unwrap_or("")
        .split(' ')
        .filter_map(|word| word.parse().ok());
    Some(Figures {
        states: statistics["states"].as_f64()?,
        transitions: statistics["transitions"].as_f64()?,
        seconds: statistics["seconds"].as_f64()?,
        sent: sent.next().unwrap_or(0.0),
        bytes: sent.next().unwrap_or(0.0),
    })
}

fn table(best: &[Figures]) -> String {
    let mut text = String::from(
        "| searched by | seconds | states a second | beside one thread | states sent, of each found | bytes a state sent |\n\
         |---|---:|---:|---:|---:|---:|\n",
    );
    let or_none = |value: f64| match value > 0.0 {
        true => format!("{value:.2}"),
        false => String::new(),
    };
    for (figures, (name, ..)) in best.iter().zip(SETTINGS) {
        let beside = figures.rate() / best[0].rate();
        writeln!(
            text,
            "| {name} | {:.2} | {:.0} | {beside:.2} | {} | {} |",
            figures.seconds,
            figures.rate(),
            or_none(figures.sent / figures.states),
            or_none(figures.bytes / figures.sent.max(1.0)),
        )
        .expect("writing to a string succeeds");
    }
    text
}

/// What the model of `docs/scale.md` says of these runs, and of many machines.
///
/// A process expands its states in the time that one alone takes for them, and spends a fixed time on each state
/// that it sends and that it receives. Of the states that are sent, the part `(n - 1) / n` goes to others.
fn predicted(best: &[Figures]) -> String {
    let [alone, _, _, two, four] = best else {
        return String::new();
    };
    // Processor time of both processes together beyond that of one alone, for each state sent.
    let per_sent = ((2.0 * two.seconds - alone.seconds) / two.sent.max(1.0)).max(0.0);
    let per_state = alone.seconds / alone.states;
    // Sent of each state found, if all were others'.
    let exchange = two.sent / two.states * 2.0;
    let bytes = two.bytes / two.sent.max(1.0);
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as f64;
    let seconds = |processes: f64, states: f64, cores: f64| {
        let others = (processes - 1.0) / processes;
        let work = states * (per_state + exchange * others * per_sent);
        (
            work / processes.min(cores),
            states * exchange * others * bytes / processes,
        )
    };
    let mut text = format!(
        "\nThe model of [scale.md](scale.md) with these figures: {:.0} ns a state, {exchange:.2} states sent of each \
         found, {:.0} ns and {bytes:.1} bytes for each sent. For four processes on {cores} cores it says {:.2} s, and \
         they took {:.2} s.\n\n\
         | machines of one core each | states a second | hours for 10^12 states | bytes a second out of each | part of 10 Gbit/s |\n\
         |---:|---:|---:|---:|---:|\n",
        per_state * 1e9,
        per_sent * 1e9,
        seconds(4.0, alone.states, cores).0,
        four.seconds,
    );
    for machines in [16.0, 256.0, 4096.0_f64] {
        let (time, sent) = seconds(machines, 1e12, machines);
        // A network that is too slow is what takes the time.
        let time = time.max(sent / NETWORK);
        let out = sent / time;
        writeln!(
            text,
            "| {machines} | {:.2e} | {:.1} | {out:.1e} | {:.0} % |",
            1e12 / time,
            time / 3600.0,
            out / NETWORK * 100.0,
        )
        .expect("writing to a string succeeds");
    }
    text
}
