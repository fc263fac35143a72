//! Starts the processes of a cluster on this machine, or one of them, and again when one is lost.
//!
//! The processes have the options of this one. What they are told on standard input is the secret and where all
//! are: on one machine a secret that nobody else knows, and ports, made anew each time. When that input ends,
//! because this process has, they end too. Where others are started on other machines, each of which notices
//! a loss by itself, one is started again after a pause, and waits for the others.

use std::ffi::OsString;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::asked::{LOST, SUPERVISED};
use crate::command_line::CheckInvocation;
use crate::system::{Child, System};
use crate::watch::usual_memory;

/// Between two looks at the processes.
const PAUSE: Duration = Duration::from_millis(10);
/// How often they are started again,
const TRIES: u32 = 5;
/// and for how long they have to work for that to be forgotten.
const LONG: Duration = Duration::from_secs(600);
/// How long to wait before one that others have to meet is started again; twice as long each time.
const WAIT: Duration = Duration::from_millis(500);
/// How often it is looked whether the others have ended when the first has.
const LAST_LOOKS: u32 = 200;

/// Checks with so many processes; the exit status.
pub(super) fn run(
    invocation: &CheckInvocation,
    count: usize,
    words: &[OsString],
    system: &dyn System,
) -> u8 {
    let memory = invocation.memory.unwrap_or_else(|| usual_memory(system));
    let words = worker_words(words, memory / count as u64, SUPERVISED);
    let processes: Vec<usize> = (0..count).collect();
    let tell = || {
        let mut secret = [0; 32];
        system.random(&mut secret)?;
        let secret: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
        let ports = system.free_ports(count)?;
        let ports: Vec<String> = ports.iter().map(|port| format!(":{port}")).collect();
        Ok(format!("{secret}\n{}\n", ports.join(" ")))
    };
    supervise(invocation, (&processes, false), &tell, words, system)
}

/// Checks as one process, whose number is given and what it is to be told; the exit status.
#[cfg(feature = "cluster")]
pub(super) fn run_one(
    invocation: &CheckInvocation,
    (process, told): (usize, &str),
    words: &[OsString],
    system: &dyn System,
) -> u8 {
    let memory = invocation.memory.unwrap_or_else(|| usual_memory(system));
    let words = worker_words(words, memory, super::asked::ONLY);
    let tell = || Ok(told.to_owned());
    supervise(invocation, (&[process], true), &tell, words, system)
}

/// Starts processes with these words, and again when one is lost; the exit status. It is only one if others are
/// started elsewhere.
fn supervise(
    invocation: &CheckInvocation,
    (processes, is_only): (&[usize], bool),
    tell: &dyn Fn() -> std::io::Result<String>,
    mut words: Vec<OsString>,
    system: &dyn System,
) -> u8 {
    let (mut tries, mut resumes) = (0, false);
    loop {
        let begin = Instant::now();
        let came = tell().and_then(|told| together(&words, processes, &told, system));
        if begin.elapsed() > LONG {
            tries = 0;
        }
        match came {
            Ok(Came::Report(out, status)) => {
                system.write_out(&out);
                return status;
            }
            Ok(Came::Lost(process)) => {
                tries += 1;
                if tries > TRIES || system.stop().load(Ordering::Relaxed) {
                    system.err(&format!(
                        "error: --cluster: process {process} was lost, {tries} times in all\n"
                    ));
                    return 3;
                }
                let how = match (&invocation.checkpoint, &invocation.resume) {
                    (None, None) => "begin again",
                    (Some(folder), None) => {
                        if !std::mem::replace(&mut resumes, true) {
                            words.extend(["--resume".into(), folder.clone().into()]);
                        }
                        "go on from the last level that was saved"
                    }
                    (_, Some(_)) => "go on from the last level that was saved",
                };
                system.err(&match is_only {
                    true => format!("note: --cluster: a process was lost; all are to {how}\n"),
                    false => format!("note: --cluster: process {process} was lost; all {how}\n"),
                });
                if is_only {
                    pause(WAIT * (1 << (tries - 1).min(10)), system);
                }
            }
            Err(error) => {
                system.err(&format!("error: --cluster: start a process: {error}\n"));
                return 2;
            }
        }
    }
}

