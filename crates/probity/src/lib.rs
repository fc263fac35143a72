//! The command line of Probity.
//!
//! Every file, terminal and signal is reached through a [`System`], so that the whole program can
//! be run in memory:
//!
//! ```
//! use probity::{InMemory, run};
//!
//! let system = InMemory::default().with_file("door.lsl", "default { }");
//! let status = run(&["probity", "check", "door.lsl"], &system);
//! assert_eq!(status, 2, "a state without a handler is bad input");
//! assert!(system.err().contains("door.lsl"));
//! ```

mod audit;
mod background;
mod cache;
mod certified;
mod certify;
mod check;
mod cluster;
mod codes;
mod color;
mod command_line;
mod commands;
mod concrete;
mod config;
mod configurations;
mod corridor;
mod decisions;
mod destinations;
mod diff_policy;
mod documentation;
mod explain;
mod fit;
mod fleet;
mod in_memory;
mod known;
mod languages;
mod lsp;
mod machine;
mod options;
mod progress;
mod quantities;
mod readings;
mod recorded;
mod saving;
mod scripts;
#[cfg(feature = "serve")]
mod serve;
mod side_by_side;
mod simulate;
mod system;
mod translate;
mod watch;
mod whole;

pub use codes::COMMAND_LINE as CODES;
pub use documentation::markdown;
pub use in_memory::InMemory;
pub use languages::Languages;
pub use machine::Machine;
pub use system::{Child, Condition, Files, Kind, Output, Stream, System};

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use language::{CERTIFY, TRANSLATE};

use command_line::{CheckInvocation, Invocation, ServeInvocation, Stopped, parse};

/// Runs a command line, the program's name first, and returns the exit status: 0 every property
/// holds and none is vacuous, 1 some property fails, 2 bad usage or bad input, 3 anything else.
///
/// Arguments need not be text. What was found out but did not reach standard output counts as not
/// known.
pub fn run<S: Into<OsString> + Clone>(arguments: &[S], system: &dyn System) -> u8 {
    run_with(arguments, Languages::default(), system)
}

/// The same, with these languages in place of those that come with the program.
pub fn run_with<S: Into<OsString> + Clone>(
    arguments: &[S],
    languages: Languages,
    system: &dyn System,
) -> u8 {
    let words: Vec<OsString> = arguments.iter().cloned().map(Into::into).collect();
    let status = carried_out(parse(arguments, languages), &words, languages, system);
    match status {
        0 if system.lost_output() => 3,
        status => status,
    }
}

/// Checks, and again after each change if that is wanted.
fn checked(invocation: &CheckInvocation, system: &dyn System) -> u8 {
    loop {
        let status = check::run(invocation, system);
        if !invocation.watch {
            return status;
        }
        system.err("Waiting for a change; the interrupt key ends it.\n");
        loop {
            if system.stop().load(Ordering::Relaxed) {
                return status;
            }
            if system.has_changed() {
                break;
            }
        }
        system.out("\n");
    }
}

#[cfg(feature = "serve")]
fn served(invocation: &ServeInvocation, languages: Languages, system: &dyn System) -> u8 {
    serve::run(invocation, languages, system)
}

#[cfg(not(feature = "serve"))]
fn served(_: &ServeInvocation, _: Languages, system: &dyn System) -> u8 {
    system.err(
        "error: serve: this program was built without it\n  \
         = help: cargo install --path crates/probity --features serve\n",
    );
    2
}

fn carried_out(
    parsed: Result<Invocation, Stopped>,
    words: &[OsString],
    languages: Languages,
    system: &dyn System,
) -> u8 {
    match parsed {
        Ok(Invocation::Check(mut invocation)) => {
            let CheckInvocation { input, paths, .. } = &mut *invocation;
            input.recognise(paths.iter().map(PathBuf::as_path), system);
            match &invocation.cluster {
                Some(asked) => cluster::run(&invocation, asked, words, system),
                None => checked(&invocation, system),
            }
        }
        Ok(Invocation::Audit(invocation)) => {
            let run = || audit::run(&invocation, languages, system);
            watch::limited("audit", invocation.limits, system, run)
        }
        Ok(Invocation::Certify(mut invocation)) => {
            let path = invocation.path.as_path();
            invocation.input.recognise([path], system);
            match config::input(&invocation.input, path, CERTIFY, system) {
                Ok(input) => invocation.input = input,
                Err(status) => return status,
            }
            let run = || certify::run(&invocation, system);
            watch::limited("certify", invocation.limits, system, run)
        }
        Ok(Invocation::DiffPolicy(mut invocation)) => {
            let both = [invocation.old.as_path(), invocation.new.as_path()];
            invocation.input.recognise(both, system);
            let run = || diff_policy::run(&invocation, system);
            watch::limited("diff-policy", invocation.limits, system, run)
        }
        Ok(Invocation::Lsp) => lsp::run(languages, system),
        Ok(Invocation::Serve(invocation)) => served(&invocation, languages, system),
        Ok(Invocation::Explain(code)) => explain::run(&code, languages, system),
        Ok(Invocation::Plan(invocation)) => fleet::plan(&invocation, system),
        Ok(Invocation::RunJobs(invocation)) => fleet::run_jobs(&invocation, languages, system),
        Ok(Invocation::Collect(invocation)) => fleet::collect(&invocation, system),
        Ok(Invocation::Simulate(mut invocation)) => {
            invocation
                .input
                .recognise([invocation.path.as_path()], system);
            let run = || simulate::run(&invocation, system);
            watch::limited("simulate", invocation.limits, system, run)
        }
        Ok(Invocation::Translate(mut invocation)) => {
            let path = invocation.path.as_path();
            invocation.input.recognise([path], system);
            match config::input(&invocation.input, path, TRANSLATE, system) {
                Ok(input) => invocation.input = input,
                Err(status) => return status,
            }
            let run = || translate::run(&invocation, system);
            watch::limited("translate", invocation.limits, system, run)
        }
        Err(stopped) => {
            if stopped.status == 0 {
                system.out(&stopped.text);
            } else {
                system.err(&stopped.text);
            }
            stopped.status
        }
    }
}
