//! A peer as a process: installed by npm into a scratch folder, asked line by line.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

use super::Peer;
use super::graph::Graph;
use crate::workspace::root;

/// Values of all variables at one moment.
pub(crate) type Values = Vec<Value>;

/// What was seen of one run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    /// In order; true where the engine had come to rest.
    pub(crate) values: Vec<(bool, Values)>,
    /// Nodes that ran.
    pub(crate) nodes: Vec<usize>,
    /// Whether nothing went on at the end.
    pub(crate) quiet: bool,
    /// Why the rest of the run was not looked at.
    pub(crate) cut: Option<String>,
}

/// A run that is wanted: a seed for what the engine draws, and what the world does.
pub(crate) type Wanted = (u32, Vec<Value>);

/// How long a peer may take for one graph: its own limits end what is endless, but the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(300);

/// A peer that runs.
pub(crate) struct Runner {
    script: PathBuf,
    child: Child,
    input: ChildStdin,
    /// What it says, line by line; closed when it has ended.
    output: Receiver<String>,
}

/// Installs the peers; the reason if that cannot be done here.
///
/// # Errors
/// Only if files of our own cannot be written.
pub(crate) fn installed(scratch: &Path) -> Result<Result<PathBuf, String>, String> {
    let folder = scratch.join("peers");
    std::fs::create_dir_all(&folder).map_err(|error| format!("make {folder:?}: {error}"))?;
    for file in ["package.json", "serve.mjs", "babylon.mjs", "behave.mjs"] {
        let from = root().join("xtask/peers").join(file);
        std::fs::copy(&from, folder.join(file))
            .map_err(|error| format!("copy {from:?}: {error}"))?;
    }
    if Command::new("node").arg("--version").output().is_err() {
        return Ok(Err("Node is not installed".to_owned()));
    }
    let stamp = folder.join("installed.json");
    let wanted = std::fs::read(folder.join("package.json")).ok();
    if wanted.is_some() && wanted == std::fs::read(&stamp).ok() {
        return Ok(Ok(folder));
    }
    let install = [
        "install",
        "--no-audit",
        "--no-fund",
        "--no-package-lock",
        "--ignore-scripts",
    ];
    let npm = Command::new("npm")
        .args(install)
        .current_dir(&folder)
        .output();
    Ok(match npm {
        Ok(output) if output.status.success() => {
            std::fs::write(&stamp, wanted.unwrap_or_default())
                .map_err(|error| format!("write {stamp:?}: {error}"))?;
            Ok(folder)
        }
        Ok(output) => Err(format!(
            "npm cannot install the peers: {}",
            String::from_utf8_lossy(&output.stderr)
                .lines()
                .last()
                .unwrap_or_default()
        )),
        Err(error) => Err(format!("npm cannot be run: {error}")),
    })
}

impl Runner {
    /// Starts a peer.
    ///
    /// # Errors
    /// If it cannot be started.
    pub(crate) fn start(peer: Peer, folder: &Path) -> Result<Runner, String> {
        Runner::of(folder.join(format!("{}.mjs", peer.name())))
    }

    fn of(script: PathBuf) -> Result<Runner, String> {
        let mut child = Command::new("node")
            .arg(&script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("run {script:?}: {error}"))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(format!("talk to {script:?}"));
        };
        let (heard, lines) = channel();
        std::thread::spawn(move || {
            // It ends with the peer, or when nobody listens any more.
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if heard.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Runner {
            script,
            child,
            input,
            output: lines,
        })
    }

    /// Runs a graph; what was seen, or why the peer refused.
    ///
    /// # Errors
    /// If the peer cannot be talked to.
    pub(crate) fn run(
        &mut self,
        graph: &Graph,
        runs: &[Wanted],
    ) -> Result<Result<Vec<Seen>, String>, String> {
        let runs: Vec<Value> = runs
            .iter()
            .map(|(seed, steps)| json!({"seed": seed, "steps": steps}))
            .collect();
        let request = json!({"graph": graph.json(), "runs": runs});
        let silent = |error| format!("talk to {:?}: {error}", self.script);
        writeln!(self.input, "{request}").map_err(silent)?;
        loop {
            let Ok(line) = self.output.recv_timeout(PATIENCE) else {
                // The next graph gets another process.
                *self = Runner::of(self.script.clone())?;
                return Ok(Err("it ended, or took too long".to_owned()));
            };
            // A peer may print for itself.
            let Ok(answer) = serde_json::from_str::<Value>(&line) else {
                continue;
            };
            if let Some(error) = answer["error"].as_str() {
                return Ok(Err(error.to_owned()));
            }
            if let Some(runs) = answer["runs"].as_array() {
                return Ok(Ok(runs.iter().map(seen).collect()));
            }
        }
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        // It waits for input that will not come.
        if self.child.kill().is_ok() {
            // Its status says nothing.
            drop(self.child.wait());
        }
    }
}

fn seen(json: &Value) -> Seen {
    let list = |name: &str| json[name].as_array().into_iter().flatten();
    Seen {
        values: list("seen")
            .map(|one| {
                let values = one["values"].as_array().cloned().unwrap_or_default();
                (one["rest"].as_bool().unwrap_or(false), values)
            })
            .collect(),
        nodes: list("nodes")
            .filter_map(|node| usize::try_from(node.as_u64()?).ok())
            .collect(),
        quiet: json["quiet"].as_bool().unwrap_or(false),
        cut: json["cut"].as_str().map(str::to_owned),
    }
}