/// What has come of the processes.
enum Came {
    /// The first one's report, and its exit status.
    Report(String, u8),
    /// This one was lost first.
    Lost(usize),
}

/// Starts the processes and waits for them.
fn together(
    words: &[OsString],
    processes: &[usize],
    told: &str,
    system: &dyn System,
) -> std::io::Result<Came> {
    let mut children: Vec<Box<dyn Child>> = Vec::new();
    for process in processes {
        let mut words = words.to_vec();
        words.extend(["--process".into(), process.to_string().into()]);
        let child = system.start(&words, children.is_empty());
        match child.and_then(|mut child| child.tell(told).map(|()| child)) {
            Ok(child) => children.push(child),
            Err(error) => {
                end(&mut children);
                return Err(error);
            }
        }
    }
    let mut endings = vec![None; processes.len()];
    let mut has_told = false;
    loop {
        if system.stop().load(Ordering::Relaxed) && !std::mem::replace(&mut has_told, true) {
            for child in &mut children {
                // Who has ended needs not be told.
                let _ = child.tell("stop\n");
            }
        }
        for (child, ending) in children.iter_mut().zip(&mut endings) {
            if ending.is_none() {
                *ending = child.ended()?;
            }
        }
        let is_lost = |status: Option<u8>| status.is_none_or(|status| status == LOST);
        match endings[0] {
            Some(Some(status)) if status != LOST => {
                for _ in 0..LAST_LOOKS {
                    let mut all = true;
                    for child in &mut children {
                        all &= child.ended()?.is_some();
                    }
                    if all {
                        break;
                    }
                    std::thread::sleep(PAUSE);
                }
                let out = children[0].output();
                end(&mut children);
                return Ok(Came::Report(out, status));
            }
            _ => {}
        }
        let lost = |by_signal: bool| {
            endings.iter().position(|ending| {
                ending.is_some_and(|status: Option<u8>| match by_signal {
                    true => status.is_none(),
                    false => is_lost(status),
                })
            })
        };
        // Who was killed was lost first; the others have only noticed.
        if let Some(process) = lost(true).or_else(|| lost(false)) {
            end(&mut children);
            return Ok(Came::Lost(processes[process]));
        }
        std::thread::sleep(PAUSE);
    }
}

/// Waits so long, or until the user asks to stop.
fn pause(time: Duration, system: &dyn System) {
    let begin = Instant::now();
    while begin.elapsed() < time && !system.stop().load(Ordering::Relaxed) {
        std::thread::sleep(PAUSE);
    }
}

fn end(children: &mut [Box<dyn Child>]) {
    for child in children.iter_mut() {
        child.end();
    }
}

/// The options of this process for the others, each with so many bytes of memory and this value of `--cluster`.
fn worker_words(words: &[OsString], memory: u64, cluster: &str) -> Vec<OsString> {
    let mut kept = Vec::new();
    let mut words = words.iter().skip(1);
    let own = ["--cluster", "--memory", "--process"];
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        if own.contains(&&*text) {
            words.next();
        } else if !own.iter().any(|own| {
            text.strip_prefix(own)
                .is_some_and(|rest| rest.starts_with('='))
        }) {
            kept.push(word.clone());
        }
    }
    let kilobytes = format!("{}K", (memory >> 10).max(1));
    kept.extend(["--memory".into(), kilobytes.into()]);
    kept.extend(["--cluster".into(), cluster.into()]);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_have_the_options_of_their_supervisor_but_for_its_own() {
        let words = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<_>>();
        let given = words(&[
            "probity",
            "check",
            "a.pml",
            "--cluster",
            "local:2",
            "--memory=4G",
            "-q",
            "--clusters",
        ]);
        let expected = words(&[
            "check",
            "a.pml",
            "-q",
            "--clusters",
            "--memory",
            "2048K",
            "--cluster",
            "supervised",
        ]);
        assert_eq!(worker_words(&given, 2 << 20, SUPERVISED), expected);
    }
}
