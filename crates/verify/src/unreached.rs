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
    AssumptionId, Bad, Budget, Check, CheckId, Claim, ExprId, ProcessId, Program, Progress,
    Property, PropertyId, Statements, Stmt, UnknownReason,
};
use passes::pipeline;
use source::Span;

use crate::options::Options;
use crate::strength::left_out;

/// A statement that no run reaches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Unreached {
    /// The process that it belongs to.
    pub process: ProcessId,
    /// Where it is written.
    pub span: Span,
}

/// What is known of the statements that no run reaches.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reach {
    /// Statements that no run reaches, by process and place. Those inside of one of them are left out.
    pub unreached: Vec<Unreached>,
    /// Why it is not known of the others whether they are reached, if it is not.
    pub open: Option<UnknownReason>,
}

impl Reach {
    /// Nothing is known, because the program does not show it.
    fn unsupported(what: &str) -> Reach {
        Reach {
            open: Some(UnknownReason::Unsupported(what.to_owned())),
            ..Reach::default()
        }
    }
}

/// The statements of the script that no run reaches. One whose guard always raises a fault counts as
/// not reached.
///
/// If not everything could be explored, representatives stood for wide choices, or the program has only a part of
/// what may be, those are given that no control flow leads to: what else was not reached may be reached all the same.
pub fn unreached(program: &Program, options: &Options, progress: &dyn Progress) -> Reach {
    if program.predicates.is_some() {
        let what = "statements of programs over logical structures that no run reaches";
        return Reach::unsupported(what);
    }
    if program.statements == Statements::Untold {
        return Reach::unsupported("telling statements apart in this language");
    }
    let (marked, places) = mark(program);
    let mut unreached = unlinked(program, &places);
    let mut open = None;
    // For whichever property runs are missing.
    let all: Vec<AssumptionId> = (0..program.assumptions.len())
        .map(AssumptionId::new)
        .collect();
    let left_out = left_out(program, &all);
    if !places.is_empty() {
        match executed(&marked, &places, options, progress) {
            Ok(reached) if !left_out.is_empty() => {
                let is_known = reached.iter().all(|reached| *reached);
                open = (!is_known).then_some(UnknownReason::LeftOut(left_out));
            }
            Ok(reached) => {
                let all = places.into_keys().zip(reached);
                unreached.extend(all.filter(|(_, reached)| !reached).map(|(place, _)| place));
            }
            Err(reason) => open = Some(reason),
        }
    }
    Reach {
        unreached: outermost(unreached),
        open,
    }
}

/// For each place whether some run comes there.
fn executed(
    marked: &Program,
    places: &BTreeMap<Unreached, CheckId>,
    options: &Options,
    progress: &dyn Progress,
) -> Result<Vec<bool>, UnknownReason> {
    let own = marked.properties.len() - places.len();
    let properties: Vec<PropertyId> = (own..marked.properties.len())
        .map(PropertyId::new)
        .collect();
    let reduced = pipeline(marked, &properties, &options.passes);
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
    explicit::reached(&job, &engine, &budget, progress)
}

/// Places that lie in no other, in order.
fn outermost(mut places: Vec<Unreached>) -> Vec<Unreached> {
    // What contains another begins no later, and ends no earlier.
    places.sort_unstable_by_key(|place| {
        let Span { file, start, end } = place.span;
        (place.process, file, start, std::cmp::Reverse(end))
    });
    let mut outer: Vec<Unreached> = Vec::new();
    for place in places {
        let is_inside = outer.last().is_some_and(|last| {
            last.process == place.process
                && last.span.file == place.span.file
                && place.span.end <= last.span.end
        });
        if !is_inside {
            outer.push(place);
        }
    }
    outer
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
    found
}

/// The program with an assertion that fails at each statement, and a property for each. Statements are
/// what the front end has marked, or steps. Those that are written in one place are one statement.
fn mark(program: &Program) -> (Program, BTreeMap<Unreached, CheckId>) {
    let mut marked = program.clone();
    let never = marked.exprs.bool(false);
    let mut checks = Vec::new();
    let mut places: BTreeMap<Unreached, CheckId> = BTreeMap::new();
    for (index, process) in marked.processes.iter_mut().enumerate() {
        if process.environment {
            continue;
        }
        let mut check_at = |span: Span| {
            let place = Unreached {
                process: ProcessId::new(index),
                span,
            };
            *places.entry(place).or_insert_with(|| {
                checks.push(span);
                CheckId::new(program.checks.len() + checks.len() - 1)
            })
        };
        for step in &mut process.steps {
            match program.statements {
                Statements::Marks(marks) => {
                    fail_at_marks(&mut step.body, marks, never, &mut check_at);
                }
                Statements::Steps if !step.span.is_none() => {
                    let (cond, span) = (never, step.span);
                    let check = check_at(span);
                    step.body.insert(0, Stmt::Assert { cond, check, span });
                }
                Statements::Steps | Statements::Untold => {}
            }
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

/// Makes the marks of a body assertions that fail.
fn fail_at_marks(
    body: &mut [Stmt],
    marks: CheckId,
    never: ExprId,
    check_at: &mut dyn FnMut(Span) -> CheckId,
) {
    for stmt in body {
        match stmt {
            Stmt::Assert { cond, check, span } if *check == marks => {
                (*cond, *check) = (never, check_at(*span));
            }
            Stmt::If(_, then, otherwise) => {
                fail_at_marks(then, marks, never, check_at);
                fail_at_marks(otherwise, marks, never, check_at);
            }
            _ => {}
        }
    }
}
