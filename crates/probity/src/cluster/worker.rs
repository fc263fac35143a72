//! One process of a cluster.

use std::hash::{Hash as _, Hasher as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cluster::{Folder, Member, Place, places};
use rapidhash::quality::RapidHasher;

use super::asked::{Asked, LOST};
use crate::check;
use crate::command_line::CheckInvocation;
use crate::system::System;

/// Where the secret of a cluster is.
const SECRET: &str = "PROBITY_CLUSTER_SECRET";

/// Checks as one of a cluster; the exit status.
pub(super) fn run(invocation: &CheckInvocation, asked: &Asked, system: &dyn System) -> u8 {
    let stop = system.stop();
    let (place, secret, supervised) = match known(asked, system) {
        Ok(known) => known,
        Err(message) => {
            system.err(&format!("error: --cluster: {message}\n"));
            return 2;
        }
    };
    let process = place.process;
    let member = match Member::new(place, &secret, Arc::clone(&stop)) {
        Ok(member) => member,
        Err(error) => {
            system.err(&format!("error: --cluster: {error}\n"));
            return if supervised { LOST } else { 2 };
        }
    };
    let mut invocation = invocation.clone();
    let member = match kept(&mut invocation, member) {
        Ok(member) => Arc::new(member),
        Err(message) => {
            system.err(&format!("error: --checkpoint: {message}\n"));
            return 2;
        }
    };
    let shared = Arc::clone(&member);
    invocation.team = Some(shared);
    if supervised {
        // The supervisor shows what there is to see.
        invocation.progress &= process == 0;
    }
    let over = AtomicBool::new(false);
    let status = std::thread::scope(|scope| {
        if supervised {
            scope.spawn(|| obey(system, &stop, &over));
        }
        let status = check::run(&invocation, system);
        over.store(true, Ordering::Relaxed);
        let (states, bytes) = member.traffic();
        if invocation.verbose && process == 0 {
            let told =
                format!("note: --cluster: {states} states were sent to others in {bytes} bytes\n");
            system.err(&told);
        }
        let status = match member.refused() {
            Some(error) => {
                system.err(&format!("error[CLI0004]: failed to {error}\n"));
                2
            }
            None if member.lost().is_some() && supervised => LOST,
            None => status,
        };
        if supervised && let Some(leave) = system.leave() {
            // Nobody waits for the thread that waits for the supervisor.
            leave(status);
        }
        status
    });
    if status == 2 {
        return status;
    }
    match member.lost() {
        Some(lost) => {
            system.err(&format!("error: failed to {lost}\n"));
            3
        }
        None => status,
    }
}

/// One that keeps what it finds where the command line says, which is no file here but a folder.
fn kept(invocation: &mut CheckInvocation, member: Member) -> Result<Member, String> {
    let (to, from) = (invocation.checkpoint.take(), invocation.resume.take());
    let resumes = from.is_some();
    let path = match (to, from) {
        (Some(to), Some(from)) if to != from => {
            return Err(
                "a cluster goes on in the folder that it goes on from (--resume)".to_owned(),
            );
        }
        (to, from) => to.or(from),
    };
    let Some(path) = path else {
        return Ok(member);
    };
    let mut hasher = RapidHasher::default();
    env!("CARGO_PKG_VERSION").hash(&mut hasher);
    let name = path.display().to_string();
    let folder = Folder::new(path, hasher.finish(), resumes);
    let folder = folder.map_err(|error| format!("`{name}`: {error}"))?;
    Ok(member.keeping(folder))
}

/// Does what the supervisor says: to stop, or to end when it has ended itself.
fn obey(system: &dyn System, stop: &AtomicBool, over: &AtomicBool) {
    while let Some(line) = system.line() {
        if line == "stop" {
            stop.store(true, Ordering::Relaxed);
        }
    }
    if !over.load(Ordering::Relaxed)
        && let Some(leave) = system.leave()
    {
        leave(LOST);
    }
}

/// The place of this process, the secret of its cluster, and whether a supervisor has started it.
fn known(asked: &Asked, system: &dyn System) -> Result<(Place, Vec<u8>, bool), String> {
    match asked {
        Asked::Supervised(process) => {
            let line = || system.line().ok_or("nobody says where the others are");
            let secret = line()?.into_bytes();
            let addresses =
                places(&line()?.replace(' ', "\n")).map_err(|error| error.to_string())?;
            let process = *process;
            Ok((Place { addresses, process }, secret, true))
        }
        Asked::Hosts(path, process) => {
            let name = path.display();
            let text = system
                .read(path)
                .map_err(|error| format!("read `{name}`: {error}"))?;
            let text = String::from_utf8_lossy(&text);
            let addresses = places(&text).map_err(|error| format!("`{name}`: {error}"))?;
            let secret = system.variable(SECRET).ok_or_else(|| {
                format!("the environment variable {SECRET} has to hold the same secret for all processes")
            })?;
            let process = *process;
            Ok((Place { addresses, process }, secret.into_bytes(), false))
        }
        Asked::Local(_) => Err("a supervisor searches nothing".to_owned()),
    }
}
