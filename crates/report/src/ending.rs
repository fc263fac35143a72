//! How a story ends: why the run is a failure.
//!
//! The values that are shown are those of the variables that the violated claim reads, and of
//! the event's arguments where the claim is judged at an event.

use std::collections::HashSet;

use logic::Ltl;
use model::interp::{Interp, Occurrence, Replay};
use model::{
    CheckId, Claim, ExprId, FaultId, GlobalId, Growth, Program, Property, Stmt, Trace, VariableKind,
};
use source::Span;

use crate::printed::{global_text, mentions, value_text};
use crate::story::{Narrator, is_internal};
use crate::values::{Ending, Named};
use crate::wide_number::{is_same, number_of, number_text};

/// The fault that was raised last, and where.
pub(crate) fn last_fault(replay: &Replay) -> Option<(FaultId, Span)> {
    let occurrences = replay.steps.iter().flat_map(|step| &step.occurrences);
    occurrences.rev().find_map(|occurrence| match occurrence {
        Occurrence::Fault { fault, span, .. } => Some((*fault, *span)),
        _ => None,
    })
}

/// Why the replayed run violates the property.
pub(crate) fn ending(
    narrator: &Narrator<'_>,
    program: &Program,
    property: &Property,
    trace: &Trace,
    replay: &Replay,
) -> Ending {
    if program.display.steps {
        return narrator.ending_by_process(property, trace, replay);
    }
    let last = replay.length();
    let at_the_end = |roots: &[ExprId]| named(program, &mentions(program, roots), last, replay);
    if let Some(whose) = program.display.waits.get(&property.name)
        && trace.loop_start.is_none()
    {
        let text = match whose {
            Some(process) => {
                let name = &program.processes[process.index()].name;
                format!("here `{name}` waits for ever")
            }
            None => "nothing can happen any more, and not all is done".to_owned(),
        };
        return Ending {
            text,
            values: Vec::new(),
            line: narrator.line(property.span),
            waiting: narrator.stuck(replay.state(last), *whose),
        };
    }
    let (text, values) = match &property.claim {
        Claim::Check(check) => check_failed(program, *check, replay),
        Claim::Always(condition) => (
            format!("here `{}` is violated", one_line(&property.text)),
            at_the_end(&[*condition]),
        ),
        Claim::Ltl(_) | Claim::Never(_) | Claim::Ctl(_) | Claim::Mu(_) => {
            let atoms = atoms(&property.claim);
            let mut globals = mentions(program, &atoms);
            if let Some(start) = trace.loop_start {
                // Only what stays the same for ever has one value to show.
                globals.retain(|global| {
                    let same = |at| is_same(program, *global, replay.state(at), replay.state(last));
                    (start..last).all(same)
                });
            }
            let text = if matches!(property.claim, Claim::Never(_)) {
                "so this run is one of those that must not be".to_owned()
            } else if matches!(property.claim, Claim::Mu(_)) && trace.loop_start.is_none() {
                format!(
                    "so `{}` does not hold where this run begins",
                    one_line(&property.text)
                )
            } else if trace.loop_start.is_some() {
                format!(
                    "so this run violates `{}`: what it asks for never comes",
                    one_line(&property.text)
                )
            } else {
                format!("so this run violates `{}`", one_line(&property.text))
            };
            (text, named(program, &globals, last, replay))
        }
        Claim::NoDeadlock => (
            "nothing can happen any more, and it may not end here".to_owned(),
            Vec::new(),
        ),
        Claim::Bounded(growth) => {
            let text = match trace.loop_start {
                Some(_) => "each time round, something comes to a list that nobody reads any more"
                    .to_owned(),
                None => grown(program, growth, replay),
            };
            (text, Vec::new())
        }
        Claim::Silent(_) | Claim::Configurations(_) | Claim::Open(_) | Claim::Distance { .. } => {
            ("this was found".to_owned(), Vec::new())
        }
        Claim::NoFault(_) => {
            let text = match last_fault(replay) {
                Some((fault, _)) => {
                    let message = &program.faults[fault.index()].message;
                    format!("the script fails: {message}")
                }
                None => "the script fails".to_owned(),
            };
            (text, Vec::new())
        }
        Claim::Returns => (
            "this goes on for ever: the script never comes to an end here".to_owned(),
            Vec::new(),
        ),
    };
    Ending {
        text,
        values,
        line: narrator.line(property.span),
        waiting: Vec::new(),
    }
}

/// What has grown, and since when.
fn grown(program: &Program, growth: &Growth, replay: &Replay) -> String {
    let interp = Interp::new(program);
    match growth.of_run(&interp, &program.rich, replay) {
        Some(grown) => {
            let name = &program.globals[growth.lists.index()].name;
            let (from, list) = (grown.from, grown.list);
            let what = if grown.repeats {
                "this can be repeated for ever"
            } else {
                "whether this can be repeated for ever is not known"
            };
            format!("all is as it was after step {from}, but {name}[{list}] has grown: {what}")
        }
        None => "a list has grown".to_owned(),
    }
}

/// The global variables that a property is about.
pub(crate) fn subject(program: &Program, property: &Property) -> Vec<GlobalId> {
    let roots = match &property.claim {
        Claim::Check(check) => conditions(program, *check),
        Claim::Always(condition) => vec![*condition],
        claim @ (Claim::Ltl(_)
        | Claim::Never(_)
        | Claim::Ctl(_)
        | Claim::Mu(_)
        | Claim::Distance { .. }) => atoms(claim),
        Claim::Bounded(growth) => vec![growth.full],
        Claim::NoDeadlock
        | Claim::NoFault(_)
        | Claim::Returns
        | Claim::Silent(_)
        | Claim::Configurations(_)
        | Claim::Open(_) => Vec::new(),
    };
    mentions(program, &roots)
}

