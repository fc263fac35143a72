//! A kept run as a regression test: what becomes of it when the script has changed.
//!
//! A run is kept as the steps that it takes, and a script that was changed may have other ones, though it
//! does the same. So that a run is gone does not mean that its property is not violated any more: that is
//! checked anew.

use std::time::Duration;

use model::{Program, PropertyId, Silent, Verdict};

use crate::command_line::GivenLimits;
use crate::system::System;
use crate::watch::usual_memory;

/// How long a property is checked anew, where nobody says how long the work may take.
const ANEW: Duration = Duration::from_secs(60);

/// Whether a text is a run in the form in which SPIN writes it: three numbers a line.
pub(super) fn is_spin_trail(text: &str) -> bool {
    text.lines().next().is_some_and(|line| {
        let numbers: Vec<&str> = line.trim().split(':').collect();
        numbers.len() == 3 && numbers.iter().all(|n| n.parse::<i64>().is_ok())
    })
}

/// Whether some run violates a property, if that becomes known; says so.
pub(super) fn checked_anew(
    program: &Program,
    at: PropertyId,
    (timeout, memory): GivenLimits,
    system: &dyn System,
) -> Option<bool> {
    let name = &program.properties[at.index()].name;
    let options = verify::Options {
        only: Some(vec![name.clone()]),
        timeout: Some(timeout.map_or(ANEW, |timeout| timeout / 2)),
        memory: Some(memory.unwrap_or_else(|| usual_memory(system))),
        stop: system.stop(),
        ..verify::Options::default()
    };
    let found = verify::check(program, &options, &Silent);
    let (violates, words) = match &found.first()?.verdict {
        Verdict::Fails { .. } => (Some(true), "is violated by another run"),
        Verdict::Holds { .. } => (Some(false), "is not violated by any run"),
        _ => (None, "may still be violated: check it"),
    };
    system.out(&format!("  => {name} {words}\n"));
    violates
}
