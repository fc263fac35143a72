//! Starts the processes of a cluster on this machine, and again when one of them is lost.
//!
//! The processes have the options of this one. What they are told on standard input is a secret that nobody
//! else knows, made anew each time, and at which ports of this machine they are; when that input ends,
//! because this process has, they end too.

use std::ffi::OsString;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::asked::{LOST, SUPERVISED};
use crate::command_line::CheckInvocation;
use crate::system::{Child, System};
use crate::watch::usual_memory;

/// Between two looks at the processes.
const PAUSE: Duration = Duration::from_millis(10);
/// How often they are started again.
const TRIES: u32 = 5;
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
    let mut words = worker_words(words, memory / count as u64);
    let mut tries = 0;
    loop {
        match together(&words, count, system) {
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
                        if tries == 1 {
                            words.extend(["--resume".into(), folder.clone().into()]);
                        }
                        "go on from the last level that was saved"
                    }
                    (_, Some(_)) => "go on from the last level that was saved",
                };
                system.err(&format!(
                    "note: --cluster: process {process} was lost; all {how}\n"
                ));
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
fn together(words: &[OsString], count: usize, system: &dyn System) -> std::io::Result<Came> {
    let mut secret = [0; 32];
    system.random(&mut secret)?;
    let secret: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
    let ports = system.free_ports(count)?;
    let ports: Vec<String> = ports.iter().map(|port| format!(":{port}")).collect();
    let told = format!("{secret}\n{}\n", ports.join(" "));
    let mut children: Vec<Box<dyn Child>> = Vec::new();
    for process in 0..count {
        let mut words = words.to_vec();
        words.extend(["--process".into(), process.to_string().into()]);
        let child = system.start(&words, process == 0);
        match child.and_then(|mut child| child.tell(&told).map(|()| child)) {
            Ok(child) => children.push(child),
            Err(error) => {
                end(&mut children);
                return Err(error);
            }
        }
    }
    let mut endings = vec![None; count];
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
            return Ok(Came::Lost(process));
        }
        std::thread::sleep(PAUSE);
    }
}

fn end(children: &mut [Box<dyn Child>]) {
    for child in children.iter_mut() {
        child.end();
    }
}

/// The options of this process for the others, each with so many bytes of memory.
fn worker_words(words: &[OsString], memory: u64) -> Vec<OsString> {
    let mut kept = Vec::new();
    let mut words = words.iter().skip(1);
    let own = ["--cluster", "--memory"];
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
    kept.extend(["--cluster".into(), SUPERVISED.into()]);
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
        assert_eq!(worker_words(&given, 2 << 20), expected);
    }
}
