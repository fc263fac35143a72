//! `probity check --cluster`: processes that search together.
//!
//! With `local:N` this process searches nothing: it [starts](supervisor) so many of its own kind, hands on
//! what the first of them reports, and starts all of them again if one is lost. With a list of hosts it does
//! the same with the process of that number alone, and others do it elsewhere.

pub(crate) mod asked;
#[cfg(feature = "cluster")]
mod hosts;
mod supervisor;
#[cfg(feature = "cluster")]
mod worker;

use std::ffi::OsString;

use self::asked::Asked;
use crate::command_line::CheckInvocation;
use crate::system::System;

/// Checks with a cluster; the exit status.
pub(crate) fn run(
    invocation: &CheckInvocation,
    asked: &Asked,
    words: &[OsString],
    system: &dyn System,
) -> u8 {
    if !cfg!(feature = "cluster") {
        system.err(
            "error: --cluster: this program was built without it\n  \
             = help: cargo install --path crates/probity --features cluster\n",
        );
        return 2;
    }
    let refused = [
        (invocation.watch, "--watch"),
        (invocation.all_errors, "--all-errors"),
        (invocation.unreached, "--unreached"),
        (invocation.mutants, "--mutants"),
        (invocation.on_the_fly, "--on-the-fly"),
        (
            invocation
                .engine
                .is_some_and(|engine| engine != verify::Engine::Explicit),
            "--engine",
        ),
    ];
    if let Some((_, option)) = refused.iter().find(|(is_asked, _)| *is_asked) {
        system.err(&format!(
            "error: {option}: a cluster cannot do that (--cluster)\n"
        ));
        return 2;
    }
    match asked {
        Asked::Local(count) => supervisor::run(invocation, *count, words, system),
        #[cfg(feature = "cluster")]
        Asked::Hosts(list, process) => match hosts::told(list, system) {
            Ok(told) => supervisor::run_one(invocation, (*process, &told), words, system),
            Err(message) => {
                system.err(&format!("error: --cluster: {message}\n"));
                2
            }
        },
        #[cfg(feature = "cluster")]
        Asked::Supervised(seat) => worker::run(invocation, *seat, system),
        #[cfg(not(feature = "cluster"))]
        Asked::Hosts(..) | Asked::Supervised(_) => 2,
    }
}