/// The last failure of a check, with the arguments of the event where it was judged.
pub(crate) fn check_failed(
    program: &Program,
    check: CheckId,
    replay: &Replay,
) -> (String, Vec<Named>) {
    let declared = &program.checks[check.index()];
    let text = if declared.failure.is_empty() {
        format!("the check `{}` fails", declared.name)
    } else {
        declared.failure.clone()
    };
    let mut values = Vec::new();
    let occurrences = replay
        .steps
        .last()
        .map_or(&[][..], |step| &step.occurrences);
    let failed = occurrences.iter().rposition(
        |occurrence| matches!(occurrence, Occurrence::Failed { check: c, .. } if *c == check),
    );
    let judged_at = occurrences[..failed.unwrap_or(0)]
        .iter()
        .rev()
        .find_map(|occurrence| match occurrence {
            Occurrence::Event { event, args, .. } => Some((event, args)),
            _ => None,
        });
    if let Some((event, args)) = judged_at
        && observed_asserts(program, check)
    {
        let parameters = &program.events[event.index()].parameters;
        values.extend(
            parameters
                .iter()
                .zip(args)
                .map(|((name, ty), value)| Named {
                    name: name.clone(),
                    value: value_text(program, ty, value),
                }),
        );
    }
    let globals = mentions(program, &conditions(program, check));
    let last = replay.length();
    // The check was judged within the macro step; a variable that changes in it is shown with
    // both values.
    for global in globals {
        let variable = &program.globals[global.index()];
        if is_internal(&variable.name) {
            continue;
        }
        let print =
            |at: usize| global_text(program, global, &replay.state(at).globals[global.index()]);
        let after = print(last);
        let before = print(last.saturating_sub(1));
        let value = if before == after || variable.kind == VariableKind::Step {
            after
        } else {
            format!("{before}, then {after}")
        };
        values.push(Named {
            name: variable.name.clone(),
            value,
        });
    }
    (text, values)
}

/// Whether the check is asserted by an observer, and so judged at an event.
fn observed_asserts(program: &Program, check: CheckId) -> bool {
    let mut found = Vec::new();
    for observer in &program.observers {
        collect_conditions(&observer.body, check, &mut found);
    }
    !found.is_empty()
}

/// The conditions that a check asserts.
pub(crate) fn conditions(program: &Program, check: CheckId) -> Vec<ExprId> {
    let mut found = Vec::new();
    for observer in &program.observers {
        collect_conditions(&observer.body, check, &mut found);
    }
    for step in program.processes.iter().flat_map(|process| &process.steps) {
        collect_conditions(&step.body, check, &mut found);
    }
    let mut seen = HashSet::new();
    found.retain(|condition| seen.insert(*condition));
    found
}

fn collect_conditions(body: &[Stmt], wanted: CheckId, found: &mut Vec<ExprId>) {
    for stmt in body {
        match stmt {
            Stmt::Assert { cond, check, .. } if *check == wanted => found.push(*cond),
            Stmt::If(_, yes, no) => {
                collect_conditions(yes, wanted, found);
                collect_conditions(no, wanted, found);
            }
            _ => {}
        }
    }
}

/// The state atoms of a claim about runs.
pub(crate) fn atoms(claim: &Claim) -> Vec<ExprId> {
    let mut atoms = Vec::new();
    match claim {
        Claim::Ltl(formula) => collect_atoms(formula, &mut atoms),
        Claim::Never(automaton) => atoms.extend(&automaton.atoms),
        Claim::Ctl(formula) => atoms.extend(formula.atoms()),
        Claim::Distance { from, to, .. } => {
            atoms.extend(from.atoms());
            atoms.extend(to.atoms());
        }
        Claim::Mu(formula) => atoms.extend(formula.atoms()),
        _ => {}
    }
    atoms
}

fn collect_atoms(formula: &Ltl<ExprId>, atoms: &mut Vec<ExprId>) {
    match formula {
        Ltl::True | Ltl::False => {}
        Ltl::Atom(atom) => atoms.push(*atom),
        Ltl::Not(p) | Ltl::Next(p) | Ltl::Eventually(p) | Ltl::Always(p) => collect_atoms(p, atoms),
        Ltl::And(all) | Ltl::Or(all) => all.iter().for_each(|p| collect_atoms(p, atoms)),
        Ltl::Implies(p, q)
        | Ltl::Iff(p, q)
        | Ltl::Until(p, q)
        | Ltl::Release(p, q)
        | Ltl::WeakUntil(p, q) => {
            collect_atoms(p, atoms);
            collect_atoms(q, atoms);
        }
    }
}

pub(crate) fn named(
    program: &Program,
    globals: &[GlobalId],
    at: usize,
    replay: &Replay,
) -> Vec<Named> {
    let mut told = HashSet::new();
    globals
        .iter()
        .map(|&global| (global, &program.globals[global.index()]))
        .filter(|(_, variable)| !is_internal(&variable.name))
        .filter_map(|(global, variable)| {
            let state = replay.state(at);
            let (name, value) = match number_of(program, global) {
                Some(number) if !told.insert(&number.name) => return None,
                Some(number) => (&number.name, number_text(program, number, state)),
                None => {
                    let value = &state.globals[global.index()];
                    (&variable.name, global_text(program, global, value))
                }
            };
            Some(Named {
                name: name.clone(),
                value,
            })
        })
        .collect()
}

/// Text over several lines as one.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
