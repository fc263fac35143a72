//! Steps: the transitions of a control state, and those inside of a `d_step`.

use std::rc::Rc;

use model::{ExprId, LocId, Step, StepId, Stmt, Target};
use source::Diagnostic;

use super::statement::Action;
use super::{Lowering, Place, Stay};
use crate::codes::{lints, rules};
use crate::flow::{BlockKind, ElementId, ElementKind, Transition};

/// The rank of `else`, behind all others of a free choice.
const ELSE: u16 = 1;
/// The rank of the step that a blocked `d_step` takes.
const BLOCKED: u16 = u16::MAX;

/// A side of a rendezvous.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Sends,
    Receives,
}

impl Lowering<'_> {
    fn place(&self, process: usize, element: ElementId) -> Place {
        let element = self.processes[process].body.graph.element(element);
        Place {
            process: Some(process),
            scope: element.scope,
            position: element.position,
        }
    }

    /// Adds the steps of a control state, from a location.
    pub(super) fn steps(&mut self, process: usize, state: ElementId, at: LocId) -> Vec<StepId> {
        let body = Rc::clone(&self.processes[process].body);
        let transitions = body.transitions(state, self.diagnostics);
        let kind = |t: &Transition| &body.graph.element(t.element).kind;
        let mut elses = transitions
            .iter()
            .filter(|t| matches!(kind(t), ElementKind::Else));
        if let Some(second) = elses.nth(1) {
            let span = body.graph.element(second.element).span;
            let message = "a second `else` at the same control point";
            self.error(rules::MISPLACED, span, message);
        }
        let communicates = transitions
            .iter()
            .any(|t| self.communicates(process, t.element));
        // In SPIN a rendezvous that could be received does not count for `else`; one that could
        // be sent does. Beside both kinds, all that could happen counts.
        let only_receives = transitions
            .iter()
            .any(|t| self.meets(process, t.element, Side::Receives))
            && !transitions
                .iter()
                .any(|t| self.meets(process, t.element, Side::Sends));
        let mut ids = Vec::new();
        for transition in &transitions {
            let element = body.graph.element(transition.element);
            if transition.element != state && element.has_label("end") {
                // A label on a guard counts where the guard leads.
                self.mark_end(process, transition);
            }
            let before = ids.len();
            match &element.kind {
                ElementKind::Block(BlockKind::Deterministic, _) => {
                    ids.extend(self.first_inner_steps(process, transition, at));
                }
                ElementKind::Else => {
                    let mut step = Step::new(at, at, element.span);
                    if only_receives {
                        let mut none = self.program.exprs.bool(true);
                        for other in &transitions {
                            if other.element != transition.element {
                                let can = self.executable(process, other.element);
                                let cannot = self.program.exprs.not(can);
                                none = self.program.exprs.and(none, cannot);
                            }
                        }
                        step.guard = Some(none);
                    } else if transitions.len() > 1 {
                        step.rank = ELSE;
                    } else {
                        let message = "`else` outside of a selection";
                        self.error(rules::MISPLACED, element.span, message);
                    }
                    if communicates {
                        self.diagnostics.push(
                            Diagnostic::warning(
                                lints::ELSE_WITH_IO,
                                "`else` beside channel operations",
                            )
                            .at(element.span),
                        );
                    }
                    self.note_mover(&mut step.body);
                    let target = self.stay_target(process, transition);
                    ids.push(self.add_step(process, step, target));
                }
                _ => {
                    let place = self.place(process, transition.element);
                    let action = self.action(transition.element, process, place);
                    let step = self.step(at, action, element.span);
                    let target = self.stay_target(process, transition);
                    ids.push(self.add_step(process, step, target));
                }
            }
            self.note_calls(process, &ids[before..], &body.calls(transition.element));
        }
        ids
    }

    /// Notes in which calls of inline definitions the text of steps is.
    fn note_calls(&mut self, process: usize, steps: &[StepId], calls: &[source::Span]) {
        if calls.is_empty() {
            return;
        }
        let id = self.processes[process].id;
        let noted = steps.iter().map(|&step| ((id, step), calls.to_vec()));
        self.program.display.calls.extend(noted);
    }

    fn mark_end(&mut self, process: usize, transition: &Transition) {
        let stay = if transition.keeps {
            Stay::Atomic
        } else {
            Stay::Open
        };
        let body = Rc::clone(&self.processes[process].body);
        if !matches!(body.graph.element(transition.target).kind, ElementKind::End) {
            let target = self.location(process, transition.target, stay);
            let id = self.processes[process].id;
            self.program.processes[id.index()].locations[target.index()].end = true;
        }
    }

    fn step(&mut self, at: LocId, action: Action, span: source::Span) -> Step {
        let mut step = Step::new(at, at, span);
        step.guard = action.guard;
        step.comm = action.comm;
        step.body = action.body;
        self.note_mover(&mut step.body);
        step
    }

    fn add_step(&mut self, process: usize, mut step: Step, target: Target) -> StepId {
        step.target = target;
        let id = self.processes[process].id;
        self.program.processes[id.index()].add_step(step)
    }

    /// Where a transition leads.
    fn stay_target(&mut self, process: usize, transition: &Transition) -> Target {
        let stay = if transition.keeps {
            Stay::Atomic
        } else {
            Stay::Open
        };
        self.target_at(process, transition.target, stay)
    }

    fn target_at(&mut self, process: usize, element: ElementId, stay: Stay) -> Target {
        let body = Rc::clone(&self.processes[process].body);
        if matches!(body.graph.element(element).kind, ElementKind::End) {
            return Target::End;
        }
        Target::Goto(self.location(process, element, stay))
    }

    /// The steps that enter a `d_step`: of its first statements, the first that is executable.
    fn first_inner_steps(&mut self, process: usize, whole: &Transition, at: LocId) -> Vec<StepId> {
        let body = Rc::clone(&self.processes[process].body);
        let ElementKind::Block(_, row) = body.graph.element(whole.element).kind else {
            return Vec::new();
        };
        let starts = body.transitions(body.start_of(row), self.diagnostics);
        let mut earlier: Option<ExprId> = None;
        let mut ids = Vec::new();
        for start in &starts {
            let element = body.graph.element(start.element);
            let place = self.place(process, start.element);
            let mut action = self.action(start.element, process, place);
            if let Some(earlier) = earlier {
                let not = self.program.exprs.not(earlier);
                let own = action
                    .guard
                    .unwrap_or_else(|| self.program.exprs.bool(true));
                action.guard = Some(self.program.exprs.and(not, own));
            }
            if starts.len() > 1 {
                let can = self.executable(process, start.element);
                earlier = Some(match earlier {
                    Some(earlier) => self.program.exprs.or(earlier, can),
                    None => can,
                });
            }
            let step = self.step(at, action, element.span);
            let target = self.inner_target(process, start, whole);
            ids.push(self.add_step(process, step, target));
        }
        ids
    }

    /// Where a transition inside of a `d_step` leads: on inside, or out of it.
    fn inner_target(&mut self, process: usize, inner: &Transition, whole: &Transition) -> Target {
        let body = Rc::clone(&self.processes[process].body);
        let number = body.graph.element(inner.element).d_step;
        if body.graph.element(inner.target).d_step == number {
            self.target_at(process, inner.target, Stay::Region)
        } else {
            self.stay_target(process, whole)
        }
    }

    /// The steps of a location inside of a `d_step`: the first that is executable is taken.
    pub(super) fn inner_steps(&mut self, process: usize, state: ElementId, at: LocId) {
        let body = Rc::clone(&self.processes[process].body);
        let Some(whole) = self.enclosing_d_step(process, state) else {
            return;
        };
        let transitions = body.transitions(state, self.diagnostics);
        let mut can_block = true;
        let mut rank = 0;
        for transition in &transitions {
            let element = body.graph.element(transition.element);
            let place = self.place(process, transition.element);
            let action = self.action(transition.element, process, place);
            can_block &= action.guard.is_some() || action.comm.is_some();
            let mut step = self.step(at, action, element.span);
            step.rank = rank;
            if matches!(element.kind, ElementKind::Else) {
                step.rank = BLOCKED - 1;
            } else {
                rank += 1;
            }
            let target = self.inner_target(process, transition, &whole);
            self.add_step(process, step, target);
        }
        if can_block {
            let mut step = Step::new(at, at, body.graph.element(state).span);
            step.rank = BLOCKED;
            step.body.push(Stmt::Raise(self.faults.d_step));
            self.add_step(process, step, Target::End);
        }
    }

    /// The transition that a whole `d_step` is.
    fn enclosing_d_step(&mut self, process: usize, inner: ElementId) -> Option<Transition> {
        let body = Rc::clone(&self.processes[process].body);
        let id = body.whole_d_step(body.graph.element(inner).d_step?)?;
        body.transitions(id, self.diagnostics).first().copied()
    }

    /// Whether an element receives from, or sends to, a channel that keeps nothing, or may do so.
    pub(super) fn meets(&mut self, process: usize, element: ElementId, side: Side) -> bool {
        use crate::ast::StatementKind;
        let body = Rc::clone(&self.processes[process].body);
        let channel = match (body.graph.element(element).statement(), side) {
            (Some(StatementKind::Receive { channel, .. }), Side::Receives)
            | (Some(StatementKind::Send { channel, .. }), Side::Sends) => channel,
            _ => return false,
        };
        let place = self.place(process, element);
        let name = &channel.parts[0].0.name;
        let shape = match channel.parts.len() {
            1 => self.find_variable(name, place).and_then(|v| v.shape),
            _ => self.target(channel, place).and_then(|t| t.shape),
        };
        match shape {
            Some(shape) => self.shapes[shape].capacity == 0,
            None => self.shapes.iter().any(|shape| shape.capacity == 0),
        }
    }

    fn communicates(&self, process: usize, element: ElementId) -> bool {
        use crate::ast::StatementKind;
        let body = &self.processes[process].body;
        let found = body.graph.element(element);
        match &found.kind {
            ElementKind::Basic(_) => matches!(
                found.statement(),
                Some(StatementKind::Send { .. } | StatementKind::Receive { .. })
            ),
            ElementKind::Block(BlockKind::Deterministic, row) => {
                let first = body.start_of(*row);
                first != element && self.communicates(process, first)
            }
            _ => false,
        }
    }
}
