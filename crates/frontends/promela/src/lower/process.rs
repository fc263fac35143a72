//! Process types: their locations, and the worklist over them.

use std::rc::Rc;

use model::{Comm, Escape, LocId, Mode, StepId, Stmt};

use super::steps::Side;
use super::{Lowering, Place, Stay};
use crate::flow::{ElementId, ElementKind, ScopeId};

impl Lowering<'_> {
    /// Lowers what belongs to a process type as a whole, and asks for its entry.
    pub(super) fn lower_process(&mut self, process: usize) {
        let body = Rc::clone(&self.processes[process].body);
        let start = body.entry(self.diagnostics);
        let entry = self.location(process, start, Stay::Open);
        let id = self.processes[process].id;
        let template = &mut self.program.processes[id.index()];
        template.entry = entry;
        template.unlinked = body.unlinked();
        template.starts_ended = matches!(body.graph.element(start).kind, ElementKind::End);
        let ast = self.processes[process].ast;
        if let Some(provided) = &ast.provided {
            let place = Place {
                process: Some(process),
                scope: ScopeId(0),
                position: u32::MAX,
            };
            let provided = self.truth(provided, place);
            self.program.processes[id.index()].provided = Some(provided);
        }
    }

    /// The location for a control state, made on demand.
    pub(super) fn location(&mut self, process: usize, element: ElementId, stay: Stay) -> LocId {
        if let Some(&known) = self.processes[process].locations.get(&(element, stay)) {
            return known;
        }
        let body = Rc::clone(&self.processes[process].body);
        let found = body.graph.element(element);
        let name = match found.labels.first() {
            Some(label) => label.name.to_string(),
            None => self
                .sources
                .location(found.span)
                .map_or_else(String::new, |at| {
                    at.rsplit('/').next().unwrap_or("").to_owned()
                }),
        };
        let mode = match stay {
            Stay::Open => Mode::Open,
            Stay::Atomic => Mode::Atomic,
            Stay::Region => Mode::Region,
        };
        let id = self.processes[process].id;
        let template = &mut self.program.processes[id.index()];
        let location = template.add_location(name, mode, found.span);
        let (end, progress, accept) = (
            found.has_label("end"),
            found.has_label("progress"),
            found.has_label("accept"),
        );
        template.locations[location.index()].end = end;
        let lowered = &mut self.processes[process];
        lowered.locations.insert((element, stay), location);
        lowered.waiting.push((element, stay, location));
        if stay != Stay::Region {
            if progress {
                lowered.progress.push(location);
            }
            if accept {
                lowered.accept.push(location);
            }
        }
        location
    }

    /// Lowers the steps of all locations that are asked for.
    pub(super) fn finish_processes(&mut self) {
        loop {
            let mut idle = true;
            for process in 0..self.processes.len() {
                while let Some((element, stay, location)) = self.processes[process].waiting.pop() {
                    idle = false;
                    self.lower_location(process, element, stay, location);
                }
            }
            if idle {
                return;
            }
        }
    }

    fn lower_location(&mut self, process: usize, element: ElementId, stay: Stay, at: LocId) {
        let body = Rc::clone(&self.processes[process].body);
        if stay == Stay::Region {
            self.inner_steps(process, element, at);
            return;
        }
        self.steps(process, element, at);
        let escapes = body.escapes(element, self.diagnostics);
        let count = u16::try_from(escapes.len()).expect("few escapes");
        for (rank, escape) in (0u16..).zip(escapes) {
            if !self.processes[process].escapes.contains_key(&escape) {
                let steps = self.escape_steps(process, escape, at);
                self.processes[process].escapes.insert(escape, steps);
            }
            let (before, beside) = self.processes[process].escapes[&escape].clone();
            let id = self.processes[process].id;
            for (steps, precedence) in [(before, count - rank), (beside, 0)] {
                if !steps.is_empty() {
                    self.program.processes[id.index()].escapes.push(Escape {
                        covers: vec![at],
                        steps,
                        precedence,
                    });
                }
            }
        }
    }

    /// The steps of an escape: those that take precedence, and those that do not. In SPIN, whether
    /// a rendezvous can be received is seen only when it is sent, so that waiting for one does not
    /// hold the main sequence up.
    fn escape_steps(
        &mut self,
        process: usize,
        escape: ElementId,
        at: LocId,
    ) -> (Vec<StepId>, Vec<StepId>) {
        let body = Rc::clone(&self.processes[process].body);
        let transitions = body.transitions(escape, self.diagnostics);
        let waits = transitions
            .iter()
            .any(|t| self.meets(process, t.element, Side::Receives));
        let steps = self.steps(process, escape, at);
        let id = self.processes[process].id;
        let template = &self.program.processes[id.index()];
        steps.into_iter().partition(|step| {
            let comm = &template.steps[step.index()].comm;
            !(waits && matches!(comm, Some(Comm::Receive { .. })))
        })
    }

    /// Records who has moved, if the model asks.
    pub(super) fn note_mover(&mut self, body: &mut Vec<Stmt>) {
        if let Some(last) = self.last {
            let me = self
                .program
                .exprs
                .add(model::Expr::Me, model::Type::Instance);
            let me = self.convert(me, super::INT);
            body.push(Stmt::Assign(model::Place::global(last), me));
        }
    }
}
