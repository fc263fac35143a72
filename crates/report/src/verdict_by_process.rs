//! How a story told by processes ends: the assertion that does not hold, who waits for what, the
//! run-time error.

use std::collections::HashSet;

use model::interp::{Occurrence, Replay, State};
use model::{CheckId, Claim, Expr, ExprId, Program, Property, Root, Stmt, Trace};
use source::Span;

use crate::ending::{atoms, check_failed, last_fault, named, one_line};
use crate::printed::{mentions, named_value_text};
use crate::story::Narrator;
use crate::values::{Ending, Named};
use crate::wide_number::is_same;

impl Narrator<'_> {
    /// Why the replayed run violates the property.
    pub(crate) fn ending_by_process(
        &self,
        property: &Property,
        trace: &Trace,
        replay: &Replay,
    ) -> Ending {
        let last = replay.length();
        let state = replay.state(last);
        let mut ending = Ending {
            text: format!("this run violates `{}`", one_line(&property.text)),
            values: Vec::new(),
            line: self.line(property.span),
            waiting: Vec::new(),
        };
        match &property.claim {
            Claim::Check(check) => {
                (ending.text, ending.values) = check_failed(self.program, *check, replay);
                if let Some((instance, span)) = failed(replay, *check)
                    && let Some(condition) = asserted(self.program, span)
                {
                    let statement = self.statement(span);
                    if statement.starts_with("assert(") {
                        ending.text = format!("`{statement}` does not hold");
                    } else if !statement.is_empty() && statement != "assert" {
                        ending.text = format!("{}: `{statement}`", ending.text);
                    }
                    ending.values = named(
                        self.program,
                        &mentions(self.program, &[condition]),
                        last,
                        replay,
                    );
                    ending
                        .values
                        .extend(self.own_values(state, instance, condition));
                    ending.line = self.line(span);
                }
            }
            Claim::Always(condition) => {
                let globals = mentions(self.program, &[*condition]);
                ending.values = named(self.program, &globals, last, replay);
            }
            claim @ (Claim::Ltl(_) | Claim::Never(_) | Claim::Ctl(_) | Claim::Mu(_)) => {
                if matches!(claim, Claim::Never(_)) {
                    ending.text = format!("this run is one that `{}` forbids", property.name);
                }
                let mut globals = mentions(self.program, &atoms(claim));
                // Only what stays the same for ever has one value to show.
                let start = trace.loop_start.unwrap_or(last);
                globals.retain(|global| {
                    let program = self.program;
                    let same = |at| is_same(program, *global, replay.state(at), replay.state(last));
                    (start..last).all(same)
                });
                ending.values = named(self.program, &globals, last, replay);
                if start == last {
                    ending.waiting = self.waiting(state);
                }
            }
            Claim::NoDeadlock => {
                "no process can move, and not all are where they may end"
                    .clone_into(&mut ending.text);
                ending.waiting = self.waiting(state);
            }
            Claim::NoFault(_) => {
                if let Some((fault, span)) = last_fault(replay) {
                    let message = &self.program.faults[fault.index()].message;
                    ending.text = format!("run-time error: {message}");
                    ending.line = self.line(span);
                }
            }
            Claim::Returns => {
                "this goes on for ever within one step".clone_into(&mut ending.text);
            }
            Claim::Silent(_)
            | Claim::Configurations(_)
            | Claim::Open(_)
            | Claim::Distance { .. }
            | Claim::Bounded(_) => {}
        }
        ending
    }

    /// The values of an instance's own variables that a condition reads.
    fn own_values(&self, state: &State, instance: u32, condition: ExprId) -> Vec<Named> {
        let Some(found) = state.instance(instance) else {
            return Vec::new();
        };
        let process = &self.program.processes[found.process.index()];
        let frame = state.frames.get(found.frame).and_then(Option::as_ref);
        let Some(frame) = frame else {
            return Vec::new();
        };
        own_mentions(self.program, condition)
            .into_iter()
            .filter_map(|local| {
                let variable = process.locals.get(local)?;
                let names = self.program.display.locals.get(&(found.process, local));
                let value = frame.get(local)?;
                Some(Named {
                    name: format!("{}[{instance}]:{}", process.name, variable.name),
                    value: named_value_text(self.program, &variable.ty, names.copied(), value),
                })
            })
            .collect()
    }
}

/// The last failure of a check: the instance that moved, and the assertion's place.
fn failed(replay: &Replay, wanted: CheckId) -> Option<(u32, Span)> {
    let occurrences = &replay.steps.last()?.occurrences;
    let at = occurrences
        .iter()
        .rposition(|o| matches!(o, Occurrence::Failed { check, .. } if *check == wanted))?;
    let Occurrence::Failed { span, .. } = &occurrences[at] else {
        return None;
    };
    let instance = occurrences[..at].iter().rev().find_map(|o| match o {
        Occurrence::Step { part, .. } => Some(part.instance),
        _ => None,
    })?;
    Some((instance, *span))
}

/// The condition that a process asserts at a place.
fn asserted(program: &Program, at: Span) -> Option<ExprId> {
    fn find(body: &[Stmt], at: Span) -> Option<ExprId> {
        body.iter().find_map(|stmt| match stmt {
            Stmt::Assert { cond, span, .. } if *span == at => Some(*cond),
            Stmt::If(_, yes, no) => find(yes, at).or_else(|| find(no, at)),
            _ => None,
        })
    }
    let mut steps = program.processes.iter().flat_map(|process| &process.steps);
    steps.find_map(|step| find(&step.body, at))
}

/// The variables of its own process that an expression reads.
fn own_mentions(program: &Program, root: ExprId) -> Vec<usize> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let mut stack = vec![root];
    while let Some(id) = stack.pop() {
        if !seen.insert(id) {
            continue;
        }
        if let Expr::Load(place) = program.exprs.get(id)
            && let Root::Own(local) = place.root
            && !found.contains(&(local as usize))
        {
            found.push(local as usize);
        }
        let at = stack.len();
        program
            .exprs
            .operands(id, |operand| stack.insert(at, operand));
    }
    found
}
