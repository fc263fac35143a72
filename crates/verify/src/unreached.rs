//! Statements that no run reaches: SPIN's "unreached in proctype".
//!
//! Whether a statement is ever executed is a question like any other: it is marked with an
//! assertion that fails, and a search is asked which of the assertions can fail. So every pass
//! works on it as on a property, and what the answer is about are the statements of the program
//! before the passes. It is a search of its own: one for properties may leave out what does not
//! matter to them, and stops where all of them have failed.

use std::collections::BTreeMap;
use std::time::Instant;

use explicit::SafetyJob;
use model::{
    Bad, Budget, Check, CheckId, Claim, ProcessId, Program, Progress, Property, PropertyId, Stmt,
    UnknownReason,
};
use passes::pipeline;
use source::Span;

use crate::options::Options;

/// A statement that no run reaches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Unreached {
    /// The process that it belongs to.
    pub process: ProcessId,
    /// Where it is written.
    pub span: Span,
}

/// The statements of the script that no run reaches, by process and place. One whose guard always
/// raises a fault counts as not reached.
///
/// # Errors
/// If not everything could be explored, or representatives stood for wide choices: then what was
/// not reached may be reached all the same.
pub fn unreached(
    program: &Program,
    options: &Options,
    progress: &dyn Progress,
) -> Result<Vec<Unreached>, UnknownReason> {
    if program.predicates.is_some() {
        let what = "statements of programs over logical structures that no run reaches";
        return Err(UnknownReason::Unsupported(what.to_owned()));
    }
    let (marked, places) = mark(program);
    let unlinked = unlinked(program, &places);
    if places.is_empty() {
        return Ok(unlinked);
    }
    let properties: Vec<PropertyId> = (program.properties.len()..marked.properties.len())
        .map(PropertyId::new)
        .collect();
    let reduced = pipeline(&marked, &properties, &options.passes);
    let bads: Vec<Bad> = places.values().map(|&check| Bad::Check(check)).collect();
    let job = SafetyJob {
        program: &reduced.program,
        bads: &bads,
        watch: &[],
        exchange: explicit::Exchange::default(),
    };
    let budget = Budget {
        deadline: options.timeout.map(|timeout| Instant::now() + timeout),
        memory: options.memory,
        stop: options.stop.clone(),
        ..Budget::default()
    };
    let engine = explicit::Options {
        reduce: options.reduce,
        ..options.explicit()
    };
    let reached = explicit::reached(&job, &engine, &budget, progress)?;
    let mut statements: Vec<Unreached> = places
        .into_keys()
        .zip(reached)
        .filter(|(_, reached)| !reached)
        .map(|(place, _)| place)
        .chain(unlinked)
        .collect();
    statements.sort_unstable();
    Ok(statements)
}

/// The statements that no control flow leads to. The same text may be linked elsewhere.
fn unlinked(program: &Program, linked: &BTreeMap<Unreached, CheckId>) -> Vec<Unreached> {
    let mut found = Vec::new();
    for (index, process) in program.processes.iter().enumerate() {
        let process_id = ProcessId::new(index);
        found.extend(process.unlinked.iter().map(|&span| Unreached {
            process: process_id,
            span,
        }));
    }
    found.retain(|place| !linked.contains_key(place));
    found.sort_unstable();
    found.dedup();
    found
}

/// The program with an assertion that fails at each statement, and a property for each. Steps that
/// are written in one place are one statement.
fn mark(program: &Program) -> (Program, BTreeMap<Unreached, CheckId>) {
    let mut marked = program.clone();
    let never = marked.exprs.bool(false);
    let mut checks = Vec::new();
    let mut places: BTreeMap<Unreached, CheckId> = BTreeMap::new();
    for (index, process) in marked.processes.iter_mut().enumerate() {
        if process.environment {
            continue;
        }
        for step in process.steps.iter_mut().filter(|s| !s.span.is_none()) {
            let span = step.span;
            let place = Unreached {
                process: ProcessId::new(index),
                span,
            };
            let check = *places.entry(place).or_insert_with(|| {
                checks.push(span);
                CheckId::new(program.checks.len() + checks.len() - 1)
            });
            let cond = never;
            step.body.insert(0, Stmt::Assert { cond, check, span });
        }
    }
    for span in checks {
        let check = marked.add_check(Check {
            name: String::new(),
            failure: String::new(),
            span,
        });
        marked.add_property(Property {
            name: String::new(),
            text: String::new(),
            span,
            claim: Claim::Check(check),
            trigger: None,
            observers: Vec::new(),
            assumptions: Vec::new(),
        });
    }
    (marked, places)
}
