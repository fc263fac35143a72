//! One process of a cluster.

use std::hash::{Hash as _, Hasher as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cluster::{Folder, Member, Place, PlaceError, places};
use rapidhash::quality::RapidHasher;

use super::asked::{LOST, Seat};
use crate::check;
use crate::command_line::CheckInvocation;
use crate::system::System;

/// Checks as one of a cluster; the exit status.
pub(super) fn run(invocation: &CheckInvocation, seat: Seat, system: &dyn System) -> u8 {
    let stop = system.stop();
    let (place, secret) = match known(seat.process, system) {
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
            return match error {
                // Somebody may still be at the port.
                PlaceError::Taken(_) => LOST,
                _ => 2,
            };
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
    // One shows what there is to see.
    invocation.progress &= process == 0 || seat.is_only;
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| obey(system, &stop, &over));
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
            None => match member.lost() {
                Some(lost) if member.is_alone() => {
                    system.err(&format!("error: failed to {lost}\n"));
                    3
                }
                Some(lost) => {
                    if seat.is_only {
                        // It can only be told by whoever notices it.
                        system.err(&format!("note: --cluster: failed to {lost}\n"));
                    }
                    LOST
                }
                None => status,
            },
        };
        if let Some(leave) = system.leave() {
            // Nobody waits for the thread that waits for the supervisor.
            leave(status);
        }
        status
    })
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

/// The place of this process among those that the supervisor names, and the secret of its cluster.
fn known(process: usize, system: &dyn System) -> Result<(Place, Vec<u8>), String> {
    let line = || system.line().ok_or("nobody says where the others are");
    let secret = line()?.into_bytes();
    let addresses = places(&line()?.replace(' ', "\n")).map_err(|error| error.to_string())?;
    Ok((Place { addresses, process }, secret))
}
